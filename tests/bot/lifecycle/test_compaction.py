"""The laws of writing tables anew."""

from pathlib import Path
from typing import Any

from bot.db.pool import Database
from bot.lifecycle import compaction
from tests.conftest import Clock
from tests.conversations import room
from tests.rows import column, contents, one

WORD = "zqbytes7"
WITH_SPACE = """
SELECT DISTINCT table_name::text FROM information_schema.columns
JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN ('content', 'name', 'text', 'author',
      'tags', 'before', 'trail', 'evidence', 'closed_by', 'settings')
  AND table_name IN (SELECT table_name FROM information_schema.columns WHERE column_name = 'space_id')"""
"""Tables of spaces in which words or names of people stand, or what points to them."""


async def test_the_bytes_of_what_was_erased_are_gone(database: Database, clock: Clock) -> None:
    """What was deleted stands in the files of its tables until they are written anew; what stays is as it was."""
    async with room(database, clock) as r:
        await r.run(f"!remember The vault is {WORD}.")
        await r.run("!remember The sky is blue.")
        await r.run("!forget 1")
        clock.forward(minutes=11)
        await r.app.schedule.upkeep()
    async with database.connection() as connection:
        await connection.execute("CHECKPOINT")
    before = await _holding(database)
    done = [each async for each in compaction.compact(database)]
    assert await compaction.recycle(database)
    assert ("memory" in before, []) == (True, await _holding(database))
    assert [*compaction.TABLES] == [each.table for each in done]
    assert ["The sky is blue."] == await contents(database)


async def test_every_table_with_words_is_written_anew(database: Database) -> None:
    """A table that a later migration adds is not left out."""
    assert {*await column(database, WITH_SPACE)} <= {*compaction.TABLES}


async def _holding(database: Database) -> list[str]:
    """The tables whose files have the word."""
    folder = Path(await one(database, "SELECT current_setting('data_directory')"))
    query: Any = "SELECT relname::text, pg_relation_filepath(oid) FROM pg_class WHERE relname = ANY ($1::text[])"
    async with database.connection() as connection:
        found = await connection.fetch(query, [*compaction.TABLES])
    return [name for name, path in found if WORD.encode() in (folder / path).read_bytes()]
