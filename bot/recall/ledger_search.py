"""Reads the ledgers of channels and what was said in a while, of the channels that may be told of."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import (
    Caller,
    ChannelId,
    LedgerEntry,
    Memory,
    Message,
    MessageId,
    Parts,
    Result,
    Role,
    SessionId,
    SpaceId,
    first_id,
    id_time,
)
from bot.recall import search_terms
from bot.recall.query import Term
from bot.store import namesakes, rows
from bot.store.bounded_words import Divided
from bot.store.turns import HATHI

LOOKED_AT: Final = 2000
"""Chunks of a space that hold a word, or are of a while, the newest, of which those are found that somebody may see."""
MOST_READ: Final = 500
"""Messages of a while that are read, the newest."""
_FOR_EVER: Final = 2**63 - 1


class Sql:
    """The statements that read ledgers for whoever asks."""

    newest: Final = statements.named("ledger.newest")
    first_entries: Final = statements.named("ledger.first_entries")
    entries_holding: Final = statements.named("ledger.entries_holding")
    entries_within: Final = statements.named("ledger.entries_within")
    said_within: Final = statements.named("ledger.said_within")
    outdated: Final = statements.named("recall.outdated")
    last_heard: Final = statements.named("ledger.last_heard")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedEntry:
    """A chunk with where it was said, and what it was made of."""

    entry: LedgerEntry
    channel_id: ChannelId
    messages: tuple[MessageId, ...]
    words: int = 0
    """How many of the words it was looked for by it holds."""

    def is_new(self, told: Collection[MessageId]) -> bool:
        """Whether it tells of none of these messages."""
        return not any(key in told for key in self.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewestEntries:
    """What the ledger of a channel ends on."""

    summary: LedgerEntry | None
    """The newest version of the rolling summary."""
    entries: Sequence[LedgerEntry]
    """The newest entries, oldest first; where they reach into what was condensed, that is the first of them."""


class LedgerSearch:
    """Reads what the ledgers of channels hold; every read binds the space and the channels that may be told of."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(
        self, caller: Caller, *, most: int, after_reset: bool, until: datetime | None = None
    ) -> NewestEntries:
        """What a channel's ledger ends on; of it all, or since a person's reset.

        Here and below, where a moment is given, as if nothing had been said from then on.
        """
        args = caller.space_id, caller.channel_id, most, after_reset, end_id(until)
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.newest, *args)
        told = sorted(map(entry, found), key=lambda one: one.through)
        entries = [one for one in told if one.summary_id is None]
        return NewestEntries(
            summary=next((one for one in told if one.summary_id is not None), None),
            entries=entries[max(0, len(entries) - most) :],
        )

    async def first(
        self, caller: Caller, *, most: int, after_reset: bool, until: datetime | None = None
    ) -> list[LedgerEntry]:
        """The first chunks of the caller's channel, oldest first; of it all, or since a person's reset."""
        args = caller.space_id, caller.channel_id, most, after_reset, end_id(until)
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.first_entries, *args)
        return [entry(row) for row in found]

    async def holding(self, caller: Caller, terms: Sequence[Term], *, most: int) -> list[PlacedEntry]:
        """The chunks that hold any of these words, as the text index has them; those that hold most first."""
        async with self._database.connection() as connection:
            counted = await search_terms.counted(connection, caller, terms)
            sought = search_terms.divided(terms, counted.messages)
            return await holding_in(connection, caller, [term.query for term in terms], sought, most=most)

    async def within(
        self, caller: Caller, since: datetime | None, until: datetime | None, *, most: int
    ) -> list[PlacedEntry]:
        """The newest chunks that tell of something since a moment and of nothing from another on, oldest first."""
        first, end = ids_between(since, until)
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.entries_within, caller.space_id, caller.visible, first, end, most, LOOKED_AT
            )
        return [_placed(row) for row in reversed(found)]

    async def said(
        self, caller: Caller, since: datetime | None, until: datetime | None
    ) -> tuple[list[Message], frozenset[MessageId], frozenset[MessageId]]:
        """The newest messages of people between two moments, oldest first, each with the place where it stands.

        And which of them Hathi has answered, and which told what was replaced since.
        """
        first, end = ids_between(since, until)
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.said_within, caller.space_id, caller.visible, first, end, MOST_READ)
            said = [rows.message(row) for row in reversed(found)]
            said = await namesakes.told_apart(connection, caller.space_id, said)
            ids = [message.message_id for message in said]
            replaced = await connection.fetch(Sql.outdated, caller.space_id, ids) if ids else ()
        answered = frozenset(MessageId(row["message_id"]) for row in found if row["is_answered"])
        return said, answered, frozenset(MessageId(row["message_id"]) for row in replaced)

    async def last_heard(self, caller: Caller, before: datetime) -> datetime | None:
        """When the caller last said something that is kept; none where nothing is."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.last_heard, caller.space_id, caller.person_id, first_id(before))


async def holding_in(
    connection: Connection,
    caller: Caller,
    queries: Sequence[str],
    sought: Divided,
    *,
    most: int,
    until: datetime | None = None,
) -> list[PlacedEntry]:
    """The same as `LedgerSearch.holding`, with a connection in hand, of words that are `sought` in messages.

    Where it is asked for, of what was said before a moment.
    """
    found = await connection.fetch(
        Sql.entries_holding,
        caller.space_id,
        caller.visible,
        sought.rare,
        [*queries],
        LOOKED_AT,
        most,
        end_id(until),
        sought.walked,
        sought.walk(1),
    )
    return [_placed(row, row["words"]) for row in found]


def entry(row: Row) -> LedgerEntry:
    """A row of a ledger: a chunk, or a version of its rolling summary."""
    return LedgerEntry(
        text=row["text"],
        through=MessageId(row["chunk_id"]),
        since=None if row["first_message_id"] is None else MessageId(row["first_message_id"]),
        sessions=tuple(map(SessionId, row["sessions"])),
        summary_id=row["summary_id"],
        condensation_id=row["condensation_id"],
    )


def result(placed: PlacedEntry, score: float) -> Result:
    """An entry as a result: a message of Hathi's that stands where what it sums up begins."""
    since = placed.entry.since
    assert since is not None
    item = Message(
        space_id=SpaceId(0),
        channel_id=placed.channel_id,
        message_id=since,
        role=Role.HATHI,
        author_id=None,
        author=HATHI,
        content=placed.entry.text,
        said_at=id_time(since),
    )
    return Result(item=item, parts=Parts(text=score), entry=placed.entry)


def sources(found: Result) -> Sequence[MessageId]:
    """The messages that a result tells of."""
    return found.item.evidence if isinstance(found.item, Memory) else (found.item.message_id,)


def end_id(until: datetime | None) -> int:
    """The first id there may be from a moment on; beyond all ids where there is no moment."""
    return _FOR_EVER if until is None else first_id(until)


def ids_between(since: datetime | None, until: datetime | None) -> tuple[int, int]:
    """The first id there may be from one moment on, and from another."""
    return 0 if since is None else first_id(since), end_id(until)


def _placed(row: Row, words: int = 0) -> PlacedEntry:
    return PlacedEntry(
        entry=entry(row),
        channel_id=ChannelId(row["channel_id"]),
        messages=tuple(map(MessageId, row["messages"])),
        words=words,
    )
