"""The laws of what is changed of everything: a batch at a time, behind, and right for whoever reads meanwhile."""

import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Fact, MemoryId, Source
from bot.lifecycle import reworker
from bot.lifecycle.reworker import SETTLED_AFTER, STAGES, Reworker
from bot.store import archivist, reworks
from bot.store.archivist import Ageing, Author
from bot.store.rooms import PREFERENCES, PROCEDURES, Rooms
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import column, one, rows

ROOT: Final = people.caller("Root", person=9, admin=True)
GERMAN: Final = replace(ROOT, language="german")
OTHER: Final = people.caller("Root", person=9, space=2, channel=20, admin=True)
HOUSE, RAN, BRIDGE, TOWER = (
    "Die Häuser wurden gestrichen.",
    "We went running.",
    "Die Brücken sind gesperrt.",
    "Drei Türme stehen.",
)
MORE: Final = """
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model,
                   created_at, search)
SELECT 1, n, 10, 1, n, '', ARRAY[n], 'Viele Häuser ' || n, 'm', now(), search_vector('english', 'Viele Häuser ' || n)
FROM generate_series(1, 3) AS n;
INSERT INTO attachment (space_id, message_id, attachment_id, channel_id, name, called, size, state, content, search,
                        read_at)
SELECT 1, message_id, n, 10, 'f', '{}', 1, 'text', 'Alte Häuser', attachment_vector('english', 'Alte Häuser'), now()
FROM message, generate_series(1, 2) AS n WHERE space_id = 1"""
"""Entries of a ledger, and two files with each message."""
OTHERWISE: Final = """
SELECT space_id, 'memory' FROM memory JOIN space USING (space_id)
WHERE search <> memory_vector(language, topic, content, tags, entities || key_phrases)
UNION ALL
SELECT space_id, 'message' FROM message JOIN space USING (space_id)
WHERE search <> message_vector(language, content, said_at)
UNION ALL
SELECT space_id, 'chunk' FROM chunk JOIN space USING (space_id) WHERE search <> search_vector(language, text)
UNION ALL
SELECT space_id, 'file' FROM attachment JOIN space USING (space_id) WHERE search <> attachment_vector(language, content)
"""
"""What is not found by the words it would be found by had it been written in the language of its space."""


class KilledError(Exception):
    """The process is gone."""


def behind(r: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two texts or memories a batch, and whatever is behind waits for the next process."""
    monkeypatch.setattr(reworker, "STAGES", tuple(replace(stage, most=2) for stage in STAGES))
    monkeypatch.setattr(archivist, "MOVED", 2)
    monkeypatch.setattr(r.app.reworker, "soon", lambda _: None)


async def resumed(r: Room, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many processes it takes, of which each is gone in the midst of its third batch, until nothing is due."""
    went_on, begun = reworks.went_on_in, 0
    while await reworks.due(r.app.database, [ROOT.space_id], now=r.clock()):
        batches, begun = itertools.count(1), begun + 1

        async def dies(*args: Any, batches: Iterable[int] = batches, **fields: Any) -> None:
            await went_on(*args, **fields)
            if next(iter(batches)) == 3:
                raise KilledError

        with monkeypatch.context() as patched:
            patched.setattr(reworks, "went_on_in", dies)
            try:
                await Reworker(r.app.database, r.app.archivist, lambda work: work.close(), r.clock).run([ROOT.space_id])
            except KilledError:
                continue
    return begun


# --- the language ---------------------------------------------------------------------------------------------------


async def filled(r: Room) -> None:
    """Everything that is found by its words; and another space."""
    await r.app.enter(OTHER, channel_name="c", mode="all")
    for text in (HOUSE, RAN, BRIDGE, TOWER):
        await r.run(f"!remember {text} topic:x")
    await r.overhear("Die Türen klemmen.")
    await r.run(f"!remember {HOUSE} topic:x", by=OTHER)
    async with r.app.database.connection() as connection:
        await connection.execute(MORE)


async def test_texts_are_found_by_both_languages_until_all_are_indexed_anew(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever strategy looks for them, in whichever batch they are, and by whoever knows of no change yet."""
    async with room(database, clock, who=ROOT) as r:
        await filled(r)
        behind(r, monkeypatch)
        told = await r.run("!settings language german")
        by_stem = {"Haus": HOUSE, "Brücken": BRIDGE, "running": RAN, "Turm": TOWER}
        found = [
            said in await r.run(f"!recall {word} strategy:{kind}", by=GERMAN)
            for word, said in by_stem.items()
            for kind in ("ranked", "keywords")
        ]
        as_before = [said in await r.run(f"!recall {word}") for word, said in (("Häuser", HOUSE), ("Brücken", BRIDGE))]
        every = [
            await r.app.librarian.forgettable(GERMAN, words, limit=9) for words in ("Häuser gestrichen", "went running")
        ]
        anew = await column(database, "SELECT content FROM memory WHERE search @@ 'haus'::tsquery")
        far = await r.run("!settings language")
    assert ("2 memories and 0 messages" in told, "Indexed anew for german: 2 texts" in far) == (True, True)
    assert ([HOUSE], [True] * 8, [True] * 2) == (anew, found, as_before)
    assert [[HOUSE], [RAN]] == [[memory.content for memory in memories] for memories in every]


async def test_a_language_changed_behind_is_as_one_changed_at_once(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it is killed, and whatever is still written as before meanwhile; no other space is touched."""
    async with room(database, clock, who=ROOT) as r:
        await filled(r)
        behind(r, monkeypatch)
        await r.run("!settings language german")
        before = sorted(set(await rows(database, OTHERWISE)))
        processes = await resumed(r, monkeypatch)
        gone_over = await rows(database, OTHERWISE)
        # By whoever had begun before.
        await r.overhear("Die Fenster klemmen.")
        late, told = await rows(database, OTHERWISE), await r.run("!settings language")
        clock.now += SETTLED_AFTER
        processes += await resumed(r, monkeypatch)
        left = await rows(database, "SELECT formerly FROM space UNION ALL SELECT kind FROM rework")
        assert [] == await rows(database, OTHERWISE)
    assert [(1, "chunk"), (1, "file"), (1, "memory"), (1, "message")] == before
    assert ([], [(1, "message")], [("",), ("",)]) == (gone_over, late, left)
    assert ("Indexed anew" in told, processes > 3) == (False, True)


async def test_a_language_that_is_changed_again_is_gone_over_from_the_beginning(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the words of all three it is found until then."""
    async with room(database, clock, who=ROOT) as r:
        await filled(r)
        behind(r, monkeypatch)
        await r.run("!settings language german")
        await r.run("!settings language french", by=GERMAN)
        french = replace(ROOT, language="french")
        by_stem = {"Haus": HOUSE, "running": RAN}
        found = [said in await r.run(f"!recall {word}", by=french) for word, said in by_stem.items()]
        asked = await one(database, "SELECT formerly FROM space WHERE space_id = 1")
        await resumed(r, monkeypatch)
        assert [] == await rows(database, OTHERWISE)
    assert ([True, True], {"english", "german", "french"}) == (found, {*asked.split("+")})


# --- rooms ----------------------------------------------------------------------------------------------------------

MOVES: Final = (
    "SELECT memory_id, actor_id, reason, before, at FROM memory_event WHERE kind = 'moved' ORDER BY memory_id, event_id"
)


async def filed(r: Room, *names: str) -> None:
    """A memory in each of these rooms, one after the other."""
    for name in names:
        r.clock.forward(seconds=1)
        fact = Fact(content=f"{name} at {r.clock()}", topic="t", room=name, importance=5, source=Source.SUMMARY)
        author = Author.person(ROOT, "remember")
        await r.app.archivist.save(ROOT.space_id, ROOT.channel_id, [fact], author, now=r.clock())


async def shown(r: Room) -> dict[str, int]:
    """The rooms and how many memories each has, for whoever asks; by every way there is to ask."""
    rooms, found = Rooms(r.app.database), dict[str, int]()
    for part in await rooms.rooms(ROOT):
        _, total = await rooms.memories(ROOT, part.name, None, page=1, size=9)
        (topic,), _ = await rooms.topics(ROOT, part.name)
        completed = await r.app.librarian.rooms(ROOT, part.name, limit=9)
        assert (part.memories, part.memories, True) == (total, topic.memories, part.name in completed)
        found[part.name] = part.memories
    return found


async def test_a_large_room_has_its_new_name_at_once_and_its_memories_follow(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it is killed, it ends as one that was renamed at once; what is filed since stays where it is."""
    async with room(database, clock, who=ROOT) as r:
        await filed(r, *["a"] * 9, "b")
        behind(r, monkeypatch)
        told = await r.run("!room rename a z")
        at = clock()
        await filed(r, "a")
        meanwhile, far = await shown(r), await r.run("!status")
        processes = await resumed(r, monkeypatch)
        assert (meanwhile, {"z": 9, "b": 1, "a": 1}) == (await shown(r), meanwhile)
        moved, left = await rows(database, MOVES), await rows(database, "SELECT 1 FROM rework")
    assert [(n, ROOT.person_id, "rename", {"room": "a"}, at) for n in range(1, 10)] == moved
    assert ([], True) == (left, processes > 1)
    assert ("9 memories" in told, "into another: 2 memories" in far) == (True, True)


async def test_what_is_on_its_way_into_a_room_goes_where_that_goes(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing is renamed to, or out of, a name that a room is still on its way out of."""
    async with room(database, clock, who=ROOT) as r:
        await filed(r, *["a"] * 5, *["b"] * 5)
        behind(r, monkeypatch)
        await r.run("!room rename a z")
        await r.run("!room merge z b")
        await filed(r, "a")
        refused: list[str] = []
        for line in ("!room rename a y", "!room merge b a"):
            with pytest.raises(errors.BadArgument) as caught:
                await r.run(line)
            refused.append(str(caught.value))
        meanwhile = await shown(r)
        await resumed(r, monkeypatch)
        assert (meanwhile, {"b": 10, "a": 1}) == (await shown(r), meanwhile)
        assert [("a", 1), ("b", 10)] == await rows(database, "SELECT room, count(*) FROM memory GROUP BY 1 ORDER BY 1")
    assert [True] * 2 == ["on its way" in sentence for sentence in refused]


async def test_rules_of_rooms_hold_for_what_is_on_its_way_into_one(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Preferences do not age, procedures are taken for such, and an edit files where the room is now."""
    async with room(database, clock, who=ROOT) as r:
        await filed(r, PREFERENCES, PROCEDURES, *["a"] * 4, *["b"] * 4)
        behind(r, monkeypatch)
        await r.run(f"!room merge a {PREFERENCES}")
        await r.run(f"!room merge b {PROCEDURES}")
        edited = await r.app.archivist.edit(ROOT, MemoryId(10), "It is so now.", now=clock.forward(days=3))
        ways, _ = await Rooms(database).procedures(ROOT, "b 2026", limit=9)
        due, _ = await r.app.librarian.due_to_age(ROOT, Ageing(), now=clock())
        await r.app.archivist.age([ROOT.space_id], Ageing(), now=clock())
        short = await column(database, "SELECT memory_id FROM memory WHERE tier = 'short' ORDER BY memory_id")
    assert (PROCEDURES, {7, 8, 9}) == (edited.memory.room, {way.memory.memory_id for way in ways} & {*range(3, 10)})
    assert ({2, 7, 8, 9}, [1, 3, 4, 5, 6, 10, 11]) == ({memory.memory_id for memory in due}, short)
