"""Runs background tasks that nobody waits for: logs their failures, and cancels them at shutdown."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from bot import errors, log

_log = log.logger(__name__)


class Background:
    """A set of running tasks; waiting for them is always bounded."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Starts a task; a failure is logged, never raised. Once closed, nothing is started any more."""
        if self._is_closed:
            work.close()
            return
        task = asyncio.create_task(self._logged(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        # One that is cancelled before its first step would leave its work behind, never begun and never ended.
        task.add_done_callback(lambda _: work.close())

    async def settled(self, seconds: float) -> None:
        """Waits until nothing runs, at most so long."""
        if self.tasks:
            await asyncio.wait(set(self.tasks), timeout=seconds)

    async def close(self) -> None:
        """Cancels what runs: every task here is safe to leave at any step."""
        self._is_closed = True
        for task in set(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    @staticmethod
    async def _logged(work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except errors.DatabaseDown:
            _log.warning("background.database_down")
        except Exception:  # noqa: BLE001 - nobody waits for this task; the log is where it is told
            _log.exception("background.failed")
