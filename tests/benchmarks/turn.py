"""What Hathi adds to a model's own time in one turn, beyond the commits that make it safe."""

import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from http import HTTPStatus
from typing import Any, Final
from unittest import mock

import aiohttp

from bot import app
from bot.app import App
from bot.config import DatabaseSettings, Settings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import Caller, MessageId, ModelRole, Reply
from bot.llm import completions
from tests import people
from tests.benchmarks import community, servers
from tests.benchmarks.community import Community
from tests.benchmarks.timing import milliseconds, p50, rounds
from tests.benchmarks.vocabulary import Vocabulary
from tests.conversations import RecordedReply, roles

ROOMS: Final = 20
"""Channels that take turns: each holds a handful of messages more every round."""
LONG_SESSION: Final = 400
"""Messages of the one channel that has talked all day: as many as a prompt is made from."""
REPLY: Final = "That depends on what you would like to do; tell me a little more of it, and we shall see."
WRITES: Final = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
"""Counts transactions that wrote: the others take no id."""


class _TimedReply(RecordedReply):
    """Notes when the reply was out: whole, recorded and shown."""

    out_at: float = 0

    async def finish(self, text: str, notes: Sequence[str], reply: Reply | None = None) -> tuple[MessageId, ...]:
        self.out_at = time.perf_counter()
        return await super().finish(text, notes, reply)


class _Bench:
    def __init__(self, opened: App, database: Database, callers: Sequence[Caller], model: str) -> None:
        self._app, self._database, self._callers, self._long = opened, database, callers[1:], callers[0]
        self._chosen, self._vocabulary = random.Random(9), Vocabulary()
        self._model = f"{model}/chat/completions"
        self._http = aiohttp.ClientSession()
        self._sent: Any = None
        self.commits: list[int] = []

    async def turn(self, number: int) -> float:
        """Milliseconds from message in to reply out."""
        return await self._turn(self._callers[number % len(self._callers)])

    async def long_turn(self) -> float:
        """The same in the channel that has talked all day."""
        return await self._turn(self._long)

    async def talk(self) -> None:
        """Fill that channel's session."""
        for _ in range(LONG_SESSION // 2):
            await self.long_turn()

    async def _turn(self, caller: Caller) -> float:
        """Of a question that the model answers: some of them memory does, which is another turn."""
        while True:
            took = await self._asked(caller)
            if took is not None:
                return took

    async def _asked(self, caller: Caller) -> float | None:
        turn = people.turn(caller, self._vocabulary.question(self._chosen), self._app.clock())
        recorded_reply, before = _TimedReply(), await self._ask(WRITES)
        stream = self._app.models.stream
        # What Hathi sends is noted, so that the bare call can send the same.
        with mock.patch.object(self._app.models, "stream", lambda *args, **more: self._noted(stream, *args, **more)):
            started = time.perf_counter()
            await self._app.conversation.answer(turn, recorded_reply.delivery)
        if recorded_reply.text != REPLY:
            return None
        # The last one, of the record, comes when the reply is out.
        self.commits.append(await self._ask(WRITES) - before - 1)
        return (recorded_reply.out_at - started) * 1000

    def _noted(self, stream: Any, role: ModelRole, messages: Any, tools: Any) -> Any:
        self._sent = role, messages, tools
        return stream(role, messages, tools)

    async def model(self) -> float:
        """Milliseconds of the request sent last, by HTTP alone, to its last byte: what no client could do without."""
        role, messages, tools = self._sent
        request = completions.request(self._app.models.settings(role), messages, tools, None)
        return await milliseconds(self._call(request))

    async def commit(self) -> float:
        """Milliseconds of one inserted row, committed and synced."""
        return await milliseconds(self._ask("INSERT INTO bare_commit (said) VALUES ($1) RETURNING id", REPLY))

    async def close(self) -> None:
        await self._http.close()

    async def _call(self, request: dict[str, Any]) -> None:
        async with self._http.post(self._model, json=request) as response:
            assert response.status == HTTPStatus.OK
            async for _ in response.content:
                pass

    async def _ask(self, statement: Any, *args: Any) -> Any:
        async with self._database.connection() as connection:
            return await connection.fetchval(statement, *args)


async def run(*, small: bool) -> dict[str, float]:
    spaces, turns = (30, 8) if small else (10_000, 60)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        dsn = await servers.database(server, "turns")
        await community.load(dsn, Community(spaces=spaces))
        model = await stack.enter_async_context(servers.model(REPLY))
        database = await stack.enter_async_context(pool.opened(dsn, DatabaseSettings()))
        async with database.connection() as connection:
            await connection.execute(
                "CREATE TABLE bare_commit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, said text NOT NULL)"
            )
        settings = Settings(roles=roles(model))
        opened = await stack.enter_async_context(app.opened(settings, database, announce=_silent, alone=False))
        # Spread over the community, as those who write at one time are.
        callers = [
            await opened.enter(community.caller(1 + n * spaces // (ROOMS + 1)), channel_name="general", mode="all")
            for n in range(ROOMS + 1)
        ]
        bench = _Bench(opened, database, callers, model)
        stack.push_async_callback(bench.close)
        if not small:
            await bench.talk()
        return await _measured(bench, turns, rounds(small=small))


async def _silent(_done: object) -> None:
    return


async def _measured(bench: _Bench, turns: int, count: int) -> dict[str, float]:
    found: list[dict[str, float]] = []
    for number in range(count + 1):
        times: dict[str, list[float]] = {"turn": [], "model": [], "long_turn": [], "long_model": [], "commit": []}
        bench.commits.clear()
        for n in range(turns):
            times["turn"].append(await bench.turn(n))
            times["model"].append(await bench.model())
            times["commit"] += [await bench.commit() for _ in range(4)]
            if n % 4 == 0:
                times["long_turn"].append(await bench.long_turn())
                times["long_model"].append(await bench.model())
        if number:  # the first round is for plans and caches
            middle = {name: p50(values) for name, values in times.items()}
            commits = p50(bench.commits)
            found.append(
                {
                    "over_commits_ms": middle["turn"] - middle["model"] - commits * middle["commit"],
                    "long_over_commits_ms": middle["long_turn"] - middle["long_model"] - commits * middle["commit"],
                    "commits": commits,
                }
                | {f"{name}_ms": value for name, value in middle.items()}
            )
    return {name: p50([figures[name] for figures in found]) for name in found[0]}
