"""Notes which servers Hathi was removed from, and erases them when they did not come back."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot import log
from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import SpaceId
from bot.lifecycle.space_erasure import SpaceErasure
from bot.store.learnings import Why

_log = log.logger(__name__)

KEPT: Final = timedelta(days=30)
"""How long everything stays of a server that removed Hathi: somebody may have erred, or change their mind."""
APART: Final = timedelta(days=1)
"""Between the two times that Discord does not name a server, from which on it is taken to be gone."""
AT_ONCE: Final = 100


class Sql:
    """The statements about servers that come and go."""

    present: Final = statements.named("departure.present")
    left: Final = statements.named("departure.left")
    absent: Final = statements.named("departure.absent")
    due: Final = statements.named("departure.due")
    stop_learning: Final = statements.named("learning.stop_all")
    close_sessions: Final = statements.named("learning.close_all")


class Departures:
    """Which servers are gone, and since when."""

    def __init__(self, database: Database, erasure: SpaceErasure) -> None:
        self._database = database
        self._erasure = erasure

    async def left(self, space_id: SpaceId, *, now: datetime) -> None:
        """Discord told that Hathi was removed from the server, or that the server was deleted."""
        async with self._database.connection() as connection:
            await _stop_learning(connection, space_id, now)
            if await connection.fetchval(Sql.left, space_id, now) is not None:
                _log.info("space.gone", space_id=space_id)

    async def came_back(self, space_id: SpaceId) -> None:
        """Hathi is in the server, again or still."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.present, [space_id])

    async def named(self, servers: Collection[SpaceId], *, shard: int, shards: int, now: datetime) -> None:
        """Discord named all servers of a shard, those with an outage among them: gone is what it leaves out twice."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.present, [*servers])
            found = await connection.fetch(Sql.absent, [*servers], shard, shards, now, now - APART)
            for row in found:
                if row["gone_at"] is not None:
                    await _stop_learning(connection, row["space_id"], now)
        for row in found:
            _log.info("space.missed", space_id=row["space_id"], is_gone=row["gone_at"] is not None)

    async def erase_due(self, *, now: datetime) -> int:
        """Erases the servers that have been gone for 30 days; returns how many."""
        erased = 0
        while spaces := await self._due(now - KEPT):
            for space_id in spaces:
                erased += await self._erasure.remove(space_id, gone_before=now - KEPT)
        return erased

    async def _due(self, before: datetime) -> Sequence[SpaceId]:
        async with self._database.connection() as connection:
            return [SpaceId(row["space_id"]) for row in await connection.fetch(Sql.due, before, AT_ONCE)]


async def _stop_learning(connection: Connection, space_id: SpaceId, now: datetime) -> None:
    """Reads nothing more of its channels, should Hathi come back."""
    await connection.execute(Sql.stop_learning, space_id, Why.CLOSED)
    await connection.execute(Sql.close_sessions, space_id, now)


def kept_until(gone: Mapping[SpaceId, datetime], space_id: SpaceId) -> datetime | None:
    """Until when what is kept of a server stays; none where Hathi is in it."""
    return gone[space_id] + KEPT if space_id in gone else None
