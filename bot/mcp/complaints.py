"""Takes what a server writes on standard error into the log, within bounds: before it is called, and so many lines."""

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, Callable, Collection
from typing import Final, TextIO

from bot import log
from bot.text import sanitize

_log = log.logger(__name__)

MOST_LINES: Final = 50
"""Of one start; later ones are counted."""
_LONGEST_LINE: Final = 300
_AT_ONCE: Final = 4096
_SHORTEST_SECRET: Final = 4


class Complaints:
    """What one start of a server says.

    Once a tool is called its lines may hold what people wrote, which never reaches the log: from then on they are
    counted.
    """

    def __init__(self, server: str, secrets: Collection[str], ended: Callable[[], None] = lambda: None) -> None:
        self._server = server
        self._secrets = [secret for secret in secrets if len(secret) >= _SHORTEST_SECRET]
        self._ended = ended
        self._is_private = False
        self._lines = 0
        self.left_out = 0
        """Lines that were only counted."""
        self.last = ""
        """The last that was logged."""

    def hush(self) -> None:
        """From now on lines may hold what people wrote."""
        self._is_private = True

    def masked(self, text: str) -> str:
        """The text without what the server was given to keep secret."""
        for secret in self._secrets:
            text = text.replace(secret, "[dropped]")
        return text

    @contextlib.asynccontextmanager
    async def heard(self) -> AsyncGenerator[TextIO]:
        """What a program is to write to. It may be closed here once the program has it."""
        reading, writing = os.pipe()
        reader = asyncio.StreamReader()
        with os.fdopen(writing, "w", encoding="utf-8") as given:
            transport, _ = await asyncio.get_running_loop().connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reading, "rb", buffering=0)
            )
            listening = asyncio.create_task(self._listen(reader))
            try:
                yield given
            finally:
                given.close()
                transport.close()
                listening.cancel()
                await asyncio.wait({listening})

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        line = b""
        while piece := await reader.read(_AT_ONCE):
            *whole, rest = piece.split(b"\n")
            for each in whole:
                self._take(line + each)
                line = b""
            line = (line + rest)[:_AT_ONCE]
        self._take(line)
        self._ended()

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        if self._is_private or self._lines >= MOST_LINES:
            self.left_out += 1
            return
        text = sanitize.one_line(self.masked(sanitize.visible(line.decode(errors="replace"))), _LONGEST_LINE)
        self._lines += 1
        self.last = text
        _log.info("mcp.stderr", server=self._server, line=text)
