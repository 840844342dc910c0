"""Starts Postgres programs that end with this process, and reads why one failed."""

import asyncio
import contextlib
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Final

from bot import errors
from bot.db.embedded import account as accounts

_LAUNCHER: Final = Path(__file__).with_name("launcher.py")
# Nothing of ours: the environment holds the bot's tokens, and PGPORT and its like would change the server.
_ENVIRONMENT: Final = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}


async def launch(
    command: list[str], account: accounts.Account, *, death: signal.Signals, stdin: int, output: int
) -> asyncio.subprocess.Process:
    """Start a program as `account`, in a session of its own, that is sent `death` when this process dies.

    The session keeps Ctrl-C at the terminal from the server. Raises EmbeddedServerError off the main thread: the
    kernel sends the signal when the *thread* that started the program ends.
    """
    if threading.current_thread() is not threading.main_thread():
        raise errors.EmbeddedServerError("The embedded Postgres can only be started from the main thread.")
    who = (account.uid, account.gid) if account.drop else (-1, -1)
    words = [str(number) for number in (os.getpid(), death.value, *who)]
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-S",
        str(_LAUNCHER),
        *words,
        *command,
        stdin=stdin,
        stdout=output,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
        env=_ENVIRONMENT,
        cwd="/",
    )


def signal_group(running: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Signal a program and what it started, but for backends, each of which leads a session of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(running.pid, number)


def complaint(said: str) -> str:
    """The line that says why: the last fatal one, else the last error, else the last line at all."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for mark in ("FATAL:", "PANIC:", "error:", "ERROR:"):
        for line in reversed(lines):
            if mark in line:
                return line[line.index(mark) :].partition(":")[2].strip()
    return lines[-1] if lines else "it said nothing."


def serving(cluster: Path) -> list[int]:
    """The pids of all Postgres processes at work in `cluster`, whoever started them.

    By working directory, which every Postgres process has there, and not by the pid file alone: after a crash its
    number may be another program's, and backends may outlive the server it names.
    """
    wanted = os.stat(cluster)  # noqa: PTH116  beside the links of /proc, which pathlib would resolve
    names = os.listdir("/proc")  # noqa: PTH208  hundreds of names, and only numbers are wanted
    return [int(name) for name in names if name.isdigit() and _at_work(int(name), wanted)]


def works_in(pid: int, cluster: Path) -> bool:
    """Whether process `pid` is a Postgres at work in `cluster`."""
    return _at_work(pid, os.stat(cluster))  # noqa: PTH116  as above


def _at_work(pid: int, cluster: os.stat_result) -> bool:
    try:
        if Path(f"/proc/{pid}/comm").read_text("ascii", errors="replace").strip() != "postgres":
            return False
        return os.path.samestat(os.stat(f"/proc/{pid}/cwd"), cluster)  # noqa: PTH116  as above
    except OSError:
        return False  # gone meanwhile, or another user's, who can't be in a folder closed to them
