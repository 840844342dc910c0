"""Which tools a model has: sets by name, a role lists its own, and conversations come out alike in every mode."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import pytest

from bot import errors
from bot.app import RETRIEVERS
from bot.cli import terminal
from bot.config import Roles, RoleSettings, Settings
from bot.db.pool import Database
from bot.tools import core_tools, toolsets
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import column

ANN: Final = people.caller("Ann")
MODES: Final = ("tools", "delegation", "none")
"""A model with the tools of memory; one that may only ask another that has them; one without any."""


def _role(server: ModelServer, **more: Any) -> RoleSettings:
    given: dict[str, Any] = {"base_url": server.base_url, "model": "scripted", "max_context": 16384, "timeout": 5}
    return RoleSettings(**{**given, **more})


def _names(request: dict[str, Any]) -> list[str]:
    return [one["function"]["name"] for one in request.get("tools", [])]


@pytest.mark.parametrize(
    ("given", "sets", "names"),
    [
        ({}, {}, {"memory_save", "memory_recall", "artifact_fetch", "note_write", "memory_promote", "memory_age"}),
        ({"toolsets": ("core",)}, {}, {"artifact_fetch", "time_now", "space_info"}),
        ({"toolsets": ()}, {}, set()),
        ({"tools": "none"}, {}, set()),
        ({"toolsets": ("mine",)}, {"mine": ("memory_recall", "time_now")}, {"memory_recall", "time_now"}),
        ({"toolsets": ("memory",)}, {"memory": ("memory_since",)}, {"memory_since"}),
        ({"toolsets": ("models",)}, {}, {"llm_call", "llm_list"}),
    ],
)
async def test_a_role_has_the_sets_it_lists(
    database: Database, clock: Clock, given: dict[str, Any], sets: dict[str, tuple[str, ...]], names: set[str]
) -> None:
    """A set of the settings replaces one of its name; without a list it is every set but `models`."""
    async with ModelServer() as server:
        async with room(database, clock, models=Roles(reasoning=_role(server, **given)), toolsets=sets) as r:
            await r.say("Good morning to you.")
        offered = {*_names(server.requests[0])}
    assert offered >= names
    assert not given or offered == names
    assert {"llm_call"} & offered == {"llm_call"} & names


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"toolsets": {"mine": ("memory_recal",)}},
            r"toolsets\.mine: there is no tool 'memory_recal'; there are memory",
        ),
        ({"roles": {"reasoning": {"toolsets": ("mien",)}}}, r"roles\.reasoning\.toolsets: there is no toolset 'mien'"),
    ],
)
def test_a_wrong_name_is_told_before_anything_starts(settings: dict[str, Any], said: str) -> None:
    """With the names there are."""
    for role in settings.get("roles", {}).values():
        role |= {"base_url": "http://127.0.0.1:9", "model": "m"}
    with pytest.raises(errors.SettingsError, match=said):
        toolsets.check(Settings(**settings), RETRIEVERS)


async def test_models_are_listed_with_their_sets(database: Database, clock: Clock) -> None:
    """“`llm_list()`”: the others, not the one that asks."""
    async with ModelServer(Reply(calls=(("llm_list", {}),)), Reply(text="Two.")) as server:
        models = Roles(
            reasoning=_role(server), execution=_role(server, model="worker"), summarizer=_role(server, model="writer")
        )
        async with room(database, clock, models=models) as r:
            await r.say("Good morning to you.")
        (told,) = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
    assert "execution: worker; tools: memory, core, notes\nsummarizer: writer; tools: none" == told


def test_a_schema_is_made_from_a_typed_function() -> None:
    """Names, types, bounds and what each argument is for; the first sentence says what the tool does."""
    spec = next(one.spec for one in toolsets.OWN if one.name == "memory_promote")
    properties = spec.parameters["properties"]
    assert ["note", "reason", "summary"] == spec.parameters["required"]
    assert ("string", 200, "Why it is to stay.") == (
        properties["reason"]["type"],
        properties["reason"]["maxLength"],
        properties["reason"]["description"],
    )
    assert spec.description.startswith("Make a lasting memory of a note")
    for tool in toolsets.OWN:
        assert tool.spec.description.endswith("."), tool.name
        assert all("title" not in one for one in tool.spec.parameters["properties"].values())


# ---- the same conversations in every mode


@asynccontextmanager
async def _in_mode(
    mode: str, database: Database, clock: Clock, act: Callable[[dict[str, Any]], Reply]
) -> AsyncGenerator[Room]:
    """A room whose model does what `act` says with the tools of memory, itself or by another; or has none."""

    def passing_on(body: dict[str, Any]) -> Reply:
        last = body["messages"][-1]
        if last["role"] == "tool":
            return Reply(text=last["content"])
        return Reply(calls=(("llm_call", {"prompt": "Do what is asked.", "role": "execution"}),))

    def bare(_body: dict[str, Any]) -> Reply:
        return Reply(text="Very well.")

    async with AsyncExitStack() as stack:
        main = await stack.enter_async_context(
            ModelServer(always={"tools": act, "delegation": passing_on, "none": bare}[mode])
        )
        models = Roles(reasoning=_role(main, tools="none" if mode == "none" else "all"))
        if mode == "delegation":
            worker = await stack.enter_async_context(ModelServer(always=act))
            models = models.model_copy(update={"execution": _role(worker)})
        yield await stack.enter_async_context(room(database, clock, who=ANN, models=models))


def _saving(body: dict[str, Any]) -> Reply:
    if body["messages"][-1]["role"] == "tool":
        return Reply(text="Very well.")
    return Reply(calls=(("memory_save", {"content": "Ann prefers short answers.", "topic": "answers"}),))


def _looking(body: dict[str, Any]) -> Reply:
    if body["messages"][-1]["role"] == "tool":
        return Reply(text="The spare key hangs behind the red door.")
    return Reply(calls=(("memory_recall", {"topic": "spare key"}),))


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_asked_to_be_remembered_is_kept(database: Database, clock: Clock, mode: str) -> None:
    """By tool, through another model, or by rule."""
    async with _in_mode(mode, database, clock, _saving) as r:
        answer = await r.say("Remember that I prefer short answers.")
        kept = await column(database, "SELECT content FROM memory")
    assert 1 == len(kept)
    assert "short answers" in kept[0]
    assert any("saved" in note for note in [answer.text, *answer.notes])


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_remembered_is_found(database: Database, clock: Clock, mode: str) -> None:
    """A question about the past is answered with what is known."""
    async with _in_mode(mode, database, clock, _looking) as r:
        await r.run("!remember The spare key hangs behind the red door.")
        answer = await r.say("Where did we say the spare key hangs?")
    assert "behind the red door" in answer.text


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_forgotten_is_told_no_more(database: Database, clock: Clock, mode: str) -> None:
    """Nor does a model find it."""
    async with _in_mode(mode, database, clock, _looking) as r:
        await r.run("!remember The spare key hangs behind the red door.")
        await r.run("!forget 1")
        answer = await r.say("Where did we say the spare key hangs?")
    assert "hangs behind the red door" not in answer.text


@pytest.mark.parametrize("mode", MODES)
async def test_nothing_is_said_to_be_done_that_was_not(database: Database, clock: Clock, mode: str) -> None:
    """A claim without the deed is corrected in every mode."""

    def boasting(_body: dict[str, Any]) -> Reply:
        return Reply(text="I have saved that for you.")

    async with ModelServer(always=boasting) as server:
        role = _role(server, tools="none" if mode == "none" else "all")
        models = Roles(reasoning=role, execution=role if mode == "delegation" else None)
        async with room(database, clock, who=ANN, models=models) as r:
            answer = await r.say("The boiler makes a noise.")
        kept = await column(database, "SELECT content FROM memory")
    assert ([], False) == (kept, "I have saved" in answer.text)


# ---- what people refer to


async def test_a_reference_is_read_verbatim(database: Database, clock: Clock) -> None:
    """A memory by its number, where the asker may see it; what is nowhere is said to be."""
    calls = [Reply(calls=(("artifact_fetch", {"reference": one}),)) for one in ("#1", "#77", "acme/none#3")]
    async with (
        ModelServer(*calls, Reply(text="Behind the red door.")) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!remember The spare key hangs behind the red door.")
        await r.say("Good morning to you.")
        told = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
        shown = await column(database, "SELECT shown FROM turn ORDER BY turn_id DESC LIMIT 1")
    assert "The spare key hangs behind the red door." in told[0]
    assert (True, core_tools.NOTHING) == (told[1].startswith("Not done: There is no memory #77 here"), told[2])
    assert [[1]] == shown


async def test_where_and_when_it_is(database: Database, clock: Clock) -> None:
    """The day in the space's zone; what memory holds for whoever may be told."""
    async with (
        ModelServer(Reply(calls=(("time_now", {}), ("space_info", {}))), Reply(text="Monday.")) as server,
        room(database, clock, who=terminal.caller("Ann"), models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.run("!remember The spare key hangs behind the red door.")
        await r.say("Good morning to you.")
        now, space = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
    assert now.startswith("It is Monday, 02 March 2026")
    assert "1 short-term, 0 long-term" in space
