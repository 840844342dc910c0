"""Reads dates and times of day in evidence and answers, however they are written.

Relative words in evidence count from when it was said: in a message of 5 May, "yesterday" is 4 May. Those in an answer
count from when it is given.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, TypeVar

from bot.dates import day_words
from bot.dates.days import Mention, NamedDays, month_end
from bot.text import patterns

_MONTH: Final = rf"(?P<month>{patterns.any_of(day_words.MONTHS)})(?![\w-])\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|\u00ba)?"
_YEAR: Final = r"(?:,? (?:of |de |del |in )?(?P<year>(?:19|20)\d\d)\b)"
_LEADS: Final = patterns.any_of(
    sorted(
        patterns.vocabulary(
            """
            in of since until till by from last next this early mid late late- mid- im seit bis en depuis desde de
            before after for during ab ende anfang mitte
            """
        )
        | {"end of"}
    )
)
_BARE_LEAD: Final = rf"(?:\b{_LEADS}[ -](?:the |le mois de )?)"
_DOTTED_LEAD: Final = (
    r"(?=\d)(?:(?<![\d.])(?<!\d )(?=\d\d\.\d\d\.)|(?<=\bam )|(?<=\bvom )|(?<=\bbis )|(?<=\bzum )|(?<=\bden ))"
)
"""`04.07.` is a day, `3.11.` is one only after such a word: it may be the end of a version."""
_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\b(?P<year>(?:19|20)\d\d)[-/](?P<number>\d\d)[-/](?P<day>\d\d)\b",
        rf"\b{_DAY}(?: of| de| du)? {_MONTH}{_YEAR}?",
        rf"\b{_MONTH} (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:%]|[.,]\d){_YEAR}?",
        rf"\b{_MONTH}{_YEAR}",
        r"(?<![\d.])(?P<day>\d{1,2})\. ?(?P<number>\d{1,2})\. ?(?P<year>(?:19|20)\d\d|\d\d)\b(?!\.\d)",
        rf"{_DOTTED_LEAD}(?P<day>\d{{1,2}})\. ?(?P<number>\d{{1,2}})\.(?!\d)",
        r"(?<![\d/])(?P<either>\d{1,2}/\d{1,2})/(?P<year>(?:19|20)\d\d|\d\d)\b",
        r"(?=\d)(?:(?<=\bon )|(?<=\ble )|(?<=\bel )|(?<=\bam ))(?P<either>\d{1,2}/\d{1,2})(?![\d/])",
        rf"(?<!\w){_BARE_LEAD}?(?<![\w-]){_MONTH}",
    )
)
_VERBS: Final = frozenset({"may", "march", "mars"})
"""Months that are other words in small letters."""
_DAY_LED: Final = re.compile(
    rf"\b{patterns.any_of(patterns.vocabulary('on at by until till since from before after the le el am vom bis'))} \Z",
    re.IGNORECASE,
)
"""What stands before a day and before no number of things."""
_DAY_ENDED: Final = re.compile(
    r"\s{0,3}(?:\Z|[^\w\s]|(?:"
    + patterns.any_of(
        patterns.vocabulary("at in and or to from for with as so btw um a du de des y et is was ist war est es")
    )
    + r")\b)",
    re.IGNORECASE,
)
"""What follows a day and goes on with no verb."""
_BARE_MONTH: Final = _FORMS[-1]
"""The one that is found where there is no digit."""
_LETTERS: Final = re.compile(r"[a-z]+")
_DIGIT: Final = re.compile(r"\d")
_RELATIVE: Final = re.compile(
    rf"\b(?:(?P<word>{patterns.any_of(day_words.DAYS)})\b"
    r"|(?P<before>the day before|am tag davor|la veille|el dia anterior)\b(?! yesterday)"
    r"|(?P<ago>\d{1,3}|an?|one|two|three|four|five|six) (?P<unit>day|week|month|year)s? (?P<way>ago|from now|later)\b"
    r"|vor (?P<vor>\d{1,3}|einem|einer|zwei|drei|vier) (?P<einheit>tag|woche|monat|jahr)\w*"
    r"|in (?P<ahead>\d{1,3}|a|one|two|three|four) (?P<ahead_unit>day|week|month|year)s?\b"
    rf"|(?P<turn>{patterns.any_of(day_words.TURNS)}) (?P<span>{patterns.any_of(day_words.SPANS)})\b"
    r"|(?P<span_first>semaine|mois|semana|mes) (?P<turn_after>derniere?|prochaine?|pasad[oa]|proxim[oa])\b)"
)
_RELATIVE_MARKS: Final = (
    *day_words.DAYS,
    "the day before",
    "am tag davor",
    "la veille",
    "el dia anterior",
    " ago",
    " from now",
    " later",
    "vor ",
    "in ",
    *(f"{turn} " for turn in day_words.TURNS),
    "semaine ",
    "mois ",
    "semana ",
    "mes ",
)
"""What none of these is found without."""
_WEEKDAY: Final = re.compile(rf"\b(?P<name>{patterns.any_of(day_words.WEEKDAYS)})(?:'s|s|abend|morgen)?\b")
_CLOCK: Final = re.compile(
    r"(?<![\d.:/,])(?P<hour>[01]?\d|2[0-4])(?= {0,2}[:haopu]|\.)(?: ?(?P<mark>[:h]) ?(?P<minute>[0-5]\d)|"
    r"\.(?P<dotted>[0-5]\d)(?= ?(?:uhr|[ap]\.?m)))?"
    r"(?::[0-5]\d)? ?(?P<half>am\b|pm\b|a\.m\.?|p\.m\.?)?(?: ?(?P<uhr>uhr|o'clock))?(?! ?%|[\d/])"
)
_HOUR_H: Final = re.compile(r"\b(?:a|at|des|vers|um|las|la) (?P<hour>[01]?\d|2[0-4]) ?h\b(?! ?[0-5]\d)")
_HOUR_MARK: Final = re.compile(r"\d(?: {0,2}(?:[:h]|[ap]\.?m|uhr|o'clock)|\.[0-5]\d)")
"""What no hour in digits is found without."""
_HALF_PAST: Final = re.compile(r"\b(?P<part>half past|quarter past|quarter to|halb) (?P<hour>\w+)\b")
_CLOCK_WORD: Final = re.compile(r"\b(?:" + "|".join(day_words.CLOCK_WORDS) + r")\b")
_HOURS: Final = {
    name: number
    for number, names in enumerate(
        (
            "one eins",
            "two zwei",
            "three drei",
            "four vier",
            "five funf",
            "six sechs",
            "seven sieben",
            "eight acht",
            "nine neun",
            "ten zehn",
            "eleven elf",
            "twelve zwolf",
        ),
        start=1,
    )
    for name in (*names.split(), str(number))
}
_SPELT_HOUR: Final = re.compile(
    rf"\b(?P<hour>{'|'.join(hour for hour in _HOURS if hour.isalpha())}) "
    r"(?:uhr|o'clock|in the (?:morning|afternoon|evening))\b"
)
_COUNTS: Final = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "einem": 1,
    "einer": 1,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
}
_UNIT_DAYS: Final = {"day": 1, "week": 7, "month": 30, "year": 365, "tag": 1, "woche": 7, "monat": 30, "jahr": 365}
_Read = TypeVar("_Read")
_ONE: Final = timedelta(days=1)


def read(text: str, as_of: date) -> NamedDays:
    """The dates and times of day in a text without accents; relative words count from `as_of`."""
    mentions: list[Mention] = []
    has_month = _has_month(text)
    has_digit = _DIGIT.search(text) is not None
    for form in _FORMS:
        # Most texts name no day; to ask each form of them costs more than all the rest.
        if (has_month or "month" not in form.groupindex) and (has_digit or form is _BARE_MONTH):
            before, text = text, _taken(form, text, mentions, _dated)
            if text != before:
                has_month, has_digit = _has_month(text), _DIGIT.search(text) is not None
    lower = text.lower()
    if any(mark in lower for mark in _RELATIVE_MARKS):
        lower = _taken(_RELATIVE, lower, mentions, lambda found: _relative(found, as_of))
    if any(name in lower for name in day_words.WEEKDAYS):
        lower = _taken(_WEEKDAY, lower, mentions, _weekday)
    clocks: list[tuple[str, frozenset[int]]] = []
    has_hour = _HOUR_MARK.search(lower) is not None
    for pattern, minutes_of, marks in _CLOCKS:
        if any(mark in lower for mark in marks) if marks else has_hour:
            lower = _taken(pattern, lower, clocks, lambda found, read=minutes_of: _on_the_clock(found, read(found)))
    return NamedDays(mentions=tuple(mentions), clocks=tuple(clocks), rest=lower)


def _has_month(text: str) -> bool:
    return not day_words.MONTHS.keys().isdisjoint(_LETTERS.findall(text.lower()))


def _taken(
    form: re.Pattern[str], text: str, into: list[_Read], read_as: Callable[[re.Match[str]], _Read | None]
) -> str:
    """The text with blanks for what the form found and could be read."""

    def blank(found: re.Match[str]) -> str:
        if (read := read_as(found)) is None:
            return found[0]
        into.append(read)
        return " " * len(found[0])

    return form.sub(blank, text)


def _on_the_clock(found: re.Match[str], minutes: set[int] | None) -> tuple[str, frozenset[int]] | None:
    return None if minutes is None else (found[0].strip(), frozenset(minutes))


def _dated(found: re.Match[str]) -> Mention | None:
    groups = found.groupdict()
    year = groups.get("year")
    number = int(year) + (2000 if len(year) == 2 else 0) if year else None
    if either := groups.get("either"):
        one, other = (int(part) for part in either.split("/"))
        months = tuple((m, d) for m, d in ((other, one), (one, other)) if m <= 12 and 1 <= d <= 31)
        return Mention(text=found[0].strip(), year=number, months=months) if months else None
    name = groups.get("month") or ""
    month = day_words.MONTHS[name.lower()] if name else int(groups.get("number") or 0)
    day = groups.get("day")
    if not 1 <= month <= 12 or (day and not 1 <= int(day) <= 31):
        return None
    is_led = found.start() != found.start("month") if name else True
    if name and not day and not year and not _is_month(name, is_led=is_led):
        return None
    if name and day and not year and _is_word_by_number(found):
        return None
    return Mention(text=found[0].strip(), year=number, months=((month, int(day) if day else None),))


def _is_word_by_number(found: re.Match[str]) -> bool:
    """Whether "3 may" is three that may: in small letters, led by nothing, and another word after it that goes on."""
    name, is_after = found["month"], found.start("month") > found.start("day")
    if not (name.islower() and name in _VERBS and is_after):
        return False
    if not found[0][found.start("day") - found.start() :].split()[0].isdigit():
        return False
    return not (_DAY_LED.search(found.string, 0, found.start("day")) or _DAY_ENDED.match(found.string, found.end()))


def _is_month(name: str, *, is_led: bool) -> bool:
    """Whether a month's name with no number is one: "may" and "mars" are words, and "June" may be a person."""
    low = name.lower()
    if low in day_words.AMBIGUOUS_MONTHS:
        return is_led and name[0].isupper()
    return len(low) > 4 or (is_led and len(low) == 4)


def _relative(found: re.Match[str], as_of: date) -> Mention | None:
    groups = found.groupdict()
    if word := groups["word"]:
        day = as_of + day_words.DAYS[word] * _ONE
        return Mention(text=found[0], ranges=((day, day),), is_today=day == as_of)
    if groups["before"]:
        # Before which day, the sentence says; whether that is right is beyond this.
        return Mention(text=found[0], is_today=True)
    turn, span = groups["turn"] or groups["turn_after"], groups["span"] or groups["span_first"]
    if turn and span:
        return Mention(text=found[0], ranges=(_span(as_of, day_words.SPANS[span], day_words.TURNS[turn]),))
    count = groups["ago"] or groups["vor"] or groups["ahead"] or ""
    unit = groups["unit"] or groups["einheit"] or groups["ahead_unit"] or ""
    is_back = bool(groups["vor"]) or groups["way"] == "ago"
    by = int(count) if count.isdigit() else _COUNTS[count]
    days = by * _UNIT_DAYS[unit]
    middle = as_of + (-days if is_back else days) * _ONE
    slack = {1: 0, 7: 4, 30: 16, 365: 200}[_UNIT_DAYS[unit]] * _ONE
    return Mention(text=found[0], ranges=((middle, middle), (middle - slack, middle + slack)))


def _weekday(found: re.Match[str]) -> Mention:
    return Mention(text=found[0], weekday=day_words.WEEKDAYS[found["name"]])


def _span(as_of: date, unit: str, turn: int) -> tuple[date, date]:
    if unit == "week":
        first = as_of - as_of.weekday() * _ONE + 7 * turn * _ONE
        return first, first + 6 * _ONE
    if unit == "year":
        return date(as_of.year + turn, 1, 1), date(as_of.year + turn, 12, 31)
    months = as_of.year * 12 + as_of.month - 1 + turn
    first = date(months // 12, months % 12 + 1, 1)
    return first, month_end(first)


def _either_half(minutes: int) -> set[int]:
    return {minutes % 720, minutes % 720 + 720}


def _half_past(found: re.Match[str]) -> set[int] | None:
    hour = _HOURS.get(found["hour"])
    by = {"half past": 30, "quarter past": 15, "quarter to": -15, "halb": -30}[found["part"]]
    return None if hour is None else _either_half(hour * 60 + by)


def _spelt_hour(found: re.Match[str]) -> set[int]:
    return _either_half(_HOURS[found["hour"]] * 60)


def _hour_h(found: re.Match[str]) -> set[int]:
    return {int(found["hour"]) % 24 * 60}


def _word(found: re.Match[str]) -> set[int]:
    return {day_words.CLOCK_WORDS[found[0]]}


def _clock(found: re.Match[str]) -> set[int] | None:
    hour, minute = int(found["hour"]), found["minute"] or found["dotted"]
    half = (found["half"] or "").replace(".", "")
    if not (minute or half or found["uhr"]):
        return None
    minutes = hour % 24 * 60 + int(minute or 0)
    if half:
        return {minutes % 720 + (720 if half == "pm" else 0)}
    is_certain = hour > 12 or hour == 0 or found["hour"].startswith("0") or found["mark"] == "h"
    return {minutes} if is_certain else _either_half(minutes)


_CLOCKS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], set[int] | None], tuple[str, ...]], ...]] = (
    (_HALF_PAST, _half_past, ("half past", "quarter past", "quarter to", "halb")),
    (_SPELT_HOUR, _spelt_hour, (" uhr", " o'clock", " in the ")),
    (_HOUR_H, _hour_h, ()),
    (_CLOCK_WORD, _word, tuple(day_words.CLOCK_WORDS)),
    (_CLOCK, _clock, ()),
)
"""Each with what it is not looked for without: one of these words, or what an hour in digits has after it."""
