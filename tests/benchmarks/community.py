"""Makes communities: spaces full of memories, loaded in bulk, the same each time."""

import asyncio
import hashlib
import random
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import asyncpg

from bot.domain import Caller, ChannelId, PersonId, SpaceId, new_id
from tests import tallies
from tests.benchmarks.vocabulary import Vocabulary

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
CHANNELS = 3
"""Channels of a space that its people see."""
BURST = 5
"""Rows of a space that stand side by side: a summary saves some facts at once, between those of other spaces."""
_CHUNK = 20_000
_SOURCES = random.Random(1).choices(("summary", "user", "directive"), (80, 18, 2), k=1009)
_IMPORTANCE = random.Random(2).choices(range(1, 11), (2, 4, 12, 15, 30, 15, 12, 7, 2, 1), k=1013)
_ROOMS = ("projects", "people", "architecture", "config", "decisions", "preferences", "procedures", "general")
_PEOPLE = ("Ann", "Ben", "Chloé", "Dmitri", "Eve", "Farid", "Grace", "Hugo", "Inés", "Jun")
_COLUMNS = (
    "space_id",
    "memory_id",
    "tier",
    "room",
    "topic",
    "content",
    "importance",
    "source",
    "tags",
    "author_id",
    "author",
    "channel_id",
    "session_id",
    "evidence",
    "content_hash",
    "pinned",
    "said_at",
    "aged_at",
)
_KEEP_INCOMING = """
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
    author_id, author, channel_id, session_id, evidence, content_hash, pinned, created_at, said_at, reinforced_at,
    last_used_at, aged_at, search)
SELECT f.space_id, f.memory_id, f.tier, f.room, f.topic, f.content, f.importance, f.importance, f.source, f.tags,
    f.author_id, f.author, f.channel_id, f.session_id, f.evidence, f.content_hash, f.pinned, f.said_at, f.said_at,
    f.said_at, f.said_at, f.aged_at, memory_vector('english', f.topic, f.content, f.tags)
FROM incoming f;
TRUNCATE incoming"""
"""Turns incoming rows into memories, as an import keeps them."""
_INCOMING = """
CREATE UNLOGGED TABLE incoming (
    space_id bigint, memory_id bigint, tier text, room text, topic text, content text, importance smallint,
    source text, tags text[], author_id bigint, author text, channel_id bigint, session_id bigint,
    evidence bigint[], content_hash bytea, pinned boolean, said_at timestamptz, aged_at timestamptz)
"""


@dataclass(frozen=True, kw_only=True)
class Community:
    """Spaces alike in size."""

    spaces: int
    first: int = 1
    """The id of the first space; the others follow."""
    short: int = 40
    long: int = 60
    channels: Sequence[int] = ()
    """Of each space, where they are not its own three."""
    due: bool = False
    """Every short row may age, and is old enough to."""

    @property
    def rows(self) -> int:
        return self.short + self.long


def caller(space: int) -> Caller:
    """Somebody in a space who sees all of its channels."""
    channels = tuple(ChannelId(space * 10 + n) for n in range(CHANNELS))
    return Caller(
        space_id=SpaceId(space),
        channel_id=channels[0],
        person_id=PersonId(7),
        name="Ann",
        is_admin=True,
        visible=channels,
    )


async def load(dsn: str, *communities: Community) -> None:
    """Fill a migrated database: rows without indexes first, then the indexes as the migrations made them."""
    started = time.monotonic()
    async with filling(dsn, "memory") as connection:
        await _make_spaces(connection, communities)
        await connection.execute(_INCOMING)
        rows = await _copy(connection, communities)
        await connection.execute("DROP TABLE incoming")
        await tallies.fill(connection)
    print(f"loaded {rows} memories in {time.monotonic() - started:.0f} s", file=sys.stderr)


_FILLING: Final = {"max_wal_size": "8GB", "autovacuum": "off", "fsync": "off", "full_page_writes": "off"}
"""How a server is set while it is filled: what was begun and broken off is begun anew."""


@asynccontextmanager
async def connected(dsn: str) -> AsyncGenerator[Any]:
    """A connection that fills tables and makes indexes."""
    connection: Any = await asyncpg.connect(dsn)
    try:
        await connection.execute("SET maintenance_work_mem = '1GB'; SET work_mem = '1GB'; SET synchronous_commit = off")
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def filling(dsn: str, *tables: str) -> AsyncGenerator[Any]:
    """A connection while these tables have no indexes; at its end they have them again, and nothing is left to do."""
    async with connected(dsn) as connection, connected(dsn) as other:
        for name, value in _FILLING.items():
            await connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        await connection.execute("SELECT pg_reload_conf()")
        dropped = [await _drop_indexes(connection, table) for table in tables]
        yield connection
        await _run_all([made for keys, _, _ in dropped for made in keys], connection, other)
        await _run_all([made for _, indexes, _ in dropped for made in indexes], connection, other)
        await _run_all([made for _, _, referring in dropped for made in referring], connection)
        for name in _FILLING:
            await connection.execute(f"ALTER SYSTEM RESET {name}")
        await connection.execute("SELECT pg_reload_conf()")
        await connection.execute("VACUUM ANALYZE")
        await connection.execute("CHECKPOINT")


async def _run_all(statements: list[str], *connections: Any) -> None:
    """Runs statements side by side, the first ones first."""

    async def work(connection: Any) -> None:
        while statements:
            await connection.execute(statements.pop(0))

    await asyncio.gather(*map(work, connections))


async def _make_spaces(connection: Any, communities: Sequence[Community]) -> None:
    for made in communities:
        spaces = range(made.first, made.first + made.spaces)
        await connection.copy_records_to_table(
            "space",
            columns=("space_id", "language", "memory_count", "created_at"),
            records=[(space, "english", made.rows, NOW - timedelta(days=365)) for space in spaces],
        )
        await connection.copy_records_to_table(
            "upkeep", columns=("space_id", "next_due_at"), records=[(space, NOW) for space in spaces]
        )


async def _drop_indexes(connection: Any, table: str) -> tuple[list[str], list[str], list[str]]:
    """What makes the primary key again, the other indexes, those of words first, and what refers to it."""
    found = await connection.fetch(
        "SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text, indisprimary AS primary, "
        "(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conindid = indexrelid AND contype = 'p') AS key "
        "FROM pg_index WHERE indrelid = $1::text::regclass "
        "ORDER BY pg_get_indexdef(indexrelid) ~ 'gin .*search' DESC, 1",
        table,
    )
    referring = await connection.fetch(
        "SELECT conrelid::regclass::text AS child, conname AS name, pg_get_constraintdef(oid) AS text "
        "FROM pg_constraint WHERE confrelid = $1::text::regclass AND contype = 'f' ORDER BY 1, 2",
        table,
    )
    for one in referring:
        await connection.execute(f"ALTER TABLE {one['child']} DROP CONSTRAINT {one['name']}")
    keys, remake = list[str](), list[str]()
    for index in found:
        name = index["name"]
        if index["primary"]:
            keys.append(f"ALTER TABLE {table} ADD CONSTRAINT {name} {index['key']}")
            await connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        else:
            remake.append(index["text"])
            await connection.execute(f"DROP INDEX {name}")
    again = [f"ALTER TABLE {one['child']} ADD CONSTRAINT {one['name']} {one['text']}" for one in referring]
    return keys, remake, again


async def _copy(connection: Any, communities: Sequence[Community]) -> int:
    """While the server turns one chunk into memories, the next one is written here."""
    total, working = 0, None
    for records in _chunks(communities):
        if working is not None:
            await working
        await connection.copy_records_to_table("incoming", columns=_COLUMNS, records=records)
        working = asyncio.create_task(connection.execute(_KEEP_INCOMING))
        await asyncio.sleep(0)
        total += len(records)
    if working is not None:
        await working
    return total


def _chunks(communities: Sequence[Community]) -> Iterator[list[tuple[Any, ...]]]:
    """Memories in the order they came about: a burst here, a burst there, oldest first."""
    chosen, vocabulary = random.Random(42), Vocabulary()
    chunk: list[tuple[Any, ...]] = []
    eras = max(-(-made.rows // BURST) for made in communities)
    for era in range(eras):
        bursts = [
            (made, made.first + space, burst)
            for made in communities
            for space in range(made.spaces)
            for burst in _bursts(made, era, eras)
        ]
        chosen.shuffle(bursts)
        for made, space, burst in bursts:
            chunk += _burst(made, space, burst, chosen, vocabulary)
            if len(chunk) >= _CHUNK:
                yield chunk
                chunk = []
    if chunk:
        yield chunk


def _bursts(made: Community, era: int, eras: int) -> range:
    """The bursts of one space in one of so many eras."""
    count = -(-made.rows // BURST)
    return range(count * era // eras, count * (era + 1) // eras)


def _burst(
    made: Community, space: int, burst: int, chosen: random.Random, vocabulary: Vocabulary
) -> list[tuple[Any, ...]]:
    ids = range(burst * BURST + 1, min(made.rows, (burst + 1) * BURST) + 1)
    sentences = vocabulary.sentences(chosen, [chosen.randint(8, 20) for _ in ids])
    session = new_id(NOW - timedelta(hours=72) - timedelta(minutes=(made.rows - ids[0]) * 7)) & ~0xFFF | burst & 0xFFF
    return [
        _row(made, space, memory_id, session, text, chosen, vocabulary)
        for memory_id, text in zip(ids, sentences, strict=True)
    ]


def _row(
    made: Community, space: int, memory_id: int, session: int, text: str, chosen: random.Random, vocabulary: Vocabulary
) -> tuple[Any, ...]:
    luck = chosen.randrange(2**30)
    importance, source = _IMPORTANCE[luck % 1013], _SOURCES[luck % 1009]
    room, pinned, person = _ROOMS[luck % len(_ROOMS)], luck % 101 == 0, luck % len(_PEOPLE)
    is_long = memory_id <= made.long
    hours = 49 if made.due or is_long else 1
    said_at = NOW - timedelta(hours=hours, minutes=made.rows - memory_id, seconds=luck % 60)
    if made.due and not is_long:
        importance, source, room, pinned = min(importance, 7), "summary", "general", False
    topic = " ".join((vocabulary.content[luck % 300], vocabulary.content[luck // 300 % 300]))
    domain, kind = vocabulary.content[luck // 7 % 300], ("fact", "decision", "plan")[luck % 3]
    return (
        space,
        memory_id,
        "long" if is_long else "short",
        room,
        topic,
        text,
        importance,
        source,
        ["auto", f"domain:{domain}", f"type:{kind}"],
        100 + person,
        _PEOPLE[person],
        made.channels[luck % len(made.channels)] if made.channels else space * 10 + luck % CHANNELS,
        session,
        [session + 1 + luck % 50, session + 60 + luck % 40][: 1 + luck % 2],
        hashlib.blake2b(f"{space}/{memory_id}".encode(), digest_size=16).digest(),
        pinned,
        said_at,
        NOW if is_long else None,
    )
