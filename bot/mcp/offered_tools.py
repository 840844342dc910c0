"""What of a server's tools models may call, by names that an OpenAI-compatible API takes; pure."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.config import ToolServerSettings
from bot.llm.messages import ToolSpec
from bot.llm.tokens import estimate
from bot.mcp.sdk import ServerTool
from bot.text import sanitize

LONGEST_NAME: Final = 64
"""Of a function, for OpenAI and who follows it."""
_LONGEST_DESCRIPTION: Final = 1_000
LARGEST_SCHEMA: Final = 8_000
"""Characters of a tool's schema, as JSON; one with a larger is left out."""
_NO_PART_OF_A_NAME: Final = re.compile("[^A-Za-z0-9_-]")
_MARK: Final = 6
_OF_A_SCHEMA: Final = ("type", "properties", "required", "$defs")


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A tool of a server, as models know it."""

    spec: ToolSpec
    tool: str
    """What its server calls it."""
    is_read_only: bool


def offered(server: str, settings: ToolServerSettings, tools: Iterable[ServerTool]) -> Mapping[str, OfferedTool]:
    """Those that settings allow and a prompt can hold, by what models call them."""
    allowed = [tool for tool in tools if tool.name in settings.tools and not is_too_large(tool)]
    found = [
        OfferedTool(spec=_spec(server, tool), tool=tool.name, is_read_only=tool.name in settings.read_only)
        for tool in allowed
    ]
    return {one.spec.name: one for one in found}


def is_too_large(tool: ServerTool) -> bool:
    """Whether a prompt has no place for what the tool takes."""
    return len(json.dumps(tool.parameters)) > LARGEST_SCHEMA


def name_of(server: str, tool: str) -> str:
    """What models call a tool: NAME_tool.

    Where that is no name of a function, a mark of the whole stands at its end: no two tools are called alike. The name
    of a server has no `_`, so none is called as another server's is.
    """
    plain = f"{server}_{tool}"
    name = _NO_PART_OF_A_NAME.sub("_", plain)
    if name == plain and len(name) <= LONGEST_NAME:
        return name
    mark = hashlib.sha256(plain.encode()).hexdigest()[:_MARK]
    return f"{name[: LONGEST_NAME - _MARK - 1]}_{mark}"


def _spec(server: str, tool: ServerTool) -> ToolSpec:
    name = name_of(server, tool.name)
    about = sanitize.visible(tool.description).strip()[:_LONGEST_DESCRIPTION]
    parameters = {"type": "object", "properties": {}} | {
        key: tool.parameters[key] for key in _OF_A_SCHEMA if key in tool.parameters
    }
    tokens = estimate(name + about + json.dumps(parameters))
    return ToolSpec(name=name, description=about, parameters=parameters, tokens=tokens)
