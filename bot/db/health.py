"""Reads the server's version, extensions and row counts, for `!status` and `hathi doctor`."""

from typing import Final

from bot.db import statements
from bot.db.pool import Database
from bot.domain import Tier

COUNTED_UP_TO: Final = 20_000
"""Memories; more are estimated."""


class Sql:
    """Statements about the server."""

    version: Final = statements.named("health.version")
    read_only: Final = statements.named("health.read_only")
    sizes: Final = statements.named("health.sizes")
    counts: Final = statements.named("health.counts")
    extensions: Final = statements.named("health.extensions")


async def server_version(database: Database) -> str:
    """The server's version, such as `18.6`."""
    async with database.connection() as connection:
        return (await connection.fetchval(Sql.version)).split(" ")[0]


async def is_read_only(database: Database) -> bool:
    """Whether it takes no writes: a standby, or set so."""
    async with database.connection() as connection:
        return await connection.fetchval(Sql.read_only)


async def figures(database: Database) -> tuple[dict[Tier, int], int]:
    """Living memories by tier and sessions that wait for a summary, over all spaces.

    Counted while there are few; where there are more, as Postgres estimated them last: no cost grows with the spaces.
    """
    async with database.connection() as connection:
        row = await connection.fetchrow(Sql.sizes)
        if row is None or row["living"] < COUNTED_UP_TO:
            row = await connection.fetchrow(Sql.counts)
    assert row is not None
    short, living = int(row["short"]), int(row["living"])
    return {Tier.SHORT: max(0, short), Tier.LONG: max(0, living - short)}, max(0, int(row["waiting"]))


async def extensions(database: Database) -> dict[str, str | None]:
    """Extensions Hathi uses or could use, with the installed version where there is one."""
    async with database.connection() as connection:
        return {row["name"]: row["installed_version"] for row in await connection.fetch(Sql.extensions)}
