"""A whole Hathi killed in the middle of a workflow, and started again: what was said stands, marked as cut off."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
import pytest_asyncio

from bot.turn.draft import CUT_MARK
from tests.discord_bot import World
from tests.discord_server.messages import Message
from tests.faults import discord
from tests.faults.discord import HeldModel, Rows
from tests.model_server import Reply

FIRST: Final = "Dig a hole as deep as three bulbs."
POINTS: Final = {"first": "nobody has spoken yet", "second": "one has spoken, and the next is about to"}


@dataclass
class Model(HeldModel):
    """Speaks for the first step, or not even for that, until Hathi was killed."""

    asked: list[str] = field(default_factory=list[str])

    def __call__(self, body: dict[str, Any]) -> Reply:
        prompt = str(body["messages"])
        point = next((point for point in POINTS if f"in the {point} bed" in prompt), "")
        if self.killed or not point:
            self.asked += [point] * self.killed
            return Reply(text="Well.")
        return Reply(text=FIRST, silent=self.gate if point == "first" or FIRST in prompt else None)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of one question."""

    shown: list[str]
    recorded: list[tuple[str, bool]]
    asked_again: bool


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def outcomes(server: str) -> AsyncGenerator[dict[str, Outcome]]:
    """What came of a workflow at each point, after one kill and one start."""
    model = Model()
    async with discord.killed_and_started(server, model, _until_at_their_points) as (world, rows, asked):
        yield {
            point: Outcome(
                shown=discord.texts(question.channel.said_by(world.discord.bot)),
                recorded=await rows.replies(question),
                asked_again=point in model.asked,
            )
            for point, question in asked.items()
        }


async def _until_at_their_points(world: World, rows: Rows) -> dict[str, Message]:
    """The questions, each known to have come as far as its point says."""
    ann, bot = world.newcomer("Ann"), world.discord.bot
    await rows.state(await ann.say(world.channel, "Are you there?", mentions=[bot]))
    # Whoever speaks where it runs is not who speaks in it.
    await world.guild.owner.say(world.channel, "!persona household where:server")
    await rows.until("SELECT count(*) > 0 FROM place_setting")
    places = {point: world.guild.text_channel(point) for point in POINTS}
    asked = {
        point: await ann.say(place, f"!do parlour How does one plant bulbs in the {point} bed?")
        for point, place in places.items()
    }
    await rows.state(asked["second"], state="sending")
    await world.until(lambda: any(FIRST in one.text for one in places["second"].said_by(bot)))
    await world.until(lambda: places["first"].said_by(bot))
    return asked


@pytest.mark.asyncio(loop_scope="module")
async def test_what_was_said_stands_and_is_marked(outcomes: dict[str, Outcome]) -> None:
    """One message, recorded as it is shown; nobody is asked again."""
    one = outcomes["second"]
    assert 1 == len(one.shown)
    assert one.shown[0].startswith("-# 1 of 4")
    assert one.shown[0].count(FIRST) == 1
    assert CUT_MARK.strip() in one.shown[0]
    assert [(True, True)] == [(FIRST in said, cut_off) for said, cut_off in one.recorded]
    assert not one.asked_again


@pytest.mark.asyncio(loop_scope="module")
async def test_where_nobody_had_spoken_it_is_told(outcomes: dict[str, Outcome]) -> None:
    """The message that said who was to speak stands once, and is marked; nobody is asked again."""
    one = outcomes["first"]
    assert 1 == len(one.shown)
    assert one.shown[0].startswith("-# 1 of 4")
    assert one.shown[0].endswith(CUT_MARK.strip())
    assert [True] == [cut_off for _, cut_off in one.recorded]
    assert not one.asked_again
