"""What stays the same comes first in every prompt, byte for byte, so that servers reuse what they have read before."""

import json
from contextlib import AsyncExitStack
from typing import Any, Final

import pytest

from bot.config import Roles, RoleSettings
from bot.db.pool import Database
from bot.domain import PlaceSetting
from bot.store.place_settings import PlaceSettings
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.model_server import ModelServer, Reply

ADA: Final = people.caller("Ada", admin=True)
BOB: Final = people.caller("Bob", person=8)
MODES: Final = ("tools", "delegation", "none")
SPEAKERS: Final = ("hathi", "household", "critic")
SUMMARY: Final = json.dumps({"summary": "They talked of boilers.", "facts": []})
FOUND: Final = "What did we say about the boiler?"
"""What is answered from what is found, by rules of its own behind those of every answer."""


def _role(server: ModelServer, **more: Any) -> RoleSettings:
    given: dict[str, Any] = {"base_url": server.base_url, "model": "scripted", "max_context": 32768}
    return RoleSettings(**given, **more)


async def _lived(r: Room) -> None:
    """Talk of days, with whatever may change what a prompt is made of."""
    ask, bob = r.say, await r.app.enter(BOB, channel_name="general", mode="all")
    await ask("Good to see you, how is the weather up there?")
    await r.run("!remember The boiler is serviced at noon. importance:9")
    await r.run("!remember The kiln is red. importance:9")
    await ask("Tell me a joke about boilers.")
    await r.run("!note Step one is done.")
    await ask("Write a verse on the moon.", bob)
    await ask("Remember that I park in bay 7. How far is the moon?")
    await r.run("!pin 1")
    await r.run("!edit 1 The boiler is serviced at nine.")
    r.clock.forward(days=3)
    await r.run("!age")
    await ask("Tell me a joke about noon.")
    await ask(FOUND)
    await r.reset()
    r.clock.forward(days=1)
    await ask("Good morning to you.")
    await r.run("!forget 2")
    await ask("Write a verse on the sun.", bob)
    await r.reset()


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize("mode", MODES)
async def test_every_role_begins_as_it_began(database: Database, clock: Clock, mode: str, speaker: str) -> None:
    """Whoever speaks, with the same tools: whatever is remembered, noted, forgotten, said or asked between turns."""

    def passing_on(body: dict[str, Any]) -> Reply:
        if mode == "delegation" and "tools" in body and body["messages"][-1]["role"] != "tool":
            return Reply(calls=(("llm_call", {"prompt": "Do what is asked."}),))
        return Reply(text="Quite so.")

    async with AsyncExitStack() as stack:
        thinker = await stack.enter_async_context(ModelServer(always=passing_on))
        worker = await stack.enter_async_context(ModelServer(always=Reply(text="Quite so.")))
        writer = await stack.enter_async_context(ModelServer(always=Reply(text=SUMMARY)))
        models = Roles(
            reasoning=_role(thinker, tools="none" if mode == "none" else "all"),
            execution=_role(worker) if mode == "delegation" else None,
            summarizer=_role(writer),
        )
        r = await stack.enter_async_context(room(database, clock, who=ADA, models=models))
        await PlaceSettings(database).set(r.caller, PlaceSetting.PERSONA, speaker, everywhere=False, now=clock())
        r.caller = await r.app.enter(r.caller, channel_name="general", mode="all")
        await _lived(r)
    asked = {
        "main": (thinker, 7),
        "below": (worker, 4 * (mode == "delegation")),
        "sums up": (writer, 2 * (speaker != "critic")),
    }
    for name, (server, least) in asked.items():
        assert (name, True) == (name, len(server.requests) >= least)
        assert {"system"} >= {request["messages"][0]["role"] for request in server.requests}
        begun = {(json.dumps(one.get("tools")), one["messages"][0]["content"]) for one in server.requests}
        offers = {tools for tools, _ in begun}
        for offer in offers:
            texts = sorted((text for tools, text in begun if tools == offer), key=len)
            assert all(text.startswith(texts[0]) for text in texts)
            # What is answered from what was found is asked without tools, by rules of its own behind the others.
            assert len(texts) <= 1 + (name == "main" and offer == "null")
        assert len(offers - {"null"}) <= 1 + (speaker != "hathi"), name


async def test_whoever_is_asked_to_keep_something_is_offered_to(database: Database, clock: Clock) -> None:
    """Tools come first for many servers: they are others only in a turn that asks to remember, of who may not write."""
    async with ModelServer(always=Reply(text="Quite so.")) as server:
        models = Roles(reasoning=_role(server))
        async with room(database, clock, who=ADA, models=models) as r:
            await PlaceSettings(database).set(
                r.caller, PlaceSetting.PERSONA, "household", everywhere=False, now=clock()
            )
            r.caller = await r.app.enter(r.caller, channel_name="general", mode="all")
            for text in (
                "How far is the moon?",
                "Remember that I park in bay 7. How far is the sun?",
                "How far is Mars?",
            ):
                await r.say(text)
    first, keeping, last = [{tool["function"]["name"] for tool in one["tools"]} for one in server.requests]
    assert (first, True, False) == (last, "memory_save" in keeping, "memory_save" in first)
    begun = [one["messages"][0]["content"] for one in server.requests]
    assert begun[0] == begun[2]
