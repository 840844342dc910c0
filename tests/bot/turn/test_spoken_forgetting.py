"""The laws of forgetting in plain words where it is not plain what is meant."""

from bot.commands import forgetting
from bot.db.pool import Database
from bot.turn.own_questions import LAPSED
from bot.turn.request_answers import UNDO_WHAT
from tests.conftest import Clock
from tests.conversations import room


async def test_that_is_what_was_just_quoted(database: Database, clock: Clock) -> None:
    """After an answer that quotes something, "forget that" asks about it; with nothing before it, says so."""
    async with room(database, clock) as r:
        nothing = await r.say("forget that")
        await r.say("remember that the spare key is under the blue pot")
        await r.say("where is the spare key?")
        asked = await r.say("forget that")
        done = await r.say("yes")
        left = await r.run("!memories")
    assert (forgetting.WHICH.format(p="!"), True, True) == (
        nothing.text,
        "blue pot" in asked.text,
        "forgotten" in done.text,
    )
    assert "blue pot" not in left


async def test_a_yes_that_comes_too_late_says_so(database: Database, clock: Clock) -> None:
    """Something else was said in between: nothing is forgotten, and it is not passed over."""
    async with room(database, clock) as r:
        await r.say("remember that the spare key is under the blue pot")
        await r.say("remember that the spare bike is in the yard")
        await r.say("forget what I said about the spare things")
        await r.say("forget #1 and #2")
        await r.say("hmm, let me think about it for a while")
        assert LAPSED == (await r.say("yes")).text
        assert "blue pot" in await r.run("!memories")


async def test_what_only_stands_beside_a_question_is_not_offered(database: Database, clock: Clock) -> None:
    """A question about a thing lends nothing to what was said after it: to forget that thing finds nothing."""
    async with room(database, clock) as r:
        await r.say("We bought plums at the market")
        await r.say("what is the alarm code?")
        await r.say("The garden needs water")
        told = await r.say("forget what I said about the alarm")
    assert forgetting.NOTHING == told.text


async def test_what_names_what_to_forget_is_no_yes_to_another_question(database: Database, clock: Clock) -> None:
    """Asked about two things, "forget everything" is asked about for itself."""
    async with room(database, clock) as r:
        for thing in ("key is under the blue pot", "bike is in the yard", "tent is wet"):
            await r.say(f"remember that the spare {thing}")
        await r.say("forget what I said about the spare key and the spare bike")
        await r.say("forget everything")
        assert "blue pot" in await r.run("!memories")


async def test_an_undo_after_something_else_says_how_to_undo(database: Database, clock: Clock) -> None:
    """What was said since may be meant, so nothing is brought back; and it is not passed over."""
    async with room(database, clock) as r:
        await r.say("remember that the spare key is under the blue pot")
        await r.say("forget #1")
        await r.say("The garden needs water")
        told = await r.say("undo that")
        gone = await r.run("!memories")
        await r.run("!undo")
        back = await r.run("!memories")
    assert (UNDO_WHAT.format(p="!"), False, True) == (told.text, "blue pot" in gone, "blue pot" in back)
