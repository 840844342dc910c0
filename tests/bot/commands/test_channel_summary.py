"""The laws of `!summary`."""

from datetime import timedelta

import pytest

from bot import errors
from bot.commands.channel_summary import UNSUMMED, WITHHELD
from bot.config import ChunkSettings, MemorySettings
from bot.db.pool import Database
from bot.domain import SpaceId
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer
from tests.rows import column

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
SMALL = MemorySettings(chunks=ChunkSettings(messages=4, skip=0, idle=timedelta(hours=6)))
MANY = """
INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model,
                   created_at)
SELECT 1, n, 10, 1, n, '', ARRAY[n], 'heron', 'extraction', now() FROM generate_series(2, 1200) AS n RETURNING 1"""
"""More entries of a ledger than are counted."""
ROLLED = """
INSERT INTO chat_summary (space_id, summary_id, channel_id, chunk_id, text, raw, message_count, model, created_at)
VALUES (1, 1, 10, 1200, 'Herons nest here.', '', 1, 'm', now()) RETURNING 1"""
VERSIONS = "SELECT summary_id FROM chat_summary WHERE chunk_id IS NOT NULL"


async def talk(r: Room, *texts: str) -> None:
    for text in texts:
        await r.overhear(text, BOB)
    await r.app.creator.run([SpaceId(1)])


async def test_it_tells_the_summary_with_its_date_and_reach(database: Database, clock: Clock) -> None:
    """From the first message to the last it tells of, and when it was made.

    “FullChatSummary”
    """
    async with room(database, clock, who=ANN, memory=SMALL) as r:
        await talk(r, "We decided to use Rust.", "Yes.", "Fine.", "Good.")
        clock.forward(hours=2)
        await talk(r, "The party is on 12 May.", "Yes.", "Fine.", "Good.")
        told = await r.run("!summary", BOB)
    head, *rest = told.splitlines()
    assert head == (
        "This channel from 2026-03-02 12:00 UTC to 2026-03-02 14:00 UTC, summed up on 2026-03-02 14:00 UTC:"
    )
    assert ("Rust" in rest[0], "12 May" in "".join(rest)) == (True, True)


@pytest.mark.parametrize("line", ["!summary", "!summary rebuild"])
async def test_where_there_is_none_it_says_when_there_will_be(database: Database, clock: Clock, line: str) -> None:
    async with room(database, clock, who=ANN, memory=SMALL) as r:
        told = await r.run(line)
    assert told.startswith("There is no summary of this channel yet")
    assert ("4 messages" in told, "6 hours" in told) == (True, True)


async def test_it_is_made_anew_from_the_ledger(database: Database, clock: Clock) -> None:
    """By whoever manages the server."""
    async with room(database, clock, who=ANN, memory=SMALL) as r:
        await talk(r, "We decided to use Rust.", "Yes.", "Fine.", "Good.")
        before = await column(database, VERSIONS)
        with pytest.raises(errors.NotAllowed):
            await r.run("!summary rebuild", BOB)
        told = await r.run("!summary rebuild")
        await r.app.background.settled(10)
        after = await column(database, VERSIONS)
        assert "Rust" in await r.run("!summary")
    assert ("from 1 entry" in told, "!summary" in told) == (True, True)
    assert (len(before), len(after), before != after) == (1, 1, True)


async def test_of_another_channel_it_tells_nothing(database: Database, clock: Clock) -> None:
    """Only what was said here."""
    async with room(database, clock, who=ANN, memory=SMALL) as r:
        await talk(r, "We decided to use Rust.", "Yes.", "Fine.", "Good.")
        there = people.caller(channel=11, sees=(10, 11))
        await r.app.enter(there, channel_name="other", mode="all")
        assert "Rust" not in await r.run("!summary", there)


async def test_where_it_is_gone_it_says_why(database: Database, clock: Clock) -> None:
    """Withheld since something was forgotten, being made of what is left, or begun afresh by a reset."""
    async with room(database, clock, who=ANN, memory=SMALL) as r:
        await talk(r, "The vault code is 4417.", "Yes.", "Fine.", "Good.")
        number = (await column(database, "SELECT memory_id FROM memory WHERE content LIKE '%4417%'"))[0]
        await r.run(f"!forget {number}")
        until = f"{WITHHELD} 2026-03-02 12:10"
        alone = [await r.run(line) for line in ("!summary", "!summary rebuild")]
        assert [(True, False)] * 2 == [(until in told, "!summary rebuild" in told) for told in alone]
        await talk(r, "We decided to use Rust.", "Yes.", "Fine.", "Good.")
        await column(database, "DELETE FROM chat_summary RETURNING 1")
        with_rest = await r.run("!summary")
        assert (True, True) == (until in with_rest, "!summary rebuild" in with_rest)
        await r.run("!undo")
        assert "2 entries" in await r.run("!summary")
        await r.reset()
        told = await r.run("!summary")
    assert (True, True, True) == (
        told.startswith(UNSUMMED),
        "last reset on 2026-03-02 12:00" in told,
        "6 hours" in told,
    )


async def test_of_a_long_ledger_it_tells_as_much_as_it_counts(database: Database, clock: Clock) -> None:
    """Where a summary is being made, and of one how much no model made, from the first message on."""
    async with ModelServer() as server, room(database, clock, who=ANN, models=roles(server.base_url)) as r:
        await column(database, MANY)
        waiting = await r.run("!summary")
        await column(database, ROLLED)
        head, _, by_rule = (await r.run("!summary")).splitlines()
    assert "at least 1000 entries" in waiting
    assert head.startswith("This channel from 2015-01-01 00:00 UTC")
    assert ("at least 1000 entries" in by_rule, "at least 1000 made" in by_rule) == (True, True)
