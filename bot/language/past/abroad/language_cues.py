"""The form of what tells a question about the past in one language.

Patterns are matched on the message in small letters and without accents, commas, apostrophes and hyphens, with bars
around sentences and ` ?` at the end of those that have one: `| qu est ce qu on a dit ? |`. Every repetition is bounded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LanguageCues:
    """What one language asks with."""

    words: frozenset[str]
    """Words that tell the language, and no English ones."""
    spelled: Mapping[str, str]
    """What is written otherwise in a hurry, by how it is written then."""
    asking: str
    """How a question begins, or where in it the word stands that asks: many leave the question mark out."""
    addressing: str
    """What stands before the name of whoever is spoken to."""
    rules: tuple[tuple[str, float, str], ...]
    """The cues, by the names that English ones have, the points of each and its pattern."""


def cues(words: Mapping[str, str], *tables: tuple[str, float, str]) -> tuple[tuple[str, float, str], ...]:
    """Rules from tables of patterns, in which `{name}` stands for the expression of that name in `words`."""
    return tuple((cue, points, patterns.either(table, words)) for cue, points, table in tables)


def spellings(table: str) -> Mapping[str, str]:
    """A table of `wrong=right`, where `_` stands for a blank."""
    return MappingProxyType(dict(pair.replace("_", " ").split("=") for pair in table.split()))
