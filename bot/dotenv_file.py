"""Reads a `.env` file of `NAME=value` lines, and writes variables into one without touching its other lines; pure."""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from dotenv.parser import parse_stream

FILE_NAME: Final = ".env"
_PLAIN: Final = re.compile(r"[\w.:/@%+,=-]+", re.ASCII)
"""Values that mean themselves without quotation marks, also to a shell and to systemd."""
_BEFORE: Final = re.compile(r"\s*(?:export[^\S\n]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variables:
    """What a file says, each value as it stands there: nothing in it is replaced by another variable."""

    values: dict[str, str] = field(default_factory=dict[str, str])
    lines: dict[str, int] = field(default_factory=dict[str, int])
    """Where each stands, from 1."""
    unread: tuple[int, ...] = ()
    """Lines that are not of this form."""


def read(text: str) -> Variables:
    """The variables of a file's text; of a name that stands there twice the last holds."""
    values, lines, unread = dict[str, str](), dict[str, int](), list[int]()
    for binding in parse_stream(io.StringIO(text)):
        line = binding.original.line + _before(binding.original.string).count("\n")
        if binding.error or (binding.key is not None and binding.value is None):
            unread.append(line)
        elif binding.key is not None and binding.value is not None:
            values[binding.key], lines[binding.key] = binding.value, line
    return Variables(values=values, lines=lines, unread=tuple(unread))


def written(text: str, variables: Mapping[str, str]) -> str:
    """The text with these variables in place of what it had under their names, else at its end."""
    left, parts = dict(variables), list[str]()
    for binding in parse_stream(io.StringIO(text)):
        original = binding.original.string
        if binding.key not in variables or binding.error:
            parts.append(original)
        elif binding.key in left:
            parts.append(f"{_before(original)}{_assignment(binding.key, left.pop(binding.key))}")
    kept = "".join(parts)
    kept += "" if not kept or kept.endswith("\n") else "\n"
    return kept + "".join(_assignment(*each) for each in left.items())


def _before(original: str) -> str:
    """What stands before a variable's name and is read with it: blank lines, and `export`."""
    found = _BEFORE.match(original)
    assert found is not None
    return found[0]


def _assignment(name: str, value: str) -> str:
    if _PLAIN.fullmatch(value):
        return f"{name}={value}\n"
    quoted = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"{name}='{quoted}'\n"
