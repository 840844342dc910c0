"""The database goes while Hathi is on Discord: each question is answered once, or its author told, and never both."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import pytest
from structlog.testing import capture_logs

from bot import app, errors
from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from bot.turn import draft
from cogs.catchup.discord_recovery import DiscordRecovery
from cogs.chat import chat
from tests import discord_bot
from tests.discord_bot import DiscordBot, World
from tests.faults import discord
from tests.faults.discord import Rows, texts
from tests.faults.points import Points, WatchedDatabase
from tests.faults.proxy import Proxy, proxied
from tests.waiting import eventually

DOWN: Final = str(errors.DatabaseDown())


@pytest.fixture(autouse=True)
def _prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    discord.prepare(monkeypatch)


@pytest.fixture
async def rows(dsn: str) -> AsyncGenerator[Rows]:
    """A look at the database."""
    async with discord.rows(dsn) as found:
        yield found


@dataclass
class Frail:
    """A Hathi whose database can be taken away at a statement, and the time."""

    bot: DiscordBot
    points: Points
    proxy: Proxy
    ahead: timedelta = timedelta(0)

    def lose_the_answer_to(self, statement: str, holding: bytes) -> None:
        """Let the next such statement be done, and cut all connections before Hathi hears of it."""

        def before(name: str) -> None:
            if name == statement:
                self.points.armed = False
                self.proxy.lose_next_answer(holding)

        self.points.before, self.points.armed = before, True

    async def later(self) -> None:
        """What Hathi does every twenty seconds, once every lease is over."""
        self.ahead += timedelta(seconds=90)
        found = self.bot.client.get_cog("DiscordRecovery")
        assert isinstance(found, DiscordRecovery)
        await found.look()
        await self.bot.settled()


@contextlib.asynccontextmanager
async def _frail(dsn: str, place: World) -> AsyncGenerator[Frail]:
    async with proxied(dsn) as (address, proxy), pool.opened(address, DatabaseSettings()) as opened:
        points, made = Points(), list[Frail]()

        def clock() -> datetime:
            return app.utc_now() + (made[0].ahead if made else timedelta(0))

        async with discord_bot.connected(place, WatchedDatabase(opened.pool, points), clock=clock) as bot:
            made.append(Frail(bot=bot, points=points, proxy=proxy))
            await bot.caught_up()
            try:
                yield made[0]
            finally:
                proxy.mend()


async def test_a_question_whose_recording_was_not_heard_of_is_answered_at_once(dsn: str, rows: Rows) -> None:
    """It was recorded and claimed: the same worker, asking again, finds its claim and goes on, and answers once."""
    async with discord_bot.world() as place, _frail(dsn, place) as hathi:
        ann, bot = place.newcomer("Ann"), hathi.bot
        await bot.asks(ann, place.channel, "Are you there?")
        hathi.lose_the_answer_to("turn.record", b"claimed")
        asked = await bot.says_to_hathi(ann, place.channel, "How are you?")
        await asyncio.wait_for(hathi.proxy.refused.wait(), 30)
        hathi.proxy.mend()
        async with asyncio.timeout(30):
            await rows.state(asked)
        await hathi.later()
        assert (1, ["Fine."]) == (hathi.proxy.lost, texts(place.replies(asked)))


async def test_who_was_told_to_ask_again_gets_no_answer_beside_that(
    dsn: str, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though their question was recorded, which nobody knew: the turn is closed as soon as it is found."""
    async with discord_bot.world() as place, _frail(dsn, place) as hathi:
        ann, bot = place.newcomer("Ann"), hathi.bot
        await bot.asks(ann, place.channel, "Are you there?")
        monkeypatch.setattr(chat, "PATIENCE", timedelta(0))
        hathi.lose_the_answer_to("turn.record", b"claimed")
        asked = await bot.says_to_hathi(ann, place.channel, "How are you?")
        told = await bot.answer(asked)
        hathi.proxy.mend()
        await hathi.later()
        assert (True, [("failed", "told")]) == (told.text.startswith(DOWN), await rows.turns(asked))
        assert 1 == len(place.replies(asked))


async def test_who_was_told_to_ask_again_is_not_answered_after_a_restart(
    dsn: str, database: Database, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their question was recorded nowhere, and the next process finds in the channel that they were told."""
    async with discord_bot.world() as place:
        ann, bob = place.newcomer("Ann"), place.newcomer("Bob")
        async with _frail(dsn, place) as hathi:
            await hathi.bot.asks(ann, place.channel, "Are you there?")
            monkeypatch.setattr(chat, "PATIENCE", timedelta(0))
            hathi.proxy.cut()
            told = [
                await hathi.bot.says_to_hathi(ann, place.channel, "How are you?"),
                await ann.say(place.channel, "!memories"),
            ]
            for each in told:
                await hathi.bot.answer(each)
        missed = await bob.say(place.channel, "And me?", mentions=[place.discord.bot])
        async with discord_bot.connected(place, database) as bot:
            await rows.state(missed)
            await bot.caught_up()
            await bot.settled()
        assert [1, 1, 1] == [len(place.replies(each)) for each in (*told, missed)]


async def test_who_was_told_to_ask_again_is_not_answered_by_the_next_process_that_finds_the_question(
    dsn: str, database: Database, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was recorded, which nobody knew, and the process that told them is gone."""
    async with discord_bot.world() as place:
        ann, bob = place.newcomer("Ann"), place.newcomer("Bob")
        async with _frail(dsn, place) as hathi:
            await hathi.bot.asks(ann, place.channel, "Are you there?")
            monkeypatch.setattr(chat, "PATIENCE", timedelta(0))
            hathi.lose_the_answer_to("turn.record", b"claimed")
            told = await hathi.bot.says_to_hathi(ann, place.channel, "How are you?")
            await hathi.bot.answer(told)
        missed = await bob.say(place.channel, "And me?", mentions=[place.discord.bot])
        later = timedelta(seconds=90)
        async with discord_bot.connected(place, database, clock=lambda: app.utc_now() + later) as bot:
            await rows.state(missed)
            await rows.state(told, state="failed")
            await bot.caught_up()
        assert [1, 1] == [len(place.replies(each)) for each in (told, missed)]


async def test_an_answer_that_stands_is_not_followed_by_an_error(
    dsn: str, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database goes before it is recorded and stays away: nobody is told, and it is recorded when that is back."""
    async with discord_bot.world() as place, _frail(dsn, place) as hathi:
        ann, bot = place.newcomer("Ann"), hathi.bot
        await bot.asks(ann, place.channel, "Are you there?")
        monkeypatch.setattr(draft, "DATABASE_PATIENCE", timedelta(0))

        def before(name: str) -> None:
            if name == "turn.answered":
                hathi.proxy.cut()

        hathi.points.before, hathi.points.armed = before, True
        with capture_logs() as lines:
            asked = await bot.says_to_hathi(ann, place.channel, "How are you?")
            await eventually(lambda: {"turn.answered", "discord.error"} & {line["event"] for line in lines})
            await bot.settled()
        hathi.points.armed = False
        hathi.proxy.mend()
        assert ([False], ["Fine."]) == (
            [line.get("recorded") for line in lines if line["event"] in {"turn.answered", "discord.error"}],
            texts(place.replies(asked)),
        )
        await hathi.later()
        assert (["Fine."], [("Fine.", False)]) == (texts(place.replies(asked)), await rows.replies(asked))
