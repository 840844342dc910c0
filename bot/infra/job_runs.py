"""Claims each time slot of a periodic job once over all processes, and stores its outcome."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, LiteralString

import asyncpg
import tenacity

from bot.db import statements
from bot.db.pool import Database, affected
from bot.domain import SpaceId, WorkerId, new_id
from bot.infra import leases

KEEP_RUNS: Final = timedelta(days=30)
HELD_AT_MOST: Final = timedelta(hours=3)
"""After which a run that has not ended is taken for one of a dead worker. Each can be done twice."""
DEADLOCKS: Final = 5
"""Times that a batch is tried."""
BATCH: Final = 1000
"""Rows that go in one statement."""


class Sql:
    """Statements of jobs."""

    claim: Final = statements.named("job.claim")
    held_by: Final = statements.named("job.held_by")
    take_over: Final = statements.named("job.take_over")
    finish: Final = statements.named("job.finish")
    release: Final = statements.named("job.release")
    last_runs: Final = statements.named("job.last_runs")
    forget_old: Final = statements.named("job.forget_old")
    old_messages: Final = statements.named("job.old_messages")
    old_turns: Final = statements.named("job.old_turns")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRun:
    """The last run of one job."""

    job: str
    started_at: datetime
    finished_at: datetime | None
    outcome: str | None


class Jobs:
    """Claims job slots on behalf of one worker."""

    def __init__(self, database: Database, worker: WorkerId) -> None:
        self._database = database
        self._worker = worker

    async def claim(self, job: str, slot: datetime, *, now: datetime) -> bool:
        """Whether this worker is the one to run the job for this slot, which nobody alive is at."""
        async with self._database.connection() as connection:
            if await connection.fetchval(Sql.claim, job, slot, self._worker, now) is not None:
                return True
            held = await connection.fetchrow(Sql.held_by, job, slot)
            if held is None or not (leases.certainly_gone(held["worker"]) or now - held["started_at"] > HELD_AT_MOST):
                return False
            seen = held["worker"], held["started_at"]
            return await connection.fetchval(Sql.take_over, job, slot, *seen, self._worker, now) is not None

    async def is_held(self, job: str, slot: datetime) -> bool:
        """Whether the job was begun for this slot and not finished yet."""
        async with self._database.connection() as connection:
            return await connection.fetchrow(Sql.held_by, job, slot) is not None

    async def finish(self, job: str, slot: datetime, outcome: str, *, now: datetime) -> None:
        """Records how a run ended."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.finish, job, slot, now, outcome)

    async def release(self, job: str, slot: datetime) -> None:
        """Give a slot back that this worker claimed and could not finish."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.release, job, slot, self._worker)

    async def last_runs(self, *, now: datetime) -> list[JobRun]:
        """The last run of every job in the last 30 days."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.last_runs, now - KEEP_RUNS)
        names = JobRun.__dataclass_fields__
        return [JobRun(**{n: row[n] for n in names}) for row in found]

    async def tidy(self, *, now: datetime) -> None:
        """Deletes runs older than 30 days."""
        await self._delete(Sql.forget_old, now - KEEP_RUNS)

    async def retain(self, spaces: list[SpaceId], *, keep: timedelta, now: datetime) -> int:
        """Deletes messages older than `keep`, but for those of unsummarised sessions; returns how many."""
        before = new_id(now - keep)
        gone = await self._delete(Sql.old_messages, spaces, before)
        await self._delete(Sql.old_turns, spaces, before)
        return gone

    async def _delete(self, statement: LiteralString, *args: object) -> int:
        """Runs a statement for a batch at a time until nothing is left to delete; returns how many rows went."""
        total, gone = 0, BATCH
        while gone == BATCH:
            gone = await self._delete_batch(statement, *args)
            total += gone
        return total

    @tenacity.retry(
        retry=tenacity.retry_if_exception_type(asyncpg.DeadlockDetectedError),
        stop=tenacity.stop_after_attempt(DEADLOCKS),
        reraise=True,
    )
    async def _delete_batch(self, statement: LiteralString, *args: object) -> int:
        """What changes all of a space may have the same rows in hand, in another order: one of both is refused."""
        async with self._database.connection() as connection:
            return affected(await connection.execute(statement, *args, BATCH))
