"""Order in and between channels: an intake lock (doors), an answer queue (lanes), one gate for all (turnstile).

Messages pass them in this order: the channel's door, the turnstile, then, for questions, the channel's lane.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Final

from bot import errors
from bot.domain import ChannelId, SpaceId

MOST_WAITING: Final = 20
ALONE_FOR: Final = timedelta(milliseconds=50)
"""How long one that passes the turnstile holds up the next."""


class Lanes:
    """A queue of answers for each channel; it exists only while somebody is in it."""

    def __init__(self) -> None:
        self._locks: dict[tuple[SpaceId, ChannelId], asyncio.Lock] = {}
        self._waiting: dict[tuple[SpaceId, ChannelId], int] = {}

    @contextlib.asynccontextmanager
    async def place(self, space_id: SpaceId, channel_id: ChannelId) -> AsyncGenerator[None]:
        """The caller's place in the channel's queue. Raises `ChannelBusy` behind 20 others."""
        key = (space_id, channel_id)
        lock = self._locks.setdefault(key, asyncio.Lock())
        if self._waiting.get(key, 0) > MOST_WAITING:
            raise errors.ChannelBusy
        self._waiting[key] = self._waiting.get(key, 0) + 1
        try:
            # asyncio.Lock wakes waiters in the order they came.
            async with lock:
                yield
        finally:
            self._waiting[key] -= 1
            if not self._waiting[key]:
                del self._waiting[key], self._locks[key]


class Doors:
    """A lock for each channel, held while an event is taken in; it exists only while in use."""

    def __init__(self) -> None:
        self._locks: dict[int, asyncio.Lock] = {}
        self._passing: dict[int, int] = {}

    @contextlib.asynccontextmanager
    async def through(self, channel_id: int) -> AsyncGenerator[None]:
        """Holds the channel's lock, first come first served: tasks begin as their events arrived."""
        lock = self._locks.setdefault(channel_id, asyncio.Lock())
        self._passing[channel_id] = self._passing.get(channel_id, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._passing[channel_id] -= 1
            if not self._passing[channel_id]:
                del self._passing[channel_id], self._locks[channel_id]


class Turnstile:
    """Admits one task at a time, in order of arrival; a slow one does not hold up the next for long.

    Hundreds admitted at once would stand ahead of work in progress in every later queue, such as that for connections.
    """

    def __init__(self, alone_for: timedelta = ALONE_FOR) -> None:
        self._alone_for = alone_for.total_seconds()
        self._free = asyncio.Semaphore(1)

    @contextlib.asynccontextmanager
    async def through(self) -> AsyncGenerator[None]:
        """Admits the next task when this block ends, or has had its time alone."""
        await self._free.acquire()
        alone = contextlib.ExitStack()
        alone.callback(self._free.release)
        late = asyncio.get_running_loop().call_later(self._alone_for, alone.close)
        try:
            yield
        finally:
            late.cancel()
            alone.close()
