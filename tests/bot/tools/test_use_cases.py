"""The use cases of the tiered memory that Hathi follows, each quoted: with a scripted model, and without one."""

from datetime import timedelta
from typing import Any, Final

import pytest

from bot.config import Roles, RoleSettings
from bot.db.pool import Database
from bot.domain import Caller
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


@pytest.mark.parametrize("way", WAYS)
async def test_a_preference_persists(database: Database, clock: Clock, way: str) -> None:
    """UC1, “preference persistence”: what was asked for in one session holds in the next, unasked."""
    async with (
        _scripted(
            Reply(calls=(("memory_save", {"content": FACT, "topic": "answers"}),)), Reply(text="Noted.")
        ) as server,
        room(database, clock, who=ADA, models=_models(server, way)) as r,
    ):
        await r.say("Remember that I prefer short answers without bullet points.")
        await r.reset()
        clock.now += timedelta(days=1)
        await r.say("Good morning to you.")
        told = _prompt(server.requests[-1]) if way == "scripted" else await r.run("!memories")
    assert "short answers without bullet points" in told


@pytest.mark.parametrize("way", WAYS)
async def test_where_we_left_off_is_told(database: Database, clock: Clock, way: str) -> None:
    """UC2, “Where did we leave off?”: what was done and decided last, after a reset."""
    summary = Reply(text='[{"topic": "deploy", "content": "We decided to deploy on Friday.", "importance": 7}]')
    async with (
        _scripted(Reply(text="Very well."), summary) as server,
        room(database, clock, who=ADA, models=_models(server, way)) as r,
    ):
        await r.say("We decided to deploy on Friday.")
        await r.reset()
        clock.now += timedelta(hours=2)
        answer = await r.say("Where did we leave off?")
        told = answer.text + (_prompt(server.requests[-1]) if way == "scripted" else "")
    assert "deploy on Friday" in told


@pytest.mark.parametrize("way", WAYS)
async def test_what_matters_most_appears_in_every_session(database: Database, clock: Clock, way: str) -> None:
    """UC3, “Confirmed: memory saved (imp=9). Will appear in every future session.”"""
    save = {"content": "The production database is db-7.", "topic": "database", "importance": 9}
    async with (
        _scripted(Reply(calls=(("memory_save", save),)), Reply(text="Saved.")) as server,
        room(database, clock, who=ADA, models=_models(server, way)) as r,
    ):
        answer = await r.say("Remember with importance 9 that the production database is db-7.")
        importance = await one(database, "SELECT importance FROM memory")
        await r.reset()
        clock.now += timedelta(days=28)
        await r.app.archivist.age([ADA.space_id], Ageing(), now=clock())
        await r.app.archivist.decay([ADA.space_id], now=clock())
        await r.say("Good morning to you.")
        later = await column(database, "SELECT tier || importance FROM memory WHERE content LIKE '%db-7%'")
        told = _prompt(server.requests[-1]) if way == "scripted" else "db-7"
    assert any("imp=9" in note for note in [answer.text, *answer.notes])
    assert (9, ["short9"]) == (importance, later)
    assert "db-7" in told


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_old_is_recalled(database: Database, clock: Clock, way: str) -> None:
    """UC4, “long-term recall”: what aged is found when it is asked for."""
    asking = Reply(calls=(("memory_recall", {"topic": "boiler", "tier": "long"}),))
    async with (
        _scripted(asking, Reply(text="Kemp serviced the boiler.")) as server,
        room(database, clock, who=ADA, models=_models(server, way)) as r,
    ):
        await r.run("!remember The boiler was serviced by Kemp. importance:4")
        clock.now += timedelta(days=30)
        await r.run("!age")
        tiers = await column(database, "SELECT tier FROM memory")
        answer = await r.say("Who serviced the boiler back then?")
    assert (["long"], True) == (tiers, "Kemp" in answer.text)


@pytest.mark.parametrize("way", WAYS)
async def test_the_short_term_is_kept_lean(database: Database, clock: Clock, way: str) -> None:
    """UC5, “keep short-term lean”: count, age, count; a model does it where the asker manages the server."""
    ageing = Reply(calls=(("memory_age", {"older_than_hours": 24}),))
    async with (
        _scripted(ageing, Reply(text="Done.")) as server,
        room(database, clock, who=ADA, models=_models(server, way)) as r,
    ):
        for n in range(3):
            await r.run(f"!remember Shelf {n} holds the jars of batch {n}. importance:4")
        clock.now += timedelta(hours=30)
        before = await r.run("!status")
        await (
            r.say("Time to age what is older than 24 hours.")
            if way == "scripted"
            else r.run("!age older_than_hours:24")
        )
        after = await r.run("!status")
    assert ("3 short", "0 short") == tuple(
        next(n for n in ("3 short", "0 short") if n in text) for text in (before, after)
    )


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_remembered_can_be_viewed(database: Database, clock: Clock, way: str) -> None:
    """UC6, “viewing what's remembered”: by importance, and the sessions with their summaries."""
    async with _scripted() as server, room(database, clock, who=ADA, models=_models(server, way)) as r:
        await r.run("!remember Shelf 1 holds the jars. importance:4")
        await r.run("!remember The production database is db-7. importance:9")
        await r.say("We talked about jars and databases today.")
        await r.reset()
        listed, sessions = await r.run("!memories sort:importance"), await r.run("!sessions")
    assert 0 < listed.index("db-7") < listed.index("Shelf 1")
    assert "#1" in sessions or "session" in sessions.lower()
