"""A whole Hathi killed between any two steps of an answer, and started again: exactly one reply to each question."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Final

import pytest
import pytest_asyncio

from bot.turn.draft import CUT_MARK
from tests.discord_bot import World
from tests.discord_server.messages import Message
from tests.discord_server.world import Event
from tests.faults import discord
from tests.faults.discord import HeldModel, Rows
from tests.model_server import Reply

LONG: Final = "\n\n".join(f"Paragraph {n} of the long answer. " + "It goes on and on. " * 40 for n in range(7))
STREAMED: Final = "This much of the answer was shown. The rest of it never came, because of the kill."
ALWAYS: Final = 10**6
POINTS: Final = {
    "recorded": "its turn is recorded, and waits in its lane behind another",
    "claimed": "its turn is claimed, and the model is at work",
    "kept": "its answer is kept whole, and Discord took nothing of it",
    "streaming": "half of its answer is shown",
    "in parts": "the first of several messages of its answer stands",
    "posted": "its answer stands, and Hathi was never told so",
    "answered": "its answer is recorded",
}


@dataclass
class Model(HeldModel):
    """Answers by what is asked; before the kill it does not come to the end of some answers."""

    def __call__(self, body: dict[str, Any]) -> Reply:
        question = str(body["messages"][-1]["content"])
        point = next((point for point in POINTS if f"at {point}?" in question), "")
        text = LONG if point == "in parts" else f"The answer at {point}."
        if self.killed:
            return Reply(text=text)
        match point:
            case "claimed":
                return Reply(text=text, delay=60)
            case "streaming":
                return Reply(text=STREAMED, pieces=2, gate=self.gate)
            case _:
                return Reply(text=text)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of one question."""

    replies: list[str]
    """Hathi's messages that reply to it."""
    shown: list[str]
    """All of Hathi's messages in its channel that are of its answer."""
    recorded: list[tuple[str, bool]]
    turns: list[tuple[str, str | None]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def outcomes(server: str) -> AsyncGenerator[dict[str, Outcome]]:
    """What came of a question at each point, after one kill at all of them at once and one start."""
    async with discord.killed_and_started(server, Model(), _until_at_their_points) as (world, rows, asked):
        yield {point: await _outcome(world, rows, question) for point, question in asked.items()}


async def _until_at_their_points(world: World, rows: Rows) -> dict[str, Message]:
    """The questions, each known to have come as far as its point says."""
    ann, faults = world.newcomer("Ann"), world.discord.faults
    places = {point: world.guild.text_channel(point.replace(" ", "-")) for point in POINTS if point != "recorded"}
    # A first question, so that all that follow are alike.
    await rows.state(await ann.say(world.channel, "Are you there?", mentions=[world.discord.bot]))
    paths = {point: f"/channels/{place.channel_id}/messages" for point, place in places.items()}
    kept = faults.fail(ALWAYS, method="POST", path=paths["kept"])
    posted = faults.break_off(ALWAYS, method="POST", path=paths["posted"], after_effect=True)

    def stop_after_the_first_part(event: Event) -> None:
        if event.name == "MESSAGE_CREATE" and event.data["channel_id"] == str(places["in parts"].channel_id):
            faults.fail(ALWAYS, method="POST", path=paths["in parts"])

    asked = {
        point: await ann.say(place, f"Write a poem at {point}?", mentions=[world.discord.bot])
        for point, place in places.items()
    }
    world.discord.world.listeners.append(stop_after_the_first_part)
    await rows.state(asked["claimed"], state="claimed")
    asked["recorded"] = await ann.say(places["claimed"], "Write a poem at recorded?", mentions=[world.discord.bot])
    await rows.state(asked["recorded"], state="claimed")
    await rows.state(asked["kept"], asked["streaming"], asked["in parts"], asked["posted"], state="sending")
    await rows.state(asked["answered"])
    bot = world.discord.bot
    await world.until(
        lambda: kept.met and posted.met and all(places[p].said_by(bot) for p in ("streaming", "in parts", "posted"))
    )
    world.discord.world.listeners.remove(stop_after_the_first_part)
    return asked


async def _outcome(world: World, rows: Rows, question: Message) -> Outcome:
    said = question.channel.said_by(world.discord.bot)
    first = world.replies(question)
    return Outcome(
        replies=discord.texts(first),
        shown=discord.texts([m for m in said if m in first or not m.reference]),
        recorded=await rows.replies(question),
        turns=await rows.turns(question),
    )


@pytest.mark.parametrize("point", POINTS)
def test_a_question_has_one_reply_after_a_kill_at_any_point(outcomes: dict[str, Outcome], point: str) -> None:
    """Wherever the process was killed, its question ends answered, with one reply on Discord and one recorded."""
    found = outcomes[point]
    assert (1, 1) == (len(found.replies), len(found.recorded)), POINTS[point]
    assert [("answered", None)] == found.turns


@pytest.mark.parametrize("point", ["recorded", "claimed", "kept", "posted", "answered"])
def test_an_answer_of_which_nothing_was_lost_is_whole(outcomes: dict[str, Outcome], point: str) -> None:
    """Nothing was shown, or all was: the one reply is whole, on Discord as in the record."""
    text = f"The answer at {point}."
    assert text in outcomes[point].replies[0]
    assert [(text, False)] == outcomes[point].recorded


def test_a_streamed_answer_is_kept_as_far_as_it_was_shown(outcomes: dict[str, Outcome]) -> None:
    """What stood when the process was killed stays, and is marked as cut off; the model is not asked again."""
    found = outcomes["streaming"]
    assert found.replies[0].endswith(CUT_MARK)
    assert STREAMED.startswith(found.replies[0].removesuffix(CUT_MARK))
    assert [(found.replies[0].removesuffix(CUT_MARK), True)] == found.recorded


def test_a_long_answer_is_completed_from_what_was_kept(outcomes: dict[str, Outcome]) -> None:
    """Where the first of several messages stands, the others follow it, each once."""
    found = outcomes["in parts"]
    assert [(LONG, False)] == found.recorded
    together = " ".join(" ".join(found.shown).split())
    assert [1] * 7 == [together.count(f"Paragraph {n} ") for n in range(7)]
