"""Index of the names a space knows, to find them in a message."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.language.past.generic_words import GENERIC, HONORIFICS
from bot.text import folding, patterns
from bot.text.plain_form import SOMEBODY, Plain, read

MOST: Final = 5_000
"""Names an index holds; what comes after is not known."""
_LONGEST: Final = 6
"""Words of a name; what a name has beyond them is not compared."""
_SHORTEST: Final = 3
"""Letters from which on one part of a name stands for the whole."""
_SHORTEST_OWNER: Final = 5
"""Letters beyond which a name with an s is somebody's, not a word of its own."""
_IN_BRACKETS: Final = re.compile(r"\([^()]{0,200}\)")
_PLAIN: Final = re.compile(r"[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*")
_NUMBERED: Final = re.compile(r"\W*\d[\d\W]*")

_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A name found in a message, as indexes into its words."""

    start: int
    end: int
    telling: bool
    """Whether it names something however it is written; else it is also an everyday word."""


class Names:
    """An index of names; a look-up costs by the message's words, not by the number of names."""

    __slots__ = ("_by_first", "_count")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._by_first: dict[str, list[tuple[_Words, bool]]] = {}
        self._count = 0
        self._add(itertools.islice(names, MOST))

    def with_more(self, names: Sequence[str]) -> "Names":
        """An index of these names too."""
        more = Names()
        more._by_first, more._count = dict(self._by_first), self._count
        more._add(names)
        return more

    def _add(self, names: Iterable[str]) -> None:
        found: dict[str, dict[_Words, bool]] = {}
        for name in names:
            self._count += 1
            for form, telling in _forms(name):
                forms = found.get(form[0]) or found.setdefault(form[0], dict(self._by_first.get(form[0], ())))
                forms[form] = forms.get(form, False) or telling
        for first, forms in found.items():
            self._by_first[first] = sorted(forms.items(), key=lambda pair: -len(pair[0]))

    def __len__(self) -> int:
        """How many names it was built of."""
        return self._count

    def spoken_in(self, plain: Plain) -> list[Spoken]:
        """Where the message has a name, the longest at each place; mentions are names too."""
        words, found, place = plain.words, list[Spoken](), 0
        bared = tuple(map(bare, words))
        while place < len(words):
            here = (
                self._at(bared, place) if words[place] != SOMEBODY else Spoken(start=place, end=place + 1, telling=True)
            )
            if here is not None:
                found.append(here)
            place = place + 1 if here is None else here.end
        return found

    def _at(self, bared: _Words, place: int) -> Spoken | None:
        word = bared[place]
        if word not in self._by_first and len(word) > _SHORTEST_OWNER and word.endswith("s"):
            # `callums key`: many leave the apostrophe out.
            word = word[:-1]
        for form, telling in self._by_first.get(word, ()):
            end = place + len(form)
            if len(form) == 1 or bared[place:end] == form:
                return Spoken(start=place, end=end, telling=telling)
        return None


def bare(word: str) -> str:
    """The word without the sign of a possessor, and without accents, which many leave out of a name."""
    return folding.folded(word[:-2] if word.endswith("'s") else word.removesuffix("'"))


def _forms(name: str) -> Iterator[tuple[_Words, bool]]:
    """The name as it may be spoken, each form with whether it tells by itself."""
    if _PLAIN.fullmatch(name):
        # Most names are; reading them as messages are read would take four times as long.
        whole = tuple(name.casefold().split())[:_LONGEST]
    else:
        plain = read(_IN_BRACKETS.sub(" ", name).strip(" #@"))
        whole = tuple(bare(word) for word in plain.words if word not in {"|", ","})[:_LONGEST]
    if not whole or (len(whole) == 1 and whole[0] in _FUNCTION_WORDS):
        return
    is_proper = any(letter.isupper() for letter in name)
    yield whole, _is_telling(whole, is_proper=is_proper)
    if whole[0] in HONORIFICS and any(len(word) >= _SHORTEST for word in whole[1:]):
        yield whole[1:], _is_telling(whole[1:], is_proper=is_proper)
    if len(whole) == 1 or not is_proper:
        return
    first = next((word for word in whole if word not in HONORIFICS), "")
    if first.isalpha() and len(first) >= _SHORTEST and first not in GENERIC:
        yield (first,), True


def _is_telling(words: _Words, *, is_proper: bool) -> bool:
    """Whether the words can hardly mean anything else than what is named so."""
    if len(words) > 1:
        return is_proper or not all(word in GENERIC or word in _FUNCTION_WORDS for word in words)
    word = " ".join(words)
    if len(word) < _SHORTEST or _NUMBERED.fullmatch(word):
        return False
    return word not in GENERIC and word not in _FUNCTION_WORDS


_FUNCTION_WORDS: Final = frozenset[str]().union(
    patterns.vocabulary(
        """
        the and for with from into over under this that these those here there then than what when where which who why
        how you your they them their his her him she its our ours was were are has had have been did does done not yes
        all any some one two three can could would should very too also just now out off own same such only more most
        """
    )
)
