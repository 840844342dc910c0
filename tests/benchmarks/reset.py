"""A reset of a long session: how soon the channel answers again while the summary is still being made."""

import asyncio
import random
from typing import Final

from bot.config import DatabaseSettings, Roles
from bot.db import pool
from bot.domain import Caller
from tests import people
from tests.benchmarks import servers
from tests.benchmarks.timing import milliseconds, p50, rounds
from tests.benchmarks.vocabulary import Vocabulary
from tests.conftest import Clock
from tests.conversations import Room, roles, room

REPLY: Final = "All right; the raid is on Friday."
SUMMARY: Final = """{"summary": "They planned the raid.", "facts": [{"room": "projects", "topic": "raid",
"content": "The raid is on Friday.", "importance": 6, "evidence": [1]}]}"""
SHORT_SESSION: Final = 4
APART: Final = 0.2
"""Seconds between two resets: each summary has asked its model before the next begins, and none has its answer."""


class _Bench:
    """Channels of one application, half of them about to be reset after much, half after little."""

    def __init__(self, opened: Room, callers: list[Caller], patience: float) -> None:
        self._room, self._callers, self._patience = opened, callers, patience
        self._chosen, self._vocabulary = random.Random(13), Vocabulary()

    async def round(self, sizes: tuple[int, int]) -> dict[int, float]:
        """The middle time of each size of session; afterwards every summary is waited for."""
        for n, caller in enumerate(self._callers):
            await self._talk(caller, sizes[n % 2])
        times: dict[int, list[float]] = {size: [] for size in sizes}
        for n, caller in enumerate(self._callers):
            times[sizes[n % 2]].append(await milliseconds(self._reset_and_ask(caller, sizes[n % 2])))
            await asyncio.sleep(APART)
        assert not self._room.later, "a summary was ready before the next reset"
        await self._room.app.background.settled(self._patience)
        told = [reply.text for reply in self._room.later]
        assert len(told) == len(self._callers), "not every summary is ready"
        assert all("Summarized" in text for text in told)
        for caller in self._callers:
            await self._room.run("!reset discard", caller)
        self._room.later.clear()
        return {size: p50(values) for size, values in times.items()}

    async def _talk(self, caller: Caller, messages: int) -> None:
        for _ in range(messages // 2):
            words = self._vocabulary.words(self._chosen, self._chosen.randint(8, 30))
            # Words by chance may be a request, as "not keep" is; nothing of that is recorded.
            await self._room.say(f"Their {' '.join(words)}", caller)

    async def _reset_and_ask(self, caller: Caller, messages: int) -> None:
        assert f"Summarizing {messages} messages" in await self._room.run("!reset", caller)
        assert (await self._room.say("Write a line for the raid's poster, please.", caller)).text == REPLY


async def run(*, small: bool) -> dict[str, float]:
    long_session, delay, channels = (24, 1.0, 2) if small else (400, 10.0, 20)
    async with (
        servers.postgres() as server,
        servers.model(REPLY) as chat,
        servers.model(SUMMARY, delay=delay) as summarizer,
        pool.opened(await servers.database(server, "resets"), DatabaseSettings()) as database,
    ):
        # So much context that the whole session is one request of ten seconds.
        distilling = roles(summarizer, timeout=60, max_context=65_536)
        models = Roles(reasoning=roles(chat).reasoning, summarizer=distilling.summarizer)
        async with room(database, Clock(), models=models) as opened:
            callers = [
                await opened.app.enter(people.caller(channel=100 + n), channel_name=f"c{n}", mode="all")
                for n in range(channels)
            ]
            return await _measured(_Bench(opened, callers, delay * 20 + 60), long_session, rounds(small=small))


async def _measured(bench: _Bench, long_session: int, count: int) -> dict[str, float]:
    found: list[dict[str, float]] = []
    await bench.round((SHORT_SESSION, SHORT_SESSION + 2))  # opens connections
    for number in range(count):
        # Whichever went first in one round goes second in the next.
        sizes = (SHORT_SESSION, long_session) if number % 2 else (long_session, SHORT_SESSION)
        times = await bench.round(sizes)
        found.append(
            {
                "usable_ratio": times[long_session] / times[SHORT_SESSION],
                "long_ms": times[long_session],
                "short_ms": times[SHORT_SESSION],
            }
        )
    return {name: p50([figures[name] for figures in found]) for name in found[0]}
