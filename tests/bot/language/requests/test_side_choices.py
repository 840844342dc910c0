"""Which of some things somebody chooses, and whether a text may choose any."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import MemoryId
from bot.language.requests import side_choices

_SAID = st.sampled_from([
    "4", "#7", "2", "first", "second", "older", "both", "yes", "no", "only", "forget", "keep", "the", "that", "garden",
    "right", "one", "is", ",", ". ", "! ", "\n", "?", "letzte", "ambas", "deux", "gilt",
])  # fmt: skip


@given(st.lists(_SAID, min_size=1, max_size=9).map(" ".join))
def test_whatever_chooses_may_choose(text: str):
    """Of what may choose nothing it is not even asked what there was to choose from."""
    numbers = [MemoryId(4), MemoryId(7)]
    chosen = [*side_choices.read(text, numbers), *side_choices.going(text, numbers)]

    assert side_choices.chooses(text) or not chosen


@pytest.mark.parametrize(
    "text", ["we meet at 7", "Write a haiku about the first snow.", "two more guests", "the last one was better, no?"]
)
def test_what_says_more_chooses_nothing(text: str):
    """A number or a place by itself makes no choice."""
    assert not side_choices.chooses(text)
