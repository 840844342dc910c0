"""Stores notes, the scratchpad of a session; they expire, and become memories only by promotion."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot import catalogue, errors, log
from bot.config import NotesSettings
from bot.db import statements
from bot.db.pool import Connection, Database, Row, affected
from bot.domain import UNDO_WINDOW, Actor, Caller, ChannelId, MessageId, PersonId, SessionId, SpaceId
from bot.store import namesakes
from bot.store.archivist import Archivist, Author
from bot.store.turns import HATHI
from bot.text import normalize

_log = log.logger(__name__)

MOST: Final = 100
"""Living notes of one session; what is more is refused."""
QUERY_WORDS: Final = 64
"""Words of a query that take part in a search."""


class Sql:
    """Statements of notes."""

    save: Final = statements.named("note.save")
    living: Final = statements.named("note.living")
    search: Final = statements.named("note.search")
    one: Final = statements.named("note.one")
    typed: Final = statements.named("note.typed")
    remove: Final = statements.named("note.remove")
    remove_session: Final = statements.named("note.remove_session")
    remove_expired: Final = statements.named("note.remove_expired")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One working note of a session."""

    number: int
    """Counts up in a channel and is given once, so people see `N3`."""
    content: str
    author: str
    author_id: PersonId
    """Whose it is: of a model's note, who asked what it was at."""
    channel_id: ChannelId
    """Whose readers are its audience."""
    session_id: SessionId
    written_at: datetime
    expires_at: datetime
    actor: Actor = Actor.PERSON

    @property
    def label(self) -> str:
        """What it is called: `N3`."""
        return f"N{self.number}"


class Notes:
    """Writes and reads notes; every read binds the channels everyone who asks may see."""

    def __init__(self, database: Database, archivist: Archivist, settings: NotesSettings) -> None:
        self._database = database
        self._archivist = archivist
        self.keep: timedelta = timedelta(minutes=settings.keep_minutes)
        """How long a note lives."""

    async def save(
        self, caller: Caller, text: str, *, actor: Actor = Actor.PERSON, said: MessageId | None = None, now: datetime
    ) -> Note:
        """Saves a note in the open session of the caller's channel; `said` is the message it was given in.

        A model's own is Hathi's by name, and the caller's to erase. Raises `RefusedText`, as a memory's text does;
        `NotAllowed` where the channel's mode or the caller's wish forbids it, as for `!remember`, or for what a model
        saves; and `UserError` when the session has as many as it may have.
        """
        content = normalize.cleaned(text, what="note")
        author = Author.of(caller, actor, "note" if actor is Actor.PERSON else "tool")
        async with self._database.once() as connection:
            row = await connection.fetchrow(
                Sql.save,
                caller.space_id,
                caller.channel_id,
                caller.origin_id,
                actor.value,
                caller.person_id,
                caller.name if actor is Actor.PERSON else HATHI,
                content,
                said,
                now,
                now + self.keep,
                MOST,
            )
            # After the channel's row: rows are locked in one order everywhere.
            await self._archivist.allow_in(connection, caller.space_id, caller.origin_id, author)
            if row is None:
                told = catalogue.gettext(
                    "This session has {most} notes, and more it can't have; promote some, or wait until they expire."
                )
                raise errors.UserError(told.format(most=MOST))
        _log.info("note.saved", number=row["number"], actor=actor.value)
        return note(row)

    async def living(
        self, caller: Caller, session_id: SessionId | None = None, *, now: datetime, page: int = 1, size: int = MOST
    ) -> tuple[list[Note], int]:
        """One page of a session's living notes, the oldest first, and how many there are; of the open session's."""
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.living, caller.space_id, caller.channel_id, caller.visible, now, session_id, size, (page - 1) * size
            )
            told = await _told_apart(connection, caller.space_id, map(note, found))
        return told, found[0]["total"] if found else 0

    async def search(
        self, caller: Caller, query: str, session_id: SessionId | None = None, *, now: datetime, limit: int = 10
    ) -> list[Note]:
        """Living notes of a session that hold a word of the query, the nearest first; of the open session's."""
        words = " ".join([*dict.fromkeys(query.replace("\0", " ").split())][:QUERY_WORDS])
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.search,
                caller.space_id,
                caller.channel_id,
                caller.visible,
                now,
                session_id,
                caller.language,
                words,
                limit,
            )
            return await _told_apart(connection, caller.space_id, map(note, found))

    async def get(self, caller: Caller, number: int, *, now: datetime) -> Note:
        """A living note of the open session or the one before. Raises `NotFound`."""
        async with self._database.connection() as connection:
            found, _ = await self.get_in(connection, caller, number, now=now)
        return found

    async def get_in(
        self, connection: Connection, caller: Caller, number: int, *, now: datetime
    ) -> tuple[Note, SessionId]:
        """The same inside the caller's transaction, and which session is open."""
        # A number beyond what a column holds is no note's.
        row = (
            None
            if number >= 2**31
            else await connection.fetchrow(Sql.one, caller.space_id, caller.channel_id, caller.visible, now, number)
        )
        if row is None:
            told = catalogue.later("There is no note N{number} here; {p}notes lists those there are.")
            raise errors.NotFound(lambda p: catalogue.gettext(told).format(number=number, p=p))
        return note(row), SessionId(row["open_session_id"])

    async def typed(self, caller: Caller, typed: str, *, limit: int, now: datetime) -> list[Note]:
        """Notes that may be meant by the beginning of a number or a part of a text, the newest first."""
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.typed, caller.space_id, caller.channel_id, caller.visible, now, typed, limit
            )
        return [note(row) for row in found]

    async def last(self, caller: Caller, *, now: datetime) -> Note | None:
        """The caller's latest note of the open session, or a model's for them, while it can be undone."""
        found, _ = await self.living(caller, now=now)
        own = [one for one in found if one.author_id == caller.person_id and now - one.written_at <= UNDO_WINDOW]
        return own[-1] if own else None

    async def remove(self, caller: Caller, gone: Note) -> None:
        """Deletes the note. Raises `NotFound` where it is gone already."""
        async with self._database.connection() as connection:
            await self.remove_in(connection, caller.space_id, gone)

    async def remove_in(self, connection: Connection, space_id: SpaceId, gone: Note) -> None:
        """Deletes the note inside the caller's transaction. Raises `NotFound` when somebody else was first."""
        if await connection.fetchval(Sql.remove, space_id, gone.session_id, gone.number) is None:
            raise errors.NotFound(catalogue.gettext("{label} is gone already.").format(label=gone.label))

    async def remove_expired(self, spaces: Sequence[SpaceId], *, now: datetime) -> int:
        """Deletes notes that are expired, of people who opted out, or of forgotten messages; returns how many."""
        async with self._database.connection() as connection:
            gone = await connection.execute(Sql.remove_expired, [*spaces], now, now - UNDO_WINDOW)
        return affected(gone)


async def remove_session_in(connection: Connection, space_id: SpaceId, session_id: SessionId) -> int:
    """Deletes the notes of a discarded session; returns how many."""
    gone = await connection.execute(Sql.remove_session, space_id, session_id)
    return affected(gone)


async def _told_apart(connection: Connection, space_id: SpaceId, notes: Iterable[Note]) -> list[Note]:
    """The notes, by people told apart who are called alike; a model's is Hathi's by name."""
    found = [*notes]
    people = [(each.author_id, each.author) for each in found if each.actor is Actor.PERSON]
    called = await namesakes.of(connection, space_id, people)
    return [replace(each, author=called.get((each.author_id, each.author), each.author)) for each in found]


def note(row: Row) -> Note:
    """A row of `note`."""
    return Note(
        number=row["number"],
        content=row["content"],
        author=row["author"],
        author_id=PersonId(row["author_id"]),
        channel_id=ChannelId(row["channel_id"]),
        session_id=SessionId(row["session_id"]),
        written_at=row["written_at"],
        expires_at=row["expires_at"],
        actor=Actor(row["actor"]),
    )
