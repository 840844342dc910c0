"""Runs the PDF reader as a subprocess with limits on time and memory."""

import asyncio
import contextlib
import sys
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import log

_log = log.logger(__name__)

MOST_PAGES: Final = 200
MOST_CHARACTERS: Final = 200_000
MOST_MEMORY: Final = 512 * 2**20
"""Bytes the process may have in all; the library itself takes some 60 MiB of them."""
LONGEST: Final = timedelta(seconds=15)
"""How long one PDF is read; the pages that were read by then count."""
AT_ONCE: Final = 2
READER: Final = Path(__file__).with_name("pdf_reader.py")
# Nothing of ours: the environment holds the bot's tokens, and the file comes from anybody.
_ENVIRONMENT: Final = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
_PIECE: Final = 64 * 1024


class Pdfs:
    """Reads PDFs, two at a time."""

    def __init__(self, *, longest: timedelta = LONGEST, reader: Path = READER) -> None:
        self._longest = longest
        self._reader = reader
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def text_of(self, data: bytes) -> str:
        """The text of the first 200 pages, or as much as was read in time; empty where there is none to be read.

        Broken and encrypted files have none, nor have those that are only pictures. It may be cut anywhere behind its
        200,000th character.
        """
        async with self._gate:
            try:
                return (await self._read(data)).decode("utf-8", "ignore")
            except OSError as exc:
                _log.warning("pdf.not_read", cause=type(exc).__name__)
                return ""

    async def _read(self, data: bytes) -> bytes:
        limits = (MOST_PAGES, MOST_CHARACTERS, MOST_MEMORY, int(self._longest.total_seconds()) + 1)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            str(self._reader),
            *map(str, limits),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            env=_ENVIRONMENT,
            cwd="/",
        )
        received = bytearray()
        try:
            async with asyncio.timeout(self._longest.total_seconds()):
                await _exchange(process, data, received)
        except TimeoutError:
            _log.warning("pdf.too_slow", size=len(data), read=len(received))
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        return bytes(received)


async def _exchange(process: asyncio.subprocess.Process, data: bytes, received: bytearray) -> None:
    """Sends the file and reads the output; the process reads all of it before it writes."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(data)
        await process.stdin.drain()
        process.stdin.close()
    while len(received) < 4 * MOST_CHARACTERS:
        piece = await process.stdout.read(_PIECE)
        if not piece:
            return
        received += piece
