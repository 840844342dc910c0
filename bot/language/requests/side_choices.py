"""Recognises which of some memories that contradict each other somebody says holds; words without accents; pure."""

import re
from collections.abc import Sequence
from typing import Final

from bot.domain import Holds, MemoryId
from bot.text import folding, patterns

LONGEST: Final = 80
"""Characters of such an answer."""
_WORD: Final = re.compile(r"#?\w+(?:'\w+)?|[^\s\w.,!:;\"'()]")
_ALL: Final = patterns.vocabulary("both all beide alle tous toutes deux ambos ambas todas todos dos")
_FIRST: Final = patterns.vocabulary(
    """
    first 1st older oldest old earlier earliest former original erste ersten erstere altere alteren alte alten fruhere
    premier premiere ancien ancienne vieux vieille primero primera antigua antiguo vieja viejo anterior
    """
)
_LAST: Final = patterns.vocabulary(
    """
    last newer newest new later latest latter recent letzte letzten letztere neuere neueren neue neuen spatere
    dernier derniere recente nouveau nouvelle ultimo ultima nueva nuevo reciente
    """
)
_INNER: Final = (
    patterns.vocabulary("second 2nd zweite zweiten seconde deuxieme segundo segunda"),
    patterns.vocabulary("third 3rd dritte dritten troisieme tercero tercera"),
)
_SOFT: Final = patterns.vocabulary(
    """
    der die das dieses diese den nummer gilt stimmt gelten stimmen bleibt nimm behalte bitte ist richtig noch immer
    le la les l un une numero est vaut valent reste juste vrai vraie garde gardez prends bon bonne plus stp svp
    el los lo vale valen es correcta correcto sigue guarda elige toma mas por favor
    the that this one ones it it's its is are of them these two three please pls and most keep take use choose pick
    hold holds stand stands still right true correct valid number memory fact side sides version i'd i say go with
    """
)
"""Words that choose nothing by themselves."""


def read(text: str, numbers: Sequence[MemoryId]) -> Holds | None:
    """Which holds of the memories with these numbers, in the order they were said; None where none is chosen.

    A number that none of them has is a place among them. Of more than two only the first, the last or all can be meant.
    """
    if len(text) > LONGEST:
        return None
    words = _WORD.findall(folding.folded(text.translate(patterns.STRAIGHT_QUOTES)))
    telling = [word for word in words if word not in _SOFT]
    meant = {place for word in telling for place in _places(word, numbers)}
    if not meant or not all(_places(word, numbers) for word in telling):
        return None
    if len(meant) == len(numbers):
        return Holds.BOTH
    return Holds.OLDER if meant == {0} else Holds.NEWER if meant == {len(numbers) - 1} else None


def _places(word: str, numbers: Sequence[MemoryId]) -> Sequence[int]:
    """The places a word points at; none for any other word."""
    everywhere = range(len(numbers))
    if word in _ALL:
        return everywhere
    if word in _FIRST:
        return everywhere[:1]
    if word in _LAST:
        return everywhere[-1:]
    named = [at for at, number in enumerate(numbers) if word.lstrip("#") == str(number)]
    counted = [at for at, words in enumerate(_INNER, 1) if word in words]
    placed = [int(word) - 1] if re.fullmatch("[1-9]", word) else []
    return named or [at for at in (*counted, *placed) if at in everywhere]
