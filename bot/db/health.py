"""Questions to the server itself, for `!status` and `hathi doctor`."""

from typing import Final

from bot.db import statements
from bot.db.pool import Database


class Sql:
    """Statements about the server."""

    version: Final = statements.named("health.version")
    extensions: Final = statements.named("health.extensions")


async def server_version(database: Database) -> str:
    """The server's version, such as `18.6`."""
    async with database.connection() as connection:
        return (await connection.fetchval(Sql.version)).split(" ")[0]


async def extensions(database: Database) -> dict[str, str | None]:
    """Extensions Hathi uses or could use, with the installed version where there is one."""
    async with database.connection() as connection:
        return {row["name"]: row["installed_version"] for row in await connection.fetch(Sql.extensions)}
