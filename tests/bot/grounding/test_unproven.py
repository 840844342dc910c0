"""The laws of what a free answer tells of members whose names are words of everyday, too."""

from datetime import UTC, datetime
from typing import Final

import pytest

from bot.grounding import names, unproven
from bot.grounding.ground import Ground
from bot.grounding.unproven import Doubt

PEOPLE: Final = ("Will", "May", "Mark", "Bob")


def doubt(answer: str, question: str) -> Doubt | None:
    ground = Ground(question, (), asked_at=datetime(2026, 5, 1, tzinfo=UTC), zone="UTC", people=PEOPLE, asker="Bob")
    asked_of = unproven.asked_of_members(question, PEOPLE)
    return unproven.of(answer, ground, (), community=(), asked_of=asked_of)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who has the drill?", "Will borrowed the drill."),
        ("who has the drill?", "I think Will took it."),
        ("how are things?", "Will said he quits."),
        ("how is Will?", "Will has a new job."),
        ("what does May do?", "May works as a nurse."),
    ],
)
def test_who_is_called_like_a_word_is_somebody(question: str, answer: str) -> None:
    """What nothing shown holds is not told of them either."""
    assert Doubt.INVENTED is doubt(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what is the weather?", "It will rain, as the forecast said."),
        ("tell me a story", "The king said he will go, and he may return."),
        ("will you help me?", "Of course, I will, as I said."),
        ("how are things?", "May I ask what the doctor said?"),
        ("how are things?", "The committee decided it will be closed."),
    ],
)
def test_the_word_is_nobody(question: str, answer: str) -> None:
    """It tells of no member, whatever one of them is called."""
    assert doubt(answer, question) is None


def test_a_word_is_a_name_where_it_is_written_as_one() -> None:
    """Behind no beginning of a sentence, or before what somebody does."""
    assert {"will", "bob"} == names.written("Will lent it. I will ask bob. May I?", {"will", "bob", "may"})
