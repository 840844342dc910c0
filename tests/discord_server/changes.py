"""Waiting for something to become true, woken by changes and never by a clock."""

import asyncio
from collections.abc import Callable
from datetime import timedelta


class Changes:
    """Who waits for the next change of the simulated Discord."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def tell(self) -> None:
        """Wake everyone who waits, to look again."""
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def until(self, predicate: Callable[[], object], *, within: timedelta = timedelta(seconds=10)) -> None:
        """Return once the predicate holds. Raises `TimeoutError` when it does not come to."""
        async with asyncio.timeout(within.total_seconds()):
            while not predicate():
                future = asyncio.get_running_loop().create_future()
                self._waiting.add(future)
                try:
                    await future
                finally:
                    self._waiting.discard(future)
