"""Two of everything at once: resets, and whole terminals on one database."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Generator
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from aiohttp import web

from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from tests.conftest import on
from tests.faults import crashes
from tests.faults.crashes import Driver, later
from tests.faults.driver import Job
from tests.faults.terminals import environment, model, said
from tests.model_server import ModelServer, Reply

DECIDED = "We decided to ship the parser on Friday."
QUESTIONS = 10
"""Each terminal asks."""
_names = count(1)


class CountingServer(ModelServer):
    """Knows how many requests were ever in its hands at once."""

    now = 0
    most = 0

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            return await super()._complete(request)
        finally:
            self.now -= 1


@pytest.fixture
async def two(dsn: str, drivers: Path) -> AsyncGenerator[tuple[Driver, Driver, Database]]:
    """Two drivers that work at once, and a look at the database."""
    async with (
        crashes.driver(drivers) as one,
        crashes.driver(drivers) as other,
        pool.opened(dsn, DatabaseSettings(pool_size=2)) as database,
    ):
        yield one, other, database


async def _reset_once(database: Database, space: int, out: str) -> None:
    held = await crashes.found(database, space)
    crashes.whole(held)
    assert out.count("[memory] Summarizing") == out.count("[memory] Summarized") == 1
    assert [s["state"] for s in held.sessions] == ["summarised", "open"]
    assert (len(held.summaries), [m["seen_count"] for m in held.memories]) == (1, [1])


async def test_of_two_resets_at_once_in_one_process_one_finds_nothing(
    two: tuple[Driver, Driver, Database], dsn: str
) -> None:
    """One closes the session and has its summary; the other only clears."""
    one, _, database = two
    for _ in range(3):
        space = crashes.new_space()
        await one.run(Job(dsn=dsn, spaces=(space,), at=later(), lines=(DECIDED,)))
        done = await one.run(
            Job(dsn=dsn, spaces=(space,), at=later(minutes=1), lines=("!reset", "!reset"), together=True)
        )
        await _reset_once(database, space, done.out)


async def test_of_two_resets_at_once_in_two_processes_one_finds_nothing(
    two: tuple[Driver, Driver, Database], dsn: str
) -> None:
    """Neither waits for the other's summary, and the upkeep of both does not make a second one."""
    one, other, database = two
    for _ in range(5):
        space = crashes.new_space()
        await one.run(Job(dsn=dsn, spaces=(space,), at=later(), lines=(DECIDED,)))
        job = Job(dsn=dsn, spaces=(space,), at=later(minutes=1), lines=("!reset",), upkeep=True)
        done = await asyncio.gather(one.run(job), other.run(job))
        await _reset_once(database, space, done[0].out + done[1].out)


@pytest.fixture
def folder() -> Generator[Path]:
    """Where two terminals run."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-two-") as made:
        yield Path(made)


@pytest.fixture
async def empty(server: str) -> AsyncGenerator[str]:
    """The address of a database without a schema."""
    name = f"empty_{next(_names)}"
    admin = await asyncpg.connect(server)
    try:
        await admin.execute(f"CREATE DATABASE {name}")
        yield on(server, name)
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await admin.close()


def _echo(body: dict[str, Any]) -> Reply:
    question = body["messages"][-1]["content"].rpartition(": ")[2]
    return Reply(text=f"You said: {question}", delay=0.1)


async def test_two_terminals_on_one_database_answer_every_question_once_and_one_at_a_time(
    empty: str, folder: Path
) -> None:
    """Started together on a database without a schema, with ten questions each in the one channel of the terminal."""
    async with CountingServer(always=_echo) as server, pool.opened(empty, DatabaseSettings(pool_size=1)) as database:
        env = environment(folder, DATABASE_URL=empty, **model(server.base_url))
        lines = [[f"I am at step {n} of task {who}" for n in range(QUESTIONS)] for who in ("one", "two")]
        outs = await asyncio.gather(*(said(folder, env, *mine, "exit") for mine in lines))
        held = await crashes.found(database, 0)
    crashes.whole(held)
    assert [out.splitlines() for out in outs] == [[f"You said: {line}" for line in mine] for mine in lines]
    assert (len(held.questions), len(held.replies), len(server.requests)) == (20, 20, 20)
    assert server.most == 1, "two questions of one channel were in hand at once"
