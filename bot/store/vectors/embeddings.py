"""Finds texts near a question in meaning, among those the asker may see."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import asyncpg

from bot import errors
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import Caller, Memory, Message, SpaceId, new_id
from bot.llm.embedder import Embedder
from bot.llm.failures import briefly
from bot.llm.vector_source import Vector
from bot.store.vectors.indexer import Indexer
from bot.store.vectors.vector_table import EmbeddingTable, written

PATIENCE: Final = timedelta(milliseconds=300)
"""How long a recall waits for the embedder and the comparison together."""
QUESTIONS: Final = 256
"""Questions whose vectors are kept in mind, the latest used."""
SAMPLE: Final = 200
"""The newest vectors, of which it is told how near they are on the average."""
COMPARED: Final = 20_000
"""Vectors of a space that are compared one by one; a larger space is searched by the index. At that many the comparison
takes 30 ms with 384 dimensions and 55 ms with 1,536 (measured), and is exact."""
YOUNG: Final = timedelta(minutes=2)
"""A text younger than this is not missed: the next filling makes its vector."""
_SPARE: Final = 100
"""Rows looked at beyond those wanted: some may just have been hidden."""
_NEVER: Final = 2**63 - 1

Kind = Literal["memory", "message"]
Key = tuple[Kind, int]


def key_of(item: Memory | Message) -> Key:
    """The key of a text's vector."""
    return ("memory", item.memory_id) if isinstance(item, Memory) else ("message", item.message_id)


class Sql:
    """Statements that compare vectors; each is filled in with the table it is about."""

    registered: Final = statements.named("embedding.registered")
    progress: Final = statements.named("embedding.progress")
    size: Final = statements.named("embedding.size")
    widely: Final = statements.named("embedding.widely")
    nearest_of_all: Final = statements.named("embedding.nearest_of_all")
    nearest_by_index: Final = statements.named("embedding.nearest_by_index")
    similarity: Final = statements.named("embedding.similarity")


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """The rows nearest to a question in meaning; or none, and why meaning was not compared."""

    similar: Mapping[Key, float] = field(default_factory=dict[Key, float])
    """Of the nearest rows, by kind and id: the mean of their cosine with the question and of that of their most similar
    sentence."""
    mean: float = 0.0
    """Of this similarity, over the newest rows the caller may see."""
    deviation: float = 0.0
    vector: Vector | None = None
    """The question's."""
    failed: str | None = None
    """Why there is nothing, as half a sentence."""


class Embeddings:
    """Compares questions with what is remembered; every read binds the space and the caller's channels."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        indexer: Indexer,
        clock: Callable[[], datetime],
        *,
        patience: timedelta = PATIENCE,
        compared: int = COMPARED,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._indexer = indexer
        self._clock = clock
        self._patience = patience
        self._compared = compared
        self._questions: OrderedDict[tuple[str, str], Vector] = OrderedDict()
        self._complete: set[tuple[str, SpaceId]] = set()
        """Spaces found to have all their vectors, by table, while the table as a whole is not filled yet."""

    async def nearest(self, caller: Caller, question: str, *, limit: int) -> Nearest:
        """The `limit` rows nearest to the question, of those the caller may see.

        Never later than 300 ms; what was not there by then is told in `failed`. Raises `DatabaseError`.
        """
        seconds = f"{self._patience.total_seconds():g} s"
        late = f"the embedder did not answer within {seconds}"
        try:
            async with asyncio.timeout(self._patience.total_seconds()):
                vector = await self._vector(question)
                late = f"the embeddings could not be compared within {seconds}"
                return await self._nearest(caller, vector, limit)
        except TimeoutError:
            return Nearest(failed=late)
        except errors.ModelRefused:
            return Nearest(failed="the embedder refused the question")
        except errors.ModelError:
            return Nearest(failed="the embedder can't be reached")
        except (asyncpg.UndefinedTableError, asyncpg.UndefinedObjectError):
            return Nearest(failed="the embeddings are not made yet")

    async def similarity(
        self, caller: Caller, ids_messages: Sequence[int], ids_memories: Sequence[int], question_vector: Vector
    ) -> Mapping[Key, float]:
        """How near the question they are, as `Nearest.similar` has it: those the caller may see that have a vector."""
        table = self._table(question_vector)
        kinds = ["message"] * len(ids_messages) + ["memory"] * len(ids_memories)
        try:
            async with self._database.connection() as connection:
                found = await connection.fetch(
                    table.filled(Sql.similarity),
                    caller.space_id,
                    caller.visible,
                    written(question_vector),
                    kinds,
                    [*ids_messages, *ids_memories],
                )
        except (asyncpg.UndefinedTableError, asyncpg.UndefinedObjectError):
            return {}
        return _cosines(found)

    async def status(self, caller: Caller, *, in_full: bool) -> str:
        """Model and progress in one line; where and why something failed only `in_full`."""
        model, table = self._embedder.model, self._indexer.table
        if table is None:
            return f"embeddings: {model}, none" + (f": {self._indexer.trouble}" if in_full else "")
        try:
            async with self._database.connection() as connection:
                made, of = await self._progress(connection, table, caller.space_id, before=None)
        except asyncpg.UndefinedTableError:
            return f"embeddings: {model}, none: they are made anew"
        slow = "" if table.is_indexed else "; too many dimensions for an index, so large spaces are slow"
        last = self._embedder.last_call or "not asked yet"
        return f"embeddings: {model}, {made} of {of} made{slow}; {last if in_full else briefly(last)}"

    async def _vector(self, text: str) -> Vector:
        key = (self._embedder.model, text)
        if (known := self._questions.get(key)) is not None:
            self._questions.move_to_end(key)
            return known
        vector = await self._embedder.embed_one(text, within=self._patience)
        self._questions[key] = vector
        if len(self._questions) > QUESTIONS:
            self._questions.popitem(last=False)
        return vector

    async def _nearest(self, caller: Caller, vector: Vector, limit: int) -> Nearest:
        table = self._table(vector)
        async with self._database.connection() as connection:
            missing = await self._missing(connection, table, caller.space_id)
            if missing:
                return Nearest(vector=vector, failed=missing)
            args = (caller.space_id, caller.visible, written(vector), limit * 2 + _SPARE, limit, SAMPLE)
            size = await connection.fetchval(table.filled(Sql.size), caller.space_id, self._compared + 1)
            if size <= self._compared or not table.is_indexed:
                found = await connection.fetch(table.filled(Sql.nearest_of_all), *args)
            else:
                async with connection.transaction():
                    await connection.fetchrow(Sql.widely)
                    found = await connection.fetch(table.filled(Sql.nearest_by_index), *args)
        if not found:
            return Nearest(vector=vector)
        return Nearest(similar=_cosines(found), mean=found[0]["mean"], deviation=found[0]["deviation"], vector=vector)

    async def _missing(self, connection: Connection, table: EmbeddingTable, space_id: SpaceId) -> str | None:
        """Why the vectors of a space can't be compared yet; none when they can."""
        row = await connection.fetchrow(Sql.registered, table.name)
        if row is None:
            return "the embeddings are not made yet"
        if row["filled_at"] is not None or (table.name, space_id) in self._complete:
            return None
        made, of = await self._progress(connection, table, space_id, before=self._clock() - YOUNG)
        if made < of:
            return f"the embeddings are being made: {made} of {of}"
        self._complete.add((table.name, space_id))
        return None

    async def _progress(
        self, connection: Connection, table: EmbeddingTable, space_id: SpaceId, *, before: datetime | None
    ) -> tuple[int, int]:
        """How many vectors are made, and of how many texts; of all, or of those kept before a time."""
        through = _NEVER if before is None else new_id(before)
        row = await connection.fetchrow(table.filled(Sql.progress), space_id, through, before)
        assert row is not None
        return row["made"], row["of"]

    def _table(self, vector: Vector) -> EmbeddingTable:
        return EmbeddingTable(model=self._embedder.model, dimension=len(vector))


def _cosines(found: Sequence[Row]) -> dict[Key, float]:
    cosines: dict[Any, float] = {(row["kind"], row["id"]): row["cosine"] for row in found}
    return cosines
