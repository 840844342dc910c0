"""Brings the schema up to date: forward only, each file once, checked by its hash."""

import asyncio
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Final

from bot import errors, log
from bot.db import statements
from bot.db.pool import Connection, Database

_log = log.logger(__name__)

LOCK_KEY: Final = 0x48415448
"""The ASCII of "HATH": every migrating process of a database takes this lock."""
LOCK_WAIT: Final = timedelta(minutes=5)
_AT_MOST: Final = timedelta(hours=6)
_POLL: Final = timedelta(milliseconds=100)


EARLIER: Final = {
    "09cb3c114e790ec3b270fb7f53acecec2d5983540c526d727e259c4ee466a6a3": 2,
    "69f3d9b1e6ac37c54722947de8ed30591d0829fa58482620f2838a642a60d8f0": 3,
    "ca428637e44dbb1fa5c17466358cebcf909db6c17931bc5a3522052be60933ce": 37,
    "b15f2ba027a5e56038334934302511003bc7971e609132e147fe0679625477c3": 39,
}
"""Checksums that files had at another time, with their numbers: what 2 and 3 lacked then a later file adds, and what 39
lacked the 37 of then did."""


class Sql:
    """Statements of the runner itself."""

    table: Final = statements.named("migration.table")
    applied: Final = statements.named("migration.applied")
    record: Final = statements.named("migration.record")
    renumber: Final = statements.named("migration.renumber")
    try_lock: Final = statements.named("migration.try_lock")


@cache
def available() -> Mapping[int, tuple[str, str]]:
    """Every migration this version brings: number to file name and text."""
    folder = statements.sql_folder() / "migrations"
    found: dict[int, tuple[str, str]] = {}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".sql"):
            found[int(file.name[:4])] = (file.name, file.read_text(encoding="utf-8"))
    return MappingProxyType(found)


async def pending(database: Database) -> list[str]:
    """Names of the migrations still to run. Raises `MigrationError` when the schema is newer or was changed."""
    async with database.connection() as connection:
        await connection.execute(Sql.table)
        return [available()[number][0] for number in await _missing(connection)]


async def migrate(database: Database) -> list[str]:
    """Run what is missing and return the names of the files that ran.

    Each file runs in one transaction with its record, under a lock of that transaction. The lock is polled: a session
    that waits in `pg_advisory_lock` blocks the `CREATE INDEX CONCURRENTLY` of the one that holds it.
    """
    ran: list[str] = []
    while True:
        name = await _run_next(database)
        if name is None:
            return ran
        ran.append(name)
        _log.info("migration.ran", file=name)


async def _run_next(database: Database) -> str | None:
    deadline = datetime.now(UTC) + LOCK_WAIT
    while True:
        async with database.transaction() as connection:
            if await connection.fetchval(Sql.try_lock, LOCK_KEY):
                # Under the lock: two that make the table at once fail on its type, IF NOT EXISTS or not.
                await connection.execute(Sql.table)
                missing = await _missing(connection)
                await _renumber(connection)
                if not missing:
                    return None
                name, text = available()[missing[0]]
                # As long as it takes: on a large database an index is not built in the time of other statements.
                await connection.execute(text, timeout=_AT_MOST.total_seconds())  # pyright: ignore[reportArgumentType]  # a file of ours
                await connection.execute(Sql.record, missing[0], name, _checksum(text), datetime.now(UTC))
                return name
        if datetime.now(UTC) > deadline:
            raise errors.MigrationError("Another process has been migrating this database for 5 minutes; try again.")
        await asyncio.sleep(_POLL.total_seconds())


async def _missing(connection: Connection) -> list[int]:
    ours, landed, ran = available(), _landed(), set[int]()
    for row in await connection.fetch(Sql.applied):
        number, checksum = row["number"], row["checksum"]
        if checksum in landed:
            ran.add(landed[checksum])
        elif number in ours:
            raise errors.MigrationError(
                f"{ours[number][0]} was changed after it ran on this database; restore the file as it was released."
            )
        else:
            raise errors.MigrationError(
                f"The database has migration {number:04}, which this version does not know; install a newer Hathi."
            )
    return sorted(ours.keys() - ran)


def _landed() -> dict[str, int]:
    """The number of each migration by what it says: two had other numbers before they were joined with others."""
    return {_checksum(text): number for number, (_, text) in available().items()} | EARLIER


async def _renumber(connection: Connection) -> None:
    """Records what ran under another number by the one it has now."""
    landed, ours = _landed(), available()
    for row in await connection.fetch(Sql.applied):
        number = landed[row["checksum"]]
        if number != row["number"]:
            await connection.execute(Sql.renumber, row["number"], number, ours[number][0])


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
