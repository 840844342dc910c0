"""How often models may call tools in one turn, and that a turn goes on where a model fails or has none."""

import itertools
from typing import Any

import pytest

from bot.config import Roles, RoleSettings
from bot.db.pool import Database
from bot.tools import toolbox
from bot.tools.allowance import MOST_CALLS, MOST_DEEP, MOST_ROUNDS
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply, Status
from tests.rows import column

ANN = people.caller("Ann")
LOOKS = Reply(calls=(("memory_recall", {"topic": "spare key"}),))
KEY = "The spare key hangs behind the red door."


def _role(server: ModelServer, *spares: ModelServer, **more: Any) -> RoleSettings:
    given: dict[str, Any] = {"base_url": server.base_url, "model": "scripted", "max_context": 16384}
    more["fallbacks"] = [given | {"base_url": spare.base_url, "model": "spare"} for spare in spares]
    return RoleSettings(**given, **more)


def _told(request: dict[str, Any]) -> list[str]:
    return [message["content"] for message in request["messages"] if message["role"] == "tool"]


def test_the_bounds_are_those_that_are_told() -> None:
    """Rounds, calls, delegations below one another, seconds and characters."""
    assert (8, 12, 2, 10, 20_000) == (MOST_ROUNDS, MOST_CALLS, MOST_DEEP, toolbox.PATIENCE, toolbox.LONGEST)


@pytest.mark.parametrize("delegates", [False, True])
async def test_a_model_has_eight_rounds_and_then_answers(database: Database, clock: Clock, *, delegates: bool) -> None:
    """However much it would still look for; one that does a task for another has as many."""
    numbers = itertools.count()

    def greedy(body: dict[str, Any]) -> Reply:
        if "tools" not in body:
            return Reply(text="Enough.")
        return Reply(calls=(("memory_recall", {"topic": f"shelf {next(numbers)}"}),))

    async with (
        ModelServer(Reply(calls=(("llm_call", {"prompt": "Look."}),)), Reply(text="So it is.")) as thinker,
        ModelServer(always=greedy) as server,
    ):
        role = _role(server)
        models = Roles(reasoning=_role(thinker), execution=role) if delegates else Roles(reasoning=role)
        async with room(database, clock, who=ANN, models=models) as r:
            answer = await r.say("Write a verse on shelves.")
    assert [True] * MOST_ROUNDS + [False] == ["tools" in request for request in server.requests]
    assert MOST_ROUNDS == len(_told(server.requests[-1]))
    assert answer.text == ("So it is." if delegates else "Enough.")


async def test_another_model_goes_on_where_one_fails_between_rounds(database: Database, clock: Clock) -> None:
    """It is told what the tools returned before, and calls no tool a second time."""

    def answering(body: dict[str, Any]) -> Reply:
        return Reply(text=KEY if any(KEY in one for one in _told(body)) else "I don't know.")

    async with (
        ModelServer(LOOKS, always=Status(status=500)) as server,
        ModelServer(always=answering) as spare,
        room(database, clock, who=ANN, models=Roles(reasoning=_role(server, spare))) as r,
    ):
        await r.run(f"!remember {KEY}")
        answer = await r.say("Write a verse on our spare key.")
    assert answer.text.startswith(KEY)
    assert [1] == [len(_told(request)) for request in spare.requests]
    assert "tools" in spare.requests[0]


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (400, "this model does not support tools"),
        (400, "Unsupported parameter: 'tools' is not supported with this model."),
        (422, "`tool calling` is not supported with this model"),
        (400, "Function calling is not enabled for this model"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (404, "No endpoints found that support tool use. To learn more about provider routing, visit the docs."),
        (500, "tools param requires --jinja flag"),
        (500, "Unsupported param: tools"),
        (501, "Internal server error: Unsupported tool_call_parser: None"),
        (503, "No connected provider supports tool calling for this model."),
    ],
)
async def test_a_server_that_takes_no_tools_answers_without(
    database: Database, clock: Clock, status: int, told: str
) -> None:
    """It is asked once more without, and so from then on; what it is to keep is kept by rule, the first time too."""

    def refusing(body: dict[str, Any]) -> Reply | Status:
        refusal = Status(status=status, body={"error": {"message": told}})
        return refusal if "tools" in body else Reply(text="They are large.")

    async with (
        ModelServer(always=refusing) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        answers = [
            await r.say(f"Please remember that {one}. How large are elephants?") for one in (KEY[:-1], "tea is hot")
        ]
        kept = await column(database, "SELECT content FROM memory ORDER BY memory_id")
    assert [True, False, False] == ["tools" in request for request in server.requests]
    assert ["They are large."] * 2 == [answer.text for answer in answers]
    assert ([KEY[:-1].lower(), "tea is hot"], [True] * 2) == (
        [content.rstrip(".").lower() for content in kept],
        [any("saved" in note for note in answer.notes) for answer in answers],
    )


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (400, "Unsupported keyword in tools[0].function.parameters"),
        (500, "There was no answer of the tool server in time."),
    ],
)
async def test_tools_that_are_only_wrong_stay(database: Database, clock: Clock, status: int, told: str) -> None:
    """A server that complains of what one of them looks like, or fails at it, can be called with others."""
    broken = Status(status=status, body={"error": {"message": told}})
    async with (
        ModelServer(broken, Reply(text="They are large.")) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.say("Write a verse on elephants.")
        await r.say("Write a verse on elephants.")
    assert {True} == {"tools" in request for request in server.requests}
