"""The laws of Discord's own search: what was said before Hathi came is found, quoted, and never stored."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from bot.db.pool import Database
from tests import discord_bot
from tests.discord_bot import DiscordBot, World
from tests.discord_server.calls import Request
from tests.discord_server.messages import Message

SAID = "The boiler was repaired by Osterquill and Sons"
ASKED = "Who repaired the boiler?"


@pytest.fixture
async def world() -> AsyncGenerator[World]:
    async with discord_bot.world() as made:
        yield made


@pytest.fixture
async def bot(world: World, database: Database) -> AsyncGenerator[DiscordBot]:
    """Without a model."""
    async with discord_bot.connected(world, database, roles={}) as running:
        yield running


def searches(bot: DiscordBot) -> list[Request]:
    return bot.discord.requested("GET", "/messages/search")


def link(message: Message) -> str:
    assert message.channel.guild is not None
    place = f"{message.channel.guild.guild_id}/{message.channel.channel_id}"
    return f"https://discord.com/channels/{place}/{message.message_id}"


async def trail(bot: DiscordBot) -> dict[str, Any]:
    """Of the last turn."""
    async with bot.app.database.connection() as connection:
        return await connection.fetchval("SELECT trail FROM turn ORDER BY turn_id DESC LIMIT 1")


async def why(bot: DiscordBot) -> str:
    """How the artifacts ended in the last walk."""
    return next(step["why"] for step in (await trail(bot))["walk"] if step["layer"] == "L3")


async def test_what_was_said_before_hathi_came_is_quoted_with_link_author_and_date(
    world: World, database: Database
) -> None:
    """Nothing of it was ever heard: Discord's search finds it, and no model is needed."""
    ann = world.newcomer("Ann")
    said = await ann.say(world.channel, SAID)
    async with discord_bot.connected(world, database, roles={}) as bot:
        ben = bot.person("Ben")
        answer = await bot.asks(ben, bot.channel, ASKED)
        assert f"\u201c{SAID}\u201d\n    \u2014 Ann, <t:" in answer.content
        assert f"[a message](<{link(said)}>), Ann" in answer.content
        assert ("L3", "hit") in [(step["layer"], step["outcome"]) for step in (await trail(bot))["walk"]]
