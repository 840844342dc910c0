"""Tells on which line of a TOML file a setting stands; pure."""

import bisect
import tomllib
from collections.abc import Sequence
from typing import Any, Final

MOST_LINES: Final = 2_000
"""Of a file in which it is looked for, which reads the beginning of the file some ten times."""


def holds(text: str, place: Sequence[str | int]) -> bool:
    """Whether a file has this section or key."""
    return _holds(tomllib.loads(text), place)


def line_of(text: str, place: Sequence[str | int]) -> int | None:
    """The line, from 1, on which this section or key begins; none in a file that is too long, or without it."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        return None

    def read(count: int) -> Any:
        try:
            return tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            return None

    def is_there(count: int) -> bool:
        while (content := read(count)) is None:
            count -= 1  # a value of several lines is not whole yet
        return _holds(content, place)

    last = bisect.bisect_left(range(len(lines) + 1), True, key=is_there)
    if last > len(lines):
        return None
    while last > 1 and read(last - 1) is None:
        last -= 1
    return last


def _holds(content: Any, place: Sequence[str | int]) -> bool:
    for part in place:
        try:
            content = content[part]
        except (LookupError, TypeError):
            return False
    return True
