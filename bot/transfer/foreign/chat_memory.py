"""Reads what a continuous chat memory keeps of discussions: chunks, rolling summaries, and a database of memories."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, Final

from bot import errors
from bot.domain import Source, Tier
from bot.text import normalize
from bot.transfer.foreign.neutral import (
    ForeignChunk,
    ForeignMemory,
    ForeignRoll,
    Found,
    Shape,
    Unread,
    clean,
    digest,
    moment,
)

NAME: Final = "continuous chat memory"
SYSTEM: Final = "chat memory"
CHUNKS: Final = "_memories.jsonl"
SUMMARY: Final = "_summary.jsonl"
VECTORS: Final = "_vector_memory.db"
ENDINGS: Final = (CHUNKS, SUMMARY, VECTORS)
"""How the files of a discussion end, behind its id."""
LARGEST: Final = 2**27
"""Bytes of one of its text files."""
LARGEST_VALUE: Final = 2**24
"""Bytes of one value of its database."""
_TEXTS: Final = ("text_block", "text", "summary", "memory", "content", "chunk")
_TIMES: Final = ("timestamp", "created_at", "time", "date_added", "added_at")


def discussions(path: Path) -> tuple[Path, ...]:
    """Where the files of each discussion are and how they begin, by the name of one of them or of their folder."""
    files = [path] if path.is_file() else sorted(path.iterdir())
    found = [
        file.with_name(file.name.removesuffix(ending))
        for file in files
        for ending in ENDINGS
        if file.name.endswith(ending)
    ]
    return tuple(dict.fromkeys(found))


def shape(path: Path) -> Shape:
    """Its files name no channel."""
    return Shape(name=f"{NAME} ({path.name})")


def read(path: Path, zone: tzinfo) -> Iterator[Found]:
    """Of each discussion its chunks, the versions of its rolling summary, and its memories."""
    for discussion in discussions(path):
        name = discussion.name
        for number, text, last, at in _hashed(discussion.with_name(name + CHUNKS), zone):
            place = f"{name}{CHUNKS}, entry {number}"
            if text is None:
                yield Unread(place=place, kind="ledger entry", why="without a text or the hash of its last message")
            else:
                yield ForeignChunk(place=place, discussion=name, text=text, last_hash=last, at=at)
        for number, text, last, at in _hashed(discussion.with_name(name + SUMMARY), zone):
            place = f"{name}{SUMMARY}, entry {number}"
            if text is None:
                yield Unread(place=place, kind="rolling summary", why="without a text or the hash of its last chunk")
            else:
                yield ForeignRoll(place=place, discussion=name, text=text, last_hash=last, at=at)
        if (database := discussion.with_name(name + VECTORS)).is_file():
            yield from _rows(database, name, zone)


def _hashed(file: Path, zone: tzinfo) -> Iterator[tuple[int, str | None, str, datetime]]:
    """Texts with their hashes, one a line or all in one list; without a time of their own they have the file's."""
    if not file.is_file():
        return
    try:
        if file.stat().st_size > LARGEST:
            raise errors.TransferError(f"{file} is larger than {LARGEST // 2**20} MB; split it.")
        whole, changed = file.read_text("utf-8-sig", "replace"), datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except OSError as exc:
        raise errors.TransferError(f"{file} can't be read: {exc.strerror or exc}.") from exc
    entries = _parsed(whole) if whole.lstrip().startswith("[") else None
    if not isinstance(entries, list):
        entries = [_parsed(line) for line in whole.splitlines() if line.strip()]
    for number, entry in enumerate(entries, 1):
        held = entry if isinstance(entry, dict) else {}
        text = next((held[key] for key in _TEXTS if isinstance(held.get(key), str)), None)
        hashes = [value for key, value in held.items() if key.lower().endswith("hash") and isinstance(value, str)]
        times = (moment(held.get(key), zone) for key in _TIMES)
        at = next((at for at in times if at is not None), changed)
        is_whole = text is not None and text.strip() and hashes
        yield number, normalize.shown(clean(text)) if is_whole and text else None, hashes[0] if hashes else "", at


def _rows(file: Path, discussion: str, zone: tzinfo) -> Iterator[Found]:
    """The rows of `memories`, read without a lock that would hold up who writes them."""
    try:
        # Read by one thread at a time, if not always the same.
        with contextlib.closing(
            sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        ) as connection:
            connection.row_factory = sqlite3.Row
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
            if not _is_stored(connection, "memories"):
                raise errors.TransferError(f"{file} has no table of memories whose columns are all stored.")
            tracked = _tracked(connection)
            for row in connection.execute("SELECT rowid AS row_number, * FROM memories ORDER BY rowid"):
                yield _memory(dict(row), discussion, f"{file.name}, row {row['row_number']}", tracked, zone)
    except sqlite3.Error as exc:
        raise errors.TransferError(f"{file} can't be read as a database of memories: {exc}.") from exc


def _is_stored(connection: sqlite3.Connection, name: str) -> bool:
    """Whether it is a table that is read as it is stored: what is computed may be so without end."""
    found = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1 AND rootpage > 0"
        " AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 0)",
        (name,),
    )
    return found.fetchone() is not None


def _tracked(connection: sqlite3.Connection) -> str | None:
    """The hash of the last message that memories were made of."""
    with contextlib.suppress(sqlite3.Error):
        if not _is_stored(connection, "vector_memory_tracker"):
            return None
        for row in connection.execute("SELECT * FROM vector_memory_tracker ORDER BY rowid DESC LIMIT 1"):
            return next((row[key] for key in row.keys() if "hash" in key.lower() and isinstance(row[key], str)), None)  # noqa: SIM118
    return None


def _memory(row: dict[str, Any], discussion: str, place: str, tracked: str | None, zone: tzinfo) -> Found:
    told = _parsed(str(row.get("metadata_json") or ""))
    about: dict[str, Any] = told if isinstance(told, dict) else {}
    content = about.get("summary") or row.get("memory_text")
    if not isinstance(content, str) or not content.strip():
        return Unread(place=place, kind="memory", why="without text")
    origin = {
        "system": SYSTEM,
        "discussion": discussion,
        "table": "memories",
        "id": row.get("id", row["row_number"]),
        "hash": digest(row.get("memory_text"), row.get("metadata_json")),
    }
    times = (_moment(row.get(key), zone) for key in _TIMES)
    return ForeignMemory(
        place=place,
        content=clean(content),
        origin=origin,
        also={} if tracked is None else {"last_message_hash": tracked},
        tier=Tier.LONG,
        source=Source.SUMMARY,
        topic=clean(str(about.get("title") or row.get("title") or "")),
        is_written=False,
        entities=_names(about.get("entities")),
        key_phrases=_names(about.get("key_phrases")),
        at=next((at for at in times if at is not None), None),
    )


def _moment(value: Any, zone: tzinfo) -> datetime | None:
    """A time in ISO 8601, or in seconds since 1970."""
    if isinstance(value, int | float) and 0 < value < 2**33:
        return datetime.fromtimestamp(value, UTC)
    return moment(value, zone)


def _names(value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
    return tuple(dict.fromkeys(name for part in parts if (name := normalize.one_line(clean(str(part)), 64))))[:50]


def _parsed(text: str) -> Any:
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(text)
    return None
