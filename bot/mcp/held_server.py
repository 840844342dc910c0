"""Holds one MCP server by a task: opens it, looks at it each minute, opens it again with back-off when it is lost."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from bot import log
from bot.config import ToolServerSettings
from bot.mcp import offered_tools, sdk
from bot.mcp.complaints import Complaints

_log = log.logger(__name__)

AT_ONCE: Final = 8
"""Calls that one server has in hand; others wait, within their own time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a server is waited for."""

    start: timedelta = timedelta(seconds=60)
    """Until it has told its tools: one that is fetched when it starts takes long."""
    call: timedelta = timedelta(seconds=10)
    """Until a call is answered, and a look at its tools."""
    look: timedelta = timedelta(minutes=1)
    """Between two looks at its tools."""
    first: timedelta = timedelta(seconds=1)
    """Before it is opened again; twice as long each time it is lost anew."""
    longest: timedelta = timedelta(minutes=5)


class ServerAway(Exception):
    """The server is not there right now."""


class ServerLost(ServerAway):
    """It went away with the call in hand, which it may have carried out."""


class HeldServer:
    """One server, which is there or is being brought back."""

    def __init__(self, name: str, settings: ToolServerSettings, patience: Patience) -> None:
        self._name = name
        self._settings = settings
        self._patience = patience
        self._calls = asyncio.Semaphore(AT_ONCE)
        self._look = asyncio.Event()
        self._leaving = asyncio.Event()
        self._limit: asyncio.Timeout | None = None
        self._connection: sdk.OpenServer | None = None
        self._complaints = self._listener()
        self.fault = ""
        """What it was lost of last, in words for whoever runs Hathi."""
        self.offered: Mapping[str, offered_tools.OfferedTool] = {}
        """What models may call, by what they call it: as it was last, while the server is away."""
        self._task = asyncio.create_task(self._hold())

    @property
    def is_there(self) -> bool:
        """Whether it can be called right now."""
        return self._connection is not None

    def is_for(self, space_id: int, channel_id: int) -> bool:
        """Whether its tools may be called there."""
        chosen = self._settings
        return (not chosen.spaces or space_id in chosen.spaces) and (
            not chosen.channels or channel_id in chosen.channels
        )

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """What the tool returns.

        Raises `CallRefused` where the server says that it failed, `TimeoutError` after ten seconds, `ServerAway` where
        nothing was asked of it, and `ServerLost`.
        """
        if (connection := self._connection) is None:
            raise ServerAway
        try:
            async with asyncio.timeout(self._patience.call.total_seconds()), self._calls:
                self._complaints.hush()
                return await connection.called(tool, arguments)
        except Exception as exc:
            # Whether it is there at all is seen by what tools it has now.
            self._look.set()
            if isinstance(exc, sdk.CallRefused | TimeoutError):
                raise
            if self._connection is connection:
                self._connection = None
            raise ServerLost from exc

    async def aclose(self) -> None:
        """End it, whatever it is at: what it is in the middle of opening is left at once."""
        self._leaving.set()
        self._look.set()
        if self._limit is not None and not self._limit.expired():
            self._limit.reschedule(0)
        await asyncio.wait({self._task})

    async def _hold(self) -> None:
        try:
            await sdk.load()
        except sdk.ServerFault as exc:
            self.fault = str(exc)
            _log.error("mcp.unavailable", server=self._name, fault=self.fault)
            return
        loop, pause = asyncio.get_running_loop(), self._patience.first
        while not self._leaving.is_set():
            began = loop.time()
            self.fault = await self._served()
            if self._leaving.is_set():
                break
            if loop.time() - began > self._patience.longest.total_seconds():
                pause = self._patience.first
            _log.warning(
                "mcp.unavailable",
                server=self._name,
                fault=self.fault,
                said_last=self._complaints.last,
                left_out=self._complaints.left_out,
                again_in=pause.total_seconds(),
            )
            await _set(self._leaving, pause)
            pause = min(2 * pause, self._patience.longest)

    async def _served(self) -> str:
        """Opens it and stays until it is lost; what of."""
        self._complaints = self._listener()
        try:
            await self._serve()
        except Exception as exc:  # noqa: BLE001 - whatever a server's end raises in the SDK, it is opened again
            return self._complaints.masked(sdk.reason(exc))
        finally:
            self._connection = None
        return "it was left"

    async def _serve(self) -> None:
        async with contextlib.AsyncExitStack() as stack:
            async with self._within(self._patience.start):
                connection = await stack.enter_async_context(sdk.opened(self._settings, self._complaints))
                tools = await connection.tools()
            _log.info("mcp.connected", server=self._name, tools=len(tools))
            while not self._leaving.is_set():
                self.offered = offered_tools.offered(self._name, self._settings, tools)
                self._connection = connection
                await _set(self._look, self._patience.look)
                self._look.clear()
                if not self._leaving.is_set():
                    async with self._within(self._patience.call):
                        tools = await connection.tools()

    @contextlib.asynccontextmanager
    async def _within(self, time: timedelta) -> AsyncGenerator[None]:
        """A limit that `aclose` can end before its time."""
        async with asyncio.timeout(0 if self._leaving.is_set() else time.total_seconds()) as limit:
            self._limit = limit
            try:
                yield
            finally:
                self._limit = None

    def _listener(self) -> Complaints:
        secrets = [one.get_secret_value() for one in (*self._settings.variables.values(), self._settings.token) if one]
        return Complaints(self._name, secrets, self._look.set)


async def _set(event: asyncio.Event, within: timedelta) -> None:
    """Returns once it is set, or after that time."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within.total_seconds()):
            await event.wait()
