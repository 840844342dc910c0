"""Tells people whose questions are too many, in one edited notice for each channel."""

import asyncio
import contextlib
from datetime import timedelta
from typing import Final

import aiohttp
import discord

from bot import errors
from cogs.access.callers import Channel
from cogs.send import reply_reference

TOLD_EVERY: Final = timedelta(seconds=5)
"""Between two edits of a notice; those turned away meanwhile are counted."""


class OverloadNotice:
    """One notice for each channel, edited as more questions are turned away."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    async def turned_away(self, channel: Channel, asked: discord.MessageReference) -> None:
        """Tells the author that their question was not taken; many authors are told together, by number."""
        channel_id = channel.id
        if channel_id in self._counts:
            self._counts[channel_id] += 1
            return
        self._counts[channel_id] = told = 1
        try:
            with contextlib.suppress(discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError):
                notice = await reply_reference.send(channel, str(errors.ChannelBusy()), asked)
                while True:
                    await asyncio.sleep(TOLD_EVERY.total_seconds())
                    if self._counts[channel_id] == told:
                        return
                    told = self._counts[channel_id]
                    await notice.edit(content=f"{errors.ChannelBusy()} That concerns {told} questions until now.")
        finally:
            del self._counts[channel_id]
