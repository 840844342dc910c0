"""Calendar arithmetic in a time zone: which days "May", "Tuesday" or "two weeks ago" mean at a moment, in UTC."""

import zoneinfo
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal, NamedTuple, Protocol

Unit = Literal["minute", "hour", "day", "week", "weekend", "month", "quarter", "year"]

_DAY: Final = timedelta(days=1)
_CLOCK: Final[dict[Unit, timedelta]] = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
_MONTHS: Final[dict[Unit, int]] = {"month": 1, "quarter": 3, "year": 12}
_LEAP: Final = 8
"""Years between two leap days at most, as around 1900 and 2100."""


class Range(NamedTuple):
    """From `start` to before `end`, aware and in UTC; None is open."""

    start: datetime | None
    end: datetime | None


class Days(NamedTuple):
    """From the day `first` to before the day `after`."""

    first: date
    after: date


class Again(Protocol):
    """Days that recur, such as every May or every Tuesday."""

    def around(self, day: date) -> Iterator[Days]:
        """The ones before, at and after a day, in order; at least one that begins by it and one that begins later."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Yearly:
    """Days that come every year: they begin on `day` of `month` and last `months` and `days`."""

    month: int
    day: int = 1
    months: int = 0
    days: int = 0
    later: int = 0
    """Years added to the year they are named for: New Year 2023 begins in 2022."""

    def of(self, year: int) -> Days | None:
        """The ones named for a year; None where there is no such day."""
        first = day_of(year + self.later, self.month, self.day)
        return first and Days(first, _months_on(first, self.months) + self.days * _DAY)

    def around(self, day: date) -> Iterator[Days]:
        """The ones of the years about a day."""
        near = (self.of(year) for year in range(day.year - _LEAP - 1, day.year + _LEAP + 2))
        return (days for days in near if days)


@dataclass(frozen=True, slots=True, kw_only=True)
class Monthly:
    """One day of every month that has it."""

    day: int

    def around(self, day: date) -> Iterator[Days]:
        """The ones of the months about a day."""
        begin = day.replace(day=1)
        months = (_months_on(begin, by) for by in range(-3, 4))
        near = (day_of(month.year, month.month, self.day) for month in months)
        return (Days(found, found + _DAY) for found in near if found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weekly:
    """A day of every week, Monday 0, and those right after it."""

    weekday: int
    days: int = 1

    def around(self, day: date) -> Iterator[Days]:
        """The ones of the weeks about a day."""
        begin = _monday(day) + self.weekday * _DAY
        for week in range(-3, 4):
            first = begin + 7 * week * _DAY
            yield Days(first, first + self.days * _DAY)


def latest(again: Again, day: date) -> Days:
    """The latest that has begun by a day."""
    return max(days for days in again.around(day) if days.first <= day)


def ended(again: Again, day: date, back: int = 1) -> Days:
    """The latest that is over before a day, or the one `back` - 1 before it."""
    return sorted(days for days in again.around(day) if days.after <= day)[-back]


def begins(again: Again, day: date) -> Days:
    """The first that begins on a day or later."""
    return min(days for days in again.around(day) if days.first >= day)


def coming(again: Again, day: date) -> Days:
    """The first that is not over on a day."""
    return min(days for days in again.around(day) if days.after > day)


def day_of(year: int, month: int, day: int) -> date | None:
    """The day; None where the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class LocalCalendar:
    """Today in a time zone, and the bounds of its days in UTC."""

    now: datetime
    zone: zoneinfo.ZoneInfo
    today: date
    is_ahead: bool = False
    """Whether of what comes again the next is meant where the text does not say which, and not the last."""

    def meant(self, again: Again) -> Days:
        """The one that is meant where the text does not say which."""
        return coming(again, self.today) if self.is_ahead else latest(again, self.today)

    def meant_weekday(self, again: Weekly) -> Days:
        """The same of a day of the week. Nobody calls today by its name: "on Tuesday", said then, is a week away."""
        return begins(again, self.today + _DAY) if self.is_ahead else ended(again, self.today)

    def range(self, days: Days, hours: tuple[int, int] | None = None) -> Range:
        """The days in UTC; with `hours`, those hours of the first of them, past 24 of the next day."""
        if hours is None:
            return Range(self._utc(days.first, 0), self._utc(days.after, 0))
        return Range(self._utc(days.first, hours[0]), self._utc(days.first, hours[1]))

    def moment(self, day: date, hour: int, minute: int) -> datetime:
        """When the clocks show that, in UTC."""
        return self._utc(day, hour, minute)

    def days(self, days: int) -> Days:
        """The one day that many days from today."""
        return Days(self.today + days * _DAY, self.today + (days + 1) * _DAY)

    def weekday(self, weekday: int, by: int) -> Days:
        """A day of the week that lies `by` weeks from the present one."""
        first = _monday(self.today) + (7 * by + weekday) * _DAY
        return Days(first, first + _DAY)

    def unit(self, unit: Unit, by: int, to: int | None = None) -> Range:
        """The whole week, month … `by` units from the present one, or the run from that one to the one `to`.

        Hours and minutes have no such borders in speech: they are read half as long again either way.
        """
        to = by if to is None else to
        if unit in _CLOCK:
            return Range(*sorted((self.now + _CLOCK[unit] * by * 1.5, self.now + _CLOCK[unit] * to * 0.5)))
        return self.range(Days(self._unit(unit, by).first, self._unit(unit, to).after))

    def since(self, unit: Unit, count: int) -> Range:
        """The last `count` days, weeks …: from the start of the day they go back to, to the end of today."""
        if unit in _CLOCK:
            return Range(self.now - _CLOCK[unit] * count, self.now)
        tomorrow = self.today + _DAY
        if unit in _MONTHS:
            return self.range(Days(_months_on(self.today, -count * _MONTHS[unit]), tomorrow))
        return self.range(Days(self.today - count * (1 if unit == "day" else 7) * _DAY, tomorrow))

    def _unit(self, unit: Unit, by: int) -> Days:
        if unit == "day":
            return self.days(by)
        if unit in _MONTHS:
            length = _MONTHS[unit]
            begin = self.today.replace(month=(self.today.month - 1) // length * length + 1, day=1)
            return Days(_months_on(begin, by * length), _months_on(begin, (by + 1) * length))
        monday = _monday(self.today) + 7 * by * _DAY
        return Days(monday + 5 * _DAY if unit == "weekend" else monday, monday + 7 * _DAY)

    def _utc(self, day: date, hour: int, minute: int = 0) -> datetime:
        # Where the clocks skip midnight, the hour that is not there is read by the offset before: the very moment of
        # the change, which is when that day begins. Where midnight comes twice, it is the first.
        local = datetime.combine(day + hour // 24 * _DAY, time(hour % 24, minute), self.zone)
        return local.astimezone(UTC)


def local(as_of: datetime, zone: str, *, is_ahead: bool = False) -> LocalCalendar:
    """The calendar of a moment in the zone of an IANA name; of UTC where there is no such zone.

    With `is_ahead` what comes again is the next.
    """
    try:
        place = zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        place = zoneinfo.ZoneInfo("UTC")
    return LocalCalendar(as_of.astimezone(UTC), place, as_of.astimezone(place).date(), is_ahead)


def _monday(day: date) -> date:
    return day - day.weekday() * _DAY


def _months_on(day: date, by: int) -> date:
    """The same day some months on, or the last of that month where it is shorter."""
    months = day.year * 12 + day.month - 1 + by
    for lost in range(4):
        if found := day_of(months // 12, months % 12 + 1, day.day - lost):
            return found
    raise OverflowError
