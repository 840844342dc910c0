"""The laws of what making memory may cost: counted for space and day, never passed, and taken up the next day."""

import asyncio
import io
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot import errors, log
from bot.config import ChunkSettings, MemoryBudgetSettings, MemorySettings
from bot.db.pool import Database
from bot.domain import MessageId, SpaceId, WorkerId
from bot.lifecycle import creator
from bot.llm.messages import ChatMessage
from bot.llm.tokens import estimate, estimate_messages
from bot.store import memory_use
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import USAGE, ModelServer, Reply, Status
from tests.rows import column, one, rows

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
SPACE = SpaceId(1)
COUNT = "SELECT count(*) FROM chunk"
VERSIONS = "SELECT count(*) FROM chat_summary WHERE chunk_id IS NOT NULL"
USED = "SELECT calls, tokens_in, tokens_out FROM memory_use ORDER BY day"
PLENTY = 1_000_000
MADE = Reply(text=json.dumps({"summary": "They talked.", "facts": []}))
A_CALL = USAGE["prompt_tokens"] + USAGE["completion_tokens"]


@asynccontextmanager
async def talking(
    database: Database,
    clock: Clock,
    server: ModelServer,
    *,
    calls: int = PLENTY,
    tokens: int = PLENTY,
    worker: str | None = None,
) -> AsyncGenerator[Room]:
    """A process whose summarizer is the server, in a channel where six messages are enough."""
    memory = MemorySettings(
        chunks=ChunkSettings(messages=6, skip=0, idle=timedelta(hours=6)),
        budget=MemoryBudgetSettings(calls=calls, tokens=tokens),
    )
    models = roles(server.base_url, max_context=8192)
    named = None if worker is None else WorkerId(worker)
    async with room(database, clock, who=ANN, memory=memory, models=models, worker=named) as r:
        yield r


async def said(r: Room, count: int = 6, *, channel: int = 10, space: int = 1) -> list[int]:
    """The ids of so many messages."""
    there = people.caller("Bob", person=8, channel=channel, space=space, sees=(channel,))
    await r.app.enter(there, channel_name=f"channel-{channel}", mode="all")
    for number in range(count):
        await r.overhear(f"This is line number {number} of our talk.", there)
    newest = "SELECT message_id FROM message WHERE channel_id = $1 ORDER BY 1 DESC LIMIT $2"
    return sorted(await column(r.app.database, newest, channel, count))


async def made(r: Room) -> int:
    return (await r.app.creator.run([SPACE])).made


def samples(r: Room) -> dict[tuple[str, ...], float]:
    """What is counted of making memory."""
    families = text_string_to_metric_families(r.app.metrics.exposition(None).decode())
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
        if sample.name.startswith("hathi_memory_")
    }


async def test_every_call_is_counted_with_its_tokens(database: Database, clock: Clock) -> None:
    """Of chunks, of the summary rolled from them, of failures, and of a reset."""
    failing = Status(status=400)
    async with (
        ModelServer(MADE, MADE, Reply(text="They talked."), failing, always=MADE) as server,
        talking(database, clock, server) as r,
    ):
        await said(r)
        assert 1 == await made(r)
        await said(r)
        # A version needs one before it: this chunk is rolled, and the next can't be made.
        assert 1 == await made(r)
        await said(r)
        assert 0 == await made(r)
        assert [(4, 3 * USAGE["prompt_tokens"], 3 * USAGE["completion_tokens"])] == await rows(database, USED)
        assert 4 == samples(r)["hathi_memory_calls_total",]
        await r.reset()
        assert [(5, 4 * USAGE["prompt_tokens"], 4 * USAGE["completion_tokens"])] == await rows(database, USED)
        assert len(server.requests) == 5
        assert {
            ("hathi_memory_calls_total",): 5,
            ("hathi_memory_tokens_total", "in"): 4 * USAGE["prompt_tokens"],
            ("hathi_memory_tokens_total", "out"): 4 * USAGE["completion_tokens"],
            ("hathi_memory_chunks_total", "model"): 3,
            ("hathi_memory_chunks_total", "rule"): 0,
        }.items() <= samples(r).items()


async def test_what_its_server_still_had_is_counted(database: Database, clock: Clock) -> None:
    """Beside all that was read for memory, of which it is a part."""
    step = Reply(text=MADE.text, details={"cached_tokens": 5})
    async with ModelServer(always=step) as server, talking(database, clock, server) as r:
        await said(r)
        assert 1 == await made(r)
        assert {
            ("hathi_memory_cached_tokens_total",): 5 * len(server.requests),
            ("hathi_memory_tokens_total", "in"): USAGE["prompt_tokens"] * len(server.requests),
        }.items() <= samples(r).items()


async def test_a_server_that_does_not_count_is_estimated(database: Database, clock: Clock) -> None:
    """No tokens told are not no tokens used."""
    prompt = [ChatMessage(role="user", content="What was said? " * 50)]
    async with (
        ModelServer(always=Reply(text="They talked.", usage=False)) as server,
        talking(database, clock, server) as r,
    ):
        await r.app.creator.distiller.summarizer.complete(SPACE, prompt)
        assert [(1, estimate_messages(prompt), estimate("They talked."))] == await rows(database, USED)


@pytest.mark.parametrize("budget", [{"calls": 1}, {"tokens": A_CALL}], ids=["calls", "tokens"])
async def test_a_spent_budget_stops_calls_until_the_next_day(
    database: Database, clock: Clock, budget: dict[str, Any]
) -> None:
    """Nothing is skipped meanwhile, nothing counts as a failure, and it is told once."""
    written = io.StringIO()
    log.configure(to=written)
    async with ModelServer(always=MADE) as server, talking(database, clock, server, **budget) as r:
        ids = await said(r)
        assert 1 == await made(r)
        ids += await said(r, 12)
        others = await said(r, channel=11)
        assert (0, 1) == (await made(r), len(server.requests))
        waiting = await rows(database, "SELECT attempts, next_at, worker FROM tracker ORDER BY channel_id")
        assert waiting == [(0, memory_use.next_day(clock()), None)] * 2
        clock.forward(hours=6)
        await r.app.schedule.upkeep()
        assert (1, 1) == (len(server.requests), await one(database, COUNT))
        assert "used up" in await r.run("!status")
        clock.now = memory_use.next_day(clock())
        assert "used up" not in await r.run("!status")
        await r.app.schedule.upkeep()
        # Of two channels at once each may have begun before the other's tokens were known.
        assert 1 < await one(database, COUNT) <= 1 + creator.AT_ONCE
        for _ in range(2):
            clock.now = memory_use.next_day(clock())
            await r.app.schedule.upkeep()
        assert sorted([*ids, *others]) == await column(database, "SELECT unnest(messages) AS id FROM chunk ORDER BY 1")
        assert 0 == await one(database, f"{COUNT} WHERE model = 'extraction'")
    told = [line for line in map(json.loads, written.getvalue().splitlines()) if line["event"] == "memory.budget_spent"]
    assert len(told) == len({line["until"] for line in told})
    assert told


async def test_two_processes_share_a_budget(database: Database, clock: Clock) -> None:
    """Whichever calls first; together they make no more than are left, though all channels are due."""
    async with (
        ModelServer(always=MADE) as server,
        talking(database, clock, server, calls=3) as first,
        talking(database, clock, server, calls=3, worker="another") as second,
    ):
        for channel in range(10, 18):
            await said(first, channel=channel)
        counts = await asyncio.gather(made(first), made(second))
        assert (3, 3, 3) == (sum(counts), len(server.requests), await one(database, COUNT))


async def test_of_another_space_nothing_is_taken(database: Database, clock: Clock) -> None:
    """Each has its own budget."""
    async with ModelServer(always=MADE) as server, talking(database, clock, server, calls=1) as r:
        await said(r)
        await said(r, channel=20, space=2)
        assert 2 == (await r.app.creator.run([SPACE, SpaceId(2)])).made
        assert [(1, 1), (2, 1)] == await rows(database, "SELECT space_id, calls FROM memory_use ORDER BY 1")


async def test_a_version_that_can_not_be_paid_is_appended(database: Database, clock: Clock) -> None:
    """The summary knows of what was made with the last call."""
    async with ModelServer(always=MADE) as server, talking(database, clock, server, calls=2) as r:
        for _ in range(2):
            await said(r)
            await made(r)
        models = await column(database, "SELECT model FROM chat_summary WHERE chunk_id IS NOT NULL ORDER BY chunk_id")
        assert models == ["extraction", "extraction"]
        assert 2 == len(server.requests)


async def test_a_summary_is_made_anew_though_its_channel_waits(database: Database, clock: Clock) -> None:
    """By appending: whoever asked for it is not left without one until tomorrow."""
    async with ModelServer(always=MADE) as server, talking(database, clock, server, calls=1) as r:
        await said(r)
        await made(r)
        await said(r)
        await made(r)
        await r.run("!summary rebuild")
        await r.app.background.settled(10)
        assert (1, 1) == (await one(database, VERSIONS), len(server.requests))
        assert memory_use.next_day(clock()) == await one(database, "SELECT next_at FROM tracker")


async def test_a_reset_that_somebody_asked_for_is_never_refused(database: Database, clock: Clock) -> None:
    """It is counted all the same; a session that ends by itself waits for the next day."""
    async with ModelServer(always=MADE) as server, talking(database, clock, server, calls=1) as r:
        await said(r)
        await made(r)
        await said(r, 3)
        assert "Summarized 9 messages" in await r.reset()
        assert 2 == await one(database, "SELECT calls FROM memory_use")
        clock.forward(days=1)
        await said(r, 2)
        clock.forward(days=8)
        await said(r, channel=11)
        await made(r)
        asked = len(server.requests)
        await r.app.schedule.upkeep()
        waiting = "SELECT next_attempt_at FROM session WHERE state = 'closed'"
        assert (asked, memory_use.next_day(clock())) == (len(server.requests), await one(database, waiting))
        clock.now = memory_use.next_day(clock())
        await r.app.schedule.upkeep()
        assert (asked + 1, None) == (len(server.requests), await one(database, waiting))


async def test_a_session_that_nobody_asked_for_is_made_within_the_budget(database: Database, clock: Clock) -> None:
    """Chunk by chunk, each day as much as there is; what is made stays, and waiting is no failure."""
    async with ModelServer(always=MADE) as server, talking(database, clock, server, calls=2) as r:
        ids = await said(r, 24)
        clock.forward(days=8)
        await r.app.schedule.upkeep()
        tomorrow = memory_use.next_day(clock())
        waiting = "SELECT attempts, next_attempt_at FROM session WHERE state = 'closed'"
        assert ([(0, tomorrow)], 2) == (await rows(database, waiting), len(server.requests))
        clock.now = tomorrow
        await r.app.schedule.upkeep()
        assert ([], 4) == (await rows(database, waiting), len(server.requests))
        assert ids == await column(database, "SELECT unnest(messages) AS id FROM chunk ORDER BY 1")


async def test_what_is_begun_is_brought_to_its_end(database: Database, clock: Clock) -> None:
    """An answer that can't be used is asked for once more with the last call: else every day would begin it anew."""
    async with (
        ModelServer(Reply(text="I would rather not."), always=MADE) as server,
        talking(database, clock, server, calls=1) as r,
    ):
        await said(r)
        assert (1, 2) == (await made(r), len(server.requests))


async def test_no_budget_is_no_model(database: Database, clock: Clock) -> None:
    """Memory is made by rule then, a reset's too, and nothing waits."""
    async with ModelServer(always=MADE) as server, talking(database, clock, server, calls=0) as r:
        await said(r)
        assert 1 == await made(r)
        await said(r)
        assert "Summarized 12 messages" in await r.reset()
        assert (["extraction"] * 2, []) == (await column(database, "SELECT model FROM chunk"), server.requests)
        assert 2 == samples(r)["hathi_memory_chunks_total", "rule"]


async def test_what_is_taken_back_is_made_again_within_budget(database: Database, clock: Clock) -> None:
    """It goes at once, and what is left of it is made when there is something to make it with."""
    async with ModelServer(always=MADE) as server, talking(database, clock, server, calls=1) as r:
        ids = await said(r)
        await made(r)
        await r.app.discord_edits.deleted(SPACE, [MessageId(ids[2])], clock.forward(seconds=1))
        assert (0, 0, 1) == (await made(r), await one(database, COUNT), len(server.requests))
        clock.now = memory_use.next_day(clock())
        await r.app.schedule.upkeep()
        assert [*ids[:2], *ids[3:]] == await column(database, "SELECT unnest(messages) AS id FROM chunk ORDER BY 1")


async def test_what_a_model_failed_at_is_marked(database: Database, clock: Clock) -> None:
    """Log, metrics and `!summary` tell of what is made by rule for it."""
    written = io.StringIO()
    log.configure(to=written)
    async with ModelServer(always=Status(status=400)) as server, talking(database, clock, server) as r:
        await said(r)
        for _ in range(creator.MOST_FAILURES):
            assert 0 == await made(r)
            clock.forward(minutes=31)
        assert 1 == await made(r)
        assert "by rule" in await r.run("!summary")
        assert 1 == samples(r)["hathi_memory_chunks_total", "rule"]
    events = [json.loads(line)["event"] for line in written.getvalue().splitlines()]
    assert 1 == events.count("chunk.made_by_rule")


async def test_use_is_kept_for_thirty_days(database: Database, clock: Clock) -> None:
    """Emptying a space takes the days before, and not the budget that is used up."""
    async with ModelServer(always=MADE) as server, talking(database, clock, server, calls=1) as r:
        use: Any = memory_use.MemoryUse(database)
        for _ in range(40):
            assert await use.begin(SPACE, memory_use.day_of(clock()), within=(1, 1))
            clock.forward(days=1)
        await r.app.schedule.tidy()
        days = await column(database, "SELECT day FROM memory_use ORDER BY day")
        assert (30, memory_use.day_of(clock()) - memory_use.KEEP_DAYS) == (len(days), days[0])
        assert await use.begin(SPACE, memory_use.day_of(clock()), within=(1, 1))
        await r.run("!memory erase confirm")
        await r.app.background.settled(20)
        assert [(1, 0, 0)] == await rows(database, USED)
        with pytest.raises(errors.BudgetSpent):
            await r.app.creator.distiller.summarizer.complete(SPACE, [ChatMessage(role="user", content="Well?")])
