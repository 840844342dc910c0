"""Counts what of a store comes, what not and why, and tells it as a table; pure."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.text import sanitize
from bot.text.sanitize import counted

COME: Final = "new"
JOINED: Final = "the same as a memory here: joined with it"
HERE: Final = "here already"
FORGOTTEN: Final = "forgotten or erased here: it does not come back"
TWICE: Final = 3
"""Places of a reason that are named."""
_WIDTH: Final = 60


@dataclass
class Tally:
    """What became of all that was found."""

    name: str
    """What the store is."""
    lands_in: tuple[str, ...] = ()
    """The channels."""
    names: tuple[str, ...] = ()
    """Channels that it names, and that it does not land in."""
    is_written: bool = False
    came: Counter[str] = field(default_factory=Counter[str])
    """By kind."""
    joined: Counter[str] = field(default_factory=Counter[str])
    left: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """By kind and why."""
    places: dict[tuple[str, str], list[str]] = field(default_factory=dict[tuple[str, str], list[str]])
    """Where the first of each stand in the file."""
    since: datetime | None = None
    until: datetime | None = None
    """When the messages that come were said."""

    def leave(self, kind: str, why: str, place: str) -> None:
        """Counts one that does not come."""
        self.left[kind, why] += 1
        places = self.places.setdefault((kind, why), [])
        if len(places) < TWICE:
            # Of a folder it is the name of a file, which may be any signs.
            places.append(sanitize.one_line(sanitize.shown(place)))

    def come(self, kind: str, at: datetime | None = None) -> None:
        """Counts one that comes; of a message, when it was said."""
        self.came[kind] += 1
        if at is not None:
            self.since = at if self.since is None else min(self.since, at)
            self.until = at if self.until is None else max(self.until, at)

    def told(self) -> str:
        """The table, a line each: how many, of what, what becomes of it or why not, and where the first stand."""
        rows = [(number, kind, self._when(kind), "") for kind, number in self.came.items()]
        rows += [(number, kind, JOINED, "") for kind, number in self.joined.items()]
        rows += [
            (number, kind, f"not: {why}", self._where(kind, why))
            for (kind, why), number in sorted(self.left.items(), key=lambda each: (each[0][0], -each[1], each[0][1]))
        ]
        head = f"{sanitize.one_line(sanitize.shown(self.name))} -> {', '.join(self.lands_in) or 'nowhere'}"
        if self.names:
            head = f"{head}, and not in what it names: {', '.join(self.names)}"
        if not rows:
            return f"{head}\nThere is nothing in it."
        told = [(counted(number, kind), what, where) for number, kind, what, where in rows]
        first, second = max(len(row[0]) for row in told), min(_WIDTH, max(len(row[1]) for row in told))
        lines = [f"  {many:>{first}}  {what:<{second}}  {where}".rstrip() for many, what, where in told]
        return "\n".join([head, *lines])

    def _when(self, kind: str) -> str:
        if kind != "message" or self.since is None or self.until is None:
            return COME
        return f"{COME}, said {self.since:%Y-%m-%d} to {self.until:%Y-%m-%d}"

    def _where(self, kind: str, why: str) -> str:
        places = self.places.get((kind, why), [])
        more = ", …" if self.left[kind, why] > len(places) else ""
        return "" if why == HERE else f"({', '.join(places)}{more})"
