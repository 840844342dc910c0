"""Names this process as a lease holder, renews leases, and tells whether another holder is certainly dead."""

import asyncio
import contextlib
import os
import socket
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from bot import errors
from bot.domain import WorkerId

LEASE: Final = timedelta(seconds=60)
RENEW_EVERY: Final = timedelta(seconds=15)
FIRST_RETRY: Final = timedelta(minutes=1)
"""After a failure; after each further one in a row it is twice the time before."""


def retry_at(now: datetime, failures: int, *, longest: timedelta) -> datetime:
    """When what failed is tried again, after so many failures in a row with this one; at most `longest` from now."""
    return now + min(longest, FIRST_RETRY * 2 ** min(failures - 1, 10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """What comes of a failure."""

    at: datetime
    failures: int
    """In a row, with this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Where it is read which machine this is, and which processes run on it."""

    processes: Path = Path("/proc")
    boot_id: Path = Path("/proc/sys/kernel/random/boot_id")
    machine_id: Path = Path("/etc/machine-id")
    namespace_of_the_host: str = "pid:[4026531836]"
    """The process namespace a host begins with, in every Linux; a container has one of its own."""

    def name(self) -> str:
        """What only processes that know each other by their pids share; unlike any other where that can't be told.

        The boot's id and the namespace of pids tell it. The systemd unit hides the former: then it is the host's id,
        but not in a container, whose id may be that of its image and whose pids are those of the next container.
        """
        host = socket.gethostname()
        with contextlib.suppress(OSError, ValueError):
            namespace = str((self.processes / "self/ns/pid").readlink())
            try:
                kernel = self.boot_id.read_text(encoding="ascii").strip()[:8]
            except OSError:
                if namespace != self.namespace_of_the_host:
                    raise
                kernel = uuid.UUID(self.machine_id.read_text(encoding="ascii").strip()).hex
            return f"{host}:{kernel}:{namespace.removeprefix('pid:')}"
        return f"{host}:{uuid.uuid4().hex}"

    def started(self, pid: int) -> str | None:
        """Clock ticks since boot at which a process started; empty for a zombie, none when it can't be seen."""
        try:
            stat = (self.processes / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
        fields = stat.rpartition(")")[2].split()
        return "" if fields[0] in "ZX" else fields[19]


HERE: Final = Machine()


def this_worker(machine: Machine = HERE) -> WorkerId:
    """This process as leases name it: host, process namespace, pid and start time."""
    pid = os.getpid()
    return WorkerId(f"{machine.name()}/{pid}/{machine.started(pid) or ''}")


@contextlib.asynccontextmanager
async def holding(renew: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """Renews a lease while the block runs.

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


def certainly_gone(worker: str, here: Machine = HERE) -> bool:
    """Whether a worker of this machine has ended; of another machine only its lease can tell."""
    machine, _, process = worker.rpartition("/")[0].rpartition("/")
    started = worker.rpartition("/")[2]
    if machine != here.name() or not process.isdigit():
        return False
    try:
        # Asked before /proc is, which may hide other users' processes.
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return bool(started) and here.started(int(process)) not in {started, None}
