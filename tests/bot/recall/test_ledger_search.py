"""The laws of what is read of a ledger."""

import json
from collections.abc import Set as AbstractSet
from typing import Any

import pytest

from bot.db import statements
from bot.db.pool import Connection, Database

SMALL, LARGE = 1, 2
FILLED = """
INSERT INTO channel (space_id, channel_id, name, mode, open_session_id, created_at)
SELECT 1, c, '', 'all', c, now() FROM generate_series(1, 2) AS c;
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at)
SELECT 1, c, c, 1, 'open', now() FROM generate_series(1, 2) AS c;
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at, closed_at)
SELECT 1, c * 1000 + n, c, n, 'summarised', now(), now() FROM generate_series(1, 2) AS c, generate_series(2, 300) AS n;
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model,
                   created_at)
SELECT 1, c * 100000 + n, c, c, c * 100000 + n, '', ARRAY[c * 100000 + n], 'heron', 'scripted', now()
FROM (VALUES (1, 20), (2, 2000)) AS channel (c, size), generate_series(1, size) AS n;
INSERT INTO chat_summary (space_id, summary_id, channel_id, chunk_id, text, raw, message_count, model, created_at)
SELECT 1, chunk_id, channel_id, chunk_id, 'heron', '', 1, 'scripted', now() FROM chunk;
ANALYZE"""
"""A small channel beside one a hundred times as long, each chunk with a version of its own; nobody reset them."""
READ_BEFORE = """
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model,
                   created_at)
SELECT 1, -200000 - n, 2, 2, 200000 + n, '', ARRAY[200000 + n], 'heron', 'scripted', now()
FROM generate_series(1, 2000) AS n;
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model,
                   created_at)
SELECT 1, 202000 + n, 2, 2, 202000 + n, '', ARRAY[202000 + n], '', '', now() FROM generate_series(1, 2000) AS n;
ANALYZE"""
"""What the long channel is told to have been before, and what of it was only read, which has no words."""
LAST = 2**62
TALKED = """
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author, content, said_at, search)
SELECT 1, n * 10 + c, c, n / 20, 'person', 'Ann', 'heron', now(), ''
FROM generate_series(1, 2) AS c, generate_series(1, 4000) AS n;
ANALYZE"""
"""Two channels with a session for every twenty messages."""


@pytest.mark.parametrize("channel", [SMALL, LARGE])
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("ledger.newest", f"4, true, {LAST}"),
        ("ledger.first_entries", f"4, true, {LAST}"),
        ("chunk.rolled", ""),
        ("chunk.unrolled", "0, 4"),
        ("condensation.rest", "0, 0, 4"),
    ],
)
async def test_no_more_is_read_than_is_shown(database: Database, name: str, args: str, channel: int) -> None:
    """Neither of a long channel, nor past one for a short one beside it, whatever plan is made once for both."""
    async with database.connection() as connection:
        await connection.execute(FILLED)
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE law AS {statements.named(name)}")
        given = ", ".join(filter(None, ["1", str(channel), args]))
        # A summary tells which sessions it is of.
        tables = {"chunk", "chat_summary"} | ({"session"} if name.startswith("chunk.") else set())
        read = await rows_read(connection, f"EXECUTE law({given})", tables)
        await connection.execute("DEALLOCATE law; RESET plan_cache_mode")
    assert 1 <= read <= 8


@pytest.mark.parametrize(("since", "told", "by_index"), [(0, 500, 1000), (39_000, 202, 202)])
async def test_no_more_is_read_of_a_while_however_many_sessions_it_fills(
    database: Database, since: int, told: int, by_index: int
) -> None:
    """Of each channel what is wanted of them all."""
    async with database.connection() as connection:
        await connection.execute(TALKED)
        said = await connection.fetch(statements.named("ledger.said_within"), 1, [SMALL, LARGE], since, LAST, 500)
        await connection.execute(f"PREPARE law AS {statements.named('ledger.said_within')}")
        query = f"EXECUTE law(1, '{{{SMALL}, {LARGE}}}', {since}, {LAST}, 500)"
        read = await rows_read(connection, query, {"message_said"})
    assert (told, by_index) == (len(said), read)


async def test_of_a_common_word_the_newest_entries_are_read(database: Database) -> None:
    """However many hold it: the index, which would name them all, is asked only for what is rare."""
    async with database.connection() as connection:
        await connection.execute(FILLED)
        await connection.execute("UPDATE chunk SET search = 'heron' WHERE space_id = 1")
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE law AS {statements.named('ledger.entries_holding')}")
        query = f"EXECUTE law(1, '{{{SMALL}, {LARGE}}}', '', '{{heron}}', 2000, 5, {LAST}, 'heron', 50)"
        read = await rows_read(connection, query, {"chunk_search", "chunk_pkey"})
        await connection.execute("DEALLOCATE law; RESET plan_cache_mode")
    assert 50 <= read <= 150


@pytest.mark.parametrize("since", [1, 100_001, 201_990])
async def test_no_more_is_read_of_a_while_than_is_told_of_it(database: Database, since: int) -> None:
    """However long ago it began: of what was recorded and of what was only read, the newest, past what has no words."""
    async with database.connection() as connection:
        await connection.execute(FILLED)
        await connection.execute(READ_BEFORE)
        told = await connection.fetch(statements.named("ledger.entries_within"), 1, [LARGE], since, LAST, 5, 2000)
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE law AS {statements.named('ledger.entries_within')}")
        read = await rows_read(connection, f"EXECUTE law(1, '{{{LARGE}}}', {since}, {LAST}, 5, 2000)", {"chunk"})
        await connection.execute("DEALLOCATE law; RESET plan_cache_mode")
    assert [202_000, -202_000, 201_999, -201_999, 201_998] == [row["chunk_id"] for row in told]
    assert read <= 20


async def test_of_a_while_only_so_many_entries_are_walked(database: Database) -> None:
    """However many nobody here may be told of stand before those that one may."""
    async with database.connection() as connection:
        await connection.execute(FILLED)
        every = [
            await connection.fetch(statements.named("ledger.entries_within"), 1, [SMALL], 1, LAST, 5, most)
            for most in (1999, 2001)
        ]
    assert [0, 1] == [len(told) for told in every]


async def rows_read(connection: Connection, query: str, names: AbstractSet[str]) -> int:
    """How many rows of these tables, or by these indexes, a query reads."""
    explained: Any = f"EXPLAIN (ANALYZE, FORMAT JSON) {query}"
    nodes, read = [json.loads(await connection.fetchval(explained))[0]["Plan"]], 0
    while nodes:
        node = nodes.pop()
        nodes += node.get("Plans", [])
        if not names.isdisjoint((node.get("Relation Name"), node.get("Index Name"))):
            read += (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
    return read
