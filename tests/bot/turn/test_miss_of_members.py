"""The laws of what a model makes up about members of the community."""

import pytest

from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply


async def asked(database: Database, clock: Clock, question: str, answer: str) -> str:
    """What is told to a question where Mira and Luka are members, and a model that answers so."""
    async with (
        ModelServer(always=Reply(text=answer)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        for number, name in enumerate(("Mira", "Luka")):
            await r.app.enter(people.caller(name, person=50 + number), channel_name="general", mode="all")
        return (await r.say(question)).text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("is mira dating luka", "Yes, Mira and Luka have been together since summer."),
        ("does luka climb harder than mira", "Luka climbs harder, he sent V8 last week while Mira is on V5."),
        ("tell me about mira", "She joined the gym in 2019 and loves dynos."),
        ("is mira strict", "I think Mira is very strict."),
        ("is mira dating luka", "Yes, they've been together for years!"),
        ("is mira expecting", "Yes, she is due in March."),
        ("does luka drink", "Honestly, he does."),
        ("who stole the rope", "It was him, Luka did it."),
        ("who is bringing the rope", "Mira brings the rope."),
        ("what's my real name?", "Your real name is Augustus."),
    ],
)
async def test_how_it_is_with_a_member_is_told_by_what_was_said_alone(
    database: Database, clock: Clock, question: str, answer: str
) -> None:
    """With a question mark or without one; else nothing is known of it."""
    told = await asked(database, clock, question, answer)
    assert told.startswith(NOTHING_FOUND)
    assert answer not in told


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what should i climb with mira today", "Try the slab with Mira, it is fresh."),
        ("tell me a joke about luka", "Why did Luka bring a ladder? He wanted to reach the next level!"),
        ("what do you think of luka's sets", "Luka's sets look great."),
        ("who painted the Mona Lisa?", "Leonardo da Vinci painted it."),
        ("is mira dating luka", "I don't know whether Mira is dating Luka."),
    ],
)
async def test_advice_and_what_is_made_up_on_request_stands(
    database: Database, clock: Clock, question: str, answer: str
) -> None:
    """So does that nothing is known."""
    assert answer in await asked(database, clock, question, answer)
