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
"""Applies one edit or deletion to memory; raises `DatabaseDown` where it is to be tried again."""
MOST: Final = 10_000
"""Changes that may wait, of all channels together; beyond that a channel's history has to be compared."""
AGAIN_AFTER: Final = 1.0
"""Seconds until a database that is away is asked again."""


class Backlog:
    """Waiting changes by channel, in order; held in memory only, so they are lost with the process."""

    def __init__(self, spawn: Callable[[Coroutine[Any, Any, None]], None], doors: Doors) -> None:
        self._spawn = spawn
        self._doors = doors
        self._waiting: dict[ChannelId, deque[Change]] = {}
        self.count = 0
        """How many wait, of all channels together."""

    def holds(self, channel_id: ChannelId) -> bool:
        """Whether changes of the channel wait; later ones must queue behind them."""
        return channel_id in self._waiting

    def add(self, channel_id: ChannelId, change: Change) -> bool:
        """Queues a change; false when there is no room."""
        if self.count >= MOST:
            return False
        if not self._waiting:
            self._spawn(self._apply_waiting())
        self._waiting.setdefault(channel_id, deque()).append(change)
        self.count += 1
        return True

    async def _apply_waiting(self) -> None:
        while self._waiting:
            await asyncio.sleep(AGAIN_AFTER)
            for channel_id in [*self._waiting]:
                try:
                    await self._apply_all(channel_id)
                except errors.DatabaseDown:
                    # Another channel comes first next time: one whose changes take too long must not block the others.
                    self._waiting[channel_id] = self._waiting.pop(channel_id)
                    break
        _log.info("changes.followed")

    async def _apply_all(self, channel_id: ChannelId) -> None:
        while channel_id in self._waiting:
            # Through the door one by one: a new message in the channel does not wait for all of them.
            async with self._doors.through(channel_id):
                waiting = self._waiting[channel_id]
                try:
                    await waiting[0]()
                except errors.DatabaseDown:
                    raise
                except Exception:  # noqa: BLE001 - one that can never be applied must not hold up the others
                    _log.exception("changes.failed")
                waiting.popleft()
                self.count -= 1
                if not waiting:
                    del self._waiting[channel_id]
