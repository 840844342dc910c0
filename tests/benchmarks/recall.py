"""Recall in a large space: against a bare `ts_rank`, against the same space among fewer others, and after writing.

`ratio` is the middle recall over the middle bare query: the 200 best messages by `ts_rank`, from the same index, by a
query made once. `growth_ratio` is the middle recall with 1,000,000 messages in other spaces over the one with 10,000.
Sessions of all spaces lie as they were said, one between others. All three are asked the same questions, in turns.
`indexed_per_s` counts messages that `Turns.overhear` recorded, each found from then on: by one process, in as many
channels at once as its pool has connections, with one statement and one commit on disk a message, into the large
database; `indexed_alone_per_s` is what one channel brings, which waits for the disk after each. `after_writing_ms` is a
recall when they have talked.
`cap` messages and as many memories are scored with what stands beside them; `cap_kept` is the share of the first ten
results of a cap ten times as large that the cap leaves among the first ten.
"""

import asyncio
import itertools
import random
import time
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from typing import Final
from unittest import mock

from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import ChannelId, Message, MessageId, Recollection, Role, new_id
from bot.infra import leases
from bot.recall import search
from bot.recall.librarian import Librarian
from bot.recall.query import Query
from bot.store.spaces import Spaces
from bot.store.turns import Turns
from tests.benchmarks import community, history, servers
from tests.benchmarks.community import NOW
from tests.benchmarks.history import SPACE, History
from tests.benchmarks.timing import milliseconds, p50, p95, rounds
from tests.benchmarks.vocabulary import Vocabulary

# The query is made once: written where it is used, the function would be called anew for each row.
BARE: Final = """
WITH q AS MATERIALIZED (SELECT any_word('english', $3) AS words)
SELECT message_id FROM q, message
WHERE space_id = $1 AND hidden_at IS NULL AND role = 'person' AND channel_id = ANY ($2::bigint[]) AND search @@ words
ORDER BY ts_rank(search, words) DESC LIMIT 200
"""
FIRST: Final = 10
LIMIT: Final = 20
WRITERS: Final = DatabaseSettings().pool_size
TALKED_IN: Final = ChannelId(SPACE * 10)


class _Asker:
    """Questions to the space, in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._caller = community.caller(SPACE)
        self._librarian = Librarian(database)

    async def recall(self, question: str) -> Recollection:
        return await self._librarian.recall(self._caller, Query(text=question, as_of=NOW, limit=LIMIT, least=0.0))

    async def bare(self, question: str) -> None:
        async with self._database.connection() as connection:
            await connection.fetch(BARE, SPACE, self._caller.visible, question)


async def run(*, small: bool) -> dict[str, float]:
    rows, much, little, asked, said = (1_000, 2_000, 500, 4, 40) if small else (100_000, 1_000_000, 10_000, 60, 4_000)
    spaces = history.FEW_SPACES if small else history.SPACES
    async with AsyncExitStack() as stack:
        opened: list[Database] = []
        for name, outside in (("large", much), ("little", little)):
            # A server each: in one they would drive each other's pages out of its memory.
            server = await stack.enter_async_context(servers.postgres())
            dsn = await servers.database(server, name)
            await history.load(dsn, History(rows=rows, outside=outside, spaces=spaces))
            opened.append(await stack.enter_async_context(pool.opened(dsn, DatabaseSettings())))
        large, few = _Asker(opened[0]), _Asker(opened[1])
        figures = await _timed(large, few, asked, rounds(small=small))
        return figures | await _cap(large, asked) | await _written(opened[0], large, said, asked)


async def _timed(large: _Asker, few: _Asker, asked: int, count: int) -> dict[str, float]:
    """Every round asks everything in turn, so that what else the machine does falls on all alike."""
    works = {"recall": large.recall, "bare": large.bare, "few": few.recall}
    middles: list[dict[str, float]] = []
    everything: list[float] = []
    for number in range(count + 1):
        questions = history.questions(asked, seed=number)
        times: dict[str, list[float]] = {name: [] for name in works}
        for n in range(asked):
            # Whoever goes first finds the caches as the last one left them: they take turns at it. Each asks another
            # question, and by the end of the round everyone has asked them all.
            names = [*works][n % len(works) :] + [*works][: n % len(works)]
            for name in names:
                own = [*works].index(name) * asked // len(works)
                times[name].append(await milliseconds(works[name](questions[(n + own) % asked])))
        if number:  # the first round is for plans and caches
            middles.append({name: p50(values) for name, values in times.items()})
            everything += times["recall"]
    return {
        "ratio": p50([r["recall"] / r["bare"] for r in middles]),
        "growth_ratio": p50([r["recall"] / r["few"] for r in middles]),
        "p50_ms": p50([r["recall"] for r in middles]),
        "p95_ms": p95(everything),
        "bare_ms": p50([r["bare"] for r in middles]),
        "few_ms": p50([r["few"] for r in middles]),
    }


async def _cap(asker: _Asker, asked: int) -> dict[str, float]:
    kept: list[float] = []
    for question in history.questions(asked, seed=100):
        capped = await asker.recall(question)
        with mock.patch.object(search, "CORE", 10 * search.CORE):
            wide = await asker.recall(question)
        first = {result.name for result in wide.results[:FIRST]}
        kept.append(len(first & {result.name for result in capped.results[:FIRST]}) / len(first) if first else 1.0)
    return {"cap": search.CORE, "cap_kept": sum(kept) / len(kept)}


async def _written(database: Database, asker: _Asker, said: int, asked: int) -> dict[str, float]:
    """A writer alone, then several, and recalls while what was written is still fresh."""
    turns = Turns(database, leases.this_worker())
    caller = community.caller(SPACE)
    channels = [ChannelId(TALKED_IN + n) for n in range(WRITERS)]
    for channel in channels:
        place = replace(caller, channel_id=channel)
        await Spaces(database).ensure(place, channel_name="talk", mode="all", language="english", now=NOW)
    texts = iter(_texts(said * 2 + WRITERS))
    ids = itertools.count(new_id(NOW + timedelta(hours=1)))
    alone = await _overheard(turns, _said(channels[0], itertools.islice(texts, said), ids))
    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for channel in channels:
            part = [*itertools.islice(texts, said // WRITERS)]
            group.create_task(_overheard(turns, _said(channel, part, ids)))
    together = said // WRITERS * WRITERS / (time.perf_counter() - started)
    after = [await milliseconds(asker.recall(question)) for question in history.questions(asked, seed=200)]
    return {"indexed_per_s": together, "indexed_alone_per_s": alone, "after_writing_ms": p50(after)}


async def _overheard(turns: Turns, said: Iterable[Message]) -> float:
    """Messages a second, one after the other."""
    started, count = time.perf_counter(), 0
    for message in said:
        assert await turns.overhear(message, language="english")
        count += 1
    return count / (time.perf_counter() - started)


def _texts(count: int) -> list[str]:
    chosen, vocabulary = random.Random(8), Vocabulary()
    return vocabulary.sentences(chosen, [chosen.randint(4, 24) for _ in range(count)])


def _said(channel: ChannelId, texts: Iterable[str], ids: Iterator[int]) -> Iterator[Message]:
    caller = community.caller(SPACE)
    for text in texts:
        yield Message(
            space_id=SPACE,
            channel_id=channel,
            message_id=MessageId(next(ids)),
            role=Role.PERSON,
            author_id=caller.person_id,
            author=caller.name,
            content=text,
            said_at=NOW,
        )
