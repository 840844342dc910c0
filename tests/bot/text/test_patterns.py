"""The laws of how tables of words become expressions."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bot.text import patterns

WORDS = st.lists(st.text("ab.", min_size=1, max_size=4), min_size=1, max_size=8)


@given(WORDS, st.text("ab.", max_size=12))
def test_any_of_words_finds_what_their_alternatives_find(words: list[str], text: str) -> None:
    """One expression finds the same as the words side by side, the longest first."""
    side_by_side = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))

    assert re.findall(side_by_side, text) == re.findall(patterns.any_of(words), text)
