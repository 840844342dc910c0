"""The laws of forgetting in plain words where it is not plain what is meant."""

import pytest

from bot.commands import forgetting
from bot.db.pool import Database
from bot.turn.own_questions import LAPSED
from bot.turn.request_answers import UNDO_RESET, UNDO_WHAT
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply


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


@pytest.mark.parametrize("with_model", [False, True])
@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("let's scrap the no-meeting-Friday rule", "No meetings on Fridays"),
        ("we no longer tag releases", "Every release is tagged"),
        ("The rule about boots no longer applies.", "Boots stay at the door"),
        ("drop the rule about tagging releases", "Every release is tagged"),
    ],
)
async def test_a_rule_that_is_scrapped_in_words_is_offered_to_be_forgotten(
    database: Database, clock: Clock, with_model: bool, said: str, rule: str
) -> None:
    """To an admin, or whoever laid it down: nothing is forgotten before a yes, and no model is asked."""
    rules = ("No meetings on Fridays", "Every release is tagged", "Boots stay at the door")
    async with (
        ModelServer(always=Reply(text="Fine.")) as server,
        room(
            database, clock, models=roles(server.base_url if with_model else None), who=people.caller("Ann", admin=True)
        ) as r,
    ):
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        for each in rules:
            await r.run(f"!remember {each} source:directive")
        others = await r.say(said, by=bob)
        asked = len(server.requests)
        told = await r.say(said)
        before = await r.run("!memories")
        done = await r.say("yes")
        assert asked == len(server.requests)
        after = await r.run("!memories")
    assert "forgotten?" not in others.text
    assert ("Is this to be forgotten?", True) == (told.text.splitlines()[0], rule in told.text)
    assert "[memory] forgotten" in done.text
    assert all(each in before for each in rules)
    assert [each for each in rules if each != rule] == [each for each in rules if each in after]


async def test_a_rule_that_is_to_be_forgotten_is_found_by_what_it_is_about(database: Database, clock: Clock) -> None:
    """Whoever laid it down forgets it at once, as anything of theirs, and can undo it."""
    async with room(database, clock, who=people.caller("Ann", admin=True)) as r:
        await r.run("!remember Every release is tagged source:directive")
        await r.say("remember that the rules of chess hang in the hall")
        done = await r.say("forget the rule about tagging releases")
        left = await r.run("!memories")
        await r.say("undo")
        assert "Every release is tagged" in await r.run("!memories")
    assert "forgotten: #1" in done.text
    assert ("release" in left, "chess" in left) == (False, True)


async def test_everything_of_a_time_is_no_more_than_that(database: Database, clock: Clock) -> None:
    """Asked to forget everything of a day, what was kept of other days is not offered; of an empty day nothing is."""
    async with room(database, clock) as r:
        await r.say("remember that the spare key is under the blue pot")
        clock.forward(days=1)
        await r.say("remember that the spare bike is in the yard")
        await r.say("remember that the spare tent is wet")
        asked = await r.say("forget everything I said today")
        nothing = await r.say("forget everything I told you last week")
    assert (True, True, False) == tuple(each in asked.text for each in ("yard", "tent", "blue pot"))
    assert forgetting.WHICH.format(p="!") == nothing.text


@pytest.mark.parametrize(
    "said", ["undo that please", "can you undo the last thing?", "mach das bitte rückgängig", "deshaz eso", "annule ça"]
)
async def test_what_was_just_changed_is_undone_in_words(database: Database, clock: Clock, said: str) -> None:
    """Not only a forget: an edit too, and a choice, as the command does."""
    async with room(database, clock) as r:
        await r.say("remember that the spare key is under the blue pot")
        await r.say("change #1 to the spare key is under the red pot")
        told = await r.say(said.removesuffix("?"))
        left = await r.run("!memories")
    assert "[memory] back: #1" in told.text
    assert ("blue pot" in left, "red pot" in left) == (True, False)


async def test_a_reset_is_not_undone_in_words(database: Database, clock: Clock) -> None:
    """What follows it is in another session; it is told how."""
    async with room(database, clock) as r:
        await r.say("The garden needs water")
        await r.run("!reset")
        told = await r.say("undo that")
    assert UNDO_RESET.format(p="!") == told.text


async def test_that_is_what_was_kept_since_an_older_question(database: Database, clock: Clock) -> None:
    """ "Delete that" is no late yes where one memory was just told of: that one is meant."""
    async with room(database, clock) as r:
        await r.say("remember that the spare key is under the blue pot")
        await r.say("forget everything about me")
        await r.say("remember that my number is 900123")
        told = await r.say("actually delete that")
    assert "900123" in told.text
