"""What is said while something goes wrong: whoever speaks to Hathi gets a word, and nobody else."""

import time
from datetime import datetime, timedelta

import pytest
from structlog.testing import capture_logs

from bot import app, errors
from cogs.access.callers import FRESH_SECONDS
from cogs.chat import chat
from tests import discord_bot, outages
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.users import User

DOWN = str(errors.DatabaseDown())
CHATTER = ("Lunch?", "At noon", "!play something", "Fine with me")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "PATIENCE", timedelta(0))


@pytest.mark.parametrize("mode", ["addressed", "all"])
async def test_talk_among_people_is_not_answered_in_an_outage(dsn: str, mode: str) -> None:
    """While the database is away what people say to each other is logged and not answered, in whatever mode."""
    async with outages.frail(dsn) as (database, wire), discord_bot.running(database) as bot:
        owner, ben, elsewhere = bot.knows(bot.guild.owner), bot.person("Ben"), bot.guild.text_channel("lounge")
        await bot.answer(await owner.say(bot.channel, f"!memory mode {mode}"))
        await bot.asks(ben, bot.channel, "Are you there?")
        await wire.cut()
        for channel in (bot.channel, elsewhere):
            before = len(channel.said_by(bot.discord.bot))
            with capture_logs() as lines:
                await _chatter(bot, ben, channel)
                told = await bot.asks(ben, channel, "Are you still there?")
            assert (True, 1) == (DOWN in told.text, len(channel.said_by(bot.discord.bot)) - before)
            assert errors.DatabaseDown.__name__ in {line.get("error") for line in lines}


async def test_what_is_meant_for_hathi_is_answered_in_an_outage(dsn: str) -> None:
    """A question or a command gets its sentence wherever it may be told for one: in a place looked at before too."""
    ahead = timedelta(0)

    def clock() -> datetime:
        return app.utc_now() + ahead

    async with outages.frail(dsn) as (database, wire), discord_bot.running(database, clock=clock) as bot:
        owner, ben, elsewhere = bot.knows(bot.guild.owner), bot.person("Ben"), bot.guild.text_channel("lounge")
        await bot.answer(await owner.say(bot.channel, "!settings prefix ?"))
        await bot.answer(await owner.say(bot.channel, "?channel enable"))
        await bot.asks(ben, elsewhere, "Are you there?")
        ahead += timedelta(seconds=2 * FRESH_SECONDS)
        await bot.asks(ben, bot.channel, "Are you here?")
        first = await bot.asks(ben, elsewhere, "And there?")
        thread = await ben.start_thread(bot.channel, "aside")
        ahead += timedelta(seconds=2 * FRESH_SECONDS)
        await wire.cut()
        asked = [
            await ben.say(bot.channel, "Nothing mentions you here."),
            await ben.say(bot.channel, "?memories"),
            await ben.say(elsewhere, "What now?", reply_to=first),
            await ben.say(elsewhere, "?status"),
            await ben.say(ben.direct, "And here?"),
            await ben.say(thread, "And aside?", mentions=[bot.discord.bot]),
        ]
        assert [True] * len(asked) == [DOWN in (await bot.answer(question)).text for question in asked]


async def test_in_an_outage_nobody_waits_for_those_before_them(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much is said in a channel, a question is told of the outage when its own patience is over."""
    monkeypatch.setattr(chat, "PATIENCE", timedelta(seconds=2))
    async with outages.frail(dsn) as (database, wire), discord_bot.running(database) as bot:
        ben, elsewhere = bot.person("Ben"), bot.guild.text_channel("lounge")
        await wire.cut()
        began = time.monotonic()
        await _chatter(bot, ben, elsewhere)
        assert DOWN in (await bot.asks(ben, elsewhere, "Are you there?")).text
        assert time.monotonic() - began < len(CHATTER) * 2


async def _chatter(bot: DiscordBot, ben: User, channel: Channel) -> None:
    for text in CHATTER:
        await ben.say(channel, text, mentions=[bot.guild.owner])
