"""The words for times by language: names, their values, and the forms they combine in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from bot.dates import calendar
from bot.text import patterns

Side = Literal["before", "after", "since", "until", "by"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWords:
    """How one language speaks of times; every word in lower case.

    `forms` has one form a line, `rule: expression`; the rules are those of `bot.dates.times`, and `{name}` stands for
    any word of that table, or for the expression of that name in `parts_of_forms`.
    """

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    """Monday is 0."""
    also_words: frozenset[str]
    """Names of months and weekdays that are ordinary words or names of people too."""
    days: Mapping[str, int]
    """Days from today."""
    hours: Mapping[str, tuple[int, int]]
    """Parts of a day, from and to which hour."""
    day_parts: Mapping[str, tuple[int, int, int]]
    """Parts of a day that say which day: days from today, from and to which hour, past 24 the next day."""
    recent: frozenset[str]
    counts: Mapping[str, tuple[int, int]]
    """Number words, with the least and the most they may mean."""
    units: Mapping[str, calendar.Unit]
    short_units: Mapping[str, calendar.Unit]
    """Those written right behind a figure: 2h."""
    turns: Mapping[str, int]
    """Last, this and next."""
    yearly: Mapping[str, calendar.Yearly]
    """Seasons, quarters and feasts."""
    feasts: frozenset[str]
    """Those of `yearly` that also stand before a thing, as in Christmas party."""
    feast_things: frozenset[str]
    sides: Mapping[str, Side]
    reaching: frozenset[str]
    """Those of `sides` that may have words between them and the time: before the release on …"""
    never_between: frozenset[str]
    """Words that are never among those."""
    leads: frozenset[str]
    """Words that make a time of a bare month or year."""
    from_leads: frozenset[str]
    """Those before the first of two times that are the ends of one."""
    clock_words: Mapping[str, int]
    """Times of day that have a name, by the hour."""
    year_leads: frozenset[str]
    """Those that make a year of four bare digits."""
    amounts: frozenset[str]
    """Words that make an amount of them after all."""
    articles: frozenset[str]
    """Words that may stand between a lead and a season or a day."""
    no_leads: frozenset[str]
    """Words before a weekday or a day word that make it no time: every Monday."""
    pairs: Mapping[str, str]
    """What stands between two times that are the ends of one, and the word before the first that must go with it."""
    together: frozenset[str]
    """What joins two times that stay two."""
    alternatives: frozenset[str]
    """Those that leave the choice: after May or before April."""
    counted: frozenset[str]
    """What numbers count: after them, a number is no date."""
    goes_on: frozenset[str]
    """Words a sentence goes on with after a time; after another word, "the 3rd" is the 3rd of those."""
    parts_of_forms: Mapping[str, str]
    forms: str
    alone: tuple[str, ...]
    """What is to be read where a time is asked for, and only so long was given: 2h, 90 minutes, last hour."""
    asks_when: str


def _names(table: str) -> dict[str, int]:
    return {name: at for at, line in enumerate(table.strip().splitlines()) for name in line.split()}


def _values(table: str) -> dict[str, int]:
    return {name.strip(): int(value) for name, value in (line.split("=") for line in table.strip().splitlines())}


def _phrases(table: str) -> frozenset[str]:
    return frozenset(line.strip() for line in table.strip().splitlines())


# The northern half of the world: summer is June to August everywhere.
_SPRING: Final = calendar.Yearly(month=3, months=3)
_SUMMER: Final = calendar.Yearly(month=6, months=3)
_AUTUMN: Final = calendar.Yearly(month=9, months=3)
_WINTER: Final = calendar.Yearly(month=12, months=3)
_CHRISTMAS: Final = calendar.Yearly(month=12, day=24, days=3)
_NEW_YEAR: Final = calendar.Yearly(month=12, day=31, days=2, later=-1)
_LAST_DAY: Final = calendar.Yearly(month=12, day=31, days=1)
_FIRST_DAY: Final = calendar.Yearly(month=1, day=1, days=1)
_QUARTERS: Final = {f"q{at}": calendar.Yearly(month=3 * at - 2, months=3) for at in range(1, 5)}

_SHORT_UNITS: Final[dict[str, calendar.Unit]] = {"h": "hour", "m": "minute", "d": "day", "w": "week"}

_NUMERIC: Final = r"""
    iso: (?P<year>{any_year})-(?P<month_number>[0-9]{1,2})-(?P<dom>[0-9]{1,2})\
        (?:t[0-9][0-9:.]{1,14}(?:z|[+-][0-9:]{2,5})?)?
    iso: (?P<year>{any_year})/(?P<month_number>[0-9]{1,2})/(?P<dom>[0-9]{1,2})
    iso: {day_name}(?P<dom>[0-9]{1,2})\. ?(?P<month_number>[0-9]{1,2})\. ?(?P<year>{any_year})
    either_order: (?P<one>[0-9]{1,2})[/-](?P<other>[0-9]{1,2})[/-](?P<year>{any_year})
    year: {year_word}(?P<year>(?:19|20)[0-9]{2})(?! {counted}| {between} (?!(?:19|20)[0-9]{2}(?!\w))[0-9])
"""

_COMMON_PARTS: Final = {
    "any_year": "[1-8][0-9]{3}",
    "number": "(?:0?[1-9]|[1-3][0-9])",
    # The dot of a month cut short; elsewhere it ends the sentence.
    "dot": r"(?:\.(?= [12][0-9]{3}(?! {counted})))?",
    "from_year": "(?P<year>[12][0-9]{3})(?! {counted})",
}

ENGLISH: Final = TimeWords(
    months={
        name: at + 1
        for name, at in _names(
            """
            january jan
            february feb
            march mar
            april apr
            may
            june jun
            july jul
            august aug
            september sept sep
            october oct
            november nov
            december dec
            """
        ).items()
    },
    weekdays=_names(
        """
        monday mon
        tuesday tues tue
        wednesday weds wed
        thursday thurs thur thu
        friday fri
        saturday sat
        sunday sun
        """
    ),
    also_words=patterns.vocabulary("jan mar march april apr may june august aug mon wed sat sun"),
    days=_values(
        """
        the day before yesterday=-2
        day before yesterday=-2
        yesterday=-1
        earlier today=0
        today=0
        the day after tomorrow=2
        day after tomorrow=2
        tomorrow=1
        """
    ),
    hours={"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30)},
    day_parts={
        "this morning": (0, 5, 12),
        "this afternoon": (0, 12, 18),
        "this evening": (0, 17, 24),
        "tonight": (0, 18, 30),
        "last night": (-1, 18, 30),
    },
    recent=_phrases(
        """
        recently
        lately
        these days
        the other day
        """
    ),
    counts={
        "a few": (2, 4),
        "few": (2, 4),
        "several": (2, 6),
        "a couple of": (2, 2),
        "couple of": (2, 2),
        "a couple": (2, 2),
        "couple": (2, 2),
        "a": (1, 1),
        "an": (1, 1),
    }
    | {
        word: (at + 1, at + 1)
        for word, at in _names("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve").items()
    },
    units={
        "minute": "minute",
        "minutes": "minute",
        "min": "minute",
        "mins": "minute",
        "hr": "hour",
        "hrs": "hour",
        "hour": "hour",
        "hours": "hour",
        "day": "day",
        "days": "day",
        "week": "week",
        "weeks": "week",
        "weekend": "weekend",
        "weekends": "weekend",
        "month": "month",
        "months": "month",
        "quarter": "quarter",
        "quarters": "quarter",
        "year": "year",
        "years": "year",
    },
    short_units=_SHORT_UNITS,
    turns=_values(
        """
        last=-1
        previous=-1
        this past=-1
        this=0
        current=0
        next=1
        coming=1
        upcoming=1
        before last=-2
        """
    ),
    yearly={
        "spring": _SPRING,
        "summer": _SUMMER,
        "autumn": _AUTUMN,
        "fall": _AUTUMN,
        "winter": _WINTER,
        "christmas day": calendar.Yearly(month=12, day=25, days=1),
        "christmas eve": calendar.Yearly(month=12, day=24, days=1),
        "christmas": _CHRISTMAS,
        "xmas": _CHRISTMAS,
        "new year's eve": _LAST_DAY,
        "new year's day": _FIRST_DAY,
        "new year's": _NEW_YEAR,
        "new year": _NEW_YEAR,
    }
    | _QUARTERS,
    feasts=patterns.vocabulary("christmas xmas") | {"new year", "new year's"},
    feast_things=patterns.vocabulary(
        "party parties dinner lunch meal meals tree trees card cards present presents gift gifts market markets song "
        "songs jumper jumpers sweater sweaters resolution resolutions raffle bonus decorations menu playlist pudding"
    ),
    sides={
        "before": "before",
        "prior to": "before",
        "earlier than": "before",
        "after": "after",
        "later than": "after",
        "since": "since",
        "starting": "since",
        "until": "until",
        "till": "until",
        "til": "until",
        "up to": "until",
        "by": "by",
        "by the end of": "by",
        "before the end of": "until",
        "after the end of": "after",
    },
    reaching=patterns.vocabulary("before after since until till") | {"prior to"},
    never_between=patterns.vocabulary(
        "what when where which who whom whose why how and or but did does do is are has have tell show list find "
        "from between by"
    ),
    leads=patterns.vocabulary(
        "in on since before after until till til by of during from between around throughout through early mid "
        "late over at starting"
    )
    | {"prior to", "up to", "earlier than", "later than"},
    from_leads=patterns.vocabulary("from between"),
    clock_words={"noon": 12, "midday": 12, "midnight": 0},
    year_leads=patterns.vocabulary(
        "in since before after until till by of during from between throughout early mid late"
    )
    | {"prior to"},
    amounts=frozenset(
        f"{word} of"
        for word in patterns.vocabulary(
            "total max maximum min minimum limit sum count out average budget size score port"
        )
    )
    | frozenset(f"{word} by" for word in patterns.vocabulary("increased reduced raised grew rose fell up down")),
    articles=patterns.vocabulary("the early mid late"),
    no_leads=patterns.vocabulary("every each any a per most some the happy merry"),
    pairs={"to": "", "until": "", "till": "", "through": "", "-": "", "\u2013": "", "and": "between"},
    together=patterns.vocabulary("and or but"),
    alternatives=frozenset({"or"}),
    counted=patterns.vocabulary(
        "items item messages message people users user members member words lines points files rows tokens steps times "
        "percent euros dollars pounds bucks kg km m cm mm g ml l mb gb tb kb ms s px fps hp xp gp votes votes posts "
        "tickets bugs issues entries things players seats calories miles meters metres requests records memories "
        "questions options pages days weeks months years hours minutes seconds copies cards games servers guests "
        "apples eggs cookies coins gold credits degrees watts volts participants attendees customers bots channels"
    ),
    goes_on=patterns.vocabulary(
        "about i we you they he she it did do does was were is are or and but with for at that this what when who "
        "where which why how in on by from of than as if has had so again then until till to because regarding "
        "concerning between after before anyone someone everyone somebody anybody my our your their his her the a an"
    ),
    parts_of_forms=_COMMON_PARTS
    | {
        "day_name": "(?:{weekday_word},? )?",
        "nth": "(?:st|nd|rd|th)",
        "year_word": "(?:the year )?",
        "in_year": "(?:(?:,? ?| of ){from_year}|,? (?:of )?(?P<turn_of_year>last|this|next) year)?",
        "pair": r"(?: ?(?:(?P<pair>[-\u2013])|(?<= )(?P<pair_word>and|to|until|through)(?: the)?(?= )) ?)",
        "clock": (
            r"(?:{clock_word}|(?P<oclock>[0-9]{1,2})(?: o'clock|:(?P<past>[0-9]{2})|(?= ?[ap]m))"
            r"(?: ?(?P<half_day>[ap])m)?)"
        ),
    },
    forms=_NUMERIC
    + r"""
    part: {day_part}
    day: {day}(?: {hour})?
    recent: {recent_word}
    # "Half a year ago" is no year ago.
    ago: (?<!half ){count} {unit} ago(?: today)?
    ago: {count}{short_unit} ago
    weekdays_ago: {count} {weekday}s ago
    day_of_week: {weekday},? (?:of )?{turn} week
    day_of_week: {turn} week,? (?:on )?{weekday}
    from_now: {count} {unit} from now
    past: (?:last|past|previous) {count} {unit}
    past: (?:last|past|previous) {count}{short_unit}
    past: past {unit}
    past: (?:in|over|within|during) the last {unit}
    lasting: since {count} {unit}(?! ago)
    # "The last week of May" is not last week.
    unit: {turn} {unit}(?! of )
    unit: {unit} {turn}
    weekend: weekend(?! of )
    weekday: (?:{turn} )?{weekday}(?: {hour})?(?! of )
    date: {day_name}(?:the )?(?P<dom>{number}){nth}?(?: of)? {month}\b{dot}{in_year}
    date: {day_name}{month}\b\.?,? (?:the )?(?P<dom>{number}){nth}?(?! {counted}){in_year}
    dates: (?:the )?(?P<dom>{number}){nth}?{pair}(?P<dom_to>{number}){nth}?\
        (?: of)? {month}\b{dot}{in_year}
    dates: {month}\b\.? (?:the )?(?P<dom>{number}){nth}?{pair}\
        (?P<dom_to>{number}){nth}?{in_year}
    month: (?:(?P<half>early|mid|late)[ -])?(?:{turn} )?{month}\b{in_year}
    month: (?P<turn_of_year>last|this|next) year,? in {month}
    yearly: (?:{turn} )?{yearly_name}\b{in_year}
    nth: {day_name}the (?P<dom>{number}){nth}
    clock: {clock}(?! on )
    clock: {clock} {day}
    clock: {clock} (?:on )?{weekday}
    clock: {day},? (?:at )?{clock}
    clock: {weekday},? (?:at )?{clock}
    """,
    alone=("last {}", "in the {}"),
    asks_when=patterns.either(
        r"""
        \bwhen(?:'s|'d| (?:exactly |precisely |on earth )?(?:did|was|were|is|are|do|does|will|would|has|have|had|can|\
            could|should|shall|must|might))\b
        \b(?:since|until|till|by|before) when\b
        \bwhen\W*$
        \b(?:(?:tell|remind|show) (?:me|us)|know|forgot|forget|sure|idea|find out|clue) (?:exactly )?when\b
        \b(?:do|does|can|could) (?:you|u|anyone|anybody|someone) (?:remember|recall) (?:exactly )?when\b
        \bhow (?:long|many (?:minutes|hours|days|weeks|months|years)) (?:ago|since|has it been|is it since)\b
        \bhow recently\b
        \b(?:what|which)(?:'s| is| was| were)? (?:the )?(?:exact )?(?:day|date|dates|year|month|week|weekday|time)\b
        """
    ),
)

GERMAN: Final = TimeWords(
    months={
        name: at + 1
        for name, at in _names(
            """
            januar jänner jan
            februar feb
            märz mär
            april apr
            mai
            juni
            juli
            august aug
            september sept sep
            oktober okt
            november nov
            dezember dez
            """
        ).items()
    },
    weekdays=_names("montag\ndienstag\nmittwoch\ndonnerstag\nfreitag\nsamstag sonnabend\nsonntag"),
    also_words=patterns.vocabulary("jan april mai august sep sept"),
    days=_values("vorgestern=-2\ngestern=-1\nheute=0\nübermorgen=2\nmorgen=1"),
    hours={
        "früh": (5, 12),
        "morgen": (5, 12),
        "vormittag": (5, 12),
        "mittag": (11, 14),
        "nachmittag": (12, 18),
        "abend": (17, 24),
        "nacht": (18, 30),
    },
    day_parts={"letzte nacht": (-1, 18, 30), "gestern nacht": (-1, 18, 30), "heute nacht": (0, 18, 30)},
    recent=_phrases(
        """
        kürzlich
        neulich
        letztens
        in letzter zeit
        vor kurzem
        """
    ),
    counts={"ein paar": (2, 4), "einigen": (2, 6), "ein": (1, 1), "eine": (1, 1), "einer": (1, 1), "einem": (1, 1)}
    | {
        word: (at + 2, at + 2)
        for word, at in _names("zwei\ndrei\nvier\nfünf\nsechs\nsieben\nacht\nneun\nzehn\nelf\nzwölf").items()
    },
    units={
        "minute": "minute",
        "minuten": "minute",
        "min": "minute",
        "std": "hour",
        "stunde": "hour",
        "stunden": "hour",
        "tag": "day",
        "tage": "day",
        "tagen": "day",
        "woche": "week",
        "wochen": "week",
        "wochenende": "weekend",
        "wochenenden": "weekend",
        "monat": "month",
        "monate": "month",
        "monaten": "month",
        "quartal": "quarter",
        "quartale": "quarter",
        "quartalen": "quarter",
        "jahr": "year",
        "jahre": "year",
        "jahren": "year",
    },
    short_units=_SHORT_UNITS,
    turns={
        stem + ending: by
        for stem, by in (
            ("vorletzt", -2),
            ("letzt", -1),
            ("vorig", -1),
            ("vergangen", -1),
            ("dies", 0),
            ("aktuell", 0),
            ("nächst", 1),
            ("kommend", 1),
        )
        for ending in ("e", "er", "en", "es", "em")
    },
    yearly={
        "frühling": _SPRING,
        "frühjahr": _SPRING,
        "sommer": _SUMMER,
        "herbst": _AUTUMN,
        "winter": _WINTER,
        "weihnachten": _CHRISTMAS,
        "heiligabend": calendar.Yearly(month=12, day=24, days=1),
        "silvester": _LAST_DAY,
        "neujahr": _FIRST_DAY,
    }
    | _QUARTERS,
    feasts=frozenset(),
    feast_things=frozenset(),
    sides={"vor": "before", "nach": "after", "seit": "since", "ab": "since", "bis": "until", "bis zu": "until"},
    reaching=patterns.vocabulary("vor nach seit bis"),
    never_between=patterns.vocabulary(
        "was wann wo welche welcher welches wer wen wem warum wie und oder aber hat haben ist sind war waren sagte von"
    ),
    leads=patterns.vocabulary("in im am an seit vor nach bis ab von vom zum um über zu anfang mitte ende") | {"bis zu"},
    from_leads=patterns.vocabulary("von zwischen"),
    clock_words={"mitternacht": 0},
    year_leads=patterns.vocabulary("in im seit vor nach bis ab von zwischen anfang mitte ende"),
    amounts=frozenset(),
    articles=patterns.vocabulary("der dem den das zum zur im am anfang mitte ende"),
    no_leads=patterns.vocabulary("jeden jeder jedes jedem einen einem guten am der den eines schönen frohes"),
    pairs={"bis": "", "bis zum": "", "bis zu": "", "-": "", "\u2013": "", "und": "zwischen", "und dem": "zwischen"},
    together=patterns.vocabulary("und oder aber"),
    alternatives=frozenset({"oder"}),
    counted=patterns.vocabulary(
        "nachrichten nachricht leute menschen mitglieder wörter zeilen punkte dateien mal prozent euro dollar kg km m "
        "cm mb gb ms s stück einträge tage tagen wochen monate monaten jahre jahren stunden minuten sekunden seiten"
    ),
    goes_on=patterns.vocabulary(
        "über ich wir du ihr sie er es man hat haben habe war waren ist sind und oder aber mit für bei dass was wann "
        "wer wo wie in im an am von vom wenn als so dann bis zu zum gesagt beschlossen besprochen entschieden geplant"
    ),
    parts_of_forms=_COMMON_PARTS
    | {
        "day_name": "(?:{weekday_word},? (?:den |dem )?)?",
        "year_word": "(?:jahre? )?",
        # In English, "I am 3." is an age.
        "led": "(?:(?P<led>(?<!i )am|vom|zum|dem|den) )",
        "pair": r"(?: ?(?:(?P<pair>[-\u2013])|(?<= )(?P<pair_word>und|bis)(?: dem| zum)?(?= )) ?)",
        "in_year": "(?: {from_year}|,? (?P<turn_of_year>letzten|diesen|nächsten) jahres)?",
        "clock": "(?:{clock_word}|(?P<oclock>[0-9]{1,2})(?::(?P<past>[0-9]{2})(?: uhr)?| uhr))",
    },
    forms=_NUMERIC
    + r"""
    part: {day_part}
    day: {day}(?: {hour})?
    recent: {recent_word}
    ago: vor {count} {unit}
    ago: vor {count}{short_unit}
    day_of_week: {weekday} (?:in der )?{turn} woche
    day_of_week: {turn} woche,? (?:am )?{weekday}
    past: letzten {count} {unit}
    past: letzten {count}{short_unit}
    lasting: seit {count} {unit}
    unit: {turn} {unit}
    weekend: wochenende
    weekday: (?:{turn} )?{weekday}(?: {hour})?
    date: {day_name}(?P<dom>{number})\. ?{month}\b{dot}{in_year}
    dates: (?P<dom>{number})\.?{pair}(?P<dom_to>{number})\. ?{month}{in_year}
    month: (?:{turn} )?{month}{in_year}
    month: (?P<turn_of_year>letztes|dieses|nächstes) jahr,? im {month}
    yearly: (?:{turn} )?{yearly_name}{in_year}
    nth: {led}(?P<dom>{number})\.(?! ?[0-9])
    day_month: {led}(?P<dom>[0-9]{1,2})\. ?(?P<month_number>[0-9]{1,2})\.(?! ?[0-9])
    clock: {clock}(?! am )
    clock: {clock} {day}
    clock: {day},? (?:um )?{clock}
    clock: {weekday},? (?:um )?{clock}
    """,
    alone=("letzten {}",),
    asks_when=patterns.either(
        r"""
        (?<!dann und )\bwann\b
        \b(?:an welchem|welcher|welchen) tag\b
        \bwelche[sm]? (?:genaue )?datum\b
        \b(?:in |zu )?welche[mrs]? (?:jahr|monat|woche|zeit)\b
        \bwie lange (?:ist|war) \w+(?: \w+){0,5} her\b
        \bvor wie ?vielen\b
        \bwie (?:viele )?(?:tage|wochen|monate|jahre) ist\b
        \bwie ?viel uhr\b
        """
    ),
)

LANGUAGES: Final = (ENGLISH, GERMAN)
