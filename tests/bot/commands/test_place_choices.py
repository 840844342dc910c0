"""The laws of `!model`, `!persona` and `!workflows`, and of what `!settings` tells of a place."""

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest

from bot import errors
from bot.commands import settings_overview
from bot.commands.place_choices import PlaceChoosing
from bot.config import MemorySettings, ModelSettings, PromptSettings
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, PlaceSetting
from bot.store.place_settings import Choosable, PlaceSettings
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply, Status
from tests.rows import one, rows

ANN = people.caller(admin=True)
THREAD = replace(ANN, channel_id=ChannelId(11), origin=ChannelId(10))
ELSEWHERE = people.caller(channel=20, admin=True)
DIRECT = replace(people.caller(space=9, channel=9, admin=True), is_direct=True)
LONG = "Write a haiku about paint, and leave out nothing: " + "the red one, the blue one, " * 400


def named(base_url: str, model: str, **fields: Any) -> ModelSettings:
    """A model on a scripted server."""
    return ModelSettings.model_validate({"base_url": base_url, "model": model, "timeout": 5} | fields)


@contextlib.asynccontextmanager
async def chosen(
    database: Database, clock: Clock, server: ModelServer, other: ModelServer, **fields: Any
) -> AsyncGenerator[Room]:
    """A room whose settings name one model for it, with a fallback, and a small one that may be chosen."""
    own = roles(server.base_url, fallbacks=(named(server.base_url, "spare"),))
    small = named(other.base_url, "small-1", **fields)
    async with room(database, clock, models=own, choosable={"small": small}, who=ANN) as r:
        yield r


async def answered_by(r: Room, who: Caller, text: str = "Write a haiku about paint.") -> str | None:
    """The model that answers somebody in their place, as its turn has it."""
    await r.say(text, await r.app.enter(who, channel_name="c", mode="all"))
    return await one(r.app.database, "SELECT model FROM turn ORDER BY turn_id DESC LIMIT 1")


async def test_a_turn_is_answered_by_the_model_of_its_place(database: Database, clock: Clock) -> None:
    """The channel's with its public threads, else the server's, else that of the settings; and one's own alone."""
    async with ModelServer() as server, ModelServer() as other, chosen(database, clock, server, other) as r:
        before = [await answered_by(r, who) for who in (ANN, THREAD, ELSEWHERE, DIRECT)]
        await r.run("!model spare where:server")
        everywhere = [await answered_by(r, who) for who in (ANN, THREAD, ELSEWHERE, DIRECT)]
        await r.run("!model SMALL", THREAD)
        here = [await answered_by(r, who) for who in (ANN, THREAD, ELSEWHERE, DIRECT)]
        await r.run("!model default where:server")
        await r.run("!model spare", DIRECT)
        last = [await answered_by(r, who) for who in (ANN, THREAD, ELSEWHERE, DIRECT)]
        await r.run("!model default")
        assert "scripted" == await answered_by(r, ANN)
    assert ["scripted"] * 4 == before
    assert ["spare", "spare", "spare", "scripted"] == everywhere
    assert ["small-1", "small-1", "spare", "scripted"] == here
    assert ["small-1", "small-1", "scripted", "spare"] == last
    assert {"small-1"} == {request["model"] for request in other.requests}


async def test_where_the_chosen_model_fails_those_of_the_settings_are_asked(database: Database, clock: Clock) -> None:
    """In their order, without the chosen one among them a second time; and summaries are made as before."""
    async with (
        ModelServer() as server,
        ModelServer(always=Status(status=400)) as other,
        chosen(database, clock, server, other) as r,
    ):
        await r.run("!model small")
        assert "scripted" == await answered_by(r, ANN)
        await r.run("!model spare")
        server.requests.clear()
        server.steps += [Status(status=400), Reply(text="Fine.")]
        assert "scripted" == await answered_by(r, ANN)
        assert ["spare", "scripted"] == [request["model"] for request in server.requests[:2]]
        await r.run("!model small")
        server.requests.clear()
        await r.reset()
    assert {"scripted"} == {request["model"] for request in server.requests}


@pytest.mark.parametrize(("tools", "offered"), [("all", True), ("none", False)])
async def test_the_chosen_model_is_asked_within_its_own_limits(
    database: Database, clock: Clock, tools: str, offered: bool
) -> None:
    """What it takes, what it may answer, and whether it can call tools."""
    fields = {"max_context": 2048, "max_tokens": 300, "tools": tools}
    async with ModelServer() as server, ModelServer() as other, chosen(database, clock, server, other, **fields) as r:
        for _ in range(3):
            await answered_by(r, ANN, LONG[:4000])
        await r.run("!model small")
        await answered_by(r, ANN)
    large, small = server.requests[-1], other.requests[-1]
    assert (True, offered) == ("tools" in large, "tools" in small)
    assert 300 == small["max_tokens"]
    assert len(str(small["messages"])) < len(str(large["messages"])) // 2


async def test_a_model_that_is_gone_from_the_settings_gives_way_and_is_told_of(
    database: Database, clock: Clock
) -> None:
    """The default answers, and whoever looks is told what was chosen."""
    async with ModelServer() as server, ModelServer() as other, chosen(database, clock, server, other) as r:
        await r.run("!model small")
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url), who=ANN) as r:
        assert "scripted" == await answered_by(r, ANN)
        told = (await r.run("!settings")).splitlines()[0]
    assert "Model: scripted (the settings); small was chosen and is not there any more · !model" == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("!model smal", "'smal' to choose; there are scripted, spare and small"),
        ("!model small-1", "'small-1'"),
        ("!model small where:everywhere", "channel or server"),
        ("!persona housekeeper", "'housekeeper' to choose; there are hathi, household,"),
        ("!workflows parlor", "'parlor' to choose; there are critique, drafting, parlour,"),
    ],
)
async def test_only_what_is_configured_can_be_chosen(database: Database, clock: Clock, line: str, told: str) -> None:
    """Anything else is refused with what there is, and nothing is changed."""
    async with ModelServer() as server, ModelServer() as other, chosen(database, clock, server, other) as r:
        with pytest.raises(errors.BadArgument) as refused:
            await r.run(line)
    assert told in refused.value.said("!")
    assert [] == await rows(database, "SELECT * FROM place_setting")


@pytest.mark.parametrize("line", ["!model", "!model small", "!persona", "!persona x", "!workflows", "!workflows all"])
async def test_whoever_manages_the_server_chooses(database: Database, clock: Clock, line: str) -> None:
    """Nobody else does; what holds everybody is told by `!settings`."""
    async with room(database, clock, who=ANN) as r:
        with pytest.raises(errors.NotAllowed, match="Manage Server"):
            await r.run(line, people.caller("Bob", person=8))
        assert "Model: none (the default)" in await r.run("!settings", people.caller("Bob", person=8))


async def test_a_choice_is_told_with_what_there_is_and_how(database: Database, clock: Clock) -> None:
    """Who chose it and when, which choice goes before which, and the words that change it."""
    async with ModelServer() as server, ModelServer() as other, chosen(database, clock, server, other) as r:
        first = await r.run("!model")
        second = await r.run("!model small")
        third = await r.run("!model spare where:server")
        direct = await r.run("!model", DIRECT)
        day = f"{clock():%Y-%m-%d}"
    assert "Model: scripted (the settings)." == first.splitlines()[0]
    assert (True, True, False) == ("scripted, spare and small" in first, "where:server" in first, "where:" in direct)
    assert f"Model: small (this channel, since {day} by <@7>)." == second
    assert (second, 2) == (third.splitlines()[0], len(third.splitlines()))
    assert "!model default" in direct


@pytest.mark.parametrize(
    ("line", "kept"),
    [("all", "all"), ("NONE", "none"), ("Parlour, research,parlour", "parlour,research"), (" , ", "none")],
)
async def test_several_may_be_chosen_where_that_makes_sense(
    database: Database, clock: Clock, line: str, kept: str
) -> None:
    """Some of them, all or none, each once, in the order given."""
    what = Choosable(setting=PlaceSetting.WORKFLOWS, names=("parlour", "research"), default="all", are_several=True)
    async with room(database, clock, who=ANN) as r:
        placing = PlaceChoosing(PlaceSettings(database), {PlaceSetting.WORKFLOWS: what}, clock)
        commands = r.app.commands
        commands.handlers = {**commands.handlers, **placing.handlers}  # pyright: ignore[reportAttributeAccessIssue]
        told = await r.run(f"!workflows {line}")
        with pytest.raises(errors.BadArgument, match="parlour and research"):
            await r.run("!workflows parlour,poems")
    assert [kept] == [value for (value,) in await rows(database, "SELECT value FROM place_setting")]
    assert f"Workflows: {kept.replace(',', ', ')} (this channel" in told
    assert ("parlour", "research", "all", "none", "default") == placing.names(PlaceSetting.WORKFLOWS)


async def test_settings_tell_everything_that_holds_in_a_place_and_why(database: Database, clock: Clock) -> None:
    """Each on a line, with where it comes from: this channel, this server, the settings, or the default."""
    settings: dict[str, Any] = {"prompt": PromptSettings(around=5), "memory": MemorySettings()}
    async with room(database, clock, who=ANN, **settings) as r:
        before = (await r.run("!settings")).splitlines()
        for line in (
            "!memory mode off",
            "!memory makes facts",
            "!memory search off",
            "!channel enable",
            "!channel threads on",
            "!channel around 3",
            "!settings prefix ?",
            "!settings timezone Europe/Berlin",
            "!settings why off",
            "!settings answers off",
            "!settings pin off",
            "!identity set A quiet helper.",
            "!who block <@&77>",
        ):
            await r.run(line)
        after = (await r.run("!settings")).splitlines()
        direct = await r.app.enter(DIRECT, channel_name="d", mode="addressed")
        alone = (await r.run("!settings", direct)).splitlines()
    assert before[:3] == [
        "Model: none (the default)",
        "Persona: hathi (the default) · !persona",
        "Workflows: all (the default) · !workflows",
    ]
    assert before[4:] == [
        "Memory: all (this channel) · !memory mode",
        "Made of talk: ledger, facts (the default) · !memory makes",
        "Answered: what is said to me (the default) · !channel enable",
        "Answers in threads: off (the default) · !channel threads",
        "Read before a mention: 5 messages (the settings) · !channel around",
        "What was said before me: not read (the default) · !learn",
        "Discord's search: on (the default) · !memory search",
        "Who is answered: everybody (the default) · !who allow",
        "Emoji that has me remember: 📌 (the default) · !settings pin",
        "General knowledge: on (the default) · !settings answers",
        "Button Why?: on (the default) · !settings why",
        "Prefix: ! (the default) · !settings prefix",
        "Language of texts: english (the default) · !settings language",
        "Time zone: UTC (the default) · !settings timezone",
        settings_overview.WHO_MAY,
    ]
    assert after[3:] == [
        "Who I am: A quiet helper. (this server) · !identity set",
        "Memory: off (this channel) · !memory mode",
        "Made of talk: facts (this channel) · !memory makes",
        "Answered: everything said here (this channel) · !channel disable",
        "Answers in threads: on (this channel) · !channel threads",
        "Read before a mention: 3 messages (this channel) · !channel around",
        "What was said before me: not read (the default) · !learn",
        "Discord's search: off (this server) · !memory search",
        "Who is answered: some roles or channels (this server) · !who allow",
        "Emoji that has me remember: off (this server) · !settings pin",
        "General knowledge: off (this server) · !settings answers",
        "Button Why?: off (this server) · !settings why",
        "Prefix: ? (this server) · !settings prefix",
        "Language of texts: english (the default) · !settings language",
        "Time zone: Europe/Berlin (this server) · !settings timezone",
        settings_overview.WHO_MAY,
    ]
    assert (True, False) == (any("Emoji" in line for line in alone), any("Answered" in line for line in alone))
    assert max(len("\n".join(lines)) for lines in (before, after, alone)) < 2000


async def test_a_household_is_chosen_for_a_channel(database: Database, clock: Clock) -> None:
    """It speaks there from then on, and the settings tell whose voice that is and why."""
    async with room(database, clock, who=ANN) as r:
        await r.run("!remember The spare key hangs behind the red door.")
        await r.run("!persona household")
        here = await r.app.enter(r.caller, channel_name="general", mode="all")
        answer = await r.say("Where did we say the spare key hangs?", by=here)
        told = (await r.run("!settings", here)).splitlines()
    assert answer.text.startswith("**Ferris:** Indeed, Ann. Upon consulting Alder's carefully kept ledger")
    assert "Shall I search again?" in answer.text
    assert told[1].startswith("Persona: household (this channel, since 2026-03-02")
    assert any(line.startswith("Who I am: I am Ferris") and line.endswith("(this channel) · !persona") for line in told)


async def test_workflows_are_chosen_for_a_channel(database: Database, clock: Clock) -> None:
    """What was not chosen can't be run there."""
    async with ModelServer() as server, room(database, clock, who=ANN, models=roles(server.base_url)) as r:
        await r.run("!workflows parlour,planning")
        here = await r.app.enter(r.caller, channel_name="general", mode="all")
        listed, refused = await r.run("!do", here), await r.say("!do critique Our plan.", by=here)
    assert (True, True, False) == ("parlour" in listed, "planning" in listed, "critique" in listed)
    assert "critique" in refused.text
    assert [] == server.requests
