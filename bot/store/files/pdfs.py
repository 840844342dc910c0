"""Reads the texts of PDFs, in a process of its own for each."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import log
from bot.store.files import reading_process
from bot.store.files.reading_process import ReadingProgram

_log = log.logger(__name__)

MOST_PAGES: Final = 200
MOST_CHARACTERS: Final = 200_000
LONGEST: Final = timedelta(seconds=15)
"""How long one PDF is read; the pages that were read by then count."""
AT_ONCE: Final = 2
READER: Final = Path(__file__).with_name("pdf_reader.py")


class Pdfs:
    """Reads PDFs, two at a time."""

    def __init__(self, *, longest: timedelta = LONGEST, reader: Path = READER) -> None:
        self._program = ReadingProgram(
            path=reader, arguments=(MOST_PAGES, MOST_CHARACTERS), longest=longest, most_written=4 * MOST_CHARACTERS
        )
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def text_of(self, data: bytes) -> str:
        """The text of the first 200 pages, or as much as was read in time; empty where there is none to be read.

        Broken and encrypted files have none, nor have those that are only pictures. It may be cut anywhere behind its
        200,000th character.
        """
        async with self._gate:
            try:
                return (await reading_process.read(self._program, data)).decode("utf-8", "ignore")
            except OSError as exc:
                _log.warning("pdf.not_read", cause=type(exc).__name__)
                return ""
