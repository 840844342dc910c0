"""Counts, by samples, how often the common words of a large space are said there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, LiteralString

from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import SpaceId

LARGE: Final = 4_000
"""Messages, or memories, from which on words are counted: of fewer every one that holds a word can be read."""
COMMON: Final = 1_000
"""Rows from which on a word is worth a count."""
RUNS: Final = 200
RUN: Final = 100
"""Runs of so many rows that a sample is made of."""
SEEN: Final = 4
"""Times a word is seen in a sample from which on it tells anything."""
GROWN: Final = 1.2
"""Times as many rows as were sampled from which on a space is sampled anew."""
EVERY: Final = timedelta(days=1)
"""After which it is in any case: what was said and is gone is common no more."""
COUNTED_AT_ONCE: Final = 50_000
"""Messages of a space that one statement counts."""


class Sql:
    """Statements that count words."""

    of_words: Final = statements.named("word_count.of_words")
    of_texts: Final = statements.named("word_count.of_texts")
    messages_since: Final = statements.named("word_count.messages_since")
    memories_since: Final = statements.named("word_count.memories_since")
    keep_count: Final = statements.named("word_count.keep_count")
    sampled: Final = statements.named("word_count.sampled")
    clear: Final = statements.named("word_count.clear")
    sample_messages: Final = statements.named("word_count.sample_messages")
    sample_memories: Final = statements.named("word_count.sample_memories")
    drop_words: Final = statements.named("word_count.drop_words")
    unsampled: Final = statements.named("word_count.unsampled")
    drop_samples: Final = statements.named("word_count.drop_samples")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How many rows of one kind a space has, and about how many hold each word that many do."""

    total: int = 0
    """None that is known of a small space."""
    rows: Mapping[str, int] = field(default_factory=dict[str, int])
    beginnings: Mapping[str, int] = field(default_factory=dict[str, int])
    """The same of the common words that begin with something, together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCounts:
    """The same of messages and of memories."""

    messages: Counted = Counted()
    memories: Counted = Counted()


async def of_words(
    connection: Connection, space_id: SpaceId, words: Sequence[str], beginnings: Sequence[str] = ()
) -> WordCounts:
    """How common these words, as they are indexed, are in the space, and those that begin with one of the others."""
    found = await connection.fetch(Sql.of_words, space_id, [*words], [*beginnings]) if words or beginnings else ()
    return WordCounts(messages=_counted(found, "messages"), memories=_counted(found, "memories"))


def _counted(found: Sequence[Row], of: str) -> Counted:
    if not found:
        return Counted()
    return Counted(
        total=found[0][f"all_{of}"],
        rows={row["word"]: row[of] for row in found if row[of] and not row["begins"]},
        beginnings={row["word"]: row[of] for row in found if row[of] and row["begins"]},
    )


async def drop_words_in(connection: Connection, space_id: SpaceId) -> None:
    """Forgets which words are common, as those that are erased are not to stand here; a sampler counts them again."""
    await connection.execute(Sql.drop_words, space_id)
    await connection.execute(Sql.unsampled, space_id)


async def drop_in(connection: Connection, space_id: SpaceId) -> None:
    """Forgets all that was counted in a space."""
    await connection.execute(Sql.drop_words, space_id)
    await connection.execute(Sql.drop_samples, space_id)


@dataclass(frozen=True, slots=True)
class _Kind:
    """What holds words, and the statements that count it."""

    held_by: str
    since: LiteralString
    sample: LiteralString


_KINDS: Final = (
    _Kind("message", Sql.messages_since, Sql.sample_messages),
    _Kind("memory", Sql.memories_since, Sql.sample_memories),
)


class WordSampler:
    """Counts rows and words in spaces that have grown."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def look(self, spaces: Sequence[SpaceId], *, now: datetime) -> int:
        """Samples those of the spaces that need it; how many samples were made."""
        return sum([await self._look(kind, spaces, now) for kind in _KINDS])

    async def _look(self, kind: _Kind, spaces: Sequence[SpaceId], now: datetime) -> int:
        waiting, made = [*spaces], 0
        while waiting:
            counted = await self._counted(kind, waiting)
            waiting = [row["space_id"] for row in counted if row["found"] == COUNTED_AT_ONCE]
            for row in counted:
                if row["space_id"] not in waiting and _is_due(row, now):
                    await self._sample(kind, row, now)
                    made += 1
        return made

    async def _counted(self, kind: _Kind, spaces: Sequence[SpaceId]) -> Sequence[Row]:
        async with self._database.connection() as connection:
            counted = await connection.fetch(kind.since, spaces, COUNTED_AT_ONCE)
            for row in counted:
                if row["found"]:
                    await connection.execute(
                        Sql.keep_count, row["space_id"], kind.held_by, row["rows"], row["through_id"]
                    )
        return counted

    async def _sample(self, kind: _Kind, row: Row, now: datetime) -> None:
        space_id, held_by = row["space_id"], kind.held_by
        async with self._database.transaction() as connection:
            await connection.execute(Sql.clear, space_id, held_by)
            await connection.execute(kind.sample, space_id, row["rows"], RUNS, RUN, SEEN, COMMON, held_by)
            await connection.execute(Sql.sampled, space_id, held_by, now)


def _is_due(row: Row, now: datetime) -> bool:
    if row["rows"] < LARGE:
        return False
    return row["rows"] >= GROWN * row["sampled_rows"] or row["sampled_at"] is None or now - row["sampled_at"] >= EVERY
