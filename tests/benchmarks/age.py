"""Ageing: against the bare move of the same rows, and what it costs those who read meanwhile."""

import asyncio
import random
from typing import Final

import asyncpg

from bot.config import ActiveSettings, DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import SpaceId
from bot.recall.librarian import Librarian
from bot.store.archivist import Ageing, Archivist
from bot.store.spaces import BATCH
from tests.benchmarks import community, servers
from tests.benchmarks.community import NOW, Community
from tests.benchmarks.timing import milliseconds, p50, rounds
from tests.benchmarks.vocabulary import Vocabulary

A_SPACE: Final = 100
BARE: Final = """
UPDATE memory SET tier = 'long', aged_at = $3
WHERE space_id = ANY ($1::bigint[]) AND memory_id = ANY ($2::bigint[])"""
READERS_FIRST: Final = 500_001


class _Bench:
    """One database whose due rows are moved, by Hathi or barely, and put back."""

    def __init__(self, dsn: str, database: Database, due: Community, readers: Community) -> None:
        self._dsn, self._database = dsn, database
        self._archivist, self._librarian = Archivist(database), Librarian(database)
        self._spaces = range(due.first, due.first + due.spaces)
        # Those a space's last hundred rows: the short ones.
        self._ids = list(range(due.long + 1, due.rows + 1))
        self._readers = readers
        self._chosen, self._vocabulary = random.Random(5), Vocabulary()

    def _batches(self) -> list[list[SpaceId]]:
        spaces = [SpaceId(space) for space in self._spaces]
        return [spaces[at : at + BATCH] for at in range(0, len(spaces), BATCH)]

    async def age(self) -> None:
        """As the schedule does: 100 spaces at a time."""
        moved = sum([await self._archivist.age(batch, Ageing(), now=NOW) for batch in self._batches()])
        assert len(self._spaces) * A_SPACE == moved

    async def move(self) -> None:
        """The same rows in the same batches, and nothing told of it."""
        for batch in self._batches():
            async with self._database.connection() as connection:
                tag = await connection.execute(BARE, batch, self._ids, NOW)
            assert f"UPDATE {len(batch) * A_SPACE}" == tag

    async def read(self) -> float:
        space = self._readers.first + self._chosen.randrange(self._readers.spaces)
        question = self._vocabulary.question(self._chosen)
        return await milliseconds(self._librarian.active(community.caller(space), question, ActiveSettings()))

    async def restore(self) -> None:
        """As it was, with nothing left to clean up."""
        admin = await asyncpg.connect(self._dsn)
        try:
            await admin.execute(
                "UPDATE memory SET tier = 'short', aged_at = NULL "
                "WHERE space_id = ANY ($1::bigint[]) AND memory_id = ANY ($2::bigint[])",
                [*self._spaces],
                self._ids,
            )
            await admin.execute("TRUNCATE memory_event")
            await admin.execute("VACUUM ANALYZE memory")
            await admin.execute("CHECKPOINT")
        finally:
            await admin.close()


async def run(*, small: bool) -> dict[str, float]:
    spaces, readers, reads = (4, 10, 20) if small else (1000, 500, 400)
    aged = Community(spaces=spaces, short=A_SPACE, long=100, due=True)
    others = Community(spaces=readers, first=READERS_FIRST)
    async with servers.postgres() as server:
        dsn = await servers.database(server, "ageing")
        await community.load(dsn, aged, others)
        async with pool.opened(dsn, DatabaseSettings()) as database:
            bench = _Bench(dsn, database, aged, others)
            return await _measured(bench, reads, rounds(small=small))


async def _measured(bench: _Bench, reads: int, count: int) -> dict[str, float]:
    await bench.restore()
    for _ in range(reads):
        await bench.read()
    found = [await _round(bench, number, reads) for number in range(count)]
    return {name: p50([figures[name] for figures in found]) for name in found[0]}


async def _round(bench: _Bench, number: int, reads: int) -> dict[str, float]:
    times: dict[str, float] = {}
    works = [("age", bench.age), ("move", bench.move)]
    for name, work in works if number % 2 else works[::-1]:
        times[name] = await milliseconds(work())
        await bench.restore()
    alone = [await bench.read() for _ in range(reads)]
    ageing = asyncio.create_task(bench.age())
    beside: list[float] = []
    while not ageing.done():
        beside.append(await bench.read())
    await ageing
    await bench.restore()
    return {
        "ratio": times["age"] / times["move"],
        "reader_ratio": p50(beside) / p50(alone),
        "age_ms": times["age"],
        "move_ms": times["move"],
        "reader_alone_ms": p50(alone),
        "reader_beside_ms": p50(beside),
        "reads_beside": len(beside),
    }
