"""The laws of the clock's jobs: each slot once, late or twice the same, and nothing given up half-way."""

import asyncio
import io
import json
import os
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from apscheduler.triggers.interval import IntervalTrigger

from bot import errors, log
from bot.config import DatabaseSettings
from bot.db import pool, statements
from bot.db.pool import Database
from bot.domain import Actor, Fact, Source, WorkerId
from bot.infra import database_clock, job_runs, leases
from bot.infra.database_clock import DatabaseClock
from bot.infra.job_runs import KEEP_RUNS, Jobs
from bot.jobs import schedule
from bot.jobs.schedule import Schedule, SteadyScheduler
from bot.lifecycle.residue import ResidueCheck
from bot.lifecycle.space_erasure import SpaceErasure
from bot.store import sessions
from bot.store.archivist import Author
from bot.store.memory_use import MemoryUse
from bot.store.spaces import Spaces
from bot.store.word_counts import WordSampler
from tests import people
from tests.bot.lifecycle.test_discord_edits import traces
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import Hang, ModelServer, Reply, Status
from tests.rows import one, rows
from tests.waiting import becomes, eventually


async def due(database: Database) -> datetime:
    ((at,),) = await rows(database, "SELECT next_due_at FROM upkeep")
    return at


def worker(r: Room, database: Database, name: str, timeline: DatabaseClock | None = None) -> Schedule:
    """Another process with the same clock on the same database."""
    own = r.app
    return Schedule(
        Spaces(database),
        own.archivist,
        own.sessions,
        own.summaries,
        own.creator,
        own.learner,
        own.reworker,
        Jobs(database, WorkerId(name)),
        own.settings,
        own.background.spawn,
        _nothing,
        r.clock,
        notes=own.notes,
        wake=own.wake,
        departures=own.departures,
        personal_data=own.personal_data,
        erasure=SpaceErasure(database, own.archivist),
        use=MemoryUse(database),
        lag=own.lag,
        words=WordSampler(database),
        timeline=timeline,
        metrics=own.metrics,
        residue=ResidueCheck(database, own.metrics),
    )


async def _nothing(_done: object) -> None:
    """Announce to nobody."""


# --- each slot once -------------------------------------------------------------------------------------------------


async def test_a_slot_is_claimed_by_one_of_many_workers(database: Database, clock: Clock) -> None:
    """Thirty claims of three workers at once: one for each of the two slots."""
    jobs = [Jobs(database, WorkerId(f"host/{n}/1")) for n in range(3)]
    slots = [clock(), clock() + timedelta(days=1)]
    claims = [job.claim("decay", slot, now=clock()) for _ in range(5) for job in jobs for slot in slots]
    assert sum(await asyncio.gather(*claims)) == 2


async def test_daily_jobs_run_once_a_day_over_all_workers(database: Database, clock: Clock) -> None:
    """However often and from wherever they are started; the next day they run again."""
    async with room(database, clock) as r:
        await r.run("!remember We deploy on Fridays. importance:8")
        workers = [worker(r, database, f"host/{n}/1") for n in range(3)]
        for day in range(13):
            clock.now = datetime(2026, 3, 3, 0, 5, tzinfo=UTC) + timedelta(days=day)
            for _ in range(2):
                await asyncio.gather(*(w.decay() for w in workers), *(w.retention() for w in workers))
        outcome = await one(database, "SELECT outcome FROM job_run WHERE job = 'decay' ORDER BY slot DESC LIMIT 1")
    assert await rows(database, "SELECT job, count(*) FROM job_run GROUP BY job ORDER BY job") == [
        ("decay", 13),
        ("retention", 13),
    ]
    assert await rows(database, "SELECT importance FROM memory") == [(7,)]
    assert "changed 0" == outcome
    assert await rows(database, "SELECT count(*) FROM memory_event WHERE kind = 'decayed'") == [(1,)]


async def test_a_space_is_kept_up_by_one_worker_at_a_time(database: Database, clock: Clock) -> None:
    """Two hundred due spaces, three workers: each is claimed once, none is left."""
    spaces = Spaces(database)
    for n in range(1, 201):
        caller = people.caller(space=n)
        await spaces.ensure(caller, channel_name="c", mode="all", language="english", now=clock())
    claimed: list[int] = []

    async def work() -> None:
        while found := await spaces.claim_due(now=clock()):
            claimed.extend(found)

    await asyncio.gather(*(work() for _ in range(3)))
    assert sorted(claimed) == [*range(1, 201)]


async def test_a_worker_that_dies_lets_its_spaces_fall_due_again(database: Database, clock: Clock) -> None:
    """After the lease of fifteen minutes, not before."""
    async with room(database, clock) as r:
        spaces = r.app.spaces
        first = await spaces.claim_due(now=clock())
        clock.forward(minutes=14)
        during = await spaces.claim_due(now=clock())
        clock.forward(minutes=1)
        after = await spaces.claim_due(now=clock())
    assert (first, during, after) == ([1], [], [1])


@pytest.mark.parametrize(
    ("worker_of", "hours", "taken"),
    [("this machine", 0, True), ("elsewhere", 0, False), ("elsewhere", 4, True), ("alive", 0, False)],
)
async def test_what_a_dead_process_was_at_is_taken_up(
    database: Database, clock: Clock, worker_of: str, hours: int, taken: bool
) -> None:
    """At once where it ran on this machine, else after three hours, in the same day; not what somebody is at."""
    here = leases.this_worker()
    names = {"this machine": here.rpartition("/")[0] + "/1", "elsewhere": "elsewhere/1/2", "alive": here}
    day = clock().replace(hour=0)
    async with room(database, clock, messages={"keep_days": 30}) as r:
        assert await Jobs(database, WorkerId(names[worker_of])).claim("retention", day, now=clock())
        jobs = r.app.schedule
        for _ in range(2):
            await jobs.tick()
            await r.app.background.settled(10)
            clock.forward(hours=hours / 2, minutes=1)
        await jobs.tick()
        await r.app.background.settled(10)
    finished = "SELECT finished_at IS NOT NULL FROM job_run WHERE job = 'retention'"
    assert [(taken,)] == await rows(database, finished)


# --- upkeep ---------------------------------------------------------------------------------------------------------


async def test_a_quiet_space_is_looked_at_hourly(database: Database, clock: Clock) -> None:
    """Nothing waits, nothing wakes it."""
    async with room(database, clock) as r:
        await r.app.schedule.upkeep()
        assert await due(database) == clock() + timedelta(hours=1)
        runs = await rows(database, "SELECT count(*) FROM job_run")
        clock.forward(minutes=59)
        await r.app.schedule.upkeep()
        assert await rows(database, "SELECT count(*) FROM job_run") == runs


@pytest.mark.parametrize("upkeep_after", [None, 0, 1, 300, 599])
async def test_what_is_forgotten_is_erased_when_its_ten_minutes_are_over(
    database: Database, clock: Clock, upkeep_after: int | None
) -> None:
    """The minute they are over, whether upkeep came by in between or the space was due already; not a second before."""
    async with room(database, clock) as r:
        await r.say("Remember that the vault code is 4417.")
        await r.run("!forget 1")
        at = clock()
        if upkeep_after is not None:
            clock.forward(seconds=upkeep_after)
            await r.app.schedule.upkeep()
        clock.now = at + timedelta(seconds=599)
        await r.app.schedule.upkeep()
        assert await rows(database, "SELECT count(*) FROM memory") == [(1,)]
        clock.now = at + timedelta(seconds=600)
        await r.app.schedule.upkeep()
    assert await rows(database, "SELECT count(*) FROM memory") == [(0,)]
    assert await rows(database, "SELECT content FROM message WHERE content LIKE '%4417%'") == []


async def test_what_a_memory_was_before_it_was_merged_goes_with_it(database: Database, clock: Clock) -> None:
    """Its tags stand in no event once it is forgotten and its ten minutes are over."""
    async with room(database, clock) as r:
        await r.run("!remember We deploy on Fridays. tags:zqtag7")
        await r.run("!remember We deploy on Fridays. tags:weekly")
        before = await traces(database, "zqtag7")
        await r.run("!forget 1")
        clock.forward(minutes=10)
        await r.app.schedule.upkeep()
    assert ({"memory": 1, "memory_event": 1, "tally": 1}, {}) == (before, await traces(database, "zqtag7"))


async def test_upkeep_comes_back_for_each_retry(database: Database, clock: Clock) -> None:
    """Minute by minute for half an hour: a model that is down is asked when a try is due, and the summary told once."""
    async with (
        ModelServer(Reply(text="Ok."), always=Status(status=401)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("The code is 4417.")
        await r.reset()
        start, tries = clock(), list[int]()
        for minute in range(1, 31):
            clock.now = start + timedelta(minutes=minute)
            asked = len(server.requests)
            if minute == 15:
                server.always = Reply(text=json.dumps({"summary": "s", "facts": []}))
            await r.app.schedule.upkeep()
            tries += [minute] * (len(server.requests) - asked)
    assert tries == [1, 3, 7, 15]
    assert [done.message_count for done in r.summaries] == [2]


async def test_upkeep_makes_every_summary_that_waits(database: Database, clock: Clock) -> None:
    """More than one round takes: the rest follows at the next minute, not an hour later."""
    async with room(database, clock) as r:
        for n in range(23):
            caller = await r.app.enter(people.caller(channel=100 + n), channel_name=f"c{n}", mode="all")
            await r.say("We decided to use Rust.", by=caller)
            await r.app.sessions.reset(caller, discard=False, min_messages=1, now=clock())
        clock.forward(minutes=2)
        await r.app.schedule.upkeep()
        clock.forward(minutes=1)
        await r.app.schedule.upkeep()
    assert len(r.summaries) == 23


async def test_upkeep_ages_all_that_is_due_a_hundred_at_a_time(database: Database, clock: Clock) -> None:
    """250 rows older than 48 hours leave the short tier in one upkeep; younger ones stay."""
    async with room(database, clock) as r:
        facts = [Fact(content=f"fact {n}", topic="", importance=5, source=Source.USER) for n in range(250)]
        author = Author(actor=Actor.PERSON, reason="remember")
        await r.app.archivist.save(r.caller.space_id, r.caller.channel_id, facts, author, now=clock())
        clock.forward(hours=47)
        await r.run("!remember young importance:5")
        await r.app.schedule.upkeep()
        assert await rows(database, "SELECT count(*) FROM memory_longterm") == [(0,)]
        clock.forward(hours=1)
        await r.app.schedule.upkeep()
        outcome = await one(database, "SELECT outcome FROM job_run WHERE job = 'ageing' ORDER BY slot DESC LIMIT 1")
    assert await rows(database, "SELECT content FROM memory_shortterm") == [("young",)]
    assert "aged 250" == outcome


async def test_a_start_makes_up_for_what_fell_due_within_the_hour(database: Database, clock: Clock) -> None:
    """Though upkeep and decay ran just before: of two memories one fades after a week, one grows old after two days."""
    async with room(database, clock) as r:
        await r.run("!remember We deploy on Fridays. importance:5")
        clock.forward(days=5)
        await r.run("!remember The retro is on Tuesday. importance:5")
        clock.forward(hours=47, minutes=30)
        await r.app.schedule.decay()
        await r.app.schedule.upkeep()
        before = await rows(database, "SELECT tier, importance FROM memory ORDER BY memory_id")
        clock.forward(minutes=30)
        async with r.app.schedule.started():
            await r.app.background.settled(10)
    assert [("long", 5), ("short", 5)] == before
    assert [("long", 4), ("long", 5)] == await rows(database, "SELECT tier, importance FROM memory ORDER BY memory_id")


# --- retention ------------------------------------------------------------------------------------------------------


async def test_retention_removes_old_messages_but_never_what_waits_for_a_summary(
    database: Database, clock: Clock
) -> None:
    """One whose summary fails, and one that is still open, keep every message until they are summarised."""
    async with (
        ModelServer(always=Reply(text=json.dumps({"summary": "s", "facts": []}))) as server,
        room(database, clock, models=roles(server.base_url), messages={"keep_days": 30}) as r,
    ):
        waits, stays = [await r.app.enter(people.caller(channel=c), channel_name=f"c{c}", mode="all") for c in (11, 12)]
        await r.say("summarised")
        await r.reset()
        await r.say("waiting", by=waits)
        server.always = Status(status=401)
        await r.run("!reset", by=waits)
        await r.app.background.settled(20)
        await r.say("open", by=stays)
        clock.forward(days=29)
        await r.say("new")
        await r.app.schedule.retention()
        kept = await rows(database, "SELECT count(*) FROM message")
        clock.forward(days=2)
        await r.app.schedule.retention()
        left = await rows(database, "SELECT content FROM message WHERE role = 'person' ORDER BY message_id")
        server.always = Reply(text=json.dumps({"summary": "s", "facts": []}))
        clock.forward(minutes=20)
        await r.app.schedule.upkeep()
        clock.forward(days=1)
        await r.app.schedule.retention()
    assert (kept, left) == ([(8,)], [("waiting",), ("open",), ("new",)])
    assert [done.message_count for done in r.summaries] == [2]
    assert await rows(database, "SELECT content FROM message WHERE role = 'person' ORDER BY message_id") == [("new",)]


async def test_what_is_said_has_its_end_where_nobody_resets(database: Database, clock: Clock) -> None:
    """With 30 days to be kept, talk that never pauses for a week is summarised and erased, and nobody is told."""
    async with (
        ModelServer(always=Reply(text=json.dumps({"summary": "s", "facts": []}))) as server,
        room(database, clock, models=roles(server.base_url), messages={"keep_days": 30}) as r,
    ):
        for day in range(100):
            await r.say(f"said on day {day}")
            clock.forward(days=1)
            await r.app.schedule.upkeep()
            await r.app.schedule.retention()
    oldest = await rows(database, "SELECT extract(day FROM $1 - min(said_at))::int FROM message", clock())
    ended = await rows(database, "SELECT DISTINCT state, closed_by FROM session WHERE state <> 'open'")
    assert (True, [("summarised", None)], []) == (oldest <= [(31,)], ended, r.summaries)


async def test_a_session_ends_by_itself_after_a_week_or_many_messages(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said next stands in a new one; one that is neither idle nor long, or is empty, goes on."""
    monkeypatch.setattr(sessions, "MOST_MESSAGES", 6)
    async with room(database, clock) as r:
        quiet, long, brief, empty = [
            await r.app.enter(people.caller(channel=c), channel_name=f"c{c}", mode="all") for c in (11, 12, 13, 14)
        ]
        await r.say("We decided to use Rust.", by=quiet)
        clock.forward(days=7)
        for n in range(3):
            await r.say(f"We decided on plan {n}.", by=long)
            await r.say("We decided on hues.", by=brief)
        await r.say("We decided on plan 4.", by=long)
        first = [await r.app.spaces.open_session(who) for who in (quiet, long, brief, empty)]
        await r.app.schedule.upkeep()
        then = [await r.app.spaces.open_session(who) for who in (quiet, long, brief, empty)]
        undone = await r.app.sessions.last_reset_at(quiet, now=clock())
    assert [True, True, False, False] == [a != b for a, b in zip(first, then, strict=True)]
    assert ([], None) == (r.summaries, undone)
    assert await rows(
        database, "SELECT state, message_count FROM session WHERE state <> 'open' ORDER BY channel_id"
    ) == [("summarised", 2), ("summarised", 8)]


async def test_retention_goes_on_batch_by_batch(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little goes in one statement, all that is old goes; a run that dies half-way is ended by the next."""
    monkeypatch.setattr(job_runs, "BATCH", 2)
    async with room(database, clock, messages={"keep_days": 30}) as r:
        for n in range(5):
            await r.say(f"We decided on plan {n}.")
        await r.reset()
        clock.forward(days=31)
        gone = await r.app.jobs.retain([r.caller.space_id], keep=timedelta(days=30), now=clock())
    assert (10, [(0,)], [(0,)]) == (
        gone,
        await rows(database, "SELECT count(*) FROM message"),
        await rows(database, "SELECT count(*) FROM turn"),
    )


async def test_retention_and_a_change_of_everything_end_though_they_cross(database: Database, clock: Clock) -> None:
    """Each has a row that the other wants: the one that is refused tries its batch again."""
    async with room(database, clock) as r:
        await r.say("We decided on plan 1.")
        await r.reset()
        clock.forward(days=31)
        first, last = "(SELECT min(message_id) FROM message)", "(SELECT max(message_id) FROM message)"
        change: Any = "UPDATE message SET search = 'heron' WHERE message_id = "
        async with database.connection() as other:
            transaction: Any = other.transaction()
            await transaction.start()
            await other.execute(change + last)
            retaining = asyncio.create_task(
                r.app.jobs.retain([r.caller.space_id], keep=timedelta(days=30), now=clock())
            )
            waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            await becomes([(1,)], lambda: rows(database, waiting))
            await other.execute(change + first)
            await transaction.commit()
        assert 2 == await retaining


async def test_runs_of_jobs_are_told_and_kept_for_thirty_days(fresh_dsn: str, clock: Clock) -> None:
    """The last of each job, by one look at the index a job; and an upkeep of many spaces leaves one row a job."""
    # What Postgres knows of its tables decides how it looks.
    async with pool.opened(fresh_dsn, DatabaseSettings()) as database, room(database, clock) as r:
        for n in range(2, 202):
            await r.app.enter(people.caller(space=n), channel_name="c", mode="all")
        await r.app.schedule.upkeep()
        told = await r.app.jobs.last_runs(now=clock())
        plan = await rows(
            database, "EXPLAIN " + statements.named("job.last_runs").replace("$1", "'2026-01-01'::timestamptz")
        )
        clock.forward(days=29)
        await r.app.jobs.tidy(now=clock())
        kept = await rows(database, "SELECT count(*) FROM job_run")
        clock.forward(days=2)
        await r.app.jobs.tidy(now=clock())
        gone = await rows(database, "SELECT count(*) FROM job_run")
    assert (["ageing", "erasure"], [(2,)]) == ([run.job for run in told], kept)
    assert [(0,)] == gone
    assert [] == [line for (line,) in plan if "Seq Scan" in line]


async def test_with_keep_days_zero_nothing_is_ever_removed(database: Database, clock: Clock) -> None:
    """For ever is for ever; old runs of jobs are still tidied away."""
    async with room(database, clock, messages={"keep_days": 0}) as r:
        await r.say("old")
        await r.reset()
        await r.app.schedule.decay()
        clock.forward(days=5000)
        await r.app.schedule.retention()
    assert await rows(database, "SELECT count(*) FROM message") == [(2,)]
    assert await rows(database, "SELECT 1 FROM job_run WHERE slot < $1", clock() - KEEP_RUNS) == []


async def test_retention_takes_memories_of_nobody(database: Database, clock: Clock) -> None:
    """What was distilled stays when the message it rests on is gone."""
    async with room(database, clock, messages={"keep_days": 10}) as r:
        await r.say("We decided to use Rust.")
        await r.reset()
        clock.forward(days=11)
        await r.app.schedule.retention()
        found = await r.run("!recall Rust")
    assert await rows(database, "SELECT count(*) FROM message") == [(0,)]
    assert "We decided to use Rust." in found


# --- the clock itself -----------------------------------------------------------------------------------------------


async def test_a_job_that_fails_is_logged_and_runs_again(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its class is in the log, the other jobs run, and the next start runs it again."""
    out = io.StringIO()
    log.configure(to=out, json=True)
    try:
        async with room(database, clock) as r:
            jobs = r.app.schedule
            failures: list[type[Exception]] = [ValueError, errors.DatabaseDown]

            async def claim_due(*, now: datetime) -> list[int]:
                if failures:
                    raise failures.pop(0)
                return await Spaces(database).claim_due(now=now)  # type: ignore[return-value]

            monkeypatch.setattr(r.app.spaces, "claim_due", claim_due)
            for _ in range(3):
                await jobs.start("upkeep", jobs.upkeep)
                await jobs.start("decay", jobs.decay)
                await r.app.background.settled(10)
    finally:
        log.configure(to=Path(os.devnull))
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    events = [(line["event"], line.get("job")) for line in lines if line["event"].startswith("job.")]
    assert events == [("job.failed", "upkeep"), ("job.done", "decay"), ("job.database_down", "upkeep")]
    told = r.app.metrics.exposition(None).decode()
    for line in (
        'hathi_job_runs_total{job="upkeep",outcome="failed"} 2.0',
        'hathi_job_runs_total{job="upkeep",outcome="done"} 1.0',
        # Three times begun: what has the slot already is no other run.
        'hathi_job_runs_total{job="decay",outcome="done"} 1.0',
    ):
        assert line in told
    assert await due(database) == clock() + timedelta(hours=1)


async def test_a_job_that_still_runs_is_not_started_again(database: Database, clock: Clock) -> None:
    """Two minutes of upkeep do not overlap in one process."""
    gate, started = asyncio.Event(), list[int]()

    async def slow() -> None:
        started.append(1)
        await gate.wait()

    async with room(database, clock) as r:
        for _ in range(3):
            await r.app.schedule.start("slow", slow)
            await asyncio.sleep(0)
        gate.set()
        await r.app.background.settled(10)
        await r.app.schedule.start("slow", slow)
        await r.app.background.settled(10)
    assert len(started) == 2


async def test_the_clock_starts_every_job_at_once_and_stopping_it_cancels_none(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was due while nobody ran is made up for; a job half-way is finished by the application, not by the clock."""
    gate, ended = asyncio.Event(), list[str]()

    def slowly(name: str, body: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
        async def run() -> None:
            await gate.wait()
            await body()
            ended.append(name)

        return run

    async with room(database, clock) as r:
        jobs = r.app.schedule
        for name in ("tidy", "decay", "retention", "overdue"):
            monkeypatch.setattr(jobs, name, slowly(name, getattr(jobs, name)))
        async with jobs.started():
            await eventually(lambda: len(r.app.background.tasks) == 4)
        assert (ended, len(r.app.background.tasks)) == ([], 4)
        gate.set()
        await r.app.background.settled(10)
    assert sorted(ended) == ["decay", "overdue", "retention", "tidy"]


async def test_the_schedule_runs_its_jobs_again_and_again(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only at the start, but each time its clock has come to another minute."""
    monkeypatch.setattr(schedule, "EACH_MINUTE", IntervalTrigger(seconds=0.05, timezone=UTC))  # pyright: ignore[reportArgumentType]
    async with room(database, clock) as r:
        ran, thrice = list[int](), asyncio.Event()

        async def tidy() -> None:
            ran.append(1)
            clock.forward(minutes=1)
            if len(ran) == 3:
                thrice.set()

        monkeypatch.setattr(r.app.schedule, "tidy", tidy)
        async with r.app.schedule.started(), asyncio.timeout(5):
            await thrice.wait()
    assert len(ran) >= 3


async def test_a_clock_that_is_set_back_keeps_no_job_waiting() -> None:
    """A next run that is hours away, as after five hours back, is made when the scheduler wakes next."""
    ran = asyncio.Event()

    async def run() -> None:
        ran.set()

    scheduler = SteadyScheduler(timezone=UTC)
    job = scheduler.add_job(run, schedule.EACH_MINUTE, misfire_grace_time=None)
    scheduler.start()
    try:
        job.modify(next_run_time=datetime.now(UTC) + timedelta(hours=5))
        scheduler.wakeup()
        async with asyncio.timeout(10):
            await ran.wait()
    finally:
        scheduler.shutdown(wait=False)


async def test_closing_the_application_leaves_every_job_whole_or_undone(database: Database, clock: Clock) -> None:
    """Cancelled in the middle of a summary: the session waits, holds its lease, and is made by the next process."""
    gate = asyncio.Event()
    answer = Reply(text=json.dumps({"summary": "late", "facts": []}), gate=gate)
    async with ModelServer(Reply(text="Ok."), answer) as server:
        async with room(database, clock, models=roles(server.base_url)) as r:
            await r.say("The code is 4417.")
            await r.run("!reset")
            await eventually(lambda: len(server.requests) >= 2)
        assert await rows(database, "SELECT state, fact_count FROM session WHERE number = 1") == [("closed", 0)]
        server.always = Reply(text=json.dumps({"summary": "made", "facts": []}))
        gate.set()
        async with room(database, clock, models=roles(server.base_url)) as r:
            clock.forward(seconds=61)
            await r.app.schedule.upkeep()
    assert await rows(database, "SELECT text FROM chat_summary") == [("made",)]


async def test_each_job_is_run_at_the_start_and_in_each_minute_hour_or_day(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Upkeep each minute, servers that are gone hourly, decay and retention daily; late is once, never dropped."""
    ran: list[str] = []

    async def start(name: str, _body: object) -> None:
        ran.append(name)

    async with room(database, clock) as r:
        monkeypatch.setattr(r.app.schedule, "start", start)
        clock.now = datetime(2026, 3, 2, 23, 58, 30, tzinfo=UTC)
        started = list[list[str]]()
        for step in (0, 20, 60, 60, 3600, 86400 * 3, -5 * 3600, 60):
            clock.forward(seconds=step)
            await r.app.schedule.tick()
            started.append([*ran])
            ran.clear()
    daily, hourly = ["decay", "retention", "tally"], ["departures", "unfinished", "residue"]
    assert [
        ["upkeep", *hourly, *daily, "overdue"],
        [],
        ["upkeep"],
        ["upkeep", *hourly, *daily],
        ["upkeep", *hourly],
        ["upkeep", *hourly, *daily],
        ["upkeep", *hourly, *daily],
        ["upkeep"],
    ] == started


async def test_a_space_that_a_wrong_clock_put_off_is_kept_up_all_the_same(database: Database, clock: Clock) -> None:
    """What is due later than anything ever is was written by a clock that was ahead."""
    async with room(database, clock) as r:
        clock.forward(hours=5)
        await r.app.schedule.upkeep()
        clock.forward(hours=-5)
        assert [r.caller.space_id] == await r.app.spaces.claim_due(now=clock())
        assert [] == await r.app.spaces.claim_due(now=clock())


async def test_a_summarizer_that_hangs_holds_up_nobodys_erasure(database: Database, clock: Clock) -> None:
    """What is forgotten in another space goes when its ten minutes are over, though the model has not answered yet."""
    async with ModelServer(Reply(text="Ok."), always=Hang()) as server, room(database, clock) as bare:
        ben = await bare.app.enter(people.caller("Ben", person=8, space=2), channel_name="c", mode="all")
        await bare.run("!remember The vault code is 4417.", ben)
        await bare.run("!forget 1", ben)
        async with room(database, clock, models=roles(server.base_url, timeout=300)) as r:
            await r.say("We decided to use Rust.")
            await r.app.sessions.reset(r.caller, discard=False, min_messages=1, now=clock())
            clock.forward(minutes=2)
            await r.app.schedule.tick()
            await eventually(lambda: len(server.requests) == 2)
            clock.forward(minutes=9)
            await r.app.schedule.tick()
            await becomes([(0,)], lambda: rows(database, "SELECT count(*) FROM memory"))
            assert [("closed",)] == await rows(database, "SELECT state FROM session WHERE number = 1 AND space_id = 1")


async def test_while_the_time_is_doubted_nothing_goes_and_summaries_are_made(database: Database, clock: Clock) -> None:
    """Two years ahead at a start: every note, message, memory and undo is there, until the time is believed."""
    async with room(database, clock, messages={"keep_days": 30}) as r:
        await r.run("!remember We deploy on Fridays. importance:5")
        await r.run("!remember The vault code is 4417.")
        await r.run("!forget 2")
        await r.run("!note the cellar is flooded")
        await r.say("We decided to use Rust.")
        await r.app.sessions.reset(r.caller, discard=False, min_messages=1, now=clock())
        before = await _held(database)
        known = clock()
        clock.forward(days=730)
        timeline = DatabaseClock(database, clock(), believed=known, doubted_since=None)
        jobs = worker(r, database, "host/9/1", timeline)
        for _ in range(3):
            clock.forward(minutes=1)
            await jobs.tick()
            await r.app.background.settled(20)
        doubted = (
            await _held(database),
            bool(timeline.doubt),
            await rows(database, "SELECT state FROM session ORDER BY number"),
        )
        timeline.witnessed(timeline())
        clock.forward(minutes=1)
        await jobs.tick()
        await r.app.background.settled(20)
    assert (before, True, [("summarised",), ("open",)]) == doubted
    assert "" == timeline.doubt
    assert before != await _held(database)


class ByPostgres(Clock):
    """The time of a test that goes by Postgres's clock."""

    def __init__(self, timeline: DatabaseClock) -> None:
        super().__init__()
        self.timeline = timeline

    def __call__(self) -> datetime:
        return self.timeline()


@pytest.mark.parametrize("by", ["2 years", "-5 hours"])
async def test_a_clock_that_is_wrong_for_a_while_takes_nothing_and_stops_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """Every job runs meanwhile, by the time that it is."""
    timeline = await DatabaseClock.opened(database)
    clock = ByPostgres(timeline)
    async with room(database, clock, messages={"keep_days": 30}) as r:
        await r.run("!remember We deploy on Fridays. importance:5")
        await r.run("!remember The vault code is 4417.")
        await r.run("!forget 2")
        await r.run("!note the cellar is flooded")
        await r.say("We decided to use Rust.")
        before, began = await _held(database), clock()
        read = database_clock.Sql.read.replace(
            "SELECT clock_timestamp()", f"SELECT clock_timestamp() + interval '{by}'"
        )
        jobs = worker(r, database, "host/9/1", timeline)
        with monkeypatch.context() as patch:
            patch.setattr(database_clock.Sql, "read", read)
            for _ in range(2):
                await timeline.look()
                await jobs.tick()
                await r.app.background.settled(20)
            wrong = (await database_clock.read(database)).now - clock()
        await timeline.look()
    ran = await rows(database, "SELECT job FROM job_run WHERE worker = 'host/9/1' AND finished_at IS NOT NULL")
    assert (before, True) == (await _held(database), abs(wrong) > timedelta(hours=4))
    assert {("ageing",), ("erasure",), ("decay",), ("retention",), ("departures",)} <= {*ran}
    assert timedelta(0) <= clock() - began < timedelta(hours=1)


async def _held(database: Database) -> list[tuple[Any, ...]]:
    """What a wrong clock would take: memories by tier and importance, hidden ones, notes, and what was said."""
    found = await rows(database, "SELECT tier, importance, forgotten_at FROM memory WHERE memory_id < 3 ORDER BY 3, 1")
    return [
        *found,
        *await rows(database, "SELECT content FROM note"),
        *await rows(database, "SELECT content FROM message"),
    ]
