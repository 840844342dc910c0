"""What a short claim adds to the question is in what it rests on."""

import pytest

from bot.grounding.faults import FaultKind
from tests.bot.grounding.test_check import check, shown


@pytest.mark.parametrize(
    ("question", "content", "honest", "lie"),
    [
        ("what colour is the hoover?", "the hoover is grey and belongs to pip", "The hoover is grey (#1).", "red"),
        ("is the vise ok?", "the vise is fixed", "The vise is fixed (#1).", "loose"),
        ("how is the lamp?", "the lamp waits for a part", "The lamp waits for a part (#1).", "broken"),
    ],
)
def test_what_is_added_is_held(question: str, content: str, honest: str, lie: str) -> None:
    """However much of the rest the question said itself; a made-up word is in nobody's name."""
    thing = question.rstrip("?").split()[-1] if "ok" not in question else "vise"
    assert () == check(honest, shown("#1", content), question=question).kinds
    told = check(f"The {thing} is {lie} (#1).", shown("#1", content), question=question)
    assert (FaultKind.SUPPORT,) == told.kinds


def test_what_adds_nothing_or_a_value_is_another_check_s() -> None:
    """A yes, a number, a day and a name are held against what was shown by themselves."""
    assert check("Yes, the hoover is grey (#1).", shown("#1", "grey hoover"), question="is the hoover grey?").sound
    assert check("45 (#1).", shown("#1", "the fee is 45 euros"), question="how much is the fee?").sound


def test_a_yes_is_held() -> None:
    """What it says yes to is in what it rests on: that the hoover is Pip's does not make it red."""
    told = check(
        "Yes, the hoover is red (#1).", shown("#1", "the hoover belongs to pip"), question="is the hoover red?"
    )
    assert (FaultKind.SUPPORT,) == told.kinds
