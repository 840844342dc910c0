"""Erasing one person in a full database: the preview, and all that is theirs, against a bare deletion of those rows."""

import time
from typing import Any, Final

import asyncpg

from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import PersonId, SpaceId
from bot.lifecycle.discord_edits import DiscordEdits
from bot.lifecycle.personal_data import PersonalData
from bot.lifecycle.space_erasure import SpaceErasure
from bot.store.archivist import Archivist
from tests.benchmarks import community, servers
from tests.benchmarks.community import NOW, Community
from tests.benchmarks.timing import milliseconds

PERSON: Final = PersonId(4242)
SPACE: Final = SpaceId(1)
_FIRST: Final = 10**15
"""The id of their first message: every second is Hathi's answer."""
_PEOPLE: Final = """
INSERT INTO person (person_id, spaces) VALUES ($1, ARRAY[$2::bigint]);
INSERT INTO member (space_id, person_id, name, likeness, first_seen_at, last_seen_at)
VALUES ($2, $1, 'Zoe', 'zoe', now(), now())"""
_MESSAGES: Final = """
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, reply_to, said_at,
                     search)
SELECT $1::bigint, $2::bigint + n, $1::bigint * 10, 1, CASE WHEN n % 2 = 0 THEN 'person' ELSE 'hathi' END,
       CASE WHEN n % 2 = 0 THEN $4::bigint END, CASE WHEN n % 2 = 0 THEN 'Zoe' ELSE 'Hathi' END,
       'The crate ' || n / 2 || ' is in bay ' || n % 97, CASE WHEN n % 2 = 1 THEN $2::bigint + n - 1 END,
       $5::timestamptz, message_vector('english', 'The crate ' || n / 2, $5::timestamptz)
FROM generate_series(0, 2 * $3::bigint - 1) AS n"""
_TURNS: Final = """
INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, reply_ids,
                  recorded_at, answered_at)
SELECT $1::bigint, $2::bigint + 2 * n, $1::bigint * 10, 1, $4::bigint, 'answered', 'w', $5::timestamptz,
       ARRAY[$2::bigint + 2 * n + 1], $5::timestamptz, $5::timestamptz
FROM generate_series(0, $3::bigint - 1) AS n"""
_MEMORIES: Final = """
UPDATE memory SET author_id = $3::bigint, evidence = ARRAY[$2::bigint + 2 * (memory_id % $4::bigint)]
WHERE space_id = $1 AND memory_id <= $5"""
_BARE: Final = """
DELETE FROM memory WHERE space_id = $1 AND author_id = $2;
DELETE FROM turn WHERE space_id = $1 AND asker_id = $2;
DELETE FROM message WHERE space_id = $1 AND (author_id = $2 OR reply_to IN (
    SELECT message_id FROM message WHERE space_id = $1 AND author_id = $2))"""


async def run(*, small: bool) -> dict[str, float]:
    """Once: what is erased is gone."""
    spaces, rows, messages, memories = (3, 60, 20, 30) if small else (20, 50_000, 8808, 11_439)
    async with servers.postgres() as server:
        dsn = await servers.database(server, "erasure")
        await community.load(dsn, Community(spaces=spaces, short=rows // 10, long=rows - rows // 10))
        bare = await _filled(dsn, messages, memories)
        async with pool.opened(dsn, DatabaseSettings()) as database:
            return await _measured(database, messages, memories, bare)


async def _filled(dsn: str, messages: int, memories: int) -> float:
    """Makes what is theirs; how many ms the same rows take to delete barely, which is then undone."""
    connection: Any = await asyncpg.connect(dsn)
    try:
        await connection.execute(_PEOPLE.replace("$1", str(PERSON)).replace("$2", str(SPACE)))
        await connection.execute(_MESSAGES, SPACE, _FIRST, messages, PERSON, NOW)
        await connection.execute(_TURNS, SPACE, _FIRST, messages, PERSON, NOW)
        await connection.execute(_MEMORIES, SPACE, _FIRST, PERSON, messages, memories)
        await connection.execute("VACUUM ANALYZE")
        bare = _BARE.replace("$1", str(SPACE)).replace("$2", str(PERSON))
        began = time.perf_counter()
        await connection.execute("BEGIN")
        await connection.execute(bare)
        took = (time.perf_counter() - began) * 1000
        await connection.execute("ROLLBACK")
        await connection.execute("VACUUM ANALYZE")
        return took
    finally:
        await connection.close()


async def _measured(database: Database, messages: int, memories: int, bare: float) -> dict[str, float]:
    archivist = Archivist(database)
    erasure = SpaceErasure(database, archivist)
    own = PersonalData(database, archivist, DiscordEdits(database, archivist), erasure)
    readable = {SPACE: list(community.caller(SPACE).visible)}
    preview = await milliseconds(own.overview(PERSON, readable, now=NOW))
    began = time.perf_counter()
    receipt = await own.erase(PERSON, now=NOW)
    took = (time.perf_counter() - began) * 1000
    assert (receipt.messages, receipt.memories) == (messages, memories)
    return {"preview_ms": preview, "erase_s": took / 1000, "bare_s": bare / 1000, "ratio": took / bare}
