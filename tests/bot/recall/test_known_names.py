"""The laws of the names a space knows."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import pytest

from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import Caller, ChannelId, Fact, MemoryId, Source, WorkerId
from bot.infra.background import Background
from bot.language.past.detector import detect
from bot.language.past.space_names import Names
from bot.language.tags import tagging
from bot.lifecycle.discord_edits import DiscordEdits
from bot.lifecycle.personal_data import PersonalData
from bot.lifecycle.space_erasure import SpaceErasure
from bot.recall import known_names
from bot.recall.known_names import KnownNames
from bot.recall.librarian import Librarian
from bot.recall.query import Query
from bot.store.archivist import Archivist, Author
from bot.store.chunks import Distilled
from bot.store.sessions import Sessions
from bot.store.spaces import Spaces
from bot.store.turns import Turns
from tests import people
from tests.bot.recall.test_ledger_search import rows_read
from tests.conftest import Clock

ANN: Final = people.caller("Annabel")
SECRET: Final = people.caller("Annabel", channel=11, sees=(10, 11))
WORKER: Final = WorkerId("law/1/1")
MANY: Final = """
INSERT INTO member (space_id, person_id, name, first_seen_at, last_seen_at)
SELECT space, n, 'p' || n, '2031-01-01', timestamptz '2031-01-01' + n * interval '1 minute'
FROM generate_series(1, 2) AS space, generate_series(100, 5000) AS n;
ANALYZE"""
"""Two communities of thousands."""
ELSEWHERE: Final = people.caller("Zoran", space=2, channel=20, person=9)


class World:
    """A space with a public and a private channel, another space, and the names they know."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database, self.clock = database, clock
        self.beside = Background()
        self.names = KnownNames(database, clock, self.beside.spawn)
        self.archivist = Archivist(database, tagging.Registry(), changed=self.names.changed)
        self.spaces = Spaces(database, changed=self.names.changed)

    async def enter(self, caller: Caller, channel_name: str = "workshop-hall") -> None:
        await self.spaces.ensure(caller, channel_name=channel_name, mode="all", language="english", now=self.clock())

    async def save(self, caller: Caller, topic: str, *, room: str = "projects") -> MemoryId:
        fact = _fact(topic, room, Source.USER, by=caller)
        author = Author.person(caller, "remember")
        saved = await self.archivist.save(caller.space_id, caller.origin_id, [fact], author, now=self.clock())
        return saved[0].memory.memory_id

    async def anew(self, caller: Caller) -> Names:
        """What is known once all that was due is read anew."""
        self.clock.forward(seconds=known_names.REST.seconds)
        await self.names.of(caller)
        await self.beside.settled(10)
        return await self.names.of(caller)

    async def knows(self, caller: Caller, name: str) -> bool:
        """Whether a question about the name is one about the past here."""
        return "known name" in detect(f"what does {name} need?", await self.names.of(caller)).cues


def _fact(topic: str, room: str, source: Source, *, by: Caller) -> Fact:
    return Fact(
        content=f"Something is so with {topic}.",
        topic=topic,
        room=room,
        importance=6,
        source=source,
        author_id=by.person_id,
        author=by.name,
    )


@pytest.fixture
async def world(database: Database, clock: Clock) -> AsyncGenerator[World]:
    made = World(database, clock)
    await made.enter(ANN)
    await made.enter(SECRET, "hidden-cellar")
    await made.enter(ELSEWHERE, "elsewhere-hall")
    yield made
    await made.beside.close()


async def test_people_channels_topics_rooms_and_subjects_are_known(world: World) -> None:
    """What memory is filed under and speaks of, and who and what there is, former names too."""
    await world.save(ANN, "zeppelin", room="foundry")
    await world.enter(replace(ANN, name="Annegret"))
    async with world.database.connection() as connection:
        await connection.execute("UPDATE memory SET entities = '{Quixote}' WHERE space_id = 1")
    wanted = ["Annabel", "Annegret", "workshop-hall", "zeppelin", "foundry", "Quixote"]
    assert wanted == [name for name in (*wanted, "Nobody") if await world.knows(ANN, name)]


async def test_what_cannot_be_seen_is_not_known(world: World) -> None:
    """Topics and names of a private channel count in it, and nowhere else; nor does another space's anything."""
    await world.save(SECRET, "zeppelin")
    await world.save(ELSEWHERE, "caravel")
    names = ["zeppelin", "hidden-cellar", "caravel", "Zoran", "elsewhere-hall"]
    assert [] == [name for name in names if await world.knows(ANN, name)]
    assert names[:2] == [name for name in names if await world.knows(SECRET, name)]
    assert [] == [name for name in names[:2] if await world.knows(replace(SECRET, visible=()), name)]


@pytest.mark.parametrize("topic", ["general", "notes", "music", "time"])
async def test_a_generic_topic_is_no_name(world: World, topic: str) -> None:
    """Everyday words that topics are called by do not make a question one about the past."""
    await world.save(ANN, topic)
    assert not await world.knows(ANN, topic)


async def test_an_index_is_kept_for_half_a_minute(world: World) -> None:
    """What another process saved is known 30 seconds later, and until then nothing is read."""
    first = await world.names.of(ANN)
    await World(world.database, world.clock).save(ANN, "zeppelin")
    world.clock.forward(seconds=29)
    assert first is await world.names.of(ANN)
    world.clock.forward(seconds=1)
    assert await world.knows(ANN, "zeppelin")


async def _saved(world: World, _number: MemoryId) -> None:
    await world.save(ANN, "caravel")


async def _edited(world: World, number: MemoryId) -> None:
    await world.archivist.edit(ANN, number, "Something else is so.", now=world.clock())


async def _forgotten(world: World, number: MemoryId) -> None:
    await world.archivist.forget(ANN, number, now=world.clock())


async def _undone(world: World, number: MemoryId) -> None:
    await world.archivist.forget(ANN, number, now=world.clock())
    forgotten = await world.anew(ANN)
    await world.archivist.undo_forget(ANN, now=world.clock())
    assert forgotten is not await world.anew(ANN)


async def _retracted(world: World, number: MemoryId) -> None:
    await DiscordEdits(world.database, world.archivist).retract(
        ANN.space_id, (), [number], "deleted", now=world.clock()
    )


async def _distilled(world: World, _number: MemoryId) -> None:
    turns, sessions = Turns(world.database, WORKER), Sessions(world.database, world.archivist, WORKER)
    await turns.overhear(people.said(ANN, "The caravel sails at noon.", world.clock()), language="english")
    closed = await sessions.reset(ANN, discard=False, min_messages=1, now=world.clock())
    assert closed is not None
    claimed = await sessions.claim(closed.space_id, closed.session_id, now=world.clock())
    assert claimed is not None
    await world.names.of(ANN)
    distilled = Distilled(
        text="The caravel.", facts=(_fact("caravel", "projects", Source.SUMMARY, by=ANN),), raw="", model="law", read={}
    )
    await sessions.finish(claimed, distilled, (), (), now=world.clock())
    assert await world.knows(ANN, "caravel")


async def _reset_undone(world: World, number: MemoryId) -> None:
    await _distilled(world, number)
    distilled = await world.anew(ANN)
    sessions = Sessions(world.database, world.archivist, WORKER)
    assert await sessions.undo_reset(ANN, min_messages=1, now=world.clock()) is not None
    assert distilled is not await world.anew(ANN)


async def _met(world: World, _number: MemoryId) -> None:
    await world.enter(people.caller("Bertolt", person=8))


async def _renamed(world: World, _number: MemoryId) -> None:
    await world.enter(ANN, "workshop-attic")


async def _erased(world: World, _number: MemoryId) -> None:
    discord_edits = DiscordEdits(world.database, world.archivist)
    erasure = SpaceErasure(world.database, world.archivist)
    own = PersonalData(world.database, world.archivist, discord_edits, erasure)
    await own.erase(ANN.person_id, now=world.clock())


@pytest.mark.parametrize(
    "change",
    [_saved, _edited, _forgotten, _undone, _retracted, _distilled, _reset_undone, _met, _renamed, _erased],
    ids=lambda change: change.__name__,
)
async def test_all_names_are_read_anew_after_a_change(
    world: World, change: Callable[[World, MemoryId], Awaitable[None]]
) -> None:
    """Whatever is saved or goes, and whoever comes; beside a question that is asked seconds later."""
    number = await world.save(ANN, "zeppelin")
    before = await world.anew(ANN)
    await change(world, number)
    assert before is not await world.anew(ANN)


async def test_what_comes_is_known_to_the_next_question(world: World) -> None:
    """What was saved, who was met and what a channel is called now, with nothing read anew."""
    await world.names.of(ANN)
    await world.save(ANN, "zeppelin", room="foundry")
    await world.enter(people.caller("Bertolt", person=8), "workshop-attic")
    wanted = ["Annabel", "workshop-hall", "zeppelin", "foundry", "Bertolt", "workshop-attic"]
    assert wanted == [name for name in wanted if await world.knows(ANN, name)]
    assert not world.beside.tasks


async def test_nothing_is_added_that_cannot_be_seen(world: World) -> None:
    """What is saved in a private channel is not known outside it, however it became known."""
    await world.names.of(ANN)
    await world.names.of(SECRET)
    await world.save(SECRET, "zeppelin")
    assert (False, True) == (await world.knows(ANN, "zeppelin"), await world.knows(SECRET, "zeppelin"))


async def test_no_question_but_the_first_waits_until_all_is_read(world: World) -> None:
    """A question after a change is served what was known and what came, while what went is looked for beside it."""
    number = await world.save(ANN, "zeppelin")
    await world.names.of(ANN)
    await world.archivist.forget(ANN, number, now=world.clock())
    world.clock.forward(seconds=known_names.REST.seconds)
    assert await world.knows(ANN, "zeppelin")
    await world.beside.settled(10)
    assert not await world.knows(ANN, "zeppelin")


async def test_what_is_gone_is_no_name_for_who_asks_later(world: World) -> None:
    """Names that nobody asked for in ten minutes serve nobody: whatever was taken back meanwhile, by any process."""
    number = await world.save(ANN, "zeppelin")
    await world.names.of(ANN)
    await World(world.database, world.clock).archivist.forget(ANN, number, now=world.clock())
    world.clock.forward(seconds=known_names.SERVED_FOR.seconds)
    assert not await world.knows(ANN, "zeppelin")


async def test_what_is_gone_is_found_by_no_question_that_knows_its_name(world: World) -> None:
    """A name only sends a question into memory, where what was forgotten is not found, nor shown."""
    number = await world.save(ANN, "zeppelin")
    await world.names.of(ANN)
    await world.archivist.forget(ANN, number, now=world.clock())
    assert await world.knows(ANN, "zeppelin")
    librarian = Librarian(world.database)
    found = await librarian.recall(ANN, Query(text="zeppelin", as_of=world.clock()))
    assert () == tuple(found.results)


async def test_all_memories_are_read_in_pieces(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, no statement reads more than so many; and past the newest nothing is read."""
    monkeypatch.setattr(known_names, "AT_ONCE", 1)
    monkeypatch.setattr(known_names, "MEMORIES", 2)
    topics = ["zeppelin", "caravel", "gondola"]
    for topic in topics:
        await world.save(ANN, topic)
    assert topics[1:] == [topic for topic in topics if await world.knows(ANN, topic)]


async def test_somebody_met_again_changes_nothing(world: World) -> None:
    """Most messages are of people and in channels that are known: their index stays."""
    before = await world.names.of(ANN)
    world.clock.forward(seconds=5)
    await world.enter(ANN)
    assert before is await world.names.of(ANN)


async def test_a_change_elsewhere_leaves_the_index(world: World) -> None:
    """Only the space that changed is read anew."""
    before = await world.names.of(ANN)
    await world.save(ELSEWHERE, "caravel")
    assert before is await world.names.of(ANN)


class Interrupted(Database):
    """A database in which something happens while names are read."""

    def __init__(self, inner: Database, meanwhile: Callable[[], None]) -> None:
        self._inner, self._meanwhile = inner, meanwhile

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        async with self._inner.connection() as connection:
            yield connection
        self._meanwhile()


async def test_what_changes_while_names_are_read_is_not_missed(world: World) -> None:
    """An index that was being read when something changed is soon read anew."""
    database = Interrupted(world.database, lambda: names.changed(ANN.space_id))
    names = KnownNames(database, world.clock, world.beside.spawn)
    before = await names.of(ANN)
    world.clock.forward(seconds=known_names.REST.seconds)
    await names.of(ANN)
    await world.beside.settled(10)
    assert before is not await names.of(ANN)


async def test_the_one_asked_for_longest_ago_makes_room(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more indexes are kept than there is room for."""
    monkeypatch.setattr(known_names, "KEPT", 2)
    audiences = [replace(ANN, visible=(ChannelId(n),)) for n in (10, 11, 12)]
    first, second = [await world.names.of(caller) for caller in audiences[:2]]
    await world.names.of(audiences[0])
    await world.names.of(audiences[2])
    assert (True, False) == (first is await world.names.of(audiences[0]), second is await world.names.of(audiences[1]))


async def test_all_indexes_together_have_a_bound(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor are more names kept, however few the audiences; the newest index always stays."""
    monkeypatch.setattr(known_names, "KEPT_NAMES", 1)
    first, other = ANN, replace(ANN, visible=(ChannelId(10), ChannelId(12)))
    before = await world.names.of(first)
    kept = await world.names.of(other)
    assert kept is await world.names.of(other)
    assert before is not await world.names.of(first)


async def test_people_come_first_where_there_are_too_many_names(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 5,000 names; people before channels before topics, the latest first."""
    await world.save(ANN, "zeppelin")
    world.clock.forward(minutes=1)
    await world.enter(people.caller("Bertolt", person=8))
    monkeypatch.setattr(known_names.space_names, "MOST", 2)
    known = [name for name in ("Bertolt", "Annabel", "workshop-hall", "zeppelin") if await world.knows(ANN, name)]
    assert ["Bertolt", "Annabel"] == known


async def test_of_many_people_those_seen_last_are_read(world: World) -> None:
    """By their index, whatever plan is made once for all communities, and however many ever were there."""
    async with world.database.connection() as connection:
        await connection.execute(MANY)
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE law AS {statements.named('known_names.people')}")
        read = [
            await rows_read(connection, f"EXECUTE law(1, {since}, 5)", {"member"})
            for since in ("NULL", "'2030-01-01'", "'2040-01-01'")
        ]
        await connection.execute("DEALLOCATE law; RESET plan_cache_mode")
    assert [True, True, True] == [rows <= 6 for rows in read]
