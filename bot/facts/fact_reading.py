"""Reads a fact as what it can be compared in: its values, names, telling words, and whether it denies; pure."""

import functools
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.facts import fact_values, fact_words
from bot.facts.fact_values import Value
from bot.text import folding, patterns

_LONGEST: Final = 4_000
"""Characters of a text that are read."""
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_FIRST_PERSON: Final = patterns.vocabulary("i i'm i've i'd i'll my mine me myself ich mein meine je moi yo mi")
_CONTRACTED: Final = re.compile(
    r"\b(can|do|does|did|is|are|was|were|wo|would|should|has|have|had|need|must|could|ai)n't\b"
)
_CLITIC: Final = re.compile(r"'(?:s|re|ve|ll|d|m)\b")
_SAYINGS: Final = [(re.compile(pattern), plain) for pattern, plain in fact_words.SAYINGS.items()]
_CHANGED: Final = re.compile(rf"(?<!\w){fact_words.CHANGED}(?!\w)", re.IGNORECASE)
_ENDINGS: Final = ("ings", "ing", "edly", "ies", "ied", "ed", "es", "s", "ly")
_SHORTEST: Final = 3
_PART: Final = re.compile(r"\b\d+ (?:[a-z]+ )?of (?:the|them|these|those|which|us)\b|\A(?:out )?of (?:the|these)\b")
"""A number of a part, not of the whole."""
_FOLLOWED: Final = re.compile(r"\b([A-Z][^\W\d_]+)(?:\s(?=[A-Z][^\W\d_])|'s\b)")
_STARTS: Final = re.compile(r"(?:\A|[.!?:;]\s+)[\"'(]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReading:
    """What is compared of a fact."""

    values: tuple[Value, ...]
    """In the order in which they are told, by kind."""
    names: frozenset[str]
    """Names of people, places and things, in small letters; whoever wrote it by theirs."""
    words: frozenset[str]
    """Other telling words, each by what names its meaning."""
    exclusive: frozenset[Value]
    """Of the words, those of which a thing has one of a kind, by kind."""
    is_denial: bool
    tells_of_change: bool
    adds: bool
    """Whether it tells of one more."""
    shifts: frozenset[str]
    """Words that make another thing of it."""
    contrasts: bool
    """Whether it sets one thing against another."""
    lists: bool
    """Whether it joins things by "and"."""
    order: tuple[str, ...]
    """Its names and words in the order in which they are told."""
    relates: bool
    """Whether a word stands in it between two things that may not change places."""
    head: str
    """The name or word it begins with."""
    may_be_named: bool
    """Whether that may be a name: a capital letter stands at the beginning of every sentence."""
    writer: frozenset[str]
    """The names of whoever wrote it, where it says "I"."""

    def of(self, kind: str) -> Counter[str]:
        """Its values of a kind, and how often it has each."""
        return Counter(value for each, value in (*self.values, *self.exclusive) if each == kind)

    @property
    def all_values(self) -> frozenset[Value]:
        """Its values, and what a thing has one of."""
        return self.exclusive.union(self.values)

    @property
    def size(self) -> int:
        """How many parts it has."""
        return len(self.words) + len(self.names) + len(self.all_values)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of its values."""
        return frozenset(kind for kind, _ in (*self.values, *self.exclusive))


def read(text: str, by: str = "") -> FactReading:
    """A fact as it is compared; "I" in it is whoever said it."""
    plain = text[:_LONGEST].translate(patterns.STRAIGHT_QUOTES)
    capitals = _capitalised(plain)
    low = _CONTRACTED.sub(r"\1 not", folding.folded(plain)).replace("wo not", "will not").replace("ca not", "can not")
    tells_of_change = _CHANGED.search(low) is not None
    for pattern, saying in _SAYINGS:
        low = pattern.sub(saying, low)
    spelled = fact_values.spelled(low)
    values, rest = fact_values.read(spelled)
    names, words, exclusive, denials, adds = set[str](), set[str](), set[Value](), 0, False
    head, writer, shifts, contrasts = "", frozenset[str](), set[str](), False
    order, relates = list[str](), False
    if _PART.search(spelled):
        shifts.add("part")
    for token in _TOKEN.findall(rest):
        word = _CLITIC.sub("", token)
        if word in _FIRST_PERSON or token in _FIRST_PERSON:
            writer = frozenset(_parts(by))
            head = head or min(writer, default="")
            continue
        denials += word in fact_words.DENIALS
        adds |= word in fact_words.ADDED
        relates |= word in fact_words.RELATIONS
        contrasts |= word in fact_words.CONTRASTS
        if word in fact_words.SHIFTS:
            shifts.add(word)
        if word in fact_words.WEAK or word in fact_words.DENIALS or len(word) == 1:
            continue
        if word in _KINDS:
            exclusive.add((_KINDS[word], word))
            continue
        if word in capitals and meaning(word) not in _named_meanings():
            names.add(word.removesuffix("'"))
            order.append(word)
        elif not (tells_of_change and word in fact_words.CHANGE_WORDS):
            words.add(meaning(word))
            order.append(meaning(word))
        head = head or (word if word in names else meaning(word))
    return FactReading(
        values=values,
        names=frozenset(names) | writer,
        words=frozenset(words - {""}),
        exclusive=frozenset(exclusive),
        is_denial=denials % 2 == 1,
        tells_of_change=tells_of_change,
        adds=adds,
        shifts=frozenset(shifts),
        contrasts=contrasts,
        lists=" and " in low or "," in low,
        order=tuple(order),
        relates=relates,
        head=head,
        may_be_named=_begins_with_name(plain),
        writer=writer,
    )


@functools.cache
def _meanings() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in fact_words.ALIKE.splitlines():
        words = line.split()
        for word in words:
            found.setdefault(word, words[0])
            found.setdefault(_stem(word), words[0])
    return found


@functools.cache
def _named_meanings() -> frozenset[str]:
    return frozenset(_meanings().values())


def meaning(word: str) -> str:
    """What names the meaning of a word: the first of those that mean the same, else its stem."""
    known = _meanings()
    stem = _stem(word)
    return known.get(word) or known.get(stem) or stem


def _stem(word: str) -> str:
    """The word without the ending that its forms differ in; rough, and the same for both texts."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST and not word.endswith("ss"):
            bare = word.removesuffix(ending)
            if ending in {"ies", "ied"}:
                return f"{bare}y"
            if len(bare) > _SHORTEST and bare[-1] == bare[-2] and bare[-1] not in "sl" and ending != "s":
                bare = bare[:-1]
            return bare.removesuffix("e")
    return word.removesuffix("e") if len(word) > _SHORTEST else word


_KINDS: Final = {word: kind for kind, words in fact_words.EXCLUSIVE.items() for word in words.split()}


def _capitalised(text: str) -> frozenset[str]:
    """The words, folded, that are written with a capital where no sentence begins, or that look like names there."""
    starts = {match.end() for match in _STARTS.finditer(text)}
    found, at_start = set[str](), set[str]()
    for match in _TOKEN.finditer(text):
        if match[0][0].isupper():
            word = _CLITIC.sub("", folding.folded(match[0]))
            (at_start if match.start() in starts else found).add(word)
    return frozenset((found | (at_start & _followed(text))) - _FIRST_PERSON)


def _followed(text: str) -> frozenset[str]:
    """The words, folded, behind which another one has a capital, or that own something: "Ann Lee", "Ann's"."""
    return frozenset(folding.folded(match[1]) for match in _FOLLOWED.finditer(text))


def _begins_with_name(text: str) -> bool:
    match = _TOKEN.search(text)
    if match is None or not match[0][0].isupper():
        return False
    word = _CLITIC.sub("", folding.folded(match[0]))
    return (
        meaning(word) not in _named_meanings()
        and word not in fact_words.WEAK
        and word not in _KINDS
        and word not in _FIRST_PERSON
        and (not word.endswith("s") or "'" in match[0])
    )


def _parts(name: str) -> Iterable[str]:
    return (folding.folded(part) for part in _TOKEN.findall(name))
