"""Reads a dump of tiered memory: short-term and long-term rows and chat summaries, whatever the persona is called."""

from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path
from typing import Any, Final

from bot import errors
from bot.domain import Source, Tier
from bot.text import normalize, sanitize
from bot.transfer.foreign.mysql_dump import MysqlDump
from bot.transfer.foreign.neutral import (
    IMPORTANCE,
    ForeignMemory,
    ForeignSummary,
    Found,
    Shape,
    Unread,
    clean,
    moment,
    title,
)

NAME: Final = "MySQL dump of tiered memory"
SYSTEM: Final = "tiered memory"
COLUMNS: Final = {
    "memory_shortterm": (
        "id", "topic", "content", "importance", "source", "session_id", "created_at", "last_accessed"
    ),
    "memory_longterm": (
        "id", "topic", "content", "importance", "source", "session_id", "shortterm_id", "created_at", "aged_at"
    ),
    "chat_summaries": ("id", "session_id", "summary", "message_count", "model_used", "created_at"),
}  # fmt: skip
"""Where a dump does not name them."""
_SOURCES: Final = {"session": Source.SUMMARY, "user": Source.USER, "directive": Source.DIRECTIVE}
_MOST: Final = 10


def shape(file: Path) -> Shape:
    """A dump names no channel."""
    return Shape(name=f"{NAME} ({file.name})")


def read(file: Path, zone: tzinfo) -> Iterator[Found]:
    """The chat summaries, then the memories: those of a session can be filed with what it came to.

    Raises `TransferError` for a dump of other tables.
    """
    for wants_summaries in (True, False):
        with file.open(encoding="utf-8-sig", errors="replace") as source:
            dump, is_known = MysqlDump(source, file), False
            for number, (table, columns, values) in enumerate(dump.rows(), 1):
                what = _what(table)
                if not what:
                    continue
                is_known = True
                if (what == "chat_summaries") is wants_summaries:
                    place = f"row {number}"
                    row = dict(zip(columns or COLUMNS[what], values, strict=False))
                    if wants_summaries:
                        yield _summary(row, table, place, zone)
                    else:
                        yield _memory(row, table, place, zone, what)
        known = is_known or any(map(_what, dump.tables))
        if not known:
            names = ", ".join(sanitize.name(table) for table in [*dump.tables][:5]) or "nothing"
            raise errors.TransferError(
                f"{file} looks like a MySQL dump of {names}; a dump of tiered memory has tables such as "
                "samaritan_memory_shortterm, samaritan_memory_longterm and samaritan_chat_summaries."
            )


def _what(table: str) -> str:
    """Which of its tables this is, behind the persona's name; empty for another."""
    return next((what for what in COLUMNS if table.endswith(f"_{what}")), "")


def _memory(row: dict[str, Any], table: str, place: str, zone: tzinfo, what: str) -> Found:
    source = _SOURCES.get(str(row.get("source") or "session").lower())
    importance = row.get("importance")
    importance = IMPORTANCE if importance is None else importance
    if source is None:
        return _unread(place, "memory", "of a source that is none of session, user and directive")
    if not isinstance(importance, int) or not 1 <= importance <= _MOST:
        return _unread(place, "memory", "of an importance that is no number from 1 to 10")
    at = moment(row.get("created_at"), zone)
    if at is None:
        return _unread(place, "memory", "without a time that can be read")
    session = row.get("session_id")
    return ForeignMemory(
        place=place,
        content=clean(str(row.get("content") or "")),
        origin={
            "system": SYSTEM,
            "table": table,
            "id": row.get("id"),
            "shortterm_id": row.get("shortterm_id"),
            "session_id": session,
        },
        tier=Tier.SHORT if what == "memory_shortterm" else Tier.LONG,
        source=source,
        topic=clean(str(row.get("topic") or "")),
        importance=importance,
        is_written=source is not Source.SUMMARY,
        at=at,
        last_used_at=moment(row.get("last_accessed"), zone),
        aged_at=moment(row.get("aged_at"), zone),
        session=None if session is None else f"{table.removesuffix(what)}{session}",
    )


def _summary(row: dict[str, Any], table: str, place: str, zone: tzinfo) -> Found:
    at, text = moment(row.get("created_at"), zone), clean(str(row.get("summary") or ""))
    if at is None:
        return _unread(place, "chat summary", "without a time that can be read")
    if not text.strip():
        return _unread(place, "chat summary", "without text")
    count = row.get("message_count")
    return ForeignSummary(
        place=place,
        text=normalize.shown(text),
        origin={"system": SYSTEM, "table": table, "id": row.get("id"), "session_id": row.get("session_id")},
        session=f"{table.removesuffix('chat_summaries')}{row.get('session_id')}",
        message_count=count if isinstance(count, int) and 0 <= count < 2**30 else 0,
        model=title(row.get("model_used"), "unknown"),
        at=at,
    )


def _unread(place: str, kind: str, why: str) -> Unread:
    return Unread(place=place, kind=kind, why=why)
