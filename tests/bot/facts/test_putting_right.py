"""The laws of what is so by now, by what somebody says of what they said before."""

from datetime import UTC, datetime

import pytest

from bot.facts import putting_right

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("old", "said", "now"),
    [
        ("the standup is on thursday", "it's on friday", "the standup is on friday"),
        ("the meeting is on january 14 at 7pm", "it's on january 21", "the meeting is on january 21 at 7pm"),
        ("meeting at 7pm on 3 May", "at 8pm", "meeting at 8pm on 3 May"),
        ("the hut costs 50 euros", "it's 80", "the hut costs 80 euros"),
        ("die Probe ist am Montag", "es ist am Freitag", "die Probe ist am Freitag"),
        ("the plants are watered by Nadia", "by Bo, not Nadia", "the plants are watered by Bo"),
        ("it costs 14 euros", "it's 12 not 14", "it costs 12 euros"),
        ("i bring tiramisu", "lasagna instead of tiramisu", "i bring lasagna"),
        ("keys are with Ellen", "they're with Tobi, not Ellen", "keys are with Tobi"),
    ],
)
def test_a_value_takes_the_place_of_its_kind_or_of_what_it_names(old: str, said: str, now: str) -> None:
    """All else stays as it was said."""
    assert now == putting_right.whole(old, said, as_of=NOW, zone="UTC")


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("the drill is in my garage", "it's at ellens"),
        ("the fee is 14 euros, 20 for guests", "it's 12"),
        ("it costs 12 euros", "it's 12 not 14"),
        ("the meeting is on friday", "it's on monday because the hall is taken"),
    ],
)
def test_what_finds_no_place_stands_behind(old: str, said: str) -> None:
    """So that nothing of either is lost."""
    assert f"{old} \u2013 {said}" == putting_right.whole(old, said, as_of=NOW, zone="UTC")


@pytest.mark.parametrize(
    ("old", "said", "surely", "now"),
    [
        ("the hut deposit is 50 euros", "the hut deposit is 80 euros", False, "the hut deposit is 80 euros"),
        ("the mill is old", "the ferry leaves at ten", False, None),
        ("the mill is old", "the ferry leaves at ten", True, "the ferry leaves at ten"),
        ("the mill is old", "who has the key", True, None),
    ],
)
def test_a_whole_statement_stands_alone(old: str, said: str, surely: bool, now: str | None) -> None:
    """Where it is of the same, or surely about it."""
    assert now == putting_right.whole(old, said, as_of=NOW, zone="UTC", surely=surely)
