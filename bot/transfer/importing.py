"""Imports an export file into an empty space, in one transaction."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, LiteralString

import asyncpg

from bot import errors, log
from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import TERMINAL_PERSON, TERMINAL_SPACE, SessionId, SpaceId
from bot.store import sessions
from bot.store.archivist import Archivist
from bot.text import languages, lookalikes
from bot.transfer import reading, records

_log = log.logger(__name__)

BATCH: Final = 500
"""Lines a statement writes at most."""
BATCH_BYTES: Final = 2**22
"""Of lines a statement writes, before it is sent though there are fewer of them."""
REFUSED: Final = ("21", "22", "23", "54")
"""SQLSTATE classes of rows that can't be: wrong values, broken constraints, twins, over a limit."""


class Sql:
    """The statements that write a space, but for its memories."""

    lock_channels: Final = statements.named("transfer.lock_channels")
    lock_space: Final = statements.named("space.lock")
    held: Final = statements.named("transfer.held")
    drop_open_sessions: Final = statements.named("transfer.drop_open_sessions")
    unpoint_channels: Final = statements.named("transfer.unpoint_channels")
    knows_language: Final = statements.named("transfer.knows_language")
    spaces: Final = statements.named("transfer.import_space")
    channels: Final = statements.named("transfer.import_channels")
    place_settings: Final = statements.named("transfer.import_place_settings")
    people: Final = statements.named("transfer.import_people")
    terminal_person: Final = statements.named("transfer.import_terminal_person")
    members: Final = statements.named("transfer.import_members")
    sessions: Final = statements.named("transfer.import_sessions")
    messages: Final = statements.named("transfer.import_messages")
    attachments: Final = statements.named("transfer.import_attachments")
    turns: Final = statements.named("transfer.import_turns")
    chat_summaries: Final = statements.named("transfer.import_chat_summaries")
    chunks: Final = statements.named("transfer.import_chunks")
    declined_chunks: Final = statements.named("transfer.declined_chunks")
    adrift: Final = statements.named("transfer.adrift")
    behind: Final = statements.named("transfer.behind")
    create_upkeep: Final = statements.named("space.create_upkeep")
    wake: Final = statements.named("space.wake")


async def import_from(database: Database, file: Path, *, language: str, space_id: SpaceId = TERMINAL_SPACE) -> str:
    """What was read, as "12 memories, 40 messages, 3 sessions"; `-` is standard input.

    The space keeps the text language of the file; `language` is used where nobody here knows it. Raises
    `TransferError` for a file that is not whole and ours, and for a space in which anything was said; then nothing is
    written.
    """
    with reading.opened(file) as reader:
        if reader.header.space_id != space_id:
            raise errors.TransferError(
                f"{file} holds space {reader.header.space_id}, not {space_id}: no memory moves between spaces."
            )
        async with database.transaction() as connection:
            writing = _Writing(connection, Archivist(database), space_id, language)
            await writing.prepare()
            for kind, batch in _batches(reader):
                await writing.write(kind, batch)
            await writing.finish()
    _log.info("space.imported", space_id=space_id, lines=reader.line)
    return records.told(writing.counts)


class _Writing:
    """One import under way."""

    def __init__(self, connection: Connection, archivist: Archivist, space_id: SpaceId, language: str) -> None:
        self._connection = connection
        self._archivist = archivist
        self._space_id = space_id
        self._language = language
        self.counts: Counter[str] = Counter()

    async def prepare(self) -> None:
        """Hold everybody else off, and see that nothing was ever said here."""
        run, space_id = self._connection, self._space_id
        await run.execute(Sql.lock_channels, space_id)
        await run.execute(Sql.lock_space, space_id)
        held = await run.fetchrow(Sql.held, space_id)
        assert held is not None
        if any(held.values()):
            raise errors.TransferError(
                f"Import needs an empty space, and this one holds {records.told(dict(held))} already: "
                "import into a new database, or a new data directory with HATHI_DATA_DIR."
            )
        await run.execute(Sql.drop_open_sessions, space_id)
        await run.execute(Sql.unpoint_channels, space_id)

    async def write(self, kind: str, batch: list[tuple[int, dict[str, Any]]]) -> None:
        """Write lines of one kind, each with its number. Raises `TransferError` for what Postgres refuses."""
        try:
            await self._write(kind, [row for _, row in batch])
        except asyncpg.PostgresError as exc:
            if not str(getattr(exc, "sqlstate", "")).startswith(REFUSED):
                raise
            first, last = batch[0][0], batch[-1][0]
            # The message names columns and constraints; the detail would quote what people said.
            why = str(exc.args[0]).partition("\n")[0]
            where = f"line {first}" if first == last else f"lines {first} to {last}"
            raise errors.TransferError(f"The database refused {where}: {why}; nothing was imported.") from None
        self.counts[kind] += len(batch)

    async def finish(self) -> None:
        """See that talk can go on where it was left, and let the space be looked after."""
        run, now = self._connection, datetime.now(UTC)
        if (adrift := await run.fetchval(Sql.adrift, self._space_id)) is not None:
            raise errors.TransferError(
                f"The open session of channel {adrift} is not in the file; nothing was imported."
            )
        if (behind := await run.fetchval(Sql.behind, self._space_id)) is not None:
            raise errors.TransferError(f"Channel {behind} counts fewer sessions than it has; nothing was imported.")
        # Who opted out here since the file was written is told of no more; what is left of it is made again.
        declined = await run.fetch(Sql.declined_chunks, self._space_id)
        if declined:
            of = {SessionId(row["session_id"]) for row in declined}
            await sessions.erase_chunks_in(run, self._space_id, of, [row["chunk_id"] for row in declined], now=now)
        await run.execute(Sql.create_upkeep, self._space_id, now)
        await run.execute(Sql.wake, self._space_id, now)

    async def _write(self, kind: str, rows: list[dict[str, Any]]) -> None:
        run, archivist, space_id = self._connection, self._archivist, self._space_id
        match kind:
            case "space":
                await self._write_space(rows)
            case "person":
                await self._write_people(rows)
            case "member":
                likened = [row | {"likeness": lookalikes.likeness(row["name"])} for row in rows]
                await run.execute(Sql.members, space_id, likened)
            case "message":
                await run.execute(Sql.messages, space_id, self._language, rows)
            case "attachment":
                await run.execute(Sql.attachments, space_id, self._language, rows)
            case "memory":
                await archivist.import_in(run, space_id, memories=rows)
            case "event":
                # A line's own kind comes first, so a file has another word for the event's.
                events = [{**row, "kind": row["change"]} for row in rows]
                await archivist.import_in(run, space_id, events=events)
            case "tombstone":
                await archivist.import_in(run, space_id, tombstones=rows)
            case _:
                await run.execute(_WRITTEN_ALIKE[kind], space_id, rows)

    async def _write_people(self, rows: list[dict[str, Any]]) -> None:
        """Of who is known here already stays what they said here; of a terminal's file only its own person is read."""
        if self._space_id != TERMINAL_SPACE:
            await self._connection.execute(Sql.people, self._space_id, rows)
            return
        # What anybody else wants, here and everywhere, they say themselves, and no file for them.
        await self._connection.execute(
            Sql.terminal_person, [row for row in rows if row["person_id"] == TERMINAL_PERSON]
        )

    async def _write_space(self, rows: list[dict[str, Any]]) -> None:
        (space,) = rows
        name = space["language"]
        if name in languages.KNOWN or await self._connection.fetchval(Sql.knows_language, name):
            self._language = name
        await self._connection.execute(Sql.spaces, self._space_id, [space | {"language": self._language}])


_WRITTEN_ALIKE: Final[dict[str, LiteralString]] = {
    "channel": Sql.channels,
    "place_setting": Sql.place_settings,
    "session": Sql.sessions,
    "turn": Sql.turns,
    "chat_summary": Sql.chat_summaries,
    "chunk": Sql.chunks,
}


def _batches(reader: reading.Reader) -> Iterator[tuple[str, list[tuple[int, dict[str, Any]]]]]:
    """Runs of lines of one kind, bounded in lines and in what they weigh."""
    kind, batch, weight = "", list[tuple[int, dict[str, Any]]](), 0
    for line, record in reader.checked():
        if batch and (record.kind != kind or len(batch) == BATCH or weight > BATCH_BYTES):
            yield kind, batch
            batch, weight = [], 0
        kind = record.kind
        batch.append((line, record.row()))
        weight += reader.size
    if batch:
        yield kind, batch
