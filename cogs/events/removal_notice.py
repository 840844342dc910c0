"""Tells the owner of a server, directly, that somebody asks to have a memory about them removed."""

from typing import Final

import aiohttp
import discord
from discord.ext import commands

from bot import catalogue, errors, log
from bot.connection.client import Client
from bot.domain import Caller, Memory
from bot.text import normalize, sanitize
from cogs.ui import buttons

_log = log.logger(__name__)

QUOTED: Final = 1_000
"""Characters of the memory that are quoted."""
_NOBODY: Final = discord.AllowedMentions.none()


class RemovalNotice(commands.Cog):
    """Tells owners, who may read every channel of theirs; whoever else manages a server has a list of what is asked."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @commands.Cog.listener()
    async def on_removal_asked(self, caller: Caller, memory: Memory) -> None:
        """Sends the owner the text, with a button that forgets it; what Discord refuses stands in the list alone."""
        guild = self._client.get_guild(caller.space_id)
        if guild is None or guild.owner_id is None:
            return
        try:
            owner = guild.owner or await self._client.fetch_user(guild.owner_id)
            await owner.send(
                _words(caller, memory, guild.name),
                view=buttons.removal_view(memory),
                allowed_mentions=_NOBODY,
                suppress_embeds=True,
            )
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
            _log.warning("removal.not_told", error=type(exc).__name__, code=getattr(exc, "code", None))


def _words(caller: Caller, memory: Memory, guild: str) -> str:
    by = sanitize.name(memory.speaker) if memory.speaker else catalogue.gettext("nobody named")
    text = sanitize.unmasked(normalize.one_line(normalize.shown(memory.content), QUOTED))
    told = catalogue.gettext(
        "{name} asks to have #{number} removed from what I remember in {server}. It is about them, and was said by "
        "{by}:\n> “{text}”\n{p}memory requests lists there what is asked; to let it stand, do nothing."
    )
    return told.format(
        name=sanitize.name(caller.name),
        number=memory.memory_id,
        server=sanitize.name(guild),
        by=by,
        text=text,
        p=caller.prefix,
    )
