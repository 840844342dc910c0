"""What one person may use of a space: so many saves an hour and so many pins, counted alike by every process."""

import asyncio
from dataclasses import replace

import pytest

from bot import errors
from bot.commands import approvals
from bot.db.pool import Database
from bot.domain import MemoryId, PersonId
from bot.store.archivist import MOST_PINNED, MOST_SAVED
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import one


async def _save_all_but(left: int, r: Room) -> None:
    """All that a person may save within the hour, but for so many."""
    for number in range(MOST_SAVED - left):
        await r.run(f"!remember The shed number {number} is green.")


async def _kept(database: Database) -> int:
    return await one(database, "SELECT count(*) FROM memory")


async def test_beyond_thirty_saves_an_hour_nothing_is_kept(database: Database, clock: Clock) -> None:
    """By command, in plain words, by approval and of notes together; the person is told when to come again."""
    async with room(database, clock) as r:
        await _save_all_but(1, r)
        assert "kept" not in (await r.say("Remember that the boat is red.")).text.lower()
        full = await _kept(database)
        answer = await r.say("Please remember that the barn is blue.")
        said = [people.said(r.caller, text, clock()) for text in ("The barn is blue.", "Is the barn blue?")]
        await r.run("!note The barn is blue.")
        for refused in (
            r.run("!remember The barn is blue."),
            r.run("!remember Colours:\n- The barn is blue.\n- The mill is grey."),
            r.run('!promote N1 The barn is blue. reason:"all agreed"'),
            approvals.save_said(r.app.commands, r.caller, said[0]),
        ):
            with pytest.raises(errors.TooOften, match=r"60 minutes|59 minutes"):
                await refused
        assert ("minutes" in answer.text, full) == (True, await _kept(database))
        clock.forward(hours=1)
        await r.run("!remember The barn is blue.")
    assert full + 1 == await _kept(database)


async def test_a_pasted_list_counts_once(database: Database, clock: Clock) -> None:
    """However many things are in it."""
    async with room(database, clock) as r:
        await _save_all_but(1, r)
        await r.run("!remember Tools:\n" + "\n".join(f"- The saw number {number} is new." for number in range(9)))
        assert MOST_SAVED + 8 == await _kept(database)
        with pytest.raises(errors.TooOften):
            await r.run("!remember The barn is blue.")


async def test_what_is_known_already_is_no_save(database: Database, clock: Clock) -> None:
    """Nor is a question that is answered again after a crash, whose fact is kept by then."""
    async with room(database, clock) as r:
        await _save_all_but(0, r)
        assert "#1" in await r.run("!remember The shed number 0 is green.")


async def test_forgetting_gives_no_save_back(database: Database, clock: Clock) -> None:
    """Or a space could be filled with what is forgotten."""
    async with room(database, clock) as r:
        await _save_all_but(0, r)
        await r.run("!forget 1")
        with pytest.raises(errors.TooOften):
            await r.run("!remember The barn is blue.")


async def test_neither_another_nor_who_manages_the_space_is_held_up(database: Database, clock: Clock) -> None:
    """A share is one person's; whoever has Manage Server has all of it."""
    async with room(database, clock) as r:
        await _save_all_but(0, r)
        ben = replace(r.caller, person_id=PersonId(8), name="Ben")
        await r.app.enter(ben, channel_name="general", mode="all")
        await r.run("!remember Ben has a barn.", by=ben)
        for number in range(2):
            await r.run(f"!remember The rule number {number}.", by=replace(r.caller, is_admin=True))


async def test_two_processes_count_alike(database: Database, clock: Clock) -> None:
    """Of two saves at once, with one left, one is kept."""
    async with room(database, clock) as r, room(database, clock) as other:
        await _save_all_but(1, r)
        texts = ("The barn is blue.", "The mill is grey.")
        done = await asyncio.gather(
            *(each.run(f"!remember {text}") for each, text in zip((r, other), texts, strict=True)),
            return_exceptions=True,
        )
    assert ["TooOften", "str"] == sorted(type(each).__name__ for each in done)


async def test_a_person_has_five_pins_at_a_time(database: Database, clock: Clock) -> None:
    """Those they have are named as far as they may be seen there; one unpinned makes room, and admins have no bound."""
    async with room(database, clock) as r:
        secret = await r.app.enter(people.caller(channel=11), channel_name="secret", mode="all")
        for number in range(MOST_PINNED + 2):
            await r.run(f"!remember The shed number {number} is green.", by=secret if number == 0 else None)
        await r.run("!pin 1", by=secret)
        for number in range(2, MOST_PINNED + 1):
            await r.run(f"!pin {number}")
        with pytest.raises(errors.NotAllowed, match=r"#2, #3, #4, #5, 1 not shown here; !unpin") as refused:
            await r.run("!pin 6")
        assert "#1" not in str(refused.value)
        await r.run("!pin 5")
        await r.run("!unpin 5")
        await r.run("!pin 6")
        await r.run("!pin 7", by=replace(r.caller, is_admin=True))
    assert MOST_PINNED + 1 == await one(database, "SELECT count(*) FROM memory WHERE pinned")


async def test_neither_an_edit_nor_a_forget_frees_a_pin(database: Database, clock: Clock) -> None:
    """What takes the place of a pinned memory, or can still be brought back, counts."""
    async with room(database, clock) as r:
        for number in range(MOST_PINNED + 1):
            await r.run(f"!remember The shed number {number} is green.")
        for number in range(1, MOST_PINNED + 1):
            await r.run(f"!pin {number}")
        await r.run("!edit 1 The shed number 0 is red.")
        await r.run("!forget 2")
        with pytest.raises(errors.NotAllowed, match="#3, #4, #5, #7, 1 not shown here"):
            await r.run("!pin 6")
        assert await r.app.librarian.memory(r.caller, MemoryId(7))
