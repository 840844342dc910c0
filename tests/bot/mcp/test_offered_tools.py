"""The laws of what models know of a server's tools."""

import re
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config import ToolServerSettings
from bot.mcp import offered_tools
from bot.mcp.sdk import ServerTool

NAMES: Final = st.from_regex(r"[a-z][a-z0-9-]{0,30}", fullmatch=True)
TOOLS: Final = st.text(min_size=1, max_size=150) | st.sampled_from(["a.b", "a_b", "a/b", "a b", "b" * 64, "b" * 65])


@given(st.lists(st.tuples(NAMES, TOOLS), unique=True))
def test_every_tool_has_a_name_of_its_own(tools: list[tuple[str, str]]) -> None:
    """One that a model can call: of 64 letters, digits, `_` and `-` at most, that begins with its server's."""
    names = [offered_tools.name_of(server, tool) for server, tool in tools]
    assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in names)
    assert [server for server, _ in tools] == [name.partition("_")[0] for name in names]
    assert len(tools) == len({*names})


@pytest.mark.parametrize(("tool", "name"), [("web_search", "search_web_search"), ("Find-it2", "search_Find-it2")])
def test_a_name_that_can_be_called_stays(tool: str, name: str) -> None:
    """As its server writes it."""
    assert name == offered_tools.name_of("search", tool)


def test_a_tool_is_described_within_bounds() -> None:
    """Of its schema what says what it takes; a description that goes on is cut, and what is too large is left out."""
    schema = {"$schema": "x", "title": "x", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {}}}
    large = {"properties": {"k" * offered_tools.LARGEST_SCHEMA: {}}}
    tools = [
        ServerTool(name="find", description=" k\0" + "k" * 5_000 + "!", parameters=schema),
        ServerTool(name="large", description="", parameters=large),
        ServerTool(name="other", description="", parameters={}),
    ]
    settings = ToolServerSettings(command=("x",), tools=frozenset({"find", "large"}), read_only=frozenset({"find"}))
    (found,) = offered_tools.offered("stock", settings, tools).values()
    assert ("stock_find", "find", True) == (found.spec.name, found.tool, found.is_read_only)
    assert {"type", "properties", "$defs"} == found.spec.parameters.keys()
    assert "k" * 1_000 == found.spec.description
