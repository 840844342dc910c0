"""The laws of every statement in `sql/queries`."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from bot.db import statements
from bot.db.pool import Database
from tests.conftest import copied
from tests.sql.conftest import VECTORS, text

ROOT = Path(__file__).parents[2]
WITHOUT_SPACE = {"person", "job_run", "mark", "migration", "secret", "embedding_table"}
"""Tables that hold no space's data."""
ACROSS_SPACES = {
    "compact.vector_tables",
    "departure.due",
    "space.claim_due",
    "space.page",
    "space.create",
    "space.create_upkeep",
    "space.direct",
    "health.counts",
    "space_erasure.unfinished",
    "space.workflows",
}
"""Statements whose very work is to find or make spaces."""
ALL = [f"{file}.{name}" for file in statements.files() for name in statements.load(file)]
MAKING = {"migration.table", "embedding.extension", "embedding.table", "embedding.index", "embedding.drop"}
"""Statements that make or drop what the others are about."""
ANEW = {name for name in ALL if statements.named(name).splitlines()[-1].startswith(("VACUUM", "CHECKPOINT"))}
"""Statements that write it anew."""
PREPARABLE = [name for name in ALL if name not in MAKING | ANEW]
READING = (
    "librarian.",
    "ledger.",
    "palace.",
    "recall.",
    "tally.",
    "known_names.",
    "names.",
    "strategies.",
    "embedding.nearest_",
    "embedding.similarity",
    "embedding.progress",
    "embedding.size",
    "note.living",
    "note.search",
    "note.one",
    "note.typed",
    "wake.woken",
    "attachment.known",
    "attachment.of_messages",
    "attachment.named",
    "attachment.holding",
    "attachment.said",
    "attachment.contents",
    "why.",
)


@pytest.fixture(scope="module")
async def planning(schema: str) -> AsyncGenerator[asyncpg.Connection]:
    """A connection of which each statement has its generic plan; one for all, as each would take longer to make."""
    async with _planning(schema) as connection:
        yield connection


@contextlib.asynccontextmanager
async def _planning(dsn: str) -> AsyncGenerator[asyncpg.Connection]:
    connection = await asyncpg.connect(
        dsn, statement_cache_size=0, server_settings={"plan_cache_mode": "force_generic_plan"}
    )
    try:
        yield connection
    finally:
        await connection.close()


async def _plan(connection: asyncpg.Connection, statement: str) -> dict[str, Any]:
    """The generic plan of a statement, as JSON: what runs whatever the parameters."""
    parameters = len((await connection.prepare(statement)).get_parameters())
    arguments = f"({', '.join(['NULL'] * parameters)})" if parameters else ""
    await connection.execute(f"PREPARE law AS {statement}")
    try:
        [(plan,)] = await connection.fetch(f"EXPLAIN (VERBOSE, FORMAT JSON) EXECUTE law{arguments}")
    finally:
        await connection.execute("DEALLOCATE law")
    return json.loads(plan)[0]["Plan"]


async def _plan_at(dsn: str, statement: str) -> dict[str, Any]:
    """The same in another database."""
    async with _planning(dsn) as connection:
        return await _plan(connection, statement)


def _nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for child in plan.get("Plans", []) for node in _nodes(child))]


@pytest.mark.parametrize("name", PREPARABLE)
async def test_every_statement_prepares_on_the_migrated_schema(name: str, planning: asyncpg.Connection) -> None:
    """Postgres itself accepts every statement there is."""
    await planning.prepare(text(name))


@pytest.mark.parametrize("name", sorted(set(PREPARABLE) - ACROSS_SPACES))
async def test_every_statement_binds_its_space(name: str, planning: asyncpg.Connection) -> None:
    """No scan of a space's table runs without a condition on space_id: the wall holds in the plan, not in a review."""
    scans = [
        node
        for node in _nodes(await _plan(planning, text(name)))
        if node.get("Schema") == "public"
        and node["Relation Name"] not in WITHOUT_SPACE
        and node["Node Type"] != "ModifyTable"
    ]
    unbound = [
        node["Relation Name"]
        for node in scans
        if not any(
            "space_id" in str(node.get(key, ""))
            for key in ("Index Cond", "Recheck Cond", "Filter", "Join Filter", "Hash Cond", "Merge Cond")
        )
    ]
    assert unbound == []


@pytest.mark.parametrize("name", [n for n in ALL if n.startswith(READING)])
async def test_the_librarian_cannot_write(name: str, planning: asyncpg.Connection) -> None:
    """The plan of every reading statement, of retrievers too, holds no write, no lock and no volatile function.

    “creators vs retrievers apart”
    """
    nodes = _nodes(await _plan(planning, text(name)))
    assert {"ModifyTable", "LockRows"}.isdisjoint(node["Node Type"] for node in nodes)
    called = set(re.findall(r"\b([a-z_]+)\(", json.dumps(nodes)))
    volatile = await planning.fetch(
        "SELECT proname FROM pg_proc WHERE provolatile = 'v' AND proname = ANY ($1::text[])", [*called]
    )
    assert [row["proname"] for row in volatile] == []


def test_only_the_archivist_names_the_statements_that_write_memories() -> None:
    """A write of a memory, an event, a tombstone or the tally stands in archivist.sql, named by the archivist alone."""
    writes = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\s+(memory|memory_event|tombstone|tally)\b")
    elsewhere = [n for n in ALL if not n.startswith("archivist.") and writes.search(statements.named(n))]
    naming = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "bot").rglob("*.py")
        if re.search(r"""["']archivist\.""", path.read_text(encoding="utf-8"))
    ]
    assert (elsewhere, naming) == ([], ["bot/store/archivist.py"])


def test_statements_keep_to_what_a_distributed_database_takes() -> None:
    """Times are parameters, and a subquery names a column: Citus runs nothing else."""
    refused = re.compile(r"\bSELECT\s+FROM\b|\bnow\(\)|\bCURRENT_(TIME|DATE)", re.IGNORECASE)
    assert [] == [name for name in ALL if refused.search(statements.named(name))]


def test_whatever_makes_or_takes_away_memories_changes_the_tally() -> None:
    """A statement that inserts or deletes them, or says which of them live and where, has the part that tallies it."""
    changing = re.compile(
        r"\b(INSERT INTO|DELETE FROM) memory\b"
        r"|\bUPDATE memory SET[^;]*?\b(tier|room|topic|tags|forgotten_at|superseded_by|channel_id) = (?![^,]*\bAND\b)"
    )
    # What is forgotten is in no tally any more.
    gone_before = {"archivist.drop", "archivist.erase_memories"}
    found = {
        name
        for name in ALL
        if changing.search(re.sub(r"\bWHERE\b.*?(?=\n\S|\Z)", "", statements.named(name), flags=re.DOTALL))
    }
    assert gone_before == {name for name in found if "UPDATE tally" not in statements.named(name)}
    assert len(found) > len(gone_before)


def test_a_part_that_is_not_there_fails_as_it_is_loaded() -> None:
    """Or a statement would run without it."""
    path = statements.sql_folder() / "queries" / "archivist.sql"
    included = set(re.findall(r"^\{([a-z_]+)\},?$", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert {"tallied", "truth"} == included
    with pytest.raises(KeyError):
        statements.whole("SELECT 1\n{nothing}", {"tallied": ""})


def test_every_statement_is_named_by_the_code() -> None:
    """There is no statement nobody runs, and none is run that is not there."""
    named = {
        match
        for path in (ROOT / "bot").rglob("*.py")
        for match in re.findall(r"statements\.named\(\"([a-z_.]+)\"\)", path.read_text(encoding="utf-8"))
    }
    assert set(ALL) == named


def test_only_a_table_of_vectors_is_put_into_a_statement() -> None:
    """No statement has a place for a name but those of `embedding.sql`, and one module fills those in."""
    places = re.compile(r"\{(table|vector|kind|storage)\}")
    having = {name.partition(".")[0] for name in ALL if places.search(statements.named(name))}
    left = [name for name in ALL if name.startswith("embedding.") and places.search(text(name))]
    building = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "bot").rglob("*.py")
        if re.search(r"cast\(\"LiteralString\"", path.read_text(encoding="utf-8"))
    ]
    assert ({"embedding"}, []) == (having, left)
    assert sorted(building) == ["bot/db/statements.py", "bot/store/vectors/vector_table.py"]


def test_no_statement_text_stands_in_the_code() -> None:
    """SQL is in `sql/`: no module of the bot holds a statement, but for what reads the files of other systems."""
    statement = re.compile(r"\"\s*(SELECT .* FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM) ")
    foreign = ROOT / "bot/transfer/foreign"
    found = [
        str(path.relative_to(ROOT))
        for folder in ("bot", "cogs")
        for path in (ROOT / folder).rglob("*.py")
        if foreign not in path.parents and statement.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(("name", "used"), [("embedding.nearest_by_index", True), ("embedding.nearest_of_all", False)])
async def test_only_large_spaces_are_searched_by_the_index_of_vectors(name: str, schema: str, used: bool) -> None:
    """The one statement can walk it, however it is planned; the other never does, however cheap it looks."""
    connection = await asyncpg.connect(schema)
    try:
        await connection.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
        await connection.execute("SET enable_sort = off; SET enable_bitmapscan = off")
        arguments = ", ".join(["NULL"] * len((await connection.prepare(text(name))).get_parameters()))
        await connection.execute(f"PREPARE law AS {text(name)}")
        plan = await connection.fetchval(f"EXPLAIN (FORMAT JSON) EXECUTE law({arguments})")
    finally:
        await connection.close()
    assert (f"{VECTORS.name}_nearest" in plan) is used


LISTS = {
    "librarian.listed": {"memory_listed"},
    "librarian.sifted": {"memory_listed"},
    "librarian.newest": {"memory_newest"},
    "librarian.weighed": {"memory_listed"},
    "librarian.filed": {"memory_room", "memory_topic"},
    "librarian.filed_weighed": {"memory_room", "memory_topic"},
    "librarian.authored": {"memory_author"},
    "librarian.tagged": {"memory_tags"},
    "librarian.of_person": {"memory_subject"},
    "librarian.changeable": {"memory_newest", "memory_search"},
    "librarian.numbered": {"memory_pkey"},
    "librarian.made_of": {"memory_session"},
    "librarian.count_made_of": {"memory_session"},
    "palace.memories": {"memory_room", "memory_topic"},
    "tally.called": {"tally_begins", "tally_pkey"},
    "tally.names": {"tally_fullest", "tally_begins", "tally_within", "tally_pkey"},
    "tally.filed": {"tally_pkey"},
    "tally.tagged": {"tally_pkey"},
    "tally.like": {"tally_within", "tally_pkey"},
}
"""What leads to what is listed and counted."""


@pytest.mark.parametrize("name", LISTS)
async def test_lists_and_counts_walk_their_own_index(name: str, filled: str) -> None:
    """A plan that is made once reads a page's rows in a large space, whoever asks, by these indexes and the key."""
    found = [node for node in _nodes(await _plan_at(filled, statements.named(name))) if "Index Name" in node]
    of_moves = {"rework_pkey", "memory_filed"}
    assert set() < {node["Index Name"] for node in found} - of_moves <= LISTS[name] | {"memory_pkey"}
    assert [] == [node["Index Name"] for node in found if node["Index Cond"].count(" AND ") < 1]


async def test_hot_reads_use_their_index(planning: asyncpg.Connection) -> None:
    """Active Memory walks the short tier in the order of its own index, never a whole space."""
    plan = await _plan(planning, statements.named("librarian.active"))
    indexes = {node.get("Index Name") for node in _nodes(plan) if node.get("Relation Name") == "memory"}
    assert {"memory_hot"} == indexes


@pytest.mark.parametrize("name", ["reply_sources.made_from", "discord_edits.is_touched"])
async def test_replies_made_from_what_is_not_stored_are_found_by_their_index(database: Database, name: str) -> None:
    """Most of what is deleted on Discord was never heard of: to find that out reads no other turn of the space."""
    async with database.connection() as connection:
        await connection.execute(
            "INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until,"
            " recorded_at, made_from) SELECT 1, n, 10, 1, 7, 'answered', 'w', now(), now(),"
            " CASE WHEN n % 20 = 0 THEN ARRAY[n + 1000000, 8, 10] ELSE '{}' END FROM generate_series(1, 20000) AS n"
        )
        await connection.execute("ANALYZE turn")
        statement: Any = f"EXPLAIN (FORMAT JSON) {statements.named(name)}"
        plan = json.loads(await connection.fetchval(statement, 1, [1000020, 1000030]))[0]["Plan"]
    scans = [node for node in _nodes(plan) if node.get("Relation Name") == "turn"]
    assert [] == [node for node in scans if node["Node Type"] == "Seq Scan"]
    assert "turn_made_from" in {node.get("Index Name") for node in _nodes(plan)}


@pytest.mark.parametrize(
    "name",
    [
        "archivist.consent",
        "archivist.hide_evidence",
        "archivist.hide_said",
        "archivist.speakers",
        "reply_sources.also_shown",
        "reply_sources.heard",
        "reply_sources.said",
        "librarian.left_messages",
        "librarian.linked",
        "librarian.own_messages",
        "librarian.places",
        "recall.message_candidates",
        "recall.message_rows",
        "discord_edits.erase_messages",
        "discord_edits.is_touched",
        "discord_edits.said",
        "strategies.keyword_messages",
        "why.messages",
    ],
)
async def test_messages_are_read_by_their_key_and_not_by_all_sessions(name: str, dsn: str) -> None:
    """A plan that is made once, for any ids, walks the index of sessions only for what stands in one."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(
            "INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content,"
            " said_at, search) SELECT n % 200, n, 10, n / 50, 'person', 7, 'Ann', 'heron', now(), 'heron'"
            " FROM generate_series(1, 20000) AS n"
        )
        await connection.execute("ANALYZE message")
    finally:
        await connection.close()
    nodes = _nodes(await _plan_at(dsn, statements.named(name)))
    walks = [node["Index Cond"] for node in nodes if node.get("Index Name") == "message_session"]
    assert [] == [condition for condition in walks if "session_id =" not in condition]


FILLED = """
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, reply_to, said_at,
                     search)
SELECT 1, n, 10, n / 50, CASE n % 2 WHEN 0 THEN 'person' ELSE 'hathi' END, CASE n % 2 WHEN 0 THEN n % 500 END, 'Ann',
       'heron', CASE n % 2 WHEN 1 THEN n - 1 END, now(), 'heron' FROM generate_series(1, 20000) AS n;
INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, recorded_at, shown,
                  trail)
SELECT 1, n, 10, n / 50, n % 500, 'answered', 'w', now(), now(), ARRAY[n],
       jsonb_build_object('sources', jsonb_build_array(jsonb_build_object('message', jsonb_build_array(10, n))))
FROM generate_series(2, 20000, 2) AS n;
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
                    author_id, channel_id, evidence, content_hash, created_at, said_at, reinforced_at, last_used_at,
                    search)
SELECT 1, n, 'long', 'general', 'heron', 'heron', 1 + n % 10, 5, 'user', '{}', n % 500, 10, ARRAY[n],
       decode(md5(n::text), 'hex'), now(), now() - make_interval(mins => n), now(), now(), 'heron'
FROM generate_series(1, 20000) AS n;
INSERT INTO memory_event (space_id, memory_id, kind, actor, actor_id, at)
SELECT 1, n, 'saved', 'person', n % 500, now() FROM generate_series(1, 20000) AS n;
INSERT INTO tally (space_id, kind, room, name, channel_id, short, long, changed_at)
SELECT 1, kind, '', 'heron ' || n, 10 + n % 7, 0, n, now() FROM generate_series(1, 5000) AS n,
       unnest('{room,topic,tag}'::text[]) AS kind;
ANALYZE"""
"""A space of 500 people who have as much as each other."""


@pytest.fixture(scope="session")
def filled(server: str, schema: str) -> str:
    """The address of a database with one large space."""

    async def make() -> str:
        dsn = await copied(server, "hathi_filled")
        connection = await asyncpg.connect(dsn)
        await connection.execute(FILLED)
        await connection.close()
        return dsn

    return asyncio.run(make())


@pytest.mark.parametrize(
    "name",
    [
        "archivist.leave_events",
        "derivation.resting",
        "personal_data.counts",
        "personal_data.erasable",
        "personal_data.erase_turns",
        "personal_data.fail_turns",
        "personal_data.memory_ids",
        "personal_data.message_ids",
        "reply_sources.answers",
        "reply_sources.heard",
        "reply_sources.naming",
        "reply_sources.shown",
        "session.over",
        "space_erasure.messages",
        "space_erasure.turns",
        "standing_reply.note",
        "standing_reply.note_answers",
    ],
)
async def test_what_one_person_has_is_found_without_a_look_at_all(name: str, filled: str) -> None:
    """A plan that is made once reads no large table from end to end, nor walks past what is others'."""
    nodes = _nodes(await _plan_at(filled, statements.named(name)))
    large = [node for node in nodes if node.get("Relation Name") in {"message", "memory", "memory_event", "turn"}]
    few = {None, "turn_in_hand", "memory_forgotten", "memory_version"}
    walks = [node for node in nodes if node.get("Index Name") not in few and "Index Cond" in node]
    assert [] == [node["Relation Name"] for node in large if node["Node Type"] == "Seq Scan"]
    assert [] == [node["Index Name"] for node in walks if " AND " not in node["Index Cond"]]


BY_EVIDENCE = re.compile(r"(?<![\w.])(\w+\.|)evidence (?:@>|&&)")


@pytest.mark.parametrize("name", [name for name in PREPARABLE if BY_EVIDENCE.search(statements.named(name))])
def test_what_rests_on_a_message_is_found_by_its_evidence(name: str) -> None:
    """No index that knows channels can be walked for it: among many spaces a plan for all took that, and read them."""
    found = statements.named(name)
    aliases = {match[1] for match in BY_EVIDENCE.finditer(found)}
    assert [] == [alias for alias in aliases if re.search(rf"(?<![\w.]){re.escape(alias)}channel_id = ANY", found)]


MIXED: Any = """
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, reply_to, said_at,
                     search)
SELECT greatest(0, n / 5 - 10000), n, n / 50, n / 50, CASE n % 2 WHEN 0 THEN 'person' ELSE 'hathi' END,
       CASE n % 2 WHEN 0 THEN n % 500 END, 'Ann', 'heron', CASE n % 2 WHEN 1 THEN n - 1 END, now(), 'heron'
FROM generate_series(1, 100000) AS n;
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
                    author_id, channel_id, evidence, content_hash, created_at, said_at, reinforced_at, last_used_at,
                    search)
SELECT greatest(0, n / 5 - 10000), n, 'long', 'general', 'heron', 'heron', 1 + n % 10, 5, 'user', '{}', n % 500, n / 50,
       ARRAY[n], decode(md5(n::text), 'hex'), now(), now() - make_interval(mins => n), now(), now(), 'heron'
FROM generate_series(1, 100000) AS n;
INSERT INTO memory_event (space_id, memory_id, kind, actor, actor_id, at)
SELECT greatest(0, n / 5 - 10000), n, 'saved', 'person', n % 500, now() FROM generate_series(1, 100000) AS n;
ANALYZE"""
"""A space of fifty thousand memories and messages, and ten thousand of five each."""
BY_IDS = [name for name in PREPARABLE if re.search(r"(message|memory)_id IN \(SELECT unnest", statements.named(name))]


@pytest.fixture(scope="session")
def mixed(server: str, schema: str) -> str:
    """The address of a database with a large space among small ones."""

    async def make() -> str:
        dsn = await copied(server, "hathi_mixed")
        connection = await asyncpg.connect(dsn)
        await connection.execute(MIXED)
        await connection.close()
        return dsn

    return asyncio.run(make())


@pytest.mark.parametrize("name", BY_IDS)
async def test_what_is_asked_for_by_its_id_is_read_by_its_key_whoever_else_is_there(name: str, mixed: str) -> None:
    """A plan that is made once, for small spaces too, of which it could read all, is run in a large one."""
    nodes = _nodes(await _plan_at(mixed, statements.named(name)))
    large = [node for node in nodes if node.get("Relation Name") in {"message", "memory", "memory_event"}]
    few = {None, "memory_forgotten", "memory_version", "message_hidden"}
    walks = [node for node in large if node.get("Index Name") not in few and "Index Cond" in node]
    assert [] == [node["Relation Name"] for node in large if node["Node Type"] == "Seq Scan"]
    assert [] == [node["Index Name"] for node in walks if " AND " not in node["Index Cond"]]


async def test_what_is_recalled_is_planned_the_same_without_statistics_of_words(dsn: str) -> None:
    """No statistics are kept of what people say; with them recall and Active Memory would be read no other way."""
    names = [name for name in PREPARABLE if name.startswith("recall.") or name == "librarian.active"]
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(FILLED)
        without = [_shape(await _plan_at(dsn, text(name))) for name in names]
        for table, column in (
            *(("memory", column) for column in ("room", "topic", "content", "tags", "author", "search")),
            *(("message", column) for column in ("author", "content", "search")),
        ):
            await connection.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS -1")
        await connection.execute("ANALYZE")
        assert without == [_shape(await _plan_at(dsn, text(name))) for name in names]
    finally:
        await connection.close()


def _shape(plan: dict[str, Any]) -> list[tuple[str, ...]]:
    """What a plan does to what, in order."""
    return [tuple(str(node.get(key)) for key in ("Node Type", "Relation Name", "Index Name")) for node in _nodes(plan)]
