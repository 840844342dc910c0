"""Queues edits and deletions while the database is away."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeAlias

from bot import errors, log
from bot.domain import ChannelId
from bot.infra.ordering import Doors

_log = log.logger(__name__)

Change: TypeAlias = Callable[[], Awaitable[None]]
"""What follows it in memory; it may be begun again, and raises `DatabaseDown` where that is to be done."""
MOST: Final = 10_000
"""Changes that wait, of all channels together; of a channel with more its history has to be looked through."""
AGAIN_AFTER: Final = 1.0
"""Seconds until a database that is away is asked again."""


class Backlog:
    """Waiting changes by channel, in order; held in memory only, so they are lost with the process."""

    def __init__(self, spawn: Callable[[Coroutine[Any, Any, None]], None], doors: Doors) -> None:
        self._spawn = spawn
        self._doors = doors
        self._waiting: dict[ChannelId, deque[Change]] = {}
        self._count = 0

    def holds(self, channel_id: ChannelId) -> bool:
        """Whether changes of the channel wait; later ones must queue behind them."""
        return channel_id in self._waiting

    def add(self, channel_id: ChannelId, change: Change) -> bool:
        """Queues a change; false when there is no room."""
        if self._count >= MOST:
            return False
        if not self._waiting:
            self._spawn(self._follow())
        self._waiting.setdefault(channel_id, deque()).append(change)
        self._count += 1
        return True

    async def _follow(self) -> None:
        while self._waiting:
            await asyncio.sleep(AGAIN_AFTER)
            for channel_id in [*self._waiting]:
                try:
                    await self._follow_all(channel_id)
                except errors.DatabaseDown:
                    # Next time another channel comes first: one whose changes take too long keeps none of the others.
                    self._waiting[channel_id] = self._waiting.pop(channel_id)
                    break
        _log.info("changes.followed")

    async def _follow_all(self, channel_id: ChannelId) -> None:
        while channel_id in self._waiting:
            # Through the door one by one: what is said now in the channel does not wait for all of them.
            async with self._doors.through(channel_id):
                waiting = self._waiting[channel_id]
                try:
                    await waiting[0]()
                except errors.DatabaseDown:
                    raise
                except Exception:  # noqa: BLE001 - one that can't be followed at all keeps none of the others
                    _log.exception("changes.failed")
                waiting.popleft()
                self._count -= 1
                if not waiting:
                    del self._waiting[channel_id]
