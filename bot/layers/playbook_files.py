"""Reads the playbook files of a settings folder, and again when one changes."""

import difflib
import functools
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from bot import errors, log
from bot.text import front_matter

_log = log.logger(__name__)

FOLDER: Final = "playbooks"
MOST: Final = 200
"""Files that are read, the first by name."""
LARGEST: Final = 64 * 1024
"""Bytes of one file."""
_LONGEST_TITLE: Final = 200
_FIELDS: Final = ("title", "when", "triggers", "tags", "channels", "rooms")
"""`when` and `triggers` say the same."""

_Version = tuple[int, int]
"""When a file was written, and how long it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbook:
    """A documented way to do something."""

    name: str
    """Of its file."""
    title: str
    triggers: tuple[str, ...] = ()
    """What somebody says who needs it, in their words."""
    tags: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    """Where it holds, by number or, in the spaces the settings list, by name; everywhere when there are none."""
    rooms: tuple[tuple[str, str], ...] = ()
    """Rooms of the palace that go with it, each with what is filed there, if that is said."""
    body: str

    @property
    def names_channels(self) -> bool:
        """Whether it says by a name, and not by number alone, where it holds."""
        return not all(channel.isdecimal() for channel in self.channels)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadPlaybook:
    """A file that could not be read, and why."""

    file: str
    reason: str


class PlaybookFiles:
    """The playbooks of one folder, as last read."""

    def __init__(self, settings_dir: Path) -> None:
        self.folder: Final = settings_dir / FOLDER
        self.faults: tuple[UnreadPlaybook, ...] = ()
        """What was not read when it was last looked at."""
        self._known: dict[str, tuple[_Version, Playbook | UnreadPlaybook]] = {}

    def read(self) -> tuple[Playbook, ...]:
        """The current playbooks by name; only changed files are read again. Blocks for as long as the disk takes.

        A file that can't be used is left out and told in the log, once. Raises `SettingsError` where the folder is
        there and can't be read.
        """
        try:
            names = self._names()
        except OSError as exc:
            raise errors.SettingsError(f"{self.folder} can't be read: {exc.strerror}.") from exc
        found = {name: self._looked_at(name) for name in names[:MOST]}
        if len(names) > MOST:
            extra = UnreadPlaybook(
                file=names[MOST], reason=f"is one too many; {MOST} files are read, the first by name"
            )
            found[extra.file] = ((len(names), 0), extra)
        for version, fault in found.values():
            if isinstance(fault, UnreadPlaybook) and self._known.get(fault.file) != (version, fault):
                _log.warning("playbook.skipped", file=fault.file, reason=fault.reason)
        self._known = found
        self.faults = tuple(kept for _, kept in found.values() if isinstance(kept, UnreadPlaybook))
        return tuple(kept for _, kept in found.values() if isinstance(kept, Playbook))

    @property
    def is_empty(self) -> bool:
        """Whether no file lies there now; false where that can't be told. One look at the folder, at no file."""
        try:
            return not self._names()
        except OSError:
            return False

    def _names(self) -> list[str]:
        """The files that may hold playbooks, sorted. Raises `OSError` where the folder is there and can't be read."""
        try:
            with os.scandir(self.folder) as entries:
                return sorted(e.name for e in entries if e.name.endswith(".md") and not e.name.startswith("."))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def _looked_at(self, name: str) -> tuple[_Version, Playbook | UnreadPlaybook]:
        path = self.folder / name
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):
                # A link may lead to what has no end, or to what answers when somebody writes to it.
                return (0, 0), UnreadPlaybook(file=name, reason="is not a regular file")
            version = (status.st_mtime_ns, status.st_size)
            known = self._known.get(name)
            if known is not None and known[0] == version:
                return known
            return version, _loaded(path, status.st_size)
        except OSError as exc:
            return (0, 0), UnreadPlaybook(file=name, reason=f"can't be read: {exc.strerror}")


def shipped(name: str) -> Playbook:
    """A playbook that comes with Hathi; not in force until a space lays it out."""
    return all_shipped()[name]


@functools.cache
def all_shipped() -> Mapping[str, Playbook]:
    """The playbooks that come with Hathi, by name."""
    files = (resources.files("bot") / "defaults" / FOLDER).iterdir()
    found = {file.name.removesuffix(".md"): file.read_text(encoding="utf-8") for file in files}
    return {name: parsed(f"{name}.md", text) for name, text in sorted(found.items())}


def parsed(name: str, text: str) -> Playbook:
    """A playbook from the text of its file. Raises `SettingsError` with what is wrong."""
    fields, body = front_matter.parse(text)
    for field in fields:
        if field not in _FIELDS:
            near = difflib.get_close_matches(field, _FIELDS, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise errors.SettingsError(f"there is no field {field}; {hint}there are {', '.join(_FIELDS)}")
    title = " ".join(fields.get("title", ()))
    if not 0 < len(title) <= _LONGEST_TITLE:
        raise errors.SettingsError(f"it needs a title of 1 to {_LONGEST_TITLE} characters")
    if not body:
        raise errors.SettingsError("it holds no steps: nothing stands under its fields")
    rooms = [room.partition(": ") for room in fields.get("rooms", ())]
    return Playbook(
        name=name,
        title=title,
        triggers=(*fields.get("when", ()), *fields.get("triggers", ())),
        tags=fields.get("tags", ()),
        channels=tuple(c.removeprefix("#").casefold() for c in fields.get("channels", ())),
        rooms=tuple((room.strip(), about.strip()) for room, _, about in rooms),
        body=body,
    )


def _loaded(path: Path, size: int) -> Playbook | UnreadPlaybook:
    """The file's playbook, or why it has none. Raises `OSError`."""
    too_long = UnreadPlaybook(file=path.name, reason=f"is longer than {LARGEST // 1024} KiB")
    if size > LARGEST:
        return too_long
    with path.open("rb") as file:
        # It may have grown since.
        read = file.read(LARGEST + 1)
    if len(read) > LARGEST:
        return too_long
    try:
        return parsed(path.name, read.decode("utf-8"))
    except UnicodeDecodeError:
        return UnreadPlaybook(file=path.name, reason="is not UTF-8 text")
    except errors.SettingsError as exc:
        return UnreadPlaybook(file=path.name, reason=str(exc))
