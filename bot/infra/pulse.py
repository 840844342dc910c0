"""The pulse of a running service: a file it writes again and again, by which `hathi doctor` sees that it stands still.

One file a process, in the data directory. Times are of the machine's monotonic clock, which all processes share: that a
clock is set makes no process look dead.
"""

import asyncio
import contextlib
import json
import os
import socket
import time
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import log

_log = log.logger(__name__)

FOLDER: Final = "pulse"
EVERY: Final = timedelta(seconds=10)
STILL_AFTER: Final = timedelta(seconds=60)
"""Without a beat for so long a process stands still: stopped, or its event loop held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """The last sign of life of one process."""

    pid: int
    ago: timedelta
    connected: bool
    """Whether Discord was connected then."""

    @property
    def stands_still(self) -> bool:
        """Whether nothing was heard of the process for too long."""
        return self.ago >= STILL_AFTER


class Pulse:
    """Writes the beats of this process."""

    def __init__(self, data_dir: Path, *, alive: Callable[[], bool], connected: Callable[[], bool]) -> None:
        """While `alive()` does not hold no beat is written: the process is as good as still."""
        self._file = data_dir / FOLDER / f"{socket.gethostname()}-{os.getpid()}"
        self._alive = alive
        self._connected = connected

    @contextlib.asynccontextmanager
    async def kept(self) -> AsyncGenerator[None]:
        """Beats while the block runs; afterwards the process is no longer looked for."""
        beating = asyncio.create_task(self._beat(), name="pulse")
        try:
            yield
        finally:
            beating.cancel()
            await asyncio.wait([beating])
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)

    async def _beat(self) -> None:
        failed = False
        while True:
            if self._alive():
                try:
                    # In a thread: a disk that hangs holds up nobody's answer.
                    await asyncio.to_thread(self._write, connected=self._connected())
                    failed = False
                except OSError as exc:
                    if not failed:
                        _log.warning("pulse.not_written", error=type(exc).__name__)
                    failed = True
            await asyncio.sleep(EVERY.total_seconds())

    def _write(self, *, connected: bool) -> None:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beat = {"pid": os.getpid(), "at": time.monotonic(), "connected": connected}
        written = self._file.with_suffix(".new")
        written.write_text(json.dumps(beat), "ascii")
        written.replace(self._file)


def beats(data_dir: Path) -> Generator[Beat]:
    """The last beat of each process of this machine that has its pulse there and still exists."""
    now = time.monotonic()
    for file in sorted((data_dir / FOLDER).glob(f"{socket.gethostname()}-*[0-9]")):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            told = json.loads(file.read_text("ascii"))
            # One of an earlier run of the machine has beaten in what is now the future.
            if _exists(told["pid"]) and told["at"] <= now:
                yield Beat(pid=told["pid"], ago=timedelta(seconds=now - told["at"]), connected=told["connected"])
            else:
                file.unlink()


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # Another user's.
        return True
    return True
