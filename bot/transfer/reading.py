"""Reads an export file line by line, and reports what is wrong with it, and where."""

import contextlib
import json
import re
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from pydantic import ValidationError

from bot import errors
from bot.text.sanitize import counted
from bot.transfer import records

STANDARD: Final = Path("-")
LONGEST_LINE: Final = 64 * 2**20
"""Bytes; far above any message, so that a file of one endless line is refused and not read."""
# An escaped NUL, but not the escaped backslash of somebody who wrote about one.
_NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


class Reader:
    """An export file being read; what it yields was checked, and the end is reached only by a whole file."""

    def __init__(self, file: Path, source: BinaryIO) -> None:
        self._file = file
        self._source = source
        self._counts: Counter[str] = Counter()
        self.line = 0
        """The number of the line read last."""
        self.size = 0
        """Its bytes."""
        self.header = self._header()

    def checked(self) -> Iterator[tuple[int, records.Record]]:
        """Every record with the number of its line. Raises `TransferError`."""
        while raw := self._next():
            record = self._parsed(raw)
            if isinstance(record, records.End):
                return self._check_end(record)
            if self.line == 2 and record.kind != "space":
                raise self._wrong("the space must come right after the header")
            if self.line > 2 and record.kind == "space":
                raise self._wrong("there is a second space")
            self._counts[record.kind] += 1
            yield self.line, record
        raise errors.TransferError(
            f"{self._file} ends after line {self.line} without an end line: it was cut off; export it again."
        )

    def _header(self) -> records.Header:
        raw = self._next()
        if not raw:
            raise errors.TransferError(f"{self._file} is empty.")
        try:
            return records.Header.model_validate_json(raw)
        except ValidationError as exc:
            version = _version(raw)
            if version is None:
                raise errors.TransferError(f"{self._file} is not a file that `hathi export` wrote.") from None
            if version == records.VERSION:
                raise self._wrong(_reason(exc)) from None
            raise errors.TransferError(
                f"{self._file} has format {version}, and this version of Hathi reads format {records.VERSION}."
            ) from None

    def _parsed(self, raw: bytes) -> records.Record | records.End:
        if _NUL.search(raw):
            raise self._wrong("it holds a NUL character, which can't be kept")
        try:
            return records.LINE.validate_json(raw)
        except ValidationError as exc:
            cut = not raw.endswith(b"\n")
            raise self._wrong("the file was cut off in it; export it again" if cut else _reason(exc)) from None

    def _check_end(self, end: records.End) -> None:
        if end.lines != self.line:
            raise self._wrong(f"the file had {counted(end.lines, 'line')} when it was written, and now has {self.line}")
        for kind in records.KINDS:
            if self._counts[kind] != self.header.counts.get(kind, 0):
                promised = self.header.counts.get(kind, 0)
                raise self._wrong(
                    f"the header says {counted(promised, 'line')} of kind {kind}, and not {self._counts[kind]}"
                )
        if self._next():
            raise self._wrong("it comes after the end line")

    def _next(self) -> bytes:
        try:
            raw = self._source.readline(LONGEST_LINE)
        except OSError as exc:
            # Not left to the database's transaction, which would take it for its own.
            raise errors.TransferError(f"{self._file} can't be read: {exc.strerror or exc}.") from exc
        self.line += bool(raw)
        self.size = len(raw)
        if len(raw) == LONGEST_LINE:
            raise self._wrong(f"it is longer than {LONGEST_LINE // 2**20} MB")
        return raw

    def _wrong(self, what: str) -> errors.TransferError:
        return errors.TransferError(f"{self._file}, line {self.line}: {what}; nothing was imported.")


@contextlib.contextmanager
def opened(file: Path) -> Generator[Reader]:
    """The file, or standard input for `-`. Raises `TransferError`."""
    if file == STANDARD:
        yield Reader(Path("standard input"), sys.stdin.buffer)
        return
    try:
        source = file.open("rb")
    except OSError as exc:
        raise errors.TransferError(f"{file} can't be read: {exc.strerror or exc}.") from exc
    with source:
        yield Reader(file, source)


def _version(raw: bytes) -> Any:
    """What the line says of its format; none when it is not a header of ours."""
    with contextlib.suppress(ValueError, RecursionError):
        line = json.loads(raw)
        if isinstance(line, dict):
            return line.get("hathi_export")
    return None


def _reason(exc: ValidationError) -> str:
    """The first thing wrong: where it is and what it must be; what stands there may be anybody's words."""
    error = exc.errors(include_url=False, include_input=False)[0]
    match error["type"]:
        case "union_tag_invalid":
            return "there is no such kind of line"
        case "union_tag_not_found":
            return "it says no kind"
        case "json_invalid":
            return "it is not JSON"
        case _:
            # The kind of line is part of pydantic's place, and said by the line itself.
            place = ".".join(str(part) for part in error["loc"][1:])
            text = error["msg"][:1].lower() + error["msg"][1:]
            return f"{place}: {text}" if place else text
