"""What counts as evidence without a model: of what was said it is what answers that is quoted."""

import re
from typing import Final

import pytest

from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from bot.prompting.evidence import MOST_QUOTED, ROOM
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply

ANN, BOB = people.caller("Ann"), people.caller("Bob", person=8)
TALK: Final = (
    "We walked along the shore until it got dark.",
    "Nobody had thought of lamps.",
    "Mira sang all the way home.",
    "Somebody lost a glove near the bridge.",
    "Tea was served at half past nine.",
)
"""Sentences that tell nothing of what is asked."""
_QUOTATION: Final = re.compile(r"\u201c(.*?)\u201d\n +\u2014 ", re.DOTALL)


def _within_talk(told: str, length: int) -> str:
    """So long a message, in the middle of which this is told."""
    before, after = list[str](), list[str]()
    for n in range(length):
        (before, after)[n % 2].append(TALK[n % len(TALK)])
        if len(" ".join([*before, told, *after])) > length:
            (before, after)[n % 2].pop()
            break
    return " ".join([*before, told, *after])


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


@pytest.mark.parametrize(
    ("told", "word"),
    [
        ("permits expire on 20 december btw", "permits"),
        ("sirens sound every night at 2", "sirens"),
        ("visits take 12 minutes", "visits"),
        ("alarms go to the porter", "alarms"),
        ("Fähre legt um 7 Uhr ab", "Fähre"),
    ],
)
async def test_what_things_do_put_to_hathi_is_found(database: Database, clock: Clock, told: str, word: str) -> None:
    """It asked nothing, whatever a model answered."""
    server = ModelServer(always=Reply(text="I see."))
    async with server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say(told, by=ANN)
        found = await r.run(f"!recall {word}", by=BOB)
    assert (True, False) == (told in found, "asked" in found), found


async def test_another_day_of_the_same_number_is_not_found_by_it(database: Database, clock: Clock) -> None:
    """Days are compared as days."""
    async with room(database, clock) as r:
        await r.overhear("the concert on 12 April is sold out", by=ANN)
        answer = await r.say("What did Ann say about 12 July?", by=BOB)
    assert "12 April" not in answer.text


@pytest.mark.parametrize("length", [320, 590, 1_000], ids=["some sentences", "nearly all that is quoted", "long"])
async def test_of_long_messages_what_answers_is_quoted(database: Database, clock: Clock, length: int) -> None:
    """Three of five at most, 600 characters in all, and of each the sentence that answers with what it needs."""
    async with room(database, clock) as r:
        for n, thing in enumerate(("oak", "elm", "ash", "fir", "yew"), 1):
            told = f"The boat shed got a new {thing} door. It cost {n}90 euros."
            await r.overhear(_within_talk(told, length), by=ANN)
            clock.forward(minutes=10)
        answer = await r.say("What did the door of the boat shed cost?", by=BOB)
    quoted = _QUOTATION.findall(answer.text)
    assert (MOST_QUOTED, True) == (len(quoted), sum(map(len, quoted)) <= ROOM)
    assert all(re.search(r"The boat shed got a new \w+ door. It cost \d90 euros\.", one) for one in quoted)
    assert not any(all(other in one for other in TALK) for one in quoted)


async def test_what_was_said_in_one_go_is_one_quotation(database: Database, clock: Clock) -> None:
    """People tell one thing in several messages: in their order, where each holds a word of what is asked."""
    async with room(database, clock) as r:
        await r.overhear("The new door of the boat shed is oak.", by=ANN)
        await r.overhear("The dog slept through all of it.", by=ANN)
        await r.overhear("The door did cost 190 euros, with the hinges.", by=ANN)
        clock.forward(minutes=10)
        await r.overhear("Our old boat shed had a door of fir.", by=ANN)
        answer = await r.say("What did the new door of the boat shed cost?", by=BOB)
    first, *_ = _QUOTATION.findall(answer.text)
    told = ["The new door of the boat shed is oak.", "    \u201cThe door did cost 190 euros, with the hinges."]
    assert told == first.splitlines(), answer.text


async def test_of_one_message_that_fits_no_more_is_quoted(database: Database, clock: Clock) -> None:
    """Though there is room for all of it; what is left out is marked."""
    async with room(database, clock) as r:
        await r.overhear(_within_talk("The boat shed got a new oak door. It cost 190 euros.", 590), by=ANN)
        answer = await r.say("What did the door of the boat shed cost?", by=BOB)
    (quoted,) = _QUOTATION.findall(answer.text)
    assert "The boat shed got a new oak door. It cost 190 euros." in quoted
    assert ("\u2026", "\u2026", True) == (quoted[0], quoted[-1], len(quoted) <= 200 + 2)
