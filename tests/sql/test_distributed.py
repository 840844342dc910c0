"""No statement has a shape that a distributed database refuses."""

import re

import asyncpg

from tests import query_trees
from tests.query_trees import Volatilities
from tests.sql.conftest import text
from tests.sql.test_statements import PREPARABLE

WRITING = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM) (?!(?:SET|mark|job_run|migration)\b)")
"""But for tables that hold no space's data, and stay in one place."""
REFUSED = {
    "UPDATE memory SET search = memory_vector($2, topic, content, tags) WHERE space_id = $1": query_trees.WITH_COLUMN,
    "UPDATE memory SET search = memory_vector($2, memory.topic, f.content, memory.tags) FROM jsonb_to_recordset("
    "$3::jsonb) AS f (memory_id bigint, content text) WHERE space_id = $1 AND memory.memory_id = f.memory_id": (
        query_trees.WITH_COLUMN
    ),
    "WITH due AS (SELECT message_id FROM message WHERE space_id = $1 LIMIT 9) UPDATE message SET search ="
    " message_vector($2, content, said_at) FROM due WHERE space_id = $1 AND message.message_id = due.message_id": (
        query_trees.WITH_COLUMN
    ),
    "UPDATE message SET edited_at = said_at + $2::interval WHERE space_id = $1": query_trees.WITH_COLUMN,
    "UPDATE message SET hidden_at = $2 WHERE space_id = $1 AND said_at < edited_at - $3::interval": (
        query_trees.WITH_COLUMN
    ),
    "UPDATE memory SET metadata = metadata || CASE WHEN memory_id = $2 THEN to_jsonb($3::bigint[]) ELSE to_jsonb("
    "$2::bigint) END WHERE space_id = $1": query_trees.LAZY,
    "UPDATE memory SET aged_at = coalesce(aged_at, now()) WHERE space_id = $1": query_trees.LAZY,
    "UPDATE message SET hidden_at = clock_timestamp() WHERE space_id = $1": query_trees.VOLATILE,
    "DELETE FROM message WHERE space_id = $1 RETURNING to_jsonb(message_id)": query_trees.RETURNED,
    "INSERT INTO mark (name, value, at) VALUES ($1, '', $2)"
    " ON CONFLICT (name) DO UPDATE SET at = mark.at + $3::interval": query_trees.ON_CONFLICT,
    "INSERT INTO mark (name, value, at) VALUES ($1, '', $2)"
    " ON CONFLICT (name) DO UPDATE SET at = $2 WHERE mark.at < excluded.at - $3::interval": query_trees.ON_CONFLICT,
}
"""Shapes that were refused, or would be, and why."""
TAKEN = {
    "read": "WITH fresh AS (SELECT memory_id, memory_vector($2, topic, content, tags) AS search FROM memory"
    " WHERE space_id = $1) UPDATE memory SET search = fresh.search FROM fresh"
    " WHERE space_id = $1 AND memory.memory_id = fresh.memory_id",
    "given": "UPDATE memory SET metadata = metadata || to_jsonb($2::bigint[]) WHERE space_id = $1",
    "lazy": "UPDATE memory SET tier = CASE WHEN pinned THEN 'short' ELSE tier END, aged_at = coalesce($2, aged_at)"
    " WHERE space_id = $1",
    "excluded": "INSERT INTO mark (name, value, at) VALUES ($1, '', now())"
    " ON CONFLICT (name) DO UPDATE SET at = excluded.at",
}
"""Shapes like them that are not."""


async def test_what_a_distributed_database_refuses_is_told_from_what_it_takes(schema: str) -> None:
    """Every shape that Citus refused is found, by its reason, and what it took is not."""
    connection = await asyncpg.connect(schema)
    try:
        kept = await Volatilities.of(connection)
        shapes = (*REFUSED, *TAKEN.values())
        found = {shape: await query_trees.refused(connection, shape, kept) for shape in shapes}
    finally:
        await connection.close()
    assert found == {shape: {why} for shape, why in REFUSED.items()} | {shape: set() for shape in TAKEN.values()}


async def test_no_statement_has_a_shape_that_a_distributed_database_refuses(schema: str) -> None:
    """What is worked out of a row by what is not IMMUTABLE is read beside the write, not in it."""
    connection = await asyncpg.connect(schema)
    try:
        kept = await Volatilities.of(connection)
        names = [name for name in PREPARABLE if WRITING.search(text(name))]
        found = {name: await query_trees.refused(connection, text(name), kept) for name in names}
    finally:
        await connection.close()
    assert {} == {name: why for name, why in found.items() if why}
