"""Runs one server: starts it, waits until it is ready, restarts it if it dies, stops it."""

import asyncio
import os
import signal
import time
import urllib.parse
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import errors, log
from bot.db.embedded import cluster, place, process

_log: Final = log.logger(__name__)

_PORT: Final = "5432"
_POLL: Final = timedelta(milliseconds=10)
_START_LIMIT: Final = timedelta(minutes=2)
"""For recovery after a crash: at most 256 MB of log to replay."""
_PREDECESSOR_LIMIT: Final = timedelta(seconds=30)
STOP_LIMIT: Final = timedelta(seconds=30)
QUIT_LIMIT: Final = timedelta(seconds=10)
RESTART_PAUSE: Final = timedelta(seconds=1)
RESTART_PAUSE_AFTER_FAILURE: Final = timedelta(seconds=30)
LOG_LIMIT: Final = 5_000_000
_LOG_TAIL: Final = 64_000
_NO_ROOM: Final = 1_000_000
"""Fewer free bytes than this and a start that failed without a word failed for want of room, even to log."""


class Server:
    """The server of one home, started by us. The home's lock must be held throughout."""

    def __init__(self, home: place.Home, binaries: place.Binaries) -> None:
        self._home = home
        self._binaries = binaries
        self._process: asyncio.subprocess.Process | None = None
        self._socket: Path | None = None

    async def start(self) -> str:
        """Start it and wait until it takes connections; the DSN.

        Waits up to 30 seconds for a predecessor that is still stopping, and up to 2 minutes for recovery; past either
        it gives up. Raises EmbeddedServerError with the server's own last words, or DiskFull.
        """
        begun = time.monotonic()
        await self._wait_for_predecessor()
        self._home.pid_file.unlink(missing_ok=True)
        self._socket = self._socket or place.socket_folder(self._home)
        for left in self._socket.iterdir():
            left.unlink()
        output, log_start = _open_log(self._home)
        try:
            self._process = await process.launch(
                self._command(),
                self._home.account,
                death=signal.SIGINT,
                stdin=asyncio.subprocess.DEVNULL,
                output=output,
            )
            await self._wait_until_ready(self._process, log_start)
        except BaseException:
            await self._end()
            raise
        finally:
            os.close(output)
        _log.info("postgres.ready", pid=self._process.pid, seconds=round(time.monotonic() - begun, 3))
        return _dsn(self._socket)

    async def watch(self) -> None:
        """Start the server again when it dies by itself: after a second, then every 30 seconds, until cancelled."""
        while self._process is not None:
            code = await self._process.wait()
            _log.error("postgres.died", code=code)
            pause, runs = RESTART_PAUSE, False
            while not runs:
                await asyncio.sleep(pause.total_seconds())
                pause, runs = RESTART_PAUSE_AFTER_FAILURE, await self._started_again()

    async def _started_again(self) -> bool:
        try:
            await self.start()
        except (errors.DatabaseError, OSError) as exc:
            _log.error("postgres.restart_failed", reason=str(exc))
            return False
        return True

    async def stop(self) -> None:
        """Stop it: fast, then at once (the next start recovers), then by force; and remove its socket."""
        await self._end()
        place.forget_socket(self._home)

    async def _end(self) -> None:
        running = self._process
        if running is not None and running.returncode is None:
            for number, limit in ((signal.SIGINT, STOP_LIMIT), (signal.SIGQUIT, QUIT_LIMIT)):
                if running.returncode is None:
                    running.send_signal(number)
                    if await _ended(running, limit):
                        break
                    _log.error("postgres.slow_to_stop", pid=running.pid, signal=number.name, waited=limit.seconds)
            else:
                process.signal_group(running, signal.SIGKILL)  # its backends see it gone, and go
                await running.wait()
            _log.info("postgres.stopped", pid=running.pid, code=running.returncode)

    def _command(self) -> list[str]:
        # What safety and privacy rest on stands here, where no postgresql.conf overrides it. Nothing that a client sent
        # reaches the log: errors go to the client alone, and DETAIL, which quotes rows, to nobody.
        settings = {
            "listen_addresses": "",
            "port": _PORT,
            "unix_socket_directories": str(self._socket),
            "unix_socket_permissions": "0700",
            "fsync": "on",
            "full_page_writes": "on",
            "logging_collector": "off",
            "log_destination": "stderr",
            "log_statement": "none",
            "log_min_messages": "log",
            "log_min_error_statement": "panic",
            "log_min_duration_statement": "-1",
            "log_error_verbosity": "terse",
            "log_checkpoints": "off",
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [str(self._binaries.directory / "postgres"), "-D", str(self._home.cluster), *words]

    async def _wait_for_predecessor(self) -> None:
        """Waits for a server whose owner was killed, and for backends whose server was: they still write."""
        if not self._home.pid_file.exists():
            return  # it ended in order
        limit = time.monotonic() + _PREDECESSOR_LIMIT.total_seconds()
        while alive := process.serving(self._home.cluster):
            if time.monotonic() > limit:
                raise errors.EmbeddedServerError(
                    f"Postgres process {alive[0]} of an earlier Hathi is still at work in {self._home.cluster} after "
                    f"{_PREDECESSOR_LIMIT.seconds} seconds: end it (kill -INT {alive[0]}) and try again."
                )
            await asyncio.sleep(_POLL.total_seconds())

    async def _wait_until_ready(self, running: asyncio.subprocess.Process, log_start: int) -> None:
        limit = time.monotonic() + _START_LIMIT.total_seconds()
        while not _ready(self._home, running.pid):
            if running.returncode is not None:
                raise _failed(self._home, log_start)
            if time.monotonic() > limit:
                raise errors.EmbeddedServerError(
                    f"Postgres was not ready after {_START_LIMIT.seconds} seconds; {self._home.log} says why."
                )
            await asyncio.sleep(_POLL.total_seconds())


def address(home: place.Home) -> str | None:
    """The DSN of the server that runs in this home and takes connections, if there is one."""
    try:
        lines = home.pid_file.read_text("utf-8").splitlines()
        if lines[7].strip() == "ready" and process.works_in(int(lines[0]), home.cluster):
            return _dsn(Path(lines[4].strip()))
    except (FileNotFoundError, IndexError, ValueError):
        pass  # none, or still being written
    return None


def _ready(home: place.Home, pid: int) -> bool:
    try:
        lines = home.pid_file.read_text("utf-8").splitlines()
        return int(lines[0]) == pid and lines[7].strip() == "ready"
    except (FileNotFoundError, IndexError, ValueError):
        return False


def _dsn(socket: Path) -> str:
    # The port stands here too, so that a PGPORT in the client's environment has no say.
    host = urllib.parse.quote(str(socket), safe="/")
    return f"postgresql://{cluster.USER}@/{cluster.DATABASE}?host={host}&port={_PORT}"


def _open_log(home: place.Home) -> tuple[int, int]:
    """A descriptor of the server's log, and where it begins to write; an overlong one is put aside, one is kept."""
    if home.log.exists() and home.log.stat().st_size > LOG_LIMIT:
        home.log.replace(home.log.with_suffix(".log.1"))
    fresh = not home.log.exists()
    descriptor = os.open(home.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    if fresh:
        home.keep(home.log)
    return descriptor, os.fstat(descriptor).st_size


def _failed(home: place.Home, log_start: int) -> errors.DatabaseError:
    with home.log.open("rb") as file:
        file.seek(max(log_start, file.seek(0, os.SEEK_END) - _LOG_TAIL))
        said = file.read().decode(errors="replace")
    free = os.statvfs(home.directory)
    if "No space left on device" in said or free.f_bavail * free.f_frsize < _NO_ROOM:
        return errors.DiskFull(f"The disk that holds {home.directory} is full: free some space and try again.")
    return errors.EmbeddedServerError(
        f"The embedded Postgres did not start: {process.complaint(said)} (See {home.log}.)"
    )


async def _ended(running: asyncio.subprocess.Process, limit: timedelta) -> bool:
    try:
        async with asyncio.timeout(limit.total_seconds()):
            await running.wait()
    except TimeoutError:
        return False
    return True
