"""Shows "is typing" until the first text of an answer is sent."""

import asyncio
from typing import Final

import discord

from cogs.send import uncancelled_requests

SHOWN_AFTER: Final = 0.5
"""Seconds; of an answer that is there by then nobody needs to see that it is coming."""
RENEWED_EVERY: Final = 8.0
"""Seconds; Discord shows the sign for ten."""
MOST_RENEWALS: Final = 112
"""A quarter of an hour: longer than any turn lasts."""


class TypingSign:
    """The typing indicator from `start` to `stop`; its failures are ignored."""

    def __init__(self, channel: discord.abc.Messageable) -> None:
        self._channel = channel
        self._timer: asyncio.TimerHandle | None = None
        self._request: asyncio.Task[None] | None = None
        self._left = MOST_RENEWALS

    def start(self) -> None:
        """Shows it shortly, and again every eight seconds."""
        self._timer = asyncio.get_running_loop().call_later(SHOWN_AFTER, self._go_on)

    def _go_on(self) -> None:
        if self._request is None or self._request.done():
            self._request = uncancelled_requests.start(self._show())
        self._left -= 1
        if self._left > 0:
            self._timer = asyncio.get_running_loop().call_later(RENEWED_EVERY, self._go_on)

    def stop(self) -> None:
        """Renews it no more."""
        if self._timer:
            self._timer.cancel()

    async def _show(self) -> None:
        await self._channel.typing()
