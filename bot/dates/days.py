"""Collects the days that evidence names, and tells whether a date of an answer is one of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from bot.dates import calendar

_ONE: Final = timedelta(days=1)
_NEAR: Final = timedelta(days=250)
"""How far from when it was said a date without a year may lie."""


class Mention(NamedTuple):
    """One date named in a text; a tuple, as a text may have hundreds."""

    text: str
    year: int | None = None
    months: tuple[tuple[int, int | None], ...] = ()
    """Month and day of month; more than one where the order of day and month is open."""
    weekday: int | None = None
    ranges: tuple[tuple[date, date], ...] = ()
    """First and last day of what was said relative to another day."""
    is_today: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedDays:
    """What a text names of dates and of times of day, and the text without them."""

    mentions: tuple[Mention, ...]
    clocks: tuple[tuple[str, frozenset[int]], ...]
    """As written, and the minutes after midnight it may be."""
    rest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The days that the evidence names."""

    ranges: set[tuple[date, date]] = field(default_factory=set)
    months: set[int] = field(default_factory=set)
    years: set[int] = field(default_factory=set)
    weekdays: set[int] = field(default_factory=set)
    clocks: set[int] = field(default_factory=set)
    loose_days: set[date] = field(default_factory=set)
    """Those of which only the day of the month was said."""

    def add(self, named: NamedDays, said: date) -> None:
        """Take in what a text named that was said on a day."""
        for mention in named.mentions:
            ranges = concrete(mention, said)
            self.ranges.update(ranges)
            self.weekdays.update(first.weekday() for first, last in ranges if first == last)
            self.months.update(month for month, _day in mention.months)
            self.months.update(first.month for first, last in ranges if (last - first).days < 31)
            self.years.update(first.year for first, _last in ranges if mention.year or mention.ranges)
        for _text, minutes in named.clocks:
            self.clocks.update(minutes)

    def add_day(self, day: date) -> None:
        """Take in the day on which something was said."""
        self.ranges.add((day, day))
        self.weekdays.add(day.weekday())
        self.months.add(day.month)
        self.years.add(day.year)

    def add_days_of_month(self, days: Iterable[int], said: date) -> None:
        """Take in "the 18th", as it was said on a day: that of the month before, of the same, and of the next."""
        for day in days:
            for by in range(-1, 2):
                month = said.year * 12 + said.month - 1 + by
                if found := calendar.day_of(month // 12, month % 12 + 1, day):
                    self.loose_days.add(found)

    def holds(self, mention: Mention) -> bool:
        """Whether a date of an answer is one of these."""
        if mention.is_today:
            return True
        if mention.ranges:
            return any(_meets(mine, theirs) for mine in mention.ranges for theirs in self.ranges)
        if mention.weekday is not None:
            return mention.weekday in self.weekdays
        return any(self._has(month, day, mention.year) for month, day in mention.months)

    def _has(self, month: int, day: int | None, year: int | None) -> bool:
        if day is None:
            is_named = year is None and month in self.months
            return is_named or any(_in_month(one, month, year) for one in self.ranges)
        if year is not None:
            found = calendar.day_of(year, month, day)
            return found is not None and (found in self.loose_days or (found, found) in self.ranges)
        single = self.loose_days | {first for first, last in self.ranges if first == last}
        return any((one.month, one.day) == (month, day) for one in single)

    def has_days(self) -> bool:
        """Whether any day, week or weekday is among them."""
        return bool(self.ranges)


def concrete(mention: Mention, said: date) -> list[tuple[date, date]]:
    """The days a mention may mean in what was said on a day."""
    if mention.ranges:
        return list(mention.ranges)
    if mention.weekday is not None:
        return [(day, day) for by in range(-7, 15) if (day := said + by * _ONE).weekday() == mention.weekday]
    found: list[tuple[date, date]] = []
    for month, dom in mention.months:
        for year in (mention.year,) if mention.year else (said.year - 1, said.year, said.year + 1):
            first = calendar.day_of(year, month, dom or 1)
            if first is None:
                continue
            last = first if dom else month_end(first)
            if mention.year or abs(first - said) <= _NEAR:
                found.append((first, last))
    return found


def days_of(mentions: Iterable[Mention], said: date) -> set[int]:
    """The days of the month that mentions come to: "the 4th" may stand for one."""
    return {first.day for one in mentions for first, last in concrete(one, said) if first == last}


def local_day(moment: datetime, zone: str) -> date:
    """The day a moment falls on in a zone."""
    return calendar.local(moment, zone).today


def local(moment: datetime, zone: str) -> datetime:
    """A moment as the clocks of a zone show it."""
    return moment.astimezone(calendar.local(moment, zone).zone)


def month_end(first: date) -> date:
    """The last day of the month a day begins."""
    return (first.replace(day=28) + 4 * _ONE).replace(day=1) - _ONE


def _meets(mine: tuple[date, date], theirs: tuple[date, date]) -> bool:
    """Whether a stretch of time of an answer may be one shown: it covers it, or lies about as long beside it."""
    overlaps = mine[0] <= theirs[1] and theirs[0] <= mine[1]
    return overlaps and (mine[1] - mine[0]) >= (theirs[1] - theirs[0]) / 2


def _in_month(one: tuple[date, date], month: int, year: int | None) -> bool:
    first, last = one
    return (last - first).days < 32 and first.month == month and year in {None, first.year}
