"""Tells people whose questions are too many, in one edited notice for each channel, or for each of them."""

import asyncio
import contextlib
from datetime import timedelta
from typing import Final

import aiohttp
import discord

from bot import catalogue, errors
from bot.domain import PersonId
from cogs.access.callers import Channel
from cogs.send import reply_reference

TOLD_EVERY: Final = timedelta(seconds=5)
"""Between two edits of a notice; those turned away meanwhile are counted."""


class OverloadNotice:
    """One notice for each channel, edited as more questions are turned away; for one person's share, one for them."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, PersonId | None], int] = {}

    async def turned_away(
        self, channel: Channel, author: PersonId, asked: discord.MessageReference | None, why: errors.ChannelBusy
    ) -> None:
        """Tells the author that their question was not taken.

        Of a channel that is full many authors are told together, by number.
        """
        key = (channel.id, author if isinstance(why, errors.ShareTaken) else None)
        if key in self._counts:
            self._counts[key] += 1
            return
        self._counts[key] = told = 1
        reason = catalogue.gettext(str(why))
        try:
            with contextlib.suppress(discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError):
                notice = await reply_reference.send(channel, reason, asked)
                while True:
                    await asyncio.sleep(TOLD_EVERY.total_seconds())
                    if self._counts[key] == told:
                        return
                    told = self._counts[key]
                    words = catalogue.ngettext(
                        "{reason} That concerns {count} question until now.",
                        "{reason} That concerns {count} questions until now.",
                        told,
                    )
                    await notice.edit(content=words.format(reason=reason, count=told))
        finally:
            del self._counts[key]
