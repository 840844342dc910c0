"""Creates a database cluster, whole or not at all, and refuses one of another Postgres version."""

import asyncio
import os
import shutil
import signal
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import errors, log
from bot.db.embedded import account as accounts
from bot.db.embedded import place, process

_log: Final = log.logger(__name__)

USER: Final = "hathi"
DATABASE: Final = "hathi"
_LIMIT: Final = timedelta(minutes=5)
"""For initdb, which takes a second or two; slow disks take their time over its fsync."""
_MAKING: Final = "making-"

# Written to postgresql.conf at birth, and the operator's to change from then on. What safety rests on is not here but
# on the server's command line.
_TUNING: Final = {
    "shared_buffers": "256MB",
    "max_connections": "60",
    "max_wal_size": "256MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
    # Parallel plans share memory through /dev/shm, of which a container has 64 MB; when it runs out the error claims
    # that the disk is full.
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
}


async def prepare(home: place.Home, binaries: place.Binaries) -> None:
    """Ensures that the home holds a cluster of this version, creating it if there is none.

    Raises EmbeddedServerError naming both versions for another version's cluster, and DiskFull.
    """
    for left in home.directory.glob(f"{_MAKING}*"):
        # Errors are for the next start: what a killed initdb started may be writing its last.
        shutil.rmtree(left, ignore_errors=True)
    if home.cluster.exists():
        _check_version(home, binaries)
        return
    begun = time.monotonic()
    borrowed = accounts.lent(home.account)
    making = _making(home, borrowed)
    try:
        await _initdb(making, binaries, borrowed)
        await _create_database(making, binaries, borrowed)
        _hand_over(making, home.account)
        making.rename(home.cluster)
        _fsync(home.directory)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    _log.info("postgres.created", cluster=str(home.cluster), seconds=round(time.monotonic() - begun, 2))


def _check_version(home: place.Home, binaries: place.Binaries) -> None:
    try:
        made_by = (home.cluster / "PG_VERSION").read_text("ascii").strip()
    except FileNotFoundError:
        raise errors.EmbeddedServerError(
            f"{home.cluster} is no Postgres data directory (PG_VERSION is missing): move it away, and put a backup in "
            "its place or let Hathi begin with an empty database."
        ) from None
    if made_by != binaries.major:
        raise errors.EmbeddedServerError(
            f"The database in {home.cluster} was made by Postgres {made_by}, this Hathi brings {binaries.major}: "
            "with the Hathi that made it run `hathi export`, then with this one `hathi import` into a new "
            "HATHI_DATA_DIR."
        )


def _making(home: place.Home, borrowed: accounts.Account) -> Path:
    making = Path(tempfile.mkdtemp(dir=home.directory, prefix=_MAKING))
    if borrowed.drop:
        os.chown(making, borrowed.uid, borrowed.gid)
    return making


async def _initdb(making: Path, binaries: place.Binaries, borrowed: accounts.Account) -> None:
    """Run initdb. Trust is safe here: the only way in is a socket in a folder that is closed to every other user."""
    tuning = [word for name, value in _TUNING.items() for word in ("--set", f"{name}={value}")]
    # The builtin collation never changes under an index, as an upgrade of glibc does; C.UTF-8 beside it still tells
    # the text search parser what a letter is.
    await _run(
        [
            str(binaries.directory / "initdb"),
            "-D",
            str(making),
            "-U",
            USER,
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--locale=C.UTF-8",
            "--data-checksums",
            "--auth-local=trust",
            "--auth-host=reject",
            "--no-instructions",
            *tuning,
        ],
        borrowed,
    )


async def _create_database(making: Path, binaries: place.Binaries, borrowed: accounts.Account) -> None:
    """Create our database before the cluster takes its name, so that a cluster without it never exists."""
    command = [str(binaries.directory / "postgres"), "--single", "-D", str(making), "-c", "exit_on_error=on"]
    await _run([*command, "template1"], borrowed, f"CREATE DATABASE {DATABASE} OWNER {USER};\n")


async def _run(command: list[str], account: accounts.Account, text: str = "") -> None:
    running = await process.launch(
        command, account, death=signal.SIGKILL, stdin=asyncio.subprocess.PIPE, output=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(_LIMIT.total_seconds()):
            output, _ = await running.communicate(text.encode())
    except TimeoutError:
        raise errors.EmbeddedServerError(
            f"Creating the database took longer than {_LIMIT.seconds // 60} minutes and was given up."
        ) from None
    finally:
        if running.returncode is None:
            process.signal_group(running, signal.SIGKILL)
            await running.wait()
    if running.returncode:
        said = output.decode(errors="replace")
        if "No space left on device" in said or "Disk quota exceeded" in said:
            raise errors.DiskFull(
                f"The disk that holds {Path(command[command.index('-D') + 1]).parent} is full, so no database could be "
                "created: free some space (100 MB) and try again."
            )
        raise errors.EmbeddedServerError(f"The database could not be created: {process.complaint(said)}")


def _hand_over(making: Path, account: accounts.Account) -> None:
    if not account.drop:
        return
    for folder, _, files in os.walk(making):
        for path in (folder, *(os.path.join(folder, name) for name in files)):  # noqa: PTH118  os.walk gives strings
            os.chown(path, account.uid, account.gid, follow_symlinks=False)


def _fsync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
