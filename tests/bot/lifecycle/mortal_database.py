"""A database at which a process dies, at whatever statement, and which notes how many rows each of them took."""

import itertools
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, LiteralString, cast

from bot import errors
from bot.db.pool import Connection, Database, affected
from tests.benchmarks.watched import Led, Run


class MortalDatabase(Database):
    """One that fails at the first statement of what is done, then, as that is begun again, at its second, and so on."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.pool)
        self._left = 0
        self.most = Counter[str]()
        """The most rows that each statement took, or found, at once."""

    async def outlived(self, work: Callable[[], Awaitable[object]]) -> int:
        """Begins something again until nobody dies at it; how often somebody did."""
        for deaths in itertools.count():
            self._left = deaths
            try:
                await work()
            except errors.DatabaseDown:
                continue
            return deaths
        raise AssertionError

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        async with super().connection() as connection:
            yield cast("Connection", Led(connection, self._run))

    async def _run(self, found: Run, query: LiteralString, *args: Any) -> Any:
        if self._left == 0:
            raise errors.DatabaseDown
        self._left -= 1
        done = await found(query, *args)
        if isinstance(done, str | list):
            rows = affected(done) if isinstance(done, str) else len(cast("list[Any]", done))
            self.most[query] = max(rows, self.most[query])
        return done
