"""Vectors made on this machine: texts a second, memory, and what the event loop notices of it.

`HATHI_ROLES__EMBEDDER__PATH` names the folder of the model; without it the tests' own of some hundred bytes stands in,
whose figures are those of the way there and back. Each round embeds the texts of a chat one after the other. `ms` is
the middle of a text's time and `long_ms` that of one of 2,000 letters; `cpu_ms` is what a text takes of a core,
whatever else the machine does; `rss_mb` is the process's memory, `start_s` the time to the first vector. `loop_p99_ms`
is how late the event loop was meanwhile, and `idle_p99_ms` how late it is when nothing is embedded.
"""

import asyncio
import contextlib
import os
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Final

import psutil

from bot import config
from bot.config import LocalEmbedderSettings
from bot.llm.embedder import LONGEST_TEXT, Embedder
from tests import sentence_models
from tests.benchmarks.timing import p50, rounds
from tests.bot.language.past import sentences

TEXTS: Final = 200
LONG: Final = ("The boiler in the workshop broke again last winter, and nobody knows who repaired it. " * 40)[
    :LONGEST_TEXT
]
PATIENCE: Final = timedelta(seconds=60)


async def run(*, small: bool) -> dict[str, float]:
    texts = [*sentences.RECALL, *sentences.OTHER][: 10 if small else TEXTS]
    before = {*psutil.Process().children()}
    async with _opened() as embedder:
        start, took, long, late = await _took(embedder, "ok"), list[float](), list[float](), list[float]()
        (process,) = {*psutil.Process().children()} - before
        spent = list[float]()
        for _ in range(rounds(small=small)):
            used = process.cpu_times().user
            async with _watched(late):
                took.append(p50([await _took(embedder, text) for text in texts]))
            spent.append((process.cpu_times().user - used) / len(texts))
            long.append(p50([await _took(embedder, LONG) for _ in range(5)]))
        idle = list[float]()
        async with _watched(idle):
            await asyncio.sleep(sum(took) if small else 1)
        rss = process.memory_info().rss
    return {
        "texts_per_s": 1 / statistics.median(took),
        "cpu_ms": statistics.median(spent) * 1e3,
        "ms": statistics.median(took) * 1e3,
        "long_ms": statistics.median(long) * 1e3,
        "start_s": start,
        "rss_mb": rss / 1e6,
        "loop_p99_ms": _p99(late) * 1e3,
        "idle_p99_ms": _p99(idle) * 1e3,
    }


@contextlib.asynccontextmanager
async def _opened() -> AsyncGenerator[Embedder]:
    """The embedder of the settings, if it is local; else one with the model of the tests."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = None
        if "HATHI_ROLES__EMBEDDER__PATH" in os.environ:
            os.environ.setdefault("HATHI_ROLES__EMBEDDER__LOCAL", "true")
            chosen = config.load().roles.embedder
        if not isinstance(chosen, LocalEmbedderSettings):
            chosen = sentence_models.settings(sentence_models.written(Path(folder)))
        embedder = Embedder(chosen)
        try:
            yield embedder
        finally:
            await embedder.aclose()


async def _took(embedder: Embedder, text: str) -> float:
    began = time.perf_counter()
    await embedder.embed_one(text, within=PATIENCE)
    return time.perf_counter() - began


@contextlib.asynccontextmanager
async def _watched(late: list[float]) -> AsyncGenerator[None]:
    """Adds how late the event loop came back from each of many short sleeps."""

    async def beat() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append(time.perf_counter() - began - 0.001)

    beating = asyncio.create_task(beat())
    try:
        yield
        await asyncio.sleep(0.02)
    finally:
        beating.cancel()


def _p99(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.99)]
