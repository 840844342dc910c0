"""Finds a channel by its id, in the cache or by asking Discord, and remembers where Discord lets Hathi see nothing."""

from typing import Final

import discord

from bot.connection.client import Client
from bot.domain import ChannelId, SpaceId
from cogs.access.callers import Channel
from cogs.access.permissions import own_member
from cogs.catchup.edits_and_deletions import EditsAndDeletions
from cogs.send import discord_codes
from cogs.send.request_pace import RequestPace

_NOWHERE: Final = 0
"""The sight of a place of which the cache knows nothing: a direct-message channel."""


class ChannelLookup:
    """Finds channels; what was said in one that turns out to be deleted is deleted from memory."""

    def __init__(self, client: Client, changes: EditsAndDeletions, pace: RequestPace) -> None:
        self._client = client
        self._changes = changes
        self._pace = pace

    def is_away(self, space_id: SpaceId) -> bool:
        """Whether it is a guild that Discord does not serve now: what it says of it then tells nothing."""
        guild = self._client.get_guild(space_id)
        return guild is not None and guild.unavailable

    def sight(self, space_id: SpaceId, channel_id: ChannelId, origin_id: ChannelId | None) -> int:
        """What Hathi may do in a place, as one number: another one once its permissions change or the cache has it.

        Of a thread that the cache does not have, what it may do in the thread's channel, else in the guild.
        """
        guild = self._client.get_guild(space_id)
        me = None if guild is None else own_member(guild)
        if guild is None or me is None:
            return _NOWHERE
        place = guild.get_channel_or_thread(channel_id)
        near = guild.get_channel(origin_id) if place is None and origin_id is not None else place
        try:
            rights = me.guild_permissions if near is None else near.permissions_for(me)
        except discord.ClientException:
            # The parent of a thread is not in the cache.
            rights = me.guild_permissions
        return rights.value << 1 | (place is not None)

    async def find(
        self, space_id: SpaceId, channel_id: ChannelId, origin_id: ChannelId | None = None
    ) -> Channel | None:
        """The channel as the cache or Discord has it; none when it is gone or closed to Hathi."""
        guild = self._client.get_guild(space_id)
        found = guild.get_channel_or_thread(channel_id) if guild else None
        if found is None:
            await self._pace.turn()
            try:
                found = await self._client.fetch_channel(channel_id)
            except (discord.NotFound, discord.Forbidden) as exc:
                await self.refused(exc, space_id, channel_id, origin_id)
                return None
            except discord.InvalidData:
                return None
        return found if isinstance(found, discord.abc.Messageable) else None

    async def refused(
        self,
        why: discord.NotFound | discord.Forbidden,
        space_id: SpaceId,
        channel_id: ChannelId,
        origin_id: ChannelId | None,
    ) -> None:
        """Deletes a place that is gone from memory; any other is not asked for again before its sight has changed."""
        if why.code == discord_codes.UNKNOWN_CHANNEL:
            # Deleted while nobody listened.
            self._changes.delete_channel(space_id, channel_id)
        else:
            sight = self.sight(space_id, channel_id, origin_id)
            await self._client.app.spaces.refused(space_id, channel_id, sight)
