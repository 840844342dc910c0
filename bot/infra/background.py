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
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    async def settled(self, seconds: float) -> None:
        """Waits until nothing runs, what was begun meanwhile included, at most so long."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while self.tasks and (left := deadline - loop.time()) > 0:
            await asyncio.wait(set(self.tasks), timeout=left)

    async def close(self) -> None:
        """Cancels what runs: every task here is safe to leave at any step."""
        self._is_closed = True
        for task in set(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Logs what a task failed of: nobody waits for it."""
        self.tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        # An outage is told once, by the database.
        if failure is not None and not isinstance(failure, errors.DatabaseDown):
            _log.error("background.failed", exc_info=failure)
