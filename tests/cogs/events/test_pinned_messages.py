"""What a 📌 on what people say does, and the setting that chooses another emoji or none."""

import asyncio
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from bot.db.pool import Database
from bot.store.spaces import PIN
from cogs.events.pin_reaction import KEPT, NOT_KEPT
from tests import discord_bot
from tests.cogs.events.test_pin_reaction import again, marks, react, told
from tests.conftest import Clock
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.wire import Intent
from tests.model_server import Reply
from tests.rows import contents, rows
from tests.waiting import becomes

SAID = "The gate code is heron."
LIVING = "SELECT content FROM memory WHERE forgotten_at IS NULL"


async def _command(bot: DiscordBot, line: str, channel: Channel | None = None) -> str:
    """What the owner is answered to a command."""
    return (await bot.answer(await bot.guild.owner.say(channel or bot.channel, line))).content


def _fetched(bot: DiscordBot, message: Message) -> int:
    """How often Hathi has asked Discord for a message."""
    path = f"/messages/{message.message_id}"
    return sum(each.method == "GET" and each.path.endswith(path) for each in bot.discord.rest.requests)


async def test_what_anybody_said_is_kept_as_theirs(database: Database) -> None:
    """Said to others, it is marked; its author is told once, in reply to it, and forgets it."""
    async with discord_bot.running(database) as bot:
        ann, ben, cid = bot.person("Ann"), bot.person("Ben"), bot.person("Cid")
        said = await ann.say(bot.channel, SAID)
        await react(bot, ben, said)
        await react(bot, cid, said)
        (line,) = told(bot, said)
        assert ([KEPT], "Ben had me remember this message of yours as #1") == (marks(bot, said), line.partition(",")[0])
        assert [(SAID, 8, "user", "Ann", ann.user_id, [said.message_id], bot.channel.channel_id)] == await rows(
            database, "SELECT content, importance, source, author, author_id, evidence, channel_id FROM memory"
        )
        await bot.answer(await ann.say(bot.channel, "!forget 1"))
        assert [] == await rows(database, LIVING)
        # What was forgotten is not remembered anew.
        await again(bot, ben, said)
        assert [] == await rows(database, LIVING)


async def test_who_marks_their_own_message_is_told_under_the_next_answer_to_them(database: Database) -> None:
    """By no message of its own; in direct messages too, and once."""
    async with discord_bot.running(database) as bot:
        ann = bot.world.newcomer("Ann")
        for said in [await ann.say(bot.channel, text) for text in (SAID, "The shed code is 9921.")]:
            await react(bot, ann, said)
            assert [KEPT] == marks(bot, said)
        first, second = bot.channel.messages[0], bot.channel.messages[1]
        assert ([], []) == (told(bot, first), told(bot, second))
        answer = await bot.asks(ann, ann.direct, "The mill is old.")
        assert answer.content.endswith(f"\n{bot.notice(is_direct=True)}")
        await react(bot, ann, ann.direct.messages[0])
        assert [KEPT] == marks(bot, ann.direct.messages[0])
    assert 3 == len(await contents(database))


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_where_the_mode_forbids_it_nothing_happens(database: Database, mode: str) -> None:
    """Discord is not even asked for the message."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await _command(bot, f"!memory mode {mode}")
        said = await ann.say(bot.channel, SAID)
        await react(bot, ann, said)
        assert ([], [], [], 0) == (await contents(database), marks(bot, said), told(bot, said), _fetched(bot, said))


@pytest.mark.parametrize("who", ["Ann", "Ben"])
async def test_whose_wish_forbids_it_keeps_nothing(database: Database, who: str) -> None:
    """Neither what is of somebody who opted out, nor what they mark; and nothing tells others that they did."""
    async with discord_bot.running(database) as bot:
        people = {name: bot.person(name) for name in ("Ann", "Ben")}
        await bot.answer(await people[who].say(bot.channel, "!memory off me"))
        said = await people["Ann"].say(bot.channel, SAID)
        await react(bot, people["Ben"], said)
        assert ([], [], []) == (await contents(database), marks(bot, said), told(bot, said))


async def test_what_was_erased_is_not_kept(database: Database) -> None:
    """What Discord still shows of somebody who has erased what they said."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        said = await ann.say(bot.channel, SAID)
        await bot.answer(await ann.say(bot.channel, "!mydata erase confirm"))
        await react(bot, ben, said)
        assert ([], []) == (await contents(database), marks(bot, said))


async def test_it_is_seen_where_the_channel_is(database: Database) -> None:
    """Of a private channel there alone; of a public thread wherever its channel's is."""
    async with discord_bot.running(database, roles={}) as bot:
        ann = bot.person("Ann")
        secret = bot.guild.private_channel("staff", seen_by=[ann])
        thread = await ann.start_thread(bot.channel, "gates")
        for place, text in ((secret, SAID), (thread, "The mill wheel broke in March.")):
            await react(bot, ann, await ann.say(place, text))
        assert [(secret.channel_id,), (bot.channel.channel_id,)] == await rows(
            database, "SELECT channel_id FROM memory ORDER BY memory_id"
        )
        outside = await bot.asks(ann, bot.channel, "What is the gate code?")
        inside = await bot.asks(ann, secret, "What is the gate code?")
        assert (False, True) == ("heron" in outside.content, "heron" in inside.content)


async def test_to_take_it_away_forgets_nothing(database: Database) -> None:
    """What is remembered stays until somebody forgets it, or deletes the message."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        said = await ann.say(bot.channel, SAID)
        await react(bot, ann, said)
        heard = bot.client.wait_for("raw_reaction_remove")
        await ann.unreact(said, PIN)
        await heard
        assert [SAID] == await contents(database)
        gone = bot.client.wait_for("raw_message_delete")
        await ann.delete(said)
        await gone
        await becomes([], lambda: contents(database))


async def test_what_has_no_text_is_marked_as_not_kept(database: Database) -> None:
    """Until it has one: then the one mark takes the place of the other."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        said = await ann.say(bot.channel, files={"gate.png": b"\x89PNG"})
        await react(bot, ann, said)
        assert ([NOT_KEPT], []) == (marks(bot, said), await contents(database))
        edited = bot.client.wait_for("raw_message_edit")
        await ann.edit(said, SAID)
        await edited
        await again(bot, ann, said)
        assert ([KEPT], [SAID]) == (marks(bot, said), await contents(database))


async def test_a_command_is_nothing_to_keep(database: Database) -> None:
    """What was given by one is remembered, or was forgotten, in its own way."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        given = await ann.say(bot.channel, "!recall the gate code")
        await bot.answer(given)
        await react(bot, ann, given)
        assert ([], []) == (await contents(database), marks(bot, given))


async def test_what_another_bot_says_is_nobodys(database: Database) -> None:
    """It is kept, as "remember this" in reply to it keeps it."""
    async with discord_bot.running(database) as bot:
        ann, robot = bot.person("Ann"), bot.discord.world.user("robot", bot=True)
        bot.guild.join(robot)
        said = await robot.say(bot.channel, "Build 1412 failed in the linker.")
        await react(bot, ann, said)
        assert ([KEPT], []) == (marks(bot, said), told(bot, said))
    assert [("Build 1412 failed in the linker.", None)] == await rows(database, "SELECT content, author_id FROM memory")


async def test_what_is_deleted_meanwhile_is_not_kept(database: Database) -> None:
    """While Hathi reads it, its author takes it back."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        said = await ann.say(bot.channel, SAID)
        bot.discord.faults.slow(timedelta(seconds=0.3), method="GET", path=f"/messages/{said.message_id}$")
        heard, gone = bot.client.wait_for("raw_reaction_add"), bot.client.wait_for("raw_message_delete")
        await ben.react(said, PIN)
        await heard
        await ann.delete(said)
        await gone
        await asyncio.gather(*(task for task in asyncio.all_tasks() if "on_raw_reaction_add" in task.get_name()))
        await bot.settled()
        assert ([], []) == (await contents(database), marks(bot, said))


async def test_where_it_may_not_read_nothing_is_asked_for(database: Database) -> None:
    """Discord would refuse, and count it."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
        said = await ann.say(bot.channel, SAID)
        await react(bot, ann, said)
        assert ([], [], 0) == (await contents(database), marks(bot, said), _fetched(bot, said))


async def test_without_the_intent_what_is_not_shown_is_not_kept(database: Database) -> None:
    """Quietly, as Hathi sees no word of it; what is said to Hathi it sees, and keeps."""
    async with discord_bot.running(database, server={"privileged": Intent.NONE}) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        unseen, seen = await ann.say(bot.channel, SAID), await bot.says_to_hathi(ann, bot.channel, "The mill is old.")
        await bot.answer(seen)
        for said in (unseen, seen):
            await react(bot, ben, said)
        assert ([], [KEPT]) == (marks(bot, unseen), marks(bot, seen))
    assert ["The mill is old."] == await contents(database)


# --- the setting


@pytest.mark.parametrize(
    ("given", "reacted"),
    [("⭐", "⭐"), ("❤", "❤️"), ("👩‍💻", "👩‍💻"), ("<:gate:123456789012345678>", "gate:123456789012345678")],
)
async def test_a_server_chooses_its_own_emoji(database: Database, given: str, reacted: str) -> None:
    """One of Unicode's, or one of the server's own; 📌 then means nothing there, to answers of Hathi's neither."""
    async with discord_bot.running(database, answer=Reply(text="Beat two eggs into flour.")) as bot:
        ann = bot.person("Ann")
        first, second = [await ann.say(bot.channel, text) for text in (SAID, "The shed code is 9921.")]
        answer = await bot.asks(ann, bot.channel, "How do we make pancakes?")
        assert (await _command(bot, f"!settings pin {given}")).startswith(f"{given} on anybody's message")
        for said in (first, answer):
            await react(bot, ann, said)
        assert [] == await contents(database)
        await react(bot, ann, second, reacted)
        assert (["The shed code is 9921."], [KEPT]) == (await contents(database), marks(bot, second))


async def test_off_has_nothing_kept(database: Database) -> None:
    """Until it is set again; another server keeps its own way."""
    async with discord_bot.running(database) as bot:
        ann, other = bot.person("Ann"), bot.discord.guild("Tigers")
        other.join(ann)
        elsewhere = other.text_channel("general")
        assert PIN in await _command(bot, "!settings pin OFF")
        said, theirs = await ann.say(bot.channel, SAID), await ann.say(elsewhere, "The mill is old.")
        for each in (said, theirs):
            await react(bot, ann, each)
        assert ([], [KEPT]) == (marks(bot, said), marks(bot, theirs))
        await _command(bot, f"!settings pin {PIN}")
        await again(bot, ann, said)
        assert [KEPT] == marks(bot, said)


async def test_members_may_look_and_not_change_it(database: Database) -> None:
    """It takes Manage Server, and an emoji."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        shown, refused = [
            (await bot.answer(await ann.say(bot.channel, line))).content
            for line in ("!settings pin", "!settings pin ⭐")
        ]
        assert (True, True) == (shown.startswith(f"{PIN} on anybody's message"), "Manage Server" in refused)
        assert "one emoji such as" in await _command(bot, "!settings pin pushpin")
    assert [("{}",)] == await rows(database, "SELECT settings::text FROM space")


async def test_an_author_is_told_once_and_never_again(database: Database) -> None:
    """In a space, whoever puts the 📌 there; what they mark themselves is told by nothing but the mark."""
    async with discord_bot.running(database) as bot:
        ann, ben, cid = bot.person("Ann"), bot.person("Ben"), bot.person("Cid")
        own, first, second, third = [
            await ann.say(bot.channel, f"The {place} code is heron.") for place in ("barn", "gate", "shed", "loft")
        ]
        for who, said in ((ann, own), (ben, first), (ben, second), (cid, third)):
            await react(bot, who, said)
            assert [KEPT] == marks(bot, said)
        assert [0, 1, 0, 0] == [len(told(bot, said)) for said in (own, first, second, third)]
        other = bot.guild.text_channel("other")
        there = await ann.say(other, "The mill code is 9921.")
        await react(bot, cid, there)
        assert ([KEPT], []) == (marks(bot, there), bot.world.replies(there))


async def test_who_forgot_what_they_said_may_have_it_remembered_anew(database: Database) -> None:
    """By their own mark alone: nobody else brings it back."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        said = await ann.say(bot.channel, SAID)
        await react(bot, ann, said)
        await bot.answer(await ann.say(bot.channel, "!forget 1"))
        await react(bot, ben, said)
        assert [] == await rows(database, LIVING)
        await again(bot, ann, said)
        assert [(SAID,)] == await rows(database, LIVING)


async def test_what_is_remembered_anew_stays_when_the_rest_is_erased(database: Database, clock: Clock) -> None:
    """And is no remnant of what was forgotten, when it is looked a day later whether anything is left of that."""
    async with discord_bot.running(database, clock=clock) as bot:
        ann = bot.person("Ann")
        said = await bot.says_to_hathi(ann, bot.channel, SAID)
        await bot.answer(said)
        await react(bot, ann, said)
        await bot.answer(await ann.say(bot.channel, "!forget 1"))
        clock.forward(minutes=1)
        await again(bot, ann, said)
        clock.forward(minutes=11)
        await bot.app.schedule.tidy()
        clock.forward(hours=25)
        with capture_logs() as logs:
            await bot.app.schedule.check_erasures()
        assert [] == [each for each in logs if each["event"] == "erasure.residue"]
    assert [(SAID,)] == await rows(database, LIVING)
