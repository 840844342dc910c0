"""Reads the rows of a MySQL or MariaDB dump: what its INSERT statements write, a row at a time.

Of SQL only what dumps consist of is read: quoted names, strings with their escapes, numbers, NULL, comments.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from bot import errors

BLOCK: Final = 2**18
"""Characters read at a time."""
LONGEST: Final = 2**26
"""Characters of one value; as much as MySQL writes in a statement."""
Value = str | int | float | None
_LONGEST_NUMBER: Final = 20
"""Signs of a whole number of 64 bits."""
_TOKEN: Final = re.compile(
    r"""(?P<blank>\s++|--(?=\s)[^\n]*+\n|\#[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)"""
    r"""|(?P<string>(?:_\w++\s*+|[nNxX])?'(?:[^'\\]|\\.|'')*+'|"(?:[^"\\]|\\.|"")*+")"""
    r"""|(?P<quoted>`(?:[^`]|``)*+`)"""
    r"""|(?P<number>[-+]?(?:0x[0-9A-Fa-f]++|\d++(?:\.\d*+)?(?:[eE][-+]?\d++)?))"""
    r"""|(?P<word>\w++)|(?P<sign>(?!--(?:\s|\Z)|/\*)[^\w\s'"`#])""",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(.)|''|\"\"", re.DOTALL)
_ESCAPED: Final = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}
_KEYS: Final = frozenset({"PRIMARY", "UNIQUE", "KEY", "INDEX", "CONSTRAINT", "FULLTEXT", "SPATIAL", "FOREIGN", "CHECK"})
"""What begins a part of a CREATE TABLE that is no column."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str

    @property
    def word(self) -> str:
        """A keyword, in capitals; empty for anything else."""
        return self.text.upper() if self.kind == "word" else ""


class MysqlDump:
    """A dump being read. Raises `TransferError` where it is cut."""

    def __init__(self, source: TextIO, file: Path) -> None:
        self._tokens = _tokens(source, file)
        self._file = file
        self._columns: dict[str, tuple[str, ...]] = {}
        self.tables: dict[str, None] = {}
        """Every table that is made or written to, as far as it was read."""

    def rows(self) -> Iterator[tuple[str, tuple[str, ...], tuple[Value, ...]]]:
        """The table, its columns as far as the dump names them, and the values of each row that is written."""
        for token in self._tokens:
            match token.word:
                case "INSERT" | "REPLACE":
                    yield from self._inserted()
                case "CREATE":
                    self._created()
                case _:
                    self._skip(token)

    def _inserted(self) -> Iterator[tuple[str, tuple[str, ...], tuple[Value, ...]]]:
        token = self._next()
        while token.word in {"INTO", "IGNORE", "LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY"}:
            token = self._next()
        table, token = self._name(token)
        self.tables[table] = None
        columns = self._columns.get(table, ())
        if token.text == "(":
            columns = tuple(str(each) for each in self._list())
            token = self._next()
        if token.word not in {"VALUES", "VALUE"}:
            self._skip(token)
            return
        while self._next().text == "(":
            yield table, columns, self._list()
            if (token := self._next()).text != ",":
                self._skip(token)
                return

    def _created(self) -> None:
        """Notes the columns of a table in their order."""
        if (token := self._next()).word != "TABLE":
            self._skip(token)
            return
        token = self._next()
        while token.word in {"IF", "NOT", "EXISTS"}:
            token = self._next()
        table, token = self._name(token)
        self.tables[table] = None
        columns, depth, begins = list[str](), 0, False
        while token.text != ";" or token.kind == "string":
            if token.kind == "sign":
                depth += {"(": 1, ")": -1}.get(token.text, 0)
                begins = depth == 1 and token.text in "(,"
            else:
                if begins and token.word not in _KEYS:
                    columns.append(_plain(token))
                begins = False
            token = self._next()
        self._columns[table] = tuple(columns)

    def _name(self, token: _Token) -> tuple[str, _Token]:
        """A table's name without its database, and what comes after it."""
        name, token = _plain(token), self._next()
        while token.text == ".":
            name, token = _plain(self._next()), self._next()
        return name, token

    def _list(self) -> tuple[Value, ...]:
        """The values up to the closing bracket; of a call, such as `now()`, nothing."""
        values, current, depth = list[Value](), list[Value](), 0
        while True:
            token = self._next()
            if token.kind == "sign" and token.text in "(),":
                if depth == 0 and token.text in "),":
                    values.append(current[0] if len(current) == 1 else None)
                    current = []
                    if token.text == ")":
                        return tuple(values)
                depth += {"(": 1, ")": -1}.get(token.text, 0)
            elif depth == 0:
                current.append(_value(token))

    def _skip(self, token: _Token) -> None:
        """To the end of the statement."""
        while token.text != ";" or token.kind != "sign":
            found = next(self._tokens, None)
            if found is None:
                return
            token = found

    def _next(self) -> _Token:
        token = next(self._tokens, None)
        if token is None:
            raise errors.TransferError(
                f"{self._file} ends in the middle of a statement: the dump was cut; make it again."
            )
        return token


def _tokens(source: TextIO, file: Path) -> Iterator[_Token]:
    text, at, is_over, block = "", 0, False, BLOCK
    while True:
        found = _TOKEN.match(text, at)
        # What reaches the end may go on in the next block.
        if (found is None or found.end() == len(text)) and not is_over:
            if len(text) - at > LONGEST:
                raise errors.TransferError(f"{file} holds a value of more than {LONGEST // 2**20} MB: it is no dump.")
            try:
                more = source.read(block)
            except OSError as exc:
                raise errors.TransferError(f"{file} can't be read: {exc.strerror or exc}.") from exc
            text, at, is_over = text[at:] + more, 0, not more
            block *= 2
            continue
        if found is None:
            if at < len(text):
                raise errors.TransferError(f"{file} ends in the middle of a value: the dump was cut; make it again.")
            return
        block, at = BLOCK, found.end()
        if found.lastgroup != "blank":
            yield _Token(str(found.lastgroup), found[0])


def _plain(token: _Token) -> str:
    return token.text[1:-1].replace("``", "`") if token.kind == "quoted" else token.text


def _value(token: _Token) -> Value:
    match token.kind:
        case "string":
            opening = min(at for mark in "'\"" if (at := token.text.find(mark)) >= 0)
            mark, text = token.text[opening], token.text[opening + 1 : -1]
            return _ESCAPE.sub(lambda found: _unescaped(found, mark), text)
        case "number":
            return _number(token.text)
        case "quoted":
            return _plain(token)
        case _:
            return None if token.word == "NULL" else token.text


def _unescaped(found: re.Match[str], mark: str) -> str:
    """The sign behind a backslash, or the one of two marks that ends no string of such marks."""
    if found[1]:
        return _ESCAPED.get(found[1], found[1])
    return mark if found[0][0] == mark else found[0]


def _number(text: str) -> Value:
    if text.lstrip("+-")[:2].lower() == "0x":
        return text
    is_whole = len(text) <= _LONGEST_NUMBER and text.lstrip("+-").isdigit()
    return int(text) if is_whole else float(text)
