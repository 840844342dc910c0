"""The law of what Hathi quotes: Discord asks no address of it, whichever way it is sent."""

import pytest

from bot.db.pool import Database
from tests import discord_bot
from tests.discord_server.permissions import Permission

SUPPRESS_EMBEDS, COMPONENTS_V2 = 1 << 2, 1 << 15
LINK = "https://example.org/?d=secret"


@pytest.mark.parametrize("line", ["!recall gate", "!note gate", "!why", "!help"])
async def test_no_link_is_drawn(database: Database, line: str) -> None:
    """Previews of what is quoted in a text are suppressed; of a message of components Discord makes none."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        for may_embed in (True, False):
            if not may_embed:
                for role in (bot.guild.bot_role, bot.guild.everyone):
                    bot.guild.change_role(role, role.permissions & ~Permission.EMBED_LINKS)
            await bot.answer(await ann.say(bot.channel, f"!remember the gate is at {LINK}"))
            said = await bot.answer(await ann.say(bot.channel, line))
            assert bool(said.flags & SUPPRESS_EMBEDS) is not bool(said.flags & COMPONENTS_V2)
            assert [] == said.embeds
