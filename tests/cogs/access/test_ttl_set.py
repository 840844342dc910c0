"""What happened a short while ago."""

from datetime import timedelta

from cogs.access.ttl_set import TtlSet


def test_what_was_noted_is_recent_for_a_while() -> None:
    """Something is recent from when it was noted until its time is over; noted again, for as long again."""
    now = 100.0
    recently = TtlSet(timedelta(seconds=10), clock=lambda: now)
    recently.note("tea")
    seen = list[bool]()
    for moment, again in ((100.0, False), (109.9, True), (119.8, False), (119.9, False)):
        now = moment
        seen.append("tea" in recently)
        if again:
            recently.note("tea")

    assert [True, True, True, False] == seen
    assert "cake" not in recently


def test_a_clock_set_back_makes_nothing_recent() -> None:
    """What seems to have happened in the future is not recent."""
    now = 100.0
    recently = TtlSet(timedelta(seconds=10), clock=lambda: now)
    recently.note("tea")
    now = 50.0

    assert "tea" not in recently


def test_the_oldest_is_forgotten_first() -> None:
    """So many are known at most, and what happened longest ago makes room."""
    recently = TtlSet(timedelta(seconds=10), clock=lambda: 100.0, most=2)
    for what in ("tea", "cake", "tea", "milk"):
        recently.note(what)

    assert [True, False, True] == [what in recently for what in ("tea", "cake", "milk")]
