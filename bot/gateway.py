"""Discord's gateway as Hathi keeps it: where it is, how fast a dead connection is noticed, how often it may identify.

The one place that reaches into discord.py's connection, which offers no door for any of these.
"""

import asyncio
from datetime import timedelta
from typing import Any, Final

import discord
import yarl
from discord import gateway as wire
from discord.http import Route

from bot import log

_log = log.logger(__name__)

HEARTBEATS: Final = 1.9
"""Heartbeats without a word from Discord after which a connection is dead; checked at each, so within two."""
IDENTIFY_EVERY: Final = timedelta(seconds=5)
"""Between two IDENTIFYs of one process, as Discord allows for a `max_concurrency` of 1."""


def point_at(api_url: str | None, gateway_url: str | None) -> None:
    """Use these addresses in place of Discord's own; the gateway's is kept to for resuming as well."""
    if api_url is not None:
        Route.BASE = api_url.rstrip("/")
    if gateway_url is not None:
        address = yarl.URL(gateway_url)
        wire.DiscordWebSocket.DEFAULT_GATEWAY = address
        # READY names Discord's own address to resume at, which would go round a proxy.
        fixed = property(lambda _socket: address, lambda _socket, _named: None)
        wire.DiscordWebSocket.gateway = fixed  # pyright: ignore[reportAttributeAccessIssue]


class _Heartbeat(wire.KeepAliveHandler):
    """A heartbeat that gives a silent connection up by its own interval, not after a fixed minute."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if self.interval is not None:
            self.heartbeat_timeout = min(self.heartbeat_timeout, HEARTBEATS * self.interval)


def notice_silence() -> None:
    """Have every connection use that heartbeat."""
    wire.KeepAliveHandler = _Heartbeat


class Identifies:
    """The day's IDENTIFYs, as Discord counts them: each is waited for, so that a bad connection never uses them up."""

    def __init__(self, client: discord.AutoShardedClient) -> None:
        self._client = client
        self._last: float | None = None

    async def allowed(self) -> None:
        """Wait until the next one may be sent.

        Five seconds apart; once half of the day's are gone so far apart that the rest lasts until it is over.
        """
        loop = asyncio.get_running_loop()
        apart = IDENTIFY_EVERY.total_seconds()
        limits = await self._limits()
        if limits is not None and limits.remaining * 2 < limits.total:
            apart = max(apart, limits.reset_after / 1000 / max(1, limits.remaining))
            _log.warning(
                "gateway.identifies_scarce", left=limits.remaining, of=limits.total, apart_seconds=round(apart)
            )
        elif self._last is None:
            apart = 0.0
        await asyncio.sleep(max(0.0, (self._last or loop.time()) + apart - loop.time()))
        self._last = loop.time()

    async def _limits(self) -> discord.SessionStartLimits | None:
        try:
            return await self._client.fetch_session_start_limits()
        except discord.DiscordException:
            return None
