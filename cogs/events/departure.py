"""Follows Hathi out of servers and back into them, so that what is kept of one does not outlive its going for long."""

from collections.abc import Awaitable, Callable, Sequence

import discord
from discord.ext import commands

from bot import errors, log
from bot.connection.client import Client
from bot.domain import SpaceId
from cogs.access.callers import PATIENCE

_log = log.logger(__name__)


class Departure(commands.Cog):
    """Notes which servers Hathi is in no more."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._app = client.app

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Hathi was removed, or the guild deleted; of an outage discord.py tells otherwise."""
        await self._noted(lambda: self._app.departures.left(SpaceId(guild.id), now=self._app.clock()))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Somebody added Hathi, perhaps again."""
        await self._noted(lambda: self._app.departures.came_back(SpaceId(guild.id)))

    @commands.Cog.listener()
    async def on_guilds_named(self, shard_id: int, guild_ids: Sequence[int]) -> None:
        """A session began: Discord named all guilds of the shard, which tells what happened while Hathi was away."""
        named, shards = [*map(SpaceId, guild_ids)], self._client.shard_count or 1
        await self._noted(
            lambda: self._app.departures.named(named, shard=shard_id, shards=shards, now=self._app.clock())
        )

    async def _noted(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await self._app.database.keep_trying(work, within=PATIENCE)
        except errors.DatabaseDown:
            # The next session names all guilds again.
            _log.warning("departure.database_down")
