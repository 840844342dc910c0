"""Detects contradictions: texts of one subject with other numbers, names or dates, or a denial; pure.

It compares words, so it finds statements in similar words. A false alarm costs one more look: nothing is ever merged,
replaced or dropped because of it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.dates import time_words
from bot.text import folding, stop_words

ALIKE: Final = 0.6
"""The share of the shorter text's telling words that stand in the other too, from which on both tell of one thing."""
_AS_LONG: Final = 0.3
"""The share of the longer one's: a sentence is not held against a page."""
_DENIED: Final = 0.6
"""That share, from which on one of them may deny the other: in a longer text "not" stands for something else."""
SAME: Final = 0.8
"""The share of all words that both have, from which on they say the same."""
_MOST: Final = 400
"""Words of a text that are read."""
_TOKEN: Final = re.compile(r"\w+(?:['\u2019.:,/%-]\w+)*")
_ENDINGS: Final = ("ing", "ed", "es", "en", "s", "e")
_SHORTEST: Final = 3
"""Letters a word keeps when an ending is taken off."""
_NEGATION: Final = re.compile(
    r"not|no|none|never|cannot|without|neither|nor|\w+n['\u2019]t|nicht|kein\w{0,2}|nie|niemals|ohne|ne|pas|jamais|aucune?"
    r"|sans|nunca|jam\u00e1s|sin|ning\u00fan|ninguna"
)
_NAMES_OF_DAYS: Final = """
    lundi mardi mercredi jeudi vendredi samedi dimanche
    lunes martes mi\u00e9rcoles jueves viernes s\u00e1bado domingo
    janvier f\u00e9vrier mars avril mai juin juillet ao\u00fbt septembre octobre novembre d\u00e9cembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
"""
"""Of weekdays and months in the languages that have no calendar of their own yet."""
_DATES: Final = frozenset(folding.folded(name) for name in _NAMES_OF_DAYS.split()).union(
    *(map(folding.folded, [*language.months, *language.weekdays]) for language in time_words.LANGUAGES)
)
_ALSO_WORDS: Final = frozenset[str]().union(*(language.also_words for language in time_words.LANGUAGES))


class ContradictionKind(StrEnum):
    """How two texts of one subject contradict each other."""

    NUMBER = "another number"
    DATE = "another date"
    NAME = "another name"
    NEGATION = "the opposite"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What is compared of a text."""

    words: frozenset[str]
    """Telling words without their endings; names among them."""
    capitalised: frozenset[str]
    numbers: frozenset[str]
    dates: frozenset[str]
    is_denial: bool

    @property
    def all(self) -> frozenset[str]:
        """Everything it says."""
        return self.words | self.numbers | self.dates


def outdating(old: str, new: str) -> Callable[[str], bool]:
    """Tells of texts made from old words whether they say what the new ones do not: a word that went, another "not"."""
    before, after = ({word.lower() for word in _TOKEN.findall(said)} for said in (old, new))
    gone, is_denied = before - after, any(_NEGATION.fullmatch(word) for word in before ^ after)
    return lambda text: is_denied or not gone.isdisjoint(word.lower() for word in _TOKEN.findall(text))


def between(new: str, old: str, *, same_topic: bool) -> ContradictionKind | None:
    """What two texts contradict each other in, if they do; those of different topics must share more."""
    one, other = _read(new), _read(old)
    mine, theirs = (one.words - other.words) & one.capitalised, (other.words - one.words) & other.capitalised
    # A name on one side only is more that is told, and nothing else.
    names = (mine, theirs) if mine and theirs else (frozenset[str](), frozenset[str]())
    shared = len(one.words & other.words)
    sizes = len(one.words - names[0]), len(other.words - names[1])
    if shared < (1 if same_topic else 2) or shared < ALIKE * min(sizes) or shared < _AS_LONG * max(sizes):
        return None
    for kind, here, there in (
        (ContradictionKind.NUMBER, one.numbers, other.numbers),
        (ContradictionKind.DATE, one.dates, other.dates),
        (ContradictionKind.NAME, *names),
    ):
        if here - there and there - here:
            return kind
    return ContradictionKind.NEGATION if one.is_denial != other.is_denial and shared >= _DENIED * max(sizes) else None


def is_same(new: str, old: str) -> bool:
    """Whether both texts say the same, or nearly."""
    one, other = _read(new), _read(old)
    if not one.words or one.is_denial != other.is_denial or (one.numbers, one.dates) != (other.numbers, other.dates):
        return False
    return len(one.all & other.all) >= SAME * len(one.all | other.all)


def _read(text: str) -> _Read:
    words, capitalised, numbers, dates, is_denial = set[str](), set[str](), set[str](), set[str](), False
    for token in _TOKEN.findall(text)[:_MOST]:
        plain = folding.folded(token)
        if _NEGATION.fullmatch(token.lower()):
            is_denial = True
        elif any(letter.isdigit() for letter in plain):
            numbers.add(plain)
        elif (day := _date(plain)) and (day not in _ALSO_WORDS or token[0].isupper()):
            dates.add(day)
        elif plain not in stop_words.FUNCTION:
            words.add(_stem(plain))
            if token[0].isupper():
                capitalised.add(_stem(plain))
    return _Read(
        words=frozenset(words),
        capitalised=frozenset(capitalised),
        numbers=frozenset(numbers),
        dates=frozenset(dates),
        is_denial=is_denial,
    )


def _date(word: str) -> str:
    """The name of a weekday or a month, in the singular; nothing for any other word."""
    return next((name for name in (word, word.removesuffix("s")) if name in _DATES), "")


def _stem(word: str) -> str:
    """The word without the ending that its forms differ in; rough, and the same for both texts."""
    bare = word.removesuffix("'s").removesuffix("\u2019s")
    for ending in _ENDINGS:
        if bare.endswith(ending) and len(bare) - len(ending) >= _SHORTEST:
            return bare.removesuffix(ending)
    return bare
