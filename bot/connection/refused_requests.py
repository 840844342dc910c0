"""Counts refused requests and stops before Discord bans the address for 10,000 in ten minutes."""

import collections
import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot import errors, log

_log = log.logger(__name__)

WINDOW: Final = timedelta(minutes=10)
MOST: Final = 2_000
"""Refusals in the window that stop everything; far below 10,000, which others at the same address add to."""
COUNTED: Final = frozenset({401, 403, 404, 429})


class Refusals:
    """The refusals of the last ten minutes; too many stop all requests."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self.times: collections.deque[float] = collections.deque(maxlen=most)
        """When the last of them came, in monotonic seconds."""

    @property
    def too_many(self) -> bool:
        """Whether requests are stopped."""
        return len(self.times) == self._most and time.monotonic() - self.times[0] < WINDOW.total_seconds()

    def count(self, status: int) -> None:
        """Counts a response by its status."""
        if status in COUNTED:
            self.times.append(time.monotonic())
            if len(self.times) == self._most:
                _log.error("discord.too_many_refusals", most=self._most)

    def trace(self) -> aiohttp.TraceConfig:
        """What discord.py's session tells of its requests; raises `DiscordDown` in place of one too many."""
        config = aiohttp.TraceConfig()

        async def before(
            _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
        ) -> None:
            # The gateway's connection is no request that is refused, and discord.py would give up without it.
            if self.too_many and "Sec-WebSocket-Key" not in params.headers:
                raise errors.DiscordDown

        async def after(
            _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
        ) -> None:
            self.count(params.response.status)

        config.on_request_start.append(before)
        config.on_request_end.append(after)
        return config
