"""Checks after a gap that the messages replies were made from still exist, in whatever channel they stand."""

from collections.abc import Iterable
from typing import Final

import aiohttp
import discord

from bot import errors, log
from bot.connection.client import Client
from bot.domain import ChannelId, SpaceId
from cogs.access.permissions import can_read
from cogs.catchup.channel_lookup import ChannelLookup
from cogs.catchup.edits_and_deletions import EditsAndDeletions
from cogs.send import discord_codes
from cogs.send.request_pace import RequestPace

_log = log.logger(__name__)

MOST_ELSEWHERE: Final = 50
"""Messages of a guild that answers were made from and that are not stored, of which each is looked for after a gap."""


class SourceCheck:
    """Finds source messages that were deleted unnoticed, so that the replies made from them go too."""

    def __init__(self, client: Client, changes: EditsAndDeletions, channels: ChannelLookup, pace: RequestPace) -> None:
        self._client = client
        self._changes = changes
        self._channels = channels
        self._pace = pace

    async def check(self, spaces: Iterable[SpaceId]) -> None:
        """Fetches each source of these spaces, one after another, so that they hold up nothing else.

        But nothing in a channel that Hathi can't read, and nothing more once many requests were refused.
        """
        app = self._client.app
        for space_id in spaces:
            closed = set[ChannelId]()
            for channel_id, message_id in await app.discord_edits.elsewhere(space_id, MOST_ELSEWHERE):
                if self._client.refusals.are_many:
                    _log.warning("recovery.waits", reason="refusals")
                    return
                if channel_id in closed or self._channels.is_away(space_id) or not self._is_open(space_id, channel_id):
                    continue
                try:
                    await self._pace.turn()
                    await self._client.get_partial_messageable(channel_id).fetch_message(message_id)
                except discord.NotFound as exc:
                    # Whatever else is said of it, it may be there.
                    if exc.code == discord_codes.UNKNOWN_CHANNEL:
                        closed.add(channel_id)
                        self._changes.delete_channel(space_id, channel_id)
                    elif exc.code == discord_codes.UNKNOWN_MESSAGE:
                        await self._changes.delete_messages(space_id, channel_id, [message_id])
                except discord.Forbidden:
                    closed.add(channel_id)
                except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
                    _log.warning("recovery.not_looked_at", error=type(exc).__name__, code=getattr(exc, "code", None))

    def _is_open(self, space_id: SpaceId, channel_id: ChannelId) -> bool:
        """Whether Hathi may read the channel; so too where the cache does not know it."""
        guild = self._client.get_guild(space_id)
        place = None if guild is None else guild.get_channel_or_thread(channel_id)
        return place is None or can_read(place)
