"""Finds where a text may be cut, and ranks the cuts; one pass, linear in its length."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import IntEnum
from itertools import accumulate
from typing import Final

from bot.text import markdown
from bot.text.markdown import Code

_GAP: Final = re.compile(r"\s+")
_MARKER: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_SENTENCE_END: Final = re.compile(r"[.!?…][\"'”’»)\]*_]{0,8}$")  # noqa: RUF001 - as people type it
_FULL_WIDTH_END: Final = re.compile(r"(?<![。！？])[。！？]+[」』）”’\"]*")  # noqa: RUF001 - full-width marks are meant
_LINE_MARK: Final = re.compile(r"^[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)]|\#{1,3}|-\#|>)[ \t]+)\S", re.MULTILINE)
"""What gives a line its form is never parted from the line's first character."""


class BreakKind(IntEnum):
    """The kinds of breaks, the strongest first."""

    PARAGRAPH = 0
    LINE = 1
    INNER_ITEM = 2
    """Of a list in an item of another."""
    LINE_OF_ITEM = 3
    SENTENCE = 4
    WORD = 5
    EDGE = 6
    """Of something that must not be broken and touches what stands beside it."""


class Breaks:
    """The breaks of one text for one limit; each stands behind a character that is no white space, but for edges."""

    def __init__(self, text: str, limit: int) -> None:
        self._text = text
        self._limit = limit
        # Entry i: the UTF-16 code units before character i.
        self._before = [0, *accumulate(2 if character > "\uffff" else 1 for character in text)]
        codes = markdown.code(text)
        # Code too long for one part is broken: closed where a part ends, opened again in the next.
        self._broken = [item for item in codes if self.units(item.start, item.end) > limit and self._can_break(item)]
        self._broken_starts = [item.start for item in self._broken]
        self._atoms = list(self._whole(codes))
        self._atom_starts = [start for start, _ in self._atoms]
        found: dict[int, BreakKind] = {}
        for position, kind in self._candidates():
            found[position] = min(kind, found.get(position, kind))
        self._upto = [sorted(position for position, its in found.items() if its <= kind) for kind in BreakKind]

    def units(self, start: int, end: int) -> int:
        """UTF-16 code units between two positions."""
        return self._before[end] - self._before[start]

    def reach(self, at: int, room: int) -> int:
        """The furthest position at most `room` code units away."""
        return bisect_right(self._before, self._before[at] + room) - 1

    def last(self, kind: BreakKind, reach: int) -> tuple[int, int]:
        """The last break of a kind, or a stronger one, up to a position (0 if none), and the next such break."""
        positions = self._upto[kind]
        at = bisect_right(positions, reach)
        following = positions[at] if at < len(positions) else len(self._text)
        return (positions[at - 1] if at else 0), following

    def broken_at(self, position: int) -> Code | None:
        """The broken code around a position."""
        at = bisect_left(self._broken_starts, position) - 1
        return self._broken[at] if at >= 0 and position < self._broken[at].end else None

    def _can_break(self, item: Code) -> bool:
        """Whether its marks leave room for what it holds."""
        return 4 * (len(item.opening) + len(item.closing)) <= self._limit

    def _whole(self, codes: list[Code]) -> Iterator[tuple[int, int]]:
        """Spans that must not be cut, merged where they overlap; none longer than the limit, none in broken code."""
        spans = sorted(
            [
                *((item.start, item.end) for item in codes),
                *(found.span() for found in markdown.ATOM.finditer(self._text)),
                *(found.span() for found in _LINE_MARK.finditer(self._text)),
            ]
        )
        merged: list[tuple[int, int]] = []
        for start, end in spans:
            if self._touches_broken(start, end):
                continue
            if merged and start < merged[-1][1]:
                merged[-1] = merged[-1][0], max(end, merged[-1][1])
            else:
                merged.append((start, end))
        return (span for span in merged if self.units(*span) <= self._limit)

    def _touches_broken(self, start: int, end: int) -> bool:
        at = bisect_left(self._broken_starts, end) - 1
        return at >= 0 and start < self._broken[at].end

    def _candidates(self) -> Iterator[tuple[int, BreakKind]]:
        for found in _GAP.finditer(self._text):
            position = found.start()
            broken = self.broken_at(position)
            if broken:
                if broken.first < position and found.end() < broken.last:
                    yield position, BreakKind.LINE if "\n" in found.group() else BreakKind.WORD
            elif position and not self._is_inside(position):
                yield position, self._kind(found)
        for found in _FULL_WIDTH_END.finditer(self._text):
            if not self.broken_at(found.end()) and not self._is_inside(found.end()):
                yield found.end(), BreakKind.SENTENCE
        for span in [*self._atoms, *((item.start, item.end) for item in self._broken)]:
            yield from ((position, BreakKind.EDGE) for position in span)

    def _kind(self, gap: re.Match[str]) -> BreakKind:
        lines = gap.group().count("\n")
        if lines and not gap.group().endswith("\n"):
            # What is indented belongs to an item, after a blank line too.
            return BreakKind.INNER_ITEM if _MARKER.match(self._text, gap.end()) else BreakKind.LINE_OF_ITEM
        if lines:
            return BreakKind.PARAGRAPH if lines > 1 else BreakKind.LINE
        before = self._text[max(0, gap.start() - 10) : gap.start()]
        return BreakKind.SENTENCE if _SENTENCE_END.search(before) else BreakKind.WORD

    def _is_inside(self, position: int) -> bool:
        """Whether a cut there would break something that must stay whole."""
        at = bisect_left(self._atom_starts, position) - 1
        return at >= 0 and position < self._atoms[at][1]
