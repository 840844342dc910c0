"""Spaces the requests of catching up, so that what is said meanwhile finds room at Discord's limits."""

import asyncio
from collections import deque
from typing import Final

A_SECOND: Final = 45
"""Of the fifty requests a second that Discord takes from a bot (its documentation, Rate Limits, Global Rate Limit)."""


class RequestPace:
    """Lets so many requests begin in any one second, in the order in which they are asked for."""

    def __init__(self, a_second: int = A_SECOND) -> None:
        self._begun = deque[float](maxlen=a_second)
        self._door = asyncio.Lock()

    async def turn(self) -> None:
        """Waits until one more request may begin."""
        loop = asyncio.get_running_loop()
        async with self._door:
            if len(self._begun) == self._begun.maxlen:
                await asyncio.sleep(max(0.0, self._begun[0] + 1 - loop.time()))
            self._begun.append(loop.time())
