"""Caches the last messages of the channels Hathi was asked in lately, kept up to date by gateway events."""

import asyncio
import collections
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import aiohttp
import discord
from discord.ext import commands

from bot import errors, log
from bot.connection.client import Client, ServingCog
from bot.text import notices
from cogs.access.callers import Channel
from cogs.access.permissions import can_refer
from cogs.text import message_words

_log = log.logger(__name__)

MOST: Final = 50
"""Messages held of a channel, and read of it at once."""
CHANNELS: Final = 200
"""Channels that are followed; the one asked in longest ago is let go."""
CHANGES: Final = 10_000
"""Messages of which it is known that they were deleted or edited since they may have been read; the last ones."""
READ_WITHIN: Final = timedelta(seconds=2)


class RecentMessages(ServingCog):
    """Caches messages of people and other bots, and Hathi's messages that say a conversation was cleared."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._held: collections.OrderedDict[int, dict[int, discord.Message]] = collections.OrderedDict()
        self._reading: dict[int, asyncio.Task[None]] = {}
        self._changed: collections.OrderedDict[int, float] = collections.OrderedDict()
        """When messages were deleted or edited, in monotonic seconds."""

    def wants(self, data: Mapping[str, Any]) -> bool:
        """Whether a message by a bot is to be received at all."""
        if int(data["channel_id"]) not in self._held:
            return False
        return int(data["author"]["id"]) != self._me or notices.ends_conversation(message_words.read_raw(data))

    async def before(self, channel: Channel, message_id: int, limit: int) -> Sequence[discord.Message]:
        """The channel's last messages before one, oldest first, back to where it was last cleared.

        Empty where the history may not be read, or can't be in two seconds.
        """
        if limit <= 0 or not can_refer(channel):
            return ()
        await self._follow(channel, message_id)
        held = self._held.get(channel.id, {})
        if held:
            self._held.move_to_end(channel.id)
        found: list[discord.Message] = []
        for key in sorted((key for key in held if key < message_id), reverse=True):
            if held[key].author.id == self._me:
                # Only where it was cleared: what stands before is of another conversation.
                break
            found.append(held[key])
            if len(found) == limit:
                break
        return found[::-1]

    def find(self, channel: Channel, message_id: int) -> discord.Message | None:
        """One message, if it is cached."""
        return self._held.get(channel.id, {}).get(message_id)

    def changed_at(self, message_id: int) -> float:
        """When the message was deleted or edited, in monotonic seconds; 0 where that is not known."""
        return self._changed.get(message_id, 0.0)

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Hold what is said where Hathi was asked."""
        held = self._held.get(message.channel.id)
        if held is not None:
            held[message.id] = message
            self._bound(held)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Hold what it says now; links that Discord has unfolded in it are none of it."""
        held = self._held.get(payload.channel_id, {})
        if payload.message_id in held:
            held[payload.message_id] = payload.message
        if payload.message.edited_at is not None:
            self._note_changed([payload.message_id])

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """One message is gone."""
        self._delete(payload.channel_id, [payload.message_id])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many are gone at once."""
        self._delete(payload.channel_id, sorted(payload.message_ids))

    @commands.Cog.listener()
    async def on_shard_ready(self, _shard_id: int) -> None:
        """A session has begun in which Discord does not tell what happened before it."""
        self._held.clear()

    async def _follow(self, channel: Channel, before: int) -> None:
        """Waits until the channel is followed, or can't be; it is read once, however many ask at a time."""
        reading = self._reading.get(channel.id)
        if reading is None:
            if channel.id in self._held:
                return
            reading = self._reading[channel.id] = asyncio.create_task(self._read(channel, before))
            reading.add_done_callback(lambda _: self._reading.pop(channel.id, None))
        await asyncio.shield(reading)

    async def _read(self, channel: Channel, before: int) -> None:
        """Reads the channel's last messages, and follows it from there."""
        held = self._held[channel.id] = dict[int, discord.Message]()
        while len(self._held) > CHANNELS:
            self._held.popitem(last=False)
        try:
            async with asyncio.timeout(READ_WITHIN.total_seconds()):
                # With the question itself, which came before the channel was followed: the next one may point to it.
                async for message in channel.history(limit=MOST, before=discord.Object(before + 1)):
                    if message.author.id != self._me or notices.ends_conversation(message_words.read(message)):
                        # Not what was deleted or edited while it was read.
                        held.setdefault(message.id, message)
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError, TimeoutError) as exc:
            _log.info("recent.not_read", error=type(exc).__name__)
            self._held.pop(channel.id, None)
            return
        for key in held.keys() & self._changed.keys():
            if held[key].edited_at is None:
                del held[key]
        self._bound(held)

    def _delete(self, channel_id: int, ids: Sequence[int]) -> None:
        held = self._held.get(channel_id, {})
        for message_id in ids:
            held.pop(message_id, None)
        self._note_changed(ids)

    def _note_changed(self, ids: Sequence[int]) -> None:
        self._changed |= dict.fromkeys(ids, time.monotonic())
        while len(self._changed) > CHANGES:
            self._changed.popitem(last=False)

    @staticmethod
    def _bound(held: dict[int, discord.Message]) -> None:
        while len(held) > MOST:
            del held[min(held)]

    @property
    def _me(self) -> int:
        return self._client.user.id if self._client.user else 0
