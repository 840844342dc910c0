"""Processes that do one thing with a real application and may be killed at any step of it.

`python -m tests.faults.driver SOCKET` imports everything once, and then forks a process for whoever connects to the
socket. That reads one job a line, as JSON. For each it forks a process again, so that every job has a pid of its own,
and answers with a line of what the process did and how it ended.
"""

import asyncio
import contextlib
import dataclasses
import gc
import json
import os
import select
import signal
import socket
import sys
import traceback
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bot import app, domain, log
from bot.cli.terminal import Terminal, announce_summary
from bot.config import ChunkSettings, DatabaseSettings, MemorySettings, Settings
from bot.db import migrations, pool
from bot.domain import SpaceId
from bot.language.tags import tagging
from bot.lifecycle import reworker
from bot.lifecycle.summaries import SummaryDone
from bot.store import archivist
from bot.turn import draft, warm_up
from tests import pasts, people
from tests.conversations import roles
from tests.faults.points import Points, WatchedDatabase, WatchedScreen, watch_models

_SETTLED: Final = 20.0
"""Seconds a job waits for what it left running in the background."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Job:
    """What one process does; it opens the application, and then, in this order, whatever is asked of it."""

    dsn: str
    """The database it works on."""
    spaces: tuple[int, ...]
    """In each of which, one after the other, it recovers and says its lines."""
    at: str
    """When it begins; its clock runs on from there."""
    recover: bool = False
    upkeep: bool = False
    lines: tuple[str, ...] = ()
    """What is typed at its terminal, one after the other."""
    together: bool = False
    """Carry out all the lines at once, as two terminals would."""
    kill: int | None = None
    """The point at which it kills itself; none: it ends by itself."""
    model: str | None = None
    alone: bool = False
    elsewhere: bool = False
    """It knows nothing of processes of this machine, as if it ran on another."""
    chunk: int = 0
    """So many messages become memory by themselves, at the end; none: that is not looked for."""
    portion: int = 0
    """Of so many tokens a reset makes a chunk; none: of as many as ever."""
    learn: int = 0
    """So many messages of before are learned; none: none are."""
    roll: bool = False
    """Of the chunks that are there the rolling summary is made, and the condensation."""
    batch: int = 0
    """So many texts or memories are changed at once of everything, by an admin; none: as many as ever, by anybody."""
    keep_every: float = 1.0
    """Seconds between two commits of a streaming reply."""


class _Told:
    """Standard output of a job: every piece of text is passed on at once, so that a kill loses none."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def tell(self, kind: str, value: Any) -> None:
        os.write(self._pipe, json.dumps([kind, value]).encode() + b"\n")

    def write(self, text: str) -> int:
        self.tell("out", text)
        return len(text)

    def flush(self) -> None: ...


def _clock(begun: datetime) -> Any:
    loop = asyncio.get_running_loop()
    origin = loop.time()
    return lambda: begun + timedelta(seconds=loop.time() - origin)


async def _work(job: Job, told: _Told) -> None:
    points = Points()
    screen = WatchedScreen(points)

    async def happens(number: int, name: str) -> None:
        told.tell("point", name)
        if number == job.kill:
            os.kill(os.getpid(), signal.SIGKILL)

    async def announce(done: SummaryDone) -> None:
        await announce_summary(screen, done)

    points.happens = happens
    clock = _clock(datetime.fromisoformat(job.at))
    async with contextlib.AsyncExitStack() as stack:
        opened = await stack.enter_async_context(pool.opened(job.dsn, DatabaseSettings(pool_size=4)))
        database = WatchedDatabase(opened.pool, points)
        # Nothing else becomes memory by itself: upkeep comes by other spaces too, in which somebody is yet to die.
        chunks = ChunkSettings(messages=job.chunk or 60, skip=0 if job.chunk else 59, tokens=job.portion or 3000)
        settings = Settings(roles=roles(job.model), memory=MemorySettings(chunks=chunks))
        running = await stack.enter_async_context(
            app.opened(settings, database, announce=announce, alone=job.alone, clock=clock)
        )
        watch_models(running.models, points)
        for space in job.spaces:
            asks = people.caller(space=space, admin=job.batch > 0)
            person = await running.enter(asks, channel_name="general", mode="all")
            points.armed = True
            await points.reached("begun")
            await _speak(Terminal(running, person, screen), job)
            if job.chunk:
                await running.creator.run([SpaceId(space)])
            if job.roll:
                await running.creator.make(SpaceId(space), person.channel_id)
            if job.learn:
                await pasts.learn(running, person, job.learn, points.reached)
        await running.background.settled(_SETTLED)
        if job.upkeep:
            await running.schedule.upkeep()
        await points.reached("over")


async def _speak(terminal: Terminal, job: Job) -> None:
    if job.recover:
        await terminal.recover()
    if job.together:
        await asyncio.gather(*(terminal.take(line) for line in job.lines))
    else:
        for line in job.lines:
            await terminal.take(line)


def _child(job: Job, pipe: int) -> int:
    """The exit code of one job."""
    told = _Told(pipe)
    # Ids are told apart by a salt drawn at import, which forks would share.
    domain.ID_SALT = int.from_bytes(os.urandom(2)) & 0x3FF  # pyright: ignore[reportConstantRedefinition]
    if job.elsewhere:
        socket.gethostname = lambda: "elsewhere"
    draft.KEEP_EVERY = job.keep_every  # pyright: ignore[reportConstantRedefinition]
    if job.batch:
        archivist.MOVED = job.batch  # pyright: ignore[reportConstantRedefinition]
        stages = tuple(dataclasses.replace(stage, most=job.batch) for stage in reworker.STAGES)
        reworker.STAGES = stages  # pyright: ignore[reportConstantRedefinition]
    sys.stdout = told
    try:
        asyncio.run(_work(job, told))
    except BaseException:  # noqa: BLE001  told to the test, whatever it is
        told.tell("failed", traceback.format_exc())
        return 1
    return 0


def _run(job: Job) -> dict[str, Any]:
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        os._exit(_child(job, writing))
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = [json.loads(line) for line in pipe.read().splitlines()]
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return {"code": code, "told": told}


def _serve(client: socket.socket) -> None:
    """Works off jobs until the client goes."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with client.makefile("rw", encoding="utf-8") as lines:
        for line in lines:
            print(json.dumps(_run(Job(**json.loads(line)))), file=lines, flush=True)


def main() -> None:
    """Serve whoever connects, until standard input ends."""
    log.configure(to=Path(os.devnull))
    # Every job would do it anew at its start: half a second.
    warm_up.compile_readers()
    tagging.Registry()
    migrations.available()
    # Who has gone is waited for by nobody.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(sys.argv[1])
        listening.listen()
        # A collection in a fork would touch, and so copy, every page of what was imported: 80 ms.
        gc.freeze()
        print("ready", flush=True)
        while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
            client, _ = listening.accept()
            if not os.fork():
                listening.close()
                _serve(client)
                os._exit(0)
            client.close()


if __name__ == "__main__":
    main()
