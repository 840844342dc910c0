"""The laws of what was said of the same as was forgotten."""

from bot.db.pool import Database
from tests import people
from tests.conftest import Clock
from tests.conversations import room

ANN, BOB = people.caller(), people.caller("Bob", person=8)
SECRET = "the vault code is 4417"


async def test_a_secret_said_twice_is_offered_for_forgetting_too(database: Database, clock: Clock) -> None:
    """Where the memory rested on one of them, or on none; what others said of it is theirs."""
    async with room(database, clock, who=ANN) as r:
        await r.app.enter(BOB, channel_name="general", mode="all")
        await r.say("Just so you know, the vault code is 4417.")
        await r.say("The vault code is 4417, says Bob.", BOB)
        await r.say(f"remember that {SECRET}")
        told = await r.run("!forget 1")
        assert ["You said so in 1 more message" in told, "says Bob" in told] == [True, False]
        said = await r.say(f"forget that {SECRET}")
        assert "[memory] forgotten: what you said" in said.text
        found = await r.run("!recall vault code")
        await r.run("!undo")
    assert ["Just so" in found, "says Bob" in found] == [False, True]


async def test_what_is_said_nowhere_else_is_not_spoken_of(database: Database, clock: Clock) -> None:
    """Nor are questions about it, nor requests to forget it."""
    async with room(database, clock, who=ANN) as r:
        await r.say("What is the vault code, is it 4417?")
        await r.say(f"remember that {SECRET}")
        assert "You said so" not in await r.run("!forget 1")


async def test_in_plain_words_it_is_offered_as_well(database: Database, clock: Clock) -> None:
    """By its number here, as its words alone would name both at once."""
    async with room(database, clock, who=ANN) as r:
        await r.say("Just so you know, the vault code is 4417.")
        await r.say(f"remember that {SECRET}")
        told = await r.say("forget #1")
    assert "You said so in 1 more message" in told.text
