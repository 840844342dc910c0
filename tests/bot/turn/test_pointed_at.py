"""The laws of a request to keep what lies in the talk, and is only pointed at."""

import pytest

from bot.db.pool import Database
from bot.turn import request_answers
from tests import people
from tests.conftest import Clock
from tests.conversations import room
from tests.rows import column

LIVING = "SELECT content FROM memory WHERE forgotten_at IS NULL ORDER BY memory_id"
ANN, BOB = people.caller(), people.caller("Bob", person=8)


@pytest.mark.parametrize(
    ("request_", "kept"),
    [
        ("remember my last message", "the wifi is ChalkGuest"),
        ("remember what I just said", "the wifi is ChalkGuest"),
        ("remember the last thing bob said", "red is v5 now"),
        ("save bob's last message", "red is v5 now"),
    ],
)
async def test_whose_last_words_are_pointed_at(database: Database, clock: Clock, request_: str, kept: str) -> None:
    """They are kept as what they are, in the name of who said them; a question said since is none."""
    async with room(database, clock, who=ANN) as r:
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        await r.say("red is v5 now", by=bob)
        await r.say("what grade is black?", by=bob)
        await r.say("the wifi is ChalkGuest")
        told = await r.say(request_)
    assert "[memory] saved" in told.text
    assert [kept] == await column(database, LIVING)


@pytest.mark.parametrize(
    "request_",
    [
        "remember this thread",
        "remember this conversation",
        "save what bob wrote about grades",
        "remember bob's message about the grades",
        "remember the picture",
        "remember both",
        "remember my name",
    ],
)
async def test_what_only_points_is_no_memory(database: Database, clock: Clock, request_: str) -> None:
    """It is said how the words themselves are given."""
    async with room(database, clock, who=ANN) as r:
        told = await r.say(request_)
    assert told.text == request_answers.POINTED
    assert not await column(database, LIVING)


@pytest.mark.parametrize(
    "fact", ["the picture is in the office", "my name is Bo", "this channel is for memes", "the thread count is 200"]
)
async def test_what_is_said_of_such_a_thing_is_kept(database: Database, clock: Clock, fact: str) -> None:
    """Whatever it is called by."""
    async with room(database, clock, who=ANN) as r:
        await r.say(f"remember {fact}")
    assert [fact] == await column(database, LIVING)


async def test_of_who_said_nothing_nothing_is_kept(database: Database, clock: Clock) -> None:
    """Nor what somebody else said in its place."""
    async with room(database, clock, who=ANN) as r:
        await r.say("the wifi is ChalkGuest")
        told = await r.say("remember the last thing zoe said")
    assert told.text == request_answers.POINTED
    assert not await column(database, LIVING)
