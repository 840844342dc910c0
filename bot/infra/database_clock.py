"""Tells the time by Postgres's clock, as far as it can be believed: a step that nothing explains is not followed.

Between two readings the time goes on by what the kernel counts since its boot, sleep included, which no setting of a
clock moves. What is to age, fade, expire or go for good does so while the time is believed:

- A reading that is as much later than the last as has passed, give or take five minutes, is believed at once.
- Any other, a step in the middle of a run, is followed if Discord tells the same time. Else the time goes on as before,
  until the clock has gone on from the step for a whole day.
- The first of a run is doubted where Discord is to be reached, until Discord tells a time at most an hour earlier,
  and where Hathi was off for more than thirty days; if nobody tells the time, for ten minutes. While it is, whatever
  destroys waits.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot import log
from bot.db import statements
from bot.db.pool import Database
from bot.infra.installation_marks import Marks

_log = log.logger(__name__)

OFF_BY: Final = timedelta(minutes=5)
"""How far a reading may be from what is expected, and a step from Discord's time."""
AHEAD_OF_DISCORD: Final = timedelta(hours=1)
"""How far Postgres's clock may be ahead of Discord's: one that is always so much ahead takes nothing early."""
OFF_FOR: Final = timedelta(days=30)
"""How long Hathi may have been off for a first reading to be believed by itself."""
AT_A_START: Final = timedelta(minutes=10)
"""After which a first reading is believed where Discord tells of no time."""
IN_A_RUN: Final = timedelta(days=1)
"""After which a step is, if the clock goes on from there: no machine that runs is switched off meanwhile."""
MARK: Final = "clock"
"""Under which it is kept what time was last believed, and since when another is doubted."""

since_boot: Final[Callable[[], float]] = partial(time.clock_gettime, time.CLOCK_BOOTTIME)
"""Seconds since the machine was started, those it slept among them."""


class Sql:
    """The statement that asks for the time."""

    read: Final = statements.named("clock.read")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A time, and the seconds since boot at which it was that."""

    at: datetime
    elapsed: float

    def after(self, elapsed: float) -> datetime:
        """What time it is when that much has passed since boot."""
        return self.at + timedelta(seconds=elapsed - self.elapsed)


class Timeline:
    """The time as it goes on, told by readings and by witnesses; asks nobody. Called, it tells the time.

    `believed` is the time that was last believed before, if any, and `doubted_since` when a later one was first read.
    """

    def __init__(
        self,
        now: datetime,
        *,
        believed: datetime | None = None,
        doubted_since: datetime | None = None,
        elapsed: Callable[[], float] = since_boot,
    ) -> None:
        self.sure = asyncio.Event()
        """Set while the time is believed."""
        self.believed = believed
        self._awaits = False
        self._elapsed = elapsed
        self._witness: _Reading | None = None
        self._begin(now, doubted_since)

    def __call__(self) -> datetime:
        """What time it is, as far as is known."""
        return self._line.after(self._elapsed())

    @property
    def doubt(self) -> str:
        """Why whatever destroys waits; empty while it does not."""
        if self.sure.is_set():
            return ""
        if self._witness is not None:
            return f"Postgres's clock says {self():%Y-%m-%d %H:%M}, and Discord's {self._told():%Y-%m-%d %H:%M} UTC."
        since = "" if self.believed is None else f", and it was last believed at {self.believed:%Y-%m-%d %H:%M}"
        return f"Postgres's clock says {self():%Y-%m-%d %H:%M} UTC{since}; nothing has confirmed it yet."

    @property
    def doubted_since(self) -> datetime | None:
        """When the first reading was that is doubted; none while the time is believed."""
        return None if self._doubted is None else self._doubted.at

    def expect_witness(self) -> None:
        """Doubts the first reading until somebody whose clock is right tells the time."""
        self._awaits = True
        self._begin(self(), self.doubted_since)

    def read(self, now: datetime) -> None:
        """Takes a reading of Postgres's clock."""
        elapsed = self._elapsed()
        reading, expected = _Reading(now, elapsed), self()
        if abs(now - expected) <= OFF_BY:
            self._line, self._step = reading, None
        elif not self.sure.is_set():
            # Of two times neither of which was believed the later reading is no worse.
            self._begin(now, None)
        elif self._is_explained(reading):
            _log.warning("clock.stepped", seconds=round((now - expected).total_seconds()))
            self._line, self._step = reading, None
        elif self._step is None or abs(now - self._step.after(elapsed)) > OFF_BY:
            _log.error("clock.step_not_followed", seconds=round((now - expected).total_seconds()))
            self._step = reading
        self._settle()

    def witnessed(self, at: datetime) -> None:
        """Takes the time of somebody whose clock is right, as of now."""
        self._witness = _Reading(at, self._elapsed())
        self._settle()

    def _begin(self, now: datetime, doubted_since: datetime | None) -> None:
        elapsed = self._elapsed()
        self._line = _Reading(now, elapsed)
        self._step: _Reading | None = None
        was_off = self.believed is not None and now - self.believed > OFF_FOR
        if doubted_since is not None and doubted_since <= now:
            self._doubted: _Reading | None = _Reading(doubted_since, elapsed - (now - doubted_since).total_seconds())
        else:
            self._doubted = self._line if was_off or self._awaits else None
        self._settle()

    def _is_explained(self, reading: _Reading) -> bool:
        """Whether a step to this reading is to be followed."""
        if self._witness is not None:
            return abs(reading.at - self._told()) <= OFF_BY
        step = self._step
        goes_on = step is not None and abs(reading.at - step.after(reading.elapsed)) <= OFF_BY
        return step is not None and goes_on and reading.elapsed - step.elapsed >= IN_A_RUN.total_seconds()

    def _told(self) -> datetime:
        """What time it is by the witness."""
        assert self._witness is not None
        return self._witness.after(self._elapsed())

    def _settle(self) -> None:
        """Decides whether the time is believed. One that is too early destroys nothing."""
        if self._witness is not None:
            is_sure = self() - self._told() <= AHEAD_OF_DISCORD
            self._doubted = self._doubted or _Reading(self(), self._elapsed())
        else:
            doubted = self._doubted
            is_sure = doubted is None or self._elapsed() - doubted.elapsed >= AT_A_START.total_seconds()
        if is_sure:
            self.believed, self._doubted = self(), None
        if is_sure == self.sure.is_set():
            return
        if is_sure:
            self.sure.set()
            _log.info("clock.believed")
        else:
            self.sure.clear()
            # At each start with Discord it is, for a moment.
            is_awaited = self._awaits and self._witness is None
            (_log.info if is_awaited else _log.warning)("clock.doubted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a database tells of the time."""

    now: datetime
    believed: datetime | None
    """When Hathi last believed it; none where it never did."""
    doubted_since: datetime | None
    """Since when it does not; none while it does."""


async def read(database: Database) -> Told:
    """What a migrated database tells."""
    async with database.connection() as connection:
        row = await connection.fetchrow(Sql.read, MARK)
    assert row is not None
    since = datetime.fromisoformat(row["doubted_since"]) if row["doubted_since"] else None
    return Told(now=row["now"], believed=row["believed"], doubted_since=since)


class DatabaseClock(Timeline):
    """The same, read from a database in which it keeps what was believed."""

    def __init__(
        self, database: Database, now: datetime, *, believed: datetime | None, doubted_since: datetime | None
    ) -> None:
        super().__init__(now, believed=believed, doubted_since=doubted_since)
        self._database = database
        self._marks = Marks(database)

    @classmethod
    async def opened(cls, database: Database) -> "DatabaseClock":
        """The clock of a migrated database."""
        told = await read(database)
        return cls(database, told.now, believed=told.believed, doubted_since=told.doubted_since)

    async def look(self) -> None:
        """Reads the clock anew, and keeps what is believed for the next start."""
        self.read((await read(self._database)).now)
        since = self.doubted_since
        if self.believed is not None:
            await self._marks.write(MARK, since.isoformat() if since else "", now=self.believed)
