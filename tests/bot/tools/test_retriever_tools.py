"""The laws of retrievers as tools of a model: what it may look up beside a recall, and what becomes of it."""

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import app, errors
from bot.config import ChunkSettings, MemorySettings, PromptSettings
from bot.db.pool import Database
from bot.domain import MessageId, SpaceId
from bot.lifecycle import workflow_files
from bot.prompting import earlier
from bot.recall.retrievers import ledger_retrievers, retrieval
from bot.recall.retrievers.retrieval import NOTHING
from bot.tools.retriever_tools import NAMED
from tests import people
from tests.conftest import Clock
from tests.conversations import Live, Room, roles, room
from tests.model_server import ModelServer, Reply, Step
from tests.rows import column, one

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
SPACE = SpaceId(1)
SMALL = MemorySettings(chunks=ChunkSettings(messages=4, skip=0, idle=timedelta(hours=6)))
TALK = ("We decided to paint the gate turquoise.", "Yes.", "Fine.", "Good.")


@dataclass
class Model:
    """Calls one tool, and then says something."""

    calls: tuple[tuple[str, dict[str, Any]], ...]
    answer: str = "I see."

    def __call__(self, body: dict[str, Any]) -> Step:
        if "response_format" in body:
            return Reply(text='{"summary": "They decided to paint the gate turquoise.", "facts": []}')
        if body["messages"][-1]["role"] == "tool" or "tools" not in body:
            return Reply(text=self.answer)
        return Reply(calls=self.calls)


async def talk(r: Room) -> None:
    for number, text in enumerate(TALK):
        await r.overhear(text, BOB if number % 2 else ANN)
    await r.app.creator.run([SPACE])
    r.clock.forward(days=8)
    await r.app.schedule.upkeep()


def returned(server: ModelServer) -> list[str]:
    """What the tools told the model."""
    return [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]


@pytest.mark.parametrize(
    ("tool", "arguments", "is_found"),
    [
        ("recent", {"limit": 3}, True),
        ("first", {}, True),
        ("summary", {}, True),
        ("search", {"keywords": "turquoise; gate"}, True),
        ("search", {"keywords": "plum"}, False),
        ("since", {"when": "since March 1"}, True),
        ("since", {"when": "yesterday"}, False),
    ],
)
async def test_a_model_looks_up_by_name(
    database: Database, clock: Clock, tool: str, arguments: dict[str, Any], *, is_found: bool
) -> None:
    """Each retriever is a tool; what is not there is said to be."""
    model = Model(((NAMED + tool, arguments),))
    async with (
        ModelServer(always=model) as server,
        room(database, clock, who=ANN, memory=SMALL, models=roles(server.base_url, max_context=8192)) as r,
    ):
        await talk(r)
        await r.say("How are you today?")
        (told,) = returned(server)
    assert (is_found, not is_found) == ("turquoise" in told, told.startswith(NOTHING))


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("since", {"when": "soonish"}, "soonish"),
        ("since", {}, "when"),
        ("recent", {"limit": 900}, "limit"),
        ("search", {"keywords": ""}, "keywords"),
        ("search", {"keywords": "gate; " * 700}, "keywords"),
        ("since", {"when": "before yesterday " * 240}, "when"),
    ],
)
async def test_a_wrong_argument_is_told_to_the_model(
    database: Database, clock: Clock, tool: str, arguments: dict[str, Any], said: str
) -> None:
    """In a sentence that it can mend."""
    async with (
        ModelServer(always=Model(((NAMED + tool, arguments),))) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=8192)) as r,
    ):
        await r.say("How are you today?")
        (told,) = returned(server)
    assert said in told


async def test_what_it_looked_up_goes_with_what_is_deleted(database: Database, clock: Clock) -> None:
    """An answer made of an entry is taken along, in a later session too."""
    model = Model(((f"{NAMED}recent", {}),), answer="The gate is turquoise, by the way.")
    chosen = PromptSettings(retrieved=())
    async with (
        ModelServer(always=model) as server,
        room(database, clock, who=ANN, memory=SMALL, prompt=chosen, models=roles(server.base_url)) as r,
    ):
        await talk(r)
        await r.say("How are you today?")
        assert 1 == await one(database, "SELECT count(*) FROM message WHERE role = 'hathi'")
        (first, *_) = await column(database, "SELECT message_id FROM message ORDER BY 1")
        await r.app.discord_edits.deleted(SPACE, [MessageId(first)], clock.forward(seconds=1))
        assert 0 == await one(database, "SELECT count(*) FROM message WHERE role = 'hathi'")


async def test_others_words_it_looked_up_are_not_saved_as_the_askers(database: Database, clock: Clock) -> None:
    """The turn is tainted by what a tool returned."""
    save = ("memory_save", {"content": "The gate is turquoise.", "topic": "gate"})
    steps: list[Step] = [Reply(calls=((f"{NAMED}recent", {}),)), Reply(calls=(save,)), Reply(text="Fine.")]

    def model(body: dict[str, Any]) -> Step:
        if "response_format" in body or "summary so far" in str(body["messages"][-1]["content"]):
            return Reply(text='{"summary": "They decided to paint the gate turquoise.", "facts": []}')
        return steps.pop(0)

    chosen = PromptSettings(retrieved=())
    async with (
        ModelServer(always=model) as server,
        room(database, clock, who=ANN, memory=SMALL, prompt=chosen, models=roles(server.base_url)) as r,
    ):
        await talk(r)
        await r.say("How are you today?")
    assert [] == await column(database, "SELECT content FROM memory WHERE source = 'user'")


@pytest.mark.parametrize("mode", ["off", "explicit"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("recent", {}),
        ("first", {}),
        ("summary", {}),
        ("search", {"keywords": "turquoise"}),
        ("since", {"when": "today"}),
    ],
)
async def test_where_nothing_is_kept_it_looks_into_the_live_talk(
    database: Database, clock: Clock, mode: str, tool: str, arguments: dict[str, Any]
) -> None:
    """Of this turn, in memory; nothing is stored, and the answer stands.

    “discussionId activates persistence; absence → stateless”
    """
    model = Model(((NAMED + tool, arguments),), answer="The gate is turquoise.")
    async with (
        ModelServer(always=model) as server,
        room(database, clock, who=ANN, memory=SMALL, models=roles(server.base_url)) as r,
    ):
        await r.run(f"!memory mode {mode}")
        venue = Live()
        venue.said = (people.said(BOB, TALK[0], clock.forward(seconds=1)),)
        turn = people.turn(r.caller, "How are you today?", clock.forward(seconds=1))
        await r.app.conversation.answer(turn, venue.delivery)
        (told,) = returned(server)
    assert ("turquoise" in told, venue.text) == (True, "The gate is turquoise.")
    assert [] == await column(database, "SELECT 1 FROM message")


async def test_settings_choose_what_joins_a_prompt(database: Database, clock: Clock) -> None:
    """Any retriever; and none of them is known by a wrong name."""
    async with (
        ModelServer(always=Model(())) as server,
        room(
            database,
            clock,
            who=ANN,
            memory=SMALL,
            prompt=PromptSettings(retrieved=("first", "search")),
            models=roles(server.base_url),
        ) as r,
    ):
        await talk(r)
        await r.say("Is the gate turquoise by now, as we said?")
        shown = "\n".join(m["content"] for m in server.requests[-1]["messages"])
    assert (earlier.HEADING in shown, "In all, until" in shown) == (True, False)
    with pytest.raises(errors.SettingsError, match=r"prompt\.retrieved"):
        async with room(database, clock, who=ANN, prompt=PromptSettings(retrieved=("all",))):
            pass


async def test_what_did_not_fit_is_counted_in_the_trail(database: Database, clock: Clock) -> None:
    """And `!why exactly` tells it."""
    budget = PromptSettings().budget.model_copy(update={"chunks": 1})
    async with (
        ModelServer(always=Model(())) as server,
        room(
            database, clock, who=ANN, memory=SMALL, prompt=PromptSettings(budget=budget), models=roles(server.base_url)
        ) as r,
    ):
        await talk(r)
        await r.say("How are you today?")
        (trail,) = await column(database, "SELECT trail FROM turn ORDER BY turn_id DESC LIMIT 1")
        turn_id = await one(database, "SELECT max(turn_id) FROM turn")
        why = await r.run(f"!why {turn_id} exactly")
    assert ({"earlier": 1}, True) == (trail["unfit"], "1 of what was said earlier" in why)


async def test_the_documented_example_adds_a_retriever(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As `CONTRIBUTING.md` has it, in ten lines: a tool, a part of prompts and an input of workflows, by its name.

    “adding a retriever: implement, route, register (FirstFiveMemories)”
    """
    page = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(class \w+.*?)```", page, re.DOTALL)
    assert 10 >= len([line for line in code.splitlines() if line.strip()])
    names: dict[str, Any] = {**vars(ledger_retrievers), **vars(retrieval), "replace": replace}
    exec(code, names)
    (made,) = [value for name, value in names.items() if name in code.partition("\n")[0] and isinstance(value, type)]
    monkeypatch.setattr(app, "RETRIEVERS", (*app.RETRIEVERS, made))
    name = made.name
    step = f'name = "entry"\nrole = "summarizer"\ninputs = ["{name}", "chunk"]\nprompt = "Tell of {{chunk}}."'
    (tmp_path / workflow_files.FOLDER).mkdir()
    (tmp_path / workflow_files.FOLDER / "mine.toml").write_text(f'kind = "memory"\nmakes = "ledger"\n[[steps]]\n{step}')
    async with (
        ModelServer(always=Model(((NAMED + name, {}),))) as server,
        room(
            database,
            clock,
            who=ANN,
            memory=SMALL,
            prompt=PromptSettings(retrieved=(name,)),
            toolsets={"memory": (NAMED + name,)},
            models=roles(server.base_url),
            settings_dir=tmp_path,
        ) as r,
    ):
        await talk(r)
        await r.say("How are you today?")
        (told,) = returned(server)
        shown = "\n".join(str(m["content"]) for m in server.requests[-1]["messages"] if m["role"] != "tool")
        await r.run("!memory makes ledger workflow:mine")
        await talk(r)
        (given, *_) = [b["messages"][1]["content"] for b in server.requests if "Tell of" in str(b["messages"][0])]
    assert ("turquoise" in told, "turquoise" in shown) == (True, True)
    assert "turquoise" in given.partition(workflow_files.heading("chunk"))[0]
