"""A busy community while everything fails in turn: nothing lost, nothing said twice. Ten minutes; `--small` is 12 s.

Twenty messages a second over a hundred channels; the gateway is dropped every twenty seconds, every other time without
a resume; two in a hundred REST requests fail, half of them after they took effect; Postgres is restarted twice; the
process is killed and restarted twice. `lost` are questions without a reply, `doubled` replies too many; `rss_growth` is
the memory of the process at the end, over that a third of the way after its last start, less one. Nothing fails in the
last moments, so that what is to be caught up with can be.
"""

import asyncio
import contextlib
import os
import signal
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from bot.db import embedded
from tests.benchmarks import bots, servers
from tests.discord_server.messages import Message
from tests.model_server import Reply

A_SECOND: Final = 20
SMALL_A_SECOND: Final = 8
"""Questions."""
CHANNELS: Final = 100
PEOPLE: Final = 1000
DROP_EVERY: Final = 20.0
FAILING: Final = 0.01
SMALL_FAILING: Final = FAILING * A_SECOND / SMALL_A_SECOND
"""The share of requests that fail before, and the same again of those that fail after their effect: as many a second,
however many there are."""
AWAY: Final = 2.0
"""Seconds the process is gone."""
CATCH_UP: Final = timedelta(seconds=90)


@dataclass(frozen=True, kw_only=True)
class _Traffic:
    """What is asked, and how much of it goes wrong."""

    seconds: float = 600.0
    a_second: float = A_SECOND
    failing: float = FAILING


async def run(*, small: bool) -> dict[str, float]:
    traffic = _Traffic(seconds=12.0, a_second=SMALL_A_SECOND, failing=SMALL_FAILING) if small else _Traffic()
    with servers.folder() as folder:
        async with embedded.owned(folder) as server:
            dsn = await servers.database(server, "soak")
            async with bots.bot(bots.HATHI, dsn=dsn, channels=CHANNELS, answer=_answer) as bot:
                return await _soaked(bot, folder, traffic)


async def _soaked(bot: bots.Bot, folder: Path, traffic: _Traffic) -> dict[str, float]:
    asked, weights = list[Message](), list[float]()
    await asyncio.gather(_talk(bot, traffic, asked), _fail(bot, folder, traffic, weights))
    bot.discord.rest.faults.clear()
    with contextlib.suppress(TimeoutError):
        await bot.discord.until(lambda: not _unanswered(bot, asked[-200:]), within=CATCH_UP)
        await bot.discord.until(lambda: not _unanswered(bot, asked), within=CATCH_UP)
    return {
        "messages": len(asked),
        "lost": len(_unanswered(bot, asked)),
        "doubled": sum(len(found) - 1 for found in _replies(bot, asked).values()),
        "rss_growth": bot.rss / weights[len(weights) // 3] - 1,
    }


async def _talk(bot: bots.Bot, traffic: _Traffic, asked: list[Message]) -> None:
    """A thousand people, each of whom asks again when the others have."""
    began = time.monotonic()
    number = 0
    while (passed := time.monotonic() - began) < traffic.seconds:
        channel = bot.channels[number % CHANNELS]
        asked.append(await bot.ask(channel, f"Question {number}: what is new?", by=number % PEOPLE))
        number += 1
        await asyncio.sleep(max(0.0, number / traffic.a_second - passed))


async def _fail(bot: bots.Bot, folder: Path, traffic: _Traffic, weights: list[float]) -> None:
    """The faults, each at its time; the last of them well before the end."""
    faults, seconds = bot.discord.rest.faults, traffic.seconds
    faults.fail(10**9, share=traffic.failing, seed=1)
    faults.fail(10**9, share=traffic.failing, seed=2, after_effect=True)
    every = min(DROP_EVERY, seconds / 6)
    steps = [(n * every, "drop" if n % 2 else "invalidate") for n in range(1, int(seconds * 0.85 / every) + 1)]
    steps += [
        (seconds * 0.25, "postgres"),
        (seconds * 0.6, "postgres"),
        (seconds * 0.4, "kill"),
        (seconds * 0.5, "kill"),
    ]
    began = time.monotonic()
    for at, what in sorted(steps):
        while (left := began + at - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 1.0))
            weights.append(bot.rss)
        match what:
            case "drop":
                bot.discord.drop()
            case "invalidate":
                bot.discord.invalidate()
            case "postgres":
                # It is started again by whoever owns it, here this process.
                postmaster = (folder / "postgres" / "cluster" / "postmaster.pid").read_text("ascii").split()[0]
                os.kill(int(postmaster), signal.SIGINT)
            case _:
                await bot.end(kill=True)
                await asyncio.sleep(AWAY)
                await bot.start()
                weights[:] = [bot.rss]


def _replies(bot: bots.Bot, asked: list[Message]) -> dict[int, list[Message]]:
    wanted = {question.message_id for question in asked}
    found = dict[int, list[Message]]()
    for channel in bot.channels:
        found |= bot.replies(channel, wanted)
    return found


def _unanswered(bot: bots.Bot, asked: list[Message]) -> list[Message]:
    replies = _replies(bot, asked)
    return [question for question in asked if question.message_id not in replies]


def _answer(body: dict[str, Any]) -> Reply:
    return Reply(text=f"You asked: {body['messages'][-1]['content'][-60:]}", pieces=4)
