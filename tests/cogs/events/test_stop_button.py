"""The laws of the Stop button, which stands under an answer while it is written."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest

from bot.db.pool import Database
from bot.layers.chain import Chain
from bot.turn import draft, stopping
from bot.turn.memory_walk import CHECKING
from cogs.send.streaming_reply import StreamingReply
from tests import discord_bot
from tests.cogs.chat.test_plain_requests import ids, living, pressable
from tests.cogs.commands.test_reply_reasons import private
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Permission
from tests.discord_server.users import User
from tests.model_server import Hang, Reply
from tests.rows import one, rows
from tests.waiting import eventually

FIRST = "Elephants are large. "
TEXT = f"{FIRST}They live in herds. They eat grass and leaves all day."
TEA = "Ann prefers tea."


async def growing(
    bot: DiscordBot, asker: User, *steps: Reply | Hang, text: str = "Tell me about elephants."
) -> Message:
    """A reply of which something stands, while more is waited for."""
    bot.slow_lately()
    bot.model.steps.extend(steps)
    question = await bot.says_to_hathi(asker, bot.channel, text)
    await bot.until(lambda: bot.world.replies(question))
    return bot.world.replies(question)[0]


def endless(text: str = TEXT) -> Reply:
    """An answer that stops after its first piece, and is never whole."""
    return Reply(text=text, pieces=2, gate=asyncio.Event())


async def test_a_stopped_answer_ends_where_it_was(database: Database) -> None:
    """Its stream is closed, and what was shown stays, marked, recorded as cut off, without the button."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        reply = await growing(bot, ann, endless())
        assert ["hathi:halt"] == ids(reply)
        shown = reply.text
        await ann.press(reply, pressable(reply, "halt"))
        await bot.model.dropped.wait()
        await bot.until(lambda: "[stopped]" in reply.text)
        await bot.settled()
        assert f"{shown} [stopped]" == reply.text
        assert "hathi:halt" not in ids(reply)
        assert "Fine." == (await bot.asks(ann, bot.channel, "Thanks; and how are you?")).text
    assert [(shown, True)] == await rows(
        database, "SELECT content, cut_off FROM message WHERE message_id = $1", reply.message_id
    )
    assert "scripted" in (await one(database, "SELECT model FROM turn WHERE reply_ids[1] = $1", reply.message_id) or "")


async def test_it_costs_no_request_where_nobody_presses(database: Database) -> None:
    """It comes with the first request that shows text, and goes with the one that ends the answer."""
    async with discord_bot.running(database) as bot:
        gate = asyncio.Event()
        reply = await growing(bot, bot.person("Ann"), Reply(text=TEXT, pieces=2, gate=gate))
        assert ["hathi:halt"] == ids(reply)
        gate.set()
        await bot.until(lambda: TEXT in reply.text)
        await bot.settled()
        versions = [edit.content for edit in reply.edits]
        assert all(earlier != later for earlier, later in pairwise(versions))
        assert len(versions) == 1 + len(bot.discord.requested("PATCH", "/messages/"))
        assert "hathi:halt" not in ids(reply)


async def test_a_quick_answer_never_has_it(database: Database) -> None:
    """An answer that is whole at once is sent once, and nothing is to be stopped."""
    async with discord_bot.running(database) as bot:
        reply = await bot.asks(bot.person("Ann"), bot.channel, "How are you?")
        assert "hathi:halt" not in ids(reply)
        assert 1 == len(reply.edits)


async def test_others_cannot_stop_it_but_who_moderates(database: Database) -> None:
    """Somebody else is told so alone; whoever may manage messages stops it."""
    async with discord_bot.running(database) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        mod = bot.person("Mod", held=[bot.guild.role("mods", Permission.MANAGE_MESSAGES)])
        reply = await growing(bot, ann, endless())
        told = await private(await bob.press(reply, pressable(reply, "halt")))
        assert stopping.ASKERS_ALONE == told.text
        assert ["hathi:halt"] == ids(reply)
        await mod.press(reply, pressable(reply, "halt"))
        await bot.until(lambda: reply.text.endswith("[stopped]"))


async def test_what_it_saved_before_is_told(database: Database) -> None:
    """Stopped in a round of tools: the saves are done, and stand under what was shown."""
    save = Reply(text=FIRST, calls=(("memory_save", {"content": TEA, "topic": "tea"}),))
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        reply = await growing(bot, ann, save, Hang(), text="I prefer tea. Tell me about elephants.")
        await bot.until(lambda: len(bot.model.requests) == 2)
        await ann.press(reply, pressable(reply, "halt"))
        await bot.until(lambda: "[stopped]" in reply.text)
        assert [TEA] == await living(database)
        assert TEA in reply.text
        assert reply.text.startswith(FIRST.strip())


async def test_a_save_that_the_stop_came_over_is_told_too(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what was committed when the answer was stopped, and not told to the model any more, people are told."""
    async with discord_bot.running(database) as bot:
        ann, keep, saved = bot.person("Ann"), bot.app.commands.remembering.keep, asyncio.Event()

        async def kept(*args: Any, **more: Any) -> Any:
            await keep(*args, **more)
            saved.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(bot.app.commands.remembering, "keep", kept)
        save = Reply(text=FIRST, calls=(("memory_save", {"content": TEA, "topic": "tea"}),))
        reply = await growing(bot, ann, save, text="I prefer tea. Tell me about elephants.")
        await saved.wait()
        await ann.press(reply, pressable(reply, "halt"))
        await bot.until(lambda: "[stopped]" in reply.text)
        assert TEA in reply.text


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Set when an answer is to be ended on Discord, which waits for the other one."""
    finish, ends, go = StreamingReply.finish, asyncio.Event(), asyncio.Event()

    async def late(*args: Any) -> Any:
        ends.set()
        await go.wait()
        return await finish(*args)

    monkeypatch.setattr(StreamingReply, "finish", late)
    return ends, go


async def test_pressed_at_the_very_end_it_changes_nothing(
    database: Database, ending: tuple[asyncio.Event, asyncio.Event]
) -> None:
    """An answer that is whole and only still to be sent and recorded stays whole; whoever pressed is told."""
    (ends, go), gate = ending, asyncio.Event()
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        reply = await growing(bot, ann, Reply(text=TEXT, pieces=2, gate=gate))
        gate.set()
        await ends.wait()
        told = await private(await ann.press(reply, pressable(reply, "halt")))
        assert stopping.NOT_WRITTEN == told.text
        go.set()
        await bot.settled()
        assert (True, False) == (TEXT in reply.text, "[stopped]" in reply.text)
    assert [(TEXT, False)] == await rows(database, "SELECT content, cut_off FROM message WHERE role = 'hathi'")


async def test_two_presses_stop_once(database: Database, ending: tuple[asyncio.Event, asyncio.Event]) -> None:
    """The second does not break off the recording of what the first one stopped."""
    ends, go = ending
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        reply = await growing(bot, ann, endless())
        await ann.press(reply, pressable(reply, "halt"))
        await ends.wait()
        await private(await ann.press(reply, pressable(reply, "halt")))
        go.set()
        await bot.settled()
        assert reply.text.endswith("[stopped]")
    assert [(True,)] == await rows(database, "SELECT cut_off FROM message WHERE role = 'hathi'")


async def test_a_button_that_was_left_behind_says_so_and_goes(database: Database) -> None:
    """Where nothing is written any more, as after a restart or a refused edit, a plain sentence says so."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        reply = await growing(bot, ann, endless())
        button = pressable(reply, "halt")
        bot.discord.faults.fail(method="PATCH", path=f"/messages/{reply.message_id}", status=400, code=50035)
        await ann.press(reply, button)
        await bot.settled()
        assert ["hathi:halt"] == ids(reply)
        told = await private(await ann.press(reply, button))
        assert stopping.NOT_WRITTEN == told.text
        await bot.until(lambda: [] == ids(reply))


async def test_stopped_before_the_first_word_it_says_so(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only stands that something is checked, a sentence takes its place, and the question is closed."""

    async def walk(_: Chain, __: Any, slow: Any) -> None:
        await slow()
        await asyncio.Event().wait()

    monkeypatch.setattr(Chain, "walk", walk)
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        reply = await growing(bot, ann, text="What did we decide about the mill?")
        assert CHECKING == reply.text
        await ann.press(reply, pressable(reply, "halt"))
        await bot.until(lambda: reply.text.startswith(draft.STOPPED))
        await bot.settled()
    assert [("answered", "failed")] == await rows(database, "SELECT state, stock FROM turn")


@pytest.mark.parametrize("said", ["stop", "nvm stop", "ok please stop writing", "stopp bitte", "arrête", "basta ya"])
async def test_a_word_stops_it_too(database: Database, said: str) -> None:
    """Said to Hathi by whoever asked; it is answered by nothing else, and asks nothing of the model."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        reply = await growing(bot, ann, endless())
        shown = reply.text
        word = await bot.says_to_hathi(ann, bot.channel, said)
        await bot.until(lambda: "[stopped]" in reply.text)
        await bot.settled()
        assert ([], f"{shown} [stopped]") == (bot.world.replies(word), reply.text)
        assert 1 == len(bot.model.requests)


async def test_anybody_elses_word_stops_nothing(database: Database) -> None:
    """Nor does one of the asker's own that says more; where nothing is written it is answered as ever."""
    async with discord_bot.running(database) as bot:
        ann, bob, gate = bot.person("Ann"), bot.person("Bob"), asyncio.Event()
        reply = await growing(bot, ann, Reply(text=TEXT, pieces=2, gate=gate))
        await ann.say(bot.channel, "the bus stop is near")
        await bot.says_to_hathi(bob, bot.channel, "stop")
        await eventually(lambda: len(bot.chat.answers) == 2)
        gate.set()
        await bot.until(lambda: TEXT in reply.text)
        await bot.settled()
        assert "[stopped]" not in reply.text
        assert (await bot.asks(ann, bot.channel, "stop")).text
