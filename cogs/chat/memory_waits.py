"""Tells whoever asked that the database takes long, in the message that becomes the answer."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

import discord

from bot import catalogue, errors, log
from bot.db import waits
from bot.domain import MessageId
from cogs.access.callers import Channel
from cogs.send.message_requests import MessageRequests
from cogs.send.placeholders import WAITING
from cogs.send.streaming_reply import StreamingReply

_log = log.logger(__name__)

TOLD_AFTER: Final = timedelta(seconds=10)
"""How long the database is waited for in silence."""


class MemoryWait:
    """One message that is taken in and answered; its author is told, if `may_tell` says so by then."""

    def __init__(self, message: discord.Message, may_tell: Callable[[], bool]) -> None:
        self._message = message
        self._may_tell = may_tell
        self._wait = waits.Wait()
        self._requests: MessageRequests | None = None
        """The message that tells it, until a reply takes it over."""
        self._reply: StreamingReply | None = None
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def going_on(self) -> AsyncGenerator[None]:
        """The block in which it is taken in and answered; what was told and became nothing is taken back."""
        self._timer = asyncio.get_running_loop().call_later(TOLD_AFTER.total_seconds(), self._look)
        try:
            with waits.watched(self._wait):
                yield
        finally:
            self._timer.cancel()
            await self._take_back()

    @property
    def is_told(self) -> bool:
        """Whether its author was told, and by nothing else yet."""
        return self._requests is not None or (self._reply is not None and self._reply.is_waiting)

    async def goes_on(self, reply: StreamingReply, channel: Channel) -> None:
        """From here on a reply is written in a channel: what was told becomes it, or goes where it stands elsewhere."""
        if self._requests is not None and channel.id == self._message.channel.id:
            reply.take_over(self._requests)
            self._requests = None
        await self._take_back()
        self._reply = reply

    async def becomes(self, sentence: str) -> bool:
        """Puts what went wrong in the place of what was told; false where nothing was, or it can't be changed."""
        try:
            if self._reply is not None:
                return await self._reply.becomes(sentence)
            if self._requests is None:
                return False
            requests, self._requests = self._requests, None
            await requests.become([sentence])
        except errors.DiscordError as exc:
            _log.warning("wait.not_told", error=type(exc).__name__)
            return False
        return True

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        since = self._wait.since
        due = (loop.time() if since is None else since) + TOLD_AFTER.total_seconds()
        if due > loop.time():
            self._timer = loop.call_at(due, self._look)
        elif self._reply is not None:
            self._reply.announce(catalogue.gettext(WAITING))
        elif self._may_tell():
            channel, message_id = self._message.channel, MessageId(self._message.id)
            to = self._message.to_reference(fail_if_not_exists=False)
            self._requests = MessageRequests(channel, message_id, to, is_claimed=False)
            told = [catalogue.gettext(WAITING)]
            self._requests.write(0, lambda: told).add_done_callback(_noted)

    async def _take_back(self) -> None:
        requests, self._requests = self._requests, None
        if requests is not None:
            try:
                await requests.take_back()
            except errors.DiscordError as exc:
                _log.warning("wait.not_taken_back", error=type(exc).__name__)


class MemoryWaits:
    """The messages that are taken in or answered right now."""

    def __init__(self) -> None:
        self._waits: dict[int, MemoryWait] = {}

    @asynccontextmanager
    async def over(self, message: discord.Message, may_tell: Callable[[], bool]) -> AsyncGenerator[MemoryWait]:
        """A block in which a message is taken in and answered."""
        wait = self._waits[message.id] = MemoryWait(message, may_tell)
        try:
            async with wait.going_on():
                yield wait
        finally:
            del self._waits[message.id]

    def of(self, message_id: int) -> MemoryWait | None:
        """That of a message, if it is at work here."""
        return self._waits.get(message_id)


def _noted(request: asyncio.Task[None]) -> None:
    if not request.cancelled() and (failure := request.exception()) is not None:
        _log.warning("wait.not_told", error=type(failure).__name__)
