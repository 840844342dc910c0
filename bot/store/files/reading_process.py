"""Runs a program that reads a file in a process of its own, with limits on time and memory.

A file can come from anybody: one that is made to take for ever, or to expand beyond the memory there is, stops that
process and not Hathi. The program imports nothing of Hathi, reads all of its input before it looks at it, and writes
what it found.
"""

import asyncio
import contextlib
import resource
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import log

_log = log.logger(__name__)

MOST_MEMORY: Final = 512 * 2**20
"""Bytes such a process may have in all."""
# Nothing of ours: the environment holds the bot's tokens, and the file comes from anybody.
_ENVIRONMENT: Final = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
_PIECE: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingProgram:
    """A program that reads files, and how much it may take."""

    path: Path
    arguments: tuple[int, ...]
    longest: timedelta
    most_written: int
    """Bytes of its output; no more are taken from it."""


async def read(program: ReadingProgram, data: bytes) -> bytes:
    """What the program writes of the file, or had written when its time was over. Raises `OSError`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        str(program.path),
        *map(str, program.arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        env=_ENVIRONMENT,
        cwd="/",
    )
    received = bytearray()
    try:
        _limit(process.pid, program.longest)
        async with asyncio.timeout(program.longest.total_seconds()):
            await _exchange(process, data, received, program.most_written)
    except TimeoutError:
        _log.warning("file.too_slow", reader=program.path.stem, size=len(data), read=len(received))
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    return bytes(received)


def _limit(pid: int, longest: timedelta) -> None:
    """Limits what a process may take, within what the system allows anyway; it has been given nothing to read yet."""
    seconds = int(longest.total_seconds()) + 1
    for kind, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ProcessLookupError):
            _, allowed = resource.prlimit(pid, kind)
            least = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
            resource.prlimit(pid, kind, (least, least))


async def _exchange(process: asyncio.subprocess.Process, data: bytes, received: bytearray, most: int) -> None:
    """Sends the file and reads the output; the process reads all of it before it writes."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(data)
        await process.stdin.drain()
        process.stdin.close()
    while len(received) < most:
        piece = await process.stdout.read(_PIECE)
        if not piece:
            return
        received += piece
