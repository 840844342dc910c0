"""Imports a store into space after space, each time by a process that dies at the next step that writes, by SIGKILL.

Run as `python -m tests.faults.killed_imports DSN STORE FIRST_SPACE CHANNEL`; prints how many processes died.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Final

from bot import log
from bot.config import DatabaseSettings
from bot.db import pool
from bot.domain import ChannelId, SpaceId
from bot.transfer import foreign
from bot.transfer.foreign import taking_in
from tests.faults.crashes import NOW
from tests.faults.points import Points, WatchedDatabase, but_reads

BATCH: Final = 3
"""Things a batch, so that a small store takes several."""


async def _import(dsn: str, store: Path, space: int, channel: int, step: int) -> None:
    points, done = Points(), list[str]()

    async def die(_number: int, name: str) -> None:
        # After a read all is as it was before.
        done.extend(but_reads([name]))
        if len(done) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    points.happens = die
    points.armed = True
    wanted = foreign.Takeover(space_id=SpaceId(space), channel=ChannelId(channel), write=True, now=NOW)
    async with pool.opened(dsn, DatabaseSettings(pool_size=2)) as opened:
        await foreign.take_in(WatchedDatabase(opened.pool, points), store, wanted)


def main() -> None:
    """Forks a process a step, until one lives through all of them."""
    dsn, store, first, channel = sys.argv[1:]
    log.configure(to=Path(os.devnull))
    taking_in.BATCH = BATCH  # pyright: ignore[reportAttributeAccessIssue]
    step = 0
    while True:
        step += 1
        child = os.fork()
        if child == 0:
            asyncio.run(_import(dsn, Path(store), int(first) + step, int(channel), step))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            print(step - 1)
            raise SystemExit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
