"""Checks that each number, date and time of an answer stands in the evidence it cites, or in the question."""

import functools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from bot.dates import days
from bot.grounding import numbers, quotes, telling_days, texts, vocabulary
from bot.grounding.case import Case
from bot.grounding.faults import Fault, FaultKind
from bot.grounding.telling_days import Telling
from bot.grounding.texts import AnswerPart, ShownText
from bot.text import normalize

_THE: Final = re.compile(r"\b(?:the|den|am|le|el) \Z")
_MORE: Final = re.compile(r"\w")
_SPAN: Final = re.compile(
    r"(?:st|nd|rd|th)? ?(?:-|\u2013|to|and|until|till|through|bis|und|au|et|al|y)(?: the)? ? {2,}"
)
"""After the first day of two; dates that were read are blank by then."""
_YEAR: Final = frozenset(range(1900, 2100))
_MOST_NUMBERS: Final = 200
"""Numbers of an answer that are looked up, and as many days and times of day."""
_ABOUT: Final = 0.1
_DAYS_OF_MONTH: Final = frozenset(range(1, 32))
_SHOWN_IN_A_REASON: Final = 60


class _Standing(Enum):
    """Where a value occurs."""

    HELD = auto()
    """In what the claim cites, or in the question."""
    ELSEWHERE = auto()
    """In what was shown, but not where it is cited from."""
    NOWHERE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    """A value in a claim."""

    text: str
    standing: _Standing
    kind: FaultKind
    reason: str
    """What is wrong where it stands nowhere."""


def faults(case: Case) -> Iterator[Fault]:
    """Numbers, dates and times of day that do not stand where they are cited from, claim by claim."""
    checked: set[tuple[tuple[str, ...], numbers.Quantity]] = set()
    told: set[tuple[tuple[str, ...], str]] = set()
    for claim in case.claims:
        named = case.dated(texts.bare(quotes.unquoted(case.bared(claim))))
        given = list(_numbers(case, claim, named, checked))
        told.update((claim.cited, one.text) for one in named.mentions)
        told.update((claim.cited, text) for text, _minutes in named.clocks)
        if max(len(checked), len(told)) > _MOST_NUMBERS:
            yield Fault(kind=FaultKind.NUMBER, reason="It gave more numbers than can be checked.")
            return
        counted = [_number(case, claim, named, one) for one in given]
        if by := _period(case, claim):
            yield by
        days = list(_dates(case, claim, named.mentions))
        is_told = bool(named.clocks) and not telling_days.SPEECH.isdisjoint(texts.words(claim.folded))
        hours = [_clock(case, claim, text, minutes, is_told=is_told) for text, minutes in dict.fromkeys(named.clocks)]
        for values in (counted, days, hours):
            yield from _wrong(claim, values)


def _period(case: Case, claim: AnswerPart) -> Fault | None:
    """The fault of a claim that counts by the month what is counted by the quarter."""
    shown = frozenset[str]().union(*(case.ground.periods(one) for one in case.rests_on(claim)))
    by = numbers.periods(claim.folded) if shown else shown
    if by <= shown | case.ground.question_periods:
        return None
    return Fault(
        kind=FaultKind.NUMBER, reason=f"It counted by the {min(by - shown)}, and what I found counts by another time."
    )


def _wrong(claim: AnswerPart, values: Sequence[_Value]) -> Iterator[Fault]:
    """The faults among values of one sort; beside one that stands where it is cited from, older ones may be told."""
    is_held = any(value.standing is _Standing.HELD for value in values)
    for value in values:
        if value.standing is _Standing.NOWHERE:
            yield Fault(kind=value.kind, reason=value.reason)
        elif value.standing is _Standing.ELSEWHERE and not is_held:
            reason = f"It gave {_cut(value.text)} with {', '.join(claim.cited)}, where that does not stand."
            yield Fault(kind=FaultKind.CITATION, reason=reason)


def _numbers(
    case: Case, claim: AnswerPart, named: days.NamedDays, checked: set[tuple[tuple[str, ...], numbers.Quantity]]
) -> Iterator[numbers.Quantity]:
    """The numbers of a claim that were not looked up for the same citations before."""
    languages = tuple(dict.fromkeys((case.language, *case.ground.languages, "english")))
    for one in numbers.quantities(named.rest, languages):
        if (claim.cited, one) not in checked and len(checked) <= _MOST_NUMBERS:
            checked.add((claim.cited, one))
            yield one


def _number(case: Case, claim: AnswerPart, named: days.NamedDays, one: numbers.Quantity) -> _Value:
    held, asked = case.held(claim), case.ground.question_source.told
    is_held = _is_held(case, one, held) or asked.has(one)
    is_moved = numbers.is_moved(one, [asked, *(case.ground.source(shown).told for shown in held)])
    is_fine = (
        (is_held and not is_moved)
        or one.values == frozenset({1.0})
        or numbers.is_count(one, case.countable, listed=case.listed)
    )
    shown = " ".join(part for part in (one.text, one.follows) if part) if one.unit or is_held else one.text
    kind, reason = FaultKind.NUMBER, f"It gave the number {_cut(shown)}, which is nowhere in what I found."
    if _is_day(named, one):
        kind, reason = FaultKind.DATE, f"It named the day {one.text}, which is nowhere in what I found."
    if is_fine or numbers.is_reckoned(one, case.reckoned(named.rest)) or _is_between(case, one):
        standing = _Standing.HELD
    elif is_held:
        standing, reason = _Standing.NOWHERE, f"It counted {_cut(shown)}, and what I found counts other than that."
    else:
        is_elsewhere = held is not case.ground.shown and _is_held(case, one, case.ground.shown)
        standing = _Standing.ELSEWHERE if is_elsewhere else _Standing.NOWHERE
    return _Value(text=one.text, standing=standing, kind=kind, reason=reason)


def _is_between(case: Case, one: numbers.Quantity) -> bool:
    """Whether a length of time is about that between two times of day of one text."""
    if not one.unit or one.unit[0] != "time":
        return False
    said = [value * one.unit[1] for value in one.values]
    return any(math.isclose(value, length, rel_tol=_ABOUT) for value in said for length in case.lengths)


def _is_day(named: days.NamedDays, one: numbers.Quantity) -> bool:
    """Whether a number is a day: "the 24th", or the first of two, "the 12th to the 16th of August"."""
    is_bare = not one.follows or one.follows in vocabulary.ALL_FUNCTION
    ends = list(_ends(one.text, named.rest)) if one.is_ordinal or named.mentions else []
    if one.is_ordinal and is_bare and any(_is_led(named.rest, end - len(one.text), end) for end in ends):
        return True
    if not named.mentions or not all(value in _DAYS_OF_MONTH for value in one.values):
        return False
    return one.is_ordinal or any(_SPAN.match(named.rest, end) for end in ends)


def _is_led(text: str, start: int, end: int) -> bool:
    """Whether an article stands before a part of a text, and no more of its last word after it."""
    return bool(_THE.search(text, max(0, start - 4), start)) and not _MORE.match(text, end)


def _ends(part: str, text: str) -> Iterator[int]:
    """Where a part ends, wherever in a text it stands."""
    at = text.find(part)
    while at >= 0:
        yield at + len(part)
        at = text.find(part, at + 1)


def _is_held(case: Case, one: numbers.Quantity, held: Sequence[ShownText]) -> bool:
    for shown in held:
        source = case.ground.source(shown)
        if source.told.has(one):
            return True
        if any(value in source.days for value in one.values) and not one.unit:
            return True
        is_year = any(value in _YEAR for value in one.values) and not one.unit
        if is_year and any(value in source.calendar.years for value in one.values):
            return True
        if not one.unit and not one.follows and any(value * 60 in source.calendar.clocks for value in one.values):
            return True
        said = case.ground.said_on(shown)
        if said and ((is_year and said.year in one.values) or (one.is_ordinal and said.day in one.values)):
            return True
    return False


def _dates(case: Case, claim: AnswerPart, mentions: Sequence[days.Mention]) -> Iterator[_Value]:
    if mentions:
        told = functools.cache(lambda: Telling(case, claim))
        for mention in {one.text: one for one in mentions}.values():
            yield _date(case, claim, mention, told)


def _date(case: Case, claim: AnswerPart, mention: days.Mention, told: Callable[[], Telling]) -> _Value:
    standing = _Standing.NOWHERE
    if _is_date_of(case, mention, case.held(claim), told) or case.ground.question_source.calendar.holds(mention):
        standing = _Standing.HELD
    elif case.own(claim) and _is_date_of(case, mention, case.ground.shown, told):
        standing = _Standing.HELD if _is_of_another(case, claim, mention, told) else _Standing.ELSEWHERE
    text = mention.text.capitalize() if mention.weekday is not None else mention.text
    reason = f"It named {_cut(text)}, which is nowhere in what I found."
    return _Value(text=mention.text, standing=standing, kind=FaultKind.DATE, reason=reason)


def _is_of_another(case: Case, claim: AnswerPart, mention: days.Mention, told: Callable[[], Telling]) -> bool:
    """Whether a date stands in what the answer cites elsewhere, where what the claim cites names no day at all."""
    is_bare = not any(case.ground.source(shown).calendar.has_days() for shown in case.own(claim))
    return is_bare and _is_date_of(case, mention, case.all_cited, told)


def _is_date_of(case: Case, mention: days.Mention, held: Sequence[ShownText], told: Callable[[], Telling]) -> bool:
    if any(case.ground.source(shown).calendar.holds(mention) for shown in held):
        return True
    return any(
        case.ground.day_said(shown).holds(mention)
        and (not case.ground.source(shown).calendar.has_days() or told().is_when(mention))
        for shown in held
    )


def _clock(case: Case, claim: AnswerPart, text: str, minutes: frozenset[int], *, is_told: bool) -> _Value:
    standing, held = _Standing.NOWHERE, case.held(claim)
    if minutes & case.ground.question_source.calendar.clocks or _is_time_of(case, minutes, held, is_told=is_told):
        standing = _Standing.HELD
    elif held is not case.ground.shown and _is_time_of(case, minutes, case.ground.shown, is_told=is_told):
        standing = _Standing.ELSEWHERE
    reason = f"It gave the time {_cut(text)}, which is nowhere in what I found."
    return _Value(text=text, standing=standing, kind=FaultKind.NUMBER, reason=reason)


def _is_time_of(case: Case, minutes: frozenset[int], held: Sequence[ShownText], *, is_told: bool) -> bool:
    hours = {float(value // 60) for value in minutes if not value % 60}
    hours |= {value % 12 or 12.0 for value in hours}
    for shown in held:
        source = case.ground.source(shown)
        if (
            minutes & source.calendar.clocks
            or hours & source.hours
            or (is_told and case.ground.said_at(shown) in minutes)
        ):
            return True
    return False


def _cut(text: str) -> str:
    return normalize.one_line(text, _SHOWN_IN_A_REASON)
