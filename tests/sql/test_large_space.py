"""The law that no question, command or completion reads all of what a community has gathered."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from operator import itemgetter
from typing import Any, Final, LiteralString, cast

from bot import app
from bot.config import DatabaseSettings, Settings
from bot.db import pool
from bot.db.pool import Connection, Database
from bot.store.word_counts import WordSampler
from tests.benchmarks import community, growth, large_community
from tests.benchmarks.watched import Led, Run
from tests.conftest import Clock
from tests.conversations import roles
from tests.model_server import ModelServer, Reply

MEMORIES: Final = 8_000
"""With ten times as many messages."""
MOST: Final = 4_000
"""Rows of memories or messages that one statement reads: 2,000 that the index names, and as many of the newest."""
READ: Final = """
SELECT relname, seq_tup_read + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_xact_user_tables
WHERE relname IN ('memory', 'message', 'memory_event', 'tombstone')"""
BEHIND: Final = {"!room rename", "!settings language"}
"""What is changed everywhere is changed behind them, in pieces, a look at how much is left included."""


class _CountedDatabase(Database):
    """A database that has the most rows that each statement read."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.pool)
        self.read = dict[str, int]()

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        async with super().connection() as connection:
            yield cast("Connection", Led(connection, partial(self._counted, connection)))

    async def _counted(self, connection: Connection, found: Run, query: LiteralString, *args: Any) -> Any:
        if args:
            await self._count(connection, query, args)
        return await found(query, *args)

    async def _count(self, connection: Connection, query: LiteralString, args: tuple[Any, ...]) -> None:
        """Runs the statement once by a plan that is made once for all spaces, and takes back what it did."""
        transaction: Any = connection.transaction()
        await transaction.start()
        try:
            await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
            before = await _so_far(connection)
            await connection.fetch(query, *args)
            rows = max(count - before.get(table, 0) for table, count in (await _so_far(connection)).items())
            self.read[query] = max(rows, self.read.get(query, 0))
        finally:
            await transaction.rollback()


async def _so_far(connection: Connection) -> Mapping[str, int]:
    return {row["relname"]: row["read"] for row in await connection.fetch(READ)}


async def test_nothing_that_is_asked_reads_all_there_is(fresh_dsn: str) -> None:
    """Whatever plans are made of its statements, in a community of thousands of memories beside small ones."""
    await large_community.load(fresh_dsn, MEMORIES, spaces=100)
    clock = Clock()
    clock.now = community.NOW
    read = dict[str, Mapping[str, int]]()
    async with (
        ModelServer(always=Reply(text=growth.REPLY)) as model,
        pool.opened(fresh_dsn, DatabaseSettings()) as opened,
        app.opened(
            Settings(roles=roles(model.base_url)),
            database := _CountedDatabase(opened),
            announce=growth.silent,
            alone=False,
            clock=clock,
        ) as made,
    ):
        bench = growth.Bench(made, clock, database, await growth.old(database))
        await WordSampler(database).look([large_community.SPACE], now=clock())
        for name, (do, _) in bench.operations().items():
            if name in BEHIND or name.startswith("job "):
                continue
            database.read.clear()
            await do()
            read[name] = dict(database.read)
    assert {} == {name: most for name, of in read.items() if (most := max(of.items(), key=itemgetter(1)))[1] > MOST}
    assert len(set[str]().union(*read.values())) > 100
