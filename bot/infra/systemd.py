"""Tells the service manager: ready, stopping, a status line, and that the event loop still runs.

The protocol is that of sd_notify(3): one datagram of `NAME=value` lines to the socket that NOTIFY_SOCKET names.
"""

import asyncio
import contextlib
import socket as sockets
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
from typing import Final

from bot import log

_log: Final = log.logger(__name__)

SEND_LIMIT: Final = timedelta(seconds=1)
"""How long a manager that does not read is waited for; then the message is dropped."""
FEEDS: Final = 3
"""Feedings in one period of the watchdog: sd_watchdog_enabled(3) advises two at least, and one may come late."""

Pause = Callable[[float], Awaitable[None]]


class Notifier:
    """Sends notifications to the service manager; does nothing where there is none."""

    def __init__(self, socket: str | None, watchdog: timedelta | None, *, pause: Pause = asyncio.sleep) -> None:
        """`socket` is NOTIFY_SOCKET, a path or `@` and an abstract name; `watchdog` its period where it watches us."""
        self._address = _address(socket)
        self._watchdog = watchdog if self._address else None
        self._pause = pause

    async def ready(self, status: str) -> None:
        """Reports that the start is complete."""
        await self._tell("READY=1", _status(status))

    async def stopping(self) -> None:
        """Reports that the stop has begun."""
        await self._tell("STOPPING=1", _status("stopping"))

    async def status(self, text: str) -> None:
        """Sets the line shown by `systemctl status`."""
        await self._tell(_status(text))

    @contextlib.asynccontextmanager
    async def fed(self, alive: Callable[[], bool]) -> AsyncGenerator[None]:
        """Feeds the watchdog at a third of its period, while the loop runs and `alive()` holds."""
        if self._watchdog is None:
            yield
            return
        feeding = asyncio.create_task(self._feed(alive, self._watchdog / FEEDS), name="systemd.watchdog")
        try:
            yield
        finally:
            feeding.cancel()
            await asyncio.wait([feeding])

    async def _feed(self, alive: Callable[[], bool], every: timedelta) -> None:
        was_alive = True
        while True:
            is_alive = _asked(alive)
            if is_alive:
                await self._tell("WATCHDOG=1")
            elif was_alive:
                _log.error("systemd.watchdog_unfed")
            was_alive = is_alive
            await self._pause(every.total_seconds())

    async def _tell(self, *lines: str) -> None:
        """Send one message; that it can't be sent is no reason to fail."""
        if self._address is None:
            return
        loop = asyncio.get_running_loop()
        try:
            with sockets.socket(sockets.AF_UNIX, sockets.SOCK_DGRAM) as sock:
                sock.setblocking(False)
                async with asyncio.timeout(SEND_LIMIT.total_seconds()):
                    # Connected, since only then can a full queue of the manager's be waited for.
                    await loop.sock_connect(sock, self._address)
                    await loop.sock_sendall(sock, "\n".join(lines).encode())
        except OSError as exc:
            _log.warning("systemd.unreachable", reason=type(exc).__name__)


def _address(socket: str | None) -> str | None:
    """The address as the kernel takes it; none for what is no address of a Unix socket."""
    match socket:
        case None | "":
            return None
        case _ if socket.startswith("@"):
            return "\0" + socket[1:]
        case _ if socket.startswith("/"):
            return socket
        case _:
            _log.warning("systemd.unreachable", reason="NOTIFY_SOCKET is no Unix socket")
            return None


def _asked(alive: Callable[[], bool]) -> bool:
    try:
        return alive()
    except Exception:  # noqa: BLE001 - whoever can't say whether they live is not fed, and the feeding goes on
        _log.exception("systemd.alive_failed")
        return False


def _status(text: str) -> str:
    return f"STATUS={' '.join(text.split())}"
