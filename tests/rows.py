"""What stands in the database, read by a query, for tests."""

from typing import Any

from bot.db.pool import Database


async def rows(database: Database, query: Any, *args: object) -> list[tuple[Any, ...]]:
    """Every row."""
    async with database.connection() as connection:
        return [tuple(row) for row in await connection.fetch(query, *args)]


async def column(database: Database, query: Any, *args: object) -> list[Any]:
    """The first column of every row."""
    return [first for first, *_ in await rows(database, query, *args)]


async def one(database: Database, query: Any, *args: object) -> Any:
    """The first column of the first row; none where there is no row."""
    async with database.connection() as connection:
        return await connection.fetchval(query, *args)


async def contents(database: Database) -> list[str]:
    """What every memory says, the oldest first."""
    return await column(database, "SELECT content FROM memory ORDER BY memory_id")
