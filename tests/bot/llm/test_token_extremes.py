"""The laws of the estimate on the texts that came nearest to breaking it.

`token_extremes.json` holds 28 random texts, those of 26 classes for which an earlier estimate was lowest, beside the
greatest count of the ten tokenizers `test_tokens` names.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.tokens import estimate

EXTREMES: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("token_extremes.json").read_text("utf-8"))
JOINT = 10
"""What parting a text in two may change."""


@pytest.mark.parametrize("name", EXTREMES)
def test_the_estimate_does_not_fall_short_of_extremes(name: str) -> None:
    """Invented words, rows of vowels, keys, tags, flags and controls cost at least what the hungriest counted."""
    most, text = EXTREMES[name].values()
    assert most <= estimate(text)


@pytest.mark.parametrize("name", ["chat", "prose"])
def test_english_is_not_wasted(name: str) -> None:
    """English comes out at most 2.2 times the greatest count."""
    most, text = EXTREMES[name].values()
    assert estimate(text) <= 2.2 * most


@given(st.text(), st.text())
def test_parts_add_up(text: str, more: str) -> None:
    """The whole is the sum of its parts, but for a few tokens at the joint, and never negative."""
    assert abs(estimate(text + more) - estimate(text) - estimate(more)) <= JOINT
    assert estimate(text) >= 0


@given(st.text(alphabet="abeiouyzXQ 1\n.é", max_size=40), st.integers(2, 50))
def test_the_estimate_is_linear(text: str, times: int) -> None:
    """A text said so many times costs that many times as much, but for the joints."""
    assert abs(estimate(text * times) - times * estimate(text)) <= JOINT * times
