"""The laws of the one door to Postgres."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace

import asyncpg
import pytest
from structlog.testing import capture_logs

from bot import errors
from bot.db import pool
from bot.db.pool import Database


async def test_an_argument_the_driver_cannot_encode_is_our_fault_and_no_outage(database: Database) -> None:
    """It is raised as it is: waiting for the database would not mend it."""
    with pytest.raises(asyncpg.DataError, match="invalid input"):
        async with database.connection() as connection:
            await connection.fetchval("SELECT $1::bigint", "many")


async def test_a_full_disk_is_told_at_once(database: Database) -> None:
    """Patience is for a database that comes back by itself."""
    tries: list[int] = []

    async def fail() -> None:
        tries.append(1)
        raise errors.DiskFull

    with pytest.raises(errors.DiskFull):
        await database.keep_trying(fail, within=timedelta(minutes=5))
    assert 1 == len(tries)


async def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    """All of a use case, or none of it."""

    async def fail() -> None:
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO person (person_id) VALUES (1)")
            raise errors.NotFound

    with pytest.raises(errors.NotFound):
        await fail()
    async with database.connection() as connection:
        assert 0 == await connection.fetchval("SELECT count(*) FROM person")


async def test_an_outage_is_told_once_and_its_end_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many wait for it and however often each tries; and the next outage is told anew."""
    tries, is_down, real = 0, True, asyncio.sleep

    async def sleep(_seconds: float) -> None:
        await real(0)

    async def work() -> None:
        nonlocal tries, is_down
        tries += 1
        is_down = is_down and tries % 140 != 0
        if is_down:
            raise errors.DatabaseDown

    monkeypatch.setattr(pool, "asyncio", SimpleNamespace(get_running_loop=asyncio.get_running_loop, sleep=sleep))
    with capture_logs() as lines:
        for _ in range(2):
            is_down = True
            await asyncio.gather(*(database.keep_trying(work, within=timedelta(minutes=5)) for _ in range(20)))
    assert (["database.down", "database.back"] * 2, True) == ([line["event"] for line in lines], tries >= 280)


async def test_who_waits_does_not_come_back_with_all_others(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pauses of one who waits grow, up to two seconds, and no two are alike."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 6:
            raise TimeoutError

    async def fail() -> None:
        raise errors.DatabaseDown

    monkeypatch.setattr(pool, "asyncio", SimpleNamespace(get_running_loop=asyncio.get_running_loop, sleep=sleep))
    with pytest.raises(TimeoutError):
        await database.keep_trying(fail, within=timedelta(minutes=5))
    most = [0.25, 0.5, 1.0, 2.0, 2.0, 2.0]
    assert [True] * 6 == [bound / 2 <= pause <= bound for pause, bound in zip(pauses, most, strict=True)]
    assert 6 == len(set(pauses))
