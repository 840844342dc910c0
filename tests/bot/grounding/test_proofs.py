"""The laws of what an answer rests on that cites nothing."""

from datetime import UTC, datetime
from typing import Final

import pytest

from bot.domain import Layer
from bot.grounding import proofs
from bot.grounding.ground import Ground
from bot.layers.walk import Evidence

SAID_AT: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
TRIP: Final = Evidence(
    label="#41", layer=Layer.PALACE, content="I am going to Lyon on the 12th.", author="Cleo", said_at=SAID_AT
)


@pytest.mark.parametrize(
    ("question", "answer", "rests"),
    [
        ("When is Cleo going to Lyon?", "On the 12th.", True),
        ("Is Cleo going to Lyon?", "Yes.", True),
        ("Who is going to Lyon?", "Cleo.", True),
        ("When is Cleo going to Lyon?", "Sure!", False),
        ("When is Cleo going to Lyon?", "Yes.", False),
    ],
)
def test_an_answer_that_says_nothing_rests_on_nothing(question: str, answer: str, rests: bool) -> None:
    """But to a question that yes or no is an answer to."""
    ground = Ground(question, [TRIP], asked_at=SAID_AT, zone="UTC", people=["Cleo", "Ann"], asker="Ann")
    assert (("#41",) if rests else ()) == proofs.of(answer, ground)
