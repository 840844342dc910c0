"""The law of what Hathi quotes: Discord asks no address of it, whichever way it is sent."""

import pytest

from bot.db.pool import Database
from tests import discord_bot
from tests.discord_server.permissions import Permission

SUPPRESS_EMBEDS = 1 << 2
LINK = "https://example.org/?d=secret"


@pytest.mark.parametrize("line", ["!recall gate", "!note gate", "!why", "!help"])
async def test_no_link_is_drawn(database: Database, line: str) -> None:
    """What is quoted in a text is suppressed; a list of Hathi's own that is an embed stays one."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        for may_embed in (True, False):
            if not may_embed:
                for role in (bot.guild.bot_role, bot.guild.everyone):
                    bot.guild.change_role(role, role.permissions & ~Permission.EMBED_LINKS)
            await bot.answer(await ann.say(bot.channel, f"!remember the gate is at {LINK}"))
            said = await bot.answer(await ann.say(bot.channel, line))
            assert bool(said.flags & SUPPRESS_EMBEDS) is not bool(said.embeds)
