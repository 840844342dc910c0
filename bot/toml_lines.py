"""Tells on which line of a TOML file a setting stands, and puts one there without touching others; pure."""

import bisect
import json
import tomllib
from collections.abc import Mapping, Sequence
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


def top(text: str) -> dict[str, Any]:
    """What stands in a file before its first section, and its sections, by name."""
    return tomllib.loads(text)


def with_keys(text: str, values: Mapping[str, str | None]) -> str:
    """The file with these keys before its first section, in place of what it had under their names; none takes one out.

    Every other line stays. Raises `ValueError` where that can't be, as with a value of several lines.
    """
    lines, new = text.split("\n") if text else [], list[str]()
    for name, value in values.items():
        written = [] if value is None else [f"{name} = {json.dumps(value, ensure_ascii=False)}"]
        at = line_of("\n".join(lines), (name,))
        if at is not None:
            lines[at - 1 : at] = written
        else:
            new += written
    begin = next((n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), len(lines))
    is_section = begin < len(lines) and lines[begin].lstrip().startswith("[")
    lines[begin:begin] = [*new, ""] if new and is_section else new
    written_text = "\n".join(lines).rstrip("\n") + "\n"
    wanted = {name: value for name, value in {**top(text), **values}.items() if value is not None}
    if tomllib.loads(written_text) != wanted:
        raise ValueError("other lines would change")
    return written_text
