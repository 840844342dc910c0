"""Reads what facts give in figures: numbers with units, times of day, dates, how often; written or in words; pure."""

import re
from collections.abc import Callable
from typing import Final

Value = tuple[str, str]
"""Its kind, and the one way in which it is written."""


LABELLED: Final = " no."
"""How the kind ends of a number that tells which of several things is meant: "room no."."""
LETTER: Final = "letter"
"""The kind of a letter that stands alone: "vitamin D", "in E minor"."""


def _listed(table: str) -> list[str]:
    return table.split()


_ONES: Final = _listed(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
    """
)
_TENS: Final = _listed(
    """
    twenty thirty forty fifty sixty seventy eighty ninety
    """
)
_NUMBERS: Final = {word: number for number, word in enumerate(_ONES)} | {
    word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)
}
_RANKS: Final = _listed(
    """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
    """
)
_ORDINALS: Final = {word: number for number, word in enumerate(_RANKS, 1)}
_MONTH_NAMES: Final = _listed(
    """
    january february march april may june july august september october november december januar februar marz
    april mai juni juli august september oktober november dezember janvier fevrier mars avril mai juin juillet
    aout septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre
    """
)
_WEEKDAY_NAMES: Final = _listed(
    """
    monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag
    sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado
    domingo
    """
)
"""In English, German, French and Spanish, without accents."""
_MONTHS: Final = (
    {name[:3]: number for number, name in enumerate(_MONTH_NAMES[:12], 1)}
    | {name: place % 12 + 1 for place, name in enumerate(_MONTH_NAMES)}
    | {"sept": 9}
)
_WEEKDAYS: Final = (
    {name[:3]: number for number, name in enumerate(_WEEKDAY_NAMES[:7], 1)}
    | {name: place % 7 + 1 for place, name in enumerate(_WEEKDAY_NAMES)}
    | {"tues": 2, "thur": 4, "thurs": 4}
)
_WORDS: Final = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAY: Final = "|".join(sorted(_WEEKDAYS, key=len, reverse=True))
_UNIT_TABLE: Final = """
    time 60: min mins minute minutes
    time 3600: hour hours hr hrs h
    time 1: seconds secs sec s
    day 1: day days
    day 7: week weeks
    day 14: fortnight
    month 1: month months
    month 12: year years
    gram 1000000: tonne tonnes tons
    gram 1000: kg kilo kilos kilogram kilograms
    gram 1: g gram grams
    gram 0.001: mg
    pound 1: lb lbs pound pounds £ quid
    ounce 1: ounce ounces oz
    euro 1: € euro euros eur
    dollar 1: $ dollar dollars bucks usd
    cent 1: cents pence
    percent 1: % percent
    metre 1000: km kilometre kilometres kilometers
    metre 1: m metre metres meters
    metre 0.01: cm centimetre centimetres centimeters
    metre 0.001: mm
    inch 1: inch inches
    foot 1: feet foot
    yard 1: yard yards
    mile 1: mile miles
    litre 1: litre litres liters l
    litre 0.01: cl
    litre 0.001: ml
    gallon 1: gallon gallons
    pint 1: pint pints
    mb 1: mb megabyte megabytes
    mb 1000: gb gigabyte gigabytes
    mb 1000000: tb terabyte terabytes
    mb 0.001: kb
    celsius 1: °c celsius
    fahrenheit 1: °f fahrenheit
    watt 1000: kw
    watt 1: watt watts
    night 1: night nights
"""
"""What each unit measures, how many of its smallest it is, and how it is written."""
_UNITS: Final = {
    word: (measure, float(size))
    for line in _UNIT_TABLE.strip().splitlines()
    for (measure, size), words in [(line.split(":")[0].split(), line.split(":")[1])]
    for word in words.split()
}
_UNIT: Final = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_RATES: Final = {
    "daily": "1 day", "nightly": "1 day", "weekly": "7 day", "fortnightly": "14 day", "biweekly": "14 day",
    "monthly": "1 month", "quarterly": "3 month", "yearly": "12 month", "annually": "12 month", "annual": "12 month",
    "hourly": "3600 time",
}  # fmt: skip
_TIMES: Final = {"once": "1", "twice": "2", "thrice": "3"}
_PART: Final = r"(?:\s(?:in the|at|of the)\s(?P<part>morning|afternoon|evening|night))?"
_HALF: Final = {"half": 30, "quarter": 15}


MARKS: Final = range(0xE000, 0xF900)
"""Characters that mean nothing of themselves: what is read leaves one in its place, the first for the first value."""


def read(text: str) -> tuple[tuple[Value, ...], str]:
    """The values of a folded text without accents, each written in one way, and the text with marks for them."""
    found: list[Value] = []
    text = _MARK.sub(" ", text)
    for pattern, values in _READERS:

        def take(match: re.Match[str], values: Callable[[re.Match[str]], list[Value]] = values) -> str:
            first = len(found)
            found.extend(values(match))
            return f" {''.join(map(chr, MARKS[first : len(found)]))} "

        text = pattern.sub(take, text)
    return tuple(found), text


_MARK: Final = re.compile(f"[{chr(MARKS[0])}-{chr(MARKS[-1])}]")
_PRONOUN: Final = re.compile(
    r"\b(?:that|the|this|which|no|each|any|every|another|only) one\b|\bone (?:of|is|along|another|and only)\b|\bones\b"
)


def spelled(text: str) -> str:
    """The text with numbers in figures: "forty-five" is 45, "six hundred" 600, "8.5k" 8500, "four four seven" 447."""
    text = _MINUS.sub("-", _PRONOUN.sub(" ", text))
    text = _ABROAD.sub("00", text)
    text = _SPACED.sub(lambda match: match[0].replace(" ", "").replace("-", ""), text)
    text = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    text = _SINGLE.sub(lambda match: "".join(str(_NUMBERS[word]) for word in re.split(r"[\s-]+", match[0])), text)
    text = _COMPOUND.sub(lambda match: str(_worth(match[0])), text)
    return _KILO.sub(lambda match: _plain(float(match[1]) * 1000), text)


def _worth(words: str) -> int:
    total, current = 0, 0
    for word in re.split(r"[\s-]+", words):
        if word == "hundred":
            current = max(1, current) * 100
        elif word == "thousand":
            total, current = total + max(1, current) * 1000, 0
        elif word != "and":
            current += _NUMBERS[word]
    return total + current


def _plain(number: float) -> str:
    return f"{number:.4f}".rstrip("0").rstrip(".")


_MINUS: Final = re.compile(rf"\bminus (?=\d|(?:{_WORDS})\b)")
_ABROAD: Final = re.compile(r"(?<!\w)\+(?=\d)")
_SPACED: Final = re.compile(r"(?<![\d.:/-])(?!(?:19|20)\d\d-\d\d-\d\d\b)\d{2,8}(?:[ -]\d{2,8}){1,6}(?![\d:/-]|\.\d)")
_THOUSANDS: Final = re.compile(r"\b\d{1,3}(?:,\d{3}){1,6}\b")
_SINGLE: Final = re.compile(rf"\b(?:{'|'.join(_ONES[:10])})(?:[\s-](?:{'|'.join(_ONES[:10])})){{2,30}}\b")
_COMPOUND: Final = re.compile(
    rf"\b(?:{_WORDS})(?:[\s-](?:(?<=hundred )and\s|(?<=thousand )and\s)?(?:{_WORDS}|hundred|thousand)){{0,12}}\b"
    r"|\b(?:hundred|thousand)\b"
)
_KILO: Final = re.compile(r"\b(\d{1,12}(?:\.\d{1,6})?)k\b")


def _clock(match: re.Match[str]) -> list[Value]:
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "").replace(".", "")
    part = match["part"]
    if (half == "pm" or part in {"afternoon", "evening", "night"}) and hour < 12:
        hour += 12
    if half == "am" and hour == 12:
        hour = 0
    return [("time", f"{hour * 60 + minute}")]


def _past(match: re.Match[str]) -> list[Value]:
    ahead = match["ahead"]
    minutes = _HALF[ahead] if ahead in _HALF else int(ahead)
    word = match["hour"]
    hour = _NUMBERS[word] if word in _NUMBERS else int(word)
    if match["part"] in {"afternoon", "evening", "night"} and hour < 12:
        hour += 12
    at = hour * 60 + (minutes if match["way"] == "past" else -minutes)
    return [("time", f"{at}")]


def _day(match: re.Match[str]) -> list[Value]:
    groups = match.groupdict()
    found: list[Value] = [("date", f"{_MONTHS[groups['month']]}-{int(groups['day'])}")]
    return [*found, ("year", groups["year"])] if groups.get("year") else found


def _numeric(match: re.Match[str]) -> list[Value]:
    day, month = int(match["day"]), int(match["month"])
    found: list[Value] = [("date", f"{month}-{day}")]
    year = match["year"]
    return [*found, ("year", year if len(year) == 4 else f"20{year}")] if year else found


def _rate(match: re.Match[str]) -> list[Value]:
    measure, size = _UNITS[match["unit"]]
    times = match["times"]
    number = float(match["number"] or 1) * size
    how_often: list[Value] = [("number", _TIMES.get(times, times))] if times else []
    return [*how_often, ("rate", f"{_plain(number)} {measure}")]


def _label(match: re.Match[str]) -> list[Value]:
    return [(f"{match[1].strip('-')}{LABELLED}", match[2])]


def _amount(match: re.Match[str]) -> list[Value]:
    before, unit = match["before"], match["unit"]
    measure, size = _UNITS[before or unit]
    kind = "length" if measure in {"time", "day", "month"} else "number"
    return [
        (kind, _plain(float(match["number"]) * size) + (f" {measure}" if kind == "length" else "")),
        *([] if kind == "length" else [("unit", measure)]),
    ]


_LABELLED: Final = (
    "room table court pitch gate platform pier lane bed line track team group class grade unit flat building hall "
    "locker fuse chapter act scene level plot bus tram sprint phase step round under-"
).replace(" ", "|")
_ADDRESS: Final = re.compile(r"\bhttps?://[^\s<>]{1,400}|(?<![\w.@+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], list[Value]]], ...]] = (
    (_ADDRESS, lambda match: [("code", match[0].rstrip(".,;:!?)"))]),
    (re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b"), _numeric),
    (re.compile(r"\b(?P<day>\d{1,2})/(?P<month>0?[1-9]|1[0-2])(?:/(?P<year>\d{4}|\d{2}))?\b(?![./]\d)"), _numeric),
    (re.compile(r"\b(?P<day>\d{1,2})\.(?P<month>0?[1-9]|1[0-2])\.(?P<year>\d{4}|\d{2})?(?!\d)"), _numeric),
    (
        re.compile(
            rf"\b(?:the\s)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\sof)?\s(?P<month>{_MONTH})\b\.?(?:,?\s(?P<year>\d{{4}}))?"
        ),
        _day,
    ),
    (
        re.compile(
            rf"\b(?P<month>{_MONTH})\.?\s(?:the\s)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s(?P<year>\d{{4}}))?"
        ),
        _day,
    ),
    (
        re.compile(
            rf"(?<![\d:])\b(?:a\s)?(?P<ahead>half(?=\spast)|quarter|(?:20|25|10|5)(?=\spast))\s(?P<way>past|to)\s(?P<hour>{_WORDS}|\d{{1,2}})\b{_PART}"
        ),
        _past,
    ),
    (
        re.compile(
            rf"\b(?P<hour>[01]?\d|2[0-4])(?::|\.(?=\d\d\s?[ap]\.?m\b))(?P<minute>[0-5]\d)(?:\s?(?P<half>[ap]\.?m)\b\.?)?(?:\s?h\b)?{_PART}"
        ),
        _clock,
    ),
    (re.compile(rf"\b(?P<hour>1?\d)(?P<minute>)\s?(?P<half>[ap]\.?m)\b\.?{_PART}"), _clock),
    (
        re.compile(
            r"\b(?P<hour>1?\d)(?P<minute>)(?P<half>)\s(?:o'clock\s)?(?:in the|at)\s"
            r"(?P<part>morning|afternoon|evening|night)\b"
        ),
        _clock,
    ),
    (re.compile(r"\b(?P<hour>1?\d|2[0-4])(?P<minute>)(?P<half>)(?P<part>)\so'clock\b"), _clock),
    (
        re.compile(r"(?<=\bat )(?P<hour>1?\d|2[0-4])(?P<minute>)(?P<half>)(?P<part>)(?=\s*(?:[.,;!?]|on\b|and\b|\Z))"),
        _clock,
    ),
    (re.compile(r"\b(?:12\s)?noon\b|\bmidday\b"), lambda _: [("time", "720")]),
    (re.compile(r"\bmidnight\b"), lambda _: [("time", "1440")]),
    (
        re.compile(r"\b(last|this|next|previous|coming)\s(year|month|week|season|term|quarter)(?:'s)?\b"),
        lambda match: [("period", f"{match[1]} {match[2]}")],
    ),
    (
        re.compile(r"\bfor an? (?P<unit>hour|day|week|fortnight|month|year|minute)\b"),
        lambda match: [("length", f"{_UNITS[match[1]][1]} {_UNITS[match[1]][0]}")],
    ),
    (re.compile(r"\b(?:half an|a half) hour\b"), lambda _: [("length", "1800 time")]),
    (re.compile(r"\b(?:a )?quarter of an hour\b"), lambda _: [("length", "900 time")]),
    (re.compile(rf"\bevery 2 (?={_WEEKDAY})"), lambda _: [("rate", "14 day")]),
    (
        re.compile(
            r"\b(?:(?P<times>once|twice|thrice|\d+)(?:\stimes?)?\s)?(?:every|each|per|an?|/)\s?(?:(?P<number>\d+)\s)?"
            r"(?P<unit>hour|day|night|week|fortnight|month|year|minute)s?\b".replace("|night|", "|")
        ),
        _rate,
    ),
    (re.compile(rf"\b({'|'.join(_RATES)})\b"), lambda match: [("rate", _RATES[match[1]])]),
    (
        re.compile(
            rf"\b({_LABELLED})(?:\s|(?<=-))(\d+(?=s?\b)|[b-hj-z](?=\b)|a(?=\s\w+s\b|[.,]))s?\b(?!\s?(?:euro|pound|dollar|hour|minute|people))"
        ),
        _label,
    ),
    (
        re.compile(
            rf"(?:(?P<before>[€$£])\s?)?(?<![\w.])(?P<number>-?\d+(?:\.\d+)?)(?:(?:\sdegrees)?[\s-]?°?(?P<unit>{_UNIT})(?![\w]))?"
            r"(?:(?<=[\d€$£%])|(?<=\w))(?(before)|(?(unit)|(?!)))"
        ),
        _amount,
    ),
    (re.compile(r"\bv(?:ersion\s)?\.?(\d{1,30}(?:\.\d{1,12}){0,6})\b"), lambda match: [("number", match[1])]),
    (re.compile(r"\b((?:19|20)\d\d)\b(?![.:-]\d)"), lambda match: [("year", match[1])]),
    (re.compile(rf"\b({_WEEKDAY})s?\b"), lambda match: [("weekday", str(_WEEKDAYS[match[1]]))]),
    (
        re.compile(rf"\b({'|'.join(name for name in _MONTHS if name not in {'may', 'mar', 'march'})})\b"),
        lambda match: [("month", str(_MONTHS[match[1]]))],
    ),
    (
        re.compile(r"\b(?:in|since|until|till|by|this|next|last|every|each)\s(may|march)\b"),
        lambda match: [("month", str(_MONTHS[match[1]]))],
    ),
    (
        re.compile(rf"\b({'|'.join(_ORDINALS)})\b(?!\s(?:hand|time|key))"),
        lambda match: [("place", str(_ORDINALS[match[1]]))],
    ),
    (re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b"), lambda match: [("place", match[1])]),
    (
        re.compile(
            r"\b(?:last|final)\b(?!\s(?:week|month|year|night|time|summer|spring|autumn|winter|batch|name|minute))"
        ),
        lambda _: [("place", "last")],
    ),
    (re.compile(r"(?<![\w-])(-?\d{1,30}(?:\.\d{1,12}){0,6})(?![\w-])"), lambda match: [("number", match[1])]),
    (re.compile(r"(?<![\w.+/@-])(?=[a-z_.+/@-]{0,40}\d)[\w.+/@-]{2,80}\b"), lambda match: [("code", match[0])]),
)
"""What is read, the most telling first; each is taken out of the text."""
