"""The laws of migrating: from whatever version a database comes, nothing in it is lost."""

import hashlib
import re
from collections.abc import AsyncGenerator
from typing import Any, Final

import asyncpg
import pytest

from bot.config import DatabaseSettings
from bot.db import migrations, pool
from bot.db.pool import Database
from bot.domain import PersonId
from bot.store import memory_subjects
from bot.text import normalize
from tests.conftest import on
from tests.rows import column, one, rows
from tests.tallies import differing

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

LANDED: Final = {
    "0001_memory.sql": "5c15510e0a6f2cc1c2311e443f21b3aa8261adf173edbdfd71841cc159cf8dc5",
    "0002_discord.sql": "95498f4f84fecddeb7a0dcdce990e83116bad6130af818b5df429bf519095f7a",
    "0003_recall.sql": "e8e08d423e4976f6ea85bca13e391463e0566b23246b112da2669a70741f8975",
    "0004_scratchpad.sql": "927a02beea15d581ea9a851f9d376f238b7fcd6e61a160deeb3b9aeba5413730",
    "0005_attachments.sql": "f5fb8b8c240fd53141464b144c54ae90c9a925aaac5636274b16c635c339f092",
    "0006_palace.sql": "55bcc5db7efc0f43d4d27431f483911d67e5dd4fabe21de770c9f7c7a54d78a3",
    "0007_why.sql": "1c0cd8df0501556ddced70a15ea9f9bd8b606c073dea05c223b76f7e4f3678c9",
    "0008_around.sql": "fde755b5778dae343600178d1dfcd3b2b00e76db9c121cc4d08b0e1ad9779e15",
    "0009_made_from.sql": "fffd24e7c5f3efea62d62ad4040d82e09ee6d704ffbd98e377b39d3c50f3d90d",
    "0010_guild_search.sql": "b87453c3230a737aa690acc2cb4d25549b509a26d4d6526361b2573d2ae77252",
    "0011_stock.sql": "b4c2affeaf70465435bac916cb3d833ea34973e9e52b22715272000646047242",
    "0012_tombstone_evidence.sql": "925cdf016a8931ee3f163d779cfcb0512b1757febe3c62beb7aae1f790f95b8f",
    "0013_memory_vector.sql": "067810b2a3f4f7a3e6bcd2145264a409ed0b677feba8f0501a999efc913db622",
    "0014_derivation.sql": "afa220af431b626718afb953f48f51384273321a2e92de3bac1b5bdc4d917cc9",
    "0015_shares.sql": "e8623020e8da284841952630287977d527b740ec99909365afe501484dc3aadc",
    "0016_gone.sql": "bcce4d40cea9fdfab6a41e1de958c41bcec08bf858161f8a1636542f5363f189",
    "0017_no_statistics.sql": "d5d18d56e2d24d1087a59da0224b4e2ab4ef8119790fdf47ae4cb973c61b6bbe",
    "0018_taken_back.sql": "b725c2af13f123ef17e3cd62c689ac52fbe52aecd02aeba930c61410a2b06ad1",
    "0019_proposals.sql": "8c0c1aab6c7964e6b3d55bf7c885e03603d3a82535ba037fe5fc0f3a47af7188",
    "0020_refused.sql": "3ec62a35871603a67bebf1d08f980290855b2638faf436d357aa12c0e504cb48",
    "0021_in_hand.sql": "f825cd4de57e8becea7bdcae15982ab9d5435cbd1d47a18b87ad1fc36bbfdc6f",
    "0022_names.sql": "32f77665c5b1ae816cfd3bc7519871e64ed1e38f18cf884445294da436fa52be",
    "0023_standing.sql": "90f1136e7655cae8d057df12d2ceaa1316621920f932fa7f8c118c6728803e75",
    "0024_whose_words.sql": "81764294886cba2eba06934181512f12afd56a0fa5085f6733f005a2ec8d3f6b",
    "0025_mode_since.sql": "ff60b448edb59a79f7a2605f8a7037d56c95167c3dbb148bc809db9b474ed730",
    "0026_facts.sql": "ad1f2cad195b222b22baa41579dcb66cc2480bd255eabecc531de2d071194157",
    "0027_phrases.sql": "6c878c9258a248d6da20042d00a9fbde89837158ad41af7d5d937f6ac4feb20a",
    "0028_outdated.sql": "372fd0d7c0c588a2fd1e420b091cbb25bc6c44560fdc51020853976e0979681c",
    "0029_chunks.sql": "e3a76d0e4e024782cd8d6533d4e07b768110eedf7552a4492954e93fbe938f32",
    "0030_rolling.sql": "9196944fe2968e3792707b6bdb26d03ca46b02bb9927692a45f8166c4cbfd63d",
    "0031_makes.sql": "7f789d1ce25939696ad93abd817f0cb715a4fe28fbc8207b7adab7ec9d90aa8f",
    "0032_memory_use.sql": "a9e3fdd9d8dd4e964c9f64d0ba87f6bfc2d9db226b2a80d493c0d572b3ff5b27",
    "0033_learning.sql": "8121b369f09256812e90fb12bcbfb88ed4abb51c04b3247ebcd4e4caee3bb85a",
    "0034_condensation.sql": "7fb1ad0f2d15fb11729bb2ee1f6cbf3fb62b11dc03337664c97a0de221c755a8",
    "0035_chunk_search.sql": "408dd72e769d83b6542b54757c01dbed174c6d178f95e7a1d3214e7d75ad7ab1",
    "0036_first_chunks.sql": "be5da5b76945cf9991c2803743c2122a35aeb2bc04f6b2f3d4d7069f8eeeadf9",
    "0037_rolled_through.sql": "342fb6b79db2e5550f01c15b557a0c04548d0b4ee0d4127bb6e2a3b8b5b34966",
    "0038_learned_places.sql": "180a6953a83a6359b8c89f02bc1792e124a71cb7de326a900f57b5b591791b83",
    "0039_looked_through.sql": "86f7d600d9a2cdc1c5f2d67b7080f9036051c5cd9eda70dcde92dc00fe1be1ff",
    "0040_kept_through.sql": "564c0acd966ee4064303040f69dfcae01beb39c18e7ed09f7553745b37ed8499",
    "0041_said_in.sql": "a0d270e15e93bdfdf18c3f1e4a2ad5f68bfa8522b91251b0a0a482c8369f6758",
    "0042_tally.sql": "4cd44599dbe335b16dbfbe314cb567397fbfab3ea593becaa6a7e73cf203738e",
    "0043_word_counts.sql": "10a04850db8e546f43f4e02035ed9c0fcd596218ce978d8f69c22a9e8c5b96aa",
    "0044_rework.sql": "4cd4b74a01a7661e502eaee9ff920851dc19e37ebe30265cb8a5e59c95e55540",
    "0045_erasing.sql": "c6c41111b7a2f8e5c2be8cbdff581722f86317a45d70a5123cf36eb06e8ebb18",
    "0046_large_spaces.sql": "a5e0e7088496c6de7cdad73d6d2209ba953042fc456eb89afdd3d5f0762efdc6",
    "0047_who.sql": "7a8c7ff3c9cedf9574f5a2207ecc6665af810340c1be54c507227c3470d45490",
    "0048_threads.sql": "b92cee07c2c3f3c6db265f3d261249fb82eb33392304d3fd3440d1d8ba0d0bc3",
    "0049_place_setting.sql": "35e3e19d444adda790303cdbf216eedfe762088079fb8ad39b2fc923fbd2f7b0",
    "0050_acts.sql": "a6de4c238be595bd8954bb7216d2a07144197898a0ab9cba09c21086d6134127",
    "0051_emptied.sql": "656662add9b3afc9bcc4509cde1edaa84720dae1a817083beefa3a5150cd1fe7",
    "0053_newest.sql": "8bb79cce91baf7abf5cc743f9967726e3054399ea4cbc8c79a1dc5840459fca0",
}
"""The checksums of migrations that databases have run. Never change one; add a file."""
BEFORE_0002: Final = """
DROP INDEX space_direct, memory_version;
ALTER TABLE space DROP COLUMN direct_at;
ALTER TABLE channel DROP COLUMN worker, DROP COLUMN lease_until;
ALTER INDEX message_search RESET (gin_pending_list_limit)"""
"""What the second and the third file were without when they first landed."""

WORDY: Final = """
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, said_at, search)
SELECT 17, n, 10, 1, 'person', 8, 'zqword7 ' || n % 9, 'zqword7 ' || n % 9, now(), to_tsvector('simple', 'zqword7')
FROM generate_series(100, 400) AS n;
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags, entities,
                    key_phrases, metadata, author, channel_id, content_hash, created_at, said_at, reinforced_at,
                    last_used_at, search)
SELECT 17, n, 'long', 'zqword7', 'zqword7', 'zqword7 ' || n % 9, 5, 5, 'user', '{zqword7}', '{zqword7}', '{zqword7}',
       '{"zqword7": 1}', 'zqword7', 10, decode(md5(n::text), 'hex'), now(), now(), now(), now(),
       to_tsvector('simple', 'zqword7') FROM generate_series(100, 400) AS n;
INSERT INTO memory_event (space_id, memory_id, kind, actor, reason, before, at)
SELECT 17, n, 'merged', 'person', 'zqword7', '{"tags": ["zqword7"]}', now() FROM generate_series(100, 400) AS n;
INSERT INTO chat_summary (space_id, summary_id, channel_id, session_id, text, raw, message_count, model, created_at)
SELECT 17, n, 10, n, 'zqword7', 'zqword7', 1, 'offline', now() FROM generate_series(100, 400) AS n;
INSERT INTO note (space_id, session_id, number, channel_id, actor, author_id, author, content, written_at, expires_at)
SELECT 17, 1, n, 10, 'person', 8, 'zqword7', 'zqword7', now(), now() FROM generate_series(100, 400) AS n;
INSERT INTO attachment (space_id, message_id, attachment_id, channel_id, name, called, size, state, content, search,
                        read_at)
SELECT 17, n, n, 10, 'zqword7', '{zqword7}', 7, 'text', 'zqword7', to_tsvector('simple', 'zqword7'), now()
FROM generate_series(100, 400) AS n;
INSERT INTO member (space_id, person_id, name, first_seen_at, last_seen_at)
SELECT 17, n, 'zqword7 ' || n % 9, now(), now() FROM generate_series(100, 400) AS n;
INSERT INTO channel (space_id, channel_id, name, mode, created_at)
SELECT 17, n, 'zqword7', 'all', now() FROM generate_series(100, 400) AS n;
INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, recorded_at, kept)
SELECT 17, n, 10, 1, 8, 'answered', 'w', now(), now(), 'zqword7' FROM generate_series(100, 400) AS n;
INSERT INTO space (space_id, language, settings, created_at)
SELECT n, 'english', '{"identity": "zqword7"}', now() FROM generate_series(100, 400) AS n"""
"""Enough rows with a word in every place where people's words stand that statistics are made of them."""
HELD: Final = """
SELECT tablename || '.' || attname FROM pg_stats
WHERE schemaname = current_schema() AND pg_stats::text LIKE '%zqword%' ORDER BY 1"""
"""The columns, and the expressions of indexes, whose statistics have the word."""
ROLLED: Final = "UPDATE tracker SET rolled_through = ledger_through;\n"
FILLED: Final = "\n-- Whose newest entry"
"""Where the part begins that the one file had later, and what the other had before."""
SAID: Final = """
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
                    channel_id, content_hash, author_id, created_at, said_at, reinforced_at, last_used_at, search)
    VALUES (24, $1, 'long', 'general', 'x', $2, 5, 5, 'user', '{}', 10, $3, $4, now(), now(), now(), now(), '')"""
"""A memory whose author is known."""
TABLE_FILES: Final = (
    "SELECT relfilenode FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY oid"
)
"""Which files tables lie in: a table that is written anew lies in another."""


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


async def test_memories_of_before_are_tallied(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was saved before anything was counted is counted by the upgrade, under names an index has room for."""
    brought = migrations.available()
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "available", lambda: {n: brought[n] for n in brought if n < 42})
        await migrations.migrate(empty)
    async with empty.connection() as connection:
        await connection.execute("INSERT INTO space (space_id, language, created_at) VALUES (17, 'english', now())")
        await connection.execute(WORDY.split(";")[1])
        await connection.execute("UPDATE memory SET forgotten_at = now() WHERE memory_id % 3 = 0")
        await connection.execute("UPDATE memory SET topic = repeat(md5(memory_id::text), 200) WHERE memory_id % 5 = 0")
        await migrations.migrate(empty)
        assert [] == await differing(connection)
        assert 201 == await connection.fetchval("SELECT sum(short + long) FROM tally WHERE kind = 'channel'")
        assert 200 == await connection.fetchval("SELECT max(length(name)) FROM tally")


def test_what_has_landed_is_not_edited() -> None:
    """Or no database that ran it goes on."""
    now = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in migrations.available().values()}
    assert LANDED.items() <= now.items()


async def test_what_people_said_of_themselves_before_is_known_again(
    empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said again it is what stands already, and in another's mouth it is not; the rest is known by its words alone."""
    brought = migrations.available()
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "available", lambda: {n: brought[n] for n in brought if n < 24})
        await migrations.migrate(empty)
    await _written(empty, 24)
    said = {1: "I am vegan.", 2: "The bridge is red, and Ian's.", 3: "Ich bin Veganerin.", 4: "That is my bike."}
    async with empty.connection() as connection:
        for author_id, text in said.items():
            await connection.execute(SAID, author_id + 1, text, normalize.content_hash(text), author_id)
    await migrations.migrate(empty)
    keys = await rows(empty, "SELECT author_id, content_hash FROM memory WHERE author_id IS NOT NULL ORDER BY 1")
    assert [(author_id, memory_subjects.key(text, PersonId(author_id))) for author_id, text in said.items()] == keys
    assert [16, 24] == sorted({len(key) for _, key in keys})


async def test_a_database_of_any_commit_goes_on(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files were added to after they landed, and two had the number 0008 before: all come to the same schema."""
    brought = migrations.available()
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "available", lambda: {n: brought[n] for n in (1, 2, 3, 4, 5, 6, 7, 10, 11)})
        await migrations.migrate(empty)
    await _written(empty, 7)
    async with empty.connection() as connection:
        await connection.execute(BEFORE_0002)
        await connection.execute("INSERT INTO channel SELECT 7, 7, 'dm', 'all', NULL, 0, NULL, NULL, NULL, now()")
        await connection.execute("DELETE FROM channel WHERE channel_id = 10")
        for checksum, number in migrations.EARLIER.items():
            await connection.execute("UPDATE migration SET checksum = $1 WHERE number = $2", checksum, number)
        await connection.execute("UPDATE migration SET number = 8 WHERE number = 10")
        await connection.execute("DELETE FROM migration WHERE number = 11")
        await connection.execute("ALTER TABLE turn DROP COLUMN stock; DROP INDEX tombstone_at")
    missing = await migrations.pending(empty)
    ran = await migrations.migrate(empty)
    again = await migrations.migrate(empty)
    assert (True, missing, []) == ("0008_around.sql" in ran and "0010_guild_search.sql" not in ran, ran, again)
    assert [*brought] == await column(empty, "SELECT number FROM migration ORDER BY number")
    assert await rows(empty, "SELECT space_id FROM space WHERE direct_at IS NOT NULL") == [(7,)]
    assert await rows(empty, "SELECT worker, lease_until FROM channel") == [(None, None)]
    assert 2 == await one(empty, "SELECT count(*) FROM pg_class WHERE relname IN ('space_direct', 'memory_version')")


async def test_a_ledger_of_before_is_rolled_as_far_as_it_was(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever of two files said so: for a while the one before did, and its databases go on too."""
    brought, earlier = migrations.available(), dict[int, tuple[str, str]]()
    for number, change in ((37, lambda text: text + ROLLED), (39, lambda text: text.partition(FILLED)[0])):
        name, text = brought[number]
        earlier[number] = (name, change(text))
        assert number == migrations.EARLIER[hashlib.sha256(earlier[number][1].encode()).hexdigest()]
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "available", lambda: {n: (earlier.get(n) or brought[n]) for n in brought if n < 37})
        await migrations.migrate(empty)
        async with empty.connection() as connection:
            await connection.execute("INSERT INTO tracker (space_id, channel_id, ledger_through) VALUES (1, 10, 7)")
        patch.setattr(migrations, "available", lambda: {n: (earlier.get(n) or brought[n]) for n in brought if n < 42})
        await migrations.migrate(empty)
    assert "0042_tally.sql" in await migrations.migrate(empty)
    assert [7] == await column(empty, "SELECT rolled_through FROM tracker")


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


async def test_statistics_have_no_words(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither those of before, nor any that are made later: what is erased stands in no copy of a column's values."""
    brought = migrations.available()
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "available", lambda: {n: brought[n] for n in brought if n < 17})
        await migrations.migrate(empty)
    await _written(empty, 17)
    async with empty.connection() as connection:
        await connection.execute(WORDY)
        await connection.execute("ANALYZE")
    before = await column(empty, HELD)
    tables = await column(empty, TABLE_FILES)
    await migrations.migrate(empty)
    cleared = await column(empty, HELD)
    async with empty.connection() as connection:
        await connection.execute("ANALYZE")
    assert (True, [], []) == (len(before) > 15, cleared, await column(empty, HELD))
    assert {*tables} <= {*await column(empty, TABLE_FILES)}
