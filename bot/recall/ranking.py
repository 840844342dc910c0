"""Ranks candidates by pure arithmetic; `docs/MEMORY_ARCHITECTURE.md` has the formula and its measures.

A row's own score is BM25 with each word counted once (Robertson and Zaragoza 2009; k1 0.6, b 0.4). A word of its
neighbours counts for less, once, where it counts most. Scores are divided by the weight of the whole query, so that
scores of different queries can be compared. Factors are applied last.
"""

import functools
import heapq
import math
import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final

from bot.dates import times
from bot.domain import Memory, Message, MessageId, Parts, Result, SessionId
from bot.recall.answer_signs import Signs
from bot.recall.confidence import BestPlace
from bot.recall.query import ParsedQuery

K1: Final = 0.6
B: Final = 0.4
NEAR: Final = (0.6, 0.4)
"""What a word is worth one and two messages away in the same session."""
ANSWER: Final = 0.8
"""What it is worth in the message just before, where that is a question: who answers does not repeat its words."""
LATE_ANSWER: Final = 0.65
"""The same where what stands between the two answers nothing."""
_OF_ANSWERS: Final = frozenset({ANSWER, LATE_ANSWER})
SESSION: Final = 0.2
"""Of the best of a session, to everything said in it."""
COVERED: Final = 0.1
"""Of all the words a session holds anywhere."""
SEMANTIC: Final = 0.18
"""For each standard deviation of similarity above what is usual in the space."""
MEANT: Final = 1.0
"""So many standard deviations above what is usual a row means something of the query."""
SEMANTIC_NEAR: Final = 0.15
SEMANTIC_SESSION: Final = 0.03
"""Of a session's second and third most similar message, to all of its messages: the first may be so by chance."""
LIKE: Final = 0.7
"""What a word is worth that is written alike."""
UNKNOWN: Final = 0.5
"""What a word that nobody here ever said weighs against a score; in full against its certainty."""
TAGS: Final = 0.1
PHRASES: Final = 0.05
"""Of a memory with a name or a key phrase of two words and more that the query names whole."""
RECENCY: Final = 0.01
"""Of what was said just now; half of it a month later: enough to part equals."""
IMPORTANCE: Final = 0.05
"""Of a memory of importance 10."""
HALF_LIFE: Final = timedelta(days=30)
AUTHOR: Final = 1.0
IN_SPAN: Final = 0.3
IN_OPEN_SPAN: Final = 0.15
TELLS_WHEN: Final = 0.2
NAMES: Final = 0.1
"""Of what names something or somebody who is not speaking here: what is asked for has a name more often than not."""
_ROWS_A_HIT: Final = 8
"""A space is taken to have so many rows for each that a query finds: to count a large one takes longer than to search
it, and over the measured range (4 to 16) it changes no figure."""
_ALL: Final = -1
"""Every word, as bits."""
PLACES: Final = 50
"""Places of which what states nothing is kept out; behind them nobody looks."""
AS_WELL: Final = 0.8
"""Of the best score: what has so much answers as well."""
_TAIL: Final = (10, 50)
"""The places that show what the query finds anyway."""
_TIME: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|recently|(?:week|weekend|month|year|day)s?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|april|june|july|august|september|october|november"
    r"|december)|\d{4}|\d{1,2}[:.]\d\d|\d{1,2} ?[ap]\.?m|o'clock|noon|midnight"
    r"|gestern|heute|morgen|letzte[nrs]?|n\u00e4chste[nrs]?|woche|monat|jahr)\b",
    re.IGNORECASE,
)
_CAPITAL: Final = re.compile(r" (?<=[\w,;)'\u2019] )[\"'(\u201c]?([A-Z\u00c0-\u00d6\u00d8-\u00de]\w+)")
"""A word that begins with a capital within a sentence; blanks come first because they are soon found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many rows hold each word, and any of them."""

    rows: tuple[int, ...]
    hits: int

    def __add__(self, other: "Counts") -> "Counts":
        """Of both tables."""
        rows = tuple(mine + theirs for mine, theirs in zip(self.rows, other.rows, strict=True))
        return Counts(rows=rows, hits=self.hits + other.hits)


@dataclass(slots=True, kw_only=True)
class Candidate:
    """A row that may be a result."""

    item: Memory | Message
    mask: int
    """The words it holds, as bits."""
    alike: int = 0
    """The words it holds in another form."""
    hathi_answered: bool = False
    """Whether it is a message that Hathi had an answer to."""
    lends: bool = True
    """Whether what stands beside it, or in its session, may be about the same."""
    length: int
    """Words in it."""
    reading: "RowReading | None" = None
    """What it states and lacks; none before it was read."""
    similarity: float = 0.0
    """Standard deviations its meaning is nearer to the query than is usual in the space; 0 where that is not known."""
    beside: dict[MessageId, float] = field(default_factory=dict[MessageId, float])
    """What stands beside it in its session, and what a word there is worth here."""
    own: float = 0.0
    factor: float = 0.0

    @property
    def of_statement(self) -> int:
        """The words that may stand in what it states."""
        return _ALL if self.reading is None else self.reading.said


@dataclass(frozen=True, slots=True, kw_only=True)
class RowReading:
    """What was read in a row."""

    said: int = _ALL
    """The words that stand in what it states."""
    signs: Signs = field(default_factory=Signs)

    @property
    def changes_nothing(self) -> bool:
        """Whether the row is worth what it was taken for unread."""
        return self.said == _ALL and not self.signs.malus


Read = Callable[[Candidate, Sequence[str]], RowReading]
"""Reads a row, with what was said just before it."""


def unread(_candidate: Candidate, _before: Sequence[str]) -> RowReading:
    """Nothing in particular."""
    return RowReading()


def held(candidate: Candidate) -> int:
    """All words of a row."""
    return candidate.mask | candidate.alike


_Placed = tuple[float, int, int, Candidate, Parts]
"""A place, by its first three: the score below 0, then by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """All candidates in order."""

    results: tuple[Result, ...]
    questions: tuple[Result, ...]
    """Those that state nothing, and so answer nothing; in their places too."""
    standing: BestPlace
    """How the best result stands among all."""
    of_questions: float
    """How far the best question stands out, as a share of what the query weighs."""


def rank(
    parsed: ParsedQuery,
    counts: Counts,
    candidates: Sequence[Candidate],
    read: Read = unread,
    *,
    places: int = PLACES,
    newest: bool | None = None,
) -> Ranking:
    """The candidates by score, equals by id; the same for the same rows in any order.

    What each of the best states and lacks is read before it has one of the first `places`: to have said less lifts
    nobody over another. Of those that answer about as well as the best the newest comes first, or, where `newest` is
    false, the oldest; where it is none they stay as they are.
    """
    weights, candidates = _Weights(parsed, counts), _once(candidates)
    _own(candidates, weights)
    messages = {c.item.message_id: c for c in candidates if isinstance(c.item, Message)}
    sessions, alike = _sessions(messages.values(), weights), _alike(messages.values())
    speakers = frozenset(word for c in candidates for word in (c.item.author or "").split())

    def placed(candidate: Candidate) -> _Placed:
        parts = _parts(parsed, candidate, weights, messages, sessions, alike, speakers)
        # To nine digits: two machines add the same numbers up to the last one.
        return -round(parts.score, 9), *_key(candidate.item), candidate, parts

    waiting = sorted(map(placed, candidates), key=_first)
    usual = -sum(entry[0] for entry in waiting[slice(*_TAIL)]) / (_TAIL[1] - _TAIL[0])
    if parsed.query.is_question and not parsed.named:
        of_it = {id(c) for c in _of_the_thing(_mask(parsed.things), candidates, messages)}
        waiting = [entry for entry in waiting if id(entry[3]) in of_it]
    ordered, questions = _read(waiting, placed, partial(_looked_at, read, messages), places)
    return Ranking(
        results=tuple(map(_result, ordered if newest is None else _by_age(ordered, newest=newest))),
        questions=tuple(map(_result, questions)),
        standing=_standing(parsed, weights, ordered, usual),
        of_questions=_stands_out(parsed, weights, questions[:1], usual),
    )


def _of_the_thing(
    things: int, candidates: Sequence[Candidate], messages: Mapping[MessageId, Candidate]
) -> Sequence[Candidate]:
    """Without those that only share with a question what is done with the thing it is about, where others speak of it.

    Who uses a hammer is no answer to "which saw do we use?".
    """
    speaking = [c for c in candidates if things & _lent(c, messages) or c.similarity >= MEANT]
    return speaking if any(things & held(c) for c in speaking) else candidates


def _lent(candidate: Candidate, messages: Mapping[MessageId, Candidate]) -> int:
    """The words of a row, and of its neighbours that may be about the same."""
    near = (messages[key] for key in candidate.beside if key in messages)
    return functools.reduce(operator.or_, (held(one) for one in near if one.lends), held(candidate))


def _result(entry: _Placed) -> Result:
    candidate, parts = entry[3:]
    answers = not _OF_ANSWERS.isdisjoint(candidate.beside.values())
    is_beside = not (held(candidate) or parts.author or candidate.similarity >= MEANT)
    return Result(item=candidate.item, parts=parts, answers=answers, is_beside=is_beside)


def _by_age(ordered: Sequence[_Placed], *, newest: bool) -> list[_Placed]:
    """The newest or oldest of those first that answer about as well as the best, and speak of all that it speaks of.

    People tell a change in the words of what it changed.
    """
    if not ordered:
        return []
    best = ordered[0]
    speaks_of = held(best[3])
    equals = [e for e in ordered if e[0] <= AS_WELL * best[0] and held(e[3]) & speaks_of == speaks_of]
    by_age = sorted(equals, key=lambda entry: entry[3].item.said_at, reverse=newest)
    known = {id(entry) for entry in equals}
    return [*by_age, *(entry for entry in ordered if id(entry) not in known)]


def _looked_at(read: Read, messages: Mapping[MessageId, Candidate], candidate: Candidate) -> RowReading:
    before = [key for key in candidate.beside if key in messages and _is_before(messages[key].item, candidate.item)]
    return read(candidate, [messages[key].item.content for key in sorted(before, reverse=True)[:2]])


def _is_before(one: Memory | Message, other: Memory | Message) -> bool:
    return isinstance(one, Message) and isinstance(other, Message) and one.message_id < other.message_id


def _read(
    waiting: list[_Placed], placed: Callable[[Candidate], _Placed], read: Callable[[Candidate], RowReading], places: int
) -> tuple[list[_Placed], list[_Placed]]:
    """The candidates with statements and those without, in order: read from the best until there are enough."""
    ordered, questions = list[_Placed](), list[_Placed]()
    while waiting and len(ordered) < places:
        entry = heapq.heappop(waiting)
        candidate = entry[3]
        if candidate.reading is not None:
            ordered.append(entry)
            continue
        candidate.reading = read(candidate)
        if not candidate.reading.signs.states:
            questions.append(entry)
        elif candidate.reading.changes_nothing:
            ordered.append(entry)
        else:
            heapq.heappush(waiting, placed(candidate))
    return [*ordered, *sorted(waiting, key=_first)], questions


def _mask(bits: Sequence[bool]) -> int:
    return sum(1 << bit for bit, is_so in enumerate(bits) if is_so)


class _Weights:
    """The weight of each word in this space, and of any set of words."""

    def __init__(self, parsed: ParsedQuery, counts: Counts) -> None:
        rows = _ROWS_A_HIT * max(1, counts.hits)
        self._words = [
            term.share * math.log(1 + (rows - n + 0.5) / (n + 0.5)) if n else 0.0
            for term, n in zip(parsed.terms, counts.rows, strict=True)
        ]
        self._sums = {0: 0.0}

        def missing(among: Sequence[bool]) -> float:
            unknown = [n or not is_so for n, is_so in zip(counts.rows, among, strict=True)]
            return parsed.unknown(unknown) * math.log(1 + rows)

        known, unknown = math.fsum(self._words), parsed.unknown(counts.rows) * math.log(1 + rows)
        self.total = known + UNKNOWN * unknown or 1.0
        self.of_known = self.total / (known + unknown or 1.0)
        needed, things = parsed.needed, parsed.things
        self.needed = _mask(needed)
        self.of_answer = self.of(self.needed) + missing(needed)
        # The share of what is asked about that anybody here spoke of.
        spoken_of = self.of(_mask(things))
        self.known = spoken_of / ((spoken_of + missing(things)) or 1.0)

    def of(self, mask: int) -> float:
        """The weight of the words of a mask."""
        found = self._sums.get(mask)
        if found is None:
            found = self._sums[mask] = sum(w for bit, w in enumerate(self._words) if mask >> bit & 1)
        return found

    def covered(self, mask: int) -> float:
        """The share of an answer's expected words that these are."""
        return self.of(mask & self.needed) / self.of_answer if self.of_answer else 0.0


def _once(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Each message once: read beside and recorded too, it is the recorded one, whose session is known."""
    kept = dict[object, Candidate]()
    for candidate in candidates:
        item = candidate.item
        key = item.message_id if isinstance(item, Message) else ("#", item.memory_id)
        known = kept.get(key)
        if known is None or (isinstance(known.item, Message) and known.item.session_id is None):
            kept[key] = candidate
    return [*kept.values()]


def _own(candidates: Sequence[Candidate], weights: _Weights) -> None:
    """The score of each row by its own words."""
    lengths = [c.length for c in candidates if c.mask | c.alike]
    average = sum(lengths) / len(lengths) if lengths else 1.0
    for c in candidates:
        c.factor = (K1 + 1) / (1 + K1 * (1 - B + B * c.length / average))
        c.own = _worth_alone(c, _ALL, weights)


def _worth_alone(candidate: Candidate, among: int, weights: _Weights) -> float:
    """The score of a row by its own words among these."""
    mask, alike = candidate.mask & among, candidate.alike & among
    return candidate.factor * (weights.of(mask) + LIKE * weights.of(alike & ~mask))


def _sessions(candidates: Iterable[Candidate], weights: _Weights) -> dict[SessionId | None, float]:
    """What each session adds to the score of its messages."""
    best: dict[SessionId | None, float] = {}
    covered: dict[SessionId | None, int] = {}
    for candidate in candidates:
        key = candidate.item.session_id if isinstance(candidate.item, Message) else None
        own, mask = (candidate.own, candidate.mask) if candidate.lends else (0.0, 0)
        best[key] = max(best.get(key, 0.0), own)
        covered[key] = covered.get(key, 0) | mask
    return {key: SESSION * own + COVERED * weights.of(covered[key]) for key, own in best.items()}


def _alike(candidates: Collection[Candidate]) -> dict[SessionId | None, float]:
    """What each session adds by similarity; nothing where meaning was not compared."""
    if not any(candidate.similarity for candidate in candidates):
        return {}
    found: dict[SessionId | None, list[float]] = {}
    for candidate in candidates:
        key = candidate.item.session_id if isinstance(candidate.item, Message) else None
        found.setdefault(key, []).append(candidate.similarity)
    return {key: SEMANTIC_SESSION * max(0.0, sum(sorted(of, reverse=True)[1:3]) / 2) for key, of in found.items()}


def _parts(
    parsed: ParsedQuery,
    candidate: Candidate,
    weights: _Weights,
    messages: dict[MessageId, Candidate],
    sessions: dict[SessionId | None, float],
    alike: dict[SessionId | None, float],
    speakers: AbstractSet[str],
) -> Parts:
    item, total = candidate.item, weights.total
    beside = [
        (other, share)
        for key, share in candidate.beside.items()
        if (other := messages.get(key)) is not None and other.lends
    ]
    is_whole = candidate.of_statement == _ALL
    text = (candidate.own if is_whole else _worth_alone(candidate, candidate.of_statement, weights)) / total
    neighbours = max(0.0, _window(candidate, beside, weights) / total - text)
    # A memory is a session of its own: what it was distilled from.
    alone = SESSION * candidate.own + COVERED * weights.of(candidate.mask)
    session = (sessions[item.session_id] if isinstance(item, Message) else alone) / total
    if alike and isinstance(item, Message):
        session += alike[item.session_id]
    near = sum(other.similarity for other, share in beside if share > NEAR[1]) if alike else 0.0
    semantic = SEMANTIC * max(0.0, candidate.similarity + SEMANTIC_NEAR * near)
    tags = _of_filing(parsed, item) if isinstance(item, Memory) else 0.0
    recency = RECENCY * 0.5 ** (max(timedelta(0), parsed.query.as_of - item.said_at) / HALF_LIFE)
    importance = IMPORTANCE * item.importance / 10 if isinstance(item, Memory) else 0.0
    score = text + neighbours + session + semantic + tags + recency + importance
    author = AUTHOR * score * _sureness(parsed, candidate) if parsed.named else 0.0
    score += author
    dates = score * _of_time(parsed, item) if parsed.times.spans or parsed.times.asks_when else 0.0
    score += dates
    return Parts(
        text=text,
        neighbours=neighbours,
        session=session,
        semantic=semantic,
        tags=tags,
        recency=recency,
        importance=importance,
        author=author,
        dates=dates,
        form=score * (_of_form(item, speakers) - (candidate.reading.signs.malus if candidate.reading else 0.0)),
    )


def _of_filing(parsed: ParsedQuery, item: Memory) -> float:
    """What a memory is filed under that the query is about: its domains, and the names and phrases in it."""
    domains = 0.0 if parsed.query.domains.isdisjoint(item.tags) else TAGS
    phrases = (*item.entities, *(phrase for phrase in item.key_phrases if " " in phrase))
    named = any(parsed.tokens.issuperset(phrase.lower().split()) for phrase in phrases)
    return domains + PHRASES * named


def _window(candidate: Candidate, beside: Iterable[tuple[Candidate, float]], weights: _Weights) -> float:
    """Each word at its best in the row or its neighbours; the row's own question counts as a neighbour."""
    places = [*_worth(candidate, candidate.of_statement, 1.0), *_worth(candidate, ~candidate.of_statement, NEAR[0])]
    for other, share in beside:
        places += _worth(other, _ALL, share)
    seen, worth = 0, 0.0
    for factor, mask in sorted(places, reverse=True):
        if mask & ~seen:
            worth += factor * weights.of(mask & ~seen)
            seen |= mask
    return worth


def _worth(candidate: Candidate, among: int, share: float) -> Iterator[tuple[float, int]]:
    """The score of a row's words among these, as written and in other forms."""
    if mask := candidate.mask & among:
        yield share * candidate.factor, mask
    if alike := candidate.alike & among:
        yield LIKE * share * candidate.factor, alike


def _sureness(parsed: ParsedQuery, candidate: Candidate) -> float:
    """How surely a row is by a named person; an unsure name favours only rows with words of the query."""
    author_id = candidate.item.author_id
    sure = 0.0 if author_id is None else parsed.named.get(author_id, 0.0)
    return sure if sure == 1.0 or candidate.mask | candidate.alike else 0.0


def _of_time(parsed: ParsedQuery, item: Memory | Message) -> float:
    """The bonus for a row's time: said when the query asks about, or naming a time."""
    share = 0.0
    for span in parsed.times.spans:
        if (span.start is None or span.start <= item.said_at) and (span.end is None or item.said_at < span.end):
            share = max(share, IN_OPEN_SPAN if span.start is None or span.end is None else IN_SPAN)
        elif span.end is not None and span.end <= item.said_at < span.end + times.TOLD_WITHIN:
            share = max(share, IN_OPEN_SPAN)
    return share + (TELLS_WHEN if parsed.times.asks_when and _TIME.search(item.content) else 0.0)


def _of_form(item: Memory | Message, speakers: AbstractSet[str]) -> float:
    """The bonus for a row's form: names inform."""
    return 0.0 if speakers >= {*_CAPITAL.findall(item.content)} else NAMES


def _standing(parsed: ParsedQuery, weights: _Weights, ordered: Sequence[_Placed], usual: float) -> BestPlace:
    """How the best of them stands."""
    if not ordered:
        return BestPlace()
    score, candidate, parts = -ordered[0][0], ordered[0][3], ordered[0][4]
    signs = candidate.reading.signs if candidate.reading else Signs()
    return BestPlace(
        speaks=_speaks(parts),
        out=score - usual,
        known=weights.known,
        words=len(parsed.terms),
        by_named=_sureness(parsed, candidate),
        lacks_kind=signs.lacks_kind,
        lacks_person=signs.lacks_person,
        lacks_day=signs.lacks_day,
        meaning=parts.semantic,
    )


def _stands_out(parsed: ParsedQuery, weights: _Weights, best: Sequence[_Placed], usual: float) -> float:
    """How far the best stands out from what the query finds anyway, as a share of what it weighs.

    A named author adds nothing, and what has its place only by the session it was said in does not stand out.
    """
    best = [entry for entry in best if _speaks(entry[-1])]
    return sum((-e[0] - usual) / (1 + AUTHOR * _sureness(parsed, e[3])) for e in best) * weights.of_known


def _speaks(parts: Parts) -> bool:
    """Whether a row or its neighbours hold a word of the query, or come near it in meaning."""
    return parts.text > 0 or parts.neighbours > 0 or parts.semantic > 0


def held_together(candidate: Candidate, messages: Mapping[MessageId, Candidate]) -> int:
    """The words of a row and of its neighbours."""
    near = [messages[key] for key in candidate.beside if key in messages]
    return functools.reduce(operator.or_, map(held, (candidate, *near)))


def most_covered(parsed: ParsedQuery, counts: Counts, masks: Iterable[int]) -> float:
    """The largest share of what an answer would hold that any of these sets of words is."""
    weights = _Weights(parsed, counts)
    return max((weights.covered(mask) for mask in {*masks}), default=0.0)


def _key(item: Memory | Message) -> tuple[int, int]:
    """Memories before messages, the older first."""
    return (0, item.memory_id) if isinstance(item, Memory) else (1, item.message_id)


def _first(entry: _Placed) -> tuple[float, int, int]:
    return entry[:3]
