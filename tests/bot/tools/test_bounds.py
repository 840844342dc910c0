"""Whatever a model calls, a turn ends: by rounds, calls, repetition, tokens and time, and what fails is told to it."""

import asyncio
import itertools
from typing import Annotated, Any

import pytest
from pydantic import Field

from bot import errors
from bot.config import Roles, RoleSettings, ToolSettings
from bot.db.pool import Database
from bot.tools import toolbox, toolsets
from bot.tools.allowance import MOST_CALLS, MOST_DEEP, Allowance
from bot.tools.definitions import tool, writing
from bot.tools.tool_context import ToolContext
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import Hang, ModelServer, Reply
from tests.rows import column, one

FLOOD = "x" * 1_000_000


@tool
async def probe(context: ToolContext, *, what: Annotated[str, Field(description="What happens.")] = "nothing") -> str:
    """Do what a tool may do wrong."""
    match what:
        case "fail":
            raise RuntimeError("a secret of its own")
        case "refuse":
            raise errors.NotFound("There is nothing of that.")
        case "hang":
            await asyncio.Event().wait()
        case "flood":
            return FLOOD
        case "pass":
            # The first time it can't.
            if not context.looked_up:
                context.shown("tried")
                raise errors.DatabaseDown
        case _:
            pass
    return f"{what} done"


@pytest.fixture
def with_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolsets, "OWN", (*toolsets.OWN, probe))
    monkeypatch.setattr(toolsets, "SETS", {"memory": ("probe", "memory_recall"), "models": toolsets.SETS["models"]})
    monkeypatch.setattr(toolbox, "PATIENCE", 0.05)


def _told(server: ModelServer) -> list[str]:
    return [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]


@pytest.mark.usefixtures("with_probe")
@pytest.mark.parametrize(
    ("name", "arguments", "said", "outcome"),
    [
        ("probe", {"what": "tea"}, "tea done", "done"),
        ("probe", {"what": "fail"}, "Not done: probe failed.", "failed"),
        ("probe", {"what": "refuse"}, "Not done: There is nothing of that.", "NotFound"),
        ("probe", {"what": "hang"}, "Not done: probe took longer", "timeout"),
        ("probe", {"what": 3}, "bad arguments: what: ", "BadArgument"),
        ("probe", "{nonsense", "bad arguments: ", "BadArgument"),
        ("probe", "[1, 2]", "bad arguments: ", "BadArgument"),
        ("memory_recall", {"limit": 90, "topic": "tea"}, "memory_recall needs topic and may have tier", "BadArgument"),
        ("launch", {}, "launch", "BadArgument"),
    ],
)
async def test_what_goes_wrong_is_told_to_the_model(
    database: Database, clock: Clock, name: str, arguments: Any, said: str, outcome: str
) -> None:
    """In a sentence it can mend its call by, without what only the log is to hold; the turn goes on to its answer."""
    async with (
        ModelServer(Reply(calls=((name, arguments),)), Reply(text="So it is.")) as server,
        room(database, clock, models=roles(server.base_url, max_context=16384)) as r,
    ):
        answer = await r.say("How is the tea?")
        (told,) = _told(server)
    tools = await one(database, "SELECT trail -> 'tools' FROM turn WHERE state = 'answered'")
    assert said in told
    assert "secret" not in told
    assert ("So it is.", [outcome]) == (answer.text, [use["outcome"] for use in tools])


@pytest.mark.usefixtures("with_probe")
async def test_a_flood_is_cut(database: Database, clock: Clock) -> None:
    """A megabyte returned: the model reads its beginning, and how much there was."""
    async with (
        ModelServer(Reply(calls=(("probe", {"what": "flood"}),)), Reply(text="So it is.")) as server,
        room(database, clock, models=roles(server.base_url, max_context=200_000)) as r,
    ):
        await r.say("How is the tea?")
        (told,) = _told(server)
    assert toolbox.LONGEST == told.count("x")
    assert told.endswith("(Cut here: 1,000,000 characters in all.)")


@pytest.mark.usefixtures("with_probe")
async def test_parallel_calls_are_answered_in_order(database: Database, clock: Clock) -> None:
    """Each by its id; one that fails leaves the others alone."""
    calls = tuple(("probe", {"what": what}) for what in ("red", "fail", "green"))
    async with (
        ModelServer(Reply(calls=calls), Reply(text="So it is.")) as server,
        room(database, clock, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.say("How is the tea?")
        asked = [call["id"] for call in server.requests[-1]["messages"][-4]["tool_calls"]]
        answered = [m["tool_call_id"] for m in server.requests[-1]["messages"][-3:]]
        told = _told(server)
    assert (asked, ["red done", "Not done: probe failed.", "green done"]) == (answered, told)


@pytest.mark.usefixtures("with_probe")
async def test_the_same_call_is_answered_from_the_first_and_a_third_ends_the_rounds(
    database: Database, clock: Clock
) -> None:
    """Whatever the order of its arguments; then the model is asked once to answer with what it has."""

    def stubborn(body: dict[str, Any]) -> Reply:
        return Reply(calls=(("probe", {"what": "tea"}),)) if "tools" in body else Reply(text="Enough.")

    async with (
        ModelServer(always=stubborn) as server,
        room(database, clock, models=roles(server.base_url, max_context=16384)) as r,
    ):
        answer = await r.say("How is the tea?")
    tools = await one(database, "SELECT trail -> 'tools' FROM turn WHERE state = 'answered'")
    assert ("Enough.", 4, 1) == (answer.text, len(server.requests), len(tools))
    assert ["tea done"] * 3 == _told(server)


async def test_what_was_read_is_read_anew_once_something_was_written(database: Database, clock: Clock) -> None:
    """What was written is not written again, and a third call ends the rounds as ever."""
    write, read = ("note_write", {"content": "The kiln is hot."}), ("note_read", {})
    steps = [Reply(calls=(call,)) for call in (read, write, read, write, read)]
    async with (
        ModelServer(*steps, always=Reply(text="Enough.")) as server,
        room(database, clock, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.say("How is the tea?")
        before, written, after, again, third = _told(server)
    assert ("There are no notes.", "- N1: The kiln is hot.") == (before, after)
    assert (written, after) == (again, third)
    assert ["The kiln is hot."] == await column(database, "SELECT content FROM note")
    assert [True] * 5 + [False] == ["tools" in request for request in server.requests]


async def test_a_task_is_handed_on_anew_once_something_was_written(database: Database, clock: Clock) -> None:
    """As what another model reads may be another thing by then; what it wrote itself it does not write again."""
    hand_on, write = ("llm_call", {"prompt": "Read the notes."}), ("note_write", {"content": "The kiln is hot."})
    steps = [Reply(calls=(call,)) for call in (hand_on, write, hand_on, hand_on)]

    def reading(body: dict[str, Any]) -> Reply:
        told = [message["content"] for message in body["messages"] if message["role"] == "tool"]
        calls = (("note_read", {}), ("note_write", {"content": "The oven is cold."}))
        return Reply(text=f"Report: {told[0]}") if told else Reply(calls=calls)

    async with ModelServer(*steps, always=Reply(text="Enough.")) as thinker, ModelServer(always=reading) as worker:
        role = RoleSettings(base_url=thinker.base_url, model="thinker", max_context=32768)  # pyright: ignore[reportArgumentType]
        other = RoleSettings(base_url=worker.base_url, model="worker", max_context=32768)  # pyright: ignore[reportArgumentType]
        models = Roles(reasoning=role.model_copy(update={"toolsets": ("notes", "models")}), execution=other)
        async with room(database, clock, models=models) as r:
            await r.say("How is the tea?")
        first, _, second, third = _told(thinker)
    notes = await column(database, "SELECT content FROM note ORDER BY number")
    assert ("Report: There are no notes.", second) == (first, third)
    assert ["The oven is cold.", "The kiln is hot."] == notes
    assert ["- N1: The oven is cold.", "- N2: The kiln is hot."] == second.removeprefix("Report: ").split("\n")


@pytest.mark.usefixtures("with_probe")
async def test_a_turn_has_twelve_calls_over_all_roles(database: Database, clock: Clock) -> None:
    """Those of whom it asked included; the bound once reached, each model answers with what it has."""
    numbers = itertools.count()

    def greedy(body: dict[str, Any]) -> Reply:
        if "tools" not in body:
            return Reply(text="Enough.")
        tools = [one["function"]["name"] for one in body["tools"]]
        if "llm_call" in tools:
            return Reply(calls=(("llm_call", {"prompt": f"Look {next(numbers)}"}),))
        return Reply(calls=(("probe", {"what": f"{next(numbers)}"}),))

    async with ModelServer(always=greedy) as server:
        role = RoleSettings(base_url=server.base_url, model="m", max_context=16384)  # pyright: ignore[reportArgumentType]
        async with room(database, clock, models=Roles(reasoning=role, execution=role)) as r:
            answer = await r.say("How is the tea?")
    tools = await one(database, "SELECT trail -> 'tools' FROM turn WHERE state = 'answered'")
    assert ("Enough.", MOST_CALLS) == (answer.text, len(tools))


@pytest.mark.usefixtures("with_probe")
async def test_only_what_a_tool_answered_is_served_again(database: Database, clock: Clock) -> None:
    """What failed is tried once more, as it may have passed; of what fails still the third is not tried."""

    def stubborn(body: dict[str, Any]) -> Reply:
        calls = (("probe", {"what": "pass"}), ("probe", {"what": "refuse"}))
        return Reply(calls=calls) if "tools" in body else Reply(text="Enough.")

    async with (
        ModelServer(always=stubborn) as server,
        room(database, clock, models=roles(server.base_url, max_context=16384)) as r,
    ):
        await r.say("How is the tea?")
    first, refused, passed, again, third, over = _told(server)
    tools = await one(database, "SELECT trail -> 'tools' FROM turn WHERE state = 'answered'")
    assert ("Not done: I can't reach my memory", "pass done", "pass done") == (first[:33], passed, third)
    assert (refused, True, 4) == (again, over.startswith("Not done: no further tool"), len(tools))


@pytest.mark.usefixtures("with_probe")
async def test_a_role_is_not_told_what_another_may_not_do(database: Database, clock: Clock) -> None:
    """That there is no such tool for one is no answer to the other, which has it."""

    def asking(body: dict[str, Any]) -> Reply:
        names = [one["function"]["name"] for one in body.get("tools", ())]
        told = [message["content"] for message in body["messages"] if message["role"] == "tool"]
        if not told:
            return Reply(calls=(("probe", {"what": "tea"}),))
        if "llm_call" in names and len(told) == 1:
            return Reply(calls=(("llm_call", {"prompt": "How is the tea?"}),))
        return Reply(text=told[-1])

    async with ModelServer(always=asking) as server:
        role = RoleSettings(base_url=server.base_url, model="m", max_context=16384)  # pyright: ignore[reportArgumentType]
        async with room(database, clock, models=Roles(reasoning=role, execution=role)) as r:
            answer = await r.say("How is the tea?")
    assert "tea done" == answer.text


@writing
async def probe_write(context: ToolContext) -> str:
    """Write what never ends."""
    await context.commands.by_model(context.caller, "note", "The kiln is hot.", said=context.asked)
    await asyncio.Event().wait()
    return "written"


async def test_what_writes_is_bounded_as_well(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the model nor the asker is told that it was not done, which is not known; it is not done again."""
    monkeypatch.setattr(toolsets, "OWN", (*toolsets.OWN, probe_write))
    monkeypatch.setattr(toolsets, "SETS", {"memory": ("probe_write",)})
    monkeypatch.setattr(toolbox, "PATIENCE", 0.5)
    async with (
        ModelServer(*[Reply(calls=(("probe_write", {}),))] * 2, Reply(text="So it is.")) as server,
        room(database, clock, models=roles(server.base_url, max_context=16384)) as r,
    ):
        answer = await r.say("How is the tea?")
        written = await column(database, "SELECT content FROM note")
    assert ([toolbox.GIVEN_UP.format(tool="probe_write")] * 2, ["The kiln is hot."]) == (_told(server), written)
    assert 1 == sum("can't tell whether it was made" in note for note in answer.notes)


@pytest.mark.usefixtures("with_probe")
async def test_a_task_handed_on_takes_no_longer_than_the_turn_may(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long its own model may take: the one that asked is told, and answers."""
    monkeypatch.setattr(Allowance, "seconds", lambda *_: 0.3)
    async with ModelServer(
        Reply(calls=(("llm_call", {"prompt": "Look."}),)), Hang(), Reply(text="So it is.")
    ) as server:
        role = RoleSettings(base_url=server.base_url, model="m", max_context=16384)  # pyright: ignore[reportArgumentType]
        async with room(database, clock, models=Roles(reasoning=role, execution=role)) as r:
            answer = await r.say("How is the tea?")
            (told,) = _told(server)
    assert ("So it is.", "Not done: llm_call took longer than 0 seconds.") == (answer.text, told)


async def test_a_task_for_which_the_tokens_do_not_reach_is_not_handed_on(database: Database, clock: Clock) -> None:
    """It is counted before its model is asked, with the longest answer that it may give."""
    async with ModelServer(Reply(calls=(("llm_call", {"prompt": "Look."}),)), Reply(text="So it is.")) as server:
        role = RoleSettings(base_url=server.base_url, model="m", max_context=16384, max_tokens=1000)  # pyright: ignore[reportArgumentType]
        models = Roles(reasoning=role, execution=role.model_copy(update={"max_tokens": 8000}))
        async with room(database, clock, models=models, tools=ToolSettings(max_tokens=7000)) as r:
            answer = await r.say("How is the tea?")
    (told,) = _told(server)
    assert ("So it is.", 2) == (answer.text, len(server.requests))
    assert told.startswith("Not done: the turn has not the tokens left for that")


async def test_tasks_are_handed_on_twice_at_most(database: Database, clock: Clock) -> None:
    """A model below that is told to do it itself."""
    numbers = itertools.count()

    def passing_on(body: dict[str, Any]) -> Reply:
        last = body["messages"][-1]
        if last["role"] == "tool" or "tools" not in body:
            return Reply(text=f"Report: {last['content']}")
        return Reply(calls=(("llm_call", {"prompt": f"Look {next(numbers)}", "role": "execution"}),))

    async with ModelServer(always=passing_on) as server:
        role = RoleSettings(base_url=server.base_url, model="m", toolsets=("models",))  # pyright: ignore[reportArgumentType]
        async with room(database, clock, models=Roles(reasoning=role, execution=role)) as r:
            answer = await r.say("How is the tea?")
    assert answer.text.startswith("Report: " * (MOST_DEEP + 1) + "Not done: tasks are handed on 2 times at most")


@pytest.mark.usefixtures("with_probe")
@pytest.mark.parametrize(
    "bounds", [ToolSettings.model_construct(max_tokens=30, max_seconds=180), ToolSettings(max_seconds=5)]
)
async def test_tokens_and_time_of_a_turn_are_bounded(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch, bounds: ToolSettings
) -> None:
    """Once either is used up no tool is called any more, and the model is asked to answer."""
    numbers = itertools.count()
    if bounds.max_seconds == 5:
        ticks = itertools.count(step=3)
        monkeypatch.setattr("bot.tools.allowance.monotonic", lambda: float(next(ticks)))

    def greedy(body: dict[str, Any]) -> Reply:
        more = Reply(calls=(("probe", {"what": f"{next(numbers)}"}),))
        return more if "tools" in body else Reply(text="Enough.")

    async with (
        ModelServer(always=greedy) as server,
        room(database, clock, models=roles(server.base_url, max_context=16384), tools=bounds) as r,
    ):
        answer = await r.say("How is the tea?")
    assert "Enough." == answer.text
    assert len(server.requests) <= 4
