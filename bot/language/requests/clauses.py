"""Splits a request into the words that ask and the part to keep or to forget; pure.

The asking words form a frame: a run of words that all have a role in requests (`request_words`), with a verb among
them, at the beginning of a message or clause ("could you please remember that …") or at its end ("…, keep that in mind,
ok?"). Their order does not matter. Everything else is what the request is about.
"""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.language.requests import request_words
from bot.language.requests.request_words import WordKind
from bot.text import patterns

Kinds = frozenset[WordKind]

_TOKEN: Final = re.compile(r"<[@:a][^<>\s]{1,50}>|:[^\W\d]\w{1,31}:|#?\w+(?:['./@-]\w+)*|[^\w\s]+|\n+")
_TELLING: Final = re.compile(r"\w|['\",.;:!?…()\n\u2013\u2014^-]")
"""What a run of marks has that is no emoji."""
_CUT: Final = frozenset(",.;:!?…\n\u2013\u2014-^)")
_NUMBER: Final = re.compile(r"#?\d{1,18}")
_LEADING: Final[Kinds] = frozenset(
    {
        WordKind.SOFT,
        WordKind.YOU,
        WordKind.I,
        WordKind.ME,
        WordKind.ASK,
        WordKind.WISH,
        WordKind.GLUE,
        WordKind.NOT,
        WordKind.THAT,
    }
)
"""What may stand before a verb."""
_VERBS: Final = (
    WordKind.HEADING,
    WordKind.KEEP,
    WordKind.RECALL,
    WordKind.FORGET,
    WordKind.FILE,
    WordKind.DELETE,
    WordKind.KNOW,
    WordKind.REMIND,
)
_ACTING: Final[Kinds] = frozenset({*_VERBS, WordKind.VOID, WordKind.TAKE, WordKind.PUT})
FOLLOWING: Final[Kinds] = frozenset(
    {WordKind.SOFT, WordKind.POINT, WordKind.MEMORY, WordKind.AFTER, WordKind.ME, WordKind.THAT}
)
"""What may follow one, before what it is about."""
_CLOSING: Final[Kinds] = FOLLOWING | {WordKind.TO, WordKind.OFF, WordKind.ASK, WordKind.YOU, WordKind.GLUE, *_VERBS}
"""What may follow a verb in a frame that ends a message."""
LONGEST: Final = 600
"""Characters of a text that are read at either end of it: what lies deeper is no request."""
MOST: Final = 12
"""Clauses in which a frame may begin."""
_LEAD: Final = 40
"""Words and marks before a verb."""
_NEAR: Final = 8
"""Words after a verb among which stands what makes it one; and words that what something is kept for may have."""
_NEGATED: Final = {
    WordKind.FORGET: WordKind.KEEP,
    WordKind.DELETE: None,
    WordKind.REMIND: None,
    WordKind.HEADING: WordKind.HEADING,
}
"""What a verb asks for where it is negated, unless to forget: "don't forget" keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseWord:
    """A word, set phrase or run of marks, with its position."""

    text: str
    start: int
    end: int
    kinds: Kinds = frozenset()

    is_mark: bool = False
    """Whether it is no word."""
    cuts: bool = False
    """Whether it is a mark that ends a clause."""

    @property
    def number(self) -> int:
        """What it is the number of, or 0."""
        return int(self.text.lstrip("#")) if _NUMBER.fullmatch(self.text) else 0

    def does(self, *kinds: WordKind) -> bool:
        """Whether it does one of these things."""
        return not self.kinds.isdisjoint(kinds)

    def passes(self, kinds: Kinds) -> bool:
        """Whether it does one of these things, or is a mark."""
        return self.is_mark or not self.kinds.isdisjoint(kinds)


Words = Sequence[ClauseWord]


@dataclass(frozen=True, kw_only=True)
class Clauses:
    """A message split into words, of a long one those at both ends; and its frames, each looked for once."""

    text: str
    words: tuple[ClauseWord, ...]
    bot_name: str
    is_weighed: bool = False
    """Whether it told an importance, as only memory has one."""

    @functools.cached_property
    def kinds(self) -> Kinds:
        """All that its words do."""
        return frozenset(kind for word in self.words for kind in word.kinds)

    @functools.cached_property
    def opening(self) -> "Frame | None":
        """The frame it begins with."""
        return opening(self.words)

    @functools.cached_property
    def later(self) -> "tuple[Frame, ...]":
        """The frames that begin further on."""
        return tuple(later(self.words))

    @functools.cached_property
    def closing(self) -> "Frame | None":
        """The frame it ends with."""
        return closing(self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The words that ask, without what is to be kept or forgotten."""

    verb: WordKind
    """What is asked for: KEEP, RECALL, FILE, KNOW or REMIND; FORGET or DELETE; HEADING."""
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
        return self.verb not in {WordKind.FORGET, WordKind.DELETE}

    @property
    def asks(self) -> bool:
        """Whether it is put as a question."""
        return WordKind.ASK in self.lead


@functools.lru_cache(maxsize=64)
def read(text: str, bot_name: str = "Hathi") -> Clauses:
    """A message as words and marks, as far as a request may go; known of the last ones."""
    text = text.strip()
    beginning, end = (0, LONGEST), (max(LONGEST, len(text) - LONGEST), len(text))
    words = (*_words(text, *beginning, bot_name), *_words(text, *end, bot_name))
    return Clauses(text=text, words=words, bot_name=bot_name)


def opening(words: Words, first: int = 0) -> Frame | None:
    """The frame whose words come first, up to its verb; None where anything else stands before it."""
    lead: set[WordKind] = set()
    subject: WordKind | None = None
    for place in range(first, min(len(words), first + _LEAD)):
        word = words[place]
        verb = _verb(words, place, lead)
        if verb is not None:
            if WordKind.NOT in lead:
                verb = WordKind.FILE if word.does(WordKind.LOSE) else _NEGATED.get(verb, WordKind.FORGET)
            is_ordered = (
                lead & {WordKind.ASK, WordKind.WISH, WordKind.SOFT}
                if subject is WordKind.YOU
                else subject is not WordKind.I
            )
            if verb is None or not (word.does(WordKind.VOID, WordKind.HEADING) or is_ordered):
                return None
            return Frame(verb=verb, lead=frozenset(lead), at=words[first].start, end=word.end, next=place + 1)
        if word.is_mark:
            # A clause that is over says nothing of who is to do what comes next.
            subject = None
        elif word.kinds & _LEADING:
            lead |= word.kinds & _LEADING
            subject = next((kind for kind in (WordKind.YOU, WordKind.I) if kind in word.kinds), subject)
        else:
            return None
    return None


def later(words: Words) -> Iterator[Frame]:
    """The frames with which a clause begins further on, and after which something follows."""
    frames = (opening(words, first) for first in _beginnings(words))
    return (frame for frame in frames if frame is not None and frame.next < len(words))


def closing(words: Words) -> Frame | None:
    """The frame at the end that points at what stands before it: the longest of them."""
    words = _without_purpose(words)
    asked = _is_question(words)
    known = _LEADING | _CLOSING | {WordKind.PUT, WordKind.TAKE}
    behind = tail(words, known, 1) - 1
    for first in (behind + place for place in _beginnings(words[behind:])):
        frame = opening(words, first)
        if frame is None or frame.verb is WordKind.HEADING or (asked and not frame.asks):
            continue
        rest = words[frame.next :]
        if (frame.verb is WordKind.DELETE and words[first].text == "and") or not are(rest, _CLOSING):
            continue
        points = any(word.does(WordKind.POINT) for word in rest)
        if points or (WordKind.SOFT in frame.lead and frame.keeps and frame.verb is not WordKind.KNOW):
            mark = words[first - 1]
            return Frame(
                verb=frame.verb,
                lead=frame.lead,
                end=words[-1].end,
                next=len(words),
                points=points,
                at=mark.start + (mark.text[0] in ".!)…") if mark.cuts else words[first].start,
            )
    return None


def are(words: Words, kinds: Kinds) -> bool:
    """Whether every one of them is a mark or does one of these things."""
    return all(word.passes(kinds) for word in words)


def following(words: Words, first: int, kinds: Kinds = FOLLOWING) -> int:
    """The number of the first word from there on that is of none of these kinds."""
    place = first
    while place < len(words) and words[place].kinds & kinds:
        place += 1
    return place


def tail(words: Words, kinds: Kinds, first: int = 0) -> int:
    """The number of the first of the last words that are all marks or of these kinds; their count if none is."""
    return next((at for at in range(len(words), first, -1) if not words[at - 1].passes(kinds)), first)


def _beginnings(words: Words) -> Iterator[int]:
    """The numbers of the words that begin a clause, but the first: of as many as a request may have."""
    found = (at for at in range(1, len(words)) if words[at - 1].cuts or words[at].does(WordKind.JOINT))
    return itertools.islice(found, MOST)


def _without_purpose(words: Words) -> Words:
    """The words without those that say what something is kept for: "save that for the quiz"."""
    for at in range(max(2, len(words) - _NEAR), len(words)):
        if words[at].does(WordKind.PURPOSE) and words[at - 1].does(WordKind.POINT, WordKind.MEMORY, WordKind.AFTER):
            return words if any(word.cuts for word in words[at:-1]) else words[:at]
    return words


def _is_question(words: Words) -> bool:
    """Whether the last mark asks, and not only for agreement: "remember that, ok?"."""
    last = max((at for at, word in enumerate(words) if word.cuts), default=0)
    if not last or "?" not in words[last].text or any(word.kinds for word in words[last + 1 :]):
        return False
    return not words[last - 1].does(WordKind.SOFT)


def _verb(words: Words, place: int, lead: set[WordKind]) -> WordKind | None:
    """What a word asks for, if it is a verb of memory here: not the noun of "one more note", nor one only known of."""
    word = words[place]
    is_called_for = word.does(WordKind.HEADING) or lead & {WordKind.ASK, WordKind.NOT, WordKind.WISH}
    if not word.kinds & _ACTING or (word.text.casefold().endswith("ing") and not is_called_for):
        return None
    verb = next((kind for kind in _VERBS if word.does(kind)), None)
    after = words[place + 1 : place + _NEAR]
    near = frozenset(kind for one in after for kind in one.kinds)
    is_off = word.does(WordKind.TAKE) and verb is None and WordKind.OFF in near
    is_listed = near & {WordKind.MEMORY, WordKind.LIST} or any(one.number for one in after)
    if (word.does(WordKind.VOID) and near & {WordKind.AWAY, WordKind.TOLD}) or (is_off and is_listed):
        return WordKind.DELETE
    is_pointed_at = len(after) > 1 and after[0].does(WordKind.POINT) and after[1].text == ":"
    if word.does(WordKind.PUT) and (WordKind.AWAY in near or is_pointed_at):
        verb = WordKind.FILE
    if verb is WordKind.KNOW:
        return verb if lead & {WordKind.WISH, WordKind.ASK} and WordKind.YOU in lead else None
    is_noun = verb is WordKind.FILE and place > 0 and words[place - 1].does(WordKind.ARTICLE)
    return None if is_noun and words[place + 1 : place + 2] and words[place + 1].text != ":" else verb


def _words(text: str, first: int, last: int, bot_name: str) -> Iterator[ClauseWord]:
    """The words between two places of a text: the longest saying of a table wherever one begins."""
    straight = text[first:last].translate(patterns.STRAIGHT_QUOTES)
    found = [(one.start(), one.end()) for one in _TOKEN.finditer(straight)]
    plain = [straight[start:end].casefold().replace("'", "") for start, end in found]
    sayings, longest = _sayings(" ".join(_TOKEN.findall(bot_name)).casefold())
    place = 0
    while place < len(plain):
        lengths = range(min(longest.get(plain[place], 0), len(plain) - place), 0, -1)
        length = next((n for n in lengths if " ".join(plain[place : place + n]) in sayings), 1)
        start, end = found[place][0], found[place + length - 1][1]
        written = straight[start:end]
        is_silent = written.startswith("<@") or not _TELLING.search(written)  # a mention or an emoji
        kinds = (
            frozenset({WordKind.SOFT})
            if is_silent
            else sayings.get(" ".join(plain[place : place + length]), frozenset())
        )
        is_mark = not kinds and not any(map(str.isalnum, written))
        cuts = is_mark and not _CUT.isdisjoint(written)
        yield ClauseWord(text=written, start=first + start, end=first + end, kinds=kinds, is_mark=is_mark, cuts=cuts)
        place += length


@functools.lru_cache(maxsize=4)
def _sayings(bot_name: str) -> tuple[dict[str, Kinds], dict[str, int]]:
    """All that the tables hold and what each does; and how many words the longest has that begins with a word."""
    found: dict[str, set[WordKind]] = {}
    longest: dict[str, int] = {}
    for language in (*request_words.LANGUAGES, {WordKind.SOFT: {bot_name.replace(" ", "_")}}):
        for kind, sayings in language.items():
            for saying in (one.split("_") for one in sayings):
                found.setdefault(" ".join(saying), set()).add(kind)
                longest[saying[0]] = max(longest.get(saying[0], 0), len(saying))
    return {saying: frozenset(kinds) for saying, kinds in found.items()}, longest
