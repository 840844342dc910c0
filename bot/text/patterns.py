"""Builds regular expressions from tables of patterns, one a line."""

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Final

STRAIGHT_QUOTES: Final = str.maketrans(
    {
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{MODIFIER LETTER APOSTROPHE}": "'",
        "\N{ACUTE ACCENT}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{DOUBLE LOW-9 QUOTATION MARK}": '"',
    }
)
"""What keyboards make of ' and ", for `str.translate`; character for character, so offsets stay true."""

_CONTINUED: Final = re.compile(r"\\\n\s*")
_NAME: Final = re.compile(r"\{([a-z_]+)\}")


def either(table: str, words: Mapping[str, str] | None = None) -> str:
    """One regular expression that matches any line of the table; blank lines and lines that begin with `#` are notes.

    A line that ends with a backslash goes on in the next, without its indent. `{name}` stands for the expression of
    that name in `words`; an unknown name raises KeyError.
    """
    known = words or {}
    lines = (line.strip() for line in _CONTINUED.sub("", table).splitlines())
    used = [line for line in lines if line and not line.startswith("#")]
    return "(?:" + "|".join(_NAME.sub(lambda found: known[found[1]], line) for line in used) + ")"


def any_of(words: Iterable[str]) -> str:
    """One expression for any of the words, the longest that fits; what several begin with is looked at once."""
    by_first: dict[str, list[str]] = {}
    is_end = False
    for word in words:
        is_end |= not word
        if word:
            by_first.setdefault(word[0], []).append(word[1:])
    read = "|".join(re.escape(first) + any_of(rest) for first, rest in by_first.items())
    return f"(?:{read}){'?' if is_end else ''}" if read else ""


def vocabulary(table: str) -> frozenset[str]:
    """The words of a table, separated by blanks."""
    return frozenset(table.split())


def by_first_word(sayings: Iterable[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Sayings as the words they are made of, found by the first of them."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for words in (tuple(saying.split()) for saying in sayings):
        found[words[0]] = (*found.get(words[0], ()), words)
    return found


@functools.lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, deaf to case, compiled once."""
    return re.compile(pattern, re.IGNORECASE)
