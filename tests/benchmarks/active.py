"""The Active Memory query: against a bare read of as many rows, against a small community, in a large space."""

import random
from contextlib import AsyncExitStack
from typing import Any, Final

from bot.config import ActiveSettings, BudgetSettings, DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import MemoryId
from bot.prompting import compose
from bot.recall import librarian
from bot.recall.librarian import Librarian
from bot.store import bounded_words
from tests.benchmarks import community, servers
from tests.benchmarks.community import Community
from tests.benchmarks.timing import milliseconds, p50, p95, rounds
from tests.benchmarks.vocabulary import Vocabulary
from tests.benchmarks.watched import WatchedDatabase

LARGE_SPACE: Final = 900_001
BARE: Final = "SELECT * FROM memory WHERE space_id = $1 AND memory_id = ANY ($2::bigint[])"
ROWS: Final = 15
UNCAPPED: Final = 10**9


class _Asker:
    """Questions to one database, each from another space."""

    def __init__(self, database: Database, spaces: int, seed: int) -> None:
        self.database, self._spaces = database, spaces
        self._librarian = Librarian(database)
        self._chosen, self._vocabulary = random.Random(seed), Vocabulary()

    def question(self) -> str:
        return self._vocabulary.question(self._chosen)

    async def active(self, space: int | None = None) -> float:
        """Milliseconds of one block."""
        caller = community.caller(space or self._chosen.randint(1, self._spaces))
        return await milliseconds(self._librarian.active(caller, self.question(), ActiveSettings()))

    async def bare(self) -> float:
        """Milliseconds of as many rows by their keys, from another space, so that neither warms the other's pages."""
        space = self._chosen.randint(1, self._spaces)
        ids = self._chosen.sample(range(1, 101), ROWS)
        return await milliseconds(self._fetch(space, ids))

    async def _fetch(self, space: int, ids: list[int]) -> None:
        async with self.database.connection() as connection:
            await connection.fetch(BARE, space, ids)


async def run(*, small: bool) -> dict[str, float]:
    many, few, in_large, asked = (60, 20, 400, 20) if small else (10_000, 100, 10_000, 600)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        opened: list[Database] = []
        for name, communities in (
            ("large", (Community(spaces=many), Community(spaces=1, first=LARGE_SPACE, short=in_large, long=0))),
            ("little", (Community(spaces=few),)),
        ):
            dsn = await servers.database(server, name)
            await community.load(dsn, *communities)
            opened.append(await stack.enter_async_context(pool.opened(dsn, DatabaseSettings())))
        large, little = _Asker(opened[0], many, 1), _Asker(opened[1], few, 2)
        figures = await _timed(large, little, asked, rounds(small=small))
        return figures | await _statements(large, many, asked) | await _cap(large, asked // 2)


async def _timed(large: _Asker, little: _Asker, asked: int, count: int) -> dict[str, float]:
    """Every round asks everything in turn, so that what else the machine does falls on all alike."""
    middles: list[dict[str, float]] = []
    everything: list[float] = []
    for number in range(count + 1):
        times: dict[str, list[float]] = {"active": [], "bare": [], "little": [], "space": []}
        for n in range(asked):
            works = {
                "active": large.active,
                "bare": large.bare,
                "little": little.active,
                "space": lambda: large.active(LARGE_SPACE),
            }
            # Whoever goes first finds the caches as the last one left them: they take turns at it.
            names = [*works][n % len(works) :] + [*works][: n % len(works)]
            for name in names:
                times[name].append(await works[name]())
        if number:  # the first round is for plans and caches
            middles.append({name: p50(values) for name, values in times.items()})
            everything += times["space"]
    return {
        "p50_ratio": p50([r["active"] / r["bare"] for r in middles]),
        "growth_ratio": p50([r["active"] / r["little"] for r in middles]),
        "large_space_ms": p50([r["space"] for r in middles]),
        "large_space_p95_ms": p95(everything),
        "active_ms": p50([r["active"] for r in middles]),
        "bare_ms": p50([r["bare"] for r in middles]),
        "little_ms": p50([r["little"] for r in middles]),
    }


async def _statements(asker: _Asker, spaces: int, asked: int) -> dict[str, float]:
    """The shares of questions that needed another statement."""
    database, chosen = WatchedDatabase(asker.database), random.Random(3)
    reader = Librarian(database)
    with database.watched() as anywhere:
        for _ in range(asked):
            await reader.active(community.caller(chosen.randint(1, spaces)), asker.question(), ActiveSettings())
    with database.watched() as in_large:
        for _ in range(asked):
            await reader.active(community.caller(LARGE_SPACE), asker.question(), ActiveSettings())
    return {
        "asked_large_share": anywhere.times(librarian.Sql.active_large) / asked,
        "asked_long_share": anywhere.times(librarian.Sql.active_long) / asked,
        "large_space_asked_long_share": in_large.times(librarian.Sql.active_long) / asked,
    }


async def _cap(asker: _Asker, asked: int) -> dict[str, float]:
    """Of questions in the large space: how often ranking every row that matches would show the model another block."""
    settings, caller = ActiveSettings(), community.caller(LARGE_SPACE)
    changed, rows_changed, matched = 0, 0, list[int]()
    for _ in range(asked):
        question = asker.question()
        args = (caller.space_id, caller.visible, caller.language, question, settings.min_importance, settings.rows)
        async with asker.database.connection() as connection:
            sought = await bounded_words.of_text(connection, caller, question)
            capped = await connection.fetch(
                librarian.Sql.active_large, *args, librarian.HEAD, sought.rare, librarian.SHORT_READ
            )
            uncapped = await connection.fetch(librarian.Sql.active_large, *args, UNCAPPED, sought.rare, UNCAPPED)
            matched.append(
                await connection.fetchval(
                    "SELECT count(*) FROM memory WHERE space_id = $1 AND tier = 'short' AND search @@ "
                    "replace(plainto_tsquery('english', $2)::text, ' & ', ' | ')::tsquery",
                    caller.space_id,
                    question,
                )
            )
        changed += _block(capped, settings) != _block(uncapped, settings)
        rows_changed += len({row["memory_id"] for row in capped} ^ {row["memory_id"] for row in uncapped}) // 2
    return {
        "cap_changes_block": changed / asked,
        "cap_rows_changed": rows_changed / asked,
        "large_space_rows_matched": p50(matched),
    }


def _block(rows: Any, settings: ActiveSettings) -> str:
    lines = [
        compose.Line(
            number=MemoryId(row["memory_id"]),
            topic=row["topic"],
            content=row["content"],
            importance=row["importance"],
            author=row["author"],
            said_at=row["said_at"],
            precedence=row["precedence"],
        )
        for row in rows
    ]
    return compose.active_block(lines, rows=settings.rows, max_tokens=BudgetSettings().active, now=community.NOW)[0]
