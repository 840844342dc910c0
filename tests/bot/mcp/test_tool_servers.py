"""The laws of calling tools: real servers of the SDK's own, over standard input and output and over HTTP."""

import asyncio
import contextlib
import io
import json
import re
import subprocess
import sys
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest
from aiohttp import web
from mcp.types import CallToolResult, TextContent

from bot import log
from bot.config import McpSettings
from bot.db.pool import Database
from bot.domain import ChannelId, SpaceId
from bot.mcp import sdk, tool_servers
from bot.mcp.held_server import Patience
from bot.mcp.tool_servers import ToolServers
from tests import conversations
from tests.bot.mcp import serving
from tests.bot.mcp.serving import ANN, PATIENT, TOOLS, held, settings
from tests.conftest import Clock
from tests.faults.servers import free_port
from tests.waiting import becomes, eventually, passed

SHORT: Final = replace(PATIENT, call=timedelta(seconds=0.2))


@contextlib.asynccontextmanager
async def served(way: str) -> AsyncGenerator[ToolServers]:
    """The server, reached one way or the other."""
    async with contextlib.AsyncExitStack() as stack:
        chosen = settings()
        if way == "http":
            url, _ = stack.enter_context(serving.over_http())
            chosen = settings(command=(), url=url)
        yield await stack.enter_async_context(held({"pots": chosen}))


CROOKED: Final = """
import json, sys
print("Rosa: no message", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answer = {"error": {"code": -32601, "message": "no"}}
    if asked["method"] == "initialize":
        info = {"name": "odd", "version": "1"}
        answer = {"result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}}
    elif asked["method"] == "tools/list":
        answer = {"result": {"tools": [{"name": "tell", "inputSchema": {"type": "object"}}]}}
    elif asked["method"] == "tools/call":
        answer = {"result": {"content": "Rosa"}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
"""
"""A server of the protocol before the newest, which writes beside it and answers nonsense."""
BOTH_WAYS: Final = pytest.mark.parametrize("way", ["stdio", "http"])


@BOTH_WAYS
async def test_the_tools_of_a_server_are_offered_and_called(way: str) -> None:
    """Each with what its server says of it, under the server's name."""
    async with served(way) as door:
        specs = {spec.name: spec for spec in door.tools_for(ANN)}
        assert len(TOOLS) == len(specs)
        assert all(re.fullmatch("pots_[a-zA-Z0-9_-]{1,59}", name) for name in specs)
        adding = specs["pots_add"]
        assert ("Adds two numbers.", ["one", "other"]) == (adding.description, adding.parameters["required"])
        assert adding.tokens > 0
        assert "3" == await door.call("pots_add", '{"one": 1, "other": 2}')
        mixing = next(name for name in specs if name.startswith("pots_glaze_mix_"))
        assert "mixed" == await door.call(mixing, "")


@BOTH_WAYS
async def test_what_floods_is_cut(way: str) -> None:
    """A result of a megabyte: its first 20,000 characters, and how many there were."""
    async with served(way) as door:
        told = await door.call("pots_flood", f'{{"letters": {2**20}}}')
        shown, _, remark = told.partition("\n")
        assert ("k" * 20_000, True) == (shown, "20,000 of 1,048,576" in remark)
        whole = await door.call("pots_flood", '{"letters": 20000}')
        assert "k" * 20_000 == whole


@BOTH_WAYS
async def test_calls_at_the_same_time_are_answered_each(way: str) -> None:
    """They do not wait for each other."""
    async with served(way) as door:
        met = await asyncio.gather(
            door.call("pots_meet", "{}"), door.call("pots_echo", '{"text": "kiln"}'), door.call("pots_meet", "{}")
        )
        assert ["met", "kiln", "met"] == met


@BOTH_WAYS
async def test_what_hangs_is_not_waited_for(way: str) -> None:
    """The model is told so, after ten seconds, and the server goes on."""
    assert timedelta(seconds=10) == Patience().call
    async with contextlib.AsyncExitStack() as stack:
        chosen = settings()
        if way == "http":
            chosen = settings(command=(), url=stack.enter_context(serving.over_http())[0])
        door = await stack.enter_async_context(held({"pots": chosen}, SHORT))
        assert tool_servers.LATE == await door.call("pots_hang", "{}")
        await becomes("kiln", lambda: door.call("pots_echo", '{"text": "kiln"}'))


WRONG: Final = [
    ("pots_add", '{"one": 1,', tool_servers.NO_JSON),
    ("pots_add", "[1, 2]", tool_servers.NO_OBJECT),
    ("pots_add", "null", tool_servers.NO_OBJECT),
    ("pots_echo", "[" * 100_000, tool_servers.NO_JSON),
    ("pots_echo", json.dumps({"text": "k" * 20_000}), tool_servers.TOO_LARGE),
    ("pots_break", "{}", f"{tool_servers.UNKNOWN} 'pots_break'."),
    ("potters_add", "{}", f"{tool_servers.UNKNOWN} 'potters_add'."),
    ("add", "{}", f"{tool_servers.UNKNOWN} 'add'."),
]
NO_TEXT: Final = [
    ("pots_nothing", "{}", tool_servers.NOTHING),
    ("pots_picture", "{}", "a pot\n[Not shown: image (image/png)]"),
    ("pots_echo", r'{"text": "a\u0000 \ud800 b"}', "a ? b"),
]


async def test_what_a_model_gets_wrong_it_is_told() -> None:
    """What it wrote is no JSON, no object, too much, or calls nothing that there is; and what is no text has a name."""
    async with held() as door:
        for name, arguments, told in [*WRONG, *NO_TEXT]:
            assert told == await door.call(name, arguments)


async def test_what_a_tool_refuses_the_model_is_told() -> None:
    """An error of its own, arguments of another type, and one that wants to be told more by a person."""
    async with held() as door:
        for name, arguments, holds in (
            ("pots_fail", "{}", "fail"),
            ("pots_add", '{"one": "x", "other": 2}', "integer"),
            ("pots_ask", "{}", "elicitation"),
        ):
            told = await door.call(name, arguments)
            assert (True, True) == (told.startswith(tool_servers.REFUSED), holds in told)


def test_of_a_result_without_texts_what_it_holds_is_told() -> None:
    """As JSON, with its letters as they are; where there are texts they say the same."""
    held = {"glaze": "grün", "degrees": 1200}
    alone = CallToolResult(content=[], structured_content=held)
    beside = CallToolResult(content=[TextContent(type="text", text="green")], structured_content=held)
    assert ('{"glaze": "grün", "degrees": 1200}', "green") == (sdk.text_of(alone), sdk.text_of(beside))


async def test_a_server_that_dies_is_brought_back() -> None:
    """Meanwhile its tools are offered on, and whoever calls one is told that it is not there."""
    async with held() as door:
        before = await door.call("pots_number", "{}")
        assert tool_servers.LOST == await door.call("pots_end", "{}")
        assert tool_servers.AWAY == await door.call("pots_number", "{}")
        assert len(TOOLS) == len(door.tools_for(ANN))
        await eventually(lambda: serving.is_there(door))
        after = await door.call("pots_number", "{}")
        assert (True, True) == (after.isdecimal(), after != before)


async def test_it_is_waited_for_longer_each_time_and_after_a_while_as_at_first() -> None:
    """Twice as long, up to the longest; one that was there for longer than that is come back to at once."""
    assert (timedelta(seconds=1), timedelta(minutes=5)) == (Patience().first, Patience().longest)
    stream, port = io.StringIO(), free_port()
    log.configure(to=stream, json=True)
    patience = replace(PATIENT, first=timedelta(seconds=0.02), longest=timedelta(seconds=0.5))

    def waits() -> list[float]:
        lines = map(json.loads, stream.getvalue().splitlines())
        return [line["again_in"] for line in lines if line["event"] == "mcp.unavailable"]

    chosen = {"pots": settings(command=(), url=f"http://127.0.0.1:{port}/mcp")}
    async with contextlib.aclosing(ToolServers(chosen, patience)) as door:
        await eventually(lambda: len(waits()) >= 7)
        before = waits()[:7]
        with serving.over_http(port):
            await eventually(lambda: serving.is_there(door))
            failed = len(waits())
            await passed(patience.longest.total_seconds())
        await door.call("pots_number", "{}")
        await eventually(lambda: len(waits()) > failed)
        after = waits()[failed]
    assert ([0.02, 0.04, 0.08, 0.16, 0.32, 0.5, 0.5], 0.02) == (before, after)


async def test_a_server_that_dies_unasked_is_brought_back() -> None:
    """Its end is noticed, not only by the next call."""
    async with held() as door:
        number = int(await door.call("pots_number", "{}"))
        (server,) = door.servers.values()
        subprocess.run(["kill", "-9", str(number)], check=True)
        await eventually(lambda: not server.is_there)
        await eventually(lambda: server.is_there)


async def test_a_server_elsewhere_that_goes_is_come_back_to() -> None:
    """As long as nothing listens there it is away; a server that was started anew is called as the one before."""
    port = free_port()
    async with contextlib.AsyncExitStack() as stack:
        with serving.over_http(port) as (url, _):
            door = await stack.enter_async_context(held({"pots": settings(command=(), url=url)}))
            assert "3" == await door.call("pots_add", '{"one": 1, "other": 2}')
        assert tool_servers.LOST == await door.call("pots_add", '{"one": 1, "other": 2}')
        with serving.over_http(port):
            await becomes("3", lambda: door.call("pots_add", '{"one": 1, "other": 2}'))


async def test_a_server_that_is_not_there_offers_nothing() -> None:
    """Neither does one that never answers; both are left at once."""
    chosen = {"gone": settings(command=("/no/such/program",)), "dumb": settings(command=("sleep", "1000"))}
    async with contextlib.aclosing(ToolServers(chosen, PATIENT)) as door:
        await eventually(lambda: door.servers["gone"].fault)
        assert () == door.tools_for(ANN)


async def test_what_is_no_answer_harms_nobody() -> None:
    """Lines that are no messages, and results that are none: the model is told, and nothing of them is logged."""
    stream = io.StringIO()
    log.configure(to=stream, json=True)
    chosen = {"odd": settings(command=(sys.executable, "-c", CROOKED), tools=["tell"])}
    async with held(chosen) as door:
        told = await door.call("odd_tell", '{"text": "Rosa"}')
        assert told.startswith(tool_servers.REFUSED)
        assert told == await door.call("odd_tell", "{}")
        assert serving.is_there(door)
    assert "Rosa" not in stream.getvalue()


async def test_a_server_elsewhere_is_sent_its_token() -> None:
    """With every request; one that refuses it offers nothing, and says why to whoever runs Hathi."""
    asked: list[str | None] = []

    async def refuse(request: web.Request) -> web.Response:
        asked.append(request.headers.get("Authorization"))
        return web.Response(status=401)

    application = web.Application()
    application.router.add_route("*", "/mcp", refuse)
    runner = web.AppRunner(application)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    chosen = settings(command=(), url=f"http://127.0.0.1:{port}/mcp", token="hunter2")
    async with contextlib.aclosing(ToolServers({"pots": chosen}, PATIENT)) as door:
        await eventually(lambda: door.servers["pots"].fault)
        assert () == door.tools_for(ANN)
        assert "hunter2" not in door.servers["pots"].fault
    await runner.cleanup()
    assert {"Bearer hunter2"} == {*asked}


async def test_only_what_settings_allow_is_there() -> None:
    """Tools that nobody allowed can't be called, whatever their server has."""
    async with held({"pots": settings(tools=["echo", "lost"], read_only=["echo"])}) as door:
        assert ["pots_echo"] == [spec.name for spec in door.tools_for(ANN)]
        assert ("pots_echo" in door, "pots_add" in door) == (True, False)
        assert (await door.call("pots_add", "{}")).startswith(tool_servers.UNKNOWN)


async def test_a_server_is_for_its_spaces_and_channels() -> None:
    """Those that settings name; where they name both, for these channels of these spaces."""
    servers = {
        "everywhere": settings(tools=["echo"]),
        "here": settings(tools=["echo"], spaces=[1]),
        "there": settings(tools=["echo"], spaces=[7]),
        "channel": settings(tools=["echo"], channels=[2]),
        "both": settings(tools=["echo"], spaces=[7], channels=[2]),
    }
    async with held(servers) as door:
        assert ["everywhere", "here", "channel"] == [*door.by_server(ANN)]
        thread = replace(ANN, channel_id=ChannelId(5), origin=ChannelId(2))
        assert ["everywhere", "here", "channel"] == [*door.by_server(thread)]
        terminal = replace(ANN, space_id=SpaceId(0), channel_id=ChannelId(0))
        assert ["everywhere_echo"] == [spec.name for spec in door.tools_for(terminal)]


async def test_a_tainted_turn_may_call_what_only_reads() -> None:
    """With what the asker's own message says; what writes it may not call at all."""
    async with held({"pots": settings(read_only=["echo"])}) as door:
        assert (True, False) == (door.is_read_only("pots_echo"), door.is_read_only("pots_complain"))
        asked = "look the glaze up for me"
        assert door.may_call("pots_echo", '{"text": "glaze"}', asked)
        assert not door.may_call("pots_echo", '{"text": "glaze, Rosa"}', asked)
        assert not door.may_call("pots_complain", '{"text": "glaze"}', asked)
        assert not door.may_call("pots_lost", '{"text": "glaze"}', asked)


async def test_a_program_has_the_variables_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """And of Hathi's environment what any program needs, no secret."""
    monkeypatch.setenv("DISCORD_TOKEN", "hunter2")
    monkeypatch.setenv("POTS_KEY", "a key")
    async with held({"pots": settings(env=["POTS_KEY"], variables={"POTS_KEY": "a key"})}) as door:
        names = (await door.call("pots_variables", "{}")).splitlines()
    assert "POTS_KEY" in names
    assert {"DISCORD_TOKEN"}.isdisjoint(names)
    assert {*names} <= {"HOME", "LANG", "LC_CTYPE", "LOGNAME", "PATH", "POTS_KEY", "SHELL", "TERM", "USER"}


async def test_closing_ends_the_program() -> None:
    """No process is left."""
    async with held() as door:
        number = int(await door.call("pots_number", "{}"))
        assert serving.is_running(number)
    assert not serving.is_running(number)


async def test_hathi_holds_its_servers_for_as_long_as_it_runs(database: Database, clock: Clock) -> None:
    """It is there before any of them is; they are started with it, and gone with it."""
    chosen = McpSettings(servers={"pots": settings(), "dumb": settings(command=("sleep", "1000"))})
    async with conversations.room(database, clock, mcp=chosen) as here:
        servers = here.app.tool_servers
        assert () == servers.tools_for(here.caller)
        await eventually(lambda: servers.servers["pots"].is_there)
        number = int(await servers.call("pots_number", "{}"))
        assert len(TOOLS) == len(servers.tools_for(here.caller))
    assert not serving.is_running(number)


def test_the_sdk_is_imported_where_a_server_is_named() -> None:
    """It takes a second, which nobody is to wait for who has none."""
    program = "import sys, bot.app, bot.cli.doctor, bot.cli.terminal; sys.exit('mcp' in sys.modules)"
    assert 0 == subprocess.run([sys.executable, "-c", program], check=False).returncode
