"""Makes pictures small enough for a model, in a process of its own for each."""

import asyncio
import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import log
from bot.domain import Picture
from bot.store.files import reading_process
from bot.store.files.reading_process import ReadingProgram

_log = log.logger(__name__)

MOST: Final = 4
"""Pictures that a model is shown with one question."""
MOST_BYTES: Final = 10 * 2**20
"""Of the file of one; a larger one is not fetched."""
MOST_PIXELS: Final = 50_000_000
"""Of a picture that is decoded, as a telephone takes them at most; they take 200 MB."""
LONGEST_SIDE: Final = 1568
"""In pixels; what is longer, models make smaller themselves."""
LONGEST: Final = timedelta(seconds=10)
AT_ONCE: Final = 2
READER: Final = Path(__file__).with_name("picture_reader.py")
_MOST_WRITTEN: Final = 4 * 2**20
_HEAD: Final = re.compile(rb"(\d{1,4}) (\d{1,4}) (\d{1,7})\n")


class Pictures:
    """Makes pictures small, two at a time."""

    def __init__(self, *, longest: timedelta = LONGEST, reader: Path = READER) -> None:
        self._longest = longest
        self._reader = reader
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def made_of(self, data: bytes, areas: Sequence[int], *, among: int = 1) -> Picture | None:
        """The picture in a file; none where it holds none of PNG, JPEG, WebP or GIF, is broken, or has too many pixels.

        It is upright, of one that moves the first, and the smaller, the more it is shown among: `areas` are the pixels
        one may have alone, as one of two, and so on.
        """
        if len(data) > MOST_BYTES:
            return None
        program = ReadingProgram(
            path=self._reader,
            arguments=(MOST_PIXELS, LONGEST_SIDE, areas[max(1, min(among, len(areas))) - 1]),
            longest=self._longest,
            most_written=_MOST_WRITTEN,
        )
        async with self._gate:
            try:
                written = await reading_process.read(program, data)
            except OSError as exc:
                _log.warning("picture.not_read", cause=type(exc).__name__)
                return None
        head = _HEAD.match(written)
        # It may have been stopped in the middle.
        if head is None or len(written) - head.end() != int(head[3]):
            return None
        return Picture(jpeg=written[head.end() :], width=int(head[1]), height=int(head[2]))
