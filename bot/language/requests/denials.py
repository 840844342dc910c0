"""Tells whether a text only denies what some words name: "on Thursday, not Friday"; pure."""

import re
from typing import Final

from bot.text import folding, patterns

_WORD: Final = re.compile(r"\w+(?:[':.]\w+)*")
_NOT: Final = patterns.vocabulary(
    """
    not no never isn't wasn't instead
    nicht kein keine keinen nie statt
    pas jamais nunca
    """
)
_NEAR: Final = 3
"""Words before a thing among which stands what denies it: `not on Friday`, `instead of the Friday`."""


def denies(text: str, words: str) -> bool:
    """Whether each of these words that a text has stands behind one that denies it; false where it has none."""
    said, named = _words(text), {*_words(words)}
    places = [at for at, word in enumerate(said) if word in named]
    return bool(places) and all(not _NOT.isdisjoint(said[max(0, at - _NEAR) : at]) for at in places)


def _words(text: str) -> list[str]:
    return _WORD.findall(folding.folded(text.translate(patterns.STRAIGHT_QUOTES)))
