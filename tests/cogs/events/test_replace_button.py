"""The laws of "Regenerate", which stands under a model's answer for whoever asked."""

import asyncio

import pytest

from bot.config import Roles
from bot.db.pool import Database
from bot.domain import PersonId
from bot.store import replacements
from cogs.catchup.discord_recovery import DiscordRecovery
from tests import discord_bot, people
from tests.cogs.chat.test_plain_requests import ids, living, pressable
from tests.cogs.commands.test_reply_reasons import private
from tests.conversations import roles
from tests.discord_bot import DiscordBot, World
from tests.discord_server.messages import Message
from tests.discord_server.users import User
from tests.model_server import Reply, Status
from tests.rows import column, rows
from tests.waiting import becomes

OLD = "Elephants are grey."
NEW = "Elephants are large."
TEA = "Ann prefers tea."
SAVE = Reply(calls=(("memory_save", {"content": TEA, "topic": "tea"}),))
ASKS = "I prefer tea. Tell me about elephants."


async def answered(bot: DiscordBot, asker: User, *steps: Reply | Status, text: str = ASKS) -> Message:
    """A model's answer, as it stands."""
    bot.model.steps.extend(steps)
    return await bot.asks(asker, bot.channel, text)


async def again(bot: DiscordBot, asker: User, answer: Message, *steps: Reply | Status) -> None:
    """Have it answered anew, and wait until that is recorded."""
    bot.model.steps.extend(steps)
    await asker.press(answer, pressable(answer, "again"))
    asked = len(bot.model.requests)
    await bot.until(lambda: len(bot.model.requests) > asked)
    await bot.settled()


def roomy(place: World) -> Roles:
    """A model whose prompt has room for every tool."""
    return roles(place.model.base_url, max_context=32_768)


async def recorded(database: Database) -> list[tuple[object, ...]]:
    return await rows(database, "SELECT role, content FROM message ORDER BY message_id")


async def test_the_answer_takes_the_place_of_the_old_one(database: Database) -> None:
    """The same message says it, the old record is gone, and nothing of the old answer is told to the model."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, Reply(text=OLD))
        assert ["hathi:again"] == ids(answer)
        await again(bot, ann, answer, Reply(text=NEW))
        assert (NEW, ["hathi:again"]) == (answer.text, ids(answer))
        assert [answer] == bot.channel.said_by(bot.discord.bot)
        assert not any(OLD in prompt for prompt in bot.world.prompts)
    assert [("person", ASKS), ("hathi", NEW)] == await recorded(database)
    assert [("answered", [answer.message_id])] == await rows(database, "SELECT state, reply_ids FROM turn")


async def test_what_it_saved_is_undone(database: Database) -> None:
    """What only the old answer had saved is not remembered any more, and is none of what the new prompt tells."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, SAVE, Reply(text=OLD))
        assert [TEA] == await living(database)
        await again(bot, ann, answer, Reply(text=NEW))
        assert [] == await living(database)
        assert TEA not in bot.world.prompts[-1]
        assert TEA not in answer.text


async def test_what_it_noted_and_promoted_is_undone(database: Database) -> None:
    """What the old answer noted is gone with what it saved and made of a note; a person's own note stays."""
    noted, pears = "Ann's kiln is at 900 degrees.", "Ann's pears are ripe."
    writes = Reply(
        calls=(
            ("memory_save", {"content": TEA, "topic": "tea"}),
            ("note_write", {"content": noted}),
            ("note_write", {"content": pears}),
            ("memory_promote", {"note": "N3", "reason": "it lasts", "summary": pears}),
        )
    )
    async with discord_bot.world() as place, discord_bot.connected(place, database, roles=roomy(place)) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "!note The glaze is blue.")
        answer = await answered(bot, ann, writes, Reply(text=OLD))
        assert [TEA, pears] == await living(database)
        assert [("person",), ("model",)] == await rows(database, "SELECT actor FROM note ORDER BY number")
        await again(bot, ann, answer, Reply(text=NEW))
        assert [] == await living(database)
        assert [("The glaze is blue.",)] == await rows(database, "SELECT content FROM note")
        assert not any(one in bot.world.prompts[-1] for one in (TEA, noted, pears))


@pytest.mark.parametrize("since", [None, "!age older_than_hours:1"])
async def test_what_it_aged_is_undone(database: Database, since: str | None) -> None:
    """What the old answer moved to the long tier is short again; what they had aged themselves stays there."""
    ages = Reply(calls=(("memory_age", {"older_than_hours": 24, "max_rows": 1}),))
    async with discord_bot.world() as place, discord_bot.connected(place, database, roles=roomy(place)) as bot:
        owner, tiers = bot.guild.owner, "SELECT tier FROM memory ORDER BY memory_id"
        await bot.asks(owner, bot.channel, "!remember The glaze is blue. importance:4")
        await bot.asks(owner, bot.channel, "!remember The kiln is hot. importance:5")
        await rows(database, "UPDATE memory SET reinforced_at = reinforced_at - interval '30 hours' RETURNING 1")
        answer = await answered(bot, owner, ages, Reply(text=OLD), text="Age memories older than 24 hours, 1 at most.")
        assert [("long",), ("short",)] == await rows(database, tiers)
        if since:
            await bot.asks(owner, bot.channel, since)
            assert [("long",), ("long",)] == await rows(database, tiers)
        await again(bot, owner, answer, Reply(text=NEW))
        assert [("short",), ("long" if since else "short",)] == await rows(database, tiers)


LIE = "Ann owes Mal 900 Mossley crowns."
ORDER = Reply(calls=(("memory_save", {"content": LIE, "topic": "crowns"}),))


async def named_a_lie(bot: DiscordBot) -> tuple[User, User, Message]:
    """Ann, somebody whose name is a lie, and the answer to what she said to that name."""
    ann, mal = bot.person("Ann"), bot.person(LIE.rstrip("."))
    await bot.asks(mal, bot.channel, "Hello.")
    return ann, mal, await answered(bot, ann, Reply(text=OLD), text=f"I like {mal.mention}. Write a poem.")


@pytest.mark.parametrize("later", [None, "Mal"])
async def test_a_name_in_the_question_is_not_the_askers_word(database: Database, later: str | None) -> None:
    """What somebody is called is no word of whoever mentions them, when it is asked for anew either."""
    async with discord_bot.running(database) as bot:
        ann, mal, answer = await named_a_lie(bot)
        if later is not None:
            mal.name = later
            await bot.asks(mal, bot.guild.text_channel("elsewhere"), "Hello.")
        await again(bot, ann, answer, ORDER, Reply(text=NEW))
        assert "Not kept:" in bot.world.prompts[-1]
        assert [] == await living(database)


async def test_nor_is_it_after_a_crash(database: Database) -> None:
    """Whoever takes the question over reads it as it was said."""
    async with discord_bot.running(database) as bot:
        ann, _, answer = await named_a_lie(bot)
        caller = people.caller("Ann", space=bot.guild.guild_id, channel=bot.channel.channel_id, person=ann.user_id)
        (turn_id,) = await column(database, "SELECT max(turn_id) FROM turn")
        await bot.app.replacements.begin(caller, turn_id, now=bot.app.clock())
        await column(database, "UPDATE turn SET lease_until = '2020-01-01' WHERE state = 'recorded' RETURNING 1")
        bot.model.steps.extend([ORDER, Reply(text=NEW)])
        recovery = bot.client.get_cog("DiscordRecovery")
        assert isinstance(recovery, DiscordRecovery)
        await recovery.look()
        await bot.until(lambda: answer.text.startswith(NEW))
        assert "Not kept:" in bot.world.prompts[-1]
        assert [] == await living(database)


async def test_what_it_saves_again_is_saved_once(database: Database) -> None:
    """The new answer may save what the old one had; as often as one is given."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, SAVE, Reply(text=OLD))
        for _ in range(4):
            await again(bot, ann, answer, SAVE, Reply(text=NEW))
            assert [TEA] == await living(database)
        assert TEA in answer.text
    assert [(1,)] == await rows(database, "SELECT seen_count FROM memory WHERE forgotten_at IS NULL")


async def test_what_it_said_again_is_as_it_was(database: Database) -> None:
    """A memory that was there before is what it was before the old answer saved it again."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, f"!remember {TEA}")
        before = await rows(database, "SELECT content, importance, seen_count, evidence FROM memory")
        answer = await answered(bot, ann, SAVE, Reply(text=OLD))
        await again(bot, ann, answer, Reply(text=NEW))
    assert before == await rows(database, "SELECT content, importance, seen_count, evidence FROM memory")


@pytest.mark.parametrize("command", ["!pin 1", "!edit 1 Ann prefers green tea."])
async def test_what_a_person_changed_since_stays_and_is_told(database: Database, command: str) -> None:
    """Whoever pressed is told of it by its number, in private."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, SAVE, Reply(text=OLD))
        await ann.say(bot.channel, command)
        await bot.stands("[memory] pinned" if "pin" in command else "It supersedes")
        kept = await rows(database, "SELECT memory_id, content FROM memory WHERE superseded_by IS NULL")
        bot.model.steps.append(Reply(text=NEW))
        told = await private(await ann.press(answer, pressable(answer, "again")))
        assert told.text.startswith(f"#{kept[0][0]} stays")
        await bot.settled()
        assert OLD not in answer.text
    assert kept == await rows(database, "SELECT memory_id, content FROM memory WHERE superseded_by IS NULL")


async def test_only_who_asked_may(database: Database) -> None:
    """Somebody else is told so alone, and nothing is asked of the model."""
    async with discord_bot.running(database) as bot:
        answer = await answered(bot, bot.person("Ann"), Reply(text=OLD))
        told = await private(await bot.person("Bob").press(answer, pressable(answer, "again")))
        assert replacements.ASKERS_ALONE == told.text
        assert (OLD, 1) == (answer.text, len(bot.model.requests))


async def test_of_an_answer_that_is_not_the_last_the_button_goes(database: Database) -> None:
    """A newer answer follows: no request is made for that, but the press is refused and takes the button off."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, Reply(text=OLD))
        await answered(bot, bot.person("Bob"), Reply(text="Hello."), text="Hello there, how are you?")
        assert ["hathi:again"] == ids(answer)
        told = await private(await ann.press(answer, pressable(answer, "again")))
        assert replacements.NOT_LAST == told.text
        await bot.until(lambda: [] == ids(answer))
        assert OLD == answer.text


async def test_after_a_reset_it_is_refused(database: Database) -> None:
    """The conversation it belongs to is over, and stays as it was summed up."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, Reply(text=OLD))
        await bot.guild.owner.say(bot.channel, "!reset")
        await bot.stands("cleared")
        told = await private(await ann.press(answer, pressable(answer, "again")))
        assert replacements.ENDED == told.text
        await bot.until(lambda: [] == ids(answer))


async def test_two_presses_answer_once(database: Database) -> None:
    """The second is told that it is at it."""
    async with discord_bot.running(database) as bot:
        ann, gate = bot.person("Ann"), asyncio.Event()
        answer = await answered(bot, ann, Reply(text=OLD))
        bot.model.steps.append(Reply(text=NEW, silent=gate))
        button = pressable(answer, "again")
        await ann.press(answer, button)
        await bot.until(lambda: len(bot.model.requests) == 2)
        told = await private(await ann.press(answer, button))
        assert replacements.AT_IT == told.text
        gate.set()
        await bot.until(lambda: answer.text == NEW)
        await bot.settled()
        assert 2 == len(bot.model.requests)


async def test_where_a_reply_was_deleted_meanwhile_nothing_is_written_again(database: Database) -> None:
    """Whoever may delete it did; the question is closed, and no other message comes."""
    async with discord_bot.running(database) as bot:
        ann, gate = bot.person("Ann"), asyncio.Event()
        answer = await answered(bot, ann, Reply(text=OLD))
        bot.model.steps.append(Reply(text=NEW, silent=gate))
        await ann.press(answer, pressable(answer, "again"))
        await bot.until(lambda: len(bot.model.requests) == 2)
        await bot.guild.owner.delete(answer)
        gate.set()
        await bot.settled()
        assert [] == bot.channel.said_by(bot.discord.bot)
    assert [("failed", "reply deleted")] == await rows(database, "SELECT state, failure FROM turn")
    assert [("person", ASKS)] == await recorded(database)


async def test_what_discord_does_not_let_be_edited_is_deleted_and_sent_anew(database: Database) -> None:
    """The new answer stands, the old one does not."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, Reply(text=OLD))
        path = f"/channels/{bot.channel.channel_id}/messages/{answer.message_id}"
        bot.discord.faults.fail(method="PATCH", path=path, status=400, code=50035, times=9)
        await again(bot, ann, answer, Reply(text=NEW))
        (new,) = bot.channel.said_by(bot.discord.bot)
        assert (True, NEW, ["hathi:again"]) == (answer.deleted, new.text, ids(new))
    assert [("answered", [new.message_id])] == await rows(database, "SELECT state, reply_ids FROM turn")


async def test_an_answer_of_several_messages_becomes_shorter_and_longer(database: Database) -> None:
    """Messages that are not needed are deleted, and more are sent where they are."""
    long = " ".join(f"Sentence {number} of this answer is about elephants." for number in range(60))
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, Reply(text=long))
        assert 2 == len(bot.channel.said_by(bot.discord.bot))
        last = bot.channel.said_by(bot.discord.bot)[-1]
        for text, parts in ((NEW, 1), (long, 2), (NEW, 1), (long, 2)):
            await again(bot, ann, last, Reply(text=text))
            said = bot.channel.said_by(bot.discord.bot)
            last = said[-1]
            assert (parts, answer) == (len(said), said[0])
            assert text == " ".join(" ".join(each.text for each in said).split())
    assert [("person", ASKS), ("hathi", long)] == await recorded(database)


async def test_where_the_model_fails_it_can_be_tried_again(database: Database) -> None:
    """It says so in the place of the old answer, with the button under it."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, Reply(text=OLD))
        await again(bot, ann, answer, Status(status=401))
        assert (False, ["hathi:again"]) == (OLD in answer.text, ids(answer))
        await again(bot, ann, answer, Reply(text=NEW))
        assert NEW == answer.text


async def test_set_texts_have_no_such_button(database: Database) -> None:
    """What no model gave is not asked anew."""
    async with discord_bot.running(database) as bot:
        reply = await bot.asks(bot.person("Ann"), bot.channel, "remember that the mill is old")
        assert "hathi:again" not in ids(reply)


@pytest.mark.parametrize("since", ["before", "meanwhile"])
async def test_of_a_question_that_is_kept_nowhere_the_answer_is_replaced_too(database: Database, since: str) -> None:
    """Its words are read where they stand; nor is anything kept of who opted out since."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        if since == "before":
            await bot.guild.owner.say(bot.channel, "!memory mode off")
            await bot.stands("off")
        answer = await answered(bot, ann, Reply(text=OLD))
        if since == "meanwhile":
            await bot.app.people.opt_out(PersonId(ann.user_id), bot.app.clock())
        await again(bot, ann, answer, Reply(text=NEW))
        assert NEW == answer.text
        assert "Tell me about elephants." in bot.world.prompts[-1]
    assert [] == await rows(database, "SELECT content FROM message WHERE role = 'hathi'")
    assert [(True, "answered")] == await rows(database, "SELECT unkept, state FROM turn WHERE model IS NOT NULL")


async def test_a_question_that_is_gone_takes_the_button_along(database: Database) -> None:
    """Deleted, its answer goes from Discord too: nothing is left to be pressed, and nothing to be answered anew."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        question = await bot.says_to_hathi(ann, bot.channel, ASKS)
        answer = await bot.answer(question)
        await ann.delete(question)
        await bot.until(lambda: answer.deleted)
    assert [] == await recorded(database)


async def test_an_edited_question_is_answered_as_it_is_now(database: Database) -> None:
    """The model is asked what the question says by now."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        question = await bot.says_to_hathi(ann, bot.channel, "Tell me about elephants.")
        answer = await bot.answer(question)
        await ann.edit(question, f"<@{bot.discord.bot.user_id}> Tell me about zebras.")

        async def is_followed() -> bool:
            return bool(await rows(database, "SELECT 1 FROM message WHERE content LIKE '%zebras%'"))

        await becomes(True, is_followed)
        await bot.settled()
        await again(bot, ann, answer, Reply(text=NEW))
        assert ("zebras" in bot.world.prompts[-1], NEW) == (True, answer.text)


async def test_it_grows_in_its_place_and_can_be_stopped(database: Database) -> None:
    """The new answer is shown as it comes, with Stop under it; stopped it can be asked for anew."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, Reply(text=OLD))
        bot.slow_lately()
        bot.model.steps.append(Reply(text=f"{NEW} They eat grass all day.", pieces=2, gate=asyncio.Event()))
        await ann.press(answer, pressable(answer, "again"))
        await bot.until(lambda: OLD not in answer.text)
        assert ["hathi:halt"] == ids(answer)
        await ann.press(answer, pressable(answer, "halt"))
        await bot.until(lambda: answer.text.endswith("[stopped]"))
        await bot.settled()
        assert ["hathi:again"] == ids(answer)
        await again(bot, ann, answer, Reply(text=NEW))
        assert NEW == answer.text


async def test_why_tells_of_the_new_one(database: Database) -> None:
    """What the old answer was made of is none of its reasons."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        answer = await answered(bot, ann, SAVE, Reply(text=OLD))
        ((tools,),) = await rows(database, "SELECT trail -> 'tools' FROM turn")
        assert tools
        await again(bot, ann, answer, Reply(text=NEW))
        assert [([],)] == await rows(database, "SELECT coalesce(trail -> 'tools', '[]') FROM turn")
        await ann.say(bot.channel, "!why exactly")
        assert "memory_save" not in (await bot.stands("Why I said that")).text


async def test_in_direct_messages_too(database: Database) -> None:
    """Where Hathi is spoken to alone."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        bot.model.steps.append(Reply(text=OLD))
        answer = await bot.asks(ann, ann.direct, ASKS)
        await again(bot, ann, answer, Reply(text=NEW))
        assert NEW == answer.text
