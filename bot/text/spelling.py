"""Finds what a misspelt word nearly spells; pure."""

import difflib
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

ALIKE: Final = 0.8
"""The share of letters, in their order, that two words have in common from which on one may be the other misspelt."""
MOST: Final = 2
"""Words that one may be."""
_SHORTEST: Final = 3
_LONGEST: Final = 30
_LONGER: Final = 2
"""Letters by which the two may differ in length."""
_LONG: Final = 6
"""Letters of the shortest word whose first may be wrong: a mouse is no house."""


def nearly(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Those of the known words that it nearly spells, the nearest first; all begin with its first letter.

    Where some have the very same letters, those alone: fingers swap letters more often than they hit a wrong one.
    """
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha():
        return ()
    near = sorted(one for one in known if one[:1] == word[:1] and abs(len(one) - len(word)) <= _LONGER and one != word)
    return _nearest(word, near)


def misbegun(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Those of the known words that it spells but for its first letter: another, one too few or many, or swapped."""
    if not _LONG <= len(word) <= _LONGEST or not word.isalpha():
        return ()
    behind = endings(word)
    return _nearest(word, sorted(one for one in known if one[1:] in behind and one != word))


def compounds(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Those of the known words that are made of others and end with it, the shortest first: of a nut the hazelnut."""
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha():
        return ()
    made = sorted((one for one in known if one.endswith(word)), key=lambda one: (len(one), one))
    return tuple(one for one in made if len(one) - len(word) >= _SHORTEST)[:MOST]


def parts(word: str, known: AbstractSet[str]) -> tuple[str, ...]:
    """The two known words that a word is made of, the first the longest: of the bandsaw band and saw; else none."""
    cuts = range(len(word) - _SHORTEST, _SHORTEST - 1, -1)
    return next(((word[:at], word[at:]) for at in cuts if word[:at] in known and word[at:] in known), ())


def initials(word: str) -> tuple[str, ...]:
    """The letters that the second of two words may begin with which it is made of."""
    return tuple(word[_SHORTEST : min(len(word), _LONGEST) - _SHORTEST + 1]) if word.isalpha() else ()


def endings(word: str) -> tuple[str, ...]:
    """All but the first letter of what a word may spell but for that."""
    return word[1:], word, word[2:], word[:1] + word[2:]


def _nearest(word: str, near: Sequence[str]) -> tuple[str, ...]:
    swapped = [one for one in near if sorted(one) == sorted(word)]
    return tuple(swapped[:MOST] or difflib.get_close_matches(word, near, n=MOST, cutoff=ALIKE))
