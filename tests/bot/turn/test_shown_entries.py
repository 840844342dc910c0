"""The laws of answers made from entries of ledgers: they go no further and stay no longer than what these tell of."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from bot.config import ChunkSettings, MemorySettings, PromptSettings
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, MessageId, SpaceId
from bot.tools.retriever_tools import NAMED
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply, Step
from tests.rows import column, one

BOTH = (10, 20)
ANN = people.caller(admin=True, sees=BOTH)
SPACE = SpaceId(1)
MEMORY = MemorySettings(chunks=ChunkSettings(messages=4, skip=0, idle=timedelta(hours=6)))
TALK = ("We decided to paint the gate turquoise.", "Yes.", "Fine.", "Good.")
SAID = "SELECT count(*) FROM message WHERE role = 'hathi'"


class Model:
    """Looks up what is turquoise and says so; what it is to sum up it repeats."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def __call__(self, body: dict[str, Any]) -> Step:
        last = body["messages"][-1]
        if "response_format" in body:
            self.told.append(last["content"])
            return Reply(text=json.dumps({"summary": last["content"], "facts": []}))
        if last["role"] == "tool" or "tools" not in body:
            return Reply(text="They chose turquoise there.")
        return Reply(calls=((f"{NAMED}search", {"keywords": "turquoise"}),))


async def talk_of_old(r: Room, database: Database, *by: Caller) -> list[int]:
    """What was said, summed up, and is kept no longer; its ids."""
    for number, text in enumerate(TALK):
        await r.overhear(text, by[number % 2])
    await r.app.creator.run([SPACE])
    ids = await column(database, "SELECT message_id FROM message ORDER BY 1")
    r.clock.forward(days=8)
    async with database.connection() as connection:
        await connection.execute("DELETE FROM message")
    return ids


@asynccontextmanager
async def shown_entries(model: Model, database: Database, clock: Clock) -> AsyncGenerator[Room]:
    """A room whose prompts are told nothing of ledgers by themselves: what is shown of one was looked up."""
    async with (
        ModelServer(always=model) as server,
        room(
            database,
            clock,
            who=ANN,
            memory=MEMORY,
            prompt=PromptSettings(retrieved=()),
            models=roles(server.base_url, max_context=8192),
        ) as r,
    ):
        yield r


async def test_what_an_answer_tells_of_another_channels_ledger_becomes_no_memory_here(
    database: Database, clock: Clock
) -> None:
    """It is remembered where it was said, for those who can read that, as memories and messages of there are."""
    model = Model()
    async with shown_entries(model, database, clock) as r:
        there = [
            await r.app.enter(
                people.caller(name, person=person, channel=20, sees=BOTH), channel_name="news", mode="all"
            )
            for name, person in (("Ann", 7), ("Bob", 8))
        ]
        await talk_of_old(r, database, *there)
        await r.say("How are you today?")
        assert ["They chose turquoise there."] == await column(
            database, "SELECT content FROM message WHERE role = 'hathi'"
        )
        model.told.clear()
        for number in range(3):
            await r.overhear(f"Line {number} of ours.")
        await r.app.creator.run([SPACE])
    assert any("Line 2" in told for told in model.told)
    assert not any("turquoise" in told for told in model.told)


@pytest.mark.parametrize("how", ["deleted", "erased", "channel deleted"])
async def test_what_tells_of_words_that_are_kept_no_longer_goes_with_them(
    database: Database, clock: Clock, how: str
) -> None:
    """The entry that told of them, and the answer that was made from it in another channel."""
    async with shown_entries(Model(), database, clock) as r:
        bob = people.caller("Bob", person=8, channel=20, sees=BOTH)
        bob = await r.app.enter(bob, channel_name="news", mode="all")
        first, *_ = await talk_of_old(r, database, bob, people.caller(channel=20, sees=BOTH))
        await r.say("How are you today?")
        assert 1 == await one(database, SAID)
        now = clock.forward(seconds=1)
        match how:
            case "deleted":
                await r.app.discord_edits.deleted(SPACE, [MessageId(first)], now)
            case "erased":
                await r.app.personal_data.erase(bob.person_id, now=now)
            case _:
                await r.app.discord_edits.place_gone(SPACE, ChannelId(20), now)
        assert 0 == await one(database, SAID)
    held = "SELECT text FROM chunk WHERE channel_id = 20 UNION ALL SELECT text FROM chat_summary WHERE channel_id = 20"
    assert [] == await column(database, held)
