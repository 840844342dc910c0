"""What one test leaves in the database never reaches the next."""

from collections.abc import AsyncGenerator
from functools import partial

import asyncpg
import pytest

from bot.config import DatabaseSettings
from bot.db import pool
from tests import reused_database
from tests.conftest import cloned
from tests.reused_database import ReusedDatabase


@pytest.fixture
async def reused(server: str) -> AsyncGenerator[ReusedDatabase]:
    database = ReusedDatabase(partial(cloned, server))
    yield database
    await database.drop()


async def _done(reused: ReusedDatabase, statement: str) -> str:
    """The address of the database in which it was done."""
    async with reused.lent() as address:
        connection = await asyncpg.connect(address)
        await connection.execute(statement)
        await connection.close()
        return address


ROW = "INSERT INTO space (space_id, language, time_zone, created_at) VALUES (1, 'en', 'UTC', now())"


async def test_rows_are_gone(reused: ReusedDatabase) -> None:
    first = await _done(reused, ROW)
    assert await _done(reused, ROW) == first


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE other (number int)",
        "ALTER TABLE space ADD COLUMN other int",
        "ALTER TABLE space ALTER COLUMN language DROP NOT NULL",
        "ALTER TABLE space ALTER COLUMN language SET DEFAULT 'en'",
        "DROP INDEX memory_search",
        "ALTER TABLE space ADD CHECK (space_id < 5)",
        "CREATE FUNCTION other() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "DELETE FROM migration WHERE number = 1",
        "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET work_mem = 64'; END $$",
    ],
)
async def test_what_was_changed_itself_is_not_used_again(reused: ReusedDatabase, statement: str) -> None:
    first = await _done(reused, "SELECT 1")
    assert await _done(reused, statement) == first
    assert await _done(reused, ROW) != first


async def test_what_somebody_still_writes_to_is_not_used_again(reused: ReusedDatabase) -> None:
    async with reused.lent() as first:
        writing = await asyncpg.connect(first)
        await writing.execute(f"BEGIN; {ROW}; COMMIT; BEGIN; UPDATE space SET language = 'de'")
    assert await _done(reused, "SELECT 1") != first
    writing.terminate()


async def test_another_is_made_before_it_is_worn(reused: ReusedDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reused_database, "USES", 2)
    first, second, third = [await _done(reused, "SELECT 1") for _ in range(3)]
    assert first == second != third


async def test_connections_stay_open_for_the_next(reused: ReusedDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "open_driver", reused.open_driver)
    monkeypatch.setattr(pool, "close_driver", reused.close_driver)
    backends: list[int] = []
    for _ in range(2):
        async with (
            reused.lent() as address,
            pool.opened(address, DatabaseSettings()) as database,
            database.connection() as connection,
        ):
            backends.append(await connection.fetchval("SELECT pg_backend_pid()"))
    assert backends[0] == backends[1]


async def test_what_a_connection_was_told_ends_with_its_test(
    reused: ReusedDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "open_driver", reused.open_driver)
    monkeypatch.setattr(pool, "close_driver", reused.close_driver)
    for _ in range(2):
        async with (
            reused.lent() as address,
            pool.opened(address, DatabaseSettings()) as database,
            database.connection() as connection,
        ):
            assert await connection.fetchval("SHOW work_mem") == "4MB"
            await connection.execute("SET work_mem = '5MB'; PREPARE law AS SELECT 1")
