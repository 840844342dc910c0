"""The laws of what a model is shown of a channel's past, and of what becomes of an answer made of it."""

import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from bot.config import ChunkSettings, MemorySettings
from bot.db.pool import Database
from bot.domain import MessageId, SpaceId
from bot.prompting import earlier
from tests import people
from tests.conftest import Clock
from tests.conversations import Live, Room, roles, room
from tests.model_server import ModelServer, Reply, Step
from tests.rows import column, one

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
SPACE = SpaceId(1)
SMALL = MemorySettings(chunks=ChunkSettings(messages=20, skip=0, idle=timedelta(hours=6)))
FILLER = "The orchard has many trees and the well has plenty of water this year. " * 12


@dataclass
class Model:
    """A reasoning model and a summarizer on one server."""

    answer: Callable[[dict[str, Any]], Step] = field(default=lambda _: Reply(text="I see."))
    chunk: str = "They decided to paint the gate turquoise."

    def __call__(self, body: dict[str, Any]) -> Step:
        if "response_format" in body:
            return Reply(text=json.dumps({"summary": self.chunk, "facts": []}))
        if "summary so far" in body["messages"][-1]["content"]:
            return Reply(text=body["messages"][-1]["content"].partition("\n")[2].replace("## Since then\n", ""))
        return self.answer(body)


@dataclass
class World:
    here: Room
    server: ModelServer
    model: Model

    async def talk(self, *texts: str) -> None:
        for number, text in enumerate(texts):
            await self.here.overhear(text, BOB if number % 2 else ANN)
        await self.here.app.creator.run([SPACE])

    async def asked(self, text: str = "How are you today?") -> str:
        """What the reasoning model was shown last."""
        await self.here.say(text)
        return "\n".join(m["content"] for m in self.server.requests[-1]["messages"])


@pytest.fixture
async def world(database: Database, clock: Clock) -> AsyncGenerator[World]:
    model = Model()
    async with (
        ModelServer(always=model) as server,
        room(database, clock, who=ANN, memory=SMALL, models=roles(server.base_url, max_context=8192)) as r,
    ):
        yield World(r, server, model)


LONG = ("We paint the gate turquoise.", *(f"{n}. {FILLER}" for n in range(39)))


async def test_a_session_longer_than_the_prompt_is_known_by_its_ledger(world: World) -> None:
    """The beginning no longer fits; the summary and chunks tell of it.

    “long sessions: what no longer fits is summarised”
    """
    await world.talk(*LONG)
    shown = await world.asked()
    assert "We paint the gate turquoise." not in shown
    assert earlier.HEADING in shown
    assert "They decided to paint the gate turquoise." in shown


async def test_a_short_one_is_shown_word_for_word_alone(world: World) -> None:
    """What fits is not told twice."""
    await world.talk(*(f"Line {n} of our talk." for n in range(20)))
    assert 1 == await one(world.here.app.database, "SELECT count(*) FROM chunk")
    assert earlier.HEADING not in await world.asked()


async def test_a_session_before_that_ended_by_itself_is_told(world: World) -> None:
    """A channel that nobody resets goes on where it was."""
    await world.talk(*(f"Line {n} of our talk." for n in range(20)))
    world.here.clock.forward(days=8)
    await world.here.app.schedule.upkeep()
    assert "They decided to paint the gate turquoise." in await world.asked()


async def test_a_reset_by_a_person_starts_afresh(world: World) -> None:
    """Nothing of the closed session is in the prompt any more."""
    await world.talk(*LONG)
    await world.here.reset()
    assert earlier.HEADING not in await world.asked()


TRAILS = "SELECT trail::text FROM turn"


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_where_nothing_is_kept_what_is_live_is_told(world: World, mode: str) -> None:
    """Nothing of the ledger; of the live talk what does not fit the prompt, by the same retrievers."""
    await world.talk(*LONG)
    await world.here.run(f"!memory mode {mode}")
    assert earlier.HEADING not in await world.asked()
    turn, live = world.here.turn("How are you today?"), Live()
    texts = ("We decided to paint the door purple.", *LONG[1:])
    live.said = tuple(people.said(BOB, text, world.here.clock.forward(seconds=1)) for text in texts)
    await world.here.app.conversation.answer(turn, live.delivery)
    shown = "\n".join(m["content"] for m in world.server.requests[-1]["messages"])
    assert earlier.HEADING in shown
    assert ("turquoise" in shown, "door purple" in shown.partition(earlier.HEADING)[2]) == (False, True)
    # What is stored nowhere is in no trail, and is not looked after as what is.
    trails = str(await column(world.here.app.database, TRAILS))
    assert all(str(one.message_id) not in trails for one in live.said)


async def test_what_is_deleted_is_in_no_prompt_and_an_answer_made_of_it_goes(world: World) -> None:
    """Also an answer in a later session that was shown only the chunk."""
    world.model.answer = lambda _: Reply(text="The gate is turquoise, by the way.")
    await world.talk("We paint the gate turquoise.", *(f"Line {n} of our talk." for n in range(19)))
    world.here.clock.forward(days=8)
    await world.here.app.schedule.upkeep()
    await world.asked()
    database = world.here.app.database
    assert 1 == await one(database, "SELECT count(*) FROM message WHERE role = 'hathi'")
    (first, *_) = await column(database, "SELECT message_id FROM message ORDER BY 1")
    world.model.chunk = "They talked."
    await world.here.app.discord_edits.deleted(SPACE, [MessageId(first)], world.here.clock.forward(seconds=1))
    assert 0 == await one(database, "SELECT count(*) FROM message WHERE role = 'hathi'")
    world.model.answer = lambda _: Reply(text="I see.")
    assert "turquoise" not in await world.asked()


async def test_an_answer_made_of_the_summary_alone_goes_too(world: World) -> None:
    """Also where the chunk itself did not fit."""
    world.model.answer = lambda _: Reply(text="The gate is turquoise, by the way.")
    world.model.chunk = "They decided to paint the gate turquoise. " + FILLER * 4
    await world.talk("We paint the gate turquoise.", *(f"Line {n} of our talk." for n in range(19)))
    world.here.clock.forward(days=8)
    await world.here.app.schedule.upkeep()
    shown = await world.asked()
    assert ("- In all, until" in shown, "- From" in shown) == (True, False)
    database = world.here.app.database
    (first, *_) = await column(database, "SELECT message_id FROM message ORDER BY 1")
    await world.here.app.discord_edits.deleted(SPACE, [MessageId(first)], world.here.clock.forward(seconds=1))
    assert 0 == await one(database, "SELECT count(*) FROM message WHERE role = 'hathi'")


async def test_what_is_deleted_while_the_model_works_is_not_brought_up(world: World) -> None:
    """The answer is made anew without it."""
    await world.talk(*LONG)
    (first, *_) = await column(world.here.app.database, "SELECT message_id FROM message ORDER BY 1")
    answers = ["The gate is turquoise.", "I see."]
    told = world.here.app.discord_edits

    async def gone() -> None:
        await told.deleted(SPACE, [MessageId(first)], world.here.clock())

    def answer(_: dict[str, Any]) -> Step:
        if len(answers) == 2:
            world.here.app.background.spawn(gone())
        return Reply(text=answers.pop(0), delay=0.5)

    world.model.answer = answer
    reply = await world.here.say("How are you today?")
    assert reply.text == "I see."


async def test_others_words_in_it_make_a_turn_tainted(world: World) -> None:
    """What a model saves then is held against what the asker said."""
    world.model.answer = lambda body: (
        Reply(text="Fine.")
        if body["messages"][-1]["role"] == "tool"
        else Reply(calls=(("memory_save", {"content": "The gate is turquoise.", "topic": "gate"}),))
    )
    await world.talk("We paint the gate turquoise.", *(f"Line {n} of our talk." for n in range(19)))
    world.here.clock.forward(days=8)
    await world.here.app.schedule.upkeep()
    await world.here.say("How are you today?")
    assert [] == await column(world.here.app.database, "SELECT content FROM memory WHERE source = 'user'")
