"""The files of messages that were recorded: fetched from Discord in the background, and handed over to be read."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

import aiohttp
import discord

from bot import log
from bot.client import Services
from bot.domain import MessageId, SpaceId
from bot.memory.attachments import MOST, File

_log = log.logger(__name__)

AT_ONCE: Final = 4
"""Messages whose files are fetched together; those of one message come one after the other."""
MOST_WAITING: Final = 100
"""Messages whose files wait to be fetched; the files of any more are not read."""
FETCHED_WITHIN: Final = timedelta(seconds=20)


class AttachmentTexts:
    """Fetches; whatever becomes of a file, its message is recorded and answered all the same."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    def fetch(self, space_id: SpaceId, message: discord.Message) -> None:
        """Have the first five files of a message read that was just recorded; returns at once."""
        self._fetch(space_id, message, message.attachments[:MOST])

    async def follow(self, space_id: SpaceId, message: discord.Message) -> None:
        """Erase what a recorded message has no more since an edit, and have read what is new. Raises `DatabaseDown`."""
        kept, message_id = message.attachments[:MOST], MessageId(message.id)
        await self._services.attachments.keep_only(space_id, message_id, [file.id for file in kept])
        if kept:
            known = await self._services.attachments.known(space_id, message_id)
            self._fetch(space_id, message, [file for file in kept if file.id not in known])

    def _fetch(self, space_id: SpaceId, message: discord.Message, files: Sequence[discord.Attachment]) -> None:
        if not files:
            return
        if self._waiting >= MOST_WAITING:
            _log.warning("attachment.too_many", message_id=message.id, files=len(files))
            return
        self._waiting += 1
        over = self._services.attachments.arrive(space_id, MessageId(message.id))
        self._services.spawn(self._read_all(space_id, MessageId(message.id), files, over))

    async def _read_all(
        self, space_id: SpaceId, message_id: MessageId, files: Sequence[discord.Attachment], over: Callable[[], None]
    ) -> None:
        try:
            async with self._gate:
                for file in files:
                    came = await _fetched(file)
                    await self._services.attachments.save(space_id, message_id, came, now=self._services.clock())
        finally:
            self._waiting -= 1
            over()


async def _fetched(file: discord.Attachment) -> File:
    """The file with its bytes, where it is worth them and Discord gives them."""
    came = File(attachment_id=file.id, name=file.filename, content_type=file.content_type, size=file.size)
    if not came.is_wanted:
        return came
    try:
        async with asyncio.timeout(FETCHED_WITHIN.total_seconds()):
            data = await file.read()
    except (discord.HTTPException, aiohttp.ClientError, OSError) as exc:
        _log.warning("attachment.not_fetched", attachment_id=file.id, cause=type(exc).__name__)
        return came
    return replace(came, data=data)
