"""The one door to the SDK of the Model Context Protocol: opens a server, lists its tools and calls them.

The SDK takes a second to import, so that is done in a thread, and only where a server is named.
"""

import asyncio
import contextlib
import importlib
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from bot.config import ToolServerSettings
from bot.mcp.complaints import Complaints
from bot.text import sanitize

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client._transport import TransportStreams
    from mcp.types import CallToolResult, ContentBlock

INSTALL: Final = "pip install --require-hashes -r requirements-mcp.txt"
"""What brings the SDK, from a checkout."""
EXTRA: Final = "hathi-bot[mcp]"
"""The same for who installs the wheel."""
MOST_TOOLS: Final = 100
"""Of one server; what it lists beyond is left out."""
VERSION: Final = "1"
"""What servers are told beside the name; they may not be told none."""
NO_RESULT: Final = "What it answered is no result."
_MOST_PAGES: Final = 10
_LARGEST_EVENT: Final = 4 * 2**20
"""Bytes of one message that comes as an event of a stream."""


class ServerFault(Exception):
    """The server can't be used; the text says why, to whoever runs Hathi."""


class CallRefused(Exception):
    """The server has answered that it does not carry out the call; the text is what it said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerTool:
    """A tool as its server describes it."""

    name: str
    description: str
    parameters: dict[str, Any]
    """A JSON schema."""


async def load() -> None:
    """Import the SDK. Raises `ServerFault` where it is not installed."""
    try:
        await asyncio.to_thread(importlib.import_module, "mcp")
    except ImportError as exc:
        raise ServerFault(
            f"the SDK is not installed; it comes with {EXTRA}, or in Hathi's checkout and environment by {INSTALL}"
        ) from exc


class OpenServer:
    """A server that was opened."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    async def tools(self) -> tuple[ServerTool, ...]:
        """Those that the server has now, at most a hundred."""
        found, cursor = list[ServerTool](), None
        for _ in range(_MOST_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            found += [
                ServerTool(name=tool.name, description=tool.description or "", parameters=tool.input_schema)
                for tool in page.tools
            ]
            cursor = page.next_cursor
            if cursor is None:
                break
        return tuple(found[:MOST_TOOLS])

    async def called(self, tool: str, arguments: dict[str, Any]) -> str:
        """What the tool returns, as text. Raises `CallRefused`; what else is raised, the connection is lost by."""
        from mcp import CallToolRequest, MCPError
        from mcp.types import CONNECTION_CLOSED, CallToolRequestParams, CallToolResult

        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
        try:
            # `call_tool` would hold what comes back against the server's schema, patterns and all, in this thread.
            result = await self._client.session.send_request(request, CallToolResult)
        except MCPError as exc:
            if exc.error.code == CONNECTION_CLOSED:
                raise
            raise CallRefused(exc.error.message) from exc
        except ValidationError as exc:
            # It may want to be told more by a person first, which nobody can tell it here.
            raise CallRefused(NO_RESULT) from exc
        if result.is_error:
            raise CallRefused(text_of(result))
        return text_of(result)


@contextlib.asynccontextmanager
async def opened(settings: ToolServerSettings, complaints: Complaints) -> AsyncGenerator[OpenServer]:
    """The server, started if settings have its command, and ended in the end: by the task that began it."""
    from mcp import Client, Implementation

    streams = _started(settings, complaints) if settings.command else _reached(settings)
    async with Client(streams, cache=None, client_info=Implementation(name="hathi", version=VERSION)) as client:
        yield OpenServer(client)


def text_of(result: "CallToolResult") -> str:
    """The texts of a result; of what is no text, its name."""
    parts = [_part(part) for part in result.content]
    if not parts and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return "\n".join(parts)


def _part(part: "ContentBlock") -> str:
    match part.type:
        case "text":
            return part.text
        case "image" | "audio":
            what = f"{part.type} ({part.mime_type})"
        case "resource":
            what = f"resource {part.resource.uri}"
        case "resource_link":
            what = f"link to {part.name}, {part.uri}"
    return f"[Not shown: {sanitize.one_line(what)}]"


def reason(exc: BaseException) -> str:
    """Why a server could not be opened, or was lost, in words for whoever runs Hathi; no address is in it."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED

    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    match exc:
        case TimeoutError():
            return "it did not answer in time"
        case MCPError() if exc.error.code == CONNECTION_CLOSED:
            return "it ended"
        case MCPError():
            return f"it answered: {sanitize.one_line(sanitize.visible(exc.error.message))}"
        case OSError() if exc.strerror:
            return f"it can't be started: {exc.strerror}"
        case _:
            return f"it can't be reached ({type(exc).__name__})"


@contextlib.asynccontextmanager
async def _started(settings: ToolServerSettings, complaints: Complaints) -> AsyncGenerator["TransportStreams"]:
    """The streams of a program that is started, with the variables it is to have and a minimal environment."""
    from mcp import StdioServerParameters, stdio_client

    program, *arguments = settings.command
    given = {name: secret.get_secret_value() for name, secret in settings.variables.items()}
    parameters = StdioServerParameters(command=program, args=arguments, env=given)
    async with complaints.heard() as errors, stdio_client(parameters, errors) as streams:
        errors.close()
        yield streams


@contextlib.asynccontextmanager
async def _reached(settings: ToolServerSettings) -> AsyncGenerator["TransportStreams"]:
    """The streams to a server that runs somewhere."""
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    headers = {"Authorization": f"Bearer {settings.token.get_secret_value()}"} if settings.token else None
    async with (
        create_mcp_http_client(headers) as http,
        streamable_http_client(str(settings.url), http_client=http, max_sse_event_size=_LARGEST_EVENT) as streams,
    ):
        yield streams
