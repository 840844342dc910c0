"""The laws of the time: a step that nothing explains is not followed, and what destroys waits while it is doubted."""

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from bot.db.pool import Database
from bot.infra import database_clock
from bot.infra.database_clock import AHEAD_OF_DISCORD, AT_A_START, IN_A_RUN, OFF_FOR, DatabaseClock, Timeline
from tests.rows import one

NOW: Final = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
YEARS: Final = timedelta(days=730)
MINUTE: Final = timedelta(minutes=1)


class Passing:
    """How much time has really passed, and the clock that tells of it, which may be set."""

    def __init__(self) -> None:
        self.passed = timedelta(hours=1)
        self.wrong_by = timedelta(0)

    def elapsed(self) -> float:
        return self.passed.total_seconds()

    @property
    def right(self) -> datetime:
        return NOW + self.passed - timedelta(hours=1)

    def reads(self, timeline: Timeline, *, minutes: int = 1) -> datetime:
        """What the timeline says after so many minutes of which it reads each."""
        for _ in range(minutes):
            self.passed += MINUTE
            timeline.read(self.right + self.wrong_by)
        return timeline()


@pytest.fixture
def passing() -> Passing:
    return Passing()


def begun(passing: Passing, **known: datetime | None) -> Timeline:
    return Timeline(passing.right + passing.wrong_by, elapsed=passing.elapsed, **known)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("by", [YEARS, timedelta(hours=5), -timedelta(hours=5), timedelta(minutes=6)])
def test_a_step_that_nothing_explains_is_not_followed(passing: Passing, by: timedelta) -> None:
    """The time goes on by what has passed, believed, whichever way the clock went, and when it comes back too."""
    timeline = begun(passing, believed=NOW)
    passing.wrong_by = by
    assert [True] * 3 == [passing.reads(timeline, minutes=n) == passing.right for n in (1, 10, 60)]
    passing.wrong_by = timedelta(0)
    assert (passing.reads(timeline), "") == (passing.right, timeline.doubt)


def test_what_a_clock_is_corrected_by_is_followed(passing: Passing) -> None:
    """A second or a minute, again and again: so much it may be off by itself."""
    timeline = begun(passing, believed=NOW)
    for _ in range(10):
        passing.wrong_by += MINUTE
        assert passing.reads(timeline) == passing.right + passing.wrong_by


def test_a_step_is_followed_where_discord_tells_the_same_time(passing: Passing) -> None:
    """A machine that was held still: nothing but the clock has gone on."""
    timeline = begun(passing, believed=NOW)
    passing.wrong_by = timedelta(hours=3)
    timeline.witnessed(passing.right + passing.wrong_by)
    assert passing.reads(timeline) == passing.right + passing.wrong_by
    passing.wrong_by = YEARS
    assert passing.reads(timeline) == passing.right + timedelta(hours=3)


def test_a_step_is_followed_once_the_clock_has_gone_on_from_it_for_a_day(passing: Passing) -> None:
    """Where nobody tells the time; one that goes back and forth meanwhile begins anew."""
    timeline = begun(passing, believed=NOW)
    passing.wrong_by = YEARS
    day = int(IN_A_RUN / MINUTE)
    passing.reads(timeline, minutes=day // 2)
    passing.wrong_by = 2 * YEARS
    assert passing.reads(timeline, minutes=day) == passing.right
    assert passing.reads(timeline, minutes=1) == passing.right + 2 * YEARS


@pytest.mark.parametrize(
    ("off_for", "sure"), [(MINUTE, True), (OFF_FOR, True), (-timedelta(hours=5), True), (OFF_FOR + MINUTE, False)]
)
def test_how_long_hathi_may_have_been_off(passing: Passing, off_for: timedelta, sure: bool) -> None:
    """Up to thirty days a first reading is believed; after more once ten minutes have passed. One too early destroys
    nothing."""
    timeline = begun(passing, believed=NOW - off_for)
    assert sure == timeline.sure.is_set()
    passing.reads(timeline, minutes=int(AT_A_START / MINUTE) - 1)
    assert sure == timeline.sure.is_set() == (timeline.doubt == "")
    passing.reads(timeline)
    assert timeline.sure.is_set()


def test_the_first_reading_of_a_new_database_is_believed(passing: Passing) -> None:
    """There is nothing in it that could go."""
    assert begun(passing).sure.is_set()


def test_a_first_reading_that_was_wrong_is_put_right(passing: Passing) -> None:
    """For as long as it was doubted nothing depends on it: the next is begun from."""
    passing.wrong_by = YEARS
    timeline = begun(passing, believed=NOW)
    assert not timeline.sure.is_set()
    passing.wrong_by = timedelta(0)
    assert (passing.reads(timeline), True) == (passing.right, timeline.sure.is_set())


def test_what_is_doubted_stays_so_over_a_restart(passing: Passing) -> None:
    """Ten minutes count from the first reading, also over short runs."""
    passing.wrong_by = YEARS
    since = begun(passing, believed=NOW).doubted_since
    passing.passed += MINUTE
    again = begun(passing, believed=NOW + YEARS, doubted_since=since)
    passing.passed += AT_A_START
    later = begun(passing, believed=NOW + YEARS, doubted_since=since)
    assert (False, True) == (again.sure.is_set(), later.sure.is_set())


@pytest.mark.parametrize(("ahead", "sure"), [(timedelta(0), True), (-YEARS, True), (AHEAD_OF_DISCORD + MINUTE, False)])
def test_discord_s_time_decides_where_it_is_heard(passing: Passing, ahead: timedelta, sure: bool) -> None:
    """A first reading waits for it; one much later than Discord's is never believed, however long it goes on."""
    passing.wrong_by = ahead
    timeline = begun(passing, believed=passing.right)
    timeline.expect_witness()
    assert not timeline.sure.is_set()
    timeline.witnessed(passing.right)
    assert sure == timeline.sure.is_set()
    passing.reads(timeline, minutes=60)
    assert (sure, sure) == (timeline.sure.is_set(), timeline.doubt == "")
    passing.wrong_by = timedelta(0)
    passing.reads(timeline)
    assert timeline.sure.is_set()


def test_where_discord_is_away_a_first_reading_is_believed_after_ten_minutes(passing: Passing) -> None:
    """Or nothing would ever go."""
    timeline = begun(passing, believed=NOW)
    timeline.expect_witness()
    passing.reads(timeline, minutes=int(AT_A_START / MINUTE))
    assert timeline.sure.is_set()


async def test_what_was_believed_is_kept_for_the_next_start(database: Database) -> None:
    """And it is Postgres's clock that is read."""
    clock = await DatabaseClock.opened(database)
    await clock.look()
    now = await one(database, "SELECT clock_timestamp()")
    told = await database_clock.read(database)
    assert told.believed is not None
    assert (True, None) == (abs(now - told.believed) < MINUTE, told.doubted_since)
    # As if two years had passed.
    await one(database, "UPDATE mark SET at = at - interval '2 years' WHERE name = 'clock'")
    later = await DatabaseClock.opened(database)
    await later.look()
    told = await database_clock.read(database)
    assert (later.doubted_since, False) == (told.doubted_since, later.sure.is_set())
    assert told.doubted_since is not None
