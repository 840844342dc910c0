"""Recognises which of the things a question showed somebody chooses; words without accents; pure.

Either which of some memories that contradict each other holds, or which of those listed are to be forgotten.
"""

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Final

from bot.domain import MemoryId
from bot.text import folding, patterns

LONGEST: Final = 80
"""Characters of such an answer."""
_WORD: Final = re.compile(r"#?\w+(?:'\w+)?|[^\s\w.,!:;\"'()]")
_CLAUSE: Final = re.compile(r"[,.;:!]\s|\n")
"""Where a remark may begin after a choice: `the newer one, typo, sorry`."""
_ALL: Final = patterns.vocabulary("both all beide alle tous toutes deux ambos ambas todas todos dos")
_FIRST: Final = patterns.vocabulary("first 1st erste ersten erstere premier premiere primero primera")
_LAST: Final = patterns.vocabulary("last latter letzte letzten letztere dernier derniere ultimo ultima")
_OLDER: Final = patterns.vocabulary(
    """
    older oldest old earlier earliest former original altere alteren alte alten fruhere
    ancien ancienne vieux vieille antigua antiguo vieja viejo anterior
    """
)
_NEWER: Final = patterns.vocabulary(
    """
    newer newest new later latest recent neuere neueren neue neuen spatere
    recente nouveau nouvelle nueva nuevo reciente
    """
)
_INNER: Final = (
    patterns.vocabulary("second 2nd zweite zweiten seconde deuxieme segundo segunda"),
    patterns.vocabulary("third 3rd dritte dritten troisieme tercero tercera"),
    patterns.vocabulary("fourth 4th vierte vierten quatrieme cuarto cuarta"),
    patterns.vocabulary("fifth 5th funfte funften cinquieme quinto quinta"),
)
_SOFT: Final = patterns.vocabulary(
    """
    der die das dieses diese den nummer bitte und von davon mit
    le la les l un une numero plus stp svp s'il te plait et
    el los lo las mas por favor y
    the that this one ones it it's its of them these two three please pls and number memory fact side sides version
    with
    """
)
"""Words that choose nothing by themselves."""
_HOLDS: Final = _SOFT | patterns.vocabulary(
    """
    gilt stimmt gelten stimmen bleibt nimm behalte ist richtig noch immer
    est vaut valent reste juste vrai vraie garde gardez prends bon bonne
    vale valen es correcta correcto sigue guarda elige toma
    is are most keep take use choose pick hold holds stand stands still right true correct valid i'd i say go
    """
)
"""The same, with what says that something holds."""
_ONLY: Final = patterns.vocabulary("only just nur bloss lediglich seulement juste uniquement solo solamente unicamente")
_NO: Final = patterns.vocabulary("no nope nein nee non")
_GOES: Final = (
    _SOFT
    | _ONLY
    | patterns.vocabulary(
        """
        forget delete erase remove drop yes yeah yep ok okay memories messages
        vergiss losche loschen vergessen entferne ja nachricht erinnerung
        oublie efface supprime enleve oui
        olvida borra elimina quita si
        """
    )
)
"""The same, with what says that something goes."""
_BESIDE: Final = _HOLDS | _GOES | _NO
"""What may stand beside a choice of either kind."""


@functools.lru_cache(maxsize=64)
def chooses(text: str) -> bool:
    """Whether a text may choose of some things, whichever they are: it is short, and up to a remark says no more."""
    return len(text) <= LONGEST and any(map(_may_choose, (text, _CLAUSE.split(text, 1)[0])))


def read(text: str, numbers: Sequence[MemoryId]) -> Sequence[MemoryId]:
    """Which holds of the memories with these numbers, in the order they were said: one, or all; else none.

    A number that none of them has is a place among them. A remark may follow, if it chooses no other.
    """
    if len(text) > LONGEST:
        return ()
    meant = _chosen(_words(text), _HOLDS, numbers)
    if meant is None:
        meant = _before_remark(text, numbers)
    if meant is None or len(meant) not in {1, len(numbers)}:
        return ()
    return [number for place, number in enumerate(numbers) if place in meant]


def is_by_age(text: str) -> bool:
    """Whether a choice says which it is by when it was said, and not by number or place."""
    return not _OLDER.union(_NEWER).isdisjoint(_words(text))


def going(text: str, numbers: Sequence[MemoryId | None]) -> frozenset[int]:
    """The places of those that are to be forgotten, of a list in which memories have numbers; none where none is named.

    Which is the older one, nobody says of things whose order tells nothing of it.
    """
    words = _words(text) if len(text) <= LONGEST else []
    refuses = not _NO.isdisjoint(words)
    if not {*words}.isdisjoint(_OLDER | _NEWER) or (refuses and _ONLY.isdisjoint(words)):
        return frozenset()
    return frozenset(_chosen(words, _GOES | _NO if refuses else _GOES, numbers) or ())


def _before_remark(text: str, numbers: Sequence[MemoryId]) -> set[int] | None:
    """What is chosen before a remark that asks nothing and speaks of none of the others."""
    cut = _CLAUSE.search(text)
    if cut is None or "?" in text:
        return None
    words = _words(text[: cut.start()])
    meant = _chosen(words, _HOLDS, numbers)
    # "First, I need a coffee" is no choice.
    is_counting = len(words) == 1 and not {*words}.isdisjoint(_FIRST.union(_LAST, *_INNER))
    others = {place for word in _words(text[cut.end() :]) for place in _places(word, numbers, len(numbers))}
    return None if meant is None or is_counting or others - meant else meant


def _may_choose(text: str) -> bool:
    """Whether a word of it may point at a thing, and no other says anything."""
    words = _words(text)
    return all(word in _BESIDE or _may_point(word) for word in words) and any(map(_may_point, words))


def _may_point(word: str) -> bool:
    return word[-1].isdecimal() or bool(_places(word, (), len(_INNER) + 1))


def _chosen(words: Iterable[str], soft: frozenset[str], numbers: Sequence[MemoryId | None]) -> set[int] | None:
    """The places that words choose; None where one of them says anything else, or none chooses."""
    telling = [_places(word, numbers, len(numbers)) for word in words if word not in soft]
    return {place for places in telling for place in places} if telling and all(telling) else None


def _words(text: str) -> list[str]:
    return _WORD.findall(folding.folded(text.translate(patterns.STRAIGHT_QUOTES)))


def _places(word: str, numbers: Sequence[MemoryId | None], count: int) -> Sequence[int]:
    """The places a word points at; none for any other word."""
    everywhere = range(count)
    if word in _ALL:
        return everywhere
    if word in _FIRST or word in _OLDER:
        return everywhere[:1]
    if word in _LAST or word in _NEWER:
        return everywhere[-1:]
    named = [at for at, number in enumerate(numbers) if word.lstrip("#") == str(number)]
    counted = [at for at, words in enumerate(_INNER, 1) if word in words]
    placed = [int(word) - 1] if re.fullmatch("[1-9]", word) else []
    return named or [at for at in (*counted, *placed) if at in everywhere]
