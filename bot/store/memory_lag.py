"""Tells how much was said that is not yet in memory: in somebody's channels, and where this process looked last."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.db import statements
from bot.db.pool import Database
from bot.domain import Caller, SpaceId
from bot.store import tallies

MOST: Final = 20_000
"""Spaces that are remembered; the one looked at longest ago is dropped for a new one."""
PLACES: Final = 100
"""Of a channel and its threads, those that are looked at: where something was said last."""
LOOKED_WITHIN: Final = timedelta(hours=2)
"""A space is looked at hourly; by another process, where this one did not for so long."""


class Sql:
    """Statements that count it."""

    here: Final = statements.named("memory_lag.here")
    of_spaces: Final = statements.named("memory_lag.of_spaces")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lag:
    """What waits to become memory."""

    messages: int
    channels: int
    is_least: bool
    """Whether there may be more: of each channel only so many threads are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    messages: int
    oldest_at: datetime
    looked_at: datetime


class MemoryLag:
    """Counts messages that are in no chunk yet, but not those that will be in none."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self._seen: OrderedDict[SpaceId, _Seen] = OrderedDict()

    async def of(self, caller: Caller) -> Lag:
        """What waits in the channels they see."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.here, caller.space_id, tallies.channels(caller), PLACES)
        assert row is not None
        return Lag(messages=row["messages"], channels=row["channels"], is_least=row["is_least"])

    async def look(self, spaces: Sequence[SpaceId]) -> None:
        """Remembers what waits in these spaces, for `messages` and `waits_for`."""
        now = self._clock()
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.of_spaces, [*spaces])
        for space_id in spaces:
            self._seen.pop(space_id, None)
        for row in found:
            self._seen[SpaceId(row["space_id"])] = _Seen(
                messages=row["messages"], oldest_at=row["oldest_at"], looked_at=now
            )
        while len(self._seen) > MOST:
            self._seen.popitem(last=False)

    @property
    def messages(self) -> int:
        """How many waited in all spaces this process looked at of late."""
        return sum(seen.messages for seen in self._lately())

    @property
    def waits_for(self) -> timedelta:
        """For how long the oldest of them waits by now."""
        now = self._clock()
        return max((now - seen.oldest_at for seen in self._lately()), default=timedelta(0))

    def _lately(self) -> list[_Seen]:
        since = self._clock() - LOOKED_WITHIN
        return [seen for seen in self._seen.values() if seen.looked_at > since]
