"""Tells what a path is: which of the stores that can be taken over, an export of Hathi's own, or something else."""

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Final, Literal

from bot import errors
from bot.text import sanitize
from bot.transfer.foreign import chat_memory, discord_export, json_lines, note_ledger, palace_folder, tiered_dump
from bot.transfer.foreign.neutral import Found, Shape

HEAD: Final = 2**16
"""Bytes at the beginning of a file that tell what it is."""
KNOWN: Final = (
    "DiscordChatExporter JSON, plain JSON lines, a MySQL dump of tiered memory, a memory.json ledger, a palace folder, "
    "the files of a chat memory, and what `hathi export` wrote"
)
Form = Literal["discord", "lines", "dump", "ledger", "palace", "chat", "own"]
STANDARD: Final = Path("-")
_MAGIC: Final = {
    b"\x1f\x8b": "a gzip archive",
    b"PK\x03\x04": "a zip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"%PDF": "a PDF",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}
_SQLITE: Final = b"SQLite format 3\0"
_SQL: Final = re.compile(
    rb"^\s*(?:--\s+(?:MySQL|MariaDB)\s|(?:INSERT\s+(?:IGNORE\s+)?INTO|CREATE\s+TABLE)\s)", re.MULTILINE
)
_KEY: Final = re.compile(r'"((?:[^"\\]|\\.){1,64})"\s*:')
_EMPTY: Final = re.compile(r"\[\s*\]\s*")
_MOST_NAMED: Final = 6
_TRIED: Final = 20
"""Lines that are looked at for one that is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """A path, and what reads it."""

    path: Path
    form: Form

    def shape(self) -> Shape:
        """What it is called, and which channels it names. Raises `TransferError`."""
        match self.form:
            case "discord":
                return discord_export.shape(self.path)
            case "lines":
                return json_lines.shape(self.path)
            case "dump":
                return tiered_dump.shape(self.path)
            case "ledger":
                return note_ledger.shape(self.path)
            case "palace":
                return palace_folder.shape(self.path)
            case "chat":
                return chat_memory.shape(self.path)
            case "own":
                raise AssertionError("Hathi's own exports have a reader of their own.")

    def read(self, zone: tzinfo, now: datetime) -> Iterator[Found]:
        """All that is in it; times that name no zone are of this one. Raises `TransferError`."""
        match self.form:
            case "discord":
                return discord_export.read(self.path)
            case "lines":
                return json_lines.read(self.path)
            case "dump":
                return tiered_dump.read(self.path, zone)
            case "ledger":
                return note_ledger.read(self.path, zone)
            case "palace":
                return palace_folder.read(self.path, zone, now)
            case "chat":
                return chat_memory.read(self.path, zone)
            case "own":
                raise AssertionError("Hathi's own exports have a reader of their own.")


def recognised(path: Path) -> Recognised:
    """What reads the path. Raises `TransferError` for anything else, with what that looks like."""
    try:
        form, looks_like = _folder(path) if path.is_dir() else _file(path)
    except OSError as exc:
        raise errors.TransferError(f"{path} can't be read: {exc.strerror or exc}.") from exc
    if form is None:
        raise errors.TransferError(f"{path} looks like {looks_like}; what can be taken over is {KNOWN}.")
    return Recognised(path=path, form=form)


def is_own(path: Path) -> bool:
    """Whether the path is an export of Hathi's own, as standard input always is. Raises `TransferError` as above."""
    return path == STANDARD or recognised(path).form == "own"


def _folder(folder: Path) -> tuple[Form | None, str]:
    if (folder / "identity.txt").is_file() or any((folder / "rooms").glob("*/*.md")):
        return "palace", ""
    if chat_memory.discussions(folder):
        return "chat", ""
    names = sorted(each.name for each in folder.iterdir())
    return None, f"a folder with {_listed(names)}" if names else "an empty folder"


def _file(file: Path) -> tuple[Form | None, str]:
    with file.open("rb") as source:
        head = source.read(HEAD)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().decode("utf-8", "replace")
    form = _form(file, head, text)
    return form, "" if form else _likeness(file, head, text)


def _form(file: Path, head: bytes, text: str) -> Form | None:
    """What reads a file, by its beginning; a discussion's files by their names as well."""
    if head.startswith(_SQLITE):
        return "chat" if file.name.endswith(chat_memory.VECTORS) and "memories" in _tables(file) else None
    if text[:1] in {"{", "["}:
        return _json_form(file, text)
    return "dump" if _SQL.search(head) else None


def _json_form(file: Path, text: str) -> Form | None:
    """By its first lines where they are objects of their own; else by the keys the file begins with."""
    objects, keys = _objects(text), {*_KEY.findall(text)}
    if any("hathi_export" in line for line in objects[:1]):
        return "own"
    if any(line.keys() >= json_lines.KEYS for line in objects):
        return "lines"
    if file.name.endswith(chat_memory.ENDINGS):
        return "chat" if any(key.lower().endswith("hash") for key in keys) else None
    if text[0] == "{":
        return "discord" if keys >= discord_export.KEYS else None
    return "ledger" if keys >= note_ledger.KEYS or _EMPTY.fullmatch(text) else None


def _likeness(file: Path, head: bytes, text: str) -> str:
    """What a file looks like that nothing reads: by keys and names, never by what people wrote."""
    if head.startswith(_SQLITE):
        return f"an SQLite database of {_listed(_tables(file))}"
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            return name
    match text[:1]:
        case "":
            return "an empty file"
        case "{" | "[":
            objects = _objects(text)
            keys = [*objects[0]] if objects else [*dict.fromkeys(_KEY.findall(text))]
            kind = "a JSON list" if text[0] == "[" else "JSON lines" if len(objects) > 1 else "a JSON object"
            return f"{kind} with {_listed(keys)}" if keys else "something that only begins as JSON"
        case "<":
            return "a page of HTML or XML"
        case _:
            return "binary data" if b"\0" in head else "plain text"


def _objects(text: str) -> list[dict[str, Any]]:
    """Those of the first lines that are JSON objects of their own."""
    lines = (_parsed(line) for line in text.split("\n", _TRIED)[:_TRIED])
    return [line for line in lines if isinstance(line, dict)]


def _tables(file: Path) -> list[str]:
    with (
        contextlib.suppress(sqlite3.Error),
        contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        return [
            row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        ]
    return []


def _listed(names: list[str]) -> str:
    """Some names, the first of many."""
    shown = [sanitize.name(name) for name in names[:_MOST_NAMED]]
    return ", ".join([*shown, "…"] if len(names) > _MOST_NAMED else shown) or "nothing in it"


def _parsed(text: str) -> Any:
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(text)
    return None
