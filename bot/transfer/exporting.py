"""Exports a space as JSON lines: one snapshot, a page at a time."""

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final, LiteralString, Protocol, cast

import asyncpg

from bot import errors, log
from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import TERMINAL_SPACE, SpaceId
from bot.transfer import records

_log = log.logger(__name__)

PAGE: Final = 500
"""Rows held in memory at a time."""
STANDARD: Final = Path("-")
_BEFORE_ALL: Final = -(2**63)


class Sql:
    """The statements that read a whole space."""

    counts: Final = statements.named("transfer.counts")
    spaces: Final = statements.named("transfer.spaces")
    channels: Final = statements.named("transfer.channels")
    place_settings: Final = statements.named("transfer.place_settings")
    people: Final = statements.named("transfer.people")
    members: Final = statements.named("transfer.members")
    sessions: Final = statements.named("transfer.sessions")
    messages: Final = statements.named("transfer.messages")
    attachments: Final = statements.named("transfer.attachments")
    turns: Final = statements.named("transfer.turns")
    chat_summaries: Final = statements.named("transfer.chat_summaries")
    chunks: Final = statements.named("transfer.chunks")
    memories: Final = statements.named("transfer.memories")
    events: Final = statements.named("transfer.events")
    tombstones: Final = statements.named("transfer.tombstones")


_PAGES: Final[dict[str, tuple[LiteralString, dict[str, Any]]]] = {
    "space": (Sql.spaces, {}),
    "channel": (Sql.channels, {"channel_id": _BEFORE_ALL}),
    "place_setting": (Sql.place_settings, {"channel_id": _BEFORE_ALL, "name": ""}),
    "person": (Sql.people, {"person_id": _BEFORE_ALL}),
    "member": (Sql.members, {"person_id": _BEFORE_ALL, "name": ""}),
    "session": (Sql.sessions, {"session_id": _BEFORE_ALL}),
    "message": (Sql.messages, {"message_id": _BEFORE_ALL}),
    "attachment": (Sql.attachments, {"message_id": _BEFORE_ALL, "attachment_id": _BEFORE_ALL}),
    "turn": (Sql.turns, {"turn_id": _BEFORE_ALL}),
    "chat_summary": (Sql.chat_summaries, {"summary_id": _BEFORE_ALL}),
    "chunk": (Sql.chunks, {"chunk_id": _BEFORE_ALL}),
    "memory": (Sql.memories, {"memory_id": _BEFORE_ALL}),
    "event": (Sql.events, {"memory_id": _BEFORE_ALL, "event_id": _BEFORE_ALL}),
    "tombstone": (Sql.tombstones, {"memory_id": _BEFORE_ALL}),
}
"""How each kind is read: its statement, and the key it is paged by with a value before every row's."""


async def export_to(database: Database, file: Path, *, space_id: SpaceId = TERMINAL_SPACE) -> str:
    """What was written, as "12 memories, 40 messages, 3 sessions"; `-` is standard output.

    The file appears whole or not at all, readable by its owner only. Raises `TransferError` when there is nothing to
    export, or a file of that name already, or it can't be written.
    """
    counts: dict[str, int] = {}
    lines = 0
    async with contextlib.aclosing(exported(database, space_id)) as found:
        with written(file) as out:
            async for line in found:
                # Out here and not in the snapshot: a broken pipe must not look like a broken database.
                out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=_plain).encode() + b"\n")
                counts = line.get("counts", counts)
                lines += 1
    _log.info("space.exported", space_id=space_id, lines=lines)
    return records.told(counts)


async def exported(database: Database, space_id: SpaceId) -> AsyncGenerator[dict[str, Any]]:
    """Every line of the export, in one read-only snapshot: header, the kinds in their order, end."""
    async with database.connection() as connection, _snapshot(connection):
        counts = await _counts(connection, space_id)
        now = datetime.now(UTC)
        yield {"hathi_export": records.VERSION, "space_id": space_id, "exported_at": now, "counts": counts}
        for kind in records.KINDS:
            async for line in _rows(connection, space_id, kind):
                yield line
        yield {"kind": "end", "lines": 2 + sum(counts.values())}


async def _rows(connection: Connection, space_id: SpaceId, kind: str) -> AsyncGenerator[dict[str, Any]]:
    """The lines of one kind, read by keyset."""
    statement, start = _PAGES[kind]
    fields = [name for name in records.KINDS[kind].model_fields if name != "kind"]
    after = [*start.values()]
    while True:
        page = await connection.fetch(statement, space_id, *after, PAGE)
        for row in page:
            yield {"kind": kind} | {name: row[name] for name in fields}
        if len(page) < PAGE or not start:
            return
        after = [page[-1][name] for name in start]


async def _counts(connection: Connection, space_id: SpaceId) -> dict[str, int]:
    try:
        row = await connection.fetchrow(Sql.counts, space_id)
    except asyncpg.UndefinedTableError:
        row = None
    if row is None or not row["space"]:
        where = "in this database" if space_id == TERMINAL_SPACE else f"in space {space_id} of this database"
        raise errors.TransferError(f"There is nothing to export: nobody has talked to Hathi {where} yet.")
    return {kind: row[kind] for kind in records.KINDS}


class _Snapshots(Protocol):
    """What asyncpg's transactions take, and no other part of Hathi needs."""

    def transaction(self, *, isolation: str, readonly: bool) -> AbstractAsyncContextManager[Any]: ...


def _snapshot(connection: Connection) -> AbstractAsyncContextManager[Any]:
    return cast("_Snapshots", connection).transaction(isolation="repeatable_read", readonly=True)


@contextlib.contextmanager
def written(file: Path) -> Generator[BinaryIO]:
    """Where lines go: standard output, or a file of its owner's alone that is there when all of them are.

    Raises `TransferError` where it is there already, or can't be written.
    """
    if file == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        _refuse_existing(file)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".part")
        part = Path(name)
        try:
            with open(descriptor, "wb") as out:  # noqa: PTH123 - the descriptor is private from birth
                yield out
                out.flush()
                os.fsync(out.fileno())
            _refuse_existing(file)
            part.rename(file)
        finally:
            part.unlink(missing_ok=True)
    except OSError as exc:
        raise errors.TransferError(f"{file} can't be written: {exc.strerror or exc}.") from exc


def _refuse_existing(file: Path) -> None:
    if file.exists() or file.is_symlink():
        raise errors.TransferError(f"{file} exists already; name another file, or remove that one first.")


def _plain(value: object) -> str:
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat(timespec="microseconds")
        case bytes():
            return "\\x" + value.hex()
        case _:
            raise TypeError(type(value).__name__)
