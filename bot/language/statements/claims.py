"""Classifies a lasting statement: decision, preference, date, plan, number, or fact about oneself.

A sentence is classified by what it says of whom, not by single words: "we decided on teal" and "Friday it is" are
decisions, "they decided to cancel the show" is news. The patterns are in the modules beside this one.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.language.statements import colloquial, counts, decisions, exclusions, preferences, schedules
from bot.text import patterns


class StatementKind(StrEnum):
    """The kinds of lasting statements, the most valuable first."""

    DECISION = "decision"
    PREFERENCE = "preference"
    PERSON = "person"
    DATE = "date"
    PLAN = "plan"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence's kind, and its normalised form."""

    kind: StatementKind
    plain: str


_CUES: Final = {
    StatementKind.DECISION: patterns.compiled(decisions.DECISION),
    StatementKind.PREFERENCE: patterns.compiled(preferences.PREFERENCE),
    StatementKind.PERSON: patterns.compiled(preferences.PERSON),
    StatementKind.DATE: patterns.compiled(schedules.DATE),
    StatementKind.PLAN: patterns.compiled(schedules.PLAN),
    StatementKind.NUMBER: patterns.compiled(counts.NUMBER),
}
_NEVER: Final = {
    StatementKind.DECISION: patterns.compiled(decisions.NO_DECISION),
    StatementKind.PREFERENCE: patterns.compiled(preferences.NO_PREFERENCE),
    StatementKind.PERSON: patterns.compiled(preferences.NO_PREFERENCE),
    StatementKind.DATE: patterns.compiled(schedules.NO_DATE),
    StatementKind.PLAN: patterns.compiled(schedules.NO_PLAN),
    StatementKind.NUMBER: patterns.compiled(counts.NO_NUMBER),
}
_CONDITION: Final = patterns.compiled(r"(?<!even )(?<!as )\bif\b")
_FEWEST_WORDS: Final = 3
_LETTER: Final = re.compile(r"[^\W\d_]")
_LONGEST: Final = 400
"""Characters of a sentence that is still one statement; longer ones are pasted, or a flood."""


def claim(sentence: str) -> Statement | None:
    """The lasting statement of a sentence; none where it makes none, or there is a doubt."""
    if len(sentence) > _LONGEST or not _LETTER.search(sentence):
        return None
    plain = colloquial.plain(sentence)
    if len(plain.split()) < _FEWEST_WORDS or exclusions.doubt(plain):
        return None
    for kind, cue in _CUES.items():
        found = cue.search(plain)
        if found and not _NEVER[kind].search(plain) and _is_firm(kind, plain, found.end()):
            return Statement(kind=kind, plain=plain)
    return None


def _is_firm(kind: StatementKind, plain: str, end: int) -> bool:
    """Whether no condition hangs on it: a choice may name one ("roll back if …"), a date or plan under one is none."""
    condition = _CONDITION.search(plain)
    return not condition or (kind in {StatementKind.DECISION, StatementKind.PREFERENCE} and condition.start() >= end)
