"""Caches the names each space knows (people, channels, rooms, topics), by what the asker may see."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.db import statements
from bot.db.pool import Database
from bot.domain import Caller, SpaceId
from bot.language.past import space_names
from bot.language.past.space_names import Names

KEPT_FOR: Final = timedelta(seconds=30)
"""What another process learns is known here no later."""
KEPT: Final = 500
"""Indexes kept, one for each audience of a space; the one asked for longest ago makes room."""
KEPT_NAMES: Final = 250_000
"""Names in all of them together."""
MEMORIES: Final = 20_000
"""The newest memories of a space whose topics and subjects are read."""

PERSON: Final = 1
"""The kind of name that is somebody's."""

_Key = tuple[SpaceId, frozenset[int]]


class Sql:
    """Statements that read names."""

    names: Final = statements.named("known_names.names")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The names of one space."""

    names: Names
    people: tuple[str, ...] = ()
    """Members, by the names they have or had."""
    community: tuple[str, ...] = ()
    """Channels, rooms, topics and subjects."""
    read_at: datetime | None = None


class KnownNames:
    """Names of people, channels, rooms, topics and subjects."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self._kept: OrderedDict[_Key, Known] = OrderedDict()
        self._edits = 0

    async def of(self, caller: Caller) -> Names:
        """The names of the caller's space that everyone in their channel may see. Raises `DatabaseDown`."""
        return (await self.known(caller)).names

    async def known(self, caller: Caller) -> Known:
        """The same names, and who and what they refer to.

        At most 30 seconds old, and never older than what this process has changed. Raises `DatabaseDown`.
        """
        key = (caller.space_id, frozenset(caller.visible))
        now = self._clock()
        kept = self._kept.get(key)
        if kept is not None and kept.read_at is not None and timedelta() <= now - kept.read_at < KEPT_FOR:
            self._kept.move_to_end(key)
            return kept
        changes = self._edits
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.names, caller.space_id, [*caller.visible], space_names.MOST, MEMORIES)
        known = Known(
            # Of thousands of names: nobody else waits for it.
            names=await asyncio.to_thread(lambda: Names(row["name"] for row in found)),
            people=tuple(row["name"] for row in found if row["kind"] == PERSON),
            community=tuple(row["name"] for row in found if row["kind"] != PERSON),
            read_at=now,
        )
        # What changed while it was read may not be in it.
        if changes == self._edits:
            self._keep(key, known)
        return known

    def forget(self, space_id: SpaceId) -> None:
        """Drops the cached names of the space, since something in it has changed."""
        self._edits += 1
        for key in [key for key in self._kept if key[0] == space_id]:
            del self._kept[key]

    def _keep(self, key: _Key, index: Known) -> None:
        self._kept[key] = index
        self._kept.move_to_end(key)
        total = sum(len(kept.names) for kept in self._kept.values())
        while len(self._kept) > KEPT or (total > KEPT_NAMES and len(self._kept) > 1):
            _, dropped = self._kept.popitem(last=False)
            total -= len(dropped.names)
