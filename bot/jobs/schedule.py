"""Schedules the periodic jobs: upkeep, embeddings, decay, retention, checks, the erasure of servers that are gone."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from bot import errors, log
from bot.config import Settings
from bot.domain import SessionId, SpaceId
from bot.infra.database_clock import DatabaseClock
from bot.infra.job_runs import Jobs
from bot.infra.metrics import Metrics
from bot.lifecycle.creator import Creator
from bot.lifecycle.departures import Departures
from bot.lifecycle.learner import Learner
from bot.lifecycle.personal_data import PersonalData
from bot.lifecycle.residue import ResidueCheck
from bot.lifecycle.reworker import Reworker
from bot.lifecycle.space_erasure import SpaceErasure
from bot.lifecycle.summaries import Summaries, SummaryDone
from bot.prompting.session_start import SessionStart
from bot.store.archivist import Ageing, Archivist
from bot.store.memory_lag import MemoryLag
from bot.store.memory_use import MemoryUse
from bot.store.notes import Notes
from bot.store.sessions import DUE_AT_ONCE, Sessions
from bot.store.spaces import BATCH, Spaces
from bot.store.vectors.indexer import Indexer
from bot.store.word_counts import WordSampler

_log = log.logger(__name__)

MOST_AGEINGS: Final = 100
"""Rounds of 100 rows a space one upkeep makes; what is left waits for the next hour."""
ABANDONED: Final = timedelta(minutes=10)
"""After which an erasure that is not over is gone on with; should it be under way after all, both end it."""
MINUTELY: Final = timedelta(minutes=1)
HOURLY: Final = timedelta(hours=1)
DAILY: Final = timedelta(days=1)
EACH_MINUTE: Final = CronTrigger(second=0, timezone=UTC)
Spawn = Callable[[Coroutine[Any, Any, None]], None]
Body = Callable[[], Awaitable[bool | None]]
"""A run of a job; false where another process has it."""
_FIRST: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PeriodicJob:
    """What is run at the start, and once in each minute, hour or day after that."""

    name: str
    body: Body
    every: timedelta
    destroys: bool = True
    """Whether it waits while the time is doubted."""


class SteadyScheduler(AsyncIOScheduler):
    """A scheduler of what is done each minute, that is never late because the machine's clock was set back."""

    def wakeup(self) -> None:
        """Starts what is due; its timers count seconds, but its jobs have times by the machine's clock."""
        now = datetime.now(UTC)
        for job in self.get_jobs():
            if job.next_run_time > now + MINUTELY:
                job.modify(next_run_time=now)
        super().wakeup()


class Schedule:
    """The jobs, run in the application's tasks, since the scheduler's shutdown would cancel its own."""

    def __init__(
        self,
        spaces: Spaces,
        archivist: Archivist,
        sessions: Sessions,
        summaries: Summaries,
        creator: Creator,
        learner: Learner,
        reworker: Reworker,
        jobs: Jobs,
        settings: Settings,
        spawn: Spawn,
        announce: Callable[[SummaryDone], Awaitable[None]],
        clock: Callable[[], datetime],
        *,
        notes: Notes,
        wake: SessionStart,
        departures: Departures,
        personal_data: PersonalData,
        erasure: SpaceErasure,
        residue: ResidueCheck,
        use: MemoryUse,
        lag: MemoryLag,
        words: WordSampler,
        metrics: Metrics,
        timeline: DatabaseClock | None = None,
        indexer: Indexer | None = None,
    ) -> None:
        self._spaces = spaces
        self._archivist = archivist
        self._sessions = sessions
        self._summaries = summaries
        self._creator = creator
        self._learner = learner
        self._reworker = reworker
        self._jobs = jobs
        self._settings = settings
        self._spawn = spawn
        self._announce = announce
        self._clock = clock
        self._notes = notes
        self._wake = wake
        self._departures = departures
        self._personal_data = personal_data
        self._erasure = erasure
        self._residue = residue
        self._use = use
        self._lag = lag
        self._words = words
        self._timeline = timeline
        self._metrics = metrics
        self._indexer = indexer
        self._running: set[str] = set()
        self._begun: dict[str, datetime] = {}
        """The minute, hour or day for which each job was started last."""
        self._to_summarise: dict[SpaceId, None] = {}
        """Spaces of which a session may wait for its summary, in the order in which they are looked at."""
        self._to_chunk: set[SpaceId] = set()
        """Spaces with a channel of which chunks may be due."""
        self._to_learn: set[SpaceId] = set()
        """Spaces with a channel whose past may be due to be read."""
        self._to_rework: set[SpaceId] = set()
        """Spaces of which something may be on its way to be changed in everything."""

    @contextlib.asynccontextmanager
    async def started(self) -> AsyncGenerator[None]:
        """Runs the schedule while the block does: every job once at the start, then each at its time."""
        scheduler = SteadyScheduler(timezone=UTC)
        scheduler.add_job(
            self.start, EACH_MINUTE, ("clock", self._minute), coalesce=True, misfire_grace_time=None, max_instances=1
        )
        await self.tick()
        scheduler.start()
        waiting = asyncio.create_task(self._tick_once_sure())
        try:
            yield
        finally:
            scheduler.shutdown(wait=False)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)

    @property
    def jobs(self) -> tuple[PeriodicJob, ...]:
        """What is run when."""
        return (
            PeriodicJob("upkeep", self._keep_up, MINUTELY, destroys=False),
            *([] if self._indexer is None else [PeriodicJob("embeddings", self.embed, MINUTELY, destroys=False)]),
            PeriodicJob("departures", self.erase_gone, HOURLY),
            PeriodicJob("unfinished", self.finish_erasures, HOURLY),
            PeriodicJob("residue", self.check_erasures, HOURLY),
            PeriodicJob("decay", self.decay, DAILY),
            PeriodicJob("retention", self.retention, DAILY),
            PeriodicJob("tally", self.check_tally, DAILY, destroys=False),
            PeriodicJob("overdue", self.overdue, timedelta.max),
        )

    async def tick(self) -> None:
        """Starts the jobs whose time has come."""
        now = self._clock()
        for job in self.jobs:
            slot = now - (now - _FIRST) % job.every
            if self._begun.get(job.name) != slot and (self._is_sure or not job.destroys):
                self._begun[job.name] = slot
                await self.start(job.name, job.body)

    async def _minute(self) -> None:
        try:
            if self._timeline is not None:
                await self._timeline.look()
        finally:
            await self.tick()

    async def _tick_once_sure(self) -> None:
        """Does what waits at a start for the time to be believed, as soon as it is."""
        if self._timeline is not None and not self._is_sure:
            await self._timeline.sure.wait()
            await self.tick()

    @property
    def _is_sure(self) -> bool:
        return self._timeline is None or self._timeline.sure.is_set()

    async def start(self, name: str, body: Body) -> None:
        """Run a job in the application's own tasks, unless its last run is not over."""
        # A coroutine, though nothing is awaited: anything else the scheduler calls in a thread, which has no loop.
        if name not in self._running:
            self._running.add(name)
            self._spawn(self._guarded(name, body))

    async def _guarded(self, name: str, body: Body) -> None:
        """A job that fails is logged and runs again at its next time."""
        began = time.monotonic()
        try:
            if await body() is not False:
                self._metrics.job_done(name, time.monotonic() - began)
        except errors.DatabaseDown:
            self._metrics.job_failed(name)
            _log.warning("job.database_down", job=name)
        except Exception:  # noqa: BLE001 - a job must not end the schedule
            self._metrics.job_failed(name)
            _log.exception("job.failed", job=name)
        finally:
            self._running.discard(name)

    async def upkeep(self) -> None:
        """`tidy`, `summarise`, `create`, `learn` and `rework`, one after the other."""
        await self.tidy()
        await self.summarise()
        await self.create()
        await self.learn()
        await self.rework()

    async def _keep_up(self) -> None:
        await self.tidy()
        # By themselves: they may wait for their model for minutes, and what is to be gone does not wait for that.
        await self.start("summaries", self.summarise)
        await self.start("chunks", self.create)
        await self.start("learnings", self.learn)
        await self.start("reworks", self.rework)

    async def tidy(self) -> None:
        """For every due space: expired notes, what was forgotten, ageing, sessions that end."""
        begun, done = self._clock(), Counter[str]()
        while due := await self._spaces.claim_due(now=(now := self._clock())):
            if self._is_sure:
                done.update(await self._tidied(due, now))
                done["spaces"] += len(due)
            self._to_summarise |= dict.fromkeys(due)
            self._to_chunk.update(due)
            self._to_learn.update(due)
            self._to_rework.update(due)
            await self._spaces.done(due, claimed_at=now, now=self._clock())
        # One row a run, not one for each hundred spaces.
        if done["spaces"]:
            await self._note("ageing", f"aged {done['aged']}", begun)
            await self._note("erasure", f"erased {done['erased']}", begun)
        if done["ended"]:
            await self._note("sessions", f"ended {done['ended']}", begun)

    async def _tidied(self, due: list[SpaceId], now: datetime) -> dict[str, int]:
        # Before the messages they go with, which tell that they are to go.
        await self._notes.remove_expired(due, now=now)
        await self._wake.tidy(due)
        await self._use.forget_old(due, now=now)
        await self._words.look(due, now=now)
        await self._sessions.remake_withheld(due, now=now)
        erased, aged = await self._archivist.erase(due, now=now), await self._age(due)
        ended = await self._sessions.roll(due, min_messages=self._settings.reset.min_messages, keep=self._kept, now=now)
        return {"erased": erased, "aged": aged, "ended": ended}

    async def summarise(self) -> None:
        """Makes the summaries that wait in the spaces which `tidy` came by, twenty of a hundred spaces in turn."""
        begun, waited, made = self._clock(), 0, 0
        while self._to_summarise:
            waiting = [*self._to_summarise]
            spaces, self._to_summarise = waiting[:BATCH], dict.fromkeys(waiting[BATCH:])
            due = await self._sessions.due(spaces, now=self._clock())
            done = [await self._summarised(*place) for place in due]
            waited, made = waited + len(due), made + sum(one is not None and one.retry_at is None for one in done)
            # Not where each was lost to another worker: its leases are looked at again when they have run out.
            if len(due) == DUE_AT_ONCE and any(done):
                self._to_summarise |= dict.fromkeys(spaces)
        if waited:
            await self._note("summaries", f"made {made} of {waited}", begun)

    async def _summarised(self, space_id: SpaceId, session_id: SessionId) -> SummaryDone | None:
        done = await self._summaries.make(space_id, session_id)
        if done is not None and done.retry_at is None and not done.by_itself:
            await self._announce(done)
        return done

    async def create(self) -> None:
        """Makes the chunks that are due in the spaces which `tidy` came by, and where much was said."""
        begun, made = self._clock(), 0
        waiting, self._to_chunk = sorted(self._to_chunk | self._creator.heard()), set()
        for at in range(0, len(waiting), BATCH):
            spaces = waiting[at : at + BATCH]
            done = await self._creator.run(spaces)
            made += done.made
            if done.is_more:
                self._to_chunk.update(spaces)
            await self._lag.look(spaces)
        if made:
            await self._note("chunks", f"made {made}", begun)

    async def learn(self) -> None:
        """Begins, in the background, what is due of learnings in the spaces which `tidy` came by."""
        waiting, self._to_learn = sorted(self._to_learn), set()
        for at in range(0, len(waiting), BATCH):
            await self._learner.look(waiting[at : at + BATCH])

    async def rework(self) -> None:
        """Goes on with what is changed of everything in the spaces which `tidy` came by."""
        waiting, self._to_rework = sorted(self._to_rework), set()
        for at in range(0, len(waiting), BATCH):
            await self._reworker.run(waiting[at : at + BATCH])

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

    async def decay(self) -> bool:
        """Lowers the importance of unused memories, daily."""
        return await self._daily("decay", lambda spaces, now: self._archivist.decay(spaces, now=now))

    async def retention(self) -> bool:
        """Deletes messages past their days, daily, but not of unsummarised sessions."""
        keep, ours = self._kept, True
        if keep is not None:
            ours = await self._daily("retention", lambda spaces, now: self._jobs.retain(spaces, keep=keep, now=now))
        await self._jobs.tidy(now=self._clock())
        return ours

    async def check_tally(self) -> bool:
        """Compares what is counted with what there is, daily, and puts it right."""

        async def each(spaces: list[SpaceId], _: datetime) -> int:
            wrong = sum([await self._archivist.recount(space_id) for space_id in spaces])
            self._metrics.miscounted(wrong)
            return wrong

        return await self._daily("tally", each)

    async def erase_gone(self) -> bool:
        """Erases servers that have been gone for 30 days, hourly: what one run leaves undone the next goes on with."""
        now = self._clock()
        hour = now.replace(minute=0, second=0, microsecond=0)
        return await self._claimed("departures", hour, lambda: self._departures.erase_due(now=now))

    async def finish_erasures(self) -> bool:
        """Ends, hourly, what erasures left that were begun and are nobody's any more: whoever did them died."""
        now = self._clock()

        async def each() -> int:
            # Of people first: their direct messages are emptied as a part of that.
            done = await self._personal_data.finish(before=now - ABANDONED)
            return done + await self._erasure.finish(before=now - ABANDONED)

        return await self._claimed("unfinished", now.replace(minute=0, second=0, microsecond=0), each)

    async def check_erasures(self) -> bool:
        """Looks, hourly, whether anything is left of what was erased a day ago."""
        now = self._clock()

        async def each() -> int:
            return sum([await self._residue.check(spaces, now=now) async for spaces in self._pages()])

        return await self._claimed("residue", now.replace(minute=0, second=0, microsecond=0), each)

    @property
    def _kept(self) -> timedelta | None:
        """How long messages are kept; none for ever."""
        days = self._settings.messages.keep_days
        return timedelta(days=days) if days else None

    async def _daily(self, name: str, body: Callable[[list[SpaceId], datetime], Awaitable[int]]) -> bool:
        now = self._clock()

        async def each() -> int:
            changed = 0
            async for spaces in self._pages():
                changed += await body(spaces, now)
            return changed

        return await self._claimed(name, now.replace(hour=0, minute=0, second=0, microsecond=0), each)

    async def _claimed(self, name: str, slot: datetime, body: Callable[[], Awaitable[int]]) -> bool:
        """Runs what only one of all workers is to run, and records how much it changed; false where another has it."""
        if not await self._jobs.claim(name, slot, now=self._clock()):
            if await self._jobs.is_held(name, slot):
                # Whoever is at it may die: this one looks again in the next minute.
                self._begun.pop(name, None)
            return False
        try:
            changed = await body()
        except BaseException:
            # Not done: the next start, of this worker or another, finds the slot free.
            await self._jobs.release(name, slot)
            raise
        await self._jobs.finish(name, slot, f"changed {changed}", now=self._clock())
        _log.info("job.done", job=name, changed=changed)
        return True

    async def _pages(self) -> AsyncGenerator[list[SpaceId]]:
        """Every space, a hundred at a time."""
        last = None
        while spaces := await self._spaces.page(last):
            yield spaces
            last = spaces[-1]

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
