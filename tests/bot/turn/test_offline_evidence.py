"""What counts as evidence without a model: of what was said it is what answers that is quoted."""

from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from tests import people
from tests.conftest import Clock
from tests.conversations import room

ANN, BOB = people.caller("Ann"), people.caller("Bob", person=8)


async def test_an_answer_to_a_question_without_a_mark_is_one(database: Database, clock: Clock) -> None:
    """Who answers says "me", and no word of what was asked."""
    async with room(database, clock) as r:
        await r.overhear("who borrowed the sander", by=ANN)
        await r.overhear("me, since friday", by=BOB)
        answer = await r.say("Who borrowed the sander?", by=people.caller("Cleo", person=9))
    assert "me, since friday" in answer.text


async def test_thanks_for_a_thing_tell_nothing_of_it(database: Database, clock: Clock) -> None:
    """Where something tells of it, that alone is quoted; else nothing is."""
    async with room(database, clock) as r:
        await r.overhear("cheers for the ladder", by=ANN)
        nothing = await r.say("Where is the ladder?", by=BOB)
        await r.overhear("the ladder is behind the shed", by=ANN)
        await r.overhear("ty for the ladder!!", by=BOB)
        answer = await r.say("where is the ladder?", by=people.caller("Cleo", person=9))
    assert NOTHING_FOUND == nothing.text
    assert ("behind the shed" in answer.text, "ty for" in answer.text) == (True, False)


async def test_a_misspelt_question_is_answered_each_time(database: Database, clock: Clock) -> None:
    """That it was asked so makes no word of it."""
    async with room(database, clock) as r:
        await r.overhear("the wifi password is gooseberry", by=ANN)
        answers = [(await r.say("what is the wfi pasword?", by=BOB)).text for _ in range(3)]
    assert all("gooseberry" in answer for answer in answers), answers


async def test_keywords_put_to_hathi_are_no_evidence(database: Database, clock: Clock) -> None:
    """They asked."""
    async with room(database, clock) as r:
        await r.say("vault code", by=ANN)
        assert NOTHING_FOUND == (await r.say("What is the vault code?", by=BOB)).text


async def test_another_day_of_the_same_number_is_not_found_by_it(database: Database, clock: Clock) -> None:
    """Days are compared as days."""
    async with room(database, clock) as r:
        await r.overhear("the concert on 12 April is sold out", by=ANN)
        answer = await r.say("What did Ann say about 12 July?", by=BOB)
    assert "12 April" not in answer.text
