"""The laws of what a server's standard error brings into the log."""

import asyncio
import io
import json
from collections.abc import Generator
from typing import Any

import pytest

from bot import log
from bot.mcp import complaints, tool_servers
from bot.mcp.complaints import Complaints
from tests.bot.mcp.serving import held, settings
from tests.waiting import eventually


@pytest.fixture
def lines() -> Generator[io.StringIO]:
    """The log as it is written."""
    stream = io.StringIO()
    log.configure(to=stream, json=True)
    yield stream
    log.configure(to=io.StringIO())


def logged(lines: io.StringIO, event: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    return [each for each in found if each["event"] == event]


async def test_what_a_program_says_at_its_start_is_logged(lines: io.StringIO) -> None:
    """Line by line, cut, without what it was given to keep secret; not all of it where it says much."""
    said = ["kiln key hunter2!", "k" * 5_000, "", *(f"line {n}" for n in range(100))]
    chosen = settings(env=["SAID_AT_START", "KEY"], variables={"SAID_AT_START": "\n".join(said), "KEY": "hunter2"})
    async with held({"pots": chosen}) as door:
        (server,) = door.servers.values()
        await eventually(lambda: server.fault or len(logged(lines, "mcp.stderr")) == complaints.MOST_LINES)
    told = [each["line"] for each in logged(lines, "mcp.stderr")]
    assert ("kiln key [dropped]!", 300, "line 0") == (told[0], len(told[1]), told[2])
    assert complaints.MOST_LINES == len(told)
    assert "hunter2" not in lines.getvalue()


async def test_what_people_wrote_is_not_logged(lines: io.StringIO) -> None:
    """From the first call on, lines are only counted: not what a tool says, nor what it was told."""
    async with held() as door:
        assert "complained" == await door.call("pots_complain", '{"text": "Rosa has the key"}')
        assert "Rosa" in await door.call("pots_echo", '{"text": "Rosa"}')
        assert tool_servers.LOST == await door.call("pots_end", "{}")
        await eventually(lambda: logged(lines, "mcp.unavailable"))
    (lost,) = logged(lines, "mcp.unavailable")
    assert (True, "pots") == (lost["left_out"] >= 1, lost["server"])
    assert "Rosa" not in lines.getvalue()


async def test_nothing_is_lost_and_nothing_kept_of_endless_lines() -> None:
    """A line without end takes no more memory than one that is shown, and what comes after it is read."""
    said = Complaints("pots", ())
    async with said.heard() as stream:
        await asyncio.to_thread(stream.write, "k" * 2**20 + "\nafter\n")
        await asyncio.to_thread(stream.close)
        await eventually(lambda: said.last == "after")
