"""What looking adds to a question's turn, with a model, in spaces of 1,000 and of 100,000 messages.

Each question is asked twice, as it is and by a turn that looks nothing up, which take turns at going first; the figure
is the middle of the differences, from message in to reply out. The questions have four telling words and are not about
the past, and memory has no sure answer to them, so the model answers freely in both turns: what is added is the one
recall, as far as it takes longer than the reads beside it. `plain_ms` is a turn that looks nothing up.
"""

import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final
from unittest import mock

from bot import app
from bot.app import App
from bot.config import DatabaseSettings, Settings
from bot.db import pool
from bot.domain import Caller, MessageId, Reply
from tests import people
from tests.benchmarks import community, history, servers
from tests.benchmarks.history import SPACE, History
from tests.benchmarks.timing import p50, rounds
from tests.benchmarks.vocabulary import Vocabulary
from tests.conversations import RecordedReply, roles

REPLY: Final = "Nobody can tell that for sure; ask somebody who knows."
SIZES: Final = {"1k": 1_000, "100k": 100_000}
SMALL: Final = {"1k": 200, "100k": 1_000}
TELLING: Final = 4


class _TimedReply(RecordedReply):
    """Notes when the reply was out: whole, recorded and shown."""

    out_at: float = 0

    async def finish(self, text: str, notes: Sequence[str], reply: Reply | None = None) -> tuple[MessageId, ...]:
        self.out_at = time.perf_counter()
        return await super().finish(text, notes, reply)


class _Asker:
    """Somebody who asks, in one application."""

    def __init__(self, opened: App, caller: Caller) -> None:
        self._app, self._caller = opened, caller
        self._chosen, self._vocabulary = random.Random(11), Vocabulary()

    async def pair(self, number: int) -> tuple[float, float]:
        """Milliseconds of a turn that looks up and of one that does not, of a question that the model answers."""
        while True:
            text = f"what does a {' '.join(self._vocabulary.words(self._chosen, TELLING))}?"
            taken: dict[bool, float] = {}
            for looks in (True, False)[:: 1 - 2 * (number % 2)]:
                took = await self._turn(text, looks=looks)
                if took is not None:
                    taken[looks] = took
            if len(taken) == 2:
                return taken[True], taken[False]

    async def _turn(self, text: str, *, looks: bool) -> float | None:
        """None where memory answered it."""
        conversation = self._app.conversation
        recorded_reply, turn = _TimedReply(), people.turn(self._caller, text, self._app.clock())
        recall_answers = conversation._recall_answers
        begin = recall_answers.begin if looks else mock.AsyncMock(return_value=None)
        with mock.patch.object(recall_answers, "begin", begin):
            started = time.perf_counter()
            await conversation.answer(turn, recorded_reply.delivery)
        return (recorded_reply.out_at - started) * 1000 if recorded_reply.text == REPLY else None


async def run(*, small: bool) -> dict[str, float]:
    asked, figures = 4 if small else 60, dict[str, float]()
    spaces = history.FEW_SPACES if small else history.SPACES
    for name, rows in (SMALL if small else SIZES).items():
        async with AsyncExitStack() as stack:
            # A server each: in one they would drive each other's pages out of its memory.
            server = await stack.enter_async_context(servers.postgres())
            dsn = await servers.database(server, "look")
            await history.load(dsn, History(rows=rows, outside=rows, spaces=spaces))
            model = await stack.enter_async_context(servers.model(REPLY))
            database = await stack.enter_async_context(pool.opened(dsn, DatabaseSettings()))
            settings = Settings(roles=roles(model))
            opened = await stack.enter_async_context(app.opened(settings, database, announce=_silent, alone=False))
            caller = await opened.enter(community.caller(SPACE), channel_name="general", mode="all")
            found = await _timed(_Asker(opened, caller), asked, rounds(small=small))
            figures |= {f"{key}_{name}": value for key, value in found.items()}
    return figures


async def _silent(_done: object) -> None:
    return


async def _timed(asker: _Asker, asked: int, count: int) -> dict[str, float]:
    added, plain = list[float](), list[float]()
    for number in range(count + 1):
        pairs = [await asker.pair(n) for n in range(asked)]
        if number:  # the first round is for plans and caches
            added.append(p50([looked - bare for looked, bare in pairs]))
            plain.append(p50([bare for _, bare in pairs]))
    return {"added_p50_ms": p50(added), "plain_ms": p50(plain)}
