"""The processes a benchmark runs against: an embedded Postgres of its own, and scripted models."""

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path

import asyncpg
import psutil

from bot.config import DatabaseSettings
from bot.db import embedded, migrations, pool
from tests.conftest import on

ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def folder():
    """A folder the serving account can reach, gone afterwards."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-benchmark-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@contextlib.asynccontextmanager
async def postgres() -> AsyncGenerator[str]:
    """The address of a server that only this benchmark uses, tuned and synced as every embedded one is."""
    with folder() as data_dir:
        async with embedded.owned(data_dir) as dsn:
            yield dsn


async def database(server: str, name: str) -> str:
    """The address of a new migrated database on the server."""
    admin = await asyncpg.connect(server)
    try:
        await admin.execute(f"CREATE DATABASE {name}")
    finally:
        await admin.close()
    async with pool.opened(on(server, name), DatabaseSettings()) as opened:
        await migrations.migrate(opened)
    return on(server, name)


async def postmaster(dsn: str) -> psutil.Process:
    """The process that all others of the server are children of."""
    connection = await asyncpg.connect(dsn)
    try:
        backend = psutil.Process(await connection.fetchval("SELECT pg_backend_pid()"))
        found = backend.parent()
        assert found is not None
        return found
    finally:
        await connection.close()


def cpu(process: psutil.Process) -> float:
    """Seconds of the processor that a process and its children have taken so far, those that have ended too."""
    seconds = sum(process.cpu_times()[:4])
    for child in process.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            seconds += sum(child.cpu_times()[:4])
    return seconds


@contextlib.asynccontextmanager
async def model(reply: str, *, delay: float = 0) -> AsyncGenerator[str]:
    """The address of a scripted model in a process of its own."""
    words = ("-m", "tests.model_server", "--reply", reply, "--delay", str(delay))
    child = await asyncio.create_subprocess_exec(sys.executable, *words, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    try:
        assert child.stdout is not None
        async with asyncio.timeout(30):
            address = (await child.stdout.readline()).decode().strip()
        yield address
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()
