"""A whole Hathi killed while it answers in threads of its own, and started again: exactly one answer in each."""

from collections.abc import AsyncGenerator
from typing import Any, Final

import pytest
import pytest_asyncio

from bot.turn.draft import CUT_MARK
from tests.discord_bot import World
from tests.discord_server.messages import Message
from tests.faults import discord
from tests.faults.discord import HeldModel, Rows
from tests.model_server import Reply

ALWAYS: Final = 10**6
STREAMED: Final = "This much of the answer was shown. The rest of it never came, because of the kill."
POINTS: Final = {
    "made": "its thread is made, and nothing is recorded",
    "claimed": "its turn is claimed, and the model is at work",
    "streaming": "half of its answer is shown",
    "posted": "its answer stands, and Hathi was never told so",
}


class Model(HeldModel):
    """Answers by what is asked; before the kill it does not come to the end of some answers."""

    def __call__(self, body: dict[str, Any]) -> Reply:
        question = str(body["messages"][-1]["content"])
        point = next((point for point in POINTS if f"at {point}?" in question), "")
        if point == "streaming" and not self.killed:
            return Reply(text=STREAMED, pieces=2, gate=self.gate)
        waits = point == "claimed" and not self.killed
        return Reply(text=f"The answer at {point}.", delay=60 if waits else 0)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def outcomes(server: str) -> AsyncGenerator[dict[str, tuple[list[str], int, int]]]:
    """Of each question what stands in its thread, how many replies in the channel, and how many are recorded."""
    async with discord.killed_and_started(server, Model(), _until_at_their_points) as (world, rows, asked):
        yield {point: await _outcome(world, rows, question) for point, question in asked.items()}


async def _until_at_their_points(world: World, rows: Rows) -> dict[str, Message]:
    """The questions, each known to have come as far as its point says."""
    owner, faults, bot = world.guild.owner, world.discord.faults, world.discord.bot
    places = {point: world.guild.text_channel(point) for point in POINTS}
    for place in places.values():
        given = await owner.say(place, "!channel threads on")
        await world.until(lambda given=given: world.replies(given))
    ann, asked = world.newcomer("Ann"), dict[str, Message]()
    asked["claimed"] = await ann.say(places["claimed"], "Write a poem at claimed?", mentions=[bot])
    await rows.state(asked["claimed"], state="claimed")
    asked["streaming"] = await ann.say(places["streaming"], "Write a poem at streaming?", mentions=[bot])
    await world.until(lambda: asked["streaming"].thread and _stands(world, asked["streaming"]))
    faults.break_off(ALWAYS, method="POST", path=r"/channels/\d+/messages$", after_effect=True)
    asked["posted"] = await ann.say(places["posted"], "Write a poem at posted?", mentions=[bot])
    await rows.state(asked["posted"], state="sending")
    await world.until(lambda: asked["posted"].thread and _stands(world, asked["posted"]))
    # It is made, and Discord does not come to say so.
    faults.break_off(ALWAYS, method="POST", path="/threads$", after_effect=True)
    asked["made"] = await ann.say(places["made"], "Write a poem at made?", mentions=[bot])
    await world.until(lambda: asked["made"].thread)
    return asked


def _stands(world: World, question: Message) -> list[str]:
    """What Hathi itself said in the thread of a question."""
    assert question.thread is not None
    return [message.content for message in question.thread.said_by(world.discord.bot) if message.kind in {0, 19}]


async def _outcome(world: World, rows: Rows, question: Message) -> tuple[list[str], int, int]:
    return _stands(world, question), len(world.replies(question)), len(await rows.replies(question))


@pytest.mark.parametrize("point", POINTS)
def test_a_question_has_one_answer_in_its_thread(outcomes: dict[str, tuple[list[str], int, int]], point: str) -> None:
    """Wherever the process was killed, and none in the channel."""
    stands, replies, recorded = outcomes[point]
    assert (1, 0, 1) == (len(stands), replies, recorded), POINTS[point]
    if point == "streaming":
        # It is found there, though it replies to nothing: the model is not asked again.
        assert stands[0].endswith(CUT_MARK)
    else:
        assert f"The answer at {point}." in stands[0]
