"""Tells a lasting statement from talk, and its kind: decision, preference, date, plan, number, detail, who one is.

A sentence is classified by what it says of whom, not by single words: "we decided on teal" and "Friday it is" are
decisions, "they decided to cancel the show" is news. Whether it is worth keeping is weighed (`worth.py`), so that "in
the green crate under the stairs" is kept too, and "corn chips it is" is not. The patterns are in the modules beside
this one.
"""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.language.statements import colloquial, counts, decisions, exclusions, preferences, schedules, signs, worth
from bot.text import patterns


class StatementKind(StrEnum):
    """The kinds of lasting statements, the most valuable first."""

    DECISION = "decision"
    PREFERENCE = "preference"
    PERSON = "person"
    DATE = "date"
    PLAN = "plan"
    NUMBER = "number"
    DETAIL = "detail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence's kind, and its normalised form."""

    kind: StatementKind
    plain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a sentence is weighed by: the names of its signs, its kinds among them, and its normalised form."""

    signs: frozenset[str]
    plain: str


_CUES: Final = {
    StatementKind.DECISION: decisions.DECISION,
    StatementKind.PREFERENCE: preferences.PREFERENCE,
    StatementKind.PERSON: preferences.PERSON,
    StatementKind.DATE: schedules.DATE,
    StatementKind.PLAN: schedules.PLAN,
    StatementKind.NUMBER: counts.NUMBER,
}
_NEVER: Final = {
    StatementKind.DECISION: decisions.NO_DECISION,
    StatementKind.PREFERENCE: preferences.NO_PREFERENCE,
    StatementKind.PERSON: preferences.NO_PREFERENCE,
    StatementKind.DATE: schedules.NO_DATE,
    StatementKind.PLAN: schedules.NO_PLAN,
    StatementKind.NUMBER: counts.NO_NUMBER,
}
_KINDS_OF_SIGNS: Final = {
    "ban": StatementKind.DECISION,
    "undertaking": StatementKind.PLAN,
    "day": StatementKind.DATE,
    "key": StatementKind.NUMBER,
    "address": StatementKind.NUMBER,
    "figure": StatementKind.NUMBER,
    "health": StatementKind.PERSON,
}
"""What a sentence is by its signs where no cue tells, the first that fits."""
_STEPS: Final = (StatementKind.DECISION, StatementKind.DATE, StatementKind.PLAN)
IN_PASSING: Final = frozenset({"tale", "passing", "brief"})
"""Signs that speak against keeping a sentence for long, and not against its being what happened last."""
LEAST_OF_STEP: Final = 2
"""Points from which a sentence tells a step: fewer than what is kept for long."""
_CONDITION: Final = patterns.compiled(r"(?<!even )(?<!as )\bif\b")
_FEWEST_WORDS: Final = 3
_LETTER: Final = re.compile(r"[^\W\d_]")
_LONGEST: Final = 400
"""Characters of a sentence that is still one statement; longer ones are pasted, or a flood."""


def claim(sentence: str) -> Statement | None:
    """The lasting statement of a sentence; none where it tells too little, or there is a doubt."""
    reading = read(sentence)
    return None if reading is None else kept(reading)


def kept(reading: Reading) -> Statement | None:
    """The same of a sentence that was read."""
    if worth.points(reading.signs) < signs.LEAST:
        return None
    return Statement(kind=_kind(reading.signs), plain=reading.plain)


def step(reading: Reading) -> StatementKind | None:
    """The decision, date or plan that a sentence is, though it tells too little to be kept for long.

    "Settled on blue" and "I'll order the shirts tonight" tell what happened, for as long as that is news.
    """
    if worth.points(reading.signs - IN_PASSING) < LEAST_OF_STEP or not signs.DOUBTS.keys().isdisjoint(reading.signs):
        return None
    is_undertaken = "undertaking" in reading.signs and not _CONDITION.search(reading.plain)
    kinds = (kind for kind in _STEPS if kind.value in reading.signs)
    return next(kinds, StatementKind.PLAN if is_undertaken else None)


def decides(sentence: str) -> bool:
    """Whether a sentence tells a decision, kept for long or not."""
    reading = read(sentence)
    return reading is not None and StatementKind.DECISION.value in reading.signs


def read(sentence: str) -> Reading | None:
    """What speaks for keeping a sentence and against it; none where it is no statement, or a doubt excludes it."""
    if len(sentence) > _LONGEST or not _LETTER.search(sentence):
        return None
    plain = colloquial.plain(sentence)
    if len(plain.split()) < _FEWEST_WORDS or exclusions.doubt(plain):
        return None
    kinds = {kind.value for kind, cue in _CUES.items() if _makes(kind, cue, plain)}
    found = worth.signs_of(sentence, plain)
    # What is plainly a statement may be short: "we chose oak".
    return Reading(signs=found - {"brief"} | kinds if kinds else found, plain=plain)


def _kind(signs: AbstractSet[str]) -> StatementKind:
    """The most valuable kind that it makes, else what its signs make it."""
    return next(
        (kind for kind in _CUES if kind.value in signs),
        next((kind for sign, kind in _KINDS_OF_SIGNS.items() if sign in signs), StatementKind.DETAIL),
    )


def _makes(kind: StatementKind, cue: str, plain: str) -> bool:
    # Compiled at the first use: they are half of all that an import would compile.
    found = patterns.compiled(cue).search(plain)
    return bool(found) and not patterns.compiled(_NEVER[kind]).search(plain) and _is_firm(kind, plain, found.end())


def _is_firm(kind: StatementKind, plain: str, end: int) -> bool:
    """Whether no condition hangs on it: a choice may name one ("roll back if …"), a date or plan under one is none."""
    condition = _CONDITION.search(plain)
    return not condition or (kind in {StatementKind.DECISION, StatementKind.PREFERENCE} and condition.start() >= end)
