"""Discord's REST API fails in every way it can while an answer is sent: one message, thanks to the nonce."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import pytest
from structlog.testing import capture_logs

from bot import app
from bot.db.pool import Database
from cogs.catchup.discord_recovery import DiscordRecovery
from cogs.send import message_requests
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.faults import Faults
from tests.faults import discord
from tests.faults.discord import Rows, texts
from tests.model_server import Reply

WRONG: Final[dict[str, Callable[[Faults, str], object]]] = {
    "503 before": lambda faults, path: faults.fail(2, status=503, method="POST", path=path),
    "503 after": lambda faults, path: faults.fail(2, status=503, method="POST", path=path, after_effect=True),
    "500 after": lambda faults, path: faults.fail(1, status=500, method="POST", path=path, after_effect=True),
    "429": lambda faults, path: faults.limit(2, method="POST", path=path, retry_after=timedelta(seconds=0.05)),
    "429 everywhere": lambda faults, path: faults.limit(
        1, method="POST", path=path, retry_after=timedelta(seconds=0.05), everywhere=True
    ),
    "slow": lambda faults, path: faults.slow(timedelta(seconds=0.3), 1, method="POST", path=path),
    "broken before": lambda faults, path: faults.break_off(2, method="POST", path=path),
    "broken after": lambda faults, path: faults.break_off(2, method="POST", path=path, after_effect=True),
}


@dataclass
class Later:
    """The time, and how far it is ahead of the real one."""

    ahead: timedelta = timedelta(0)

    def __call__(self) -> datetime:
        return app.utc_now() + self.ahead


@pytest.fixture(autouse=True)
def _prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    discord.prepare(monkeypatch)
    monkeypatch.setattr(message_requests, "LONGEST_PAUSE", 0.05)


@pytest.fixture
async def rows(dsn: str) -> AsyncGenerator[Rows]:
    """A look at the database."""
    async with discord.rows(dsn) as found:
        yield found


def _messages(bot: DiscordBot) -> str:
    return f"/channels/{bot.channel.channel_id}/messages$"


async def _look(bot: DiscordBot) -> None:
    """What Hathi does every twenty seconds."""
    found = bot.client.get_cog("DiscordRecovery")
    assert isinstance(found, DiscordRecovery)
    await found.look()


@pytest.mark.parametrize("wrong", WRONG)
async def test_whatever_goes_wrong_with_a_post_there_is_one_message(database: Database, rows: Rows, wrong: str) -> None:
    """An answer whose POST fails, before or after it took effect, stands once and is recorded once."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        WRONG[wrong](bot.discord.faults, _messages(bot))
        asked = await bot.says_to_hathi(ann, bot.channel, "How are you?")
        await rows.state(asked)
        assert ["Fine."] == texts(bot.channel.said_by(bot.discord.bot))
        assert [("Fine.", False)] == await rows.replies(asked)


async def test_an_answer_discord_did_not_take_for_long_is_sent_once_when_it_does(
    database: Database, rows: Rows
) -> None:
    """A turn whose answer could not be sent is taken up again when its lease is over, and then answered once."""
    clock = Later()
    async with discord_bot.running(database, clock=clock) as bot:
        ann = bot.person("Ann")
        down = bot.discord.faults.fail(10**6, status=503, method="POST", path=_messages(bot))
        asked = await bot.says_to_hathi(ann, bot.channel, "How are you?")
        await bot.until(lambda: down.met == message_requests.ATTEMPTS)
        await bot.settled()
        # Nobody is told in a channel where nothing can be sent.
        assert message_requests.ATTEMPTS == down.met
        assert [("sending", None)] == await rows.turns(asked)
        await _look(bot)
        assert [("sending", None)] == await rows.turns(asked)
        bot.discord.faults.clear()
        clock.ahead = timedelta(seconds=61)
        await _look(bot)
        await rows.state(asked)
        await bot.settled()
        await _look(bot)
        assert (["Fine."], [("Fine.", False)]) == (texts(bot.world.replies(asked)), await rows.replies(asked))


async def test_an_answer_whose_post_was_never_confirmed_is_recognised_by_what_it_replies_to(
    database: Database, rows: Rows
) -> None:
    """Where Discord took the answer but broke off every time, the message that stands becomes the reply."""
    clock = Later()
    async with discord_bot.running(database, clock=clock) as bot:
        ann = bot.person("Ann")
        broken = bot.discord.faults.break_off(10**6, method="POST", path=_messages(bot), after_effect=True)
        asked = await bot.says_to_hathi(ann, bot.channel, "How are you?")
        await bot.until(lambda: broken.met == message_requests.ATTEMPTS)
        await bot.settled()
        # The answer stands; that it could not be confirmed is told to nobody under it.
        assert ["Fine."] == texts(bot.channel.said_by(bot.discord.bot))
        bot.discord.faults.clear()
        clock.ahead = timedelta(seconds=61)
        requests = len(bot.model.requests)
        await _look(bot)
        await rows.state(asked)
        assert ["Fine."] == texts(bot.world.replies(asked))
        assert [("Fine.", False)] == await rows.replies(asked)
        assert requests == len(bot.model.requests), "the model was asked again"


async def test_an_answer_under_way_whose_lease_ran_out_is_not_begun_a_second_time(
    database: Database, rows: Rows
) -> None:
    """After an outage the next look finds the turn held by nobody in the database, and lets it be: it is in hand."""
    clock, gate = Later(), asyncio.Event()
    async with discord_bot.running(database, clock=clock, answer=lambda _: Reply(text="Fine.", gate=gate)) as bot:
        asked = await bot.says_to_hathi(bot.person("Ann"), bot.channel, "How are you?")
        await bot.until(lambda: bot.model.requests)
        clock.ahead = timedelta(seconds=61)
        with capture_logs() as lines:
            await _look(bot)
            gate.set()
            await rows.state(asked)
            await bot.settled()
        assert (["Fine."], 1) == (texts(bot.world.replies(asked)), len(bot.model.requests))
        assert [] == [line["event"] for line in lines if line["log_level"] in {"error", "critical"}]


async def test_the_question_of_somebody_who_is_not_remembered_is_taken_up_again_too(
    database: Database, rows: Rows
) -> None:
    """Of a turn nothing is kept of, the question is read from Discord anew: answered once, and not recorded."""
    clock = Later()
    async with discord_bot.running(database, clock=clock) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        await rows.connection.execute("UPDATE person SET opted_out_at = now()")
        down = bot.discord.faults.fail(10**6, status=503, method="POST", path=_messages(bot))
        asked = await bot.says_to_hathi(ann, bot.channel, "What is nobody to know?")
        await bot.until(lambda: down.met == message_requests.ATTEMPTS)
        await bot.settled()
        # Nobody is told in a channel where nothing can be sent.
        assert message_requests.ATTEMPTS == down.met
        bot.discord.faults.clear()
        clock.ahead = timedelta(seconds=61)
        await _look(bot)
        await rows.state(asked)
        assert ["Fine."] == texts(bot.world.replies(asked))
        assert "What is nobody to know?" in bot.world.prompts[-1]
        assert ["First?"] == await rows.said(bot.channel)


async def test_an_answer_that_could_not_be_sent_within_ten_minutes_is_not_sent_late(
    database: Database, rows: Rows
) -> None:
    """A question is not answered out of the blue an hour later: its turn is closed as expired."""
    clock = Later()
    async with discord_bot.running(database, clock=clock) as bot:
        ann = bot.person("Ann")
        down = bot.discord.faults.fail(10**6, status=503, method="POST", path=_messages(bot))
        asked = await bot.says_to_hathi(ann, bot.channel, "How are you?")
        await bot.until(lambda: down.met == message_requests.ATTEMPTS)
        await bot.settled()
        # Nobody is told in a channel where nothing can be sent.
        assert message_requests.ATTEMPTS == down.met
        bot.discord.faults.clear()
        clock.ahead = timedelta(hours=1)
        await _look(bot)
        assert [("failed", "expired")] == await rows.turns(asked)
        assert [] == bot.world.replies(asked)
