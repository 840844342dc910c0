"""The form of a detector rule: a pattern on the normalised message, and its points.

Patterns are matched on the plain form (`bot.text.plain_form`): small letters, single blanks, `|` around sentences, `?`
as a word of its own. A rule is only tried where one of the words it needs is there. Every repetition is bounded.
"""

from dataclasses import dataclass

from bot.language.past.cue_expressions import WORDS
from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One pattern that speaks for or against a question about the past."""

    cue: str
    """Its name, as logs and trails have it; rules of one name count once, with the most that one of them is worth."""
    points: float
    """What it adds to the score; below zero it speaks against."""
    needs: frozenset[str]
    """Words of which one must be in the message."""
    pattern: str


def rule(cue: str, points: float, needs: str, table: str) -> Rule:
    """A rule from a row of words and a table of patterns, any of which may match."""
    return Rule(cue=cue, points=points, needs=patterns.vocabulary(needs), pattern=patterns.either(table, WORDS))
