"""The identity text: who Hathi is and what for, from the operator's file or set by a space's admins."""

import os
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Final

from bot import log
from bot.domain import SpaceId
from bot.llm import tokens
from bot.llm.tokens import estimate
from bot.store.spaces import Spaces

_log = log.logger(__name__)

FILE: Final = "identity.txt"
FRESH: Final = timedelta(seconds=30)
"""How long a space's own text is taken for what it was: another process may have changed it."""
MOST_SPACES: Final = 10_000
_LARGEST: Final = 64 * 1024
"""Bytes of the file that are read."""
_END: Final = re.compile(
    r"(?<![.!?\u2026\u3002\uff01\uff1f])[.!?\u2026\u3002\uff01\uff1f]++[\"'\u201d\u2019)]*+(?=\s|\Z)"
    r"|[\u3002\uff01\uff1f]|(?=\n)"
)
"""Where a sentence or a line ends."""

_Version = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The identity text of the file, or the default."""

    text: str
    """As much of it as is used."""
    tokens: int = 0
    """Of the file as it is."""
    is_own: bool = False
    """Whether it is the operator's file."""
    fault: str = ""
    """Why it is not used, or not whole."""


class Identity:
    """The identity of each space; a `set` is seen by every later `of` of the process."""

    def __init__(self, settings_dir: Path, spaces: Spaces, clock: Callable[[], datetime], *, most: int) -> None:
        """`most` are the tokens that a text may have."""
        self.most: Final = most
        self._folder = settings_dir
        self._path = os.fspath(settings_dir / FILE)
        self._spaces = spaces
        self._clock = clock
        self._file: tuple[_Version | None, Written] | None = None
        self._known: OrderedDict[SpaceId, tuple[datetime, str | None]] = OrderedDict()

    async def of(self, space_id: SpaceId) -> str:
        """The identity text of the space, as long as it may be, or empty as the file. Raises `DatabaseDown`."""
        own = await self.own(space_id)
        return self.written().text if own is None else own

    async def own(self, space_id: SpaceId) -> str | None:
        """The text the space's admins set; none where they set none."""
        now, found = self._clock(), self._known.get(space_id)
        if found is not None and timedelta(0) <= now - found[0] < FRESH:
            return found[1]
        return self._noted(space_id, await self._spaces.identity(space_id))

    async def set(self, space_id: SpaceId, text: str | None) -> None:
        """Sets the space's text; none restores the default."""
        await self._spaces.set_identity(space_id, text)
        self._noted(space_id, text)

    def written(self) -> Written:
        """The default text; its file is read again when it changes."""
        version = _version(self._path)
        if self._file is None or self._file[0] != version:
            found = written(self._folder, self.most)
            self._file = (version, found)
            if found.fault:
                _log.warning("identity.cut", file=FILE, tokens=found.tokens, reason=found.fault)
        return self._file[1]

    def _noted(self, space_id: SpaceId, text: str | None) -> str | None:
        self._known[space_id] = (self._clock(), text)
        self._known.move_to_end(space_id)
        if len(self._known) > MOST_SPACES:
            self._known.popitem(last=False)
        return text


def written(settings_dir: Path, most: int) -> Written:
    """The file of the settings folder, at most `most` tokens at a whole sentence or line; else the default."""
    path = settings_dir / FILE
    if not path.is_file():
        return Written(text=shipped())
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST).decode("utf-8").removeprefix("\ufeff").replace("\0", "").strip()
    except UnicodeDecodeError:
        return Written(
            text=shipped(), fault="it is not UTF-8 text of at most 64 KiB; the text that comes along is used"
        )
    except OSError as exc:
        return Written(text=shipped(), fault=f"it can't be read ({exc.strerror}); the text that comes along is used")
    tokens, kept = estimate(text), fitted(text, most)
    fault = "" if kept == text else f"it has {tokens} tokens; only its beginning, up to {most}, is used"
    return Written(text=kept, tokens=tokens, is_own=True, fault=fault)


def shipped() -> str:
    """The text that comes with Hathi."""
    return (resources.files("bot") / "defaults" / FILE).read_text(encoding="utf-8").strip()


def fitted(text: str, most: int) -> str:
    """The text where it is at most `most` tokens, else as many whole sentences and lines of its beginning as are."""
    if estimate(text) <= most:
        return text
    start = tokens.cut_to(text, most)
    ends = [found.end() for found in _END.finditer(text, 0, len(start) + 1) if 0 < found.end() <= len(start)]
    return (start[: ends[-1]] if ends else start.rpartition(" ")[0] or start).rstrip()


def _version(path: str) -> _Version | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - asked with every turn
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
