"""Counts what making memory costs each space in a day, over all processes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from bot.db import statements
from bot.db.pool import Database
from bot.domain import SpaceId

KEEP_DAYS: Final = timedelta(days=30)


class Sql:
    """Statements of what memory costs."""

    begin: Final = statements.named("memory_use.begin")
    add_tokens: Final = statements.named("memory_use.add_tokens")
    spent: Final = statements.named("memory_use.spent")
    of_day: Final = statements.named("memory_use.of_day")
    forget_old: Final = statements.named("memory_use.forget_old")


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """What was used in a space on one day."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.tokens_in + self.tokens_out


class MemoryUse:
    """Counts calls and tokens, each in a short statement: no connection is held while a model works."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, space_id: SpaceId, day: date, *, within: tuple[int, int] | None) -> bool:
        """Counts a call about to be made; false, and none is counted, where so many calls or tokens are used up."""
        calls, tokens = within or (None, None)
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.begin, space_id, day, calls, tokens) is not None

    async def add_tokens(self, space_id: SpaceId, day: date, tokens_in: int, tokens_out: int) -> None:
        """Adds what a call that began on this day has used."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.add_tokens, space_id, day, tokens_in, tokens_out)

    async def is_first_refusal(self, space_id: SpaceId, day: date, *, now: datetime) -> bool:
        """Whether nobody was refused a call on this day before; records that somebody is."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.spent, space_id, day, now) is not None

    async def of_day(self, space_id: SpaceId, day: date) -> Used:
        """What was used in the space on a day."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.of_day, space_id, day)
        return Used(**dict(row or {}))

    async def forget_old(self, spaces: Sequence[SpaceId], *, now: datetime) -> None:
        """Deletes the days of these spaces that are 30 days ago."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.forget_old, [*spaces], day_of(now) - KEEP_DAYS)


def day_of(at: datetime) -> date:
    """The day a budget is for."""
    return at.astimezone(UTC).date()


def next_day(at: datetime) -> datetime:
    """When the next one begins."""
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
