"""The laws of questions that name a channel: what was said there is told, and nothing from elsewhere."""

from typing import Any

import pytest

from bot.db.pool import Database
from tests import discord_bot
from tests.model_server import Reply


@pytest.mark.parametrize("with_model", [True, False])
async def test_a_channel_that_is_named_is_asked_alone(database: Database, *, with_model: bool) -> None:
    """By its mention, whatever other channels and the one at hand have on it; one that not all see is not asked."""
    settings: dict[str, Any] = {} if with_model else {"roles": {}}
    async with discord_bot.running(database, answer=Reply(text="It is 99 metres tall (#1)."), **settings) as bot:
        ann, ben = bot.person("Ann"), bot.person("Ben")
        script, art = (bot.guild.text_channel(name) for name in ("script", "art"))
        staff = bot.guild.private_channel("staff", seen_by=[ann])
        for channel, told in ((script, "grey"), (art, "white"), (bot.channel, "blue"), (staff, "Quillwort")):
            await bot.asks(ann, channel, f"remember that the ghost is {told}")
        asked = "what did Ann say about the ghost in <#{}>?"
        told = [
            (await bot.asks(ben, bot.channel, asked.format(channel.channel_id))).text
            for channel in (script, art, staff)
        ]
    assert [(True, False, False), (False, True, False)] == [
        tuple(f"\u201cthe ghost is {word}\u201d" in one for word in ("grey", "white", "blue")) for one in told[:2]
    ]
    assert "Quillwort" not in told[2]
