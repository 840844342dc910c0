"""A prompt speaks of the tools that are offered with it, and of no others."""

import re
from typing import Any

import pytest

from bot.config import Roles, RoleSettings
from bot.db.pool import Database
from bot.tools import toolsets
from tests import people
from tests.conftest import Clock
from tests.conversations import room
from tests.model_server import ModelServer, Reply

NAMES = frozenset(name for names in toolsets.SETS.values() for name in names)
WORD = re.compile(r"\w+")


def spoken_of(request: dict[str, Any]) -> set[str]:
    """The tools that the text of a prompt names, but for the message to answer."""
    return {word for word in WORD.findall(request["messages"][0]["content"]) if word in NAMES}


def offered(request: dict[str, Any]) -> set[str]:
    return {tool["function"]["name"] for tool in request.get("tools", ())}


@pytest.mark.parametrize(
    ("settings", "lacks"),
    [
        ({"max_context": 3000}, {"memory_age", "note_write", "llm_call"}),
        ({"max_context": 5000}, {"memory_age", "note_write", "llm_call"}),
        ({}, {"note_write", "llm_call"}),
        ({"max_context": 16384}, {"llm_call"}),
        ({"tools": "none"}, NAMES),
        ({"toolsets": ("core",)}, {"memory_save", "memory_recall", "note_write"}),
    ],
)
async def test_only_what_is_offered_is_spoken_of(
    database: Database, clock: Clock, settings: dict[str, Any], lacks: set[str]
) -> None:
    """However small the prompt is, and whatever sets a role has."""
    async with ModelServer(always=Reply(text="Fine.")) as server:
        role = RoleSettings(base_url=server.base_url, model="m", **settings)  # pyright: ignore[reportArgumentType]
        async with room(database, clock, models=Roles(reasoning=role)) as r:
            await r.say("How is the tea?")
    (request,) = server.requests
    assert [] == sorted(spoken_of(request) - offered(request))
    assert [] == sorted(spoken_of(request) & lacks)
    assert "Say that something was saved" in request["messages"][0]["content"]


async def test_nor_is_a_model_that_does_a_task(database: Database, clock: Clock) -> None:
    """It is told of its own tools; who hands on is told of that alone."""

    def handing_on(body: dict[str, Any]) -> Reply:
        wants = "llm_call" in offered(body) and body["messages"][-1]["role"] == "user"
        return Reply(calls=(("llm_call", {"prompt": "Look."}),)) if wants else Reply(text="Fine.")

    async with ModelServer(always=handing_on) as server:
        role = RoleSettings(base_url=server.base_url, model="m")  # pyright: ignore[reportArgumentType]
        models = Roles(reasoning=role, execution=role.model_copy(update={"toolsets": ("core",)}))
        async with room(database, clock, models=models, who=people.caller("Ann")) as r:
            await r.say("How is the tea?")
    asking, doing, _ = server.requests
    assert ({"llm_call"}, set[str]()) == (spoken_of(asking), spoken_of(doing))
