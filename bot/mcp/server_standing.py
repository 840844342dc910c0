"""Tells whoever runs Hathi how a server stands: what tools it has, which of them models may call, and what is wrong."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.config import ToolServerSettings
from bot.llm.messages import ToolSpec
from bot.mcp import offered_tools, sdk
from bot.mcp.complaints import Complaints
from bot.mcp.sdk import ServerTool
from bot.text import sanitize

PATIENCE: Final = timedelta(seconds=60)
"""Until it has told its tools, as long as a running Hathi waits."""
UNUSABLE: Final = "can't be used"
MOST_NAMED: Final = 30
"""Tools that are named; the rest are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStanding:
    """How a server stands."""

    found: str
    fault: str = ""
    """Why it can't be used, and what would mend that; empty where it can."""
    advice: tuple[str, ...] = ()
    """What of the settings does nothing."""
    specs: tuple[ToolSpec, ...] = ()
    """The tools that models may call."""


async def of(name: str, settings: ToolServerSettings) -> ServerStanding:
    """Opens the server, lists its tools and ends it."""
    secrets = [one.get_secret_value() for one in (*settings.variables.values(), settings.token) if one]
    complaints = Complaints(name, secrets)
    try:
        await sdk.load()
    except sdk.ServerFault as exc:
        return ServerStanding(found=UNUSABLE, fault=str(exc))
    try:
        async with asyncio.timeout(PATIENCE.total_seconds()), sdk.opened(settings, complaints) as connection:
            tools = await connection.tools()
    except Exception as exc:  # noqa: BLE001 - whatever a server's end raises in the SDK, it is told
        said = f"; it said last: {complaints.last}" if complaints.last else ""
        how = "command" if settings.command else "url"
        return ServerStanding(found=UNUSABLE, fault=f"{complaints.masked(sdk.reason(exc))}{said}. Check its {how}")
    specs = tuple(one.spec for one in offered_tools.offered(name, settings, tools).values())
    return ServerStanding(found=_told(tools, settings), advice=tuple(_advice(name, tools, settings)), specs=specs)


def _told(tools: Sequence[ServerTool], settings: ToolServerSettings) -> str:
    names = [tool.name for tool in tools]
    may = [f"{name} (read-only)" if name in settings.read_only else name for name in names if name in settings.tools]
    others = [name for name in names if name not in settings.tools]
    parts = [f"models may call {_listed(may)}" if may else "models may call none of its tools"]
    return "; ".join([*parts, f"not allowed: {_listed(others)}"] if others else parts)


def _advice(name: str, tools: Sequence[ServerTool], settings: ToolServerSettings) -> list[str]:
    there = {tool.name: tool for tool in tools}
    advice: list[str] = []
    if there and not settings.tools:
        advice.append(f"list those that models may call as tools in [mcp.servers.{name}]")
    if unknown := sorted(settings.tools - there.keys()):
        advice.append(f"it has no {_listed(unknown)}: take them out of tools, or spell them as it does")
    if large := [tool.name for tool in tools if tool.name in settings.tools and offered_tools.is_too_large(tool)]:
        advice.append(
            f"{_listed(large)}: what they take is more than {offered_tools.LARGEST_SCHEMA:,} characters, and "
            "is offered to no model"
        )
    return advice


def _listed(names: Sequence[str]) -> str:
    shown = [sanitize.one_line(sanitize.visible(name), offered_tools.LONGEST_NAME) for name in names[:MOST_NAMED]]
    return ", ".join([*shown, f"and {len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else shown)
