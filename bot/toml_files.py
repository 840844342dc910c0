"""Reads the TOML files of a folder beside the settings, and words what is wrong in one: file, line and word."""

import difflib
import os
import re
import stat
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from bot import errors

ENDING: Final = ".toml"
LARGEST: Final = 64 * 1024
"""Bytes of one file."""
_AT_LINE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)\Z")
_LONGEST_WORD: Final = 60


def names(folder: Path, most: int) -> list[str]:
    """The files of a folder, sorted; none where there is no folder. Raises `SettingsError`, for too many too."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(e.name for e in entries if e.name.endswith(ENDING) and not e.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as exc:
        raise errors.SettingsError(f"{folder} can't be read: {exc.strerror}.") from exc
    if len(found) > most:
        raise errors.SettingsError(f"{folder} holds {len(found)} {folder.name}; at most {most} are read.")
    return found


def loaded(file: str, text: str) -> dict[str, Any]:
    """What the text of a file says. Raises `SettingsError` with the line where it is no TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        raise errors.SettingsError(unreadable(file, text, str(exc))) from None


def text_of(path: Path) -> str:
    """The text of a file. Raises `SettingsError`."""
    file = f"{path.parent.name}/{path.name}"
    try:
        status = path.stat()
        # A link may lead to what has no end, or to what answers when somebody writes to it.
        if not stat.S_ISREG(status.st_mode):
            raise errors.SettingsError(f"{file}: it is not a regular file.")
        with path.open("rb") as opened:
            read = opened.read(LARGEST + 1)
        if len(read) > LARGEST:
            raise errors.SettingsError(f"{file}: it is longer than {LARGEST // 1024} KiB.")
        return read.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except OSError as exc:
        raise errors.SettingsError(f"{file}: it can't be read: {exc.strerror}.") from exc
    except UnicodeDecodeError:
        raise errors.SettingsError(f"{file}: it is not UTF-8 text.") from None


def unreadable(file: str, text: str, reason: str) -> str:
    """What is said of a text that is no TOML, for a reason of `tomllib`."""
    lines, at = text.rstrip("\n").split("\n"), _AT_LINE.search(reason)
    number = min(int(at[1]) if at and at[1] else len(lines), len(lines))
    return f"{file}, line {number}: {told(lines[number - 1].strip())} is no TOML: {_AT_LINE.sub('', reason)}."


def unknown(what: str, word: Any, known: Iterable[str]) -> str:
    """What a word is not, and what would be right."""
    all_known = [*map(str, known)]
    those = f"there {'is' if len(all_known) == 1 else 'are'} {', '.join(all_known) or 'none'}"
    if word is None:
        return f"{what} is missing; {those}"
    near = difflib.get_close_matches(word, all_known, 1, 0.6) if isinstance(word, str) else []
    hint = f"did you mean {near[0]}? " if near else ""
    return f"there is no {what} {told(word)}; {hint}{those}"


def told(value: Any) -> str:
    """A value of the file, as a sentence has it."""
    if value is None:
        return "missing"
    said = repr(value)
    return said if len(said) <= _LONGEST_WORD else f"{said[:_LONGEST_WORD]}\u2026"
