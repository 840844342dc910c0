"""Lays out what the terminal shows: words wrapped at the screen's width, and Markdown drawn; pure.

A line of a reply that is indented is somebody's own words, or a command to copy, and stays as it was written.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich import markdown
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

_INDENTED: Final = re.compile(r"[ ]{2}")
_ITEM: Final = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ ]")
_NAME: Final = r"[^\s|]{1,24}(?<![.,:;!?])[ ]{2,24}(?=\S)"
"""What stands in a column of its own before what is said of it."""
_NAMED: Final = re.compile(_NAME)
_HANGING: Final = re.compile(rf"[ ]{{0,40}}(?:[-*+\u2022][ ]|[0-9]{{1,9}}[.)][ ]|{_NAME})?")
_FENCE: Final = ("```", "~~~")
_NARROWEST: Final = 16
"""Columns that a hanging indent leaves to the words, however narrow the screen is."""
_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"]).disable("code")


class Wrapped:
    """Text as it was written, each line wrapped between words; what is wrapped stands under where its line begins.

    A word that is longer than a line is left whole, to be copied.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines; print them without `crop`."""
        for line in self._text.split("\n"):
            for piece in wrapped(line, options.max_width):
                yield Text(piece, no_wrap=True, overflow="ignore")


class Answered:
    """A reply, with its Markdown drawn and its line breaks kept."""

    def __init__(self, text: str) -> None:
        self._parts: list[Wrapped | _Columns | _Drawn] = [kind(part) for part, kind in _parts(text)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines of all its parts; print them without `crop`."""
        for part in self._parts:
            if not isinstance(part, _Drawn):
                yield part
                continue
            lines = console.render_lines(part, options, pad=False)
            # Rich puts a blank line before a list and a table, whatever stands before it.
            for line in itertools.dropwhile(_is_blank, lines):
                yield from line
                yield Segment.line()


def wrapped(line: str, columns: int) -> list[str]:
    """The line in pieces that fit, cut between words."""
    found = _HANGING.match(line)
    hanging = min(len(found[0]) if found else 0, max(0, columns - _NARROWEST))
    pieces, room = [line[:hanging]], columns - hanging
    for at, word in enumerate(line[hanging:].split(" ")):
        size = cell_len(word) + (at > 0)
        if size > room and room < columns - hanging:
            pieces.append(" " * hanging + word)
            room = columns - hanging - cell_len(word)
        else:
            pieces[-1] += " " * (at > 0) + word
            room -= size
    return [piece.rstrip() for piece in pieces]


def blocks(text: str) -> list[str]:
    """The text in pieces that can be drawn one by one: cut after the blank lines between paragraphs, lists and code.

    Joined they are the text. However it goes on, all but the last stay as they are.
    """
    found, is_code, is_after_blank = [""], False, False
    for line in text.splitlines(keepends=True):
        is_blank = not line.strip()
        if is_after_blank and not is_blank and not is_code and not line[0].isspace():
            found.append("")
        is_code ^= line.lstrip().startswith(_FENCE)
        is_after_blank = is_blank
        found[-1] += line
    return found


def _is_blank(line: Sequence[Segment]) -> bool:
    return not any(segment.text.strip() for segment in line)


def _parts(text: str) -> "Iterator[tuple[str, type[Wrapped | _Columns | _Drawn]]]":
    """The text in runs of lines, each with what it is to be shown as."""
    is_code = is_list = False

    def kind(line: str) -> type[Wrapped | _Columns | _Drawn]:
        nonlocal is_code, is_list
        if line.lstrip().startswith(_FENCE):
            is_code = not is_code
            return _Drawn
        if line and not line[0].isspace():
            is_list = _ITEM.match(line) is not None
        if is_code or is_list:
            return _Drawn
        return Wrapped if _INDENTED.match(line) else _Columns if _NAMED.match(line) else _Drawn

    for each, lines in itertools.groupby(text.split("\n"), kind):
        yield "\n".join(lines), each


class _Columns:
    """Names, and beside them what is said of each."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Two columns."""
        columns = Table.grid()
        columns.add_column(no_wrap=True)
        columns.add_column(overflow="fold")
        for line in self._lines:
            found = _NAMED.match(line)
            end = found.end() if found else 0
            columns.add_row(Text(line[:end]), _Drawn(line[end:]))
        yield columns


class _Heading(markdown.Heading):
    """A heading at the left, as everything else."""

    LEVEL_ALIGN: ClassVar = {}


class _Code(markdown.CodeBlock):
    """Code on the screen's own background, without a frame of blanks."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The code, coloured."""
        code = str(self.text).rstrip()
        yield Syntax(code, self.lexer_name, theme="ansi_dark", background_color="default", word_wrap=True)


class _Drawn(markdown.Markdown):
    """Markdown as people at a screen want it: line breaks kept, addresses in sight, and no HTML, which is text here."""

    elements: ClassVar = {**markdown.Markdown.elements, "heading_open": _Heading, "fence": _Code}

    def __init__(self, text: str) -> None:
        super().__init__("", hyperlinks=False, justify="default")
        self.parsed = _PARSER.parse(text)
        for token in self.parsed:
            token.children = [*_as_shown(token.children or ())] if token.children else token.children


def _as_shown(tokens: "list[Token] | tuple[()]") -> Iterator[Token]:
    """The tokens of a line: its breaks are kept, and an address that is its own text is not shown twice."""
    for token in tokens:
        if token.type == "softbreak":
            token.type = "hardbreak"
        if token.markup != "autolink":
            yield token
