"""Schedules the periodic jobs: upkeep, embeddings, decay, retention, and the erasure of servers that are gone."""

import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from bot import errors, log
from bot.config import Settings
from bot.domain import SpaceId
from bot.infra.job_runs import Jobs
from bot.lifecycle.departures import Departures
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
        departures: Departures,
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
        self._departures = departures
        self._indexer = indexer
        self._running: set[str] = set()

    @contextlib.asynccontextmanager
    async def started(self) -> AsyncGenerator[None]:
        """Runs the schedule: upkeep and vectors each minute, the rest hourly or daily; all once at the start."""
        scheduler = AsyncIOScheduler(timezone=UTC)
        for name, body, trigger in (
            ("upkeep", self.upkeep, CronTrigger(second=0, timezone=UTC)),
            ("decay", self.decay, CronTrigger(hour=0, minute=5, timezone=UTC)),
            ("retention", self.retention, CronTrigger(hour=0, minute=10, timezone=UTC)),
            ("departures", self.erase_gone, CronTrigger(minute=20, timezone=UTC)),
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
        """For every due space: expired notes, what was forgotten, ageing, sessions that end, waiting summaries."""
        begun, done = self._clock(), Counter[str]()
        while due := await self._spaces.claim_due(now=(now := self._clock())):
            # Before the messages they go with, which tell that they are to go.
            await self._notes.remove_expired(due, now=now)
            await self._wake.tidy(due)
            # A summary may wait for its model for minutes; what is to be gone does not wait for it.
            await self._sessions.remake_withheld(due, now=now)
            done["erased"] += await self._archivist.erase(due, now=now)
            done["aged"] += await self._age(due)
            done["ended"] += await self._sessions.roll(
                due, min_messages=self._settings.reset.min_messages, keep=self._kept, now=now
            )
            waited, made = await self._summarise(due)
            done.update(due=waited, made=made, spaces=len(due))
            await self._spaces.done(due, claimed_at=now, now=self._clock())
        # One row a run, not one for each hundred spaces.
        if done["spaces"]:
            await self._note("ageing", f"aged {done['aged']}", begun)
            await self._note("erasure", f"erased {done['erased']}", begun)
        if done["ended"]:
            await self._note("sessions", f"ended {done['ended']}", begun)
        if done["due"]:
            await self._note("summaries", f"made {done['made']} of {done['due']}", begun)

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
        keep = self._kept
        if keep is not None:
            await self._daily("retention", lambda spaces, now: self._jobs.retain(spaces, keep=keep, now=now))
        await self._jobs.tidy(now=self._clock())

    async def erase_gone(self) -> None:
        """Erases servers that have been gone for 30 days, hourly: what one run leaves undone the next goes on with."""
        now = self._clock()
        hour = now.replace(minute=0, second=0, microsecond=0)
        await self._claimed("departures", hour, lambda: self._departures.erase_due(now=now))

    @property
    def _kept(self) -> timedelta | None:
        """How long messages are kept; none for ever."""
        days = self._settings.messages.keep_days
        return timedelta(days=days) if days else None

    async def _daily(self, name: str, body: Callable[[list[SpaceId], datetime], Awaitable[int]]) -> None:
        now = self._clock()

        async def each() -> int:
            changed = 0
            async for spaces in self._pages():
                changed += await body(spaces, now)
            return changed

        await self._claimed(name, now.replace(hour=0, minute=0, second=0, microsecond=0), each)

    async def _claimed(self, name: str, slot: datetime, body: Callable[[], Awaitable[int]]) -> None:
        """Runs what only one of all workers is to run, and records how much it changed."""
        if not await self._jobs.claim(name, slot, now=self._clock()):
            return
        try:
            changed = await body()
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

    async def _summarise(self, spaces: list[SpaceId]) -> tuple[int, int]:
        """How many sessions waited for a summary, and how many have it now."""
        due = await self._sessions.due(spaces, now=self._clock())
        made = 0
        for space_id, session_id in due:
            done = await self._summaries.make(space_id, session_id)
            if done is not None and done.retry_at is None:
                made += 1
                if not done.by_itself:
                    await self._announce(done)
        return len(due), made

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
