"""Creates the vectors of remembered texts in the background, and anew when the model changes."""

import contextlib
import itertools
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final, LiteralString

import asyncpg

from bot import errors, log
from bot.db import statements
from bot.db.pool import Database, Row
from bot.domain import SpaceId, WorkerId, new_id
from bot.llm.embedder import LONGEST_TEXT, PROBE, Embedder
from bot.store.spaces import Spaces
from bot.store.vectors.vector_table import MOST_DIMENSIONS, EmbeddingTable, array, written
from bot.text import sentences

_log = log.logger(__name__)

LEASE: Final = timedelta(minutes=2)
"""Of a table; longer than a batch takes, and than the pause between two runs."""
MOST_A_RUN: Final = 10_000
MOST_A_SPACE: Final = 2000
"""Texts that one run embeds, over all spaces and of one of them; the next run goes on."""
LOOK_THROUGH: Final = timedelta(hours=1)
"""How often each space is looked through as a whole; in between, only what came of late is."""
OF_LATE: Final = timedelta(minutes=15)
"""So long most edits have been made, and what was said meanwhile is looked at again in each run."""
MOST_PARTS: Final = 8
"""Vectors of a text beside that of the whole."""
MOST_AT_ONCE: Final = 64
"""Texts whose vectors, and their parts', are held in memory together, however many a request may have."""
LOCK_KEY: Final = 0x48415445
"""The ASCII of "HATE", one past the lock of migrations: who makes or drops a table takes this lock."""
OLDEST: Final = (0, 8)
"""The pgvector from which on an index can be walked until enough of one space is found."""
_PATIENCE: Final = "1s"
"""How long a table that others use is waited for, while they wait behind."""
_ANEW: Final = "they are made anew"
_WORD: Final = re.compile(r"\w")
_BEFORE_ALL: Final = -1
_AFTER_ALL: Final = 2**63 - 1


class Sql:
    """Statements that make, fill and drop tables of vectors."""

    support: Final = statements.named("embedding.support")
    patience: Final = statements.named("embedding.patience")
    extension: Final = statements.named("embedding.extension")
    table: Final = statements.named("embedding.table")
    index: Final = statements.named("embedding.index")
    register: Final = statements.named("embedding.register")
    registered: Final = statements.named("embedding.registered")
    claim: Final = statements.named("embedding.claim")
    filled: Final = statements.named("embedding.filled")
    outdated: Final = statements.named("embedding.outdated")
    drop: Final = statements.named("embedding.drop")
    retire: Final = statements.named("embedding.retire")
    fresh: Final = statements.named("embedding.fresh")
    pending_memories: Final = statements.named("embedding.pending_memories")
    pending_messages: Final = statements.named("embedding.pending_messages")
    write_memories: Final = statements.named("embedding.write_memories")
    write_messages: Final = statements.named("embedding.write_messages")
    tidy: Final = statements.named("embedding.tidy")
    newest_memory: Final = statements.named("embedding.newest_memory")
    try_lock: Final = statements.named("migration.try_lock")


@dataclass(slots=True, kw_only=True)
class _Run:
    """The progress of one run."""

    made: int = 0
    complete: bool = True
    """Whether nothing is left that this run has seen."""


class _Unfit(errors.HathiError):
    """Vectors can't be made with this model or database."""


class Indexer:
    """Fills the table of the configured model; of several workers one at a time does."""

    def __init__(
        self, database: Database, embedder: Embedder, spaces: Spaces, worker: WorkerId, clock: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._spaces = spaces
        self._worker = worker
        self._clock = clock
        self.table: EmbeddingTable | None = None
        """The table of the model as it answers; none before it did."""
        self.trouble = "the embedder was not asked yet"
        """Why there is no table."""
        self._through: dict[SpaceId, int] = {}
        """The last memory of each space when it was looked through."""
        self._looked_through: datetime | None = None

    async def run(self) -> int:
        """Makes vectors for texts that lack them, newest first, up to a run's limit; returns how many.

        What was edited within a quarter of an hour is embedded anew by the next run, and what was edited later, hidden
        or opted out of is looked after hourly. When all is made, the tables of other models are dropped.
        """
        run = _Run()
        try:
            self.table = table = self.table or await self._ready()
            await self._fill(run, table)
        except BaseException as exc:
            # What was new in between may be old by the next run.
            self._through.clear()
            if not self._is_told(exc):
                raise
        if run.made:
            _log.info("embedding.made", made=run.made, complete=run.complete)
        return run.made

    def _is_told(self, exc: BaseException) -> bool:
        """Handles an expected failure by setting `trouble`; false for an unexpected one."""
        match exc:
            case errors.ModelError():
                self.trouble = str(exc)
            case _Unfit():
                if self.trouble != str(exc):
                    _log.warning("embedding.impossible", reason=str(exc))
                self.table, self.trouble = None, str(exc)
            case asyncpg.UndefinedTableError():
                self.table, self.trouble = None, _ANEW
            case _:
                return isinstance(exc, errors.LeaseLost)
        return True

    async def _ready(self) -> EmbeddingTable:
        """The model's table, created where missing. Raises `_Unfit` and `ModelError`."""
        async with self._database.connection() as connection:
            version = await connection.fetchval(Sql.support)
        if version is None:
            raise _Unfit("this Postgres has no pgvector")
        if _parts(version) < OLDEST:
            raise _Unfit(f"pgvector {version} is too old; 0.8 or later will do")
        (vector,) = await self._embedder.embed([PROBE])
        if vector is None or len(vector) > MOST_DIMENSIONS:
            raise _Unfit(f"the embedder's vectors are not between 1 and {MOST_DIMENSIONS} numbers long")
        table = EmbeddingTable(model=self._embedder.model, dimension=len(vector))
        await self._make(table)
        return table

    async def _make(self, table: EmbeddingTable) -> None:
        """Creates the table where missing. Raises `_Unfit`, and `LeaseLost` while another worker is at it."""
        try:
            async with self._database.transaction() as connection:
                if not await connection.fetchval(Sql.try_lock, LOCK_KEY):
                    raise errors.LeaseLost
                if await connection.fetchrow(Sql.registered, table.name) is not None:
                    return
                await connection.execute(Sql.extension)
                await connection.fetchval(Sql.patience, _PATIENCE)
                with _unless_in_use():
                    await connection.execute(table.filled(Sql.table))
                    if table.is_indexed:
                        await connection.execute(table.filled(Sql.index))
                await connection.execute(Sql.register, table.name, table.registered_as, table.dimension, self._clock())
        except asyncpg.InsufficientPrivilegeError:
            raise _Unfit("whoever owns the Postgres must run CREATE EXTENSION vector in the database") from None

    async def _fill(self, run: _Run, table: EmbeddingTable) -> None:
        was_filled = await self._claimed(table)
        if self._looked_through is None or self._clock() - self._looked_through >= LOOK_THROUGH:
            self._through.clear()
            self._looked_through = self._clock()
        last: SpaceId | None = None
        while spaces := await self._spaces.page(last):
            for space_id in await self._due(table, spaces):
                await self._fill_space(run, table, space_id)
                if run.made >= MOST_A_RUN:
                    run.complete = False
                    return
            last = spaces[-1]
        if run.complete:
            if not was_filled:
                async with self._database.connection() as connection:
                    await connection.execute(Sql.filled, table.name, self._clock())
            await self._drop_others(table)

    async def _claimed(self, table: EmbeddingTable) -> bool:
        """Claims the table; whether it was filled before. Raises `LeaseLost` when another worker has it."""
        now = self._clock()
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.claim, table.name, self._worker, now + LEASE, now)
            if row is None:
                if await connection.fetchrow(Sql.registered, table.name) is None:
                    # Dropped by a worker with another model: the next run makes it again.
                    self.table, self.trouble = None, _ANEW
                raise errors.LeaseLost
        return row["filled_at"] is not None

    async def _due(self, table: EmbeddingTable, spaces: Sequence[SpaceId]) -> list[SpaceId]:
        """The spaces not looked through yet, and those with new texts."""
        known = [space_id for space_id in spaces if space_id in self._through]
        since = new_id(self._clock() - OF_LATE)
        async with self._database.connection() as connection:
            found = await connection.fetch(
                table.filled(Sql.fresh), known, [self._through[space_id] for space_id in known], since
            )
        fresh = {row["space_id"] for row in found}
        return [space_id for space_id in spaces if space_id not in self._through or space_id in fresh]

    async def _fill_space(self, run: _Run, table: EmbeddingTable, space_id: SpaceId) -> None:
        """Makes the vectors one space lacks; of one looked through before, only of new texts."""
        through = self._through.pop(space_id, None)
        async with self._database.connection() as connection:
            newest = await connection.fetchval(Sql.newest_memory, space_id)
            if through is None:
                await connection.execute(table.filled(Sql.tidy), space_id)
        since = _BEFORE_ALL if through is None else new_id(self._clock() - OF_LATE)
        least = _BEFORE_ALL if through is None else through
        most = min(MOST_A_SPACE, MOST_A_RUN - run.made)
        kinds: tuple[tuple[LiteralString, LiteralString, int], ...] = (
            (table.filled(Sql.pending_memories), table.filled(Sql.write_memories), least),
            (table.filled(Sql.pending_messages), table.filled(Sql.write_messages), since),
        )
        for pending, write, after in kinds:
            below = _AFTER_ALL
            while most > 0 and (found := await self._pending(pending, space_id, after, below, most)):
                await self._embed(table, write, space_id, found)
                run.made += len(found)
                most -= len(found)
                below = found[-1]["id"]
        if most > 0:
            self._through[space_id] = newest
        else:
            run.complete = False

    async def _pending(
        self, statement: LiteralString, space_id: SpaceId, after: int, below: int, most: int
    ) -> Sequence[Row]:
        """One batch of what lacks a vector between two ids, the newest first."""
        batch = min(self._embedder.batch, most, MOST_AT_ONCE)
        async with self._database.connection() as connection:
            return await connection.fetch(statement, space_id, after, below, batch, LONGEST_TEXT)

    async def _embed(
        self, table: EmbeddingTable, write: LiteralString, space_id: SpaceId, found: Sequence[Row]
    ) -> None:
        """Make the vectors of some texts and of their sentences; no connection is held while the embedder works."""
        parts = [_apart(row["text"]) for row in found]
        texts = [*(row["text"] for row in found), *itertools.chain.from_iterable(parts)]
        vectors: list[str | None] = []
        for at in range(0, len(texts), self._embedder.batch):
            made = await self._embedder.embed(texts[at : at + self._embedder.batch])
            if any(vector is not None and len(vector) != table.dimension for vector in made):
                raise _Unfit("the embedder answers with vectors of another length than before")
            # As they come: all at once would hold up the event loop, and take several times the memory.
            vectors += [None if vector is None else written(vector) for vector in made]
            await self._claimed(table)
        rest = iter(vectors[len(found) :])
        of_parts = [[vector for vector in itertools.islice(rest, len(each)) if vector is not None] for each in parts]
        async with self._database.connection() as connection:
            await connection.execute(
                write,
                space_id,
                [row["id"] for row in found],
                [bytes(row["content_hash"]) for row in found],
                vectors[: len(found)],
                [array(each) for each in of_parts],
            )

    async def _drop_others(self, table: EmbeddingTable) -> None:
        now = self._clock()
        async with self._database.connection() as connection:
            outdated = await connection.fetch(Sql.outdated, table.name, self._worker, now)
        for row in outdated:
            other = EmbeddingTable(model=row["model"], dimension=row["dimension"], known_as=row["table_name"])
            try:
                async with self._database.transaction() as connection:
                    await connection.fetchval(Sql.patience, _PATIENCE)
                    with _unless_in_use():
                        await connection.execute(other.filled(Sql.drop))
                    await connection.execute(Sql.retire, other.name, now)
            except errors.LeaseLost:
                _log.info("embedding.still_in_use", table=other.name)
            else:
                _log.info("embedding.dropped", table=other.name)


@contextlib.contextmanager
def _unless_in_use() -> Generator[None]:
    """Raises `LeaseLost` for a lock that is not to be had in time: nothing waits for it, so that is no outage."""
    try:
        yield
    except asyncpg.LockNotAvailableError:
        raise errors.LeaseLost from None


def _apart(text: str) -> list[str]:
    """The sentences of a text, joined where there are many; none if it has only one."""
    found = [sentence for sentence in sentences.split(text) if _WORD.search(sentence)]
    if found == [text.strip()]:
        return []
    size = ceil(len(found) / MOST_PARTS) or 1
    return [" ".join(found[at : at + size]) for at in range(0, len(found), size)]


def _parts(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"[0-9]+", text)[:2])
