"""The database goes away at every step of a turn and of a reset, and comes back."""

import asyncio
import contextlib
import json
import os
import signal
import tempfile
import time
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, Final

import pytest

from bot import app, errors
from bot.app import App
from bot.cli.terminal import Terminal
from bot.config import DatabaseSettings, Settings
from bot.db import embedded, pool
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND, Caller, WorkerId
from bot.lifecycle.summaries import SummaryDone
from bot.turn import draft
from tests import people
from tests.conversations import RecordedReply, roles
from tests.conversations import room as room_of
from tests.faults import crashes
from tests.faults.crashes import NOW, Found
from tests.faults.points import Points, WatchedDatabase, WatchedScreen, watch_models
from tests.faults.proxy import Proxy, proxied
from tests.model_server import ModelServer, Reply
from tests.waiting import eventually

BEGINNING: Final = "Once upon a time there was a parser. "
STORY: Final = f"{BEGINNING}It read and read, and nothing it read was lost."
FACT: Final = "The retro is on Tuesday."
DECIDED: Final = "We decided to ship the parser on Friday."
ASKED: Final = "remember that the vault code is 4417."
DOWN: Final = str(errors.DatabaseDown())
PROMPT: Final = 5.0
"""Seconds within which a question is answered once the database is back."""


class Fault(Enum):
    """How the database goes."""

    BETWEEN = "between"
    """After one step, and before the next."""
    ANSWER_LOST = "answer lost"
    """It did what was asked, and its answer is lost."""


@dataclass
class Stage:
    """One application on a database that can be taken away, and somebody at its terminal."""

    app: App
    points: Points
    screen: WatchedScreen
    proxy: Proxy
    server: ModelServer
    plain: Database
    """A way to the database that is never cut."""
    clock: "Clock"
    model: bool
    said: list[str] = field(default_factory=list[str])

    async def enter(self) -> "Room":
        space = crashes.new_space()
        person = await self.app.enter(people.caller(space=space), channel_name="general", mode="all")
        return Room(self, space, person)


class Clock:
    """A clock that runs, and can be moved."""

    def __init__(self) -> None:
        self._moved = timedelta()
        self._began = time.monotonic()

    def __call__(self) -> datetime:
        return NOW + self._moved + timedelta(seconds=time.monotonic() - self._began)

    def forward(self, **units: float) -> None:
        self._moved += timedelta(**units)


@dataclass
class Room:
    """One space of the application."""

    stage: Stage
    space: int
    person: Caller

    async def take(self, line: str) -> str:
        """What the terminal prints for a line."""
        self.stage.said.clear()
        async with asyncio.timeout(30):
            await Terminal(self.stage.app, self.person, self.stage.screen).take(line)
            await self.stage.app.background.settled(20)
        return "".join(self.stage.said)

    async def restart(self) -> str:
        """What the next start says first; the application is told that it is alone, and goes by another name."""
        self.stage.said.clear()
        running = self.stage.app
        running.turns.worker = WorkerId("the/next/1")
        terminal = Terminal(replace(running, alone=True), self.person, self.stage.screen)
        async with asyncio.timeout(30):
            await terminal.recover()
        return "".join(self.stage.said)

    async def found(self) -> Found:
        """What lies in the space."""
        return await crashes.found(self.stage.plain, self.space)


class _Screen(WatchedScreen):
    def __init__(self, points: Points, said: list[str]) -> None:
        super().__init__(points)
        self._said = said

    def line(self, text: str) -> None:
        self._said.append(text + "\n")

    def more(self, text: str) -> None:
        self._said.append(text)


def _answer(body: dict[str, Any]) -> Reply:
    if "response_format" in body:
        fact = {"room": "projects", "topic": "parser", "content": DECIDED, "importance": 5, "evidence": [1]}
        return Reply(text=json.dumps({"summary": "They met.", "facts": [fact]}))
    if body["messages"][-1]["role"] == "tool":
        return Reply(text="All right, Ann.", pieces=2)
    if "by the way" in body["messages"][-1]["content"]:
        return Reply(calls=(("memory_save", {"content": FACT, "topic": "retro"}),))
    return Reply(text=STORY, pieces=3)


@pytest.fixture
def model() -> bool:
    return True


@pytest.fixture
async def stage(dsn: str, model: bool, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Stage]:
    monkeypatch.setattr(pool, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(pool, "LONGEST_PAUSE", 0.02)
    monkeypatch.setattr(draft, "KEEP_EVERY", 0.0)
    points, said, clock = Points(), [], Clock()
    screen = _Screen(points, said)

    async def announce(done: SummaryDone) -> None:
        said.append(f"late: {done.retry_at is None}\n")

    async with (
        pool.opened(dsn, DatabaseSettings(pool_size=2)) as plain,
        proxied(dsn) as (address, proxy),
        ModelServer(always=_answer) as server,
        pool.opened(address, DatabaseSettings(pool_size=4)) as frail,
    ):
        database = WatchedDatabase(frail.pool, points)
        settings = Settings(roles=roles(server.base_url if model else None))
        async with app.opened(settings, database, announce=announce, alone=False, clock=clock) as running:
            watch_models(running.models, points)
            yield Stage(
                app=running,
                points=points,
                screen=screen,
                proxy=proxy,
                server=server,
                plain=plain,
                clock=clock,
                model=model,
                said=said,
            )


@contextlib.asynccontextmanager
async def _gone_at(stage: Stage, step: int, fault: Fault) -> AsyncGenerator[None]:
    """At one step of the block the database goes, and it is back once somebody has missed it."""
    stage.points.names.clear()
    begun = 0

    async def happens(number: int, _name: str) -> None:
        if number == step and fault is Fault.BETWEEN:
            stage.proxy.cut()

    def before(_name: str) -> None:
        nonlocal begun
        begun += 1
        if begun == step and fault is Fault.ANSWER_LOST:
            stage.proxy.lose_next_answer()

    async def back() -> None:
        await stage.proxy.refused.wait()
        stage.proxy.mend()

    stage.proxy.refused.clear()
    stage.points.happens, stage.points.before, stage.points.armed = happens, before, True
    mending = asyncio.create_task(back())
    try:
        yield
    finally:
        stage.points.armed = False
        mending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await mending
        stage.proxy.mend()


async def _steps(room: Room, line: str, fault: Fault) -> list[str]:
    """The names of a line's steps, or of its requests to the database."""
    begun: list[str] = []
    points = room.stage.points
    points.names.clear()
    points.before, points.armed = begun.append, True
    await room.take(line)
    points.armed = False
    return [*points.names] if fault is Fault.BETWEEN else begun


@pytest.mark.parametrize("fault", Fault, ids=lambda fault: fault.value)
@pytest.mark.parametrize(
    ("model", "line", "reply", "memories"),
    [
        (True, "Tell me a story.", STORY, 0),
        (True, "The retro is on Tuesday, by the way.", "All right, Ann.", 1),
        (False, "What did I say about the retro?", NOTHING_FOUND, 0),
        (False, ASKED, "[memory] saved: topic=vault code (imp=8) #1\n    the vault code is 4417.", 1),
    ],
    ids=["streaming", "tool call", "recall", "remember"],
)
async def test_a_turn_outlives_a_database_that_goes_at_any_step(
    stage: Stage, line: str, reply: str, memories: int, fault: Fault
) -> None:
    """It has its one reply once the database is back, and the next is prompt.

    What a tool could not save is told to the model, so the memory may be missing, but it is never there twice.
    """
    for step, name in enumerate(await _steps(await stage.enter(), line, fault), 1):
        room = await stage.enter()
        async with _gone_at(stage, step, fault):
            out = await room.take(line)
        where = f"step {step}: {name}"
        held = await room.found()
        counts = [m["seen_count"] for m in held.memories]
        assert counts == [1] * memories or (stage.model and not counts), where
        crashes.whole(held)
        assert [(r["content"], r["cut_off"]) for r in held.replies] == [(reply, False)], where
        assert out.startswith(reply), where
        async with asyncio.timeout(PROMPT):
            assert DOWN not in await room.take("And now?"), where


@pytest.mark.parametrize("model", [True])
@pytest.mark.parametrize(("name", "told"), [("model asked", "answered_now"), ("shown", "kept")])
async def test_a_database_that_stays_away_leaves_the_turn_to_the_next_start(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    """The person is told plainly; back again, the channel goes on; the next start deals with the question, once."""
    monkeypatch.setattr(draft, "DATABASE_PATIENCE", timedelta(milliseconds=200))
    room = await stage.enter()
    line = "Tell me a story."

    async def happens(_number: int, at: str) -> None:
        if at == name and not stage.proxy.is_cut:
            stage.proxy.cut()

    stage.points.happens, stage.points.armed = happens, True
    out = await room.take(line)
    stage.points.armed = False
    assert out.endswith(f"{errors.DatabaseLost()}\n")
    stage.proxy.mend()
    stage.clock.forward(seconds=90)  # as long as the patience that was cut short here, and longer than any lease
    async with asyncio.timeout(PROMPT):
        assert await room.take("And now?") == f"{STORY}\n"
    asked = len(stage.server.requests)
    again = await room.restart()
    held = await room.found()
    crashes.whole(held)
    assert again.startswith(f"[before I stopped you asked] {line}\n")
    kept = [STORY, STORY] if told == "answered_now" else [STORY, BEGINNING]
    assert [r["content"] for r in held.replies] == kept
    assert len(stage.server.requests) - asked == (told == "answered_now")


@pytest.mark.parametrize("fault", Fault, ids=lambda fault: fault.value)
@pytest.mark.parametrize("model", [False, True], ids=["extraction", "model"])
async def test_a_reset_outlives_a_database_that_goes_at_any_step(stage: Stage, fault: Fault) -> None:
    """Nothing has happened, and the person is told; or it is cleared, and the summary is made at once or by upkeep."""
    room = await stage.enter()
    await room.take(DECIDED)
    for step, name in enumerate(await _steps(room, "!reset", fault), 1):
        room = await stage.enter()
        await room.take(DECIDED)
        async with _gone_at(stage, step, fault):
            out = await room.take("!reset")
        where = f"step {step}: {name}"
        held = await room.found()
        crashes.whole(held)
        closed = len(held.sessions) == 2
        assert (DOWN in out) == ("Conversation history cleared." not in out), where
        assert closed or DOWN in out, where
        if not closed:
            await room.take("!reset")
        stage.clock.forward(seconds=90)
        await stage.app.schedule.upkeep()
        held = await room.found()
        crashes.whole(held)
        assert [s["state"] for s in held.sessions] == ["summarised", "open"], where
        assert [m["seen_count"] for m in held.memories] == [1], where
        assert [s["message_count"] for s in held.summaries] == [2], where


@pytest.mark.parametrize("model", [True])
async def test_commands_say_that_the_database_is_away_and_work_when_it_is_back(stage: Stage) -> None:
    """One plain sentence each while it is away, and the pool finds its way back by itself."""
    room = await stage.enter()
    lines = ("Hi", "!remember The vault code is 4417.", "!recall vault", "!memories", "!reset", "!undo")
    stage.proxy.cut()
    assert [await room.take(line) for line in lines] == [f"{DOWN}\n"] * len(lines)
    assert f"\ndatabase: {DOWN}\n" in await room.take("!status")
    stage.proxy.mend()
    assert "saved" in await room.take("!remember The vault code is 4417.")
    assert "4417" in await room.take("!recall vault")


@pytest.mark.parametrize("model", [False])
async def test_an_answer_that_is_there_is_not_followed_by_an_error(stage: Stage) -> None:
    """The database goes once a recall has been printed: that it was put to use is lost, and nobody need know."""
    room = await stage.enter()
    await room.take("!remember The vault code is 4417.")
    stage.clock.forward(hours=2)

    def before(name: str) -> None:
        if name == "archivist.touch":
            stage.proxy.cut()

    stage.points.before, stage.points.armed = before, True
    out = await room.take("!recall vault")
    stage.points.armed = False
    assert stage.proxy.is_cut
    assert ("4417" in out, DOWN in out) == (True, False)


@pytest.fixture
def folder() -> Generator[Path]:
    """A data directory that the account of the server can reach."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-gone-") as made:
        Path(made).chmod(0o711)
        yield Path(made)


async def test_a_restarted_postgres_is_waited_for_in_the_middle_of_an_answer(folder: Path, clock: Any) -> None:
    """The embedded server is stopped while the model speaks, and is started again: the reply is whole."""
    gate = asyncio.Event()
    async with (
        embedded.owned(folder) as dsn,
        pool.opened(dsn, DatabaseSettings(pool_size=2)) as database,
        ModelServer(Reply(text=STORY, pieces=2, gate=gate)) as server,
        room_of(database, clock, models=roles(server.base_url)) as room,
    ):
        recorded_reply = RecordedReply()
        answering = asyncio.create_task(
            room.app.conversation.answer(room.turn("Tell me a story."), recorded_reply.delivery)
        )
        await eventually(lambda: recorded_reply.text)
        postmaster = int((folder / "postgres" / "cluster" / "postmaster.pid").read_text("ascii").split()[0])
        os.kill(postmaster, signal.SIGINT)
        await eventually(lambda: not Path(f"/proc/{postmaster}/cwd").exists())
        gate.set()
        async with asyncio.timeout(30):
            await answering
        async with database.connection() as connection:
            (reply,) = await connection.fetch("SELECT content, cut_off FROM message WHERE role = 'hathi'")
    assert (recorded_reply.text, tuple(reply)) == (STORY, (STORY, False))
