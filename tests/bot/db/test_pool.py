"""The laws of the one door to Postgres."""

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest
from structlog.testing import capture_logs

from bot import errors
from bot.config import DatabaseSettings, Settings
from bot.db import health, pool
from bot.db.pool import Database


@pytest.fixture
def dsn(fresh_dsn: str) -> str:
    """One whose connections are all the test's own."""
    return fresh_dsn


def _raising(state: str) -> Any:
    """A statement that fails as a server in that state does."""
    return f"DO $$BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END$$"


async def test_an_argument_the_driver_cannot_encode_is_our_fault_and_no_outage(database: Database) -> None:
    """It is raised as it is: waiting for the database would not mend it."""
    with pytest.raises(asyncpg.DataError, match="invalid input"):
        async with database.connection() as connection:
            await connection.fetchval("SELECT $1::bigint", "many")


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://u:hunter2@[::1/hathi",
        "postgresql://u:hunter2@[zz]:5432/hathi",
        "postgresql://u:hunter2@h:5432x/hathi",
        "postgresql://u:hunter2@127.0.0.1:99999/hathi",
        "postgresql://u:hunter2@127.0.0.1:1/hathi?sslmode=bogus",
    ],
)
async def test_an_address_that_cannot_be_read_is_a_wrong_setting(address: str) -> None:
    """One sentence that names the setting and quotes nothing of it; exit 78."""
    with pytest.raises(errors.SettingsError, match="DATABASE_URL") as told:
        async with pool.opened(address, Settings().database):
            pass
    assert (78, False, None) == (told.value.exit_code, "hunter2" in str(told.value), told.value.__cause__)


@pytest.mark.parametrize(
    "state", ["25006", "28000", "28P01", "3D000", "53100", "53300", "55P03", "57014", "57P01", "58030"]
)
async def test_what_the_server_does_not_do_just_now_is_an_outage(database: Database, state: str) -> None:
    """Read-only, locked out, full, too slow: all are waited for alike, and people are not told the cause."""
    states = [state]

    async def work() -> None:
        async with database.connection() as connection:
            if states:
                await connection.execute(_raising(states[-1]))

    with pytest.raises(errors.DatabaseDown) as caught:
        await work()
    assert str(errors.DatabaseDown()) == str(caught.value)
    retried = asyncio.create_task(database.keep_trying(work, within=timedelta(minutes=5)))
    states.clear()
    await retried


async def test_a_database_that_takes_no_writes_is_an_outage_until_it_does(dsn: str, database: Database) -> None:
    """As a standby does, or one that its host has set so; what is only read is read meanwhile."""
    async with database.connection() as connection:
        name: Any = f"ALTER DATABASE {urlsplit(dsn).path[1:]} SET default_transaction_read_only = on"
        await connection.execute(name)
    async with pool.opened(dsn, DatabaseSettings()) as shut:
        assert (True, False) == (await health.is_read_only(shut), await health.is_read_only(database))
        with pytest.raises(errors.DatabaseDown):
            async with shut.connection() as connection:
                await connection.execute("INSERT INTO person (person_id) VALUES (1)")


async def test_the_server_is_not_asked_for_arrays_that_every_server_has(database: Database) -> None:
    """One statement takes and gives them all, and is all that is sent; each is of what the server says it is of."""
    held: dict[str, Any] = {
        "bool": True,
        "bytea": b"a",
        "int2": 2,
        "int4": 4,
        "int8": 8,
        "float4": 0.5,
        "float8": 0.25,
        "timestamptz": datetime(2026, 3, 2, 12, tzinfo=UTC),
    }
    sent = list[str]()
    async with database.pool.acquire() as connection:
        with connection.query_logger(lambda record: sent.append(record.query)):
            asked = ", ".join(f"${number}::{name}[]" for number, name in enumerate(held, 1))
            row = await connection.fetchrow(f"SELECT {asked}", *([value, None] for value in held.values()))
    assert [f"SELECT {asked}"] == sent
    assert [[value, None] for value in held.values()] == [*row]


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
    """However many fail, and though others succeed between them, as reads do; and the next outage is told anew."""

    async def work(*, fails: bool) -> None:
        with contextlib.suppress(errors.DatabaseDown):
            async with database.connection() as connection:
                await connection.execute(_raising("25006") if fails else "SELECT 1")

    with capture_logs() as lines:
        for _ in range(2):
            monkeypatch.setattr(pool, "BACK_AFTER", 10.0)
            for number in range(40):
                await work(fails=number % 2 == 0)
            monkeypatch.setattr(pool, "BACK_AFTER", 0.0)
            await work(fails=False)
    assert ["database.down", "database.back"] * 2 == [line["event"] for line in lines]
    assert "ReadOnlySQLTransactionError" == lines[0]["error"]


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
