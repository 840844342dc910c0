"""Checks after a gap that the messages replies were made from still exist, in whatever channel they stand."""

from collections.abc import Iterable
from typing import Final

import aiohttp
import discord

from bot import log
from bot.connection.client import Client
from bot.domain import ChannelId, SpaceId
from cogs.catchup.channel_lookup import ChannelLookup
from cogs.catchup.edits_and_deletions import EditsAndDeletions
from cogs.send import discord_codes

_log = log.logger(__name__)

MOST_ELSEWHERE: Final = 50
"""Messages of a guild that answers were made from and that are not stored, of which each is looked for after a gap."""


class SourceCheck:
    """Finds source messages that were deleted unnoticed, so that the replies made from them go too."""

    def __init__(self, client: Client, changes: EditsAndDeletions, channels: ChannelLookup) -> None:
        self._client = client
        self._changes = changes
        self._channels = channels

    async def check(self, spaces: Iterable[SpaceId]) -> None:
        """Fetches each source of these spaces, one after another, so that they hold up nothing else."""
        for space_id in spaces:
            gone = set[ChannelId]()
            for channel_id, message_id in await self._client.app.discord_edits.elsewhere(space_id, MOST_ELSEWHERE):
                try:
                    if channel_id not in gone and not self._channels.is_away(space_id):
                        await self._client.get_partial_messageable(channel_id).fetch_message(message_id)
                except discord.NotFound as exc:
                    # Whatever else is said of it, it may be there.
                    if exc.code == discord_codes.UNKNOWN_CHANNEL:
                        gone.add(channel_id)
                        self._changes.delete_channel(space_id, channel_id)
                    elif exc.code == discord_codes.UNKNOWN_MESSAGE:
                        await self._changes.delete_messages(space_id, channel_id, [message_id])
                except (discord.DiscordException, aiohttp.ClientError, OSError) as exc:
                    _log.warning("recovery.not_looked_at", error=type(exc).__name__, code=getattr(exc, "code", None))
