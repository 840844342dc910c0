"""The Postgres that Hathi brings along: started in the data directory, stopped with its process.

One Hathi owns a data directory (`owned`); short commands attach to the owner's server, or start it for as long as they
run (`attached`). Who holds the lock may start a server; nobody else ever stops it:

- A second owner is refused. An owner that finds a short command at work waits for it (15 seconds), then is refused.
- A second short command attaches to the first one's server, and loses its connections when the first one ends.
- When the owner is killed the kernel frees the lock and tells the server to stop; the next one waits for that.
"""

import asyncio
import contextlib
import errno
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import errors
from bot.db.embedded import cluster, lock, place, server

_OWNER_GRACE: Final = timedelta(seconds=1)
"""A killed owner holds its lock until the kernel has taken it apart: milliseconds, for a large one more."""
COMMAND_GRACE: Final = timedelta(seconds=15)
ATTACH_LIMIT: Final = timedelta(seconds=60)
"""A first start creates the database while others wait to attach: seconds, on a slow disk many."""
_PAUSE: Final = timedelta(milliseconds=20)


@asynccontextmanager
async def owned(data_dir: Path) -> AsyncGenerator[str]:
    """The DSN of a server of our own in `data_dir`, created at the first start, running until the context ends.

    A server that dies meanwhile is started again, on the same DSN. Must be entered on the main thread.

    Raises `DataDirectoryInUse` if another Hathi runs there, `DiskFull`, or `EmbeddedServerError` with what is wrong.
    """
    with _plainly(data_dir):
        home = place.home(data_dir)
        held = await _lock(home, data_dir)
    with held:
        async with _serving(home, data_dir) as dsn:
            yield dsn


@asynccontextmanager
async def attached(data_dir: Path) -> AsyncGenerator[str]:
    """The DSN of the server that runs in `data_dir`, or of one started until the context ends.

    A running server belongs to whoever started it: it is never stopped from here, and its connections break when its
    starter ends. Raises `DiskFull` or `EmbeddedServerError`.
    """
    with _plainly(data_dir):
        home = place.home(data_dir)
        found = await _address_or_lock(home, data_dir)
    if isinstance(found, str):
        yield found
        return
    with found:
        async with _serving(home, data_dir) as dsn:
            yield dsn


@asynccontextmanager
async def _serving(home: place.Home, data_dir: Path) -> AsyncGenerator[str]:
    """Start the server, watch over it, stop it. The lock is held by the caller."""
    with _plainly(data_dir):
        brought = place.binaries(home.account)
        await cluster.prepare(home, brought)
    ours = server.Server(home, brought)
    try:
        with _plainly(data_dir):
            dsn = await ours.start()
        watch = asyncio.create_task(ours.watch(), name="postgres.watch")
        try:
            yield dsn
        finally:
            watch.cancel()
            await asyncio.wait([watch])
    finally:
        await ours.stop()


async def _lock(home: place.Home, data_dir: Path) -> lock.Lock:
    """The owner's lock. Waits for a short command to finish; a living owner is told apart and not waited for."""
    clock = asyncio.get_running_loop()
    begun = clock.time()
    while True:
        if held := lock.take(home, lock.Purpose.OWNER):
            return held
        holder = lock.holder(home)
        grace = _OWNER_GRACE if holder.purpose is lock.Purpose.OWNER else COMMAND_GRACE
        if clock.time() - begun > grace.total_seconds():
            break
        await asyncio.sleep(_PAUSE.total_seconds())
    who = f" (process {holder.pid})" if holder.pid else ""
    if holder.purpose is lock.Purpose.OWNER:
        raise errors.DataDirectoryInUse(
            f"Another Hathi{who} already runs on {data_dir}: stop it, or give this one a data directory of its own "
            "with HATHI_DATA_DIR."
        )
    raise errors.DataDirectoryInUse(
        f"A Hathi command{who} such as doctor or export is using the database in {data_dir}: start again when it is "
        "done."
    )


async def _address_or_lock(home: place.Home, data_dir: Path) -> str | lock.Lock:
    """The address of a server that answers, or the right to start one, whichever comes first."""
    clock = asyncio.get_running_loop()
    limit = clock.time() + ATTACH_LIMIT.total_seconds()
    while clock.time() < limit:
        if held := lock.take(home, lock.Purpose.COMMAND):
            return held
        if dsn := server.address(home):
            return dsn
        await asyncio.sleep(_PAUSE.total_seconds())
    pid = lock.holder(home).pid
    raise errors.EmbeddedServerError(
        f"Hathi process {pid or '(unknown)'} holds {data_dir}, but its database has not been ready for "
        f"{ATTACH_LIMIT.seconds} seconds: see {home.log}."
    )


@contextlib.contextmanager
def _plainly(data_dir: Path) -> Generator[None]:
    """Turns an operating system's refusal into one sentence that names the directory. Never wraps the caller's body."""
    try:
        yield
    except OSError as exc:
        where = exc.filename or data_dir
        if exc.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise errors.DiskFull(f"The disk that holds {data_dir} is full: free some space and try again.") from exc
        raise errors.EmbeddedServerError(
            f"The database in {data_dir} can't be opened: {exc.strerror or exc} ({where})."
        ) from exc
