"""Finds a channel by its id, in the cache or by asking Discord."""

import discord

from bot.connection.client import Client
from bot.domain import ChannelId, SpaceId
from cogs.access.callers import Channel
from cogs.catchup.edits_and_deletions import EditsAndDeletions
from cogs.send import discord_codes


class ChannelLookup:
    """Finds channels; what was said in one that turns out to be deleted is deleted from memory."""

    def __init__(self, client: Client, changes: EditsAndDeletions) -> None:
        self._client = client
        self._changes = changes

    def is_away(self, space_id: SpaceId) -> bool:
        """Whether it is a guild that Discord does not serve now: what it says of it then tells nothing."""
        guild = self._client.get_guild(space_id)
        return guild is not None and guild.unavailable

    async def find(self, space_id: SpaceId, channel_id: ChannelId) -> Channel | None:
        """The channel as the cache or Discord has it; none when it is gone or closed to Hathi."""
        guild = self._client.get_guild(space_id)
        found = guild.get_channel_or_thread(channel_id) if guild else None
        if found is None:
            try:
                found = await self._client.fetch_channel(channel_id)
            except discord.NotFound as exc:
                if exc.code == discord_codes.UNKNOWN_CHANNEL:
                    # Deleted while nobody listened.
                    self._changes.delete_channel(space_id, channel_id)
                return None
            except (discord.Forbidden, discord.InvalidData):
                return None
        return found if isinstance(found, discord.abc.Messageable) else None
