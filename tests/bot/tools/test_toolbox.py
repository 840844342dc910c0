"""What models may do in one turn is bounded, whatever they ask for and whoever asks them to."""

import itertools
from dataclasses import replace
from typing import Any

from bot.config import Roles, RoleSettings
from bot.db.pool import Database
from bot.domain import Access, Caller
from bot.prompting.compose import QUESTION_HEADING
from bot.store.archivist import MOST_BY_MODEL
from bot.tools import memory_tools, toolbox, toolsets
from bot.tools.allowance import MOST_CALLS
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, roles, room
from tests.model_server import ModelServer, Reply, Status
from tests.rows import one

WORDS = ("red", "green", "blue", "grey", "brown", "white", "black", "pink", "beige")
DEEP = "[" * 100_000 + "]" * 100_000


def _storm(name: str, field: str) -> Any:
    """A model that calls a tool as often as it may, each time with something new."""
    numbers = itertools.count()

    def answer(body: dict[str, Any]) -> Reply:
        if "tools" not in body:
            return Reply(text="Enough.")
        calls = [(name, {field: f"Bob likes tea number {next(numbers)}."}) for _ in range(MOST_CALLS)]
        return Reply(calls=tuple(calls))

    return answer


def _told(server: ModelServer) -> list[str]:
    return [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]


def _lines(request: dict[str, Any]) -> list[str]:
    """What stands before the question or the task."""
    text = request["messages"][-1]["content"]
    return text.partition(f"\n\n{toolbox.TASK}\n")[0].partition(f"\n\n{QUESTION_HEADING}\n")[0].split("\n")


async def test_a_model_saves_five_memories_a_turn(database: Database, clock: Clock) -> None:
    """Over all its rounds; it is told of the others that they were not saved.

    The next turn has five again, and of what the person did not say they are told no more often than that.
    """
    async with (
        ModelServer(always=_storm("memory_save", "content")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("Bob likes tea")
        refused = [told for told in _told(server) if told.startswith("Not done:")]
        kept = await one(database, "SELECT count(*) FROM memory")
        again = await r.say("Bob likes tea")
    assert (MOST_BY_MODEL, MOST_CALLS - MOST_BY_MODEL) == (kept, len(refused))
    saved = [[note for note in one.notes if note.startswith("[memory] saved")] for one in (answer, again)]
    assert [MOST_BY_MODEL, 0] == [len(notes) for notes in saved]


async def test_delegation_multiplies_neither_saves_nor_requests(database: Database, clock: Clock) -> None:
    """All of a turn share its twelve calls, and its five saves."""
    async with (
        ModelServer(always=_storm("llm_call", "prompt")) as thinker,
        ModelServer(always=_storm("memory_save", "content")) as worker,
    ):
        models = Roles(
            reasoning=RoleSettings(base_url=thinker.base_url, model="thinker"),  # pyright: ignore[reportArgumentType]
            execution=RoleSettings(base_url=worker.base_url, model="worker"),  # pyright: ignore[reportArgumentType]
        )
        async with room(database, clock, models=models) as r:
            await r.say("Bob likes tea")
        told = [m["content"] for m in worker.requests[-1]["messages"] if m["role"] == "tool"]
    # One to hand the task on, eleven to do it; then each is asked once to answer with what it has.
    assert (2, 2, MOST_CALLS) == (len(thinker.requests), len(worker.requests), len(told))
    assert (MOST_BY_MODEL, 1) == (sum("saved:" in one for one in told), sum("no further tool" in one for one in told))
    assert MOST_BY_MODEL == await one(database, "SELECT count(*) FROM memory")


async def test_a_task_too_long_for_its_model_is_given_again(database: Database, clock: Clock) -> None:
    """What is shown with it, and what tools may return, then fits what the model was found to take."""
    named = Status(status=400, body={"error": "This model's maximum context length is 4096 tokens."})
    async with (
        ModelServer(Reply(calls=(("llm_call", {"prompt": "Look."}),)), Reply(text="So it is.")) as thinker,
        ModelServer(named, Reply(text="Nothing found.")) as worker,
    ):
        models = Roles(
            reasoning=RoleSettings(base_url=thinker.base_url, model="thinker"),  # pyright: ignore[reportArgumentType]
            execution=RoleSettings(base_url=worker.base_url, model="worker"),  # pyright: ignore[reportArgumentType]
        )
        async with room(database, clock, models=models) as r:
            answer = await r.say("Bob likes tea")
    assert ("So it is.", 2, ["Nothing found."]) == (answer.text, len(worker.requests), _told(thinker))


async def test_a_task_for_a_small_model_has_the_time_and_what_fits_of_memory(database: Database, clock: Clock) -> None:
    """Whole lines of Active Memory from its beginning, and always what day it is."""
    async with (
        ModelServer(Reply(calls=(("llm_call", {"prompt": "Look."}),)), Reply(text="So it is.")) as thinker,
        ModelServer(Reply(text="Nothing found.")) as worker,
    ):
        given: dict[str, Any] = {"base_url": worker.base_url, "model": "worker", "max_context": 2560}
        models = Roles(
            reasoning=RoleSettings(base_url=thinker.base_url, model="thinker"),  # pyright: ignore[reportArgumentType]
            execution=RoleSettings(**given, max_tokens=1536),
        )
        async with room(database, clock, models=models) as r:
            for n in range(8):
                await r.run(f"!remember The {WORDS[n]} shed holds the spare {WORDS[n + 1]} handles and old ladders.")
            await r.say("Bob likes tea")
    whole, part = (_lines(server.requests[0]) for server in (thinker, worker))
    shown = [line for line in part if line.startswith("#")]
    assert (True, True) == (0 < len(shown) < len([line for line in whole if line.startswith("#")]), {*part} <= {*whole})
    assert [] != [line for line in part if line.startswith("It is Monday, 02 March 2026")]


def test_no_room_is_offered_that_nothing_would_be_filed_in() -> None:
    """What never ages, and what is taken for the documented way, people file themselves."""
    told = memory_tools.memory_save.spec.parameters["properties"]["room"]["description"]
    assert "One of projects, people, architecture, config, decisions, general." == told


async def test_an_answer_that_is_made_anew_has_no_saves_of_its_own(database: Database, clock: Clock) -> None:
    """Where somebody reads along meanwhile who sees less, the drafts of the turn share its five."""

    class Narrowing(RecordedReply):
        def audience(self, caller: Caller) -> Caller:
            return replace(caller, visible=())

    async with (
        ModelServer(always=_storm("memory_save", "content")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.app.conversation.answer(people.turn(r.caller, "Bob likes tea", clock()), Narrowing().delivery)
    assert len(server.requests) > 2
    assert MOST_BY_MODEL == await one(database, "SELECT count(*) FROM memory")


async def test_arguments_nested_without_end_are_bad_arguments(database: Database, clock: Clock) -> None:
    """That is told to the model as far as there is room for it, and the turn goes on to its answer."""
    async with (
        ModelServer(
            Reply(calls=(("memory_save", DEEP), ("memory_recall", f'{{"topic": {DEEP}}}'))), Reply(text="Sorry.")
        ) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("Bob likes tea")
    tools = await one(database, "SELECT trail -> 'tools' FROM turn WHERE state = 'answered'")
    assert ("Sorry.", 2, ["BadArgument"] * 2) == (answer.text, len(_told(server)), [each["outcome"] for each in tools])


def test_every_tool_that_is_told_apart_by_what_it_does_is_there() -> None:
    """Or what changes memory could be offered to who may only read it."""
    by_need = {need: {one.name for one in toolsets.OWN if one.needs is need} for need in (Access.WRITE, None)}
    assert {"memory_save", "memory_age", "note_write", "memory_promote"} == by_need[Access.WRITE]
    assert {"time_now", "llm_call", "llm_list"} == by_need[None]
    names = {name for each in toolsets.SETS.values() for name in each}
    assert set() == (by_need[Access.WRITE] | by_need[None]) - names
