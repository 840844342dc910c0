"""A reply that has to go when the process is killed: the next start takes it back, and it is recorded nowhere."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import pytest
import pytest_asyncio

from tests.discord_bot import World
from tests.discord_server.messages import Message
from tests.faults import discord
from tests.faults.discord import HeldModel, Rows
from tests.model_server import Reply

ALWAYS: Final = 10**6
PRIVATE: Final = "This much was shown to some. The rest of it never came, because of the kill."
ANEW: Final = "The answer for everybody."
CASES: Final = {
    "refused": "who may read along changed, and Discord did not let the reply go",
    "meanwhile": "who may read along changed while the process was gone",
}


@dataclass
class Model(HeldModel):
    """Does not come to the end of its first answers."""

    gates: dict[str, asyncio.Event] = field(default_factory=lambda: {case: asyncio.Event() for case in CASES})

    def __call__(self, body: dict[str, Any]) -> Reply:
        question = str(body["messages"][-1]["content"])
        case = next((case for case in CASES if f"at {case}?" in question), "")
        if self.killed or not case:
            return Reply(text=ANEW)
        return Reply(text=PRIVATE, pieces=2, gate=self.gates[case])

    def let_go(self) -> None:
        super().let_go()
        for gate in self.gates.values():
            gate.set()


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What is left of one question."""

    shown: list[str]
    recorded: list[tuple[str, bool]]
    turns: list[tuple[str, str | None]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def outcomes(server: str) -> AsyncGenerator[dict[str, Outcome]]:
    """What is left of each question after the kill and a start."""
    model = Model()
    async with discord.killed_and_started(server, model, partial(_until_to_go, model)) as (world, rows, asked):
        yield {case: await _outcome(world, rows, question) for case, question in asked.items()}


async def _until_to_go(model: Model, world: World, rows: Rows) -> dict[str, Message]:
    """The questions, of whose answers a part is shown that somebody may read by now who may not."""
    ann, bot = world.newcomer("Ann"), world.discord.bot
    news = world.guild.text_channel("news")
    places = {case: world.guild.text_channel(case) for case in CASES}
    await rows.state(await ann.say(world.channel, "Are you there?", mentions=[bot]))
    for place in places.values():
        world.discord.faults.fail(ALWAYS, method="DELETE", path=f"/channels/{place.channel_id}/messages")
    asked = {case: await ann.say(place, f"Write a poem at {case}?", mentions=[bot]) for case, place in places.items()}
    await world.until(lambda: all(place.said_by(bot) for place in places.values()))
    await rows.state(*asked.values(), state="sending")
    news.set_overwrites({world.guild.everyone: discord.hidden(), bot: discord.seen()})
    # Events come in order: who may read what is known by then.
    await rows.state(await ann.say(world.channel, "Have you heard?", mentions=[bot]))
    model.gates["refused"].set()
    await rows.until("SELECT withdrawing FROM turn WHERE turn_id = $1", asked["refused"].message_id)
    return asked


async def _outcome(world: World, rows: Rows, question: Message) -> Outcome:
    return Outcome(
        shown=discord.texts(question.channel.said_by(world.discord.bot)),
        recorded=await rows.replies(question),
        turns=await rows.turns(question),
    )


@pytest.mark.parametrize("case", CASES)
def test_a_private_line_is_taken_back(outcomes: dict[str, Outcome], case: str) -> None:
    """Nothing of it stands or is recorded: the question is answered anew, for those who read along now."""
    found = outcomes[case]
    assert 1 == len(found.shown), CASES[case]
    assert ANEW in found.shown[0]
    assert [(ANEW, False)] == found.recorded
    assert [("answered", None)] == found.turns
