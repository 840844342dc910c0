"""Writes the tables in which people's words stand anew, without the bytes of what was deleted."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, LiteralString

import asyncpg

from bot.db import statements
from bot.db.pool import Database
from bot.store.vectors.vector_table import EmbeddingTable

AT_MOST: Final = timedelta(hours=6)
"""For one table."""


class Sql:
    """Statements that write tables anew."""

    vector_tables: Final = statements.named("compact.vector_tables")
    vectors: Final = statements.named("embedding.compact")
    size: Final = statements.named("compact.size")
    statistics: Final = statements.named("compact.statistics")
    checkpoint: Final = statements.named("compact.checkpoint")


TABLES: Final[dict[str, LiteralString]] = {
    "message": statements.named("compact.message"),
    "attachment": statements.named("compact.attachment"),
    "memory": statements.named("compact.memory"),
    "tally": statements.named("compact.tally"),
    "memory_event": statements.named("compact.memory_event"),
    "tombstone": statements.named("compact.tombstone"),
    "chat_summary": statements.named("compact.chat_summary"),
    "chunk": statements.named("compact.chunk"),
    "condensation": statements.named("compact.condensation"),
    "rework": statements.named("compact.rework"),
    "note": statements.named("compact.note"),
    "turn": statements.named("compact.turn"),
    "proposal": statements.named("compact.proposal"),
    "place_setting": statements.named("compact.place_setting"),
    "session": statements.named("compact.session"),
    "member": statements.named("compact.member"),
    "channel": statements.named("compact.channel"),
    "space": statements.named("compact.space"),
    "common_word": statements.named("compact.common_word"),
}
"""The tables in which people's words or names stand, with what writes each anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """One table that was written anew."""

    table: str
    before: int
    after: int
    """Bytes, with its indexes."""


async def compact(database: Database) -> AsyncGenerator[Compacted]:
    """Writes each table anew, and tells of each when it is done. Nobody reads or writes a table meanwhile."""
    async with database.connection() as connection:
        found = await connection.fetch(Sql.vector_tables)
    written: dict[str, LiteralString] = dict(TABLES)
    for row in found:
        vectors = EmbeddingTable(model=row["model"], dimension=row["dimension"], known_as=row["table_name"])
        written[vectors.name] = vectors.filled(Sql.vectors)
    for table, statement in written.items():
        async with database.connection() as connection:
            before = await connection.fetchval(Sql.size, table)
            await connection.execute(statement, timeout=AT_MOST.total_seconds())
            after = await connection.fetchval(Sql.size, table)
        yield Compacted(table=table, before=before, after=after)


async def recycle(database: Database) -> bool:
    """Lets Postgres write over old statistics and its log; false where this user may not ask for the latter."""
    async with database.connection() as connection:
        await connection.execute(Sql.statistics, timeout=AT_MOST.total_seconds())
        try:
            await connection.execute(Sql.checkpoint, timeout=AT_MOST.total_seconds())
        except asyncpg.InsufficientPrivilegeError:
            return False
    return True
