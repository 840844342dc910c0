"""Finds time expressions in a text one by one; `bot.dates.times` combines them with "before" and "until"."""

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from bot.dates import calendar
from bot.dates.time_grammar import TimeGrammar, TimeText

_RECENT: Final = 14
"""Days that are recent."""
_MOST: Final = 32
"""Times of one text that are read, the first: far more than anybody asks about at once."""
_LEAD: Final = 40
"""Characters before a time in which the word before it is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTime:
    """One time named in a text, from character `begin` to before `end`; no ranges where there is no such date."""

    begin: int
    end: int
    ranges: tuple[calendar.Range, ...]
    days: calendar.Days | None = None
    again: calendar.Again | None = None
    """What comes again, where the text does not say which one."""
    is_joined: bool = False
    """Whether it was said as two ends."""
    is_moment: bool = False
    """Whether it is no time of its own, but where one begins or ends."""


def named(grammar: TimeGrammar, text: TimeText, here: calendar.LocalCalendar) -> list[NamedTime]:
    """The times the text names in one language, in order; where two readings overlap, the earlier and longer one."""
    # Most texts hold a word of few tables, and a look for words is far quicker than one for forms.
    held = {name for name, words in grammar.tables.items() if any(word in text.plain for word in words)} | {""}
    matches = [
        (found.start(), -found.end(), order, rule, found)
        for order, (rule, form, table) in enumerate(grammar.forms)
        if table in held
        for found in form.finditer(text.plain)
    ]
    times: list[NamedTime] = []
    for begin, _, _, rule, found in sorted(matches, key=lambda match: match[:3]):
        last = times[-1].end if times else 0
        if begin >= last and (time := _Reading(grammar, text, here, found, last).read(rule)):
            times.append(time)
            if len(times) == _MOST:
                break
    return times


@dataclass(frozen=True, slots=True)
class _Reading:
    """One match of a form, and the rules that say what time it is, if any."""

    grammar: TimeGrammar
    text: TimeText
    here: calendar.LocalCalendar
    found: re.Match[str]
    last: int
    """Where the time before this one ends; 0 for the first."""

    def read(self, rule: str) -> NamedTime | None:
        try:
            return RULES[rule](self)
        except OverflowError:
            # Before the first day of the calendar, or after its last.
            return None

    def part(self) -> NamedTime | None:
        days, *hours = self.grammar.language.day_parts[self.found["day_part"]]
        return self._hours(self.here.days(days), (hours[0], hours[1]))

    def day(self) -> NamedTime | None:
        if self._follows(self.grammar.no_lead):
            return None
        return self._hours(self.here.days(self.grammar.language.days[self.found["day"]]), self._part_of_day())

    def recent(self) -> NamedTime | None:
        return self._named(self.here.since("day", _RECENT))

    def ago(self) -> NamedTime | None:
        least, most = self._count()
        return self._named(self.here.unit(self._unit(), -most, -least))

    def weekdays_ago(self) -> NamedTime | None:
        again = calendar.Weekly(weekday=self.grammar.language.weekdays[self.found["weekday"]])
        first = calendar.ended(again, self.here.today).first - timedelta(weeks=self._count()[1] - 1)
        return self._whole(calendar.Days(first, first + timedelta(days=1)))

    def day_of_week(self) -> NamedTime | None:
        weekday = self.grammar.language.weekdays[self.found["weekday"]]
        turn = self.grammar.language.turns[self.found["turn"]]
        return self._whole(self.here.weekday(weekday, turn))

    def from_now(self) -> NamedTime | None:
        least, most = self._count()
        return self._named(self.here.unit(self._unit(), least, most))

    def past(self) -> NamedTime | None:
        return self._named(self.here.since(self._unit(), self._count()[1]))

    def lasting(self) -> NamedTime | None:
        return self._named(calendar.Range(self.here.since(self._unit(), self._count()[1]).start, None))

    def unit(self) -> NamedTime | None:
        if self._unit() in ("minute", "hour", "day"):
            # "The next day" and "the last minute" are told from another moment than now.
            return None
        return self._named(self.here.unit(self._unit(), self.grammar.language.turns[self.found["turn"]]))

    def weekend(self) -> NamedTime | None:
        return self._again(calendar.Weekly(weekday=5, days=2)) if self._is_led(far=True) else None

    def weekday(self) -> NamedTime | None:
        name, turn = self.found["weekday"], self._turn()
        if self._is_word("weekday", turn):
            return None
        if turn is None and not self._is_led() and (self._is_also_word("weekday") or self._is_loose()):
            return None
        again = calendar.Weekly(weekday=self.grammar.language.weekdays[name])
        if turn is None:
            days = self.here.meant_weekday(again)
        else:
            days = calendar.latest(again, self.here.today) if turn == 0 else self._turned(again, turn)
        hours = self._part_of_day()
        if hours or turn is not None:
            return self._hours(days, hours)
        return self._named(self.here.range(days), days=days, again=again)

    def date(self) -> NamedTime | None:
        month, dom = self.grammar.language.months[self.found["month"]], int(self.found["dom"])
        if self._is_word_by_number():
            return None
        return self._day(self._year(), month, dom)

    def dates(self) -> NamedTime | None:
        month = self.grammar.language.months[self.found["month"]]
        needed = self._follows(self.grammar.needed[self.found["pair"] or self.found["pair_word"]])
        if self._is_word_by_number() or not needed:
            return None
        first = self._day(self._year(), month, int(self.found["dom"]))
        if first.days is None:
            return first
        after = self._day(first.days.first.year, month, int(self.found["dom_to"]))
        if after.days is None:
            return after
        days = calendar.Days(min(first.days.first, after.days.first), max(first.days.after, after.days.after))
        return self._named(self.here.range(days), days=days, begin=needed.start())

    def month(self) -> NamedTime | None:
        turn, year = self._turn(), self._year()
        if year is None:
            if turn is None and not self._group("half") and not self._is_led() and self._is_also_word("month"):
                return None
            if self._is_word("month", turn):
                return None
        return self._again(
            calendar.Yearly(month=self.grammar.language.months[self.found["month"]], months=1), turn, year
        )

    def yearly(self) -> NamedTime | None:
        name, turn, year = self.found["yearly_name"], self._turn(), self._year()
        if year is None:
            if turn is None and not self._is_led(far=name not in self.grammar.language.feasts):
                return None
            if name in self.grammar.language.feasts and self.grammar.feast_thing.match(
                self.text.plain, self.found.end()
            ):
                return None
        return self._again(self.grammar.language.yearly[name], turn, year)

    def nth(self) -> NamedTime | None:
        if not (self._group("led") or self._is_led()) or not self._is_free():
            return None
        dom = int(self.found["dom"])
        return self._again(calendar.Monthly(day=dom)) if 1 <= dom <= 31 else self._named()

    def day_month(self) -> NamedTime | None:
        return self._day(None, int(self.found["month_number"]), int(self.found["dom"]))

    def iso(self) -> NamedTime | None:
        return self._day(int(self.found["year"]), int(self.found["month_number"]), int(self.found["dom"]))

    def either_order(self) -> NamedTime | None:
        """Day first in most of the world, month first in some: both readings, where there are both."""
        year, one, other = (int(self.found[name]) for name in ("year", "one", "other"))
        both = dict.fromkeys((calendar.day_of(year, other, one), calendar.day_of(year, one, other)))
        days = [calendar.Days(day, day + timedelta(days=1)) for day in both if day]
        return self._named(*(self.here.range(one) for one in days), days=days[0] if len(days) == 1 else None)

    def clock(self) -> NamedTime | None:
        """The latest moment when it was so late, and of today where the time up to it is meant.

        Only as the end of a time: what is at 11:00 is of some day that is named elsewhere, if at all.
        """
        lead = self._follows(self.grammar.clock_lead)
        if not lead and not self._is_joined():
            return None
        hour, minute = self._oclock()
        if hour > 23 or minute > 59:
            return None
        day = self.here.today + timedelta(days=self.grammar.language.days.get(self._group("day") or "", 0))
        if weekday := self._group("weekday"):
            again = calendar.Weekly(weekday=self.grammar.language.weekdays[weekday])
            day = calendar.ended(again, self.here.today).first
        moment = self.here.moment(day, hour, minute)
        is_from = lead and self.grammar.language.sides.get(lead["lead"], "since") in {"since", "after"}
        if is_from and not (self._group("day") or weekday) and moment > self.here.now:
            moment = self.here.moment(day - timedelta(days=1), hour, minute)
        return replace(self._named(calendar.Range(moment, moment)), is_moment=True)

    def year(self) -> NamedTime | None:
        if self._follows(self.grammar.amount) or not (self._is_joined() or self._follows(self.grammar.year_lead)):
            return None
        days = calendar.Yearly(month=1, months=12).of(int(self.found["year"]))
        return days and self._whole(days)

    def _named(
        self,
        *ranges: calendar.Range,
        days: calendar.Days | None = None,
        again: calendar.Again | None = None,
        begin: int | None = None,
    ) -> NamedTime:
        begin = self.found.start() if begin is None else begin
        return NamedTime(begin=begin, end=self.found.end(), ranges=ranges, days=days, again=again)

    def _whole(self, days: calendar.Days) -> NamedTime:
        return self._named(self.here.range(days), days=days)

    def _hours(self, days: calendar.Days, hours: tuple[int, int] | None) -> NamedTime:
        return self._named(self.here.range(days, hours), days=None if hours else days)

    def _day(self, year: int | None, month: int, dom: int) -> NamedTime:
        """A day of a month; of the year that is meant, unless one is given."""
        again = calendar.Yearly(month=month, day=dom, days=1)
        # A leap year has every day there is.
        if not calendar.day_of(2000 if year is None else year, month, dom):
            return self._named()
        return self._again(again, year=year)

    def _again(self, again: calendar.Again, turn: int | None = None, year: int | None = None) -> NamedTime:
        if year is not None and isinstance(again, calendar.Yearly):
            days = again.of(year)
            return self._whole(days) if days else self._named()
        if turn is not None:
            return self._whole(self._turned(again, turn))
        days = self.here.meant(again)
        return self._named(self.here.range(days), days=days, again=again)

    def _turned(self, again: calendar.Again, turn: int) -> calendar.Days:
        today = self.here.today
        if turn < 0:
            return calendar.ended(again, today, -turn)
        if turn > 0:
            return calendar.begins(again, today + timedelta(days=1))
        days = calendar.latest(again, today)
        this_year = again.of(today.year) if isinstance(again, calendar.Yearly) else None
        return this_year if this_year and days.after <= today else days

    def _group(self, name: str) -> str | None:
        """What a group matched; None also where the form has no such group."""
        return self.found[name] if name in self.found.re.groupindex else None

    def _count(self) -> tuple[int, int]:
        count = self._group("count") or "1"
        return self.grammar.language.counts.get(count) or (int(count), int(count))

    def _unit(self) -> calendar.Unit:
        unit = self.found["unit"]
        return self.grammar.language.units.get(unit) or self.grammar.language.short_units[unit]

    def _oclock(self) -> tuple[int, int]:
        """The hour and minute that a clock shows."""
        if word := self._group("clock_word"):
            return self.grammar.language.clock_words[word], 0
        hour, half = int(self.found["oclock"]), self._group("half_day")
        return hour % 12 + (12 if half == "p" else 0) if half else hour, int(self.found["past"] or 0)

    def _turn(self) -> int | None:
        turn = self._group("turn")
        return None if turn is None else self.grammar.language.turns[turn]

    def _part_of_day(self) -> tuple[int, int] | None:
        return self.grammar.language.hours.get(self._group("hour") or "")

    def _year(self) -> int | None:
        if year := self._group("year"):
            return int(year)
        turn = self._group("turn_of_year")
        return self.here.today.year + self.grammar.language.turns[turn] if turn else None

    def _follows(self, before: re.Pattern[str]) -> re.Match[str] | None:
        begin = self.found.start()
        return before.search(self.text.plain, max(self.last, begin - _LEAD), begin)

    def _is_led(self, *, far: bool = False) -> bool:
        """Whether the word before makes this a time, or another time joined to it does."""
        if self._follows(self.grammar.far_lead if far else self.grammar.lead):
            return True
        return self._is_joined()

    def _is_joined(self) -> bool:
        """Whether the time before this one and it are joined, as its two ends are."""
        return bool(self.last and self.grammar.pair.fullmatch(self.text.plain, self.last, self.found.start()))

    def _is_free(self) -> bool:
        return bool(self.grammar.free.match(self.text.plain, self.found.end()))

    def _is_loose(self) -> bool:
        """Whether the words around make it no time of its own: "every Monday", "the Monday group"."""
        return bool(self._follows(self.grammar.no_lead)) or not self._is_free()

    def _is_also_word(self, group: str) -> bool:
        return self.found[group] in self.grammar.language.also_words

    def _is_word(self, group: str, turn: int | None) -> bool:
        """Whether a name that is also a word is one here: in small letters before another word, or possessive."""
        if not self._is_also_word(group):
            return False
        is_capital = self.text.written[self.found.start(group)].isupper()
        is_bare = not is_capital and (turn == 0 or not self._is_free())
        return is_bare or self.text.plain.startswith("'s", self.found.end())

    def _is_word_by_number(self) -> bool:
        """Whether "3 may" is three that may: in small letters, with no year, no lead and another word after."""
        is_small = not self.text.written[self.found.start("month")].isupper()
        is_loose = is_small and self._year() is None and self._is_also_word("month")
        return is_loose and not self._is_free()


RULES: Final = {
    rule.__name__: rule
    for rule in (
        _Reading.part,
        _Reading.day,
        _Reading.recent,
        _Reading.ago,
        _Reading.weekdays_ago,
        _Reading.day_of_week,
        _Reading.from_now,
        _Reading.past,
        _Reading.lasting,
        _Reading.unit,
        _Reading.weekend,
        _Reading.weekday,
        _Reading.date,
        _Reading.dates,
        _Reading.month,
        _Reading.yearly,
        _Reading.nth,
        _Reading.day_month,
        _Reading.iso,
        _Reading.either_order,
        _Reading.clock,
        _Reading.year,
    )
}
"""What the forms of every language name, by its name."""
