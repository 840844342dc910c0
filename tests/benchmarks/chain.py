"""The walk L0 to L4 in a space of 100,000 messages, without a forge, against one recall of the same question.

`ratio` is the middle walk over the middle recall, in the same round, each from its first statement on. The questions
are those of the recall benchmark: most find nothing in the palace or the session, so most walks go as far as they can.
`hit_share` says how many of them were answered.
"""

import os
from pathlib import Path

from bot.config import DatabaseSettings, NotesSettings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import Layer, MessageId, SessionId
from bot.layers.chain import Chain, NamedSource
from bot.layers.memory_layers import PalaceLayer, RecallResults, SessionLayer, VerbatimLayer
from bot.layers.playbook_files import PlaybookFiles
from bot.layers.playbooks import PlaybookLayer
from bot.layers.walk import Walk, WalkQuestion
from bot.recall.librarian import Librarian
from bot.recall.query import Query
from bot.store import rooms
from bot.store.archivist import Archivist
from bot.store.notes import Notes
from tests import people
from tests.benchmarks import community, history, servers
from tests.benchmarks.community import NOW
from tests.benchmarks.history import SPACE, History
from tests.benchmarks.timing import milliseconds, p50, p95, rounds

NEWEST = "SELECT max(session_id) FROM message WHERE space_id = $1 AND channel_id = $2"


class _Asker:
    """Questions to the space, each walked and each recalled."""

    def __init__(self, database: Database, session_id: SessionId) -> None:
        self._caller, self._session_id = community.caller(SPACE), session_id
        self._librarian = Librarian(database)
        remembered = RecallResults(self._librarian)
        notes = Notes(database, Archivist(database), NotesSettings())
        # No playbooks: reading a folder is no matter of the space's size.
        shelf = PlaybookFiles(Path(os.devnull))
        self._chain = Chain(
            {
                Layer.PALACE: [NamedSource(name="palace", source=PalaceLayer(remembered))],
                Layer.SCRATCHPAD: [NamedSource(name="session", source=SessionLayer(self._librarian, notes))],
                Layer.ARTIFACTS: [NamedSource(name="messages", source=VerbatimLayer(remembered))],
                Layer.PROCEDURES: [
                    NamedSource(name="ways", source=PlaybookLayer(shelf, rooms.Rooms(database), self._librarian))
                ],
            }
        )

    async def walk(self, text: str) -> Walk:
        question = people.said(self._caller, text, NOW)
        return await self._chain.walk(
            WalkQuestion(
                caller=self._caller,
                question=question,
                session_id=self._session_id,
                apart_from=(MessageId(question.message_id),),
            )
        )

    async def recall(self, text: str) -> None:
        await self._librarian.recall(self._caller, Query(text=text, as_of=NOW))


async def run(*, small: bool) -> dict[str, float]:
    rows, outside, asked = (1_000, 1_000, 4) if small else (100_000, 100_000, 60)
    spaces = history.FEW_SPACES if small else history.SPACES
    async with servers.postgres() as server:
        dsn = await servers.database(server, "chain")
        await history.load(dsn, History(rows=rows, outside=outside, spaces=spaces))
        async with pool.opened(dsn, DatabaseSettings()) as database:
            async with database.connection() as connection:
                newest = await connection.fetchval(NEWEST, SPACE, community.caller(SPACE).channel_id)
            return await _timed(_Asker(database, SessionId(newest)), asked, rounds(small=small))


async def _timed(asker: _Asker, asked: int, count: int) -> dict[str, float]:
    walks, recalls, everything, hits = list[float](), list[float](), list[float](), 0
    for number in range(count + 1):
        times: dict[str, list[float]] = {"walk": [], "recall": []}
        for n, question in enumerate(history.questions(asked, seed=number)):
            # They take turns at going first, which finds the caches cold.
            for name in ("walk", "recall")[:: 1 - 2 * (n % 2)]:
                times[name].append(await milliseconds(getattr(asker, name)(question)))
            if number == count:
                hits += bool((await asker.walk(question)).evidence)
        if number:  # the first round is for plans and caches
            walks.append(p50(times["walk"]))
            recalls.append(p50(times["recall"]))
            everything += times["walk"]
    ratios = [walk / recall for walk, recall in zip(walks, recalls, strict=True)]
    return {
        "ratio": p50(ratios),
        "p50_ms": p50(walks),
        "p95_ms": p95(everything),
        "recall_ms": p50(recalls),
        "hit_share": hits / asked,
    }
