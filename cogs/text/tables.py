"""Draws Markdown's tables as blocks of code with aligned columns, as Discord draws none; pure, linear in the text."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from bot.text import markdown

GAP: Final = "  "
"""Between two columns."""
WIDEST: Final = 40
"""Columns of a screen to which cells are filled up; what is longer juts out, so that one long cell costs no room."""
MOST_GROWN: Final = 4
"""How many times as long a table may become; one so uneven that it would mostly show room stays as it is typed."""
_BAR: Final = re.compile(r"(?<!\\)\|")
_RULE: Final = re.compile(r":?-+:?")
_EMPHASIS: Final = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*|`([^`]+)`")
"""Marks that a block of code would show as they are typed."""
_OF_RULE: Final = frozenset("|:- \t")
_WITHOUT_WIDTH: Final = frozenset({"Mn", "Me", "Cf"})
"""Marks that stand over the letter before, and what is not seen."""
_FENCE: Final = "```"

_Line = str | None
"""A line of the text; none where it is part of a fence."""
_Fill = Callable[[str, int], str]


def drawn(text: str, *, is_growing: bool = False) -> str:
    """The text with a block of code in place of each table; what stands in fences is left alone.

    While it is growing, a last line that may yet become part of a table is left out, so that none is ever seen as it
    is typed.
    """
    if "|" not in text:
        return text
    whole = markdown.closed(text)
    lines = whole.split("\n")
    bare = _outside_fences(whole, lines)
    return "\n".join(_pieces(lines, bare, is_growing=is_growing))


def _outside_fences(text: str, lines: Sequence[str]) -> list[_Line]:
    """The lines, without those of fences."""
    beyond = (len(text) + 1, len(text) + 1)
    fences = iter([(item.start, item.end) for item in markdown.code(text) if item.is_fence])
    start, end = next(fences, beyond)
    bare: list[_Line] = []
    at = 0
    for line in lines:
        while end <= at:
            start, end = next(fences, beyond)
        bare.append(line if at + len(line) < start else None)
        at += len(line) + 1
    return bare


def _pieces(lines: Sequence[str], bare: Sequence[_Line], *, is_growing: bool) -> Iterator[str]:
    at = 0
    while at < len(lines):
        end = _end(bare, at)
        if end > at:
            yield _block(lines[at:end])
            at = end
            if is_growing and _may_be_row(bare, at, like=lines[end - 1]):
                return
        elif is_growing and _may_be_head(bare, at):
            return
        else:
            yield lines[at]
            at += 1


def _end(bare: Sequence[_Line], at: int) -> int:
    """Where the table ends that begins with this line; there, where none does."""
    head, rule = bare[at], bare[at + 1] if at + 1 < len(bare) else None
    if not head or not rule or "|" not in head or "|" not in rule or not _OF_RULE.issuperset(rule):
        return at
    rules = _cells(rule)
    if len(rules) != len(_cells(head)) or not all(map(_RULE.fullmatch, rules)):
        return at
    end = at + 2
    while end < len(bare) and "|" in (bare[end] or ""):
        end += 1
    # Nothing closes a block but its own fence.
    return at if any(_FENCE in (line or "") for line in bare[at:end]) else end


def _may_be_head(bare: Sequence[_Line], at: int) -> bool:
    """Whether the text ends with this line, or the one after it, and a table may be about to begin."""
    line, following = bare[at], bare[at + 1 : at + 2]
    begins = line is not None and line.lstrip().startswith("|") and at >= len(bare) - 2
    return begins and all(rule is not None and _OF_RULE.issuperset(rule) for rule in following)


def _may_be_row(bare: Sequence[_Line], at: int, *, like: str) -> bool:
    """Whether the text ends with this line, behind a table, that lacks only its first bar."""
    line = bare[at] if at == len(bare) - 1 else None
    return bool(line and line.strip()) and not like.lstrip().startswith("|")


def _block(lines: Sequence[str]) -> str:
    """A table as a block of code."""
    head, rule, *rows = map(_cells, lines)
    fills = [_fill(cell) for cell in rule]
    words = [[_plain(cell) for cell in row] for row in (head, *rows)]
    widths = [0] * max(map(len, words))
    for row in words:
        for column, cell in enumerate(row):
            if (width := _width(cell)) <= WIDEST:
                widths[column] = max(widths[column], width)
    made = [_aligned(row, widths, fills) for row in words]
    made.insert(1, GAP.join("─" * width for width in widths[: len(head)]))
    if sum(map(len, made)) > MOST_GROWN * sum(map(len, lines)):
        made = list(lines)
    return "\n".join([_FENCE, *made, _FENCE])


def _cells(line: str) -> list[str]:
    cells = [cell.strip() for cell in _BAR.split(line.strip())]
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return cells


def _plain(cell: str) -> str:
    """A cell without the marks that only Markdown reads."""
    return _EMPHASIS.sub(lambda found: found[1] or found[2], cell).replace("\\|", "|")


def _aligned(row: Sequence[str], widths: Sequence[int], fills: Sequence[_Fill]) -> str:
    filled = [
        fills[column](cell, widths[column] - _width(cell)) if column < len(fills) else cell
        for column, cell in enumerate(row)
    ]
    return GAP.join(filled).rstrip()


def _fill(rule: str) -> _Fill:
    """How the cells of a column are filled up with so much room, by what stands under its head."""
    return _FILLS[rule.startswith(":"), rule.endswith(":")]


def _to_left(cell: str, room: int) -> str:
    return cell + " " * room


def _to_right(cell: str, room: int) -> str:
    return " " * room + cell


def _to_middle(cell: str, room: int) -> str:
    return " " * (room // 2) + cell + " " * (room - room // 2)


_FILLS: Final[Mapping[tuple[bool, bool], _Fill]] = {
    (False, False): _to_left,
    (True, False): _to_left,
    (False, True): _to_right,
    (True, True): _to_middle,
}


def _width(text: str) -> int:
    """How many columns of a screen a text takes in type of one width."""
    if text.isascii():
        return len(text)
    shown = (one for one in text if unicodedata.category(one) not in _WITHOUT_WIDTH)
    return sum(1 + (unicodedata.east_asian_width(one) in "WF") for one in shown)
