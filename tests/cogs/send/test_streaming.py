"""How a reply comes to stand on Discord: at once, or by edits as it grows, and in as many messages as it takes."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Reply as BotReply
from bot.infra.ordering import Doors
from bot.turn.model_answer import ModelAnswers
from cogs.chat import chat
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.model_server import Reply
from tests.rows import one
from tests.waiting import eventually

TEXT = " ".join(f"Sentence {number} of this answer is about elephants." for number in range(40))


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database) as running:
        yield running


async def test_a_quick_answer_is_sent_once(bot: DiscordBot) -> None:
    """An answer that is there at once is one request: one message, never edited."""
    reply = await bot.asks(bot.person("Ann"), bot.channel, "How are you?")
    assert 1 == len(reply.edits)
    assert 1 == len(bot.discord.requested("POST", f"/channels/{bot.channel.channel_id}/messages"))
    assert [] == bot.discord.requested("PATCH")


async def test_it_types_while_it_works(bot: DiscordBot) -> None:
    """While the model thinks, and nothing is shown yet, Hathi is seen to type."""
    gate = asyncio.Event()
    bot.model.steps.append(Reply(text="Fine, thank you", pieces=2, gate=gate))
    question = await bot.says_to_hathi(bot.person("Ann"), bot.channel, "How are you?")
    await bot.until(lambda: bot.channel.typing)
    assert [] == bot.world.replies(question)
    gate.set()
    assert "Fine, thank you" == (await bot.answer(question)).text


async def test_a_slow_answer_grows(bot: DiscordBot) -> None:
    """A slow answer is shown from its first sentence and grows by edits, each more of the same."""
    bot.slow_lately()
    bot.model.steps.append(Reply(text=TEXT, pieces=50, pace=0.05))
    reply = await bot.asks(bot.person("Ann"), bot.channel, "Tell me about elephants.")
    versions = [edit.content for edit in reply.edits]
    assert TEXT == reply.text == versions[-1]
    assert len(versions) > 2
    assert all(later.startswith(earlier) for earlier, later in pairwise(versions))
    assert [reply] == bot.channel.said_by(bot.discord.bot)


async def test_a_limited_edit_shows_the_newest(bot: DiscordBot) -> None:
    """An edit that had to wait for Discord's limit is sent with the text there is by then."""
    bot.slow_lately()
    limited = bot.discord.faults.limit(method="PATCH", path="/messages/", retry_after=timedelta(seconds=0.7))
    bot.model.steps.append(Reply(text=TEXT, pieces=50, pace=0.05))
    reply = await bot.asks(bot.person("Ann"), bot.channel, "Tell me about elephants.")
    first, second, *_ = bot.discord.requested("PATCH", "/messages/")
    assert (1, 429, 200) == (limited.met, first.status, second.status)
    assert second.body["content"].startswith(first.body["content"])
    assert len(second.body["content"]) > len(first.body["content"])
    assert TEXT == reply.text


async def test_a_long_answer_is_split(bot: DiscordBot) -> None:
    """An answer of more than 2,000 characters takes several messages, none longer, each with its code fences whole."""
    code = "\n".join(f"print({number}, 'elephants')" for number in range(120))
    bot.model.steps.append(Reply(text=f"Here it is:\n```python\n{code}\n```\nThat is all. {TEXT}"))
    question = await bot.says_to_hathi(bot.person("Ann"), bot.channel, "Write me a program.")
    await bot.answer(question)
    said = bot.channel.said_by(bot.discord.bot)
    assert len(said) > 2
    assert [question] == [each.referenced for each in said if each.referenced]
    assert all(len(each.text) <= 2000 for each in said)
    assert all(each.text.count("```") % 2 == 0 for each in said)
    whole = "\n".join(each.text for each in said)
    assert all(f"print({number}, 'elephants')" in whole for number in range(120))


async def test_an_answer_that_broke_off_is_marked(bot: DiscordBot, database: Database) -> None:
    """An answer that ended before its end stays, and says that it was cut off."""
    bot.slow_lately()
    bot.model.steps.append(Reply(text=TEXT[:200], reason="length"))
    reply = await bot.asks(bot.person("Ann"), bot.channel, "Tell me about elephants.")
    assert f"{TEXT[:200].rstrip()} [cut off]" == reply.text
    assert await one(database, "SELECT cut_off FROM message WHERE message_id = $1", reply.message_id)


async def test_a_deleted_question_takes_its_answer_along(bot: DiscordBot) -> None:
    """A question deleted while it is answered ends the answer, and what was shown of that is taken back."""
    bot.slow_lately()
    ann = bot.person("Ann")
    bot.model.steps.append(Reply(text=TEXT, pieces=2, gate=asyncio.Event()))
    question = await bot.says_to_hathi(ann, bot.channel, "Tell me about elephants.")
    await bot.until(lambda: bot.world.replies(question))
    (shown,) = bot.world.replies(question)
    await ann.delete(question)
    await bot.until(lambda: shown.deleted)
    assert "Fine." == (await bot.asks(ann, bot.channel, "Never mind; how are you?")).text


@pytest.mark.parametrize("ending", [Reply(text=TEXT, pieces=2), Reply(text=TEXT, pieces=2, reason="length")])
async def test_a_reply_deleted_while_it_grows_is_not_written_again(
    bot: DiscordBot, database: Database, ending: Reply
) -> None:
    """Who deletes a reply in the making gets neither the rest of it nor a word about it; the question is closed."""
    bot.slow_lately()
    gate = asyncio.Event()
    bot.model.steps.append(replace(ending, gate=gate))
    question = await bot.says_to_hathi(bot.person("Ann"), bot.channel, "Tell me about elephants.")
    await bot.until(lambda: bot.world.replies(question))
    await bot.guild.owner.delete(*bot.world.replies(question))
    gate.set()
    await bot.answered(question)
    await bot.settled()
    assert [] == bot.channel.said_by(bot.discord.bot)
    assert ("failed", "reply deleted") == await _turn(database, question)
    assert "Fine." == (await bot.asks(bot.person("Ben"), bot.channel, "And how are you?")).text


async def test_what_breaks_behind_a_deleted_reply_is_told(
    bot: DiscordBot, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes wrong when nothing of the reply can be marked any more closes the question, and is told as ever."""
    bot.slow_lately()
    write, gate = ModelAnswers.write, asyncio.Event()

    async def broken(*args: Any) -> None:
        await write(*args)
        raise ValueError

    monkeypatch.setattr(ModelAnswers, "write", broken)
    bot.model.steps.append(Reply(text=TEXT, pieces=2, gate=gate))
    question = await bot.says_to_hathi(bot.person("Ann"), bot.channel, "Tell me about elephants.")
    await bot.until(lambda: bot.world.replies(question))
    await bot.guild.owner.delete(*bot.world.replies(question))
    gate.set()
    await bot.stands("Something went wrong on my side")
    assert ("failed", "ValueError") == await _turn(database, question)


async def _turn(database: Database, question: Message) -> tuple[str, str | None]:
    """The state of a question's turn, and why it failed."""
    async with database.connection() as connection:
        row = await connection.fetchrow("SELECT state, failure FROM turn WHERE turn_id = $1", question.message_id)
    assert row is not None
    return row["state"], row["failure"]


async def test_a_stop_marks_what_was_shown(
    bot: DiscordBot, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer in sight that a stop leaves no time for is kept by whole sentences, marked, and not answered again."""
    monkeypatch.setattr(chat, "DRAIN", timedelta(seconds=0.1))
    bot.slow_lately()
    bot.model.steps.append(Reply(text=TEXT, pieces=2, gate=asyncio.Event()))
    question = await bot.says_to_hathi(bot.person("Ann"), bot.channel, "Tell me about elephants.")
    await bot.until(lambda: bot.world.replies(question))
    await bot.chat.drain()
    (reply,) = bot.channel.said_by(bot.discord.bot)
    whole, stop, _ = TEXT[: (len(TEXT) + 1) // 2].rpartition(".")
    assert f"{whole}{stop} [cut off]".split() == reply.text.split()
    assert "answered" == await one(database, "SELECT state FROM turn WHERE turn_id = $1", question.message_id)


async def test_a_stop_waits_for_what_was_heard(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was heard before a stop is recorded and answered within it, though nothing of that had begun."""
    await bot.caught_up()
    ann, (gate, came) = bot.person("Ann"), _behind_doors(monkeypatch)
    questions = [await bot.says_to_hathi(ann, bot.channel, f"And number {number}?") for number in range(2)]
    await eventually(lambda: came[bot.channel.channel_id] == 2)
    stop = asyncio.create_task(bot.chat.drain())
    await asyncio.sleep(0)
    gate.set()
    await stop
    assert [["Fine."]] * 2 == [[reply.text for reply in bot.world.replies(question)] for question in questions]


async def test_a_stop_tells_of_what_it_could_not_take_in(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was heard but not recorded by the end of a stop is told so where they spoke to Hathi, and only there."""
    monkeypatch.setattr(chat, "DRAIN", timedelta(seconds=0.1))
    await bot.caught_up()
    ann, elsewhere, (gate, came) = bot.person("Ann"), bot.guild.text_channel("elsewhere"), _behind_doors(monkeypatch)
    await ann.say(elsewhere, "Lunch?")
    for _ in range(2):
        await bot.says_to_hathi(ann, bot.channel, "Are you there?")
    places = (bot.channel.channel_id, elsewhere.channel_id)
    await eventually(lambda: [came[place] for place in places] == [2, 1])
    await bot.chat.drain()
    gate.set()
    said = [[each.text for each in place.said_by(bot.discord.bot)] for place in (bot.channel, elsewhere)]
    assert [[chat.RESTARTING], []] == said


def _behind_doors(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, Counter[int]]:
    """Until this is set no message is taken in; and how many came to each channel's door.

    What catches up goes through it too: it is to have ended before.
    """
    gate, came, through = asyncio.Event(), Counter[int](), Doors.through

    @contextlib.asynccontextmanager
    async def held(doors: Doors, channel_id: int) -> AsyncGenerator[None]:
        came[channel_id] += 1
        async with through(doors, channel_id):
            await gate.wait()
            yield

    monkeypatch.setattr(Doors, "through", held)
    return gate, came


async def test_a_stop_waits_for_commands(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command typed or chosen before a stop is carried out and answered; who chooses or presses later is told so."""
    ann = bot.person("Ann")
    await bot.asks(ann, bot.channel, "remember that the mill is old")
    forgotten = await bot.asks(ann, bot.channel, "forget that the mill is old")
    gate, given = _held(bot, monkeypatch)
    typed = await ann.say(bot.channel, "!remember The cake is in the cellar")
    chosen = await ann.slash(bot.channel, "remember", {"text": "The tea is in the attic"})
    await eventually(lambda: len(given) == 2)
    stop = asyncio.create_task(bot.chat.drain())
    await asyncio.sleep(0)
    late = [await ann.slash(bot.channel, "help"), await ann.press(forgotten, forgotten.custom_ids[0])]
    told = [message for interaction in late for message in await interaction.until_told()]
    gate.set()
    await stop
    assert [(True, errors.Restarting.__doc__)] * 2 == [(message.ephemeral, message.text) for message in told]
    assert ["cake", "tea"] == [
        next(word for word in ("cake", "tea") if word in message.text)
        for message in (*bot.world.replies(typed), *chosen.messages)
    ]


async def test_a_stop_tells_of_commands_it_leaves(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who gave a command that a stop leaves no time for is told to look what became of it."""
    monkeypatch.setattr(chat, "DRAIN", timedelta(seconds=0.1))
    _, given = _held(bot, monkeypatch)
    ann = bot.person("Ann")
    typed = await ann.say(bot.channel, "!remember The cake is in the cellar")
    chosen = await ann.slash(bot.channel, "remember", {"text": "The tea is in the attic"})
    await eventually(lambda: len(given) == 2)
    await bot.chat.drain()
    told = [*bot.world.replies(typed), *chosen.messages]
    assert [chat.INTERRUPTED] * 2 == [message.text for message in told]


async def test_a_reply_whose_question_went_stands(bot: DiscordBot) -> None:
    """A reply that Discord takes only without its reference, as the history may not be read, is sent without it."""
    bot.discord.faults.fail(method="POST", path="/messages$", status=400, code=50035)
    await bot.says_to_hathi(bot.person("Ann"), bot.channel, "How are you?")
    assert (await bot.stands("Fine.")).reference is None


def _held(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, list[str]]:
    """Until this is set commands go no further; and the names of those that were given."""
    gate, given, run = asyncio.Event(), list[str](), bot.app.commands.run

    async def held(*args: Any, **options: Any) -> BotReply:
        given.append(args[1])
        await gate.wait()
        return await run(*args, **options)

    monkeypatch.setattr(bot.app.commands, "run", held)
    return gate, given
