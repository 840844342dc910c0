"""What kind of lasting statement a sentence makes: a decision, a preference, a date, a plan, a number, a person's own.

A sentence is one of these by what it says of whom, not by a word in it: "we decided on teal" and "Friday it is" are
decisions, "they decided to cancel the show" is news. The tables are in `tables`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.language.statements import colloquial, counts, decisions, exclusions, preferences, schedules
from bot.text import patterns


class Kind(StrEnum):
    """What a sentence holds, in the order in which kinds are preferred."""

    DECISION = "decision"
    PREFERENCE = "preference"
    PERSON = "person"
    DATE = "date"
    PLAN = "plan"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The kind of a sentence, and the plain form it was read in."""

    kind: Kind
    plain: str


_CUES: Final = {
    Kind.DECISION: patterns.compiled(decisions.DECISION),
    Kind.PREFERENCE: patterns.compiled(preferences.PREFERENCE),
    Kind.PERSON: patterns.compiled(preferences.PERSON),
    Kind.DATE: patterns.compiled(schedules.DATE),
    Kind.PLAN: patterns.compiled(schedules.PLAN),
    Kind.NUMBER: patterns.compiled(counts.NUMBER),
}
_NEVER: Final = {
    Kind.DECISION: patterns.compiled(decisions.NO_DECISION),
    Kind.PREFERENCE: patterns.compiled(preferences.NO_PREFERENCE),
    Kind.PERSON: patterns.compiled(preferences.NO_PREFERENCE),
    Kind.DATE: patterns.compiled(schedules.NO_DATE),
    Kind.PLAN: patterns.compiled(schedules.NO_PLAN),
    Kind.NUMBER: patterns.compiled(counts.NO_NUMBER),
}
_CONDITION: Final = patterns.compiled(r"(?<!even )(?<!as )\bif\b")
_FEWEST_WORDS: Final = 3
_LETTER: Final = re.compile(r"[^\W\d_]")
_LONGEST: Final = 400
"""Characters of a sentence that is still one statement; longer ones are pasted, or a flood."""


def claim(sentence: str) -> Claim | None:
    """What the sentence states for good, or None: no such thing, or a doubt about it."""
    if len(sentence) > _LONGEST or not _LETTER.search(sentence):
        return None
    plain = colloquial.plain(sentence)
    if len(plain.split()) < _FEWEST_WORDS or exclusions.doubt(plain):
        return None
    for kind, cue in _CUES.items():
        found = cue.search(plain)
        if found and not _NEVER[kind].search(plain) and _is_firm(kind, plain, found.end()):
            return Claim(kind=kind, plain=plain)
    return None


def _is_firm(kind: Kind, plain: str, end: int) -> bool:
    """Whether no condition hangs on it: a choice may name one ("roll back if …"), a date or plan under one is none."""
    condition = _CONDITION.search(plain)
    return not condition or (kind in {Kind.DECISION, Kind.PREFERENCE} and condition.start() >= end)
