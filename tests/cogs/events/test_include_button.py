"""The laws of the button under a reset that makes memory of the talk that is not recorded."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from bot.commands import including
from bot.commands.resets import talk_left
from bot.config import Roles
from bot.db.pool import Database
from bot.domain import Right
from bot.lifecycle import model_facts
from bot.presentation import introduction
from cogs.chat.recent_messages import RecentMessages
from cogs.events import include_button
from cogs.ui import button_kinds
from tests import discord_bot
from tests.cogs.chat.test_plain_requests import ids, pressable
from tests.cogs.commands.test_reply_reasons import private
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.model_server import ModelServer, Reply, Status
from tests.rows import one, rows
from tests.waiting import becomes, eventually

SHIP, TEA, JUICE = "We decided to ship the release on Friday.", "I prefer tea over coffee.", "I prefer juice over milk."
SECRET = "We keep the spare key under the mat."
WITHOUT: dict[str, Any] = {"roles": Roles()}
"""Settings of a Hathi without a model."""


async def reset(bot: DiscordBot, line: str = "!reset", *, place: Channel | None = None) -> Message:
    """The message of a reset, once all is done."""
    given = await bot.guild.owner.say(place or bot.channel, line)
    notice = await bot.answer(given)
    await bot.settled()
    return notice


async def told(bot: DiscordBot, by: User, notice: Message) -> str:
    """What whoever pressed it is told last, alone."""
    pressed = await by.press(notice, pressable(notice, "include"))
    await bot.until(lambda: [each for each in _private(pressed) if each.text != include_button.READING])
    return _private(pressed)[-1].text


def _private(pressed: Any) -> list[Message]:
    return [message for message in pressed.messages if message is not pressed.message and message.ephemeral]


async def memories(database: Database) -> list[Any]:
    return await rows(
        database, "SELECT content, author_id, evidence FROM memory WHERE forgotten_at IS NULL ORDER BY memory_id"
    )


async def quoted(database: Database) -> list[str]:
    """What people are quoted with."""
    return [content.split('"')[1] for content, *_ in await memories(database) if " said: " in content]


async def test_talk_becomes_memory_and_is_not_kept(database: Database) -> None:
    """By who may reset alone; of nobody who declines; its authors are named, once; and it goes with its words."""
    async with discord_bot.running(database, **WITHOUT) as bot:
        ann, bob, cyd = bot.person("Ann"), bot.world.newcomer("Bob"), bot.person("Cyd")
        owner = bot.knows(bot.guild.owner)
        await bot.answer(await cyd.say(bot.channel, "!memory off me"))
        ship, tea = await ann.say(bot.channel, SHIP), await bob.say(bot.channel, TEA)
        await cyd.say(bot.channel, JUICE)
        await bot.asks(owner, bot.channel, "The mill by the river was built in 1871.")
        notice = await reset(bot)
        assert talk_left() in notice.text.splitlines()
        assert ["hathi:undo", "hathi:include"] == ids(notice)[-2:]
        before = await memories(database)
        assert Right.MANAGE_MESSAGES in (await private(await ann.press(notice, pressable(notice, "include")))).text
        await owner.press(notice, pressable(notice, "include"))
        answer = await bot.stands("Included 2 messages")
        assert ["hathi:pick", "hathi:exclude", "hathi"] == ids(answer)
        assert introduction.to_included(["Bob"]) in answer.text.splitlines()
        made = [row for row in await memories(database) if row not in before]
        assert [
            (f'Ann said: "{SHIP}"', ann.user_id, [ship.message_id]),
            (f'Bob said: "{TEA}"', bob.user_id, [tea.message_id]),
        ] == made
        assert 0 == await one(
            database, "SELECT count(*) FROM message WHERE message_id IN ($1, $2)", ship.message_id, tea.message_id
        )
        assert including.NO_TALK == await told(bot, owner, notice)
        assert [] == [*bot.world.replies(ship), *bot.world.replies(tea)]
        await ann.delete(ship)
        await becomes([*before, made[1]], lambda: memories(database))


async def test_where_nothing_was_said_to_hathi_there_is_talk_all_the_same(database: Database) -> None:
    """It reaches back to the last reset and no further; and it can be taken back, and included anew.

    What a reset was to discard is before any that follows; each button is of its own reset.
    """
    async with discord_bot.running(database, **WITHOUT) as bot:
        ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
        await ann.say(bot.channel, TEA)
        first = await reset(bot)
        await ann.say(bot.channel, SECRET)
        assert [] == ids(await reset(bot, "!reset discard"))
        await ann.say(bot.channel, SHIP)
        notice = await reset(bot)
        assert ["hathi:include"] == ids(notice)
        await ann.say(bot.channel, JUICE)
        await owner.press(notice, pressable(notice, "include"))
        answer = await bot.stands("Included 1 message")
        assert [f'Ann said: "{SHIP}"'] == [content for content, *_ in await memories(database)]
        await owner.press(answer, pressable(answer, "exclude"))
        await bot.stands("Took back 1 memory")
        assert [] == await memories(database)
        await owner.press(notice, pressable(notice, "include"))
        await bot.until(lambda: len([m for m in bot.channel.said_by(bot.discord.bot) if "Included" in m.text]) == 1)
        assert [f'Ann said: "{SHIP}"'] == [content for content, *_ in await memories(database)]
        await owner.press(first, pressable(first, "include"))
        await becomes([SHIP, TEA], lambda: quoted(database))


@pytest.mark.parametrize("line", ["!reset discard", "!memory mode all"])
async def test_where_talk_is_recorded_or_nothing_is_wanted_there_is_no_button(database: Database, line: str) -> None:
    """Nor under a reset that discards, after which what was said is not to be read again either."""
    async with discord_bot.running(database, **WITHOUT) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.asks(owner, bot.channel, "The mill by the river was built in 1871.")
        if line.startswith("!memory"):
            await bot.answer(await owner.say(bot.channel, line))
        notice = await reset(bot, line if "reset" in line else "!reset")
        assert talk_left() not in notice.text
        assert "hathi:include" not in ids(notice)


async def test_what_was_said_before_its_mode_was_set_is_not_included(database: Database) -> None:
    """Nor in a thread that is first heard of afterwards; and nothing at all once the mode was another since."""
    async with discord_bot.running(database, **WITHOUT) as bot:
        ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
        thread = await owner.start_thread(bot.channel, "a public one")
        await bot.answer(await owner.say(bot.channel, "!memory mode explicit"))
        for place in (bot.channel, thread):
            await ann.say(place, SECRET)
        await bot.answer(await owner.say(bot.channel, "!memory mode addressed"))
        notices = list[Message]()
        for place, text in ((bot.channel, SHIP), (thread, TEA)):
            await ann.say(place, text)
            notices.append(await reset(bot, place=place))
            await owner.press(notices[-1], pressable(notices[-1], "include"))
            await bot.stands("Included 1 message", place)
        assert [SHIP, TEA] == await quoted(database)
        await bot.answer(await owner.say(bot.channel, "!memory mode off"))
        assert including.OTHER_MODE == await told(bot, owner, notices[0])
        await bot.answer(await owner.say(bot.channel, "!memory mode addressed"))
        assert including.NO_TALK == await told(bot, owner, notices[0])


async def test_talk_stays_within_the_audience_it_was_said_to(database: Database) -> None:
    """A public thread's is its channel's, also once that is narrowed; a private thread's is its own."""
    async with discord_bot.running(database, **WITHOUT) as bot:
        ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
        public = await owner.start_thread(bot.channel, "a public one")
        private_ = await owner.start_thread(bot.channel, "between us", private=True)
        for member in (bot.discord.bot, ann):
            private_.add(member)
        for place, text in ((public, SHIP), (private_, TEA)):
            await ann.say(place, text)
            notice = await reset(bot, place=place)
            for seen in (bot.discord.bot, ann):
                bot.channel.overwrite(seen, Overwrite(allow=Permission.VIEW_CHANNEL))
            bot.channel.overwrite(bot.guild.everyone, Overwrite(deny=Permission.VIEW_CHANNEL))
            await owner.press(notice, pressable(notice, "include"))
            await bot.stands("Included 1 message", place)
        assert [(SHIP, bot.channel.channel_id), (TEA, private_.channel_id)] == [
            (content.split('"')[1], channel)
            for content, channel in await rows(database, "SELECT content, channel_id FROM memory ORDER BY memory_id")
        ]
        other = bot.guild.text_channel("elsewhere")
        for text in (SHIP, TEA):
            found = await bot.asks(owner, other, f"what did Ann say about {text.split()[-1]}")
            assert text not in found.text


async def test_what_may_not_be_read_is_not(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing without the permission, from before Hathi came, or of who has opted out since; else so much at most."""
    async with discord_bot.world() as world:
        ann, bob = world.newcomer("Ann"), world.newcomer("Bob")
        await ann.say(world.channel, SECRET)
        world.guild.members[world.discord.bot.user_id].joined_at = datetime.now(UTC) + timedelta(milliseconds=2)
        async with discord_bot.connected(world, database, **WITHOUT) as bot:
            owner = bot.knows(bot.guild.owner)
            await bot.knows(bob).say(bot.channel, JUICE)
            # Where it is new it introduces itself.
            await bot.until(lambda: bot.channel.said_by(bot.discord.bot))
            for text in (TEA, SHIP):
                await bot.knows(ann).say(bot.channel, text)
            notice = await reset(bot)
            await bot.answer(await bob.say(bot.channel, "!memory off me"))
            bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
            assert include_button.NO_HISTORY == await told(bot, owner, notice)
            bot.channel.overwrite(bot.discord.bot, None)
            with monkeypatch.context() as few:
                # Of the cog that is loaded, which is no longer the module that was imported here.
                few.setitem(type(_includer(bot)).pressed.__globals__, "MOST", 2)
                await owner.press(notice, pressable(notice, "include"))
                cut = await bot.stands("Included 1 message")
                assert including.OLDER in cut.text.splitlines()
            await owner.press(notice, pressable(notice, "include"))
            await becomes([SHIP, TEA], lambda: quoted(database))
            assert including.NO_TALK == await told(bot, owner, notice)


async def test_facts_of_talk_go_with_its_words_and_with_its_reset(database: Database) -> None:
    """An edit on Discord takes what is not said any more; undoing the reset takes the rest, and the button."""
    async with discord_bot.running(database, **WITHOUT) as bot:
        ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
        tea = await ann.say(bot.channel, TEA)
        await ann.say(bot.channel, SHIP)
        await bot.asks(owner, bot.channel, "The mill by the river was built in 1871.")
        notice = await reset(bot)
        await owner.press(notice, pressable(notice, "include"))
        await bot.stands("Included 2 messages")
        await ann.edit(tea, "Never mind.")
        await becomes([SHIP], lambda: quoted(database))
        await owner.press(notice, pressable(notice, "undo"))
        await becomes([], lambda: memories(database))
        await eventually(lambda: "hathi:include" not in ids(notice))


async def test_a_model_that_fails_leaves_nothing_half_done(database: Database) -> None:
    """One sentence says so, and after a restart it can be pressed again."""
    async with discord_bot.world(model=ModelServer(always=Status(status=400))) as world:
        async with discord_bot.connected(world, database) as bot:
            ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
            await ann.say(bot.channel, SHIP)
            notice = await reset(bot)
            assert including.NOT_MADE == await told(bot, owner, notice)
            assert 0 == await one(database, "SELECT count(*) FROM memory")
            assert 0 == await one(database, "SELECT count(*) FROM chunk")
        async with discord_bot.connected(world, database, **WITHOUT) as again:
            again.knows(ann)
            await owner.press(notice, pressable(notice, "include"))
            await again.stands("Included 1 message")
    assert [f'Ann said: "{SHIP}"'] == [content for content, *_ in await memories(database)]


async def test_what_is_deleted_while_a_model_reads_it_is_not_kept(database: Database) -> None:
    """Nothing of that reading is; who presses meanwhile is told that it is read already."""
    gate = asyncio.Event()
    fact = {"room": "general", "topic": "tea", "content": TEA, "importance": 9, "entities": [], "key_phrases": []}
    text = json.dumps({"summary": "They talked.", "facts": [fact | {"evidence": [1]}]})
    async with (
        discord_bot.world(model=ModelServer(Reply(text=text, gate=gate), always=Reply(text=text))) as world,
        discord_bot.connected(world, database) as bot,
    ):
        ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
        tea, ship = await ann.say(bot.channel, TEA), await ann.say(bot.channel, SHIP)
        notice = await reset(bot)
        first = await owner.press(notice, pressable(notice, "include"))
        await bot.until(lambda: bot.model.requests)
        assert include_button.AT_IT == await told(bot, owner, notice)
        await ann.delete(ship)
        await eventually(lambda: _recent(bot).changed_at(ship.message_id))
        gate.set()
        await bot.until(lambda: including.CHANGED in [message.text for message in _private(first)])
        assert [] == await memories(database)
        await owner.press(notice, pressable(notice, "include"))
        await bot.stands("Included 1 message")
        query = "SELECT content, evidence, importance FROM memory"
        assert [(TEA, [tea.message_id], model_facts.MODEL_CAP)] == await rows(database, query)


def _includer(bot: DiscordBot) -> include_button.IncludeButtonPresses:
    found = bot.client.get_cog(button_kinds.INCLUDER)
    assert found is not None
    return cast("include_button.IncludeButtonPresses", found)


def _recent(bot: DiscordBot) -> RecentMessages:
    found = bot.client.get_cog("RecentMessages")
    assert isinstance(found, RecentMessages)
    return found
