"""The lock of a data directory: its holder may start the server; the kernel frees it when the holder dies."""

import contextlib
import dataclasses
import enum
import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from bot.db.embedded import place


class Purpose(enum.Enum):
    """The kind of holder: an owner stays, a command is short."""

    OWNER = "owner"
    COMMAND = "command"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds the lock, by their own statement; empty where it is not known yet."""

    pid: int | None = None
    purpose: Purpose | None = None


class Lock:
    """A lock that is held until the context ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, at: TracebackType | None) -> None:
        # The file stays: two processes could each lock a file of the same name if it were removed between them.
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)


def take(home: place.Home, purpose: Purpose) -> Lock | None:
    """Takes the lock if it is free; never waits."""
    path = _path(home)
    fresh = not path.exists()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if fresh:
            home.keep(path)
        os.ftruncate(descriptor, 0)
        # A full disk must not keep a Hathi from saying so: who holds the lock is only told, never relied on.
        with contextlib.suppress(OSError):
            os.write(descriptor, f"{purpose.value} {os.getpid()}\n".encode())
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return Lock(descriptor)


def holder(home: place.Home) -> Holder:
    """Who holds the lock, by their own word, if they are alive."""
    try:
        word, _, number = _path(home).read_text("ascii").strip().partition(" ")
        said = Holder(pid=int(number), purpose=Purpose(word))
        return said if Path(f"/proc/{number}").exists() else Holder()
    except (OSError, ValueError):
        return Holder()


def _path(home: place.Home) -> Path:
    return home.directory / "lock"
