"""The law that no question, command or completion reads all of what a community has gathered."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from operator import itemgetter
from typing import Any, Final, LiteralString, cast

from bot import app
from bot.config import DatabaseSettings, Settings
from bot.db import pool, statements
from bot.db.pool import Connection, Database
from bot.domain import Caller
from bot.store.word_counts import WordSampler
from tests.benchmarks import community, growth, large_community
from tests.benchmarks.watched import Led, Run
from tests.conftest import Clock
from tests.conversations import roles
from tests.model_server import ModelServer, Reply

MEMORIES: Final = 25_000
"""With ten times as many messages, and a fifth as many sessions, most of them in one channel."""
MOST: Final = 3_000
"""Rows of a table, or of an index, that one statement reads: 2,000 that an index names, and some of the newest. Of each
table there are more in the space, and in what is asked about more than that: a room, a tag, a person, a channel."""
READ: Final = """
SELECT c.relname, pg_stat_get_xact_tuples_returned(c.oid)
                  + CASE c.relkind WHEN 'r' THEN pg_stat_get_xact_tuples_fetched(c.oid) ELSE 0 END AS read
FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
JOIN pg_attribute a ON a.attrelid = coalesce(i.indrelid, c.oid) AND a.attname = 'space_id'
WHERE c.relkind IN ('r', 'i') AND c.relnamespace = 'public'::regnamespace"""
"""Of all that spaces have; what an index alone answers is read there."""
BEHIND: Final = {"!room rename", "!room rename, to its end", "!settings language"}
"""What is changed everywhere is changed behind them, in pieces, a look at how much is left included."""
NAMED: Final = {
    statements.named(f"{file}.{name}"): f"{file}.{name}"
    for file in statements.files()
    for name in statements.load(file)
}
EXCEPT: Final = (
    "known_names.people",
    "ledger.newest",
    "reply_sources.also_shown",
    "librarian.session_messages",
    "librarian.told_elsewhere",
    "space_erasure.counts",
)
"""Of the names that are known the 5,000 whose people spoke last are read, beside a question. A rolling summary tells of
all sessions since a person's reset, and what was said in each may be where a word of a reply is from. A summary is made
of all that its session holds, and before a space is emptied each of what goes is counted to 10,000."""


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
            # No table is so small where there are many spaces that it is read from end to end.
            await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off")
            before = await _so_far(connection)
            await connection.fetch(query, *args)
            rows = max(count - before.get(table, 0) for table, count in (await _so_far(connection)).items())
            name = NAMED.get(query, query)
            self.read[name] = max(rows, self.read.get(name, 0))
        finally:
            await transaction.rollback()


async def _so_far(connection: Connection) -> Mapping[str, int]:
    return {row["relname"]: row["read"] for row in await connection.fetch(READ)}


class _Bench(growth.Bench):
    """All that is done in it is done where most is said."""

    @property
    def caller(self) -> Caller:
        return large_community.caller()


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
        bench = _Bench(made, clock, database, await growth.old(database))
        await WordSampler(database).look([large_community.SPACE], now=clock())
        for name, (do, _) in bench.operations().items():
            if name in BEHIND or name.startswith("job "):
                continue
            database.read.clear()
            await do()
            read[name] = dict(database.read)
    counted = {name: {query: n for query, n in of.items() if query not in EXCEPT} for name, of in read.items()}
    worst = {name: max(of.items(), key=itemgetter(1), default=("", 0)) for name, of in counted.items()}
    assert {} == {name: most for name, most in worst.items() if most[1] > MOST}
    assert len(set[str]().union(*counted.values())) > 100
