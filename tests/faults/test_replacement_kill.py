"""A whole Hathi killed between any two steps of an answer that replaces another, and started again."""

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

OLD: Final = "This was said at first."
SHOWN: Final = "This much of the answer was shown."
STREAMED: Final = f"{SHOWN} The rest of it never came, because of the kill."
TEA: Final = "Ann prefers tea."
ALWAYS: Final = 10**6
POINTS: Final = {
    "taken": "the old answer is taken back, and the model is at work",
    "streaming": "half of the new answer is shown",
    "kept": "the new answer is kept whole, and Discord took nothing of it",
    "edited": "the new answer stands, and Hathi was never told so",
}


@dataclass
class Model(HeldModel):
    """Saves something with the first answer at a point; before the kill it does not come to the end of some second."""

    asked: dict[str, int] = field(default_factory=dict[str, int])

    def __call__(self, body: dict[str, Any]) -> Reply:
        question = next(str(m["content"]) for m in reversed(body["messages"]) if m["role"] == "user")
        point = next((point for point in POINTS if f"at {point}?" in question), "")
        self.asked[point] = times = self.asked.get(point, 0) + 1
        if times == 1 and point:
            return Reply(calls=(("memory_save", {"content": TEA, "topic": "tea"}),))
        if times == 2 or not point:
            return Reply(text=OLD)
        if self.killed:
            return Reply(text=f"The answer at {point}.")
        match point:
            case "taken":
                return Reply(text="Never.", delay=60)
            case "streaming":
                return Reply(text=STREAMED, pieces=2, gate=self.gate)
            case _:
                return Reply(text=f"The answer at {point}.")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of one question."""

    shown: list[str]
    recorded: list[tuple[str, bool]]
    turns: list[tuple[str, str | None]]
    memories: list[str]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def outcomes(server: str) -> AsyncGenerator[dict[str, Outcome]]:
    """What came of a question at each point, after one kill at all of them at once and one start."""
    async with discord.killed_and_started(server, Model(), _until_at_their_points) as (world, rows, asked):
        yield {point: await _outcome(world, rows, question) for point, question in asked.items()}


async def _until_at_their_points(world: World, rows: Rows) -> dict[str, Message]:
    """The questions, each known to have come as far as its point says."""
    ann, faults, bot = world.newcomer("Ann"), world.discord.faults, world.discord.bot
    await rows.state(await ann.say(world.channel, "Are you there?", mentions=[bot]))
    # Each with an audience of its own: what is taken back in one outdates nothing that is written in another.
    seen_by = {point: [ann, bot, world.newcomer(f"Reader at {point}")] for point in POINTS}
    places = {point: world.guild.private_channel(point, seen_by=seen_by[point]) for point in POINTS}
    asked = {
        point: await ann.say(place, f"I prefer tea. Write a poem at {point}?", mentions=[bot])
        for point, place in places.items()
    }
    await rows.state(*asked.values())
    paths = {point: f"/channels/{place.channel_id}/messages/" for point, place in places.items()}
    kept = faults.fail(ALWAYS, method="PATCH", path=paths["kept"])
    edited = faults.break_off(ALWAYS, method="PATCH", path=paths["edited"], after_effect=True)
    for point, question in asked.items():
        (answer,) = places[point].said_by(bot)
        await ann.press(answer, f"hathi:again:{question.message_id}")
    await rows.state(asked["taken"], state="claimed")
    await rows.state(asked["streaming"], asked["kept"], asked["edited"], state="sending")
    # Where it is slow, that Hathi is at work stands there first.
    await world.until(lambda: kept.met and edited.met and SHOWN in places["streaming"].said_by(bot)[0].text)
    return asked


async def _outcome(world: World, rows: Rows, question: Message) -> Outcome:
    return Outcome(
        shown=discord.texts(question.channel.said_by(world.discord.bot)),
        recorded=await rows.replies(question),
        turns=await rows.turns(question),
        memories=await rows.all(
            "SELECT content FROM memory WHERE channel_id = $1 AND forgotten_at IS NULL", question.channel.channel_id
        ),
    )


@pytest.mark.parametrize("point", POINTS)
def test_one_answer_stands_after_a_kill_at_any_point(outcomes: dict[str, Outcome], point: str) -> None:
    """Wherever the process was killed: one message and one record, of the new answer, and nothing the old one saved."""
    found = outcomes[point]
    assert (1, 1, [("answered", None)]) == (len(found.shown), len(found.recorded), found.turns), POINTS[point]
    assert OLD not in found.shown[0]
    assert [] == found.memories


@pytest.mark.parametrize("point", ["taken", "kept", "edited"])
def test_an_answer_of_which_nothing_was_lost_is_whole(outcomes: dict[str, Outcome], point: str) -> None:
    """Nothing of it was shown, or all was: it is whole, on Discord as in the record."""
    text = f"The answer at {point}."
    assert ([text], [(text, False)]) == (outcomes[point].shown, outcomes[point].recorded)


def test_what_was_shown_of_it_stays_and_is_marked(outcomes: dict[str, Outcome]) -> None:
    """The old answer does not come back, and the model is not asked again."""
    (shown,) = outcomes["streaming"].shown
    assert shown.endswith(CUT_MARK)
    assert [(shown.removesuffix(CUT_MARK), True)] == outcomes["streaming"].recorded
