"""Checks, a day after something was erased, whether anything of it is left in any table, by ids alone."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from bot import log
from bot.db import statements
from bot.db.pool import Database
from bot.domain import SpaceId
from bot.infra.metrics import Metrics

_log = log.logger(__name__)

CHECKED_AFTER: Final = timedelta(days=1)
NOTED_FOR: Final = timedelta(days=2)
"""How long the ids of what was erased, and of what told of it on Discord, are remembered."""
AT_ONCE: Final = 100
"""Erasures that are looked up in a row; a large one is many."""


class Sql:
    """The statements that look for what is left."""

    due: Final = statements.named("erasure.due")
    residue: Final = statements.named("erasure.residue")
    checked: Final = statements.named("erasure.checked")
    tidy: Final = statements.named("erasure.tidy")
    tidy_standing: Final = statements.named("standing_reply.tidy")


class ResidueCheck:
    """Looks for what should be gone, tells log and metrics, and forgets the ids after two days."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._metrics = metrics

    async def check(self, spaces: Sequence[SpaceId], *, now: datetime) -> int:
        """Looks after what was erased in these spaces a day ago; how many rows of it are left."""
        left = Counter[str]()
        while found := await self._batch(spaces, now):
            for counts in found:
                left += counts
        async with self._database.connection() as connection:
            await connection.execute(Sql.tidy, [*spaces], now - NOTED_FOR)
            await connection.execute(Sql.tidy_standing, [*spaces], now - NOTED_FOR)
        self._metrics.residue_found(left)
        return left.total()

    async def _batch(self, spaces: Sequence[SpaceId], now: datetime) -> list[Counter[str]]:
        """What is left of each of the next erasures that are due; none where no more are."""
        counts: list[Counter[str]] = []
        async with self._database.connection() as connection:
            for due in await connection.fetch(Sql.due, [*spaces], now - CHECKED_AFTER, AT_ONCE):
                space_id = SpaceId(due["space_id"])
                rows = await connection.fetch(Sql.residue, space_id, due["messages"], due["memories"])
                left = Counter({row["held_in"]: row["count"] for row in rows if row["count"]})
                if left:
                    _log.error("erasure.residue", space_id=space_id, erasure_id=due["erasure_id"], left=dict(left))
                await connection.execute(Sql.checked, space_id, due["erasure_id"], now)
                counts.append(left)
        return counts
