"""The laws of what the archivist does with rooms: one transaction, one event a memory, the wall of the space."""

import asyncio
from typing import Final

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Fact, Source
from bot.store.archivist import Archivist, Author, Moved
from bot.store.rooms import Rooms
from bot.store.spaces import Spaces
from bot.store.tallies import Total
from tests import people
from tests.conftest import Clock
from tests.rows import rows

ANN: Final = people.caller(admin=True, sees=(10, 11))
OTHER: Final = people.caller("Ben", space=2, channel=20, admin=True)
ELSEWHERE: Final = people.caller(channel=12, admin=True)


async def kept(database: Database, clock: Clock) -> Archivist:
    """A room of two memories, another of one, and the first again in another space and in a channel Ann can't see."""
    archivist = Archivist(database)
    for caller in (ANN, OTHER, ELSEWHERE):
        await Spaces(database).ensure(caller, channel_name="c", mode="all", language="english", now=clock())
    for caller, texts in ((ANN, ("a one", "a two", "b three")), (OTHER, ("a one",)), (ELSEWHERE, ("a four",))):
        facts = [Fact(content=f"The fact {t}.", topic="t", room=t[0], importance=5, source=Source.USER) for t in texts]
        author = Author.person(caller, "remember")
        await archivist.save(caller.space_id, caller.channel_id, facts, author, now=clock())
    return archivist


async def test_a_renaming_is_an_event_of_every_memory(database: Database, clock: Clock) -> None:
    """Each memory of the space in that room tells who renamed it, when, and what it was called; no other one does."""
    archivist = await kept(database, clock)
    now = clock.forward(hours=1)
    assert Moved(memories=2, is_over=True) == await archivist.rename_room(ANN, "a", "z", now=now)
    found = await rows(
        database,
        "SELECT space_id, memory_id, actor, actor_id, reason, before, at FROM memory_event "
        "WHERE kind = 'moved' ORDER BY space_id, memory_id",
    )
    assert [(1, n, "person", ANN.person_id, "rename", {"room": "a"}, now) for n in (1, 2, 4)] == found
    there = await rows(database, "SELECT space_id, room FROM memory ORDER BY space_id, memory_id")
    assert [(1, "z"), (1, "z"), (1, "b"), (1, "z"), (2, "a")] == there


async def test_a_merge_is_an_event_of_every_memory_that_moved(database: Database, clock: Clock) -> None:
    """Those that were in the other room already are not touched."""
    archivist = await kept(database, clock)
    assert Moved(memories=2, is_over=True) == await archivist.merge_rooms(ANN, "a", "b", now=clock())
    found = await rows(database, "SELECT memory_id, reason FROM memory_event WHERE kind = 'moved' ORDER BY memory_id")
    assert [(1, "merge"), (2, "merge"), (4, "merge")] == found


async def test_what_is_forgotten_or_superseded_moves_along(database: Database, clock: Clock) -> None:
    """What undo brings back is in the room as it is called then; it is not counted before."""
    archivist = await kept(database, clock)
    await archivist.forget(ANN, 1, now=clock.forward(seconds=1))  # type: ignore[arg-type]
    await archivist.edit(ANN, 2, "The fact two as it is.", now=clock.forward(seconds=1))  # type: ignore[arg-type]
    moved = await archivist.rename_room(ANN, "a", "z", now=clock.forward(seconds=1))
    (back,) = (await archivist.undo_forget(ANN, now=clock.forward(seconds=1))).memories
    assert (1, "z") == (moved.memories, back.room)
    assert [] == await rows(database, "SELECT 1 FROM memory WHERE space_id = 1 AND room = 'a'")


async def test_a_room_nobody_sees_is_not_there(database: Database, clock: Clock) -> None:
    """By the same words as one that is not there at all, and nothing is moved."""
    archivist = await kept(database, clock)
    told: list[str] = []
    for caller, name in ((OTHER, "b"), (ELSEWHERE, "b"), (ANN, "nothing")):
        for work in (archivist.rename_room, archivist.merge_rooms):
            with pytest.raises(errors.NotFound) as caught:
                await work(caller, name, "a", now=clock())
            told.append(str(caught.value).replace(name, "?"))
    assert [True] == ["no room '?';" in sentence for sentence in set(told)]
    assert [] == await rows(database, "SELECT 1 FROM memory_event WHERE kind = 'moved'")


async def test_two_renamings_to_one_name_are_told_apart(database: Database, clock: Clock) -> None:
    """Whoever comes second, at the same moment too, is told that the room is there."""
    archivist = await kept(database, clock)
    done = await asyncio.gather(
        archivist.rename_room(ANN, "a", "z", now=clock()),
        archivist.rename_room(ANN, "b", "z", now=clock()),
        return_exceptions=True,
    )
    refusals = [str(outcome) for outcome in done if isinstance(outcome, errors.BadArgument)]
    assert [True] == ["a room 'z' already" in refusal for refusal in refusals]


async def test_rooms_and_topics_are_counted(database: Database, clock: Clock) -> None:
    """Of the space, and of the channels the caller sees."""
    await kept(database, clock)
    palace = Rooms(database)
    assert [("a", 2), ("b", 1)] == [(room.name, room.memories) for room in await palace.rooms(ANN)]
    assert [("a", 1)] == [(room.name, room.memories) for room in await palace.rooms(OTHER)]
    assert [("t", 2)] == [(topic.name, topic.memories) for topic in (await palace.topics(ANN, "a"))[0]]
    assert ([], Total(0)) == await palace.topics(OTHER, "b")
