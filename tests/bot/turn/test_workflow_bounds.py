"""What a step of a workflow is given, and what is kept of its words, is bounded."""

from pathlib import Path

import pytest

from bot import app
from bot.db.pool import Database
from bot.turn.workflow_steps import MOST_KEPT, MOST_TALK
from tests import people
from tests.bot.turn.test_workflow_answer import paired, saying, told
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import column

ANN = people.caller()
TALK = """\
kind = "reply"
about = "One who reads the talk."

[[steps]]
name = "answer"
persona = "critic"
inputs = ["request", "talk"]
prompt = "Answer {request}."
"""


async def test_of_one_step_three_things_are_kept(database: Database, clock: Clock, tmp_path: Path) -> None:
    """The first of those it names; the others it only says."""
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
    plans = [f"The {day} market opens at {hour} o'clock." for hour, day in enumerate(days, 7)]
    entry = "\n\n".join(f"- {plan}" for plan in plans)
    async with (
        ModelServer(*saying("Good.", entry)) as server,
        room(
            database,
            clock,
            models=roles(server.base_url),
            who=ANN,
            settings_dir=paired(tmp_path, "critic", "archivist"),
        ) as r,
    ):
        answer = await r.say(f"!do pair {' '.join(plans)}")
        kept = await column(database, "SELECT content FROM memory ORDER BY memory_id")
        asked = await column(database, "SELECT content FROM proposal")
    assert (3, plans[:MOST_KEPT], []) == (MOST_KEPT, kept, asked)
    assert all(plan in answer.text for plan in plans)


async def test_a_step_is_given_the_newest_of_the_talk(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Twenty messages, in their order, however many fit."""
    (tmp_path / "workflows").mkdir()
    (tmp_path / "workflows" / "talk.toml").write_text(TALK)
    async with (
        ModelServer(always=Reply(text="Good.")) as server,
        room(database, clock, models=roles(server.base_url, max_context=32768), who=ANN, settings_dir=tmp_path) as r,
    ):
        for number in range(MOST_TALK + 5):
            await r.overhear(f"Pot number {number:02} is glazed.")
        await r.say("!do talk How are the pots?")
        prompt = told(server.requests[0])
    shown = [number for number in range(MOST_TALK + 5) if f"Pot number {number:02} is" in prompt]
    assert (20, [*range(5, MOST_TALK + 5)]) == (MOST_TALK, shown)
    at = [prompt.index(f"Pot number {number:02} is") for number in shown]
    assert at == sorted(at)


@pytest.mark.parametrize("name", ["critique", "drafting", "parlour", "planning", "research", "whole-household"])
async def test_each_that_ships_runs_to_its_end(database: Database, clock: Clock, name: str) -> None:
    """Every step speaks, is told what was asked for and is recorded, within the usual context."""
    steps = app.all_workflows(Path("/nowhere"))[name].steps
    said = [f"Word {number} of mine." for number in range(len(steps))]
    async with (
        ModelServer(*saying(*said)) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        await r.run("!remember The bulbs are kept in the shed.")
        answer = await r.say(f"!do {name} Write of the bulbs in our shed.")
        (run,) = await column(database, "SELECT trail -> 'run' FROM turn WHERE trail -> 'run' IS NOT NULL")
        used = await column(database, "SELECT trail -> 'tools' FROM turn WHERE trail -> 'run' IS NOT NULL")
    assert [step.name for step in steps] == [one["name"] for one in run["steps"]]
    assert [True] * len(steps) == [one in answer.text for one in said], answer.text
    assert all("bulbs in our shed" in told(request) for request in server.requests)
    assert {"done"} == {use["outcome"] for use in used[0]}
    assert [] == [note for note in answer.notes if "ended here" in note]
