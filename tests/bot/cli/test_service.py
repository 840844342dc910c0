"""Hathi as a service, from start to stop: health, the service manager, signals and exit codes."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import asyncpg
import pytest
from discord.backoff import ExponentialBackoff
from pydantic import SecretStr
from structlog.testing import capture_logs

from bot import app, errors
from bot.cli import service
from bot.config import PromptSettings, Settings
from bot.connection import gateway
from bot.connection.client import NO_CONTENT, REFUSED, invite
from bot.db.pool import Database
from cogs.chat import chat
from tests import discord_bot, waiting
from tests.benchmarks.servers import ROOT
from tests.conversations import roles
from tests.discord_bot import World
from tests.discord_server.messages import Message
from tests.discord_server.server import DiscordServer
from tests.faults import discord as faults
from tests.model_server import Reply
from tests.waiting import becomes, eventually

FEED = timedelta(seconds=0.3)
_OURS = ("HATHI_", "LLM_", "DISCORD_", "DATABASE_URL", "SHARD_", "NOTIFY_", "WATCHDOG_")


@contextlib.asynccontextmanager
async def _serving(place: World, dsn: str, **settings: Any) -> AsyncGenerator[asyncio.Task[None]]:
    """The whole service in this process, until the block ends or a signal comes."""
    given: dict[str, Any] = {
        "database_url": dsn,
        "discord_token": place.discord.token,
        "discord_api_url": place.discord.api_url,
        "discord_gateway_url": place.discord.gateway_url,
        "shard_count": 1,
        "roles": roles(place.model.base_url),
    } | settings
    with discord_bot.process_kept():
        task = asyncio.create_task(service.run(Settings(**given)))
        try:
            yield task
        finally:
            if not task.done():
                os.kill(os.getpid(), signal.SIGTERM)
            await _ended(task)


async def _ended(task: asyncio.Task[None]) -> None:
    async with asyncio.timeout(waiting.WITHIN.total_seconds()):
        await task


@dataclass
class Manager:
    """The service manager's end of its socket."""

    path: Path

    def __post_init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind(str(self.path))

    async def heard(self, assignment: str) -> list[str]:
        """The assignments of the first message with this one among them; others before it are passed over."""
        async with asyncio.timeout(waiting.WITHIN.total_seconds()):
            while True:
                lines = (await asyncio.get_running_loop().sock_recv(self.socket, 4096)).decode().splitlines()
                if assignment in lines:
                    return lines


@contextlib.asynccontextmanager
async def _read_only(dsn: str) -> AsyncGenerator[None]:
    """The database takes no writes, on connections made from now on, which all are."""
    admin = await asyncpg.connect(dsn)
    try:
        name = urlsplit(dsn).path[1:]
        for value in ("on", "off"):
            await admin.execute("SET default_transaction_read_only = off")
            await admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
            await admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            if value == "on":
                yield
    finally:
        await admin.close()


async def _asked(place: World, text: str) -> Message:
    ann = place.newcomer("Ann")
    return await ann.say(place.channel, text, mentions=[place.discord.bot])


async def test_a_service_tells_how_it_is(dsn: str, tmp_path: Path) -> None:
    """Alive at once, ready when the gateway is, told to manager and orchestrator, fed all the while, then stopping."""
    manager, port = Manager(tmp_path / "notify"), _free_port()
    async with discord_bot.world() as place, aiohttp.ClientSession(f"http://127.0.0.1:{port}") as http:
        place.discord.turn_away()
        async with _serving(
            place, dsn, http_port=port, notify_socket=str(manager.path), watchdog_usec=int(FEED.total_seconds() * 1e6)
        ) as task:
            await manager.heard("WATCHDOG=1")
            assert (200, "ok\n") == await _got(http, "/healthz")
            status, body = await _got(http, "/readyz")
            assert (503, ["Discord is not connected"]) == (status, json.loads(body)["reasons"])
            place.discord.turn_away(away=False)
            assert ["READY=1", "STATUS=serving 1 guild"] == await manager.heard("READY=1")
            assert 1 == place.discord.identifies
            assert (200, {"ready": True}) == await _ready(http)
            async with _read_only(dsn):
                await _becomes(http, 503)
            await _becomes(http, 200)
            await manager.heard("WATCHDOG=1")
            question = await _asked(place, "How are you?")
            await place.until(lambda: place.replies(question))
            os.kill(os.getpid(), signal.SIGTERM)
            await manager.heard("STOPPING=1")
            await _ended(task)
    manager.socket.close()


async def test_the_address_to_invite_it_is_told_while_nobody_has(dsn: str) -> None:
    """Once it is ready, in no server; not in one, and not by a process that has only some of the shards."""
    for servers, shards in ((0, ()), (1, ()), (0, (0,))):
        told = list[str]()
        async with DiscordServer.started() as discord:
            for _ in range(servers):
                discord.guild("Elephants")
            settings = Settings(
                database_url=SecretStr(dsn),
                discord_token=SecretStr(discord.token),
                discord_api_url=discord.api_url,
                discord_gateway_url=discord.gateway_url,
                shard_count=1,
                shard_ids=shards,
            )
            with discord_bot.process_kept(), capture_logs() as lines:
                task = asyncio.create_task(service.run(settings, tell=told.append))
                await eventually(lambda: "discord.ready" in {line["event"] for line in lines})
                os.kill(os.getpid(), signal.SIGTERM)
                await _ended(task)
            address = f"{service.INVITED_NOWHERE}\n{invite(discord.world.application_id)}"
            assert ([] if servers or shards else [address]) == told


async def test_ready_is_who_is_connected(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Hathi that has lost Discord is not ready until it is there again, and alive all the while."""
    monkeypatch.setattr("bot.infra.health_server.READINESS_KEPT", timedelta(0))
    monkeypatch.setattr(gateway, "IDENTIFY_EVERY", timedelta(0))
    monkeypatch.setattr(ExponentialBackoff, "delay", lambda _: 0.05)
    port = _free_port()
    async with (
        discord_bot.world() as place,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as http,
        _serving(place, dsn, http_port=port),
    ):
        await place.until(lambda: place.discord.identifies)
        await _becomes(http, 200)
        await faults.away(place.discord)
        await _becomes(http, 503)
        assert (200, "ok\n") == await _got(http, "/healthz")
        place.discord.turn_away(away=False)
        await _becomes(http, 200)


async def test_figures_are_exposed(dsn: str) -> None:
    """A running worker exposes its counts for Prometheus, the answered questions among them."""
    port = _free_port()
    async with (
        discord_bot.world() as place,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as http,
        _serving(place, dsn, http_port=port),
    ):
        await place.until(lambda: place.discord.identifies)
        question = await _asked(place, "How are you?")
        await place.until(lambda: place.replies(question))
        status, text = await _got(http, "/metrics")
        assert 200 == status
        assert 'hathi_turns_total{outcome="answered"}' in text
        assert "hathi_gateway_latency_seconds" in text


async def test_a_held_loop_is_told(dsn: str) -> None:
    """Whatever holds the loop of a running service is in its log, and in no other way known to who runs it."""
    async with discord_bot.world() as place, _serving(place, dsn):
        await place.until(lambda: place.discord.identifies)
        with capture_logs() as lines:
            until = time.monotonic() + 0.5
            while time.monotonic() < until:
                pass
            await eventually(lambda: "loop.held" in {line["event"] for line in lines})


async def test_both_forms_of_a_command_are_served(dsn: str) -> None:
    """The service answers a command that was typed and the same one chosen from Discord's list, from one memory."""
    async with discord_bot.world() as place, _serving(place, dsn):
        await place.until(lambda: place.discord.identifies)
        ann = place.newcomer("Ann")
        saved = await ann.slash(place.channel, "remember", {"text": "The cake is in the cellar", "topic": "cake"})
        await place.until(lambda: saved.original and "cake" in saved.original.text)
        typed = await ann.say(place.channel, "!recall cake")
        chosen = await ann.slash(place.channel, "recall", {"query": "cake"})
        await place.until(lambda: place.replies(typed) and chosen.original and "cellar" in chosen.original.text)
        assert chosen.original is not None
        (reply,) = place.replies(typed)
        assert reply.text == chosen.original.text


async def test_a_stop_finishes_what_is_in_hand(dsn: str, tmp_path: Path) -> None:
    """At SIGTERM the answers in the making are finished; what is said from then on is answered by the next start."""
    gate, manager = asyncio.Event(), Manager(tmp_path / "notify")
    async with discord_bot.world() as place:
        place.model.steps.append(Reply(text="At last.", pieces=2, gate=gate))
        async with _serving(place, dsn, notify_socket=str(manager.path)) as task:
            await place.until(lambda: place.discord.identifies)
            question = await _asked(place, "What takes long?")
            await place.until(lambda: place.model.requests)
            os.kill(os.getpid(), signal.SIGTERM)
            await manager.heard("STOPPING=1")
            late = await _asked(place, "And I?")
            gate.set()
            await _ended(task)
        assert place.replies(question)[0].text.startswith("At last.")
        assert [] == place.replies(late)
        async with _serving(place, dsn):
            await place.until(lambda: place.replies(late))
        assert 1 == len(place.replies(question))
    manager.socket.close()


async def test_a_stop_tells_what_it_leaves(dsn: str, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who can't be answered in time is told so once a channel; the next start answers their questions, in order."""
    monkeypatch.setattr(chat, "DRAIN", timedelta(seconds=0.2))
    async with discord_bot.world() as place:
        place.model.steps.append(Reply(text="Never.", pieces=2, gate=asyncio.Event()))
        async with _serving(place, dsn) as task:
            await place.until(lambda: place.discord.identifies)
            asked = [await _asked(place, f"Question {number}?") for number in range(3)]
            await place.until(lambda: place.model.requests)
            os.kill(os.getpid(), signal.SIGTERM)
            await _ended(task)
        assert [chat.RESTARTING] == [message.text for message in place.channel.said_by(place.discord.bot)]
        # Its lease has run out by then.
        async with discord_bot.connected(place, database, clock=lambda: app.utc_now() + timedelta(minutes=2)):
            await place.until(lambda: all(place.replies(question) for question in asked))
        said = place.channel.said_by(place.discord.bot)[1:]
        assert asked == [message.referenced for message in said]


@pytest.mark.parametrize("trouble", ["never let in", "lost", "slow to log in"])
async def test_a_stop_does_not_wait_for_discord(dsn: str, trouble: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether Discord never let Hathi in, was lost or is slow: told to stop, Hathi gives it up and ends in order."""
    delays: list[float] = []

    def delay(_: ExponentialBackoff[Any]) -> float:
        delays.append(600.0)
        return delays[-1]

    monkeypatch.setattr(ExponentialBackoff, "delay", delay)
    async with discord_bot.world() as place:
        faults.tell_of_faults(place.discord, monkeypatch)
        late = timedelta(minutes=10 if trouble == "slow to log in" else 0)
        login = place.discord.faults.slow(late, path="/users/@me")
        place.discord.turn_away(away=trouble == "never let in")
        async with _serving(place, dsn) as task:
            if trouble == "never let in":
                # The last thing before the first try.
                await place.until(lambda: place.discord.requested("PUT", "/commands"))
            elif trouble == "slow to log in":
                await place.until(lambda: login.met)
            else:
                await place.until(lambda: place.discord.identifies)
                await faults.away(place.discord)
                await eventually(lambda: delays)
            assert not task.done()
            os.kill(os.getpid(), signal.SIGTERM)
            await _ended(task)


async def test_what_settings_name_is_looked_for_before_anything_starts(tmp_path: Path) -> None:
    """A retriever that there is none of starts no database."""
    wrong = PromptSettings(retrieved=("recents",))
    settings = Settings(data_dir=tmp_path / "data", discord_token=SecretStr("token"), prompt=wrong)
    with pytest.raises(errors.SettingsError, match=r"^prompt\.retrieved: .*'recents'.* recent"):
        await service.run(settings)
    assert not settings.data_dir.exists()


async def test_a_stop_while_it_opens_closes_again(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told to stop before it serves, Hathi breaks off, closes what is open, and has not failed; told twice as well."""
    closed = list[str]()

    @contextlib.asynccontextmanager
    async def database(*_: object, **_named: object) -> AsyncGenerator[None]:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.Event().wait()
            yield
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            # Let it be noticed.
            for _turn in range(10):
                await asyncio.sleep(0)
            closed.append("database")

    monkeypatch.setattr(app, "database", database)
    async with discord_bot.world() as place, _serving(place, dsn) as task:
        await _ended(task)
        assert (["database"], []) == (closed, place.discord.requests)


async def test_a_stop_while_it_is_loaded_is_no_failure(tmp_path: Path) -> None:
    """A process that is told to stop before anything is open ends with 0."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-X",
        "importtime",
        "-m",
        "bot",
        "run",
        cwd=ROOT,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=environment | {"DISCORD_TOKEN": "none", "HATHI_DATA_DIR": str(tmp_path)},
    )
    try:
        async with asyncio.timeout(60):
            assert process.stderr is not None
            # Each module is told of when it is loaded; this is the first that only the service needs.
            while b"uvloop" not in await process.stderr.readline():
                assert not process.stderr.at_eof()
            process.terminate()
            await process.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    assert 0 == process.returncode


async def test_how_it_ends(dsn: str, tmp_path: Path) -> None:
    """A process ends with 0 after SIGTERM, and with 78 and one plain sentence for what its settings or portal lack."""
    ends = await asyncio.gather(
        _end(dsn, tmp_path / "a"),
        _end(dsn, tmp_path / "b", code=4004),
        _end(dsn, tmp_path / "c", code=4014),
        _end(dsn, tmp_path / "d", token=""),
    )
    assert [0, 78, 78, 78] == [code for code, _ in ends]
    assert [
        f"hathi: {REFUSED}",
        f"hathi: Discord closed the connection (4014). {NO_CONTENT}",
        f"hathi: {service.WITHOUT_ONE}",
    ] == [said.splitlines()[-1] for _, said in ends[1:]]
    assert [False] * 4 == ["Traceback" in said for _, said in ends]


async def _end(dsn: str, folder: Path, *, code: int | None = None, token: str | None = None) -> tuple[int, str]:
    """Exit code and standard error of a process whose IDENTIFY is refused by a code, or else is told to stop then."""
    async with discord_bot.world() as place:
        place.discord.gateway.closes_with = code
        environment = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        environment |= {
            "DISCORD_TOKEN": place.discord.token if token is None else token,
            "DATABASE_URL": dsn,
            "DISCORD_API_URL": place.discord.api_url,
            "DISCORD_GATEWAY_URL": place.discord.gateway_url,
            "HATHI_DATA_DIR": str(folder),
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "run",
            cwd=ROOT,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(60):
                if token is None and code is None:
                    await place.discord.until(lambda: place.discord.identifies, within=timedelta(seconds=50))
                    process.terminate()
                _, said = await process.communicate()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        assert process.returncode is not None
        return process.returncode, said.decode()


async def _got(http: aiohttp.ClientSession, path: str) -> tuple[int, str]:
    async with http.get(path) as response:
        return response.status, await response.text()


async def _becomes(http: aiohttp.ClientSession, status: int) -> None:
    """Return once /readyz answers with a status."""

    async def answered() -> int:
        return (await _ready(http))[0]

    await becomes(status, answered)


async def _ready(http: aiohttp.ClientSession) -> tuple[int, Any]:
    status, body = await _got(http, "/readyz")
    return status, json.loads(body)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
