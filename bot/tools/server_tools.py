"""The tools of MCP servers: what they return are words of others, and what they are given has to be the asker's."""

from collections.abc import Iterable, Iterator
from typing import Final

from bot import errors
from bot.llm.messages import ToolSpec
from bot.mcp import tool_servers
from bot.mcp.tool_servers import ToolServers
from bot.tools import own_words
from bot.tools.definitions import Tool
from bot.tools.tool_context import NOT_DONE, ToolContext

UNASKED: Final = (
    "others' words were read in this turn, and the person's own message does not ask for this, with all that it would "
    "be given; tell them what to ask for."
)
DOES: Final = (
    "others' words were read in this turn; after that no tool is called which may do something elsewhere, whatever the "
    "person asks for; tell them that it was not done."
)


def tools(servers: ToolServers, specs: Iterable[ToolSpec]) -> Iterator[Tool]:
    """A tool for each of these; once the model read words of others, one that is not asked for raises `NotAllowed`.

    And so does whatever is not `read_only`, asked for or not.
    """
    return (_tool(servers, spec) for spec in specs)


def _tool(servers: ToolServers, spec: ToolSpec) -> Tool:
    is_read_only = servers.is_read_only(spec.name)

    async def call(context: ToolContext, arguments: str) -> str:
        if context.has_read and not servers.may_call(spec.name, arguments, own_words.of(context.turn.message).content):
            raise errors.NotAllowed(UNASKED if is_read_only else DOES)
        answer = await servers.call(spec.name, arguments)
        if answer in tool_servers.BEGUN and not is_read_only:
            raise TimeoutError
        if answer in tool_servers.UNANSWERED:
            # It is no answer of the tool's, which may give one the next time.
            raise errors.NotFound(answer.removeprefix(NOT_DONE))
        context.is_tainted = True
        return context.shown(answer)

    # Its server's door gives it up and cuts it, and says so.
    return Tool(spec, call, needs=None, is_bounded=True, does_elsewhere=not is_read_only)
