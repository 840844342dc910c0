"""A real Postgres for every test: one template database, cloned in some 25 ms."""

import asyncio
import contextlib
import gc
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import hypothesis
import pytest

from bot import log
from bot.config import DatabaseSettings
from bot.db import embedded, migrations, pool
from bot.db.pool import Database
from tests import reused_database

# How long an example takes is the machine's matter.
hypothesis.settings.register_profile("hathi", deadline=None)
hypothesis.settings.load_profile("hathi")

_TEMPLATE = "hathi_template"
_numbers = count(1)
ROOM = 4 * 2**30
"""Bytes the databases of a run may need."""
LOOKED_OVER = 50_000
"""So many new objects are looked over for garbage at a time: as often as Python does it takes a tenth of a run."""
QUICK_START = Path(__file__).parent / "quick_start"
"""On PYTHONPATH of every process that a test starts: it compiles no regular expression that another one did."""


def on(dsn: str, name: str) -> str:
    """The same server, another database."""
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))


def pytest_configure() -> None:
    """Before the workers are started, so that it holds for them too."""
    known = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if str(QUICK_START) not in known:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(QUICK_START), *filter(None, known)])
    # Thousands of tests are collected, which all stay.
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts what takes long first, so that no worker is left with it when the others have nothing more to do."""
    long = (Path(__file__).parent / "faults", Path(__file__).parent / "benchmarks")
    items.sort(key=lambda item: not any(item.path.is_relative_to(folder) for folder in long))


def pytest_collection_finish() -> None:
    """Keeps the garbage collector from going over thousands of tests, which stay to the end, time and again."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(LOOKED_OVER, 20, 100)


@pytest.fixture(scope="session", autouse=True)
def _quiet() -> None:
    log.configure(to=Path(os.devnull))


def in_memory() -> str:
    """Where files lie in memory, if there is such a place with room: cloning a database takes a third of the time."""
    shm = Path("/dev/shm")
    return str(shm) if os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > ROOM else "/tmp"


@pytest.fixture(scope="session")
def server() -> Generator[str]:
    """A server of its own for the whole run, with one migrated template database; yields the server's address."""
    with tempfile.TemporaryDirectory(dir=in_memory(), prefix="hathi-tests-") as folder, asyncio.Runner() as runner:
        # Reachable by the account that serves, when the tests run as root.
        Path(folder).chmod(0o711)
        stack = contextlib.AsyncExitStack()
        dsn = runner.run(stack.enter_async_context(embedded.owned(Path(folder))))
        runner.run(_make_template(dsn))
        yield dsn
        runner.run(stack.aclose())


async def _make_template(dsn: str) -> None:
    admin = await asyncpg.connect(dsn)
    await admin.execute(f"CREATE DATABASE {_TEMPLATE}")
    await admin.close()
    async with pool.opened(on(dsn, _TEMPLATE), DatabaseSettings()) as database:
        await migrations.migrate(database)


@pytest.fixture(scope="session")
def schema(server: str) -> str:
    """The address of one migrated database for tests that only look at the schema."""
    return asyncio.run(copied(server, "hathi_schema"))


async def copied(server: str, name: str) -> str:
    """The address of a new migrated database, which stays as long as the server."""
    admin = await asyncpg.connect(server)
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
    await admin.close()
    return on(server, name)


@contextlib.asynccontextmanager
async def cloned(server: str, template: str = _TEMPLATE) -> AsyncGenerator[str]:
    """The address of a copy of a database, by default of the fresh migrated one, gone after the block."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    admin = await asyncpg.connect(server)
    try:
        await admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        yield on(server, name)
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await admin.close()


@pytest.fixture(scope="session")
async def _reused(server: str) -> AsyncGenerator[reused_database.ReusedDatabase]:
    async with reused_database.reused(partial(cloned, server)) as database:
        yield database


@pytest.fixture
async def dsn(_reused: reused_database.ReusedDatabase) -> AsyncGenerator[str]:
    """The address of a migrated database without rows, which nobody else uses meanwhile."""
    async with _reused.lent() as address:
        yield address


@pytest.fixture
async def fresh_dsn(server: str) -> AsyncGenerator[str]:
    """The same of one that nobody was connected to before, nor is."""
    async with cloned(server) as address:
        yield address


@pytest.fixture
async def database(dsn: str) -> AsyncGenerator[Database]:
    """A pool on a fresh migrated database."""
    async with pool.opened(dsn, DatabaseSettings()) as opened:
        yield opened


class Clock:
    """The time of a test: it stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **units: float) -> datetime:
        self.now += timedelta(**units)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()
