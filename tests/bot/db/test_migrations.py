"""The laws of migrating: from whatever version a database comes, nothing in it is lost."""

import re
from collections.abc import AsyncGenerator
from typing import Any, Final

import asyncpg
import pytest

from bot.config import DatabaseSettings
from bot.db import migrations, pool
from bot.db.pool import Database
from tests.conftest import on

ROWS: Final = """
INSERT INTO space (space_id, language, created_at) VALUES ($1, 'english', now());
INSERT INTO channel (space_id, channel_id, name, mode, created_at) VALUES ($1, 10, 'general', 'all', now());
INSERT INTO person (person_id, told_at) VALUES ($1, now());
INSERT INTO member (space_id, person_id, name, first_seen_at, last_seen_at) VALUES ($1, $1, 'Ann', now(), now());
INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at) VALUES ($1, 1, 10, 1, 'open', now());
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, said_at, search)
    VALUES ($1, 2, 10, 1, 'person', $1, 'Ann', 'The bridge is red.', now(), '');
INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, recorded_at)
    VALUES ($1, 2, 10, 1, $1, 'answered', 'w', now(), now());
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
                    channel_id, content_hash, created_at, said_at, reinforced_at, last_used_at, search)
    VALUES ($1, 1, 'long', 'general', 'bridge', 'The bridge is red.', 5, 5, 'user', '{auto,domain:town}',
            10, '', now(), now(), now(), now(), '');
INSERT INTO memory_event (space_id, memory_id, kind, actor, at) VALUES ($1, 1, 'saved', 'person', now());
INSERT INTO tombstone (space_id, memory_id, channel_id, evidence, content_mac, at) VALUES ($1, 3, 10, '{2}', '', now());
INSERT INTO chat_summary (space_id, summary_id, channel_id, session_id, text, raw, message_count, model, created_at)
    VALUES ($1, 1, 10, 1, 'A bridge.', 'A bridge.', 1, 'offline', now());
INSERT INTO job_run (job, slot, worker, started_at) VALUES ($1::text, now(), 'w', now());
INSERT INTO secret (name, value) VALUES ($1::text, '')"""
"""One of everything that the first version knew."""
TABLES: Final = re.findall(r"INSERT INTO (\w+)", ROWS)


@pytest.fixture
async def empty(dsn: str) -> AsyncGenerator[Database]:
    """A pool on a database without any schema."""
    admin = await asyncpg.connect(dsn)
    await admin.execute("CREATE DATABASE unmigrated")
    try:
        async with pool.opened(on(dsn, "unmigrated"), DatabaseSettings()) as database:
            yield database
    finally:
        await admin.execute("DROP DATABASE unmigrated WITH (FORCE)")
        await admin.close()


async def test_an_upgrade_keeps_every_row(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written at any version, in any table, stands there after all later migrations; only vectors change."""
    brought, written = migrations.available(), list[tuple[str, Any]]()
    for number in brought:
        monkeypatch.setattr(migrations, "available", lambda to=number: {n: brought[n] for n in brought if n <= to})
        assert [brought[number][0]] == await migrations.migrate(empty)
        written += await _written(empty, number)
    lost: list[tuple[str, Any]] = []
    async with empty.connection() as connection:
        for table, row in written:
            query: Any = f"SELECT count(*) FROM {table} WHERE to_jsonb({table}) @> $1"
            if await connection.fetchval(query, row) != 1:
                lost.append((table, row))
    assert (len(brought) * len(TABLES), []) == (len(written), lost)


async def test_texts_of_before_are_found_after(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the first version indexed in its own way is indexed as everything is since."""
    brought = migrations.available()
    monkeypatch.setattr(migrations, "available", lambda: {1: brought[1]})
    await migrations.migrate(empty)
    await _written(empty, 1)
    monkeypatch.undo()
    await migrations.migrate(empty)
    async with empty.connection() as connection:
        memories = await connection.fetchval(
            "SELECT array_agg(search = memory_vector('english', topic, content, tags)) FROM memory"
        )
        messages = await connection.fetchval(
            "SELECT array_agg(search = message_vector('english', content, said_at)) FROM message"
        )
    assert ([True], [True]) == (memories, messages)


async def _written(database: Database, number: int) -> list[tuple[str, Any]]:
    """The rows just written under a number: each with its table, and without its vector."""
    rows: list[tuple[str, Any]] = []
    writing: Any = ROWS.replace("$1", str(number))
    async with database.connection() as connection:
        await connection.execute(writing)
        for table in TABLES:
            key = {"person": "person_id", "job_run": "job", "secret": "name"}.get(table, "space_id")
            query: Any = f"SELECT to_jsonb({table}) - 'search' FROM {table} WHERE {key}::text = $1"
            rows += [(table, row[0]) for row in await connection.fetch(query, str(number))]
    return rows
