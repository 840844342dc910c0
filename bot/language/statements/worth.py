"""Weighs how much a sentence tells, by its signs: what tells something is worth keeping, of whatever kind it is."""

import re
from collections.abc import Iterable
from typing import Final

from bot.language.statements import exclusions, signs
from bot.text import patterns

_PLAIN: Final = {name: patterns.either(sign.table, signs.WORDS) for name, sign in signs.PLAIN.items()}
_WRITTEN: Final = {name: re.compile(patterns.either(sign.table)) for name, sign in signs.WRITTEN.items()}
_POINTS: Final = (
    {name: sign.points for name, sign in (signs.PLAIN | signs.WRITTEN).items()} | signs.KINDS | signs.DOUBTS
)


def signs_of(sentence: str, plain: str) -> frozenset[str]:
    """The names of the signs in a sentence and its plain form, and of the doubts about it that don't exclude it."""
    found = {name for name, pattern in _PLAIN.items() if patterns.compiled(pattern).search(plain)}
    found |= {name for name, pattern in _WRITTEN.items() if pattern.search(sentence)}
    return frozenset(found | exclusions.misgivings(plain))


def points(found: Iterable[str]) -> int:
    """How much a sentence with these signs, and of these kinds, tells; from `signs.LEAST` on it is worth keeping."""
    return sum(_POINTS[name] for name in found)
