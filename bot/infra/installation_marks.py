"""Named values stored once for the whole installation, whichever process wrote them."""

from datetime import datetime, timedelta
from typing import Final

from bot.db import statements
from bot.db.pool import Database


class Sql:
    """Statements of marks."""

    read: Final = statements.named("mark.read")
    write: Final = statements.named("mark.write")
    take: Final = statements.named("mark.take")


class Marks:
    """Named values in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, name: str) -> str | None:
        """The value last written under the name."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.read, name)

    async def write(self, name: str, value: str, *, now: datetime) -> None:
        """Replaces the value of a name."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.write, name, value, now)

    async def take(self, name: str, *, every: timedelta) -> bool:
        """Whether this process may do now what all of them together do so often; another one waits from here on."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.take, name, every) is not None
