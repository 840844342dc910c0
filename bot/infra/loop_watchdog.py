"""Logs what blocks the event loop: the running function, and for how long."""

import asyncio
import contextlib
import sys
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
from types import FrameType
from typing import Final

from bot import log
from bot.infra.metrics import Metrics

_log = log.logger(__name__)

EVERY: Final = timedelta(milliseconds=50)
"""How often the loop is asked to turn; by as much less than it was may be told."""
LIMIT: Final = timedelta(milliseconds=200)
"""How late it may turn before that is told."""
_OURS: Final = ("bot.", "cogs.")
UNKNOWN: Final = "unknown"


class Watch:
    """Measures how late the event loop is, and samples from its own thread what runs meanwhile."""

    def __init__(
        self,
        metrics: Metrics,
        *,
        now: Callable[[], float] = time.perf_counter,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._metrics = metrics
        self._now = now
        self._pause = pause
        self._due = now()
        self._where = UNKNOWN

    @contextlib.asynccontextmanager
    async def kept(self) -> AsyncGenerator[None]:
        """Watches the running loop until the block ends."""
        self._due = self._now() + EVERY.total_seconds()
        over = threading.Event()
        watcher = threading.Thread(target=self._look, args=(threading.get_ident(), over), name="loop.held", daemon=True)
        watcher.start()
        turning = asyncio.create_task(self._turn(), name="loop.held")
        try:
            yield
        finally:
            over.set()
            turning.cancel()
            await asyncio.wait([turning])

    async def _turn(self) -> None:
        while True:
            self._due = self._now() + EVERY.total_seconds()
            await self._pause(EVERY.total_seconds())
            late = self._now() - self._due
            if late > LIMIT.total_seconds():
                self._metrics.loop_held(late)
                _log.warning("loop.held", milliseconds=round(late * 1000), running=self._where)
            self._where = UNKNOWN

    def _look(self, loop: int, over: threading.Event) -> None:
        """Waits beside the loop, and records once what blocks it."""
        while not over.wait(EVERY.total_seconds()):
            self.look(loop)

    def look(self, loop: int) -> None:
        """Records what the loop's thread runs, if it is late and that is not recorded yet."""
        if self._where == UNKNOWN and self._now() - self._due > LIMIT.total_seconds():
            self._where = running(sys._current_frames().get(loop))  # noqa: SLF001 - there is no other way


def running(frame: FrameType | None) -> str:
    """The innermost function of Hathi's own that a thread is in, with its line: never a value."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(_OURS):
            return f"{module}.{frame.f_code.co_qualname}:{frame.f_lineno}"
        frame = frame.f_back
    return UNKNOWN
