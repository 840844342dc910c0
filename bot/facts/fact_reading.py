"""Reads a fact as what it can be compared in: its values, names, telling words, and whether it denies; pure."""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
_REASON: Final = re.compile(rf",?\s{fact_words.REASON}\b[^.!?;\n]*", re.IGNORECASE)
_PAST: Final = re.compile(rf"\b{fact_words.PAST}\b")
_INTENT: Final = re.compile(rf"\b{fact_words.INTENT}\b")
_MARKED: Final = re.compile(rf"{_TOKEN.pattern}|[{chr(fact_values.MARKS[0])}-{chr(fact_values.MARKS[-1])}]")
"""A word, or the place of a value."""
_OPPOSITES: Final = patterns.vocabulary(f"{fact_words.OPPOSITES} {fact_words.WAYS} {fact_words.POSITIONS}")
_SMALL: Final = fact_words.WEAK | fact_words.DENIALS | _OPPOSITES
_FIXED: Final = fact_words.CHANGE_WORDS - _OPPOSITES
"""Words of change that are left out where a text tells of one."""
_FORMS: Final = {form: plain for plain, forms in fact_words.FORMS.items() for form in forms.split()}
_ENDINGS: Final = ("ings", "ing", "edly", "ies", "ied", "ed", "es", "s", "ly")
_SHORTEST: Final = 3
_SHARE: Final = re.compile(r"\b\d+ (?:[a-z]+ )?of (?:the|them|these|those|which|us)\b|\A(?:out )?of (?:the|these)\b")
"""A number of a part, not of the whole."""
_FOLLOWED: Final = re.compile(r"\b([A-Z][^\W\d_]+)(?:\s(?=[A-Z][^\W\d_])|'s\b)")
_STARTS: Final = re.compile(r"(?:\A|[.!?:;]\s+)[\"'(]*")


_SMALL_LETTERS: Final = frozenset("aeiouy")
"""Letters that are words where they are small, in English, French or Spanish."""
Part = tuple[str, str]
"""A part of a text: "name", "word", "small" or the kind of a value, and what it says."""
NAME: Final = "name"
WORD: Final = "word"
SMALL: Final = "small"
OWNS: Final = "'s"
"""The small word behind what something belongs to."""


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
    frame: tuple[Part, ...]
    """Its values, names and words in the order in which they are told, and the small words between them."""
    relates: bool
    """Whether a word stands in it between two things that may not change places."""
    may_be_named: bool
    """Whether that may be a name: a capital letter stands at the beginning of every sentence."""
    writer: frozenset[str]
    """The names of whoever wrote it, where it says "I"."""
    unreasoned: "FactReading | None" = None
    """The same without the reason it gives, where that has no value and no word of change of its own."""

    def of(self, kind: str) -> Counter[str]:
        """Its values of a kind, and how often it has each."""
        return Counter(value for each, value in (*self.values, *self.exclusive) if each == kind)

    def sequence(self, kind: str) -> list[str]:
        """Its values of a kind in the order in which they are told."""
        return [text for sort, text in self.frame if sort == kind]

    @property
    def order(self) -> tuple[str, ...]:
        """Its names and words in the order in which they are told, without whoever says it."""
        return tuple(text for sort, text in self.frame if sort in {NAME, WORD} and text not in self.writer)

    @property
    def head(self) -> str:
        """The name or word it begins with."""
        return next((text for sort, text in self.frame if sort in {NAME, WORD}), "")

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
    whole, bare = _read(plain, by), _REASON.sub("", plain)
    if bare == plain:
        return whole
    rest = _read(bare, by)
    keeps = (rest.all_values, rest.tells_of_change) == (whole.all_values, whole.tells_of_change)
    return replace(whole, unreasoned=rest) if keeps else whole


def _read(plain: str, by: str) -> FactReading:
    capitals = _capitalised(plain)
    low = _CONTRACTED.sub(r"\1 not", folding.folded(plain)).replace("wo not", "will not").replace("ca not", "can not")
    of_change = {word for match in _CHANGED.finditer(low) for word in _TOKEN.findall(match[0])}
    tells_of_change = bool(of_change)
    for pattern, saying in _SAYINGS:
        low = pattern.sub(saying, low)
    spelled = fact_values.spelled(low)
    values, rest = fact_values.read(spelled)
    told = [part for token in _MARKED.findall(rest) for part in _divided(token)]
    frame = tuple(_framed(told, values, capitals, tuple(_parts(by)), _FIXED & of_change))
    said = {*told}
    return FactReading(
        values=(*values, *(part for part in frame if part[0] == fact_values.LETTER)),
        names=_of(NAME, frame),
        words=_of(WORD, frame),
        exclusive=frozenset(part for part in frame if part[1] in _KINDS and part[0] == _KINDS[part[1]]),
        is_denial=sum(word in fact_words.DENIALS for word in told) % 2 == 1,
        tells_of_change=tells_of_change,
        adds=not fact_words.ADDED.isdisjoint(said),
        shifts=fact_words.SHIFTS & said | _shifted(low, spelled, tells_of_change=tells_of_change),
        contrasts=not fact_words.CONTRASTS.isdisjoint(said),
        lists=" and " in low or "," in low,
        frame=frame,
        relates=not fact_words.RELATIONS.isdisjoint(said),
        may_be_named=_begins_with_name(plain),
        writer=frozenset() if _FIRST_PERSON.isdisjoint(said) else frozenset(_parts(by)),
    )


def _divided(token: str) -> list[str]:
    """A word, and behind it "'s" where it is something's: "the club's hall", not "it's"."""
    word = _CLITIC.sub("", token)
    return [word, OWNS] if token.endswith(OWNS) and word not in _SMALL else [word]


def _framed(
    told: Iterable[str],
    values: Sequence[Value],
    capitals: frozenset[str],
    writer: Sequence[str],
    left_out: frozenset[str],
) -> Iterable[Part]:
    """The parts of a text, in order; a letter behind a number is its unit."""
    is_behind = False
    for word in told:
        was_behind, is_behind = is_behind, ord(word[0]) in fact_values.MARKS
        if is_behind:
            yield values[ord(word[0]) - fact_values.MARKS[0]]
        elif word in _FIRST_PERSON:
            yield from ((NAME, part) for part in writer)
        elif len(word) == 1 and not was_behind and (word in capitals or word not in _SMALL_LETTERS):
            yield fact_values.LETTER, word
        elif word in left_out or word in fact_words.EMPTY:
            continue
        elif word in _SMALL or word == OWNS or len(word) == 1:
            yield SMALL, _FORMS.get(word, word)
        elif word in _KINDS:
            yield _KINDS[word], word
        elif word in capitals and meaning(word) not in _named_meanings():
            yield NAME, word.removesuffix("'")
        else:
            yield WORD, meaning(word)


def _of(sort: str, frame: Iterable[Part]) -> frozenset[str]:
    return frozenset(text for each, text in frame if each == sort)


def _shifted(low: str, spelled: str, *, tells_of_change: bool) -> frozenset[str]:
    """What else makes another thing of a text: that it tells of a part, of how it was, or of what is only meant."""
    found = {
        "part": _SHARE.search(spelled) is not None,
        "past": not tells_of_change and _PAST.search(low) is not None,
        "intent": _INTENT.search(low) is not None,
    }
    return frozenset(name for name, is_so in found.items() if is_so)


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
    letters = {word for word in at_start if len(word) == 1} - fact_words.EMPTY
    return frozenset((found | letters | (at_start & _followed(text))) - _FIRST_PERSON)


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
