"""The way to a Postgres, which can be cut, mended, or made to lose the next answer; on a socket of its own."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

_PIECE: Final = 65_536


class Proxy:
    """Passes everything on, until it is cut: then connections break, and new ones break as soon as they are made."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._losing: bytes | None = None
        self.is_cut = False
        self.refused = asyncio.Event()
        """Set when somebody tried to connect while it was cut."""
        self.lost = 0
        """Answers that were swallowed."""

    def cut(self) -> None:
        """Break every connection, and every new one, until `mend`."""
        self.is_cut = True
        self.refused.clear()
        for writer in self._open:
            writer.transport.abort()

    def mend(self) -> None:
        """Let everybody through again."""
        self.is_cut = False

    def lose_next_answer(self, holding: bytes = b"") -> None:
        """Let the next request through, and cut when the server's answer to it comes: done, but nobody was told.

        The next that holds these bytes, of a row: those before it may tell of what was prepared.
        """
        self._losing = holding

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        if self.is_cut:
            self.refused.set()
            writer.transport.abort()
            return
        there, here = await asyncio.open_unix_connection(self._target)
        self._open |= {writer, here}
        passing = [asyncio.create_task(self._pass(reader, here)), asyncio.create_task(self._back(there, writer))]
        self._tasks |= {*passing}
        await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, here):
            end.transport.abort()
        await asyncio.wait(passing)
        self._tasks -= {*passing}
        self._open -= {writer, here}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while piece := await reader.read(_PIECE):
                writer.write(piece)
                await writer.drain()

    async def _back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while piece := await reader.read(_PIECE):
                if self._losing is not None and self._losing in piece:
                    self._losing = None
                    self.lost += 1
                    self.cut()
                    return
                writer.write(piece)
                await writer.drain()

    async def settle(self) -> None:
        """Wait until nothing is carried any more."""
        self.cut()
        if self._tasks:
            await asyncio.wait(self._tasks)


@contextlib.asynccontextmanager
async def proxied(dsn: str) -> AsyncGenerator[tuple[str, Proxy]]:
    """The address of the same database by way of a proxy, and the proxy."""
    parts = urlsplit(dsn)
    place = parse_qs(parts.query)
    host, port = place["host"][0], place["port"][0]
    name = f".s.PGSQL.{port}"
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-proxy-") as folder:
        proxy = Proxy(Path(host) / name)
        listening = await asyncio.start_unix_server(proxy.join, Path(folder) / name)
        try:
            yield urlunsplit(parts._replace(query=urlencode({"host": folder, "port": port}))), proxy
        finally:
            listening.close()
            await proxy.settle()
