"""The laws of texts that somebody has Hathi write."""

import pytest

from bot.db.pool import Database
from bot.turn.recall_answer import LOOK_AT_IT
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, roles, room
from tests.model_server import ModelServer, Reply

ANN, BEN = people.caller("Ann"), people.caller("Ben", person=8)
DAY = "The open day is on 14 May in the barn."
ASKED = "Write an announcement for the open day"
WAYS = (
    ASKED,
    "Can you write an announcement for our open day in the barn?",
    "Draft a message on what we decided about the open day",
)
DRAFT = (
    "Dear neighbours, spring is here and our doors stand wide! Join us for our open day on 14 May in the barn. "
    "Bring your children, your curiosity and a good appetite. We can't wait to see you all."
)


async def written(database: Database, text: str, asked: str = ASKED) -> RecordedReply:
    clock = Clock()
    async with ModelServer() as model, room(database, clock, models=roles(model.base_url), who=ANN) as r:
        await r.run(f"!remember {DAY}")
        await r.app.enter(BEN, channel_name="general", mode="all")
        await r.say("I bring a cake to the open day.", BEN)
        clock.forward(minutes=1)
        model.steps.clear()
        model.always = Reply(text=text)
        return await r.say(asked)


@pytest.mark.parametrize("asked", WAYS)
async def test_a_draft_is_shown_whole(database: Database, asked: str) -> None:
    """However little of it stands in memory: that is what was asked for."""
    said = await written(database, DRAFT, asked)
    assert DRAFT in said.text
    assert [] == [note for note in said.notes if "What I have" in note]
    assert LOOK_AT_IT not in "\n".join(said.notes)


@pytest.mark.parametrize("asked", WAYS)
async def test_what_is_recorded_otherwise_stands_under_it(database: Database, asked: str) -> None:
    """Whoever asked sees that another day was said, and puts it right."""
    said = await written(database, DRAFT.replace("14 May", "20 May"), asked)
    assert DRAFT.replace("14 May", "20 May") in said.text
    assert [True] == [DAY in note for note in said.notes if "What I have on that" in note]


async def test_what_a_member_says_in_it_is_not_made_up(database: Database) -> None:
    """Who did not say so is not told to have."""
    said = await written(database, f"{DRAFT} Ben said that he hates the barn.")
    assert "hates the barn" not in said.text


async def test_of_what_it_adds_whoever_asked_is_told(database: Database) -> None:
    """An hour that nobody gave may be right, and is to be looked at where memory was looked into."""
    said = await written(database, f"{DRAFT} Doors open at 9:45 am.", WAYS[2])
    assert "9:45" in said.text
    assert LOOK_AT_IT in "\n".join(said.notes)


async def test_who_asks_may_say_otherwise(database: Database) -> None:
    """What the request itself says is newer than what is remembered."""
    asked = "Write an announcement that the open day is on 20 May in the barn"
    said = await written(database, DRAFT.replace("14 May", "20 May"), asked)
    assert ("20 May" in said.text, []) == (True, said.notes)
