"""A database that notes what is asked of it."""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
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


Run = Callable[..., Awaitable[Any]]
"""Runs a statement by what is given first, with its text and arguments behind that."""


class Led:
    """A connection of which every statement is run by something else."""

    def __init__(self, connection: Connection, run: Run) -> None:
        self._connection, self._run = connection, run

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._connection, name)
        return partial(self._run, found) if name in {"execute", "fetch", "fetchrow", "fetchval"} else found


async def _noted(use: Use, found: Run, query: LiteralString, *args: Any) -> Any:
    """Notes a statement, and what it took."""
    began = time.perf_counter()
    try:
        return await found(query, *args)
    finally:
        use.statements.append(Asked(query, args, (time.perf_counter() - began) * 1000))


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
                yield cast("Connection", Led(connection, partial(_noted, use)))
