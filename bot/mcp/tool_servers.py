"""The door to all MCP servers: what a turn is offered of their tools, and what comes of a call, as text for a model."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

from bot import log
from bot.config import ToolServerSettings
from bot.domain import Caller
from bot.grounding import call_arguments
from bot.llm.messages import ToolSpec
from bot.mcp import sdk
from bot.mcp.held_server import HeldServer, Patience, ServerAway, ServerLost
from bot.mcp.offered_tools import LONGEST_NAME, OfferedTool
from bot.text import json_values, sanitize

_log = log.logger(__name__)

MOST_TEXT: Final = 20_000
"""Characters of one result that a model is shown."""

NO_JSON: Final = "Bad arguments: they must be valid JSON."
NO_OBJECT: Final = 'Bad arguments: they must be a JSON object, such as {"query": "kiln"}.'
TOO_LARGE: Final = f"Bad arguments: at most {json_values.LONGEST:,} characters, and not nested so deep."
LATE: Final = "Not done: it did not answer in time."
AWAY: Final = "Not done: its server is unavailable right now, and is tried again by itself. Answer without it."
LOST: Final = "Not done: its server went away over it, and is tried again by itself. Answer without it."
UNANSWERED: Final = frozenset({LATE, AWAY, LOST})
"""What is told in place of an answer, and may be otherwise the next time."""
BEGUN: Final = UNANSWERED - {AWAY}
"""Of those, what is told where the tool may have been at work: one that does something may have done it."""
NOTHING: Final = "It returned nothing."
REFUSED: Final = "Not done, the tool says:"
"""And then what it says."""
UNKNOWN: Final = "Not done: there is no tool"
"""And then its name."""


class BadArguments(Exception):
    """Arguments that can't be sent; the text says what is wrong with them."""


class ToolServers:
    """Every server that settings name. What their tools return are words of others: it taints a turn."""

    def __init__(self, servers: Mapping[str, ToolServerSettings], patience: Patience | None = None) -> None:
        """Starts them, without waiting for any."""
        self.servers = {name: HeldServer(name, one, patience or Patience()) for name, one in servers.items()}

    def by_server(self, caller: Caller) -> dict[str, tuple[ToolSpec, ...]]:
        """The tools of each server that may be called where the caller is, as they were listed last."""
        there = {name: one for name, one in self.servers.items() if one.is_for(caller.space_id, caller.origin_id)}
        return {name: tuple(tool.spec for tool in one.offered.values()) for name, one in there.items()}

    def tools_for(self, caller: Caller) -> tuple[ToolSpec, ...]:
        """All of them, server by server."""
        return tuple(spec for specs in self.by_server(caller).values() for spec in specs)

    def __contains__(self, name: str) -> bool:
        """Whether a tool is one of theirs."""
        return self._found(name) is not None

    def is_read_only(self, name: str) -> bool:
        """Whether settings say that the tool only reads."""
        found = self._found(name)
        return found is not None and found[1].is_read_only

    def may_call(self, name: str, arguments: str, asked: str) -> bool:
        """Whether a tainted turn may call it: it only reads, and is given nothing but what the asker's message says."""
        found = self._found(name)
        if found is None or not found[1].is_read_only:
            return False
        return call_arguments.may_call(arguments, asked, found[1].spec.parameters)

    async def call(self, name: str, arguments: str) -> str:
        """What the tool returns, or a sentence on why it returned nothing; at most 20,000 characters and a remark."""
        found = self._found(name)
        if found is None:
            return f"{UNKNOWN} {sanitize.one_line(sanitize.visible(name), LONGEST_NAME)!r}."
        server, tool = found
        outcome = "done"
        try:
            return _cut(await server.call(tool.tool, _read(arguments))) or NOTHING
        except BadArguments as exc:
            outcome = "bad arguments"
            return str(exc)
        except sdk.CallRefused as exc:
            outcome = "refused"
            return f"{REFUSED} {_cut(str(exc)) or NOTHING}"
        except TimeoutError:
            outcome = "late"
            return LATE
        except ServerAway as exc:
            outcome, told = ("lost", LOST) if isinstance(exc, ServerLost) else ("away", AWAY)
            return told
        finally:
            _log.info("mcp.called", tool=name, outcome=outcome)

    async def aclose(self) -> None:
        """End every server."""
        await asyncio.gather(*(server.aclose() for server in self.servers.values()))

    def _found(self, name: str) -> tuple[HeldServer, OfferedTool] | None:
        # A server's name ends where the first `_` stands.
        server = self.servers.get(name.partition("_")[0])
        tool = None if server is None else server.offered.get(name)
        return None if server is None or tool is None else (server, tool)


def _read(arguments: str) -> dict[str, Any]:
    """Arguments as a model wrote them. Raises `BadArguments`."""
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as exc:
        raise BadArguments(NO_JSON) from exc
    if not isinstance(given, dict):
        raise BadArguments(NO_OBJECT)
    clean = json_values.stored(given)
    if given and not clean:
        raise BadArguments(TOO_LARGE)
    return clean


def _cut(text: str) -> str:
    """As much of a text as a model is shown, and how much that is."""
    shown = sanitize.shown(text[:MOST_TEXT])
    if len(text) <= MOST_TEXT:
        return shown
    return f"{shown}\n[Cut: these are the first {MOST_TEXT:,} of {len(text):,} characters.]"
