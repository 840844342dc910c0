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
MANY: Final = 500
"""Refusals in the window at which nothing more is looked for that may be refused, so that answers are never stopped."""
COUNTED: Final = frozenset({401, 403, 429})
"""What Discord counts (its documentation, Rate Limits, Invalid Request Limit); a 404 is an answer."""
SHARED: Final = "shared"
"""The scope of a 429 that Discord does not count: the limit of a resource that others use too."""


class Refusals:
    """The refusals of the last ten minutes; too many stop all requests, and far fewer those that nobody waits for."""

    def __init__(self, most: int = MOST, many: int = MANY) -> None:
        self._most = most
        self._many = many
        self.times: collections.deque[float] = collections.deque(maxlen=most)
        """When the last of them came, in monotonic seconds."""

    @property
    def too_many(self) -> bool:
        """Whether requests are stopped."""
        return self._reached(self._most)

    @property
    def are_many(self) -> bool:
        """Whether requests that nobody waits for and that may be refused have to wait."""
        return self._reached(self._many)

    def _reached(self, number: int) -> bool:
        return len(self.times) >= number and time.monotonic() - self.times[-number] < WINDOW.total_seconds()

    def count(self, status: int, scope: str | None = None) -> None:
        """Counts a response by its status, and the scope of the limit it tells of."""
        if status in COUNTED and scope != SHARED:
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
            self.count(params.response.status, params.response.headers.get("X-RateLimit-Scope"))

        config.on_request_start.append(before)
        config.on_request_end.append(after)
        return config
