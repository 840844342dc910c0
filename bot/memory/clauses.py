"""A message as the words its requests are made of, and the frame around what it asks to keep or to forget; pure.

A frame is a run of words that all do something in a request (`tables.request_words`), with a verb among them: at the
beginning of a message ("could you please remember that …") or at its end ("…, keep that in mind, ok?"). In which order
they come does not matter. Everything else is what the request is about.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.memory import patterns
from bot.memory.tables import request_words
from bot.memory.tables.request_words import Kind

Kinds = frozenset[Kind]

_TOKEN: Final = re.compile(r"<[@:a][^<>\s]{1,50}>|#?\w+(?:['./@-]\w+)*|[^\w\s]+|\n+")
_LETTER: Final = re.compile(r"\w")
_SIGN: Final = re.compile(r"\w|[,.;:!?…()\n\u2013\u2014^-]")
"""What tells something; a run of marks without it is an emoji."""
_CUT: Final = frozenset(",.;:!?…\n\u2013\u2014-^)")
_NONE: Final[Kinds] = frozenset()
_LEADING: Final[Kinds] = frozenset(
    {Kind.SOFT, Kind.YOU, Kind.I, Kind.ME, Kind.ASK, Kind.WISH, Kind.GLUE, Kind.NOT, Kind.THAT}
)
"""What may stand before a verb."""
_VERBS: Final = (Kind.KEEP, Kind.FORGET, Kind.FILE, Kind.DELETE, Kind.KNOW)
_ACTING: Final[Kinds] = frozenset({*_VERBS, Kind.HEADING, Kind.VOID, Kind.TAKE, Kind.PUT})
_FOLLOWING: Final[Kinds] = frozenset({Kind.SOFT, Kind.POINT, Kind.MEMORY, Kind.AFTER, Kind.ME, Kind.THAT})
_THIS: Final = (["this", ":"], ["these", ":"])
LONGEST: Final = 600
"""Characters of a text that are read: what is longer is no request, or has it at one of its ends."""
MOST: Final = 12
"""Clauses in which a frame may begin."""
_LEAD: Final = 40
"""Words and marks before a verb."""
_NEAR: Final = 8
"""Words after "put" among which it is said where."""
_ENDING: Final = frozenset("?^")
"""Marks that no frame goes on after."""
_NEGATED: Final = {
    Kind.FORGET: Kind.KEEP, Kind.KEEP: Kind.FORGET, Kind.FILE: Kind.FORGET, Kind.KNOW: Kind.FORGET,
    Kind.HEADING: Kind.HEADING,
}  # fmt: skip
_PURPOSE: Final = 8
"""Words that what something is kept for may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word, a saying of several words or a run of marks, and where it stands."""

    text: str
    start: int
    end: int
    kinds: Kinds = _NONE

    is_mark: bool = False
    """Whether it is no word."""
    cuts: bool = False
    """Whether it is a mark that ends a clause."""
    is_sign: bool = False
    """Whether it is an emoji or the like, which says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A request without what it is about."""

    verb: Kind
    """What is asked for: KEEP, FILE or KNOW; FORGET or DELETE; HEADING."""
    lead: Kinds
    at: int
    """Where it begins."""
    end: int
    """Where the verb ends, or the whole frame if what it is about comes before."""
    next: int
    """The number of the first word after the verb."""
    points: bool = False
    """Whether it points at what comes before."""

    @property
    def keeps(self) -> bool:
        """Whether it asks to keep rather than to forget."""
        return self.verb in {Kind.KEEP, Kind.FILE, Kind.KNOW, Kind.HEADING}

    @property
    def asks(self) -> bool:
        """Whether it is put as a question."""
        return Kind.ASK in self.lead


def read(text: str, bot_name: str = "Hathi") -> tuple[Word, ...]:
    """The words and marks of a text, as far as a request may go: the longest saying of a table wherever one begins."""
    straight = text[:LONGEST].translate(patterns.STRAIGHT_QUOTES)
    found = [(one.start(), one.end()) for one in _TOKEN.finditer(straight)]
    plain = [straight[start:end].casefold().replace("'", "") for start, end in found]
    names = tuple(_plain(bot_name))
    words: list[Word] = []
    place = 0
    while place < len(plain):
        length, kinds = _longest(plain, place, names)
        start, end = found[place][0], found[place + length - 1][1]
        written = straight[start:end]
        is_mark = not kinds and _LETTER.search(written) is None
        is_sign = is_mark and _SIGN.search(written) is None
        cuts = is_mark and not _CUT.isdisjoint(written)
        words.append(Word(text=written, start=start, end=end, kinds=kinds, is_mark=is_mark, cuts=cuts, is_sign=is_sign))
        place += length
    return tuple(words)


def opening(words: Sequence[Word], first: int = 0) -> Frame | None:
    """The frame whose words come first, up to its verb; None where anything else stands before it."""
    lead: set[Kind] = set()
    subject: Kind | None = None
    for place in range(first, min(len(words), first + _LEAD)):
        word = words[place]
        verb = _verb(words, place, lead)
        if verb is not None:
            verb = _turned(verb, word, is_negated=Kind.NOT in lead)
            if verb is None or not (Kind.VOID in word.kinds or _is_ordered(verb, lead, subject)):
                return None
            return Frame(verb=verb, lead=frozenset(lead), at=words[first].start, end=word.end, next=place + 1)
        if word.is_mark or word.text.startswith("<@"):
            if not _ENDING.isdisjoint(word.text):
                return None
            # A clause that is over says nothing of who is to do what comes next.
            subject = subject if "\n" in word.text or word.is_sign or lead <= {Kind.SOFT} else None
            continue
        if not (word.kinds & _LEADING or (Kind.KNOW in word.kinds and _is_joined(words, place))):
            return None
        lead |= word.kinds & _LEADING
        subject = next((kind for kind in (Kind.YOU, Kind.I) if kind in word.kinds), subject)
    return None


def closing(words: Sequence[Word], *, asked: bool) -> Frame | None:
    """The frame at the end that points at what stands before it: the longest of them."""
    for first in _beginnings(words):
        frame = opening(words, first)
        if frame is None or frame.verb is Kind.HEADING or (asked and not frame.asks):
            continue
        if frame.verb is Kind.DELETE and words[first].text == "and":
            continue
        rest = _after(words, frame)
        if rest is None:
            continue
        points, is_closed = rest
        if is_closed and (points or (Kind.SOFT in frame.lead and frame.keeps and frame.verb is not Kind.KNOW)):
            at = words[first - 1]
            keeps_mark = at.text[0] in ".!)…"
            return Frame(
                verb=frame.verb, lead=frame.lead, at=at.start + keeps_mark if at.cuts else words[first].start,
                end=words[-1].end, next=len(words), points=points,
            )  # fmt: skip
    return None


def following(words: Sequence[Word], first: int, kinds: Kinds = _FOLLOWING) -> int:
    """The number of the first word from there on that is of none of these kinds."""
    place = first
    while place < len(words) and (words[place].kinds & kinds or words[place].is_sign):
        place += 1
    return place


def filed(words: Sequence[Word], first: int) -> int:
    """The number of the word with which it is said at the end where something is put ("… to your notes"), or 0."""
    has_memory = False
    for place in range(len(words) - 1, first, -1):
        word = words[place]
        if has_memory and word.text.casefold() in request_words.INTO:
            return place
        has_memory = has_memory or Kind.MEMORY in word.kinds
        if not (word.is_mark or word.kinds & (_FOLLOWING | {Kind.ASK, Kind.YOU})):
            return 0
    return 0


def beginnings(words: Sequence[Word]) -> Iterator[int]:
    """The numbers of the words that begin a clause, but the first: of as many as a request may have."""
    found = 0
    for place in range(1, len(words)):
        if words[place - 1].cuts or words[place].text.casefold() in request_words.JOINTS:
            found += 1
            yield place
            if found >= MOST:
                return


def _beginnings(words: Sequence[Word]) -> Iterator[int]:
    """Those in which a frame at the end may begin: behind them stands nothing but what a frame is made of."""
    known = _LEADING | _FOLLOWING | {*_VERBS, Kind.PUT, Kind.TAKE, Kind.OFF}
    first = len(words)
    purpose = False
    while first > 1:
        word = words[first - 1]
        if not (word.is_mark or word.kinds & known):
            if purpose:
                break
            # What it is kept for: the words after "for" may be any.
            within = range(max(1, first - _PURPOSE), first)
            joint = next(
                (at for at in within if Kind.PURPOSE in words[at].kinds and words[at - 1].kinds & _FOLLOWING), None
            )
            if joint is None or any(one.cuts for one in words[joint:first]):
                break
            first, purpose = joint, True
            continue
        first -= 1
    first = max(first, 1)
    yield from (first - 1 + place for place in beginnings(words[first - 1 :]))


def _after(words: Sequence[Word], frame: Frame) -> tuple[bool, bool] | None:
    """Whether what follows the verb points at what came before, and whether it is nothing else."""
    place = frame.next
    points = False
    while place < len(words):
        word = words[place]
        if word.is_mark:
            place += 1
        elif points and Kind.PURPOSE in word.kinds and place + 1 < len(words):
            rest = words[place + 1 : place + 2 * _PURPOSE]
            stop = next((n for n, one in enumerate(rest) if one.cuts), len(rest))
            if stop > _PURPOSE:
                return points, False
            place += stop + 1
        elif word.kinds & (_FOLLOWING | {Kind.TO, Kind.OFF, Kind.ASK, Kind.YOU, *_VERBS, Kind.GLUE}):
            points = points or Kind.POINT in word.kinds
            place += 1
        else:
            return points, False
    return points, True


def _verb(words: Sequence[Word], place: int, lead: set[Kind]) -> Kind | None:
    """What a word asks for, if it is a verb of memory here."""
    kinds = words[place].kinds
    if not kinds & _ACTING:
        return None
    near = words[place + 1 : place + _NEAR]
    verb = Kind.HEADING if Kind.HEADING in kinds else next((kind for kind in _VERBS if kind in kinds), None)
    if (Kind.VOID in kinds and any(one.kinds & {Kind.AWAY, Kind.TOLD} for one in near)) or (
        Kind.TAKE in kinds and verb is None and _goes_on(words, place)
    ):
        verb = Kind.DELETE
    elif Kind.PUT in kinds and (
        any(Kind.AWAY in one.kinds for one in near)
        or filed(words, place + 1)
        or [word.text.casefold() for word in near[:2]] in _THIS
    ):
        verb = Kind.FILE
    return verb if verb is not None and _is_verb(words, place, verb, lead) else None


def _is_verb(words: Sequence[Word], place: int, verb: Kind, lead: set[Kind]) -> bool:
    """Whether a word that may be a verb is one here: not the noun of "one more note", nor one only known of."""
    text = words[place].text.casefold()
    if _is_joined(words, place):
        return False
    if verb is Kind.KNOW:
        return bool(lead & {Kind.WISH, Kind.ASK}) and Kind.YOU in lead
    if text.endswith("ing") and not lead & {Kind.ASK, Kind.NOT, Kind.WISH}:
        return False
    is_noun = verb is Kind.FILE and place > 0 and words[place - 1].text.casefold() in request_words.ARTICLES
    return not is_noun or (place + 1 < len(words) and words[place + 1].text == ":")


def _is_joined(words: Sequence[Word], place: int) -> bool:
    """Whether another verb is joined to one: "you should know and remember that …"."""
    after = words[place + 1 : place + 3]
    return len(after) > 1 and after[0].text.casefold() == "and" and any(kind in after[1].kinds for kind in _VERBS)


def _turned(verb: Kind, word: Word, *, is_negated: bool) -> Kind | None:
    """What a verb asks for where it is negated: "don't forget" keeps, "don't keep" forgets."""
    if not is_negated:
        return verb
    if word.text.casefold() in request_words.LOSING:
        return Kind.FILE
    return None if Kind.PUT in word.kinds else _NEGATED.get(verb)


def _is_ordered(verb: Kind, lead: set[Kind], subject: Kind | None) -> bool:
    """Whether somebody is told to do so, and nobody said to do it."""
    if verb is Kind.HEADING:
        return True
    if subject is Kind.YOU:
        return bool(lead & {Kind.ASK, Kind.WISH, Kind.SOFT})
    return subject is not Kind.I


def _goes_on(words: Sequence[Word], place: int) -> bool:
    """Whether "take" goes on with "off your list", or what is taken off has a number."""
    stop = next((at for at in range(place, len(words)) if words[at].text[0] in ".?!\n"), len(words))
    rest = words[place + 1 : min(stop, place + 20)]
    off = next((at for at, one in enumerate(rest) if Kind.OFF in one.kinds), len(rest))
    is_numbered = off < len(rest) and any(one.text.lstrip("#").isdecimal() for one in rest[:off])
    return is_numbered or any(
        Kind.MEMORY in one.kinds or one.text.casefold() in request_words.LISTS for one in rest[off + 1 :]
    )


def _plain(text: str) -> list[str]:
    return [one[0].casefold().replace("'", "") for one in _TOKEN.finditer(text)]


def _longest(plain: Sequence[str], place: int, names: tuple[str, ...]) -> tuple[int, Kinds]:
    """How many words the longest saying here has, and what it does."""
    if names and tuple(plain[place : place + len(names)]) == names:
        return len(names), frozenset({Kind.SOFT})
    sayings = _sayings()
    longest = _lengths().get(plain[place], 0)
    for length in range(longest, 0, -1):
        kinds = sayings.get(" ".join(plain[place : place + length]))
        if kinds is not None and place + length <= len(plain):
            return length, kinds
    return 1, _NONE


@functools.cache
def _sayings() -> dict[str, Kinds]:
    """All that the tables hold, and what each does."""
    found: dict[str, set[Kind]] = {}
    for language in request_words.LANGUAGES:
        for kind, sayings in language.items():
            for saying in sayings:
                found.setdefault(saying.replace("_", " "), set()).add(kind)
    return {saying: frozenset(kinds) for saying, kinds in found.items()}


@functools.cache
def _lengths() -> dict[str, int]:
    """How many words the longest saying has that begins with a word."""
    found: dict[str, int] = {}
    for saying in _sayings():
        words = saying.split()
        found[words[0]] = max(found.get(words[0], 0), len(words))
    return found
