"""The laws of what is counted: it is what there is, whatever changed memories, and told of what may be seen alone."""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Actor, Caller, ChannelId, Fact, MemoryId, Source, SpaceId, Tier
from bot.recall.librarian import Librarian
from bot.recall.listings import Narrowing
from bot.store import derivation, reworks, tallies
from bot.store.archivist import Ageing, Archivist, Author, Inherited, Origins
from bot.store.rooms import Rooms
from bot.store.spaces import Spaces
from tests import people
from tests.conftest import Clock
from tests.rows import column, one, rows
from tests.tallies import differing, fill

CHANNELS: Final = (10, 11, 12)
ANN: Final = people.caller(admin=True, sees=CHANNELS)
BOB: Final = people.caller("Bob", person=8, channel=11, sees=(11,))
ROOMS: Final = ("projects", "people", "decisions")
TOPICS: Final = ("deploys", "tea", "Der Garten", "100%_sure")
TAGS: Final = ("auto", "domain:finance", "ops", "type:fact")
SAY: Final = Author(actor=Actor.PERSON, person_id=ANN.person_id, reason="edit", manages=True)


@pytest.fixture
async def archivist(database: Database, clock: Clock) -> Archivist:
    for channel in CHANNELS:
        place = people.caller(channel=channel)
        await Spaces(database).ensure(place, channel_name=f"c{channel}", mode="all", language="english", now=clock())
    return Archivist(database)


def fact(content: str, chance: random.Random, **fields: Any) -> Fact:
    """Something said, filed anyhow."""
    given: dict[str, Any] = {
        "topic": chance.choice(TOPICS),
        "room": chance.choice(ROOMS),
        "importance": chance.randint(1, 10),
        "source": Source.USER,
        "tags": tuple(chance.sample(TAGS, chance.randint(1, 3))),
        "author_id": chance.choice((ANN.person_id, BOB.person_id, None)),
    }
    return Fact(content=content, **(given | fields))


async def test_whatever_changes_memories_the_tally_is_what_there_is(
    database: Database, clock: Clock, archivist: Archivist
) -> None:
    """After each of many writes of every kind, by chance, what is tallied is what there is, and names of nothing go."""
    chance, writes = random.Random(7), _writes(database, clock, archivist)
    done = dict.fromkeys(writes, 0)
    for _ in range(15):
        for name, write in chance.sample([*writes.items()], len(writes)):
            clock.forward(seconds=chance.randint(1, 400))
            with contextlib.suppress(errors.UserError):
                await write(chance)
                done[name] += 1
            async with database.connection() as connection:
                assert (name, []) == (name, await differing(connection))
    assert [] == [name for name, times in done.items() if not times]
    # All of it goes; a name that stands nowhere any more is kept nowhere.
    async with database.transaction() as connection:
        await archivist.drop_in(connection, ANN.space_id, 10**9, 10**6, tombstones=True)
    assert 0 == await one(database, "SELECT count(*) FROM tally")


def _writes(
    database: Database, clock: Clock, archivist: Archivist
) -> dict[str, Callable[[random.Random], Awaitable[Any]]]:
    """Every way in which memories come, change and go."""
    session = 99

    async def some(chance: random.Random) -> MemoryId:
        living = "SELECT memory_id FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id"
        return MemoryId(chance.choice(await column(database, living)))

    async def save(chance: random.Random) -> None:
        # Few texts: most are known already, and merged.
        said = [fact(f"Fact number {chance.randint(1, 30)} holds.", chance) for _ in range(5)]
        await archivist.save(ANN.space_id, chance.choice(ANN.visible), said, SAY, now=clock())

    async def edit(chance: random.Random) -> None:
        await archivist.edit(ANN, await some(chance), f"Wording {chance.random()} holds.", now=clock())

    async def contradict(chance: random.Random) -> None:
        for number in (4, 5):
            said = fact(f"The deploy number is {number} today.", chance, topic="deploys", author_id=ANN.person_id)
            saved = await archivist.save(ANN.space_id, ANN.channel_id, [said], SAY, now=clock.forward(seconds=1))
        if saved[0].contradicts:
            await archivist.settle(ANN, saved[0].memory.memory_id, both=False, now=clock())
            await archivist.undo_superseding(ANN, now=clock())

    async def forget(chance: random.Random) -> None:
        await archivist.forget_all(ANN, sorted({await some(chance) for _ in range(3)}), now=clock())

    async def unforget(_: random.Random) -> None:
        await archivist.undo_forget(ANN, now=clock())

    async def pin(chance: random.Random) -> None:
        await archivist.pin(ANN, await some(chance), pinned=chance.random() > 0.5, now=clock())

    async def age(chance: random.Random) -> None:
        ageing = Ageing(older_than=timedelta(0), max_rows=7, include_protected=chance.random() > 0.5)
        await archivist.age([ANN.space_id], ageing, now=clock(), caller=chance.choice((None, BOB)))

    async def decay(_: random.Random) -> None:
        await archivist.decay([ANN.space_id], now=clock())

    async def rename(chance: random.Random) -> None:
        await archivist.rename_room(ANN, chance.choice(ROOMS), f"room {chance.randint(1, 3)}", now=clock())

    async def join(chance: random.Random) -> None:
        await archivist.merge_rooms(ANN, f"room {chance.randint(1, 3)}", chance.choice(ROOMS), now=clock())

    async def lay_out(chance: random.Random) -> None:
        playbook = fact(f"Playbook {chance.random()}.", chance, room="procedures", topic=f"p{chance.randint(1, 3)}")
        await archivist.lay_out(ANN, playbook, [fact(f"Room {chance.random()}.", chance, room="attic")], now=clock())
        if chance.random() > 0.5:
            await archivist.undo_laying_out(ANN, now=clock())

    async def erase(_: random.Random) -> None:
        await archivist.erase([ANN.space_id], now=clock.forward(minutes=11))

    async def retract(chance: random.Random) -> None:
        async with database.transaction() as connection:
            gone = await derivation.of_gone(connection, ANN.space_id, (), [await some(chance)])
            await archivist.retract_in(connection, ANN.space_id, (), gone, SAY, now=clock())

    async def summarise_and_take_back(chance: random.Random) -> None:
        said = [fact(f"Fact number {n} holds.", chance, source=Source.SUMMARY) for n in chance.sample(range(60), 4)]
        author, before = Author(actor=Actor.SUMMARY, reason=f"session:{session}"), clock()
        await archivist.save(ANN.space_id, ANN.channel_id, said, author, now=clock.forward(seconds=1))
        async with database.transaction() as connection:
            await archivist.take_back_session(connection, ANN, session, before, None, now=clock())  # pyright: ignore[reportArgumentType]

    async def import_(chance: random.Random) -> None:
        number = await one(database, "SELECT memory_count + 1 FROM space WHERE space_id = 1")
        replaced = None if chance.random() > 0.3 else number
        async with database.transaction() as connection:
            await archivist.import_in(connection, ANN.space_id, memories=[_exported(number, chance, replaced, clock())])

    async def take_over(chance: random.Random) -> None:
        given = [
            Inherited(
                fact=fact(f"Fact number {chance.randint(1, 30)} holds.", chance, tags=("note", "ops")),
                origin={"n": chance.random()},
                tier=chance.choice((Tier.SHORT, Tier.LONG)),
                at=clock(),
                last_used_at=clock(),
                aged_at=None,
                session_id=None,
                is_written=True,
            )
            for _ in range(4)
        ]
        async with database.transaction() as connection:
            await archivist.take_in(
                connection, ANN.space_id, chance.choice(ANN.visible), given, Origins(), now=clock(), write=True
            )

    async def drop(chance: random.Random) -> None:
        async with database.transaction() as connection:
            await archivist.drop_in(connection, ANN.space_id, 10**9, chance.randint(1, 4), tombstones=False)
            await archivist.drop_distilled_in(connection, ANN.space_id, 0, clock(), 2)

    return {write.__name__: write for write in (
        save, edit, contradict, forget, unforget, pin, age, decay, rename, join, lay_out, erase, retract,
        summarise_and_take_back, import_, take_over, drop,
    )}  # fmt: skip


def _exported(number: int, chance: random.Random, replaced: int | None, at: datetime) -> dict[str, Any]:
    """A memory as a file has it; its names may be longer than any that people give."""
    then = at.isoformat()
    names = {"room": chance.choice((*ROOMS, "r" * 5000)), "topic": chance.choice((*TOPICS, "t" * 5000))}
    return names | {
        "memory_id": number, "tier": chance.choice(("short", "long")), "content": f"Brought {number}.",
        "importance": 5, "importance_set": 5, "source": "user", "tags": ["auto", "auto", "x" * 5000], "entities": [],
        "key_phrases": [], "metadata": {}, "subject_id": None, "author_id": None, "author": None, "channel_id": 10,
        "session_id": None, "evidence": [], "made_from": [], "seen_count": 1, "pinned": False, "created_at": then,
        "said_at": then, "reinforced_at": then, "last_used_at": then, "aged_at": None, "superseded_by": replaced,
        "superseded_at": None,
    }  # fmt: skip


async def test_a_room_on_its_way_is_told_of_where_it_goes(
    database: Database, clock: Clock, archivist: Archivist, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By count, topics, lists and completion, after each batch, to whoever sees a part; what is filed since stays."""
    monkeypatch.setattr("bot.store.archivist.MOVED", 2)
    chance = random.Random(11)
    for n, room in enumerate(["old"] * 12 + ["new"] * 3):
        said = [fact(f"Fact {n} holds.", chance, room=room, topic=("tea", "oats")[n % 2])]
        await archivist.save(ANN.space_id, ChannelId(CHANNELS[n % 2]), said, SAY, now=clock.forward(seconds=1))
    await archivist.forget(ANN, MemoryId(4), now=clock())
    await archivist.merge_rooms(ANN, "old", "new", now=clock())
    with pytest.raises(errors.NotFound):
        await archivist.rename_room(ANN, "old", "else", now=clock())
    for n, topic in enumerate(("tea", "teapots")):
        late = [fact(f"Fact {n} of late holds.", chance, room="old", topic=topic)]
        await archivist.save(ANN.space_id, BOB.channel_id, late, SAY, now=clock.forward(seconds=1))
    await archivist.forget(ANN, MemoryId(9), now=clock())
    await archivist.pin(ANN, MemoryId(10), pinned=True, now=clock())
    batches = 0
    while True:
        for caller in (ANN, BOB):
            await _is_told(database, caller)
        async with database.connection() as connection:
            assert [] == await differing(connection)
        due = await reworks.due(database, [ANN.space_id], now=clock())
        if not due:
            break
        await archivist.go_on_moving(due[0], now=clock())
        batches += 1
    living = "SELECT room, count(*) FROM memory WHERE forgotten_at IS NULL GROUP BY 1 ORDER BY 1"
    assert (True, [("new", 13), ("old", 2)]) == (batches > 3, await rows(database, living))


async def _is_told(database: Database, caller: Caller) -> None:
    """Whether what is told of rooms is what is filed in them."""
    living = "SELECT * FROM filed_memory WHERE forgotten_at IS NULL AND superseded_by IS NULL"
    async with database.connection() as connection:
        filed = [dict(row) for row in await connection.fetch(living) if row["channel_id"] in caller.visible]
    palace, librarian = Rooms(database), Librarian(database)
    names = Counter(row["room"] for row in filed)
    assert names == {part.name: part.memories for part in await palace.rooms(caller)}
    assert {*names} == {*await librarian.rooms(caller, "", limit=9)}
    for room in names:
        inside = [row for row in filed if row["room"] == room]
        topics, total = await palace.topics(caller, room)
        within = Counter(row["topic"] for row in inside)
        assert (within, len(within)) == ({part.name: part.memories for part in topics}, total.number)
        assert [room] == await librarian.rooms(caller, room[1:], limit=9)
        assert {*within} == {*await librarian.topics(caller, "", room=room, limit=9)}
        assert {*within} & {"tea"} <= {*await palace.topics_like(caller, room, "tea")} <= {*within}
        for topic in (None, *within):
            held, number = await palace.memories(caller, room, topic, page=1, size=50)
            expected = _sorted([row for row in inside if topic in (None, row["topic"])], caller.visible, Narrowing())
            assert (expected, len(expected)) == ([memory.memory_id for memory in held], number)
    for name in ("OLD", "New", "tea"):
        for wanted in (
            Narrowing(filed_under=name),
            Narrowing(filed_under=name, by_importance=False),
            Narrowing(filed_under=name, tags=("ops",)),
        ):
            memories, _ = await librarian.memories(caller, wanted, page=1, size=50)
            expected = _sorted(filed, caller.visible, wanted)
            assert (wanted, expected) == (wanted, [memory.memory_id for memory in memories])


async def test_changes_at_once_leave_the_tally_right(database: Database, clock: Clock, archivist: Archivist) -> None:
    """Who saves, ages, forgets, renames and erases in two spaces at once takes turns, and none waits for ever."""
    other = replace(ANN, space_id=SpaceId(2), visible=(ANN.channel_id,))
    await Spaces(database).ensure(other, channel_name="c", mode="all", language="english", now=clock())

    async def busy(number: int) -> None:
        chance = random.Random(number)
        for turn in range(6):
            caller, now = chance.choice((ANN, other)), clock() + timedelta(minutes=number * 11 + turn)
            said = [fact(f"Fact number {chance.randint(1, 12)} holds.", chance) for _ in range(3)]
            with contextlib.suppress(errors.UserError):
                saved = await archivist.save(caller.space_id, caller.channel_id, said, SAY, now=now)
                both = chance.sample([SpaceId(1), SpaceId(2)], 2)
                await archivist.age(both, Ageing(older_than=timedelta(0)), now=now)
                await archivist.pin(caller, saved[0].memory.memory_id, pinned=True, now=now)
                await archivist.forget(caller, saved[1].memory.memory_id, now=now)
                await archivist.rename_room(caller, chance.choice(ROOMS), chance.choice(ROOMS), now=now)
                await archivist.erase(both, now=now)

    async with asyncio.timeout(60):
        await asyncio.gather(*map(busy, range(8)))
    async with database.connection() as connection:
        assert [] == await differing(connection)
    assert 2 == await one(database, "SELECT count(DISTINCT space_id) FROM tally")


async def test_what_is_tallied_wrongly_is_told_and_put_right(
    database: Database, clock: Clock, archivist: Archivist
) -> None:
    """Too many, too few, none where there are some and some where there are none: each name is told once."""
    chance = random.Random(3)
    await archivist.save(
        ANN.space_id, ANN.channel_id, [fact(f"Fact {n} holds.", chance) for n in range(20)], SAY, now=clock()
    )
    assert 0 == await archivist.recount(ANN.space_id)
    async with database.connection() as connection:
        await connection.execute("UPDATE tally SET short = short + 1 WHERE kind = 'channel'")
        await connection.execute("UPDATE tally SET short = 0 WHERE kind = 'tag' AND name = 'auto'")
        await connection.execute("DELETE FROM tally WHERE kind = 'topic' AND room = '' AND name = 'tea'")
        await connection.execute("INSERT INTO tally VALUES (1, 'room', '', 'gone', 12, 1, 0, now())")
        assert 4 == await archivist.recount(ANN.space_id)
        assert [] == await differing(connection)
    assert 0 == await archivist.recount(ANN.space_id)


# --- what is read of it ----------------------------------------------------------------------------------------------

FILED: Final = """
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
                    subject_id, author_id, channel_id, content_hash, created_at, said_at, reinforced_at, last_used_at,
                    forgotten_at, search)
SELECT 1, n, CASE WHEN n % 3 = 0 THEN 'short' ELSE 'long' END, 'room ' || n % 4,
       CASE WHEN n % 5 = 0 THEN 'Room 1' ELSE 'topic ' || n % 7 END, 'heron ' || n, 1 + n * 7 % 10, 5, 'user',
       CASE WHEN n % 50 = 0 THEN '{auto,rare}' WHEN n % 2 = 0 THEN '{auto,even}' ELSE '{auto,odd}' END::text[],
       CASE WHEN n % 11 = 0 THEN 7 END, CASE WHEN n % 6 = 0 THEN 7 ELSE 8 END, 10 + n * n % 40,
       decode(md5(n::text), 'hex'), $1, $1::timestamptz - make_interval(hours => n * 37 % 400), $1, $1,
       CASE WHEN n % 17 = 0 THEN $1::timestamptz END, to_tsvector('english', 'heron ' || n)
FROM generate_series(1, 600) AS n"""
"""Memories of many channels, some of them forgotten."""
EVERYWHERE: Final = replace(ANN, visible=tuple(ChannelId(channel) for channel in range(10, 50)))


@pytest.fixture
async def listed(database: Database, clock: Clock) -> list[dict[str, Any]]:
    """All that live of many memories, as they stand there."""
    async with database.connection() as connection:
        await connection.execute(FILED, clock())
        await fill(connection)
        return [dict(row) for row in await connection.fetch("SELECT * FROM memory WHERE forgotten_at IS NULL")]


@pytest.mark.parametrize(("few", "counted"), [(0, 1000), (10**6, 20)], ids=["walked", "looked-up"])
async def test_a_list_has_what_was_asked_for_in_its_order_on_all_its_pages(
    database: Database,
    clock: Clock,
    listed: list[dict[str, Any]],
    few: int,
    counted: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever leads to it, each page is what sorting everything would put there, and the total is right if told."""
    monkeypatch.setattr("bot.recall.listings.FEW", few)
    monkeypatch.setattr("bot.recall.listings.COUNTED", counted)
    day, librarian = clock() - timedelta(hours=200), Librarian(database)
    wishes = (
        Narrowing(),
        Narrowing(least=6),
        Narrowing(by_importance=False),
        Narrowing(by_importance=False, least=4),
        Narrowing(since=day),
        Narrowing(by_importance=False, since=day, until=day + timedelta(hours=90)),
        Narrowing(filed_under="ROOM 1"),
        Narrowing(filed_under="topic 3", by_importance=False),
        Narrowing(filed_under="room 2", tags=("even",), least=3),
        Narrowing(tags=("even",)),
        Narrowing(tags=("auto", "rare")),
        Narrowing(tags=("odd",), by_importance=False, until=day),
        Narrowing(author_id=ANN.person_id),
        Narrowing(author_id=ANN.person_id, tags=("odd",), since=day),
        Narrowing(filed_under="nothing"),
        Narrowing(tags=("even", "nothing")),
    )
    for caller in (EVERYWHERE, ANN, BOB):
        for wanted in wishes:
            expected = _sorted(listed, caller.visible, wanted)
            found, totals = list[int](), list[tallies.Total]()
            for page in range(1, 5):
                memories, total = await librarian.memories(caller, wanted, page=page, size=30)
                found += [memory.memory_id for memory in memories]
                totals += [total] if memories else []
            assert (wanted, expected[:120]) == (wanted, found)
            assert [] == [
                total
                for total in totals
                if not (total.number <= len(expected) if total.is_more else total.number == len(expected))
            ]
    mine = [row for row in listed if row["subject_id"] == 7]
    pages = [(await librarian.of_person(EVERYWHERE, page=page, size=50))[0] for page in (1, 2)]
    assert _sorted(mine, EVERYWHERE.visible, Narrowing())[:100] == [
        memory.memory_id for page in pages for memory in page
    ]
    inside = [row for row in listed if row["room"] == "room 1"]
    held, number = await Rooms(database).memories(EVERYWHERE, "room 1", None, page=2, size=20)
    expected = _sorted(inside, EVERYWHERE.visible, Narrowing())
    assert (expected[20:40], len(expected)) == ([memory.memory_id for memory in held], number)


def _sorted(listed: list[dict[str, Any]], visible: tuple[int, ...], wanted: Narrowing) -> list[int]:
    """The numbers of what is wanted, as one would find them by looking at everything."""
    name = (wanted.filed_under or "").lower()
    fitting = [
        row
        for row in listed
        if row["channel_id"] in visible
        and (not name or name in (row["room"].lower(), row["topic"].lower()))
        and row["importance"] >= wanted.least
        and {*wanted.tags} <= {*row["tags"]}
        and wanted.author_id in (None, row["author_id"])
        and (wanted.since is None or row["said_at"] >= wanted.since)
        and (wanted.until is None or row["said_at"] < wanted.until)
    ]
    fitting.sort(key=lambda row: (row["importance"] * wanted.by_importance, row["said_at"], row["memory_id"]))
    return [row["memory_id"] for row in reversed(fitting)]


@pytest.mark.parametrize("read", [3, 10**4], ids=["few-read", "all-read"])
async def test_what_is_typed_is_completed_by_what_may_be_seen(
    database: Database, clock: Clock, archivist: Archivist, read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What begins so comes first, the fullest of it before the rest, then what holds it; nothing of other channels."""
    monkeypatch.setattr("bot.store.tallies.READ", read)
    chance, librarian = random.Random(5), Librarian(database)
    seen = {"deploys": 3, "deputies": 5, "the depot": 9, "a 100%_depth": 1, "tea": 20, "coffee": 15}
    said = [fact(f"{topic} {n} holds.", chance, topic=topic) for topic, many in seen.items() for n in range(many)]
    await archivist.save(ANN.space_id, BOB.channel_id, said, SAY, now=clock())
    hidden = [fact(f"Hidden {n} holds.", chance, topic="deposed", tags=("depraved",)) for n in range(30)]
    await archivist.save(ANN.space_id, ANN.channel_id, hidden, SAY, now=clock())
    typed = ("dep", "DEP", "100%_d", "100a", "epo", "", "xyz")
    assert [
        ["deputies", "deploys", "the depot", "a 100%_depth"],
        ["deputies", "deploys", "the depot", "a 100%_depth"],
        ["a 100%_depth"],
        [],
        ["the depot"],
        ["tea", "coffee", "the depot", "deputies", "deploys", "a 100%_depth"],
        [],
    ] == [(await librarian.topics(BOB, text, limit=6)) for text in typed]
    assert ["deposed", "deputies", "deploys", "the depot"] == await librarian.topics(ANN, "dep", limit=4)
    assert ([], frozenset[str]()) == (
        (await librarian.tags(BOB, "depr", limit=5))[0],
        await librarian.tags_there(BOB, ["depraved"]),
    )
    called = await Rooms(database).topics_called(BOB, said[0].room, "DEPLOYS")
    assert {"deploys"} >= {part.name for part in called}
    # The last that was filed there goes, and the name with it.
    last = await one(database, "SELECT memory_id FROM memory WHERE topic = 'a 100%_depth'")
    await archivist.forget(ANN, MemoryId(last), now=clock())
    assert [] == await rows(database, "SELECT * FROM tally WHERE name = 'a 100%_depth'")


async def test_a_memory_is_found_by_the_beginning_of_its_number_and_by_words_of_its_text(
    database: Database, clock: Clock, listed: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what the caller sees and may change, also where it is older than all that are read; no number is missed."""
    monkeypatch.setattr("bot.recall.librarian.READ_AT_MOST", 200)
    librarian, here = Librarian(database), [row for row in listed if row["channel_id"] in BOB.visible]
    mine = [row for row in here if row["author_id"] == BOB.person_id]
    for caller, rows_ in ((BOB, mine), (replace(ANN, visible=BOB.visible), here)):
        by_time = sorted(rows_, key=lambda row: (row["said_at"], row["memory_id"]), reverse=True)
        begun = [row["memory_id"] for row in by_time if str(row["memory_id"]).startswith("4")]
        begun.sort(key=lambda number: (len(str(number)), -number))
        assert begun[:20] == [m.memory_id for m in await librarian.changeable(caller, "4", limit=20)]
        assert [row["memory_id"] for row in by_time][:9] == [
            m.memory_id for m in await librarian.changeable(caller, "", limit=9)
        ]
        oldest = by_time[-1]
        found = await librarian.changeable(caller, f"Heron {oldest['memory_id']}", limit=25)
        assert oldest["memory_id"] in {m.memory_id for m in found}
    assert [] == await librarian.changeable(BOB, "'", limit=5)
    assert [] == await librarian.changeable(BOB, "her & !x", limit=5)
