"""The attempts, read from their files: who wants what, what is done for it, and how one sees whether it came about."""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
CLASSES: Final = ("leaks", "poisoning", "bridging", "erasure", "denial", "outside")
"""Each is a file of its name."""
_KNOWN: Final = frozenset({"id", "title", "setup", "files", "steps", "must", "never"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attack, as data."""

    key: str
    kind: str
    """Its class."""
    title: str
    """What the attacker wants."""
    steps: tuple[str, ...]
    must: tuple[str, ...]
    """What shows that something happened: without it nothing is proved, and the attempt counts as broken."""
    never: tuple[str, ...]
    """What must not have come about."""
    setup: str = "plain"
    """The Hathi it is tried on; `stage.SETUPS` has them."""
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """What is in the files that are posted, by name."""


@functools.cache
def attempts() -> tuple[Attempt, ...]:
    """All of them, class by class. Raises `ValueError` for one that says too little, or what nobody understands."""
    found = tuple(attempt for kind in CLASSES for attempt in read(FOLDER / f"{kind}.toml"))
    keys = [attempt.key for attempt in found]
    if twice := {key for key in keys if keys.count(key) > 1}:
        raise ValueError(f"There are several attempts with the id {', '.join(sorted(twice))}; each needs its own.")
    return found


def read(path: Path) -> list[Attempt]:
    """The attempts of one file."""
    return [made(path.stem, table) for table in tomllib.loads(path.read_text(encoding="utf-8")).get("attempt", [])]


def made(kind: str, table: Mapping[str, Any]) -> Attempt:
    """One attempt from its table."""
    key = table.get("id", "(no id)")
    if unknown := set(table) - _KNOWN:
        raise ValueError(f"{kind}: {key} says {', '.join(sorted(unknown))}; known are {', '.join(sorted(_KNOWN))}.")
    for name in ("id", "title", "steps", "must", "never"):
        if not table.get(name):
            raise ValueError(f"{kind}: {key} has no {name}; without it nothing would be proved.")
    return Attempt(
        key=table["id"],
        kind=kind,
        title=table["title"],
        setup=table.get("setup", "plain"),
        files=table.get("files", {}),
        steps=lines(table["steps"]),
        must=tuple(table["must"]),
        never=tuple(table["never"]),
    )


def lines(steps: str) -> tuple[str, ...]:
    """One step a line; a line that is set in goes on with the step before it."""
    found: list[str] = []
    for line in steps.strip().splitlines():
        if line.startswith("  ") and found:
            found[-1] += "\n" + line.strip()
        elif line.strip():
            found.append(line.strip())
    return tuple(found)
