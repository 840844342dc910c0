"""The use cases of the tiered memory that Hathi follows, each quoted: with a scripted model, and without one."""

import json
from datetime import timedelta
from typing import Any, Final

import pytest

from bot.config import Roles, RoleSettings, Settings
from bot.db.pool import Database
from bot.domain import Caller
from bot.prompting import compose
from bot.store.archivist import Ageing
from tests import people
from tests.conftest import Clock
from tests.conversations import room
from tests.model_server import ModelServer, Reply, Status
from tests.rows import column, one

ADA: Final[Caller] = people.caller("Ada", admin=True)
WAYS: Final = ("scripted", "without a model")
FACT: Final = "Ada prefers short answers without bullet points."


def _models(server: ModelServer, way: str) -> Roles:
    role: Any = RoleSettings(base_url=server.base_url, model="scripted", max_context=16384)  # pyright: ignore[reportArgumentType]
    return Roles(reasoning=role, summarizer=role) if way == "scripted" else Roles()


def _scripted(*steps: Reply | Status) -> ModelServer:
    return ModelServer(*steps, always=Reply(text="Very well."))


def _prompt(request: dict[str, Any]) -> str:
    return "\n".join(str(one["content"]) for one in request["messages"])


def _tool(name: str, **arguments: Any) -> Reply:
    return Reply(calls=((name, arguments),))


async def _ran(database: Database) -> list[str]:
    """The tools that models called in all turns, with what became of each."""
    tools = await column(database, "SELECT trail -> 'tools' FROM turn WHERE trail -> 'tools' IS NOT NULL ORDER BY 1")
    return [f"{use['tool']} {use['outcome']}" for turn in tools for use in turn]


@pytest.mark.parametrize("way", WAYS)
async def test_a_preference_persists(database: Database, clock: Clock, way: str) -> None:
    """UC1, “preference persistence”: what was said in one session holds in the next, unasked."""
    save = _tool("memory_save", content=FACT, topic="answers")
    async with (
        _scripted(save, Reply(text="About 300 metres.")) as server,
        room(database, clock, who=ADA, models=_models(server, way)) as r,
    ):
        answer = await r.say(
            "Please remember that I prefer short answers without bullet points. How high is the Eiffel Tower?"
        )
        await r.reset()
        clock.now += timedelta(days=1)
        asked = len(server.requests)
        await r.say("Good morning to you.")
        told = _prompt(server.requests[asked]) if way == "scripted" else await r.run("!memories")
    assert "short answers without bullet points" in told
    assert any("saved" in note and "short answers" in note for note in answer.notes)
    assert (["memory_save done"] if way == "scripted" else []) == await _ran(database)


@pytest.mark.parametrize("way", WAYS)
async def test_where_we_left_off_is_told(database: Database, clock: Clock, way: str) -> None:
    """UC2, “Where did we leave off?”: what was done and decided last, after a reset; a model may look it up."""
    summary = json.dumps(
        {
            "summary": "The kiln was mended. Ada decided to deploy on Friday.",
            "facts": [
                {
                    "room": "decisions",
                    "topic": "deploy",
                    "content": "Ada decided to deploy on Friday.",
                    "importance": 7,
                    "evidence": [1],
                }
            ],
        }
    )
    looks = (_tool("memory_recall", topic="deploy"), Reply(text="Dear Bob, we deploy on Friday."))
    async with (
        _scripted(Reply(text="Very well."), Reply(text=summary)) as server,
        room(database, clock, who=ADA, models=_models(server, way)) as r,
    ):
        await r.say("We decided to deploy on Friday.")
        await r.reset()
        clock.now += timedelta(hours=2)
        answer = await r.say("Where did we leave off?")
        if way == "scripted":
            server.steps.extend(looks)
            await r.say("Write a letter to Bob on all of that.")
            (read,) = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
            assert "deploy on Friday" in read
    assert "deploy on Friday" in answer.text
    assert (["memory_recall done"] if way == "scripted" else []) == await _ran(database)


@pytest.mark.parametrize("way", WAYS)
async def test_what_matters_most_appears_in_every_session(database: Database, clock: Clock, way: str) -> None:
    """UC3, “Confirmed: memory saved (imp=9). Will appear in every future session.”: however much is newer."""
    asking = (_tool("memory_recall", topic="production database"), Reply(text="It is db-7."))
    shown = list[bool]()
    async with _scripted() as server, room(database, clock, who=ADA, models=_models(server, way)) as r:
        answer = await r.say("Remember with importance 9 that the production database is db-7.")
        importance = await one(database, "SELECT importance FROM memory")
        for week in range(4):
            for n in range(10):
                await r.run(f"!remember Shelf {n} of rack {week} holds good mornings to you. importance:8")
            await r.reset()
            clock.now += timedelta(days=7)
            await r.app.archivist.age([ADA.space_id], Ageing(), now=clock())
            await r.app.archivist.decay([ADA.space_id], now=clock())
            asked = len(server.requests)
            await r.say("Good morning to you.")
            rows = await r.app.librarian.active(r.caller, "Good morning to you.", Settings().memory.active)
            block, _ = compose.active_block(compose.active_lines(rows), rows=15, max_tokens=400, now=clock())
            shown.append("db-7" in (_prompt(server.requests[asked]) if way == "scripted" else block))
        if way == "scripted":
            server.steps.extend(asking)
            await r.say("Write a limerick on our production database.")
        later = await column(database, "SELECT tier || importance FROM memory WHERE content LIKE '%db-7%'")
    assert ("saved" in answer.text, "imp=9" in answer.text) == (True, True)
    assert (9, ["short9"], [True] * 4) == (importance, later, shown)
    assert (["memory_recall done"] if way == "scripted" else []) == await _ran(database)


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_old_is_recalled(database: Database, clock: Clock, way: str) -> None:
    """UC4, “long-term recall”: what aged is found when it is asked for, by a model's tool or without one."""
    asking = _tool("memory_recall", topic="boiler serviced", tier="long")

    def thanks(body: dict[str, Any]) -> Reply:
        return Reply(text=f"Dear {'Kemp' if 'Kemp' in str(body['messages'][-1]) else 'somebody'}, thank you.")

    async with _scripted() as server, room(database, clock, who=ADA, models=_models(server, way)) as r:
        await r.run("!remember The boiler was serviced by Kemp. importance:4")
        clock.now += timedelta(days=30)
        await r.run("!age")
        tiers = await column(database, "SELECT tier FROM memory")
        if way == "scripted":
            server.steps.extend([asking, thanks])
            letter = await r.say("Write a letter of thanks for the work on our heating.")
            assert "Dear Kemp, thank you." in letter.text
        answer = await r.say("Who serviced the boiler back then?")
    assert (["long"], True) == (tiers, "Kemp" in answer.text)
    assert (["memory_recall done"] if way == "scripted" else []) == await _ran(database)


@pytest.mark.parametrize("way", WAYS)
async def test_the_short_term_is_kept_lean(database: Database, clock: Clock, way: str) -> None:
    """UC5, “keep short-term lean”: count, age, count; a model does it where the asker manages the server."""
    counting, ageing = _tool("space_info"), _tool("memory_age", older_than_hours=24)
    async with (
        _scripted(counting, ageing, counting, Reply(text="Done.")) as server,
        room(database, clock, who=ADA, models=_models(server, way)) as r,
    ):
        for n in range(3):
            await r.run(f"!remember Shelf {n} holds the jars of batch {n}. importance:4")
        clock.now += timedelta(hours=30)
        before = await r.run("!status")
        if way == "scripted":
            await r.say("Time to age what is older than 24 hours.")
            told = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
            first, aged, then = told
            assert ("Aged 3 memories" in aged, "3 short-term, 0 long-term" in first) == (True, True)
            assert "0 short-term, 3 long-term" in then
        else:
            assert "Aged 3 memories" in await r.run("!age older_than_hours:24")
        after = await r.run("!status")
    assert (True, True) == ("3 short" in before, "0 short" in after)
    assert ["long"] * 3 == await column(database, "SELECT tier FROM memory")


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_remembered_can_be_viewed(database: Database, clock: Clock, way: str) -> None:
    """UC6, “viewing what's remembered”: by importance, and the sessions with what was summed up of them."""
    summary = json.dumps({"summary": "Talk of quince jam.", "facts": []})
    seen = {5: "The boiler was serviced by Kemp.", 9: "The production database is db-7.", 4: "Shelf 1 holds the jars."}
    async with (
        _scripted(Reply(text="Very well."), Reply(text=summary)) as server,
        room(database, clock, who=ADA, models=_models(server, way)) as r,
    ):
        for importance, content in seen.items():
            await r.run(f"!remember {content} importance:{importance}")
        await r.say("We decided that quince jam is made in October.")
        await r.reset()
        listed, sessions = await r.run("!memories sort:importance"), await r.run("!sessions")
        if way == "scripted":
            looks = (_tool("memory_recall", topic="boiler; database; jars"), _tool("memory_recent", limit=5))
            server.steps.extend([*looks, Reply(text="So it is.")])
            await r.say("Write a verse on all that you know.")
            memories, talk = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
            told = [f"importance {n}" in memories and content in memories for n, content in seen.items()]
            assert ([True] * 3, True) == (told, "Talk of quince jam." in talk)
    at = [listed.index(seen[importance]) for importance in sorted(seen, reverse=True)]
    assert at == sorted(at)
    assert "quince jam" in sessions
    assert (["memory_recall done", "memory_recent done"] if way == "scripted" else []) == await _ran(database)
