"""The law of stored trails: each kind of turn keeps its own parts, a part it did not come to is no key; all is read."""

from typing import Any

import pytest

from bot.db.pool import Database
from bot.store.trail import Trail
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply, Status
from tests.rows import one

ANN = people.caller("Ann", admin=True)
DOWN = Status(status=400)
CHOSE, POISON = "We chose Postgres for the shop (#1).", "Burning plastic makes poison gas"
RECALL = Reply(calls=(("memory_recall", {"query": "sea"}), ("nope", {})))
ALWAYS = {"waited", "holds_others"}
OF_MODEL = {"around", "history", "left_out", "tools"}
OF_WALK = {"asked", "grounded", "sources", "walk"}
OF_BOTH = (OF_MODEL | OF_WALK) - {"tools"}


async def kept(r: Room, database: Database, text: str) -> dict[str, Any]:
    """The trail of what is said now, which is read whole."""
    await r.say(text)
    stored = await one(database, "SELECT trail FROM turn ORDER BY turn_id DESC LIMIT 1")
    assert stored == Trail.of(stored).as_json()
    return stored


@pytest.mark.parametrize(
    ("text", "steps", "parts", "outcome"),
    [
        ("Thanks!", [], set[str](), None),
        ("Write a poem about the moon.", [Reply(text="No.")], OF_MODEL, None),
        ("Write a poem about my holidays.", [RECALL, Reply(text="No.")], OF_MODEL | {"sources"}, None),
        ("Who was Caesar?", [Reply(text="A Roman.")], OF_MODEL | {"asked"}, None),
        ("Which database did we choose for the shop?", [Reply(text=CHOSE)], OF_BOTH, "checked"),
        ("Which database did we choose for the shop?", [DOWN], OF_BOTH, "unreachable"),
        (
            f"Is it true that {POISON}?",
            [Reply(text="NOTHING"), Reply(text="Ask.")],
            (OF_BOTH | OF_MODEL) - {"sources", "grounded"},
            None,
        ),
        ("What did we decide about the zeppelin?", [Reply(text="Zeppelins were airships.")], OF_BOTH, "free"),
        ("What did we decide about the zeppelin?", [Reply(text="NOTHING")], OF_BOTH, "none"),
        ("forget what I said about the poison plastic shop", [], {"forgets"}, None),
    ],
)
async def test_each_kind_of_answer_keeps_its_own_parts(
    database: Database, clock: Clock, text: str, steps: list[Any], parts: set[str], outcome: str | None
) -> None:
    """Where there is a model: by a set phrase, by it alone, from memory, from nothing, by memory in its place."""
    async with (
        ModelServer(Reply(text="I see.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        await r.say("We went to the sea.")
        await r.run("!remember We chose Postgres for the shop. topic:shop")
        await r.run(f"!remember {POISON}. topic:workshop")
        server.steps += steps
        stored = await kept(r, database, text)
    assert (parts | ALWAYS, outcome) == ({*stored}, stored.get("grounded", {}).get("outcome"))


@pytest.mark.parametrize(
    ("text", "parts", "outcome"),
    [
        ("The bread is in the oven.", set[str](), None),
        ("When was the deploy window again?", OF_WALK, "offline"),
        ("What did we decide about the zeppelin?", OF_WALK, "none"),
    ],
)
async def test_each_kind_of_answer_without_a_model_keeps_its_own_parts(
    database: Database, clock: Clock, text: str, parts: set[str], outcome: str | None
) -> None:
    """What was heard keeps nothing; a walk keeps all of it, with no sources where it found none."""
    async with room(database, clock, who=ANN) as r:
        await r.say("The deploy window is on Tuesdays.")
        stored = await kept(r, database, text)
    assert (parts | ALWAYS, outcome) == ({*stored}, stored.get("grounded", {}).get("outcome"))
    assert outcome != "none" or stored["sources"] == []
