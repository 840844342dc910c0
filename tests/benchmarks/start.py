"""`python -m bot`: how soon it answers, and what it holds in memory before and after a thousand turns."""

import asyncio
import contextlib
import os
import pty
import random
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import psutil

from tests.benchmarks import servers
from tests.benchmarks.timing import p50, rounds
from tests.benchmarks.vocabulary import Vocabulary

REPLY: Final = "Fine, I will keep that in mind."
IDLE_AFTER: Final = 5.0
"""Seconds until what a start leaves to do is done: the first upkeep, loading the models' client."""
_END: Final = "!endofturns"
_LIMIT: Final = 600.0
_MB: Final = 2**20


class _Child:
    """One `python -m bot` with its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._seen = psutil.Process(process.pid)

    @property
    def rss(self) -> float:
        """Resident memory of the Python process, in MB; Postgres is another process."""
        return self._seen.memory_info().rss / _MB

    async def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()

    async def until(self, text: str) -> None:
        """Read what it says until a line with the text."""
        assert self._process.stdout is not None
        async with asyncio.timeout(_LIMIT):
            while text not in (line := (await self._process.stdout.readline()).decode()):
                assert line, "it ended"

    async def turns(self, count: int, chosen: random.Random, vocabulary: Vocabulary) -> None:
        """Say so many things and wait until all of them are answered."""

        async def speak() -> None:
            for _ in range(count):
                await self.say(" ".join(vocabulary.words(chosen, chosen.randint(6, 24))))
            await self.say(_END)

        speaking = asyncio.create_task(speak())
        await self.until(_END)
        await speaking


def _environment(data_dir: Path, model: str | None) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("HATHI_", "LLM_", "DATABASE_URL"))}
    chosen = {} if model is None else {"LLM_BASE_URL": model, "LLM_MODEL": "scripted"}
    return kept | {"HATHI_DATA_DIR": str(data_dir), "HATHI_LOG_LEVEL": "WARNING"} | chosen


@contextlib.asynccontextmanager
async def _bot(data_dir: Path, model: str | None = None) -> AsyncGenerator[_Child]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        cwd=servers.ROOT,
        env=_environment(data_dir, model),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**24,
    )
    try:
        yield _Child(process)
        assert process.stdin is not None
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 90) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def run(*, small: bool) -> dict[str, float]:
    turns, idle = (20, 0.2) if small else (1000, IDLE_AFTER)
    with servers.folder() as data_dir:
        await _ready(data_dir)  # makes the data directory
        ready = p50([await _ready(data_dir) for _ in range(rounds(small=small))])
        prompt = p50([await _prompted(data_dir) for _ in range(rounds(small=small))])
        async with servers.model(REPLY) as model:
            talking = await _grown(data_dir, model, turns, idle)
        offline = await _grown(data_dir, None, turns, idle)
    return {"ready_s": ready, "prompt_s": prompt, **talking, **{f"offline_{k}": v for k, v in offline.items()}}


async def _ready(data_dir: Path) -> float:
    """Seconds from exec to the first reply on a pipe."""
    started = time.perf_counter()
    async with _bot(data_dir) as child:
        await child.say("!status")
        await child.until("Hathi")
        return time.perf_counter() - started


async def _grown(data_dir: Path, model: str | None, turns: int, idle: float) -> dict[str, float]:
    """Memory at rest, after a tenth of the turns, and after all of them."""
    chosen, vocabulary = random.Random(11), Vocabulary()
    async with _bot(data_dir, model) as child:
        await child.say(_END)
        await child.until(_END)
        await asyncio.sleep(idle)
        at_rest = child.rss
        await child.turns(turns // 10, chosen, vocabulary)
        warm = child.rss
        started = time.perf_counter()
        await child.turns(turns - turns // 10, chosen, vocabulary)
        spent = time.perf_counter() - started
        grown = child.rss
    return {
        "rss_mb": at_rest,
        "rss_growth": grown / at_rest - 1,
        "rss_growth_when_warm": grown / warm - 1,
        "rss_warm_mb": warm,
        "rss_grown_mb": grown,
        "turn_ms": spent * 1000 / (turns - turns // 10),
    }


async def _prompted(data_dir: Path) -> float:
    """Seconds from exec to the prompt on a terminal."""
    ours, theirs = pty.openpty()
    started = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        cwd=servers.ROOT,
        env=_environment(data_dir, None) | {"TERM": "xterm"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    try:
        async with asyncio.timeout(60):
            await asyncio.to_thread(_read_until, ours, b"you>")
        spent = time.perf_counter() - started
        os.write(ours, b"\x04")
        await asyncio.wait_for(process.wait(), 60)
        return spent
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(ours)


def _read_until(terminal: int, text: bytes) -> None:
    seen = b""
    while text not in seen:
        seen += os.read(terminal, 4096)
