"""The laws of a question for what is one's own, that others may know better."""

import pytest

from bot.db.pool import Database
from tests import people
from tests.conftest import Clock
from tests.conversations import room

PRIYA = people.caller("Priya")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("did anyone find my beanie", "found a beanie by the lockers"),
        ("where is my beanie", "found a beanie by the lockers"),
        ("has anyone seen my chalkbag?", "i think i saw it at reception"),
        ("where is my jacket", "priya left her jacket in the locker room"),
        ("where did i leave my jacket", "priya left her jacket in the locker room"),
        ("where is my locker", "my locker is by the door"),
    ],
)
async def test_others_may_know_where_it_is(database: Database, clock: Clock, question: str, answer: str) -> None:
    """What they said of it is told; not what they said of theirs."""
    async with room(database, clock, who=PRIYA) as r:
        theo = await r.app.enter(people.caller("Theo", person=8), channel_name="general", mode="all")
        await r.say("i lost my blue beanie on tuesday, if anyone finds it")
        await r.say("found a beanie by the lockers", by=theo)
        await r.say("lost: black chalkbag w/ a dino on it")
        await r.say("i think i saw it at reception", by=theo)
        await r.say("priya left her jacket in the locker room", by=theo)
        await r.say("my locker is by the door")
        await r.say("my locker is under the stairs", by=theo)
        told = await r.say(question)
    assert answer in told.text
    assert "under the stairs" not in told.text
