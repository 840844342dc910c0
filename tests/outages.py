"""A real Postgres that can be taken away and given back, for tests."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database


class Wire:
    """The way to a server: cut, every connection breaks and none is made; mended, all is as before.

    Clogged, nothing comes through, and nobody is told.
    """

    def __init__(self, target: Path, way: Path) -> None:
        self._target = target
        self._way = way
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._flows.set()

    async def mend(self) -> None:
        self._server = await asyncio.start_unix_server(self._join, self._way)

    def clog(self) -> None:
        self._flows.clear()

    def unclog(self) -> None:
        self._flows.set()

    async def cut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in set(self._open):
            writer.transport.abort()
        self._way.unlink(missing_ok=True)
        # Let the broken ends be noticed.
        for _ in range(10):
            await asyncio.sleep(0)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, here = await asyncio.open_unix_connection(self._target)
        self._open |= {writer, here}
        await asyncio.gather(self._pass(reader, here), self._pass(there, writer))
        self._open -= {writer, here}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while piece := await reader.read(65536):
                await self._flows.wait()
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()


@contextlib.asynccontextmanager
async def frail(dsn: str) -> AsyncGenerator[tuple[Database, Wire]]:
    """A pool on the database by a way that can be cut."""
    parts = urlsplit(dsn)
    place = parse_qs(parts.query)
    name = f".s.PGSQL.{place['port'][0]}"
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-wire-") as folder:
        wire = Wire(Path(place["host"][0]) / name, Path(folder) / name)
        await wire.mend()
        query = urlencode({"host": folder, "port": place["port"][0]})
        try:
            async with pool.opened(urlunsplit(parts._replace(query=query)), DatabaseSettings()) as database:
                yield database, wire
        finally:
            await wire.cut()
