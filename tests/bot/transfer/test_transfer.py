"""The laws of moving a space: exact, one moment, and silent about what was forgotten."""

import contextlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from bot import transfer
from bot.db.pool import Database
from bot.domain import Actor, ChannelId, Fact, Source, SpaceId, WorkerId
from bot.recall.query import Query
from bot.store.archivist import Archivist, Author
from bot.store.sessions import Sessions
from bot.store.spaces import Spaces
from bot.store.turns import Turns
from bot.transfer import exporting, records
from tests import people
from tests.conftest import Clock
from tests.rows import one
from tests.transfers import ANN, Life, community, exported, lived, write

# What an export leaves out on purpose: keys of the space, what is computed, leases, the marks of the forgotten, what a
# start finds out anew about a server and a channel, how lately something was made again, and how far the undo of a
# reset goes back, which is over in ten minutes. Notes stay behind, and so the count of them: they would have expired
# before a copy is of use.
LEFT_OUT: Final = {
    "space_id",
    "search",
    "content_hash",
    "likeness",
    "event_id",
    "worker",
    "lease_until",
    "kept",
    "kept_whole",
    "forgotten_at",
    "hidden_at",
    "withheld_at",
    "unkept",
    "spaces",
    "note_count",
    "refused_with",
    "remade_at",
    "kept_through",
    "gone_at",
    "missed_at",
    "command",
    "audience",
    "withdrawing",
    "compared",
    "formerly",
    "erasing_at",
    "emptying_at",
    "emptied_through",
}


async def test_a_round_trip_is_exact(database: Database, target: Database, clock: Clock, tmp_path: Path) -> None:
    """Exported, imported into an empty database and exported again, every line is the same byte by byte."""
    await lived(database, clock)
    before = await exported(database, tmp_path / "one.jsonl")
    await transfer.import_from(target, tmp_path / "one.jsonl", language="simple")
    assert before == await exported(target, tmp_path / "two.jsonl")
    kinds = {json.loads(line).get("kind") for line in before}
    # Files come from Discord alone.
    assert {*records.KINDS, "end", None} == kinds | {"attachment"}


async def test_a_server_moves_whole(database: Database, target: Database, clock: Clock, tmp_path: Path) -> None:
    """Threads with their audience, files, what people want and what a channel is set to: the same byte by byte."""
    space = SpaceId(77)
    await a_server(database, clock)
    first = await exported(database, tmp_path / "one.jsonl", space)
    words = await transfer.import_from(target, tmp_path / "one.jsonl", language="simple", space_id=space)
    assert words == "0 memories, 1 message, 1 session"
    assert first == await exported(target, tmp_path / "two.jsonl", space)
    kept = {json.loads(line).get("kind"): json.loads(line) for line in first}
    assert (7, 71, "Read me") == (
        kept["channel"]["origin_id"],
        kept["message"]["place_id"],
        kept["attachment"]["content"],
    )
    declined = "SELECT array_agg(person_id ORDER BY person_id) FROM person WHERE opted_out_at IS NOT NULL"
    assert await one(target, declined) == [6]


async def test_who_is_known_already_keeps_what_they_want(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """A server's file opts out who is new here; who has said otherwise here is not overruled by an older file."""
    await a_server(database, clock)
    async with target.connection() as connection:
        await connection.execute("INSERT INTO person (person_id, spaces) VALUES (6, '{5}')")
    await exported(database, tmp_path / "f", SpaceId(77))
    await transfer.import_from(target, tmp_path / "f", language="english", space_id=SpaceId(77))
    assert [None, [5, 77]] == [
        await one(target, f"SELECT {column} FROM person WHERE person_id = 6")  # type: ignore[arg-type]
        for column in ("opted_out_at", "spaces")
    ]


async def test_who_opted_out_here_is_told_of_by_no_ledger_that_is_brought_here(
    target: Database, tmp_path: Path
) -> None:
    """An entry with their words, written before they did, goes with what was rolled of it, and is made again."""
    at = datetime(2026, 1, 1, tzinfo=UTC).isoformat()
    told = {"text": "Ann keeps bees.", "model": "m", "created_at": at, "channel_id": 0}
    entry = {
        "chunk_id": 2,
        "session_id": 1,
        "first_message_id": 1,
        "last_hash": "\\x",
        "messages": [1, 2],
        "people": [0],
    }
    rolled = {"summary_id": 9, "session_id": None, "chunk_id": 2, "raw": "", "message_count": 2}
    plain = community()
    at_memories = next(n for n, row in enumerate(plain) if row["kind"] == "memory")
    made = [{"kind": "chat_summary"} | rolled | told, {"kind": "chunk"} | entry | told]
    write(tmp_path / "f", [*plain[:at_memories], *made, *plain[at_memories:]])
    async with target.connection() as connection:
        await connection.execute("INSERT INTO person (person_id, opted_out_at) VALUES (0, $1)", datetime.now(UTC))
    await transfer.import_from(target, tmp_path / "f", language="english")
    assert 0 == await one(target, "SELECT (SELECT count(*) FROM chunk) + (SELECT count(*) FROM chat_summary)")
    assert 1 == await one(target, "SELECT count(*) FROM tracker WHERE remake_at IS NOT NULL")


async def a_server(database: Database, clock: Clock) -> None:
    """A server with a thread in which something with a file was said, and somebody who does not want memory."""
    await Life(database, clock).enter()
    spaces, now = Spaces(database), clock()
    ann = replace(people.caller("Ann", space=77, channel=71, person=5), origin=ChannelId(7))
    await spaces.ensure(ann, channel_name="a thread", origin_name="general", mode="all", language="english", now=now)
    turn = people.turn(ann, "Look at this", clock.forward(seconds=1))
    await Turns(database, WorkerId("w")).record(turn)
    async with database.connection() as connection:
        await connection.execute(
            "UPDATE channel SET enabled = true, threads = true, around = 9, mode_since = 4 WHERE space_id = 77"
        )
        await connection.execute(
            "UPDATE space SET introduced_at = $1, direct_at = $1, roles_allowed = '{3}', roles_blocked = '{4}', "
            "channels_allowed = '{7}', channels_blocked = '{8}' WHERE space_id = 77",
            now,
        )
        await connection.execute("INSERT INTO person (person_id, opted_out_at, spaces) VALUES (6, $1, '{77}')", now)
        await connection.execute(
            "INSERT INTO attachment VALUES (77, $1, 1, 7, 'a.md', '{a.md}', NULL, 7, 'text', 'Read me', "
            "attachment_vector('english', 'Read me'), $2)",
            turn.message.message_id,
            now,
        )


async def test_what_is_written_and_read_is_counted(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """Both ways tell the same few words."""
    await lived(database, clock)
    words = await transfer.export_to(database, tmp_path / "f")
    assert words == "8 memories, 13 messages, 2 sessions"
    assert words == await transfer.import_from(target, tmp_path / "f", language="english")


async def test_search_vectors_are_made_again(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """Of memories and messages alike, by the words, in the space's language and not the one asked for."""
    await lived(database, clock)
    await transfer.export_to(database, tmp_path / "f")
    await transfer.import_from(target, tmp_path / "f", language="german")
    for query in (
        "SELECT memory_id, search FROM memory WHERE forgotten_at IS NULL ORDER BY 1",
        "SELECT message_id, search FROM message WHERE hidden_at IS NULL ORDER BY 1",
    ):
        async with database.connection() as here, target.connection() as there:
            assert await here.fetch(query) == await there.fetch(query)  # type: ignore[arg-type]


async def test_what_was_forgotten_stays_behind(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """No word of it is in the file, undo or not; what it rested on is known as forgotten on the other side."""
    life = await lived(database, clock)
    lines = await exported(database, tmp_path / "f")
    assert [line for line in lines if b"locker" in line] == []
    stones = [row for row in map(json.loads, lines) if row.get("kind") == "tombstone"]
    assert len(stones) == 1
    await transfer.import_from(target, tmp_path / "f", language="english")
    facts = [
        Fact(
            content="A locker has a number.",
            topic="x",
            importance=5,
            source=Source.SUMMARY,
            evidence=tuple(stones[0]["evidence"]),
        )
    ]
    summary = Author(actor=Actor.SUMMARY, reason="session:1")
    assert await Archivist(target).save(ANN.space_id, ANN.channel_id, facts, summary, now=life.clock()) == []


async def test_a_withheld_summary_stays_behind(database: Database, clock: Clock, tmp_path: Path) -> None:
    """A chat summary that tells of something forgotten is not exported."""
    life = await lived(database, clock)
    moved = await one(database, "SELECT memory_id FROM memory WHERE content LIKE '%Lisbon%'")
    await life.archivist.forget(ANN, moved, now=clock())
    lines = await exported(database, tmp_path / "f")
    assert [line for line in lines if b"They spoke" in line or b"Lisbon" in line] == []


async def test_the_key_of_tombstones_never_leaves(database: Database, clock: Clock, tmp_path: Path) -> None:
    """With the key in it, a file would let anyone guess at what was forgotten."""
    await lived(database, clock)
    await exported(database, tmp_path / "f")
    key = await one(database, "SELECT value FROM secret WHERE name = 'tombstone'")
    assert key.hex() not in (tmp_path / "f").read_text("utf-8")


async def test_talk_goes_on_after_an_import(database: Database, target: Database, clock: Clock, tmp_path: Path) -> None:
    """The open session takes the next message, the next memory has the next number, the next session the next."""
    await lived(database, clock)
    await transfer.export_to(database, tmp_path / "f")
    await transfer.import_from(target, tmp_path / "f", language="english")
    life, highest = Life(target, clock), await one(database, "SELECT memory_count FROM space")
    await life.enter()
    open_session = await one(database, "SELECT open_session_id FROM channel")
    turn = await life.say("Where were we?")
    assert open_session == await one(
        target, "SELECT session_id FROM message WHERE message_id = $1", turn.message.message_id
    )
    assert [highest + 1] == await life.keep("Something new")
    found = await life.librarian.recall(ANN, Query(text="Lisbon", as_of=life.clock()))
    assert [memory.content for memory in found.memories] == ["Ann moved to Lisbon."]
    await life.reset()
    assert await one(target, "SELECT max(number) FROM session") == 3
    assert await one(target, "SELECT count(*) FROM upkeep WHERE next_due_at <= $1", datetime.now(UTC)) == 1


async def test_a_session_that_waits_for_its_summary_is_free_to_be_taken(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """No lease crosses: another worker there makes the summary."""
    life = Life(database, clock)
    await life.enter()
    await life.say("Something")
    closed = await life.sessions.reset(ANN, discard=False, min_messages=1, now=clock())
    assert closed is not None
    await transfer.export_to(database, tmp_path / "f")
    await transfer.import_from(target, tmp_path / "f", language="english")
    other = Sessions(target, Archivist(target), WorkerId("another"))
    assert [(0, closed.session_id)] == await other.due([SpaceId(0)], now=clock())
    assert await other.claim(SpaceId(0), closed.session_id, now=clock()) is not None


async def test_an_empty_space_that_was_opened_takes_an_import(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """The first session a terminal opens is no hindrance, and gives way to the imported one."""
    await lived(database, clock)
    before = await exported(database, tmp_path / "one.jsonl")
    await Life(target, clock).enter()
    await transfer.import_from(target, tmp_path / "one.jsonl", language="english")
    assert [k for k in before if b'"member"' not in k[:20]] == [
        k for k in await exported(target, tmp_path / "two.jsonl") if b'"member"' not in k[:20]
    ]


async def test_an_import_opts_nobody_out_but_who_talks_there(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """People are the same everywhere: what others want on Discord, and were told, no file says, met before or not."""
    for where, opted_out in ((database, {0, 5, 7}), (target, {6})):
        await Life(where, clock).enter()
        async with where.connection() as connection:
            for number in (0, 5, 6, *([7] if where is database else [])):
                await connection.execute(
                    "INSERT INTO person (person_id, opted_out_at, told_at) VALUES ($1, $2, $2) "
                    "ON CONFLICT (person_id) DO UPDATE SET opted_out_at = $2, told_at = $2",
                    number,
                    clock() if number in opted_out else None,
                )
                await connection.execute("INSERT INTO member VALUES (0, $1, 'x', $2, $2)", number, clock())
    await transfer.export_to(database, tmp_path / "f")
    await transfer.import_from(target, tmp_path / "f", language="english")
    declined = "SELECT array_agg(person_id ORDER BY person_id) FROM person WHERE opted_out_at IS NOT NULL"
    told = "SELECT array_agg(person_id ORDER BY person_id) FROM person WHERE told_at IS NOT NULL"
    assert [[0, 6]] * 2 == [await one(target, declined), await one(target, told)]


async def test_an_export_is_one_moment(database: Database, clock: Clock) -> None:
    """What is said while it runs is not in it, and the counts of the header hold."""
    life = await lived(database, clock)
    async with contextlib.aclosing(exporting.exported(database, ANN.space_id)) as lines:
        header = await anext(lines)
        await life.say("Said meanwhile")
        rest = [line async for line in lines]
    assert header["counts"]["message"] == sum(line["kind"] == "message" for line in rest)
    assert rest[-1] == {"kind": "end", "lines": len(rest) + 1}


async def test_an_export_reads_pages(
    database: Database, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small the pages, nothing is left out and nothing comes twice."""
    await lived(database, clock)
    before = await exported(database, tmp_path / "one.jsonl")
    monkeypatch.setattr(exporting, "PAGE", 1)
    assert before == await exported(database, tmp_path / "two.jsonl")


async def test_an_export_holds_one_space_only(database: Database, clock: Clock, tmp_path: Path) -> None:
    """The wall: nothing of another space is in the file."""
    await lived(database, clock)
    before = await exported(database, tmp_path / "one.jsonl")
    stranger = people.caller("Mallory", space=9)
    await Spaces(database).ensure(stranger, channel_name="x", mode="all", language="english", now=clock())
    await Turns(database, WorkerId("w")).record(people.turn(stranger, "Elsewhere", clock()))
    assert before == await exported(database, tmp_path / "two.jsonl")


async def test_every_column_is_exported_or_left_out_on_purpose(database: Database) -> None:
    """A column that a migration adds is not lost silently."""
    tables = {
        "space": records.Space,
        "channel": records.Channel,
        "place_setting": records.PlaceSettingRecord,
        "person": records.Person,
        "member": records.Member,
        "session": records.Session,
        "message": records.MessageRecord,
        "attachment": records.AttachmentRecord,
        "turn": records.FinishedTurn,
        "chat_summary": records.ChatSummary,
        "chunk": records.ChunkRecord,
        "memory": records.MemoryRecord,
        "memory_event": records.Event,
        "tombstone": records.Tombstone,
    }
    async with database.connection() as connection:
        found = await connection.fetch(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_name = ANY ($1::text[])",
            [*tables],
        )
    there = {(r["table_name"], r["column_name"]) for r in found if r["column_name"] not in LEFT_OUT}
    exported_ = (
        {(table, name) for table, model in tables.items() for name in model.model_fields}
        - {(table, "kind") for table in tables if table != "memory_event"}
        - {("memory_event", "change")}
        # How far a channel is in its memory is told with the channel.
        - {("channel", f"{made}_hash") for made in ("ledger", "facts")}
    )
    assert there == exported_
