"""The laws of the one door to Postgres."""

from datetime import timedelta

import asyncpg
import pytest

from bot import errors
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
