"""Hathi without the message-content intent: what works goes on, and what does not is said at the start."""

from collections.abc import AsyncGenerator

import pytest
from structlog.testing import capture_logs

from bot.client import NO_CONTENT
from bot.db.pool import Database
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.wire import Intent

WITHOUT = {"privileged": Intent.NONE}


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database, server=WITHOUT) as running:
        yield running


async def test_what_is_missing_is_said(database: Database) -> None:
    """The log of the start names the intent that is off and what does not work without it; with it nothing is said."""
    for server, expected in ((WITHOUT, [NO_CONTENT]), ({}, [])):
        with capture_logs() as lines:
            async with discord_bot.running(database, server=server) as bot:
                assert bool(expected) is not bot.client.intents.message_content
        assert expected == [line["meaning"] for line in lines if line["event"] == "discord.no_message_content"]


async def test_what_is_addressed_works(bot: DiscordBot) -> None:
    """Mentions, replies that ping, direct messages and commands behind a mention work as ever."""
    ann = bot.person("Ann")
    first = await bot.asks(ann, bot.channel, "What is a walrus?")
    await bot.answer(await ann.say(bot.channel, "And a seal?", reply_to=first))
    await bot.asks(ann, ann.direct, "And an otter?")
    assert ["walrus", "seal", "otter"] == [
        word for word, prompt in zip(("walrus", "seal", "otter"), bot.world.prompts, strict=True) if word in prompt
    ]
    helped = await bot.answer(await ann.say(bot.channel, f"{bot.discord.bot.mention} status"))
    assert helped.content or helped.embeds
    assert 3 == len(bot.model.requests)


async def test_slash_commands_work(bot: DiscordBot) -> None:
    """Commands from Discord's list work without any text of messages."""
    ann = bot.person("Ann")
    saved = await ann.slash(bot.channel, "remember", {"text": "The cake is in the cellar", "topic": "cake"})
    await bot.until(lambda: saved.original and "cake" in saved.original.content)


async def test_what_can_not_be_read_is_left_alone(bot: DiscordBot, database: Database) -> None:
    """What people say to each other comes without its text, and is neither answered nor recorded, in no mode."""
    ann = bot.person("Ann")
    me = bot.discord.bot.mention
    await bot.answer(await bot.guild.owner.say(bot.channel, f"{me} memory mode all"))
    await bot.answer(await bot.guild.owner.say(bot.channel, f"{me} channel enable"))
    await ann.say(bot.channel, "Lunch at noon?")
    await bot.asks(ann, bot.channel, "Are you there?")
    assert 1 == len(bot.model.requests)
    async with database.connection() as connection:
        assert ["Are you there?", "Fine."] == [
            row["content"] for row in await connection.fetch("SELECT content FROM message ORDER BY message_id")
        ]
