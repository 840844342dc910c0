"""Compiles the tables of time words into regular expressions, and prepares a text for them."""

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.dates import time_words
from bot.text import patterns

# Part of a longer number, a link, a path, a tag or a price: no time.
# Every form begins with a word: what does not is passed at once.
_BEFORE: Final = r"(?=\w)(?<![\w#@$€£+])(?<!\w[-./:,'])"
_AFTER: Final = r"(?!\w|[-/.:,]\w|[%$€£])"
_CONTINUED: Final = re.compile(r"\\\n\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeGrammar:
    """One language's expressions, compiled."""

    language: time_words.TimeWords
    forms: tuple[tuple[str, re.Pattern[str], str], ...]
    """Each with its rule, and the table of which every match has a word; none for those made of numbers."""
    tables: Mapping[str, tuple[str, ...]]
    lead: re.Pattern[str]
    """The word right before a time that makes it one."""
    far_lead: re.Pattern[str]
    """The same, with an article between."""
    no_lead: re.Pattern[str]
    year_lead: re.Pattern[str]
    clock_lead: re.Pattern[str]
    amount: re.Pattern[str]
    free: re.Pattern[str]
    """What may follow a time that is no name of a thing."""
    feast_thing: re.Pattern[str]
    side: re.Pattern[str]
    pair: re.Pattern[str]
    """What stands between the two ends of one time, or between two times."""
    needed: Mapping[str, re.Pattern[str]]
    """The word before the first of two ends, as "between" for "and"; by what stands between them."""
    asks_when: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeText:
    """A text with single blanks, as written and in lower case, character for character."""

    written: str
    plain: str


def text_of(text: str) -> TimeText:
    """The text ready to be read."""
    written = " ".join(text.translate(patterns.STRAIGHT_QUOTES).split())
    # A few capitals have small forms of two letters; they stay, so that places in both texts agree.
    return TimeText(written=written, plain="".join(low if len(low := c.lower()) == 1 else c for c in written))


@functools.cache
def grammars() -> tuple[TimeGrammar, ...]:
    """The grammar of every language there is a table for."""
    return tuple(_grammar(language) for language in time_words.LANGUAGES)


def _grammar(language: time_words.TimeWords) -> TimeGrammar:
    # What is counted in one language is no date in another, either: "in 2023 items" has a German "in".
    counted = frozenset[str]().union(*(each.counted for each in time_words.LANGUAGES))
    between = _any(language.pairs.keys() | language.together)
    tables = {
        "month": language.months,
        "weekday": language.weekdays,
        "day": language.days,
        "day_part": language.day_parts,
        "recent_word": language.recent,
        "unit": language.units,
        "yearly_name": language.yearly,
    }
    words = {"counted": _any(counted) + r"\b", "weekday_word": _any(language.weekdays), "between": between} | {
        name: f"(?P<{name}>{_any(table)})"
        for name, table in (
            *tables.items(),
            ("hour", language.hours),
            ("turn", language.turns),
            ("clock_word", language.clock_words),
        )
    }
    words["short_unit"] = f"(?P<unit>{_any(language.short_units)})"
    words["count"] = rf"(?P<count>[0-9]{{1,4}}|{_any(language.counts)})"
    # Parts are made of words and of the parts before them.
    for name, part in language.parts_of_forms.items():
        words[name] = patterns.either(part, words)
    lines = (line.strip() for line in _CONTINUED.sub("", language.forms).splitlines())
    forms = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    leads, articles = _any(language.leads), _any(language.articles)
    never = _any(language.never_between | language.sides.keys())
    return TimeGrammar(
        language=language,
        forms=tuple(
            (
                rule,
                re.compile(_BEFORE + patterns.either(form, words) + _AFTER),
                next((name for name in tables if f"{{{name}}}" in form), ""),
            )
            for rule, _, form in forms
        ),
        tables={name: tuple(table) for name, table in tables.items()},
        lead=re.compile(rf"(?<!\w)({leads})[ -]$"),
        far_lead=re.compile(rf"(?<!\w)({leads})(?: {articles})?[ -]$"),
        no_lead=re.compile(rf"(?<!\w){_any(language.no_leads)} $"),
        year_lead=re.compile(rf"(?<!\w){_any(language.year_leads)}[ -]$"),
        clock_lead=re.compile(rf"(?<!\w)(?P<lead>{_any(language.sides.keys() | language.from_leads)}) $"),
        amount=re.compile(rf"(?<!\w){_any(language.amounts)} $" if language.amounts else r"(?!)"),
        free=re.compile(rf"(?:$|[^\w\s]| (?:\W|{_any(language.goes_on)}(?!\w)))"),
        feast_thing=re.compile(rf"(?:'s)? {_any(language.feast_things)}(?!\w)" if language.feast_things else r"(?!)"),
        side=re.compile(rf"(?<![\w-])(?P<side>{_any(language.sides)}) (?P<words>(?:(?!{never} )[\w'-]+ ){{0,6}})$"),
        pair=re.compile(rf" ?(?P<pair>{between})(?: {articles})? ?"),
        needed={
            pair: re.compile(rf"(?<!\w){re.escape(word)}(?: {articles})? $" if word else "$")
            for pair, word in language.pairs.items()
        },
        asks_when=patterns.compiled(language.asks_when),
    )


def _any(words: Iterable[str]) -> str:
    """An expression for any of the words, the longest first."""
    return "(?:" + "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))) + ")"
