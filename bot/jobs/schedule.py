"""Schedules the periodic jobs: upkeep, embeddings, decay and retention."""

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from bot import errors, log
from bot.config import Settings
from bot.domain import SpaceId
from bot.infra.job_runs import Jobs
from bot.lifecycle.summaries import Summaries, SummaryDone
from bot.prompting.session_start import SessionStart
from bot.store.archivist import Ageing, Archivist
from bot.store.notes import Notes
from bot.store.sessions import Sessions
from bot.store.spaces import Spaces
from bot.store.vectors.indexer import Indexer

_log = log.logger(__name__)

MOST_AGEINGS: Final = 100
"""Rounds of 100 rows a space one upkeep makes; what is left waits for the next hour."""
Spawn = Callable[[Coroutine[Any, Any, None]], None]


class Schedule:
    """The jobs, run in the application's tasks, since the scheduler's shutdown would cancel its own."""

    def __init__(
        self,
        spaces: Spaces,
        archivist: Archivist,
        sessions: Sessions,
        summaries: Summaries,
        jobs: Jobs,
        settings: Settings,
        spawn: Spawn,
        announce: Callable[[SummaryDone], Awaitable[None]],
        clock: Callable[[], datetime],
        *,
        notes: Notes,
        wake: SessionStart,
        indexer: Indexer | None = None,
    ) -> None:
        self._spaces = spaces
        self._archivist = archivist
        self._sessions = sessions
        self._summaries = summaries
        self._jobs = jobs
        self._settings = settings
        self._spawn = spawn
        self._announce = announce
        self._clock = clock
        self._notes = notes
        self._wake = wake
        self._indexer = indexer
        self._running: set[str] = set()

    @contextlib.asynccontextmanager
    async def started(self) -> AsyncGenerator[None]:
        """Runs the schedule: upkeep and vectors each minute, decay and retention daily; all once at the start."""
        scheduler = AsyncIOScheduler(timezone=UTC)
        for name, body, trigger in (
            ("upkeep", self.upkeep, CronTrigger(second=0, timezone=UTC)),
            ("decay", self.decay, CronTrigger(hour=0, minute=5, timezone=UTC)),
            ("retention", self.retention, CronTrigger(hour=0, minute=10, timezone=UTC)),
            *([] if self._indexer is None else [("embeddings", self.embed, CronTrigger(second=30, timezone=UTC))]),
        ):
            scheduler.add_job(
                self.start, trigger, (name, body), id=name, coalesce=True, misfire_grace_time=None, max_instances=1
            )
            await self.start(name, body)
        await self.start("overdue", self.overdue)
        scheduler.start()
        try:
            yield
        finally:
            scheduler.shutdown(wait=False)

    async def start(self, name: str, body: Callable[[], Awaitable[None]]) -> None:
        """Run a job in the application's own tasks, unless its last run is not over."""
        # A coroutine, though nothing is awaited: anything else the scheduler calls in a thread, which has no loop.
        if name not in self._running:
            self._running.add(name)
            self._spawn(self._guarded(name, body))

    async def _guarded(self, name: str, body: Callable[[], Awaitable[None]]) -> None:
        """A job that fails is logged and runs again at its next time."""
        try:
            await body()
        except errors.DatabaseDown:
            _log.warning("job.database_down", job=name)
        except Exception:  # noqa: BLE001 - a job must not end the clock
            _log.exception("job.failed", job=name)
        finally:
            self._running.discard(name)

    async def upkeep(self) -> None:
        """For every due space: expired notes, erasing what was forgotten, ageing, waiting summaries."""
        while True:
            now = self._clock()
            due = await self._spaces.claim_due(now=now)
            if not due:
                return
            # Before the messages they go with, which tell that they are to go.
            await self._notes.remove_expired(due, now=now)
            await self._wake.tidy(due)
            # A summary may wait for its model for minutes; what is to be gone does not wait for it.
            await self._sessions.remake_withheld(due, now=now)
            erased = await self._archivist.erase(due, now=now)
            aged = await self._age(due)
            await self._summarise(due)
            await self._spaces.done(due, claimed_at=now, now=self._clock())
            await self._note("ageing", f"aged {aged}", now)
            await self._note("erasure", f"erased {erased}", now)

    async def overdue(self) -> None:
        """For every space, once at a start: ages and decays what fell due, though its hour or day is not over."""
        changed = 0
        async for spaces in self._pages():
            changed += await self._age(spaces) + await self._archivist.decay(spaces, now=self._clock())
        if changed:
            _log.info("job.done", job="overdue", changed=changed)

    async def embed(self) -> None:
        """For every space: vectors of new and edited texts, where an embedder is configured."""
        if self._indexer is not None:
            await self._indexer.run()

    async def decay(self) -> None:
        """Lowers the importance of unused memories, daily."""
        await self._daily("decay", lambda spaces, now: self._archivist.decay(spaces, now=now))

    async def retention(self) -> None:
        """Deletes messages past their days, daily, but not of unsummarised sessions."""
        days = self._settings.messages.keep_days
        if days:
            keep = timedelta(days=days)
            await self._daily("retention", lambda spaces, now: self._jobs.retain(spaces, keep=keep, now=now))
        await self._jobs.tidy(now=self._clock())

    async def _daily(self, name: str, body: Callable[[list[SpaceId], datetime], Awaitable[int]]) -> None:
        now = self._clock()
        slot = now.replace(hour=0, minute=0, second=0, microsecond=0)
        if not await self._jobs.claim(name, slot, now=now):
            return
        changed = 0
        try:
            async for spaces in self._pages():
                changed += await body(spaces, now)
        except BaseException:
            # Not done: the next start, of this worker or another, finds the slot free.
            await self._jobs.release(name, slot)
            raise
        await self._jobs.finish(name, slot, f"changed {changed}", now=self._clock())
        _log.info("job.done", job=name, changed=changed)

    async def _pages(self) -> AsyncGenerator[list[SpaceId]]:
        """Every space, a hundred at a time."""
        last = None
        while spaces := await self._spaces.page(last):
            yield spaces
            last = spaces[-1]

    async def _summarise(self, spaces: list[SpaceId]) -> None:
        due = await self._sessions.due(spaces, now=self._clock())
        made = 0
        for space_id, session_id in due:
            done = await self._summaries.make(space_id, session_id)
            if done is not None and done.retry_at is None:
                made += 1
                await self._announce(done)
        if due:
            await self._note("summaries", f"made {made} of {len(due)}", self._clock())

    async def _age(self, spaces: list[SpaceId]) -> int:
        total = 0
        for _ in range(MOST_AGEINGS):
            moved = await self._archivist.age(spaces, Ageing(), now=self._clock())
            total += moved
            if not moved:
                break
        return total

    async def _note(self, job: str, outcome: str, slot: datetime) -> None:
        if await self._jobs.claim(job, slot, now=slot):
            await self._jobs.finish(job, slot, outcome, now=self._clock())
