"""Servers of tools for tests, each a real process, and what of Hathi's holds them."""

import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from bot.config import ToolServerSettings
from bot.domain import Caller, ChannelId, PersonId, SpaceId
from bot.mcp.held_server import Patience
from bot.mcp.tool_servers import ToolServers
from tests.faults.servers import free_port
from tests.waiting import eventually

PROGRAM: Final = (sys.executable, str(Path(__file__).parents[2] / "tool_server.py"))
TOOLS: Final = frozenset(
    {
        "add",
        "ask",
        "complain",
        "echo",
        "end",
        "fail",
        "flood",
        "glaze.mix",
        "hang",
        "meet",
        "nothing",
        "number",
        "picture",
        "variables",
    }
)
PATIENT: Final = Patience(call=timedelta(seconds=60), first=timedelta(seconds=0.01), longest=timedelta(seconds=0.1))
ANN: Final = Caller(
    space_id=SpaceId(1), channel_id=ChannelId(2), person_id=PersonId(3), name="Ann", is_admin=False, visible=()
)


def settings(**fields: Any) -> ToolServerSettings:
    """A program of every tool, with other settings laid over."""
    return ToolServerSettings.model_validate({"command": PROGRAM, "tools": TOOLS, **fields})


@contextlib.asynccontextmanager
async def held(
    servers: Mapping[str, ToolServerSettings] | None = None, patience: Patience = PATIENT
) -> AsyncGenerator[ToolServers]:
    """Servers of tools, by default one called `pots`; all of them there."""
    async with contextlib.aclosing(ToolServers({"pots": settings()} if servers is None else servers, patience)) as door:
        await eventually(lambda: is_there(door))
        yield door


def is_there(door: ToolServers) -> bool:
    """Whether every server can be called."""
    return all(server.is_there for server in door.servers.values())


@contextlib.contextmanager
def over_http(port: int | None = None) -> Generator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a server in a process of its own, and that process."""
    port = port or free_port()
    process = subprocess.Popen([*PROGRAM, "--http", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}/mcp", process
    finally:
        process.kill()
        process.wait()


def is_running(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
