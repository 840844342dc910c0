"""Parses front matter, the fields at the head of a Markdown file: a small part of YAML; pure.

A field is `name: value`, `name: [one, two]`, or `name:` with lines of `- item` under it. Values may stand in quotes;
lines that begin with # are comments. Any other YAML is an error.
"""

import re
from collections.abc import Sequence
from typing import Final

from bot import errors

FENCE: Final = "---"
_FIELD: Final = re.compile(r"([A-Za-z][\w-]{0,30}):(?:\s++(.*))?")
_ITEM: Final = re.compile(r"\s*-(?:\s++(.*))?")
_UNREAD: Final = tuple("|>{}&*!%@`")
"""What begins a value of the YAML that is not read."""
_LISTED: Final = re.compile(r"""\s*+("[^"]{0,300}"|'[^']{0,300}'|[^,]*+)\s*(?:,|\Z)""")

Fields = dict[str, tuple[str, ...]]


def parse(text: str) -> tuple[Fields, str]:
    """The fields by their names in small letters, each as what it lists, and the body under them.

    Raises `SettingsError` with what is wrong and in which line.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != FENCE:
        raise errors.SettingsError(f"line 1 must be {FENCE}, then fields such as title: Deploying, then {FENCE} again")
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), None)
    if end is None:
        raise errors.SettingsError(f"the fields have no end: a line of {FENCE} must follow them")
    return _fields(lines[1:end]), "\n".join(lines[end + 1 :]).strip()


def _fields(lines: Sequence[str]) -> Fields:
    found: Fields = {}
    opened = ""
    for number, line in enumerate(lines, 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        item, field = _ITEM.fullmatch(line), _FIELD.fullmatch(line.rstrip())
        if item is not None and opened:
            found[opened] += _kept((item[1] or "",), number)
        elif field is not None:
            name, value = field[1].lower(), (field[2] or "").strip()
            if name in found:
                raise errors.SettingsError(f"line {number}: {name} is given twice")
            found[name] = _listed(value, number)
            opened = "" if value else name
        else:
            raise errors.SettingsError(f"line {number} is no field such as title: Deploying, and no item of a list")
    return found


def _listed(value: str, number: int) -> tuple[str, ...]:
    """What a value lists: itself, or what stands between brackets."""
    if not value.startswith("["):
        return _kept((value,), number)
    if not value.endswith("]"):
        raise errors.SettingsError(f"line {number}: the list has no end; it takes [one, two] on one line")
    return _kept([found[1].strip() for found in _LISTED.finditer(value[1:-1])], number)


def _kept(values: Sequence[str], number: int) -> tuple[str, ...]:
    """The values without their quotes, but for empty ones."""
    for value in values:
        if value.startswith(_UNREAD):
            raise errors.SettingsError(f"line {number}: a value that begins with {value[0]} must stand in quotes")
    plain = [v[1:-1].strip() if len(v) > 1 and v[0] == v[-1] and v[0] in "\"'" else v.strip() for v in values]
    return tuple(value for value in plain if value)
