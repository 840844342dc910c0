"""Reads the times a question names ("last week", "since May") as spans in a time zone; pure."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.dates import calendar, expressions, time_grammar, time_words
from bot.dates.expressions import NamedTime
from bot.dates.time_grammar import TimeGrammar, TimeText

MOST: Final = 8
"""Spans kept of one text, and dates that do not exist."""
TOLD_WITHIN: Final = timedelta(days=3)
"""What happened is told soon after: said so long after a time, it may still be of that."""
_READ: Final = 4_000
"""Characters of a text that are read, which is the longest message there is."""
_REACH: Final = 120
"""Characters before a time in which "before" and the like are looked for."""
_ONE_DAY: Final = timedelta(hours=26)
"""Longer than any one day, however the clocks change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One time, aware and in UTC: from `start` to before `end`, either None where it is open."""

    words: str
    """As written in the question: "last week"."""
    start: datetime | None
    end: datetime | None

    def overlaps(self, other: "Span") -> bool:
        """Whether some moment is in both."""
        return (self.start is None or other.end is None or self.start < other.end) and (
            other.start is None or self.end is None or other.start < self.end
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The times a question names."""

    spans: tuple[Span, ...]
    """In the order of the text, at most `MOST`, no two alike; two for a date that can be read two ways."""
    asks_when: bool
    """Whether the question is when: "how long ago did …", "what day was …"."""
    wrong: tuple[str, ...]
    """Dates that do not exist, as written: "30 February"."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A part of the text and its ranges; none for a date that does not exist."""

    begin: int
    end: int
    ranges: tuple[calendar.Range, ...]


@functools.lru_cache(maxsize=256)
def read(text: str, *, as_of: datetime, zone: str, is_ahead: bool = False) -> Times:
    """The times the text names, in every language there is a table for; known of the last texts.

    Days, weeks from Monday, months and years are those of the IANA zone `zone`, UTC where there is no such zone, and
    are counted from `as_of`, which is aware. What names no year or week is the latest that has begun: "in May" is the
    last May up to now; after "by", and with `is_ahead`, it is the coming one. "Before", "after", "since", "until" and
    "by" open a span to one side; with words between, as in "after the release on 3 June", the event lies inside that
    time, so the rest of it counts as after, too. "Until" and "by" include what they name. Only the first 4,000
    characters are read.
    """
    here = calendar.local(as_of, zone, is_ahead=is_ahead)
    words = time_grammar.text_of(text[:_READ])
    grammars = time_grammar.grammars()
    found = _separate([one for grammar in grammars for one in _read(grammar, words, here)])
    spans: dict[calendar.Range, Span] = {}
    wrong: dict[str, None] = {}
    for one in found:
        written = words.written[one.begin : one.end]
        # A zone that changed sides of the date line has a day less: that date does not exist there, either.
        sound = [limits for limits in one.ranges if not limits.start or not limits.end or limits.start < limits.end]
        for limits in sound:
            spans.setdefault(limits, Span(words=written, start=limits.start, end=limits.end))
        if not sound:
            wrong.setdefault(written)
    return Times(
        spans=tuple(spans.values())[:MOST],
        asks_when=any(grammar.asks_when.search(words.plain) for grammar in grammars),
        wrong=tuple(wrong)[:MOST],
    )


def read_alone(text: str, *, as_of: datetime, zone: str) -> Times:
    """The same of what is given where a time is asked for: a bare `2h`, `90 minutes` or `last hour` is up to now."""
    found = read(text, as_of=as_of, zone=zone)
    if found.spans or found.wrong:
        return found
    for frame in (frame for grammar in time_grammar.grammars() for frame in grammar.language.alone):
        whole = frame.format(text.strip()[:_REACH])
        back = read(whole, as_of=as_of, zone=zone)
        if back.spans and back.spans[0].words == whole:
            return back
    return found


def _read(grammar: TimeGrammar, text: TimeText, here: calendar.LocalCalendar) -> Iterator[_Found]:
    """The times of one language: ends joined, sides opened, and "after … and before …" closed again."""
    held: _Found | None = None
    for one in _sided(grammar, text, here):
        between = grammar.pair.fullmatch(text.plain, held.end, one.begin) if held else None
        is_both = between and between["pair"] not in grammar.language.alternatives
        if held and is_both and (closed := _closed(held, one)):
            held = closed
            continue
        if held:
            yield held
        held = one
    if held:
        yield held


def _sided(grammar: TimeGrammar, text: TimeText, here: calendar.LocalCalendar) -> Iterator[_Found]:
    """The times with their "before" or "since"."""
    last = 0
    for one in _joined(grammar, text, here):
        side = grammar.side.search(text.plain, max(last, one.begin - _REACH), one.begin)
        last = one.end
        opened = side and _opened(grammar, one, side, here)
        if opened or not one.is_moment:
            yield opened or _Found(one.begin, one.end, one.ranges)


def _joined(grammar: TimeGrammar, text: TimeText, here: calendar.LocalCalendar) -> Iterator[NamedTime]:
    """The times named; two that are the ends of one are one: "from May to July 2023"."""
    held: NamedTime | None = None
    for one in expressions.named(grammar, text, here):
        begin = held and _begin(grammar, text, held, one)
        if held and begin is not None:
            held = _join(held, one, begin, here)
            continue
        if held:
            yield held
        held = one
    if held:
        yield held


def _begin(grammar: TimeGrammar, text: TimeText, one: NamedTime, other: NamedTime) -> int | None:
    """Where the time begins that the two are the ends of; None where they are two times."""
    between = grammar.pair.fullmatch(text.plain, one.end, other.begin)
    if not between or between["pair"] not in grammar.needed:
        return None
    needed = grammar.needed[between["pair"]].search(text.plain, max(0, one.begin - _REACH), one.begin)
    return needed and needed.start()


def _join(one: NamedTime, other: NamedTime, begin: int, here: calendar.LocalCalendar) -> NamedTime:
    """One time from the first to the end of the second; a year that one does not say is told by the other."""
    if not one.ranges or not other.ranges:
        # The end that does not exist is told; the other alone is not what was meant.
        return other if one.ranges else one
    days = None
    if one.is_moment and other.is_moment:
        one = _not_after(one, other)
    ranges = tuple(_hull(first, last) for first, last in zip(one.ranges, other.ranges, strict=False))
    if one.days and other.days:
        first, last = one.days, other.days
        if one.again and not other.again:
            first = calendar.latest(one.again, last.first)
        elif other.again:
            last = calendar.begins(other.again, first.first)
        days = calendar.Days(min(first.first, last.first), max(first.after, last.after))
        ranges = (here.range(days),)
    return NamedTime(begin=begin, end=other.end, ranges=ranges, days=days, is_joined=True)


def _not_after(one: NamedTime, other: NamedTime) -> NamedTime:
    """The moment on an earlier day, where it would come after the other: "from 9am to 11am yesterday"."""
    (first, _), (last, _) = one.ranges[0], other.ranges[0]
    assert first is not None
    assert last is not None
    days = -((last - first) // timedelta(days=1))
    moment = first - timedelta(days=max(0, days))
    return replace(one, ranges=(calendar.Range(moment, moment),))


def _opened(grammar: TimeGrammar, one: NamedTime, side: re.Match[str], here: calendar.LocalCalendar) -> _Found | None:
    """The time opened to one side; None where the word belongs to something else, as in "said by Ann on Friday"."""
    small = grammar.language.leads | grammar.language.articles
    reaches = not small.issuperset(side["words"].split())
    if reaches and side["side"] not in grammar.language.reaching:
        return None
    to = grammar.language.sides[side["side"]]
    if not one.ranges or (one.is_joined and to == "since"):
        # A date that does not exist is told by itself; "since May until July" has both its ends.
        return None
    ranges = one.ranges
    if one.again and to == "by":
        ranges = (here.range(calendar.coming(one.again, here.today)),)
    return _Found(side.start("side"), one.end, tuple(_half(limits, to, reaches=reaches) for limits in ranges))


def _half(limits: calendar.Range, side: time_words.Side, *, reaches: bool) -> calendar.Range:
    start, end = limits
    if start is None or end is None:
        return limits
    match side:
        case "before":
            # What came before "the launch last week" may have been said in that week; a day is taken at its word.
            return calendar.Range(None, end if reaches and end - start > _ONE_DAY else start)
        case "after":
            return calendar.Range(start if reaches else end, None)
        case "since":
            return calendar.Range(start, None)
        case "until" | "by":
            return calendar.Range(None, end)


def _closed(one: _Found, other: _Found) -> _Found | None:
    """The two as one time, "after … and before …"; None where they are not that."""
    if len(one.ranges) != 1 or len(other.ranges) != 1:
        return None
    # Either may come first.
    after, before = sorted((one.ranges[0], other.ranges[0]), key=lambda limits: limits.start is None)
    is_pair = after.end is None and before.start is None
    if not (is_pair and after.start and before.end and after.start < before.end):
        return None
    return _Found(one.begin, other.end, (calendar.Range(after.start, before.end),))


def _hull(one: calendar.Range, other: calendar.Range) -> calendar.Range:
    starts, ends = (one.start, other.start), (one.end, other.end)
    return calendar.Range(
        None if None in starts else min(start for start in starts if start),
        None if None in ends else max(end for end in ends if end),
    )


def _separate(found: list[_Found]) -> Iterator[_Found]:
    """The times of all languages, in order: where two overlap, the earlier and longer one."""
    last = 0
    for one in sorted(found, key=lambda one: (one.begin, -one.end)):
        if one.begin >= last:
            last = one.end
            yield one
