"""The laws of taking another system's store in: each thing once, nothing that was taken back, nothing in a dry run."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from bot import errors, transfer
from bot.db.pool import Database
from bot.domain import Caller, MemoryId, PersonId, SpaceId, WorkerId
from bot.recall.ledger_search import LedgerSearch
from bot.recall.librarian import Librarian
from bot.recall.query import Query, Term
from bot.store.archivist import Archivist
from bot.store.people import People
from bot.store.sessions import Sessions
from bot.store.spaces import Spaces
from bot.store.turns import Turns
from bot.transfer import foreign
from bot.transfer.foreign import foreign_sessions, keepsakes, taking_in, tally
from tests import people
from tests.bot.transfer.foreign import stores
from tests.bot.transfer.foreign.stores import CHANNEL, SPACE
from tests.conftest import Clock
from tests.conversations import room
from tests.rows import column, one, rows
from tests.transfers import SPACE_TABLES, exported

NOW: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
ANN: Final = people.caller("Ann A", space=SPACE, channel=CHANNEL, person=1001, admin=True)


async def take(database: Database, path: Path, *, channel: int | str | None = CHANNEL, **fields: Any) -> tally.Tally:
    """What an import told."""
    given: dict[str, Any] = {"space_id": SpaceId(SPACE), "channel": channel, "write": True, "now": NOW} | fields
    return await foreign.take_in(database, path, foreign.Takeover(**given))


async def enter(database: Database, clock: Clock, caller: Caller = ANN, name: str = "general") -> None:
    await Spaces(database).ensure(caller, channel_name=name, mode="all", language="english", now=clock())


async def test_history_becomes_sessions_that_wait_for_their_summary(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A silence of a week or so many messages end one; the open one stays last, and the same again adds nothing."""
    monkeypatch.setattr(foreign_sessions, "MOST_MESSAGES", 2)
    week = stores.BEGAN + timedelta(days=8)
    talk = [
        *(stores.said(n, f"Said {n}") for n in range(1, 4)),
        stores.said(4, "Later", at=week, author={"id": "1002", "name": "bob", "isBot": False}),
    ]
    file = stores.discord(tmp_path, *talk)
    done = await take(database, file, channel=None)
    assert {"message": 4} == done.came
    sessions = "SELECT number, state, message_count FROM session ORDER BY number"
    assert [(1, "closed", 2), (2, "closed", 1), (3, "closed", 1), (4, "open", 0)] == await rows(database, sessions)
    assert [("Ann A", 1001), ("bob", 1002)] == await rows(database, "SELECT name, person_id FROM member ORDER BY 2")
    assert [[SPACE]] * 2 == await column(database, "SELECT spaces FROM person")
    due = await Sessions(database, Archivist(database), WorkerId("w")).due([SpaceId(SPACE)], now=NOW)
    assert len(due) == 3
    again = await take(database, file, channel=None)
    assert ({}, 4) == (again.came, again.left["message", tally.HERE])
    more = stores.discord(tmp_path, *talk, stores.said(5, "More", at=week + timedelta(hours=1)))
    assert {"message": 1} == (await take(database, more, channel=None)).came
    assert [1, 2, 3, 4, 5] == await column(database, "SELECT number FROM session ORDER BY number")
    assert 5 == await one(database, "SELECT session_count FROM channel")


async def test_history_becomes_memory(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Summarised as any session is, without a model too; and talk goes on in the open session."""
    await take(database, stores.discord(tmp_path, stores.said(1, "We decided to ship the parser on Friday.")))
    async with room(database, clock, who=ANN) as r:
        ((space, session),) = await r.app.sessions.due([SpaceId(SPACE)], now=clock())
        assert await r.app.summaries.make(space, session) is not None
        await r.say("Hello there")
    found = "SELECT content LIKE '%parser on Friday%', evidence, said_at FROM memory"
    assert [(True, [1], stores.minute(1))] == await rows(database, found)
    states = await rows(database, "SELECT number, state FROM session ORDER BY number")
    assert [(1, "summarised"), (2, "open")] == states
    assert session != await one(database, "SELECT session_id FROM message WHERE content = 'Hello there'")


async def test_a_dry_run_writes_nothing_and_tells_the_same(database: Database, clock: Clock, tmp_path: Path) -> None:
    """In a space that is there and in one that is not, no row differs after it."""
    talk = stores.discord(tmp_path, stores.said(1, "x"), stores.said(1, "x"), stores.said(2, "y"))
    ways = (stores.tiered, stores.palace, stores.chat, stores.ledger)
    for path in (talk, *(way(tmp_path) for way in ways)):
        for space in (SPACE, 8):
            before = await everything(database)
            dry = await take(database, path, space_id=SpaceId(space), write=False)
            assert before == await everything(database)
            wet = await take(database, path, space_id=SpaceId(space))
            assert (dry.came, dry.joined, dry.left) == (wet.came, wet.joined, wet.left)
            assert dry.told() == wet.told()
            clock.forward(minutes=1)


async def test_what_is_not_to_be_kept_does_not_come(database: Database, clock: Clock, tmp_path: Path) -> None:
    """What was forgotten, of who opted out or erased, and too old a message: each is left out and counted."""
    await enter(database, clock)
    life = Archivist(database)
    turn = people.turn(ANN, "My locker is number 77.", stores.minute(1))
    turn = replace(turn, message=replace(turn.message, message_id=1))  # type: ignore[arg-type]
    await Turns(database, WorkerId("w")).record(turn)
    await life.forget_all(ANN, [], [turn.message.message_id], now=clock())
    await life.erase([SpaceId(SPACE)], now=clock.forward(minutes=20))
    await People(database).opt_out(PersonId(1002), clock())
    async with database.connection() as connection:
        await connection.execute("INSERT INTO person (person_id, erased_at) VALUES (1003, $1)", stores.minute(3.5))
        await connection.execute("INSERT INTO member VALUES ($1, 1002, 'Bob', $2, $2, '')", SPACE, clock())
    of_bob, of_cy = ({"id": str(n), "name": f"p{n}", "isBot": False} for n in (1002, 1003))
    file = stores.discord(
        tmp_path,
        stores.said(1, "My locker is number 77."),
        stores.said(2, "Mine too", author=of_bob),
        stores.said(3, "Before", author=of_cy),
        stores.said(4, "After", author=of_cy),
        stores.said(5, "Old", at=NOW - timedelta(days=31)),
        stores.said(6, "To come", at=NOW + timedelta(days=9)),
        stores.said(7, "x" * (taking_in.LONGEST + 1)),
    )
    done = await take(database, file, channel=None, keep=timedelta(days=30))
    assert ["After"] == await column(database, "SELECT content FROM message")
    assert {
        ("message", tally.FORGOTTEN): 1,
        ("message", foreign_sessions.DECLINED): 2,
        ("message", "older than messages.keep_days: 30"): 1,
        ("message", "said in the future"): 1,
        ("message", taking_in.TOO_LONG): 1,
    } == done.left
    named = await take(database, stores.lines(tmp_path, stores.line("By name", author="bob")))
    assert 1 == named.left["message", foreign_sessions.DECLINED]


async def test_nothing_lands_where_memory_is_off(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Neither messages nor memories; it is told as the reason."""
    await enter(database, clock)
    await Spaces(database).set_mode(ANN, "explicit", now=clock())
    for path in (stores.discord(tmp_path, stores.said(1, "x")), stores.ledger(tmp_path), stores.chat(tmp_path)):
        done = await take(database, path)
        assert not done.came
        assert any("explicit" in why for _, why in done.left)
    assert 0 == await one(database, "SELECT (SELECT count(*) FROM message) + (SELECT count(*) FROM memory)")


async def test_memories_keep_tier_time_and_origin(database: Database, clock: Clock, tmp_path: Path) -> None:
    """What they were there they are here; taken in again they are known, edited or forgotten they stay so."""
    path = stores.tiered(tmp_path)
    await take(database, path)
    found = await rows(
        database,
        "SELECT tier, source, importance, topic, created_at, aged_at, metadata -> 'origin' ->> 'table', tags "
        "FROM memory ORDER BY memory_id",
    )
    assert [("short", "summary"), ("short", "directive"), ("long", "user")] == [row[:2] for row in found]
    aged = datetime(2026, 1, 7, 10, 30, tzinfo=UTC)
    assert ("vault", datetime(2026, 1, 5, 10, tzinfo=UTC), aged) == found[2][3:6]
    assert ["auto"] == found[0][7]
    assert await column(database, "SELECT actor FROM memory_event") == ["import"] * 3
    recalled = await Librarian(database).recall(ANN, Query(text="vault code", as_of=clock()))
    assert ["The vault code is 4417."] == [memory.content for memory in recalled.memories]
    await enter(database, clock)
    life, number = Archivist(database), recalled.memories[0].memory_id
    await life.edit(ANN, number, "The vault code is 5521.", now=clock())
    await life.forget(ANN, MemoryId(1), now=clock())
    assert 3 == (await take(database, path)).left["memory", tally.HERE]
    await life.erase([SpaceId(SPACE)], now=clock.forward(minutes=20))
    again = await take(database, path)
    assert ({}, 1) == (again.came, again.left["memory", tally.FORGOTTEN])
    living = "SELECT content FROM memory WHERE superseded_by IS NULL ORDER BY memory_id"
    assert ["Always answer in French.", "The vault code is 5521."] == await column(database, living)


async def test_what_goes_takes_along_what_its_session_came_to(database: Database, clock: Clock, tmp_path: Path) -> None:
    """A memory and the chat summary of its session are filed together: forgetting one withholds the other."""
    await take(database, stores.tiered(tmp_path))
    await enter(database, clock)
    assert [("qwen", 12)] == await rows(database, "SELECT model, message_count FROM chat_summary")
    await Archivist(database).forget(ANN, MemoryId(1), now=clock())
    assert 1 == await one(database, "SELECT count(*) FROM chat_summary WHERE withheld_at IS NOT NULL")


async def test_the_same_in_two_stores_is_one_memory(database: Database, tmp_path: Path) -> None:
    """It knows both origins, so that neither adds anything again; its own words do not make it the same."""
    note = {"timestamp": "2026-01-05T10:00:00", "content": "the vault code is 4417", "tags": ["auto", "domain:safe"]}
    ledger = tmp_path / "memory.json"
    ledger.write_text(json.dumps([note]), "utf-8")
    await take(database, stores.tiered(tmp_path))
    first, second = await take(database, ledger), await take(database, ledger)
    assert (1, 1) == (first.joined["memory"], second.left["memory", tally.HERE])
    held = await rows(database, "SELECT seen_count, tags @> '{domain:safe}' FROM memory WHERE topic = 'vault'")
    assert [(2, True)] == held


async def test_a_ledger_and_its_summary_go_on(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Chunks and the rolling summary are the channel's; the same again adds nothing, and an export holds them."""
    path = stores.chat(tmp_path)
    done = await take(database, path)
    assert {"ledger entry": 2, "rolling summary": 1, "memory": 1} == done.came
    found = await LedgerSearch(database).newest(ANN, most=5, after_reset=True)
    assert found.summary is not None
    assert ("All of it.", ["They met.", "They parted."]) == (found.summary.text, [one.text for one in found.entries])
    assert ["\\xaa11", "\\xbb22"] == await column(database, "SELECT last_hash::text FROM chunk ORDER BY chunk_id")
    again = await take(database, path)
    assert (not again.came, 4) == (True, sum(number for (_, why), number in again.left.items() if why == tally.HERE))
    await enter(database, clock)
    assert b'"They met."' in b"".join(await exported(database, tmp_path / "f", SpaceId(SPACE)))


async def test_a_long_ledger_is_in_its_order_and_found_by_its_words(database: Database, tmp_path: Path) -> None:
    """However many are filed at a time, in one session; and going on with what is new later."""
    path = stores.chat(tmp_path)
    entries = [{"text_block": f"Gate {n} was painted.", "hash": f"{n:08x}"} for n in range(4500)]
    for count in (3000, 4500):
        whole = "".join(json.dumps(each) + "\n" for each in entries[:count])
        (path / "talk_memories.jsonl").write_text(whole, "utf-8")
        await take(database, path)
    texts = await column(database, "SELECT text FROM chunk ORDER BY chunk_id")
    assert [each["text_block"] for each in entries] == texts
    assert 1 == len(await rows(database, "SELECT DISTINCT session_id FROM chunk"))
    (found,) = await LedgerSearch(database).holding(ANN, [Term(word="4321", token="4321")], most=5)
    assert "Gate 4321 was painted." == found.entry.text


async def test_notes_and_identity_come_once(database: Database, tmp_path: Path) -> None:
    """A note that lives goes to the open session, and an identity to a space that has none."""
    path = stores.palace(tmp_path)
    await take(database, path)
    await take(database, path)
    noted = await rows(
        database, "SELECT number, content, actor, n.session_id = c.open_session_id FROM note n, channel c"
    )
    assert [(1, "Still open", "model", True)] == noted
    (tmp_path / "palace/identity.txt").write_text("I am another.", "utf-8")
    other = await take(database, path)
    assert 1 == other.left["identity text", keepsakes.OTHER_IDENTITY]
    assert "I am the archivist of a pottery." == await Spaces(database).identity(SpaceId(SPACE))


async def test_a_store_lands_where_it_is_told(database: Database, clock: Clock, tmp_path: Path) -> None:
    """By the file's own channel, by a known channel's name, or by the one named; else it is refused in a sentence."""
    await enter(database, clock)
    await take(
        database, stores.lines(tmp_path, stores.line("By name"), stores.line("By id", channel="72")), channel=None
    )
    assert [(CHANNEL, "By name"), (72, "By id")] == await rows(
        database, "SELECT channel_id, content FROM message ORDER BY channel_id"
    )
    thread = stores.discord(tmp_path, stores.said(9, "In a thread"), channel_type="GuildPublicThread")
    await take(database, thread, space_id=SpaceId(8), channel=81)
    assert 81 == await one(database, "SELECT channel_id FROM message WHERE space_id = 8")
    for path, space, told in (
        (lambda: stores.lines(tmp_path, stores.line("x", channel="lounge")), SPACE, "lounge"),
        (lambda: stores.lines(tmp_path, stores.line("x", channel=None)), SPACE, "--channel"),
        (lambda: stores.ledger(tmp_path), SPACE, "--channel"),
        (lambda: thread, 8, "of space 7, not 8"),
        (lambda: thread, 0, "--channel 0"),
    ):
        with pytest.raises(errors.TransferError, match=told):
            await take(database, path(), channel=None, space_id=SpaceId(space))


async def test_a_channel_is_told_by_its_name(database: Database, clock: Clock, tmp_path: Path) -> None:
    """One that the space knows alone by that name; else a sentence has what is known, and what the file names."""
    for number, name in ((CHANNEL, "general"), (72, "pottery"), (73, "Pottery")):
        await enter(database, clock, people.caller("Ann A", space=SPACE, channel=number, person=1001), name)
    file = stores.lines(tmp_path, stores.line("Tea at four", channel="lounge"), stores.line("x", channel="#attic"))
    for channel, told in (
        (None, r"#lounge, #attic.*#general \(71\)"),
        ("#cellar", r"#cellar.*#general \(71\)"),
        ("#pottery", "72, 73"),
    ):
        with pytest.raises(errors.TransferError, match=told):
            await take(database, file, channel=channel)
    done = await take(database, file, channel="#General")
    assert [CHANNEL] * 2 == await column(database, "SELECT channel_id FROM message")
    assert ("#general (71)" in done.told(), ("#lounge", "#attic")) == (True, done.names)
    assert "72" in (await take(database, file, channel="72", write=False)).told()


async def test_a_public_thread_is_seen_where_its_parent_is(database: Database, tmp_path: Path) -> None:
    """What was said in it has the parent's audience, and stands in the thread."""
    await take(database, stores.discord(tmp_path, stores.said(9, "x"), channel_type="GuildPublicThread"), channel=None)
    assert [(5, CHANNEL)] == await rows(database, "SELECT channel_id, place_id FROM message")
    assert [(5, None), (CHANNEL, 5)] == await rows(
        database, "SELECT channel_id, origin_id FROM channel ORDER BY channel_id"
    )


async def test_a_space_that_took_a_store_in_moves_whole(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """Exported, imported into an empty database and exported again, it is the same byte by byte."""
    for path in (stores.tiered(tmp_path), stores.chat(tmp_path), stores.discord(tmp_path, stores.said(1, "x"))):
        await take(database, path)
    space = SpaceId(SPACE)
    before = await exported(database, tmp_path / "one.jsonl", space)
    await transfer.import_from(target, tmp_path / "one.jsonl", language="english", space_id=space)
    assert before == await exported(target, tmp_path / "two.jsonl", space)


async def everything(database: Database) -> dict[str, list[Any]]:
    """Every row of every table of spaces."""
    return {
        table: await rows(database, f"SELECT * FROM {table} ORDER BY 1, 2")  # type: ignore[arg-type]
        for table in (*SPACE_TABLES, "note", "secret")
    }
