"""The laws of what is told of messages that are not yet in memory."""

import json
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest

from bot.config import ChunkSettings, MemorySettings
from bot.db import statements
from bot.db.pool import Database
from bot.domain import Caller, MessageId, SpaceId
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import column

ANN, BOB = people.caller(admin=True, sees=(10, 11)), people.caller("Bob", person=8, sees=(10, 11))
THERE = people.caller("Bob", person=8, channel=11, sees=(10, 11))
OUTSIDE = people.caller("Cas", person=9)
SPACE = SpaceId(1)
FILLED = """
INSERT INTO channel (space_id, channel_id, name, mode, created_at, open_session_id, session_count)
SELECT 1, n, 'c', 'all', now(), n, 1 FROM generate_series(1, 50) AS n;
INSERT INTO tracker (space_id, channel_id, ledger_through)
SELECT 1, n, 100000 + n * 1000 + 395 FROM generate_series(1, 50) AS n;
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, said_at, search)
SELECT 1, 100000 + c * 1000 + n, c, c, 'person', 7, 'Ann', 'heron', now(), ''
FROM generate_series(1, 50) AS c, generate_series(1, 400) AS n;
ANALYZE"""
"""Fifty channels, in each of which all but the last five of 400 messages are in memory."""
THREADS = """
WITH thread AS (
    INSERT INTO channel (space_id, channel_id, name, mode, created_at, open_session_id, session_count, last_message_id,
                         origin_id)
    SELECT 1, n, 't', 'all', now(), n, 1, n + 1, 10 FROM generate_series(1000, 3980, 20) AS n RETURNING *)
INSERT INTO message (space_id, message_id, channel_id, place_id, session_id, role, author, content, said_at, search)
SELECT 1, last_message_id, 10, channel_id, channel_id, 'person', 'Bob', 'heron', now(), '' FROM thread
WHERE channel_id >= $1 RETURNING 1"""
"""A hundred and fifty threads of a channel; a message waits in those from a number on."""
SMALL = MemorySettings(chunks=ChunkSettings(messages=6, skip=2, idle=timedelta(hours=6)))


@pytest.fixture
async def here(database: Database, clock: Clock) -> AsyncGenerator[Room]:
    async with room(database, clock, who=ANN, memory=SMALL) as r:
        await r.app.enter(BOB, channel_name="general", mode="all")
        await r.app.enter(THERE, channel_name="other", mode="all")
        yield r


async def said(r: Room, count: int, by: Caller = BOB) -> list[int]:
    for number in range(count):
        await r.overhear(f"This is line number {number} of our talk.", by)
    newest = "SELECT message_id FROM message WHERE channel_id = $1 ORDER BY 1 DESC LIMIT $2"
    return sorted(await column(r.app.database, newest, by.channel_id, count))


async def lag(r: Room, who: Caller = ANN) -> tuple[int, int]:
    """Messages and channels, which must be what the metrics are told of the space as well."""
    found = await r.app.lag.of(who)
    if who is ANN:
        await r.app.lag.look([SPACE])
        assert found.messages == r.app.lag.messages
    return found.messages, found.channels


async def test_it_is_what_is_behind_the_tracker(here: Room) -> None:
    """What is said adds to it, a chunk takes all but the newest, a silence and a reset the rest."""
    assert (0, 0) == await lag(here)
    await said(here, 6)
    await said(here, 3, THERE)
    assert (9, 2) == await lag(here)
    await here.app.creator.run([SPACE])
    assert (5, 2) == await lag(here)
    told = await here.run("!status")
    assert ("5 messages" in told, "2 channels" in told) == (True, True)
    await here.reset()
    assert (3, 1) == await lag(here)
    here.clock.forward(hours=7)
    await said(here, 1, THERE)
    here.clock.forward(hours=7)
    await here.app.creator.run([SPACE])
    assert (0, 0) == await lag(here)


async def test_of_a_channel_that_is_not_seen_nothing_is_told(here: Room) -> None:
    """Not even how much is said there."""
    await said(here, 2)
    await said(here, 3, THERE)
    assert ((5, 2), (2, 1)) == (await lag(here), await lag(here, OUTSIDE))


@pytest.mark.parametrize(
    ("since", "told"), [(1000, "at least 100 messages in at least 100 channels"), (3000, "50 messages in 50 channels")]
)
async def test_of_many_threads_those_are_looked_at_where_something_was_said_last(
    here: Room, since: int, told: str
) -> None:
    """If something waits in the last of them, there may be more."""
    await column(here.app.database, THREADS, since)
    assert f"not yet in memory: {told}" in await here.run("!status")


async def test_what_is_taken_back_waits_no_more_and_the_rest_again(here: Room) -> None:
    """A deletion leaves the others of its chunk to be made again; whoever opts out is waited for no more."""
    ids = await said(here, 6)
    await here.app.creator.run([SPACE])
    await here.app.discord_edits.deleted(SPACE, [MessageId(ids[0])], here.clock.forward(seconds=1))
    assert (5, 1) == await lag(here)
    await here.app.creator.run([SPACE])
    assert (2, 1) == await lag(here)
    await said(here, 1, ANN)
    await here.run("!memory off me", BOB)
    assert (1, 1) == await lag(here)
    await here.run("!memory mode off")
    assert (0, 0) == await lag(here)


async def test_a_session_that_ended_waits_until_it_is_summarised(here: Room) -> None:
    """It is not out of sight because another one is open."""
    await said(here, 3)
    now = here.clock.forward(seconds=1)
    closed = await here.app.sessions.reset(ANN, discard=False, min_messages=1, now=now)
    assert closed is not None
    await said(here, 1)
    assert (4, 1) == await lag(here)
    await here.app.summaries.make(SPACE, closed.session_id)
    assert (1, 1) == await lag(here)


async def test_how_long_the_oldest_waits_goes_on_by_itself(here: Room) -> None:
    """Until another process looks after the space: then this one tells of it no more."""
    await said(here, 1)
    await here.app.schedule.upkeep()
    here.clock.forward(minutes=10)
    assert timedelta(minutes=10) == here.app.lag.waits_for
    here.clock.forward(hours=2)
    assert (0, timedelta(0)) == (here.app.lag.messages, here.app.lag.waits_for)


@pytest.mark.parametrize("name", ["here", "of_spaces"])
async def test_what_is_in_memory_is_not_read_again(database: Database, name: str) -> None:
    """Whatever was said before: the index of sessions leads behind each tracker, and no table is read as a whole."""
    async with database.connection() as connection:
        await connection.execute(FILLED)
        statement: Any = f"EXPLAIN (ANALYZE, FORMAT JSON) {statements.named(f'memory_lag.{name}')}"
        args = (1, [*range(1, 51)], 100) if name == "here" else ([1],)
        plan = json.loads(await connection.fetchval(statement, *args))[0]["Plan"]
    nodes, found = [plan], list[dict[str, Any]]()
    while nodes:
        node = nodes.pop()
        nodes += node.get("Plans", [])
        found += [node] if node.get("Relation Name") == "message" else []
    assert {"message_session"} == {node.get("Index Name") for node in found if node["Actual Loops"]}
    assert 250 == sum(node["Actual Rows"] * node["Actual Loops"] for node in found)
