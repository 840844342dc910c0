"""The welcome: a community Hathi has come to is told once what it remembers, and how to see, stop and erase it."""

import heapq
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

import aiohttp
import discord
from discord.ext import commands

from bot import errors, log
from bot.client import Client
from bot.commands import introduction
from bot.domain import SpaceId
from cogs.callers import Callers
from cogs.errors import Troubles
from cogs.places import own_member

_log = log.logger(__name__)

NEW: Final = timedelta(days=7)
"""How long after it has come to a guild Hathi still introduces itself there."""
MOST_GUILDS: Final = 100
"""Guilds, the newest, that are looked at when a shard is ready."""
MOST_TRIED: Final = 5
"""Channels of a guild in which it is tried to speak."""


class Welcome(commands.Cog):
    """Introduces Hathi to a community."""

    def __init__(self, client: Client, callers: Callers, troubles: Troubles) -> None:
        self._client = client
        self._services = client.services
        self._callers = callers
        self._troubles = troubles

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Somebody added Hathi; joining again, or a second process, is no second introduction."""
        try:
            await self._introduce(guild)
        except errors.DatabaseDown:
            _log.warning("welcome.database_down", guild_id=guild.id)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Somebody may have added Hathi while it was away: Discord tells nothing of that but when it was."""
        since = self._services.clock() - NEW
        joined = ((self._came_to(guild), guild) for guild in self._client.guilds if guild.shard_id == shard_id)
        lately = [(at, guild) for at, guild in joined if at is not None and at > since]
        for _, guild in heapq.nlargest(MOST_GUILDS, lately, key=lambda found: found[0]):
            try:
                await self._introduce(guild)
            except errors.DatabaseDown:
                # Of the others no more could be known now; the next session looks again.
                _log.warning("welcome.database_down", guild_id=guild.id)
                return

    def _came_to(self, guild: discord.Guild) -> datetime | None:
        """When Hathi did; none while the guild is not available."""
        me = self._client.user and guild.get_member(self._client.user.id)
        return None if me is None else me.joined_at

    async def _introduce(self, guild: discord.Guild) -> None:
        """Say it in the first channel that takes it, if nobody did before. Raises `DatabaseDown`."""
        channels = where_to_speak(guild)
        first = next(channels, None)
        if first is None:
            _log.info("welcome.nowhere_to_speak", guild_id=guild.id)
            return
        me = own_member(guild) or self._client.user
        assert me is not None
        caller, place = await self._callers.of(me, first)
        if not await self._services.people.introduce(SpaceId(guild.id), self._services.clock()):
            return
        words = introduction.to_community(caller.address + place.prefix)
        for channel in (first, *(channel for channel, _ in zip(channels, range(MOST_TRIED - 1), strict=False))):
            try:
                await channel.send(words, allowed_mentions=discord.AllowedMentions.none())
            except (discord.Forbidden, discord.NotFound) as exc:
                self._troubles.sentence(exc, channel)
            except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
                self._troubles.sentence(exc, channel)
                return
            else:
                return
        _log.info("welcome.nowhere_to_speak", guild_id=guild.id)


def where_to_speak(guild: discord.Guild) -> Iterator[discord.TextChannel]:
    """The guild's channel for such notices if Hathi may write there, then the others in which it may.

    Where nothing is known of Hathi's rights, whatever channel there is.
    """
    me = own_member(guild)
    first = [guild.system_channel] if guild.system_channel else []
    for channel in dict.fromkeys((*first, *guild.text_channels)):
        may = channel.permissions_for(me) if me else None
        if may is None or (may.view_channel and may.send_messages):
            yield channel
