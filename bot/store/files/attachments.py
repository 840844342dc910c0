"""Stores the texts of files that came with messages."""

import asyncio
import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot import log
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import MessageId, SpaceId
from bot.store.files import file_types
from bot.store.files.file_types import FileKind
from bot.store.files.pdfs import Pdfs

_log = log.logger(__name__)

MOST: Final = 5
"""Files of one message that are read, the first."""
DATABASE_PATIENCE: Final = timedelta(seconds=10)
ARRIVING: Final = timedelta(seconds=3)
"""How long a question waits for the files of its own message."""


class Sql:
    """The statements about stored files."""

    save: Final = statements.named("attachment.save")
    known: Final = statements.named("attachment.known")
    keep_only: Final = statements.named("attachment.keep_only")
    texts: Final = statements.named("attachment.texts")
    reindex: Final = statements.named("attachment.reindex")


class State(StrEnum):
    """The result of reading a file."""

    TEXT = "text"
    UNREADABLE = "unreadable"
    """There is no text in it, or none that can be read."""
    TOO_LARGE = "too_large"
    FAILED = "failed"
    """It could not be fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachedFile:
    """A file as it came with a message."""

    attachment_id: int
    name: str
    content_type: str | None
    size: int
    data: bytes | None = None
    """None where it was not fetched, or could not be."""

    @property
    def kind(self) -> FileKind:
        """What it seems to be."""
        return file_types.kind(self.name, self.content_type)

    @property
    def is_picture(self) -> bool:
        """Whether it is to be looked at."""
        return file_types.is_picture(self.name, self.content_type)

    @property
    def is_wanted(self) -> bool:
        """Whether it is worth fetching: not too large, and something may be written in it."""
        return self.size <= file_types.MOST_BYTES and self.kind is not FileKind.BINARY


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What was read in a file."""

    state: State
    text: str = ""


async def keep_only_in(
    connection: Connection, space_id: SpaceId, message_id: MessageId, attachment_ids: Collection[int]
) -> tuple[list[str], list[str]]:
    """Erases the files that an edit took out of their message.

    What they said, and what those say that are left; nothing of these where none was taken out.
    """
    gone = await connection.fetch(Sql.keep_only, space_id, message_id, [*attachment_ids])
    kept = await connection.fetch(Sql.texts, space_id, message_id) if gone else ()
    return [row["content"] for row in gone], [row["content"] for row in kept]


class Attachments:
    """Reads files and stores their texts; every statement binds the space."""

    def __init__(self, database: Database, *, pdfs: Pdfs | None = None) -> None:
        self._database = database
        self._pdfs = pdfs or Pdfs()
        self._arriving: dict[tuple[SpaceId, MessageId], asyncio.Event] = {}

    async def save(
        self, space_id: SpaceId, message_id: MessageId, file: AttachedFile, contents: Contents, *, now: datetime
    ) -> State | None:
        """Stores the file's text with its message; none where the message is not recorded, or is forgotten.

        A database that is away is waited for, ten seconds at most. Raises `DatabaseDown`.
        """
        state, text = contents.state, contents.text
        kept = await self._database.keep_trying(
            lambda: self._store(space_id, message_id, file, state, text, now), within=DATABASE_PATIENCE
        )
        _log.info(
            "attachment.saved",
            space_id=space_id,
            message_id=message_id,
            attachment_id=file.attachment_id,
            size=file.size,
            state=state.value,
            kept=kept,
            characters=len(text),
        )
        return state if kept else None

    async def known(self, space_id: SpaceId, message_id: MessageId) -> frozenset[int]:
        """Those of a message that need not be fetched any more."""
        async with self._database.connection() as connection:
            return frozenset(row[0] for row in await connection.fetch(Sql.known, space_id, message_id))

    def arrive(self, space_id: SpaceId, message_id: MessageId) -> Callable[[], None]:
        """Marks a message's files as being fetched; call the result when that is over."""
        arriving = self._arriving.setdefault((space_id, message_id), asyncio.Event())

        def over() -> None:
            arriving.set()
            self._arriving.pop((space_id, message_id), None)

        return over

    async def arrived(self, space_id: SpaceId, message_id: MessageId) -> None:
        """Waits for the files of a message, at most three seconds; returns at once where none is being fetched."""
        arriving = self._arriving.get((space_id, message_id))
        if arriving is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ARRIVING.total_seconds()):
                    await arriving.wait()

    async def read(self, file: AttachedFile) -> Contents:
        """What is written in the file; whatever is wrong with it is told by its state."""
        if file.size > file_types.MOST_BYTES or len(file.data or b"") > file_types.MOST_BYTES:
            return Contents(state=State.TOO_LARGE)
        if file.kind is FileKind.BINARY:
            return Contents(state=State.UNREADABLE)
        if file.data is None:
            return Contents(state=State.FAILED)
        if file_types.is_pdf(file.data):
            text = await self._pdfs.text_of(file.data)
        else:
            text = file_types.decoded(file.data) or ""
        text = file_types.tidied(text)
        return Contents(state=State.TEXT, text=text) if text else Contents(state=State.UNREADABLE)

    async def _store(
        self, space_id: SpaceId, message_id: MessageId, file: AttachedFile, state: State, text: str, now: datetime
    ) -> bool:
        async with self._database.connection() as connection:
            kept = await connection.fetchval(
                Sql.save,
                space_id,
                message_id,
                file.attachment_id,
                file_types.tidied(file.name),
                [*file_types.called(file.name)],
                file.content_type and file_types.tidied(file.content_type),
                file.size,
                state.value,
                text,
                now,
            )
        return kept is not None


async def reindex_in(connection: Connection, space_id: SpaceId, *, language: str, after: int, most: int) -> Row:
    """Indexes the files of the next messages after an id for a language; how many, and the last of the messages."""
    row = await connection.fetchrow(Sql.reindex, space_id, language, after, most)
    assert row is not None
    return row
