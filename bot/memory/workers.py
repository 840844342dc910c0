"""Which process holds a lease, and whether it is certainly gone."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import errors
from bot.domain import WorkerId

LEASE: Final = timedelta(seconds=60)
RENEW_EVERY: Final = timedelta(seconds=15)


def this_worker() -> WorkerId:
    """This process as leases name it: host, process namespace, pid and start time."""
    pid = os.getpid()
    return WorkerId(f"{_machine()}/{pid}/{_started(pid)}")


@contextlib.asynccontextmanager
async def holding(renew: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """Renew a lease all the while the block runs.

    A renewal that fails is not an error here: whoever finishes under a lease proves in that same commit that it is
    still theirs.
    """

    async def renewing() -> None:
        while True:
            await asyncio.sleep(RENEW_EVERY.total_seconds())
            with contextlib.suppress(errors.DatabaseError, errors.LeaseLost):
                await renew()

    keeper = asyncio.create_task(renewing())
    try:
        yield
    finally:
        keeper.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeper


def certainly_gone(worker: str) -> bool:
    """Whether a worker of this very machine runs no more; of another machine nobody can tell before its lease ends."""
    machine, _, process = worker.rpartition("/")[0].rpartition("/")
    started = worker.rpartition("/")[2]
    return machine == _machine() and process.isdigit() and _started(int(process)) != started


def _machine() -> str:
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return f"{socket.gethostname()}:{os.getppid()}"
    return f"{socket.gethostname()}:{boot[:8]}:{namespace.removeprefix('pid:')}"


def _started(pid: int) -> str:
    """Clock ticks since boot at which the process started; empty when there is none or it is a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]
