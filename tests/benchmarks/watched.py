"""A database that notes what is asked of it."""

import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, LiteralString, cast

from bot.db.pool import Connection, Database


@dataclass
class Asked:
    """A statement as it was run."""

    query: LiteralString
    args: tuple[Any, ...]
    ms: float


@dataclass
class Use:
    """What a block asked of the database."""

    connections: int = 0
    """How often one was taken."""
    statements: list[Asked] = field(default_factory=list[Asked])

    def times(self, query: str) -> int:
        """How often it asked this."""
        return sum(asked.query == query for asked in self.statements)


class _Watched:
    """A connection that notes each statement, and what it took."""

    def __init__(self, connection: Connection, use: Use) -> None:
        self._connection, self._use = connection, use

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._connection, name)
        if name not in {"execute", "fetch", "fetchrow", "fetchval"}:
            return found

        async def noted(query: LiteralString, *args: Any) -> Any:
            began = time.perf_counter()
            try:
                return await found(query, *args)
            finally:
                self._use.statements.append(Asked(query, args, (time.perf_counter() - began) * 1000))

        return noted


class WatchedDatabase(Database):
    """A database whose use is noted in the blocks that ask for it, and which is plain outside of them."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.pool)
        self._use: Use | None = None

    @contextmanager
    def watched(self) -> Generator[Use]:
        """A block, and what it asked so far."""
        self._use = use = Use()
        try:
            yield use
        finally:
            self._use = None

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        async with super().connection() as connection:
            if (use := self._use) is None:
                yield connection
            else:
                use.connections += 1
                yield cast("Connection", _Watched(connection, use))
