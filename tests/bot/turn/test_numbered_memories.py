"""The laws of asking for a memory by its number, spoken or typed."""

import pytest

from bot import errors
from bot.db.pool import Database
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import one

ANN = people.caller()
BOB = people.caller("Bob", person=8)
HIDDEN = people.caller("Dee", person=6, channel=11, sees=(10, 11))
KEY = "The spare key is under the blue pot"


async def asked(r: Room, said: str) -> str:
    try:
        return await r.run(said, BOB) if said[0] == "!" else (await r.say(said, BOB)).text
    except errors.NotFound as exc:
        return str(exc)


@pytest.mark.parametrize("said", ["what does #1 say?", "who said #1?", "#1", "!recall #1", "was steht in #1?"])
async def test_a_number_tells_its_memory(database: Database, clock: Clock, said: str) -> None:
    """Its words and whose they are, and nothing that only has the number; a spoken answer goes with the memory."""
    async with room(database, clock, who=ANN) as r:
        await r.say(f"remember that {KEY}")
        await r.overhear("There is 1 ladder in the shed, and number 1 is red", BOB)
        told = await asked(r, said)
        await r.run("!forget 1", ANN)
        gone = await asked(r, said)
    assert [True, True, False] == [KEY in told, "Ann" in told or "#1" in told, "ladder" in told]
    assert ("no memory #1 here" in gone, KEY in gone) == (True, False)
    assert 0 == await one(
        database, "SELECT count(*) FROM message WHERE content LIKE '%blue pot%' AND hidden_at IS NULL"
    )


@pytest.mark.parametrize("said", ["what does #1 say?", "!recall #1", "!pin 1", "forget #1", "!edit 1 It is gone"])
async def test_a_number_that_was_replaced_says_by_which(database: Database, clock: Clock, said: str) -> None:
    """The one that stands at the end."""
    async with room(database, clock, who=BOB) as r:
        await r.run(f"!remember {KEY}")
        await r.run(f"!edit 1 {KEY} of the barn")
        await r.run(f"!edit 2 {KEY} of the old barn")
        told = await asked(r, said)
    assert "#1 was replaced by #3" in told


@pytest.mark.parametrize("said", ["what does #1 say?", "!recall #1", "who said #1"])
async def test_a_number_from_elsewhere_is_not_here(database: Database, clock: Clock, said: str) -> None:
    """Not of what was replaced either."""
    async with room(database, clock, who=ANN) as r:
        await r.app.enter(BOB, channel_name="general", mode="all")
        await r.app.enter(HIDDEN, channel_name="private", mode="all")
        await r.run(f"!remember {KEY}", HIDDEN)
        told = await asked(r, said)
        await r.run(f"!edit 1 {KEY} now", HIDDEN)
        after = await asked(r, said)
    assert ["no memory #1 here" in each for each in (told, after)] == [True, True]
    assert ["blue pot" in each or "#2" in each for each in (told, after)] == [False, False]
