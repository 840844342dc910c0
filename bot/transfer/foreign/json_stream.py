"""Reads long JSON piece by piece: the fields of one object, the items of one list, never all of it at once."""

import json
from collections.abc import Iterator
from typing import Any, Final, TextIO

from bot import errors

BLOCK: Final = 2**18
"""Characters read at a time; twice as many each time one value is not whole."""
LONGEST: Final = 2**24
"""Characters of one value; far above any message."""
_BLANK: Final = " \t\r\n"
_decode: Final = json.JSONDecoder().raw_decode


class JsonStream:
    """A JSON text being read. Raises `TransferError` where it is not JSON, or ends too early."""

    def __init__(self, source: TextIO, name: str) -> None:
        self._source = source
        self._name = name
        self._text = ""
        self._at = 0
        self._before = 0
        self._is_over = False

    def fields(self) -> Iterator[str]:
        """The keys of the object that comes next; read its value before the next key."""
        self._take("{")
        while self.next_sign() != "}":
            key = self.value()
            self._take(":")
            yield str(key)
            if self.next_sign() == ",":
                self._at += 1
        self._at += 1

    def items(self) -> Iterator[Any]:
        """The values of the list that comes next."""
        self._take("[")
        while self.next_sign() != "]":
            yield self.value()
            if self.next_sign() == ",":
                self._at += 1
        self._at += 1

    def value(self) -> Any:
        """The value that comes next."""
        self.next_sign()
        block = BLOCK
        while True:
            try:
                found, end = _decode(self._text, self._at)
            except (ValueError, RecursionError) as exc:
                # Anything else is no matter of what is still to be read: nested too deep, a number without end.
                is_cut = isinstance(exc, json.JSONDecodeError)
                if self._is_over or len(self._text) - self._at > LONGEST or not is_cut:
                    raise self._wrong() from None
            else:
                # A number at the very end may go on in the next block.
                if end < len(self._text) or self._is_over:
                    self._at = end
                    return found
            self._read(block)
            block *= 2

    def next_sign(self) -> str:
        """The sign that comes next, which is left; empty at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _BLANK:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if self._is_over:
                raise self._wrong()
            self._read(BLOCK)

    def _take(self, sign: str) -> None:
        if self.next_sign() != sign:
            raise self._wrong()
        self._at += 1

    def _read(self, size: int) -> None:
        try:
            more = self._source.read(size)
        except OSError as exc:
            raise errors.TransferError(f"{self._name} can't be read: {exc.strerror or exc}.") from exc
        self._before += self._at
        self._text = self._text[self._at :] + more
        self._at = 0
        self._is_over = not more

    def _wrong(self) -> errors.TransferError:
        return errors.TransferError(
            f"{self._name} is no whole JSON: it breaks off at character {self._before + self._at}."
        )
