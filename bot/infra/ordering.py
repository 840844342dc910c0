"""Order in and between channels: an intake lock (doors), an answer queue (lanes), one gate for all (turnstile).

Messages pass them in this order: the channel's door, the turnstile, then, for questions, the channel's lane.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from bot import errors
from bot.domain import ChannelId, PersonId, SpaceId

MOST_WAITING: Final = 20
SHARE: Final = 3
"""Of those waiting in a channel, the most of one person."""
ALONE_FOR: Final = timedelta(milliseconds=50)
"""How long one that passes the turnstile holds up the next."""


@dataclass(slots=True)
class _Lane:
    """A channel's queue, and whose questions wait in it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: Counter[PersonId] = field(default_factory=Counter[PersonId])

    @contextlib.asynccontextmanager
    async def turn(self, person_id: PersonId) -> AsyncGenerator[None]:
        """Waits for the person's turn, and holds up the next while it lasts."""
        self.waiting[person_id] += 1
        try:
            # asyncio.Lock wakes waiters in the order they came.
            await self.lock.acquire()
        finally:
            self.waiting[person_id] -= 1
        try:
            yield
        finally:
            self.lock.release()


class Lanes:
    """A queue of answers for each channel; it exists only while somebody is in it."""

    def __init__(self) -> None:
        self._lanes: dict[tuple[SpaceId, ChannelId], _Lane] = {}

    def is_free(self, space_id: SpaceId, channel_id: ChannelId) -> bool:
        """Whether nobody is in the channel's queue."""
        return (space_id, channel_id) not in self._lanes

    @contextlib.asynccontextmanager
    async def place(self, space_id: SpaceId, channel_id: ChannelId, person_id: PersonId) -> AsyncGenerator[None]:
        """The person's place in the channel's queue.

        Raises `ChannelBusy` behind 20 that wait, and `ShareTaken` where three of them are the person's own.
        """
        key = (space_id, channel_id)
        lane = self._lanes.setdefault(key, _Lane())
        if lane.waiting[person_id] >= SHARE:
            raise errors.ShareTaken
        if lane.waiting.total() >= MOST_WAITING:
            raise errors.ChannelBusy
        try:
            async with lane.turn(person_id):
                yield
        finally:
            if not (lane.lock.locked() or lane.waiting.total()):
                del self._lanes[key]


class Doors:
    """A door for each channel or person, through which so many go at a time; it exists only while in use."""

    def __init__(self, wide: int = 1) -> None:
        self._wide = wide
        self._doors: dict[int, asyncio.Semaphore] = {}
        self._passing = Counter[int]()

    def is_used(self, whose: int) -> bool:
        """Whether anything goes through that door, or waits to."""
        return whose in self._doors

    @contextlib.asynccontextmanager
    async def through(self, whose: int) -> AsyncGenerator[None]:
        """Holds a place in that door, first come first served: tasks begin as their events arrived."""
        door = self._doors.setdefault(whose, asyncio.Semaphore(self._wide))
        self._passing[whose] += 1
        try:
            async with door:
                yield
        finally:
            self._passing[whose] -= 1
            if not self._passing[whose]:
                del self._passing[whose], self._doors[whose]


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
