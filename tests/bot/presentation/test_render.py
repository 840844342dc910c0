"""The laws of times as people read them: in their community's zone, and told with it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import pytest

from bot.cli.terminal import Screen, Terminal, caller
from bot.db.pool import Database
from bot.domain import PastSession
from bot.presentation import render
from tests.conftest import Clock
from tests.conversations import room

NOON: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
NEVER: Final = datetime.max.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "at", "told"),
    [
        ("UTC", NOON, "2026-03-02 12:00 UTC"),
        ("Etc/UTC", NOON, "2026-03-02 12:00 UTC"),
        ("Europe/Berlin", NOON, "2026-03-02 13:00 CET"),
        ("Europe/Berlin", NOON.replace(month=7), "2026-07-02 14:00 CEST"),
        ("Asia/Kolkata", NOON, "2026-03-02 17:30 IST"),
        ("Europe/Istanbul", NOON, "2026-03-02 15:00 UTC+3"),
        ("Asia/Kathmandu", NOON, "2026-03-02 17:45 UTC+5:45"),
        ("America/Sao_Paulo", NOON, "2026-03-02 09:00 UTC-3"),
        ("Pacific/Marquesas", NOON, "2026-03-02 02:30 UTC-9:30"),
        ("Pacific/Kiritimati", NOON, "2026-03-03 02:00 UTC+14"),
        ("Factory", NOON, "2026-03-02 12:00 UTC"),
        ("Mars/Olympus", NOON, "2026-03-02 12:00 UTC"),
        ("../../etc/passwd", NOON, "2026-03-02 12:00 UTC"),
        ("", NOON, "2026-03-02 12:00 UTC"),
        ("Europe/Berlin", NEVER, "9999-12-31 23:59 UTC"),
    ],
)
def test_a_moment_is_told_in_its_zone(zone: str, at: datetime, told: str) -> None:
    """By the zone's letters, or how far it is from UTC where it has none; in UTC where the zone is not known."""
    assert told == render.time(at, zone)


@pytest.mark.parametrize(
    ("opened", "closed", "zone", "told"),
    [
        (NOON, NOON.replace(hour=13), "UTC", "2026-03-02 12:00 to 13:00 UTC"),
        (NOON, NOON.replace(day=3), "UTC", "2026-03-02 12:00 to 2026-03-03 12:00 UTC"),
        (NOON, NOON.replace(hour=13), "Europe/Berlin", "2026-03-02 13:00 to 14:00 CET"),
        (NOON, NOON.replace(hour=23, minute=30), "Europe/Berlin", "2026-03-02 13:00 to 2026-03-03 00:30 CET"),
        (NOON, NOON.replace(month=4), "Europe/Berlin", "2026-03-02 13:00 CET to 2026-04-02 14:00 CEST"),
        (
            NOON.replace(day=29, hour=0),
            NOON.replace(day=29, hour=2),
            "Europe/Berlin",
            "2026-03-29 01:00 CET to 04:00 CEST",
        ),
    ],
)
def test_a_span_names_day_and_zone_once(opened: datetime, closed: datetime, zone: str, told: str) -> None:
    """The day is that of the zone; where summer time begins in between both are named."""
    session = PastSession(
        number=1,
        state="discarded",
        opened_at=opened,
        closed_at=closed,
        message_count=1,
        fact_count=0,
        attempts=0,
        text=None,
        withheld=False,
        model=None,
    )
    entry = render.session_entry(session, zone)
    assert f"session 1 · {told} · 1 message" == entry.head.partition(" · 0 memories")[0]
    # In a list, when it ended is Discord's to tell, and its number is last.
    assert (closed, ("1 message", "0 memories", "discarded", "session 1")) == (entry.at, entry.marks)


async def test_a_community_is_told_times_in_its_zone(
    database: Database, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the terminal from the setting on, and after a restart: what was said, sessions, the last summary, own data."""
    lines = ["!recall vault", "!mydata", "!reset", "!sessions", "Where did we leave off?"]

    async def told(*given: str) -> Sequence[str]:
        async with room(database, clock, who=caller("ann")) as r:
            terminal = Terminal(r.app, r.caller, Screen(interactive=False))
            for line in given:
                await terminal.take(line)
                await r.app.background.settled(20)
        return capsys.readouterr().out.splitlines()

    set_now = await told("The vault code is 4417.", "!settings timezone Europe/Berlin", lines[0])
    after = await told(*lines)
    assert "said · ann · 2026-03-02 13:00 CET" in set_now
    assert "said · ann · 2026-03-02 13:00 CET" in after
    assert "  2026-03-02 13:00 CET · The vault code is 4417." in after
    assert any(line.startswith("session 1 · 2026-03-02 13:00 to 13:00 CET · ") for line in after)
    assert any(line.endswith("summary of session 1, 2026-03-02 13:00 CET") for line in after)
    assert [] == [line for line in (*set_now, *after) if "12:00" in line]
