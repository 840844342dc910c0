"""A database that does not answer: who asked is told after a while, in the message that becomes the answer."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Final

import discord
import pytest

from bot import app, errors
from bot.db import pool
from bot.db.pool import Database
from cogs.chat import chat, memory_waits
from cogs.send.placeholders import WAITING
from tests import discord_bot, outages
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.faults import discord as faults
from tests.model_server import ModelServer, Reply
from tests.outages import Wire

QUESTION: Final = "How are you?"


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_waits, "TOLD_AFTER", timedelta(seconds=0.3))
    faults.prepare(monkeypatch)


@contextlib.asynccontextmanager
async def clogging(dsn: str, *answers: Reply) -> AsyncGenerator[tuple[DiscordBot, Wire]]:
    """Hathi, who has answered before, on a database that can be made to hang."""
    async with (
        outages.frail(dsn) as (database, wire),
        discord_bot.world(model=ModelServer(Reply(text="Hello."), *answers, always=Reply(text="Fine."))) as place,
        discord_bot.connected(place, database) as bot,
    ):
        try:
            await bot.asks(bot.person("Zoe"), bot.channel, "Are you there?")
            yield bot, wire
        finally:
            wire.unclog()


async def becomes(bot: DiscordBot, question: Message, told: str) -> list[str]:
    """All that stands in reply to a question, once one of that says this."""
    await bot.until(lambda: told in [each.content for each in bot.world.replies(question)])
    await bot.answered(question)
    return [each.content for each in bot.world.replies(question)]


@pytest.mark.parametrize("where", ["channel", "direct"])
async def test_what_tells_of_the_wait_becomes_the_answer(dsn: str, where: str) -> None:
    """While a question is recorded nothing comes: its author is told, and that message becomes the answer."""
    async with clogging(dsn) as (bot, wire):
        ann = bot.person("Ann")
        channel = bot.channel if where == "channel" else ann.direct
        await bot.asks(ann, channel, "Are you here?")
        wire.clog()
        question = await bot.says_to_hathi(ann, channel, QUESTION)
        told = await bot.stands(WAITING, channel)
        wire.unclog()
        assert ["Fine."] == await becomes(bot, question, "Fine.")
        assert told is bot.world.replies(question)[0]


async def test_a_wait_in_the_middle_of_an_answer_is_told_so_too(dsn: str) -> None:
    """The question is recorded, and the model's words can't be kept: they stand in that message once they are."""
    gate = asyncio.Event()
    async with clogging(dsn, Reply(text="Fine.", silent=gate)) as (bot, wire):
        question = await bot.says_to_hathi(bot.person("Ann"), bot.channel, QUESTION)
        await bot.until(lambda: len(bot.model.requests) == 2)
        wire.clog()
        gate.set()
        told = await bot.stands(WAITING)
        wire.unclog()
        assert ["Fine."] == await becomes(bot, question, "Fine.")
        assert told is bot.world.replies(question)[0]


async def test_a_database_that_refuses_is_waited_for_so_too(dsn: str) -> None:
    """Each try fails at once: it is the whole of them that is waited for."""
    async with clogging(dsn) as (bot, wire):
        await wire.cut()
        question = await bot.says_to_hathi(bot.person("Ann"), bot.channel, QUESTION)
        told = await bot.stands(WAITING)
        await wire.mend()
        assert ["Fine."] == await becomes(bot, question, "Fine.")
        assert told is bot.world.replies(question)[0]


async def test_a_model_that_takes_long_is_no_wait_for_memory(dsn: str) -> None:
    """Only what the database is waited for counts: of a slow model the typing sign tells."""
    async with clogging(dsn, Reply(text="Fine.", delay=1.5)) as (bot, _):
        await bot.answer(await bot.says_to_hathi(bot.person("Ann"), bot.channel, QUESTION))
        said = bot.channel.said_by(bot.discord.bot)
        assert [] == [each for each in said if WAITING in str(each.edits) or each.content == WAITING]


async def test_what_does_not_come_back_is_told_in_that_message(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the patience of a turn it says that memory can't be reached; nothing stands beside it."""
    monkeypatch.setattr(pool, "STATEMENT_TIMEOUT", timedelta(seconds=1))
    monkeypatch.setattr(pool, "CONNECT_TIMEOUT", timedelta(seconds=1))
    monkeypatch.setattr(chat, "PATIENCE", timedelta(0))
    async with clogging(dsn) as (bot, wire):
        wire.clog()
        question = await bot.says_to_hathi(bot.person("Ann"), bot.channel, QUESTION)
        told = await bot.stands(WAITING)
        down = await bot.stands(str(errors.DatabaseDown()))
        assert (told, 1) == (down, len(bot.world.replies(question)))


async def test_talk_among_people_and_commands_are_told_nothing(dsn: str) -> None:
    """What nobody asked Hathi is not spoken of; a command is answered once it is done, in one message."""
    async with clogging(dsn) as (bot, wire):
        ann = bot.person("Ann")
        before = len(bot.channel.said_by(bot.discord.bot))
        wire.clog()
        await ann.say(bot.channel, "Lunch?")
        command = await ann.say(bot.channel, "!tags")
        elsewhere = bot.guild.text_channel("lounge")
        await bot.says_to_hathi(ann, elsewhere, QUESTION)
        await bot.stands(WAITING, elsewhere)
        assert before == len(bot.channel.said_by(bot.discord.bot))
        wire.unclog()
        told = await bot.answer(command)
        assert [told] == bot.channel.said_by(bot.discord.bot)[before:]
        assert ("No tags yet" in told.content, len(told.edits)) == (True, 1)


async def test_a_placeholder_nobody_goes_on_with_goes(dsn: str) -> None:
    """Where the question was recorded before, by whatever process, nothing is left of it."""
    async with clogging(dsn) as (bot, wire):
        ann = bot.person("Ann")
        wire.clog()
        question = await bot.says_to_hathi(ann, bot.channel, QUESTION)
        await bot.stands(WAITING)
        wire.unclog()
        assert ["Fine."] == await becomes(bot, question, "Fine.")
        channel = bot.client.get_channel(bot.channel.channel_id)
        assert isinstance(channel, discord.TextChannel)
        delivered = await channel.fetch_message(question.message_id)
        wire.clog()
        again = asyncio.create_task(bot.chat.on_message(delivered))
        await bot.stands(WAITING)
        wire.unclog()
        await again
        assert ["Fine."] == [each.content for each in bot.world.replies(question)]


@pytest.mark.parametrize("is_recorded", [False, True])
async def test_a_kill_leaves_one_answer(database: Database, is_recorded: bool) -> None:
    """Killed while its author was told to wait, recorded or not: the next process takes that back, and answers once."""
    silent = Reply(text="Late.", silent=asyncio.Event())
    model = ModelServer(Reply(text="Hello."), *([silent] if is_recorded else []), always=Reply(text="Fine."))
    async with discord_bot.world(model=model) as place:
        ann = place.newcomer("Ann")
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(bot.knows(ann), place.channel, "Are you there?")
            question = await bot.says_to_hathi(ann, place.channel, QUESTION) if is_recorded else None
            await bot.until(lambda: not is_recorded or len(bot.model.requests) == 2)
        question = question or await ann.say(place.channel, QUESTION, mentions=[place.discord.bot])
        await place.discord.bot.say(place.channel, WAITING, reply_to=question)
        later = app.utc_now() + timedelta(seconds=90) if is_recorded else None
        async with discord_bot.connected(place, database, clock=(lambda: later) if later else app.utc_now) as bot:
            bot.knows(ann)
            await bot.until(lambda: [each for each in bot.world.replies(question) if "Fine." in each.content])
            await bot.settled()
            assert [True] == ["Fine." in each.content for each in bot.world.replies(question)]
