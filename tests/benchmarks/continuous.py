"""Memory that keeps up by itself: what it adds to a turn, how fast history is taken in, how far it lags."""

import asyncio
import json
import resource
import time
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bot.app import all_retrievers
from bot.config import BudgetSettings, DatabaseSettings, Settings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, SpaceId, new_id
from bot.prompting import earlier
from bot.recall.librarian import Librarian
from bot.recall.retrievers.retrieval import MOST, Retriever, Wanted
from bot.transfer.foreign.taking_in import Takeover, take_in
from tests import people
from tests.benchmarks import servers
from tests.benchmarks.timing import milliseconds, p50, rounds
from tests.conftest import Clock
from tests.conversations import room

NOW: Final = datetime(2026, 3, 2, tzinfo=UTC)
A_CHUNK: Final = 60
SAID: Final = "The orchard's {n}th tree was cut on day {n}, and Mira has its key 4{n}."
FILLED: Final = """
    INSERT INTO chunk (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model,
                       created_at)
    SELECT 1, first + size - 1, channel, channel, first, '',
           ARRAY(SELECT first + k FROM generate_series(0, size - 1) AS k),
           repeat('The orchard and its ' || n || 'th tree were spoken of. ', 6), 'scripted', $4
    FROM (SELECT $1::bigint AS channel, $3::bigint AS size, n, $1::bigint * 1000000000 + n * $3::bigint AS first
          FROM generate_series(0, $2::bigint / $3::bigint - 1) AS n) AS chunks"""
SUMMED: Final = """
    INSERT INTO chat_summary (space_id, summary_id, channel_id, chunk_id, text, raw, message_count, model, created_at)
    SELECT 1, chunk_id, channel_id, chunk_id, repeat('The orchard was spoken of. ', 60), '', 60, 'scripted', created_at
    FROM chunk WHERE space_id = 1"""
SESSION: Final = """
    INSERT INTO session (space_id, session_id, channel_id, number, state, opened_at)
    VALUES (1, $1, $1, 1, 'open', $2)"""


async def run(*, small: bool) -> dict[str, float]:
    few, many, taken, asked = (120, 1200, 300, 10) if small else (1000, 100_000, 50_000, 400)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        folder = stack.enter_context(servers.folder())

        async def opened(name: str) -> Database:
            dsn = await servers.database(server, name)
            return await stack.enter_async_context(pool.opened(dsn, DatabaseSettings()))

        figures = await _imported(await opened("taken"), folder / "export.json", taken)
        figures |= await _added(await opened("grown"), few, many, asked, rounds(small=small))
        return figures | await _lag(await opened("talking"), channels=2 if small else 20)


async def _imported(database: Database, file: Path, count: int) -> dict[str, float]:
    """Messages of a Discord export a second, and by how much the process grew at most."""
    await asyncio.to_thread(file.write_text, _export(count), encoding="utf-8")
    before, started = _peak(), time.perf_counter()
    tally = await take_in(database, file, Takeover(space_id=SpaceId(5), write=True, now=NOW))
    passed = time.perf_counter() - started
    assert sum(tally.came.values()) >= count
    return {"import_per_s": count / passed, "import_rss_mb": _peak() - before}


async def _added(database: Database, few: int, many: int, asked: int, count: int) -> dict[str, float]:
    """What is retrieved for a prompt in a channel of few messages and one of many, in turn."""
    async with database.connection() as connection:
        await connection.execute(
            "INSERT INTO space (space_id, language, time_zone, created_at) VALUES (1, 'english', 'UTC', $1)", NOW
        )
        for channel, messages in ((1, few), (2, many)):
            await connection.execute(
                "INSERT INTO channel (space_id, channel_id, name, mode, created_at) VALUES (1, $1, 'c', 'all', $2)",
                channel,
                NOW,
            )
            await connection.execute(SESSION, channel, NOW)
            await connection.execute(FILLED, channel, messages, A_CHUNK, NOW)
        await connection.execute(SUMMED)
        await connection.execute("ANALYZE")
    librarian = Librarian(database)
    known = all_retrievers(database, librarian, lambda: NOW)
    chosen = known.named(Settings().prompt.retrieved)
    middles: list[tuple[float, float]] = []
    for number in range(count + 1):
        small, large = list[float](), list[float]()
        for n in range(asked):
            for times, channel in ((small, 1), (large, 2)) if n % 2 else ((large, 2), (small, 1)):
                times.append(await milliseconds(_retrieved(chosen, _caller(channel))))
        if number:  # the first round is for plans and caches
            middles.append((p50(small), p50(large)))
    return {
        "added_p50_ms": p50([large for _, large in middles]),
        "growth_ratio": p50([large / small for small, large in middles]),
    }


async def _retrieved(chosen: list[Retriever], caller: Caller) -> None:
    wanted = Wanted(caller=caller, most=MOST, after_reset=True)
    found = [passage for one in chosen for passage in (await one.retrieve(wanted)).passages]
    assert earlier.block(found, None, BudgetSettings(), "UTC").text


async def _lag(database: Database, *, channels: int) -> dict[str, float]:
    """Seconds until what was said in many channels at once is in memory, without a model."""
    async with room(database, Clock(), who=people.caller(admin=True)) as r:
        for channel in range(channels):
            by = people.caller(channel=100 + channel, sees=(100 + channel,))
            await r.app.enter(by, channel_name=f"c{channel}", mode="all")
            for n in range(A_CHUNK + 10):
                await r.overhear(SAID.format(n=n), by)
        started = time.perf_counter()
        while (await r.app.creator.run([SpaceId(1)])).made:
            pass
        return {"lag_s": time.perf_counter() - started}


def _caller(channel: int) -> Caller:
    return people.caller(channel=ChannelId(channel), sees=(channel,))


def _peak() -> float:
    """The most memory this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _export(count: int) -> str:
    began = NOW - timedelta(minutes=count)
    messages: list[dict[str, Any]] = [
        {
            "id": str(new_id(began + timedelta(minutes=n))),
            "type": "Default",
            "timestamp": (began + timedelta(minutes=n)).isoformat(),
            "timestampEdited": None,
            "isPinned": False,
            "content": SAID.format(n=n),
            "author": {"id": str(700 + n % 9), "name": f"Ann{n % 9}", "discriminator": "0000", "isBot": False},
            "attachments": [],
            "embeds": [],
            "reactions": [],
            "mentions": [],
        }
        for n in range(count)
    ]
    channel = {
        "id": "77",
        "type": "GuildTextChat",
        "categoryId": None,
        "category": None,
        "name": "orchard",
        "topic": None,
    }
    return json.dumps(
        {
            "guild": {"id": "5", "name": "Grove"},
            "channel": channel,
            "dateRange": {"after": None, "before": None},
            "exportedAt": NOW.isoformat(),
            "messages": messages,
            "messageCount": count,
        }
    )
