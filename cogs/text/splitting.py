"""Splits a reply into messages that Discord accepts, where a reader would cut; loses only white space."""

from collections.abc import Iterator
from typing import Final

from bot.text import markdown
from cogs.text import graphemes
from cogs.text.breaks import BreakKind, Breaks

LIMIT: Final = 2000
"""UTF-16 code units Discord takes in one message."""


def split(text: str, limit: int = LIMIT) -> list[str]:
    """The parts of a text, each of at most `limit` UTF-16 code units and none of them blank.

    They end with a paragraph, else a line, a sentence or a word. A fence, list item, span of code, link, word, mention
    or grapheme is broken only when it alone is longer than the limit; code that is broken is closed and opened again.
    """
    whole = markdown.closed(text).rstrip()
    if not whole[:1].isspace() and _units(whole) <= limit:
        # Most replies are one message: nobody needs to know where it could be cut.
        return [whole] if whole else []
    return list(_Splitter(whole, limit).parts())


class _Splitter:
    """One text and where it may be cut."""

    def __init__(self, text: str, limit: int) -> None:
        self._text = text
        self._limit = limit
        self._breaks = Breaks(text, limit)

    def parts(self) -> Iterator[str]:
        """The parts in order."""
        at = self._past_blank(0)
        while at < len(self._text):
            broken = self._breaks.broken_at(at)
            opening = broken.opening if broken else ""
            room = self._limit - _units(opening)
            cut = len(self._text) if self._reach(at, room) == len(self._text) else self._cut(at, room)
            left_open = self._breaks.broken_at(cut)
            yield opening + self._text[at:cut].rstrip() + (left_open.closing if left_open else "")
            at = self._past_blank(cut)

    def _cut(self, at: int, room: int) -> int:
        """Where the part that begins at `at` ends: at the strongest break in reach that leaves no needless stump."""
        reach = self._reach(at, room)
        broken = self._breaks.broken_at(reach)
        if broken:
            # What closes the code needs room as well, unless the cut comes before it.
            reach = max(self._reach(at, room - _units(broken.closing)), min(reach, broken.start))
        for kind in BreakKind:
            cut, following = self._breaks.last(kind, reach)
            if cut > at and (
                4 * self._breaks.units(at, cut) >= self._limit or self._breaks.units(cut, following) <= self._limit
            ):
                return cut
        return self._hard_cut(at, reach)

    def _hard_cut(self, at: int, reach: int) -> int:
        """Between two graphemes, in something longer than any message."""
        broken = self._breaks.broken_at(reach)
        if broken:
            content = len(self._text[: broken.last].rstrip())
            reach = min(reach, content - 1) if reach > broken.first or at >= broken.start else broken.start
        return graphemes.floor(self._text, at, max(reach, at + 1))

    def _past_blank(self, at: int) -> int:
        """Where the next part begins; the indentation of a line of code stays."""
        text = self._text
        start = at
        while start < len(text) and text[start].isspace():
            start += 1
        if at < start < len(text) and graphemes.extends(text[start]):
            return start - 1
        indent = text.rfind("\n", at, start) + 1
        in_code = self._breaks.broken_at(start)
        keeps_indent = in_code is not None and indent and 4 * self._breaks.units(indent, start) < self._limit
        return indent if keeps_indent else start

    def _reach(self, at: int, room: int) -> int:
        """How far `room` code units reach."""
        return self._breaks.reach(at, room)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)


def size(text: str) -> int:
    """UTF-16 code units."""
    return len(text.encode("utf-16-le", "replace")) // 2


def cut(text: str, limit: int) -> str:
    """The text without white space around it, ended by an ellipsis where it is longer than the limit."""
    text = text.strip()
    if size(text) <= limit:
        return text
    units = text.encode("utf-16-le", "replace")[: 2 * max(0, limit - 1)]
    return units.decode("utf-16-le", "ignore").rstrip() + "…" * (limit > 0)
