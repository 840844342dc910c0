"""The librarian: the one reader of memories; nothing here can write."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import errors
from bot.config import ActiveSettings
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import (
    Caller,
    ChannelId,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Recollection,
    Role,
    SessionId,
    SpaceId,
    Tier,
)
from bot.memory import rows
from bot.memory.archivist import Ageing

HEAD: Final = 200
"""Short rows read before the block looks further; also the most rows that are ranked."""
QUERY_WORDS: Final = 64
"""Words of a message that take part in a search; a longer one is cut to the first distinct ones."""
HISTORY_MESSAGES: Final = 400
"""Messages of a session that are read for a prompt; far more than fit."""
PAGE: Final = 100


class Sql:
    """The statements that read memories."""

    active: Final = statements.named("librarian.active")
    active_large: Final = statements.named("librarian.active_large")
    active_long: Final = statements.named("librarian.active_long")
    recall_memories: Final = statements.named("librarian.recall_memories")
    recall_messages: Final = statements.named("librarian.recall_messages")
    memory: Final = statements.named("librarian.memory")
    memories: Final = statements.named("librarian.memories")
    due_to_age: Final = statements.named("librarian.due_to_age")
    history: Final = statements.named("librarian.history")
    session_messages: Final = statements.named("librarian.session_messages")
    last_summary: Final = statements.named("librarian.last_summary")
    sessions: Final = statements.named("librarian.sessions")
    counts: Final = statements.named("librarian.counts")
    waiting_sessions: Final = statements.named("librarian.waiting_sessions")
    channel_names: Final = statements.named("librarian.channel_names")
    places: Final = statements.named("librarian.places")
    withheld: Final = statements.named("librarian.withheld")
    closed_at: Final = statements.named("librarian.closed_at")
    topics: Final = statements.named("librarian.topics")
    rooms: Final = statements.named("librarian.rooms")
    changeable: Final = statements.named("librarian.changeable")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveRow:
    """One row the Active Memory block may show."""

    memory_id: MemoryId
    tier: Tier
    topic: str
    content: str
    importance: int
    author: str | None
    said_at: datetime
    reserved: bool
    rank: float | None
    """`ts_rank` against the message; none when they share no word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSession:
    """One session that is over."""

    number: int
    state: str
    opened_at: datetime
    closed_at: datetime
    message_count: int
    fact_count: int
    attempts: int
    text: str | None
    withheld: bool
    model: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSession:
    """Where a channel left off before its last reset."""

    session_id: SessionId
    number: int
    closed_at: datetime
    text: str | None
    """The chat summary; none when it is not written yet, or withheld since part of it was forgotten."""


class Librarian:
    """Reads; every read binds the space and the channels everyone who asks may see."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def active(self, caller: Caller, question: str, settings: ActiveSettings) -> list[ActiveRow]:
        """Rows for the Active Memory block, in the order it is filled; at most `rows`, empty when none is eligible.

        One statement in the common case; a short tier of more than 200 rows, or one that shares no word with the
        question, is asked once more.
        """
        query = _query(question)
        args = (caller.space_id, caller.visible, caller.language, query, settings.min_importance, settings.rows)
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.active, *args)
            if found and found[0]["scanned"] == HEAD:
                found = await connection.fetch(Sql.active_large, *args, HEAD)
            picked = [_active(row) for row in found]
            if query and not any(row.rank is not None for row in picked):
                cold = await connection.fetch(Sql.active_long, *args[:5])
                held = [row for row in picked if row.reserved]
                picked = [*held, *map(_active, cold), *(row for row in picked if not row.reserved)][: settings.rows]
        return picked

    async def recall(
        self, caller: Caller, query: str, *, tier: Tier | None = None, messages: bool = True, limit: int = 5,
        apart_from: Iterable[MessageId] = (),
    ) -> Recollection:  # fmt: skip
        """What any word of the query finds: memories by `ts_rank`, importance, newest, id; then what was said.

        At most `limit` results together; messages a shown memory rests on are not shown again.
        """
        words = _query(query)
        if not words:
            return Recollection()
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.recall_memories, caller.space_id, caller.visible, caller.language, words,
                tier.value if tier else None, limit,
            )  # fmt: skip
            memories = tuple((rows.memory(row), float(row["rank"])) for row in found)
            said: Sequence[Row] = ()
            if messages and len(memories) < limit:
                quoted = [*apart_from, *(e for memory, _ in memories for e in memory.evidence)]
                said = await connection.fetch(
                    Sql.recall_messages, caller.space_id, caller.visible, caller.language, words, quoted,
                    limit - len(memories),
                )  # fmt: skip
        return Recollection(memories=memories, messages=tuple((rows.message(r), float(r["rank"])) for r in said))

    async def memory(self, caller: Caller, memory_id: MemoryId) -> Memory:
        """One living memory the caller may see. Raises `NotFound`."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.memory, caller.space_id, memory_id, caller.visible)
        if row is None:
            raise errors.NotFound(f"There is no memory #{memory_id} here.")
        return rows.memory(row)

    async def memories(
        self, caller: Caller, *, filed_under: str | None, least: int, by_importance: bool, page: int, size: int
    ) -> tuple[list[Memory], int]:
        """One page of living memories, and how many there are in all."""
        sort = "importance" if by_importance else "new"
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.memories, caller.space_id, caller.visible, filed_under, least, sort, size, (page - 1) * size
            )
        return [rows.memory(row) for row in found], found[0]["total"] if found else 0

    async def due_to_age(self, caller: Caller, ageing: Ageing, *, now: datetime) -> tuple[list[Memory], int]:
        """The memories an ageing would move from channels the caller sees, and how many are due in all."""
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.due_to_age, caller.space_id, caller.visible, now - ageing.older_than, ageing.max_rows,
                ageing.include_protected,
            )  # fmt: skip
        return [rows.memory(row) for row in found], found[0]["total"] if found else 0

    async def history(self, caller: Caller, session_id: SessionId, before: MessageId) -> list[Message]:
        """The newest messages of the session before a question, oldest first, each reply after its question."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.history, caller.space_id, session_id, before, HISTORY_MESSAGES)
        return sorted(map(rows.message, found), key=_place)

    async def session_messages(self, connection: Connection, space_id: int, session_id: SessionId) -> list[Message]:
        """Every message of a session that is not hidden, oldest first, read a page at a time."""
        messages: list[Message] = []
        while True:
            after = messages[-1].message_id if messages else -1
            page = await connection.fetch(Sql.session_messages, space_id, session_id, after, PAGE)
            messages += (rows.message(row) for row in page)
            if len(page) < PAGE:
                return messages

    async def last_session(self, caller: Caller) -> LastSession | None:
        """The channel's last session with anything said in it, if there is one."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.last_summary, caller.space_id, caller.channel_id)
        if row is None:
            return None
        return LastSession(
            session_id=SessionId(row["session_id"]),
            number=row["number"],
            closed_at=row["closed_at"],
            text=None if row["withheld_at"] else row["text"],
        )

    async def said_in(self, caller: Caller, session_id: SessionId) -> list[Message]:
        """Every message of one session of the caller's channel that is not hidden."""
        async with self._database.connection() as connection:
            messages = await self.session_messages(connection, caller.space_id, session_id)
        return [message for message in messages if message.channel_id in caller.visible]

    async def sessions(self, caller: Caller, *, page: int, size: int) -> tuple[list[PastSession], int]:
        """One page of the channel's past sessions, newest first, and how many there are."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.sessions, caller.space_id, caller.channel_id, size, (page - 1) * size)
        names = PastSession.__dataclass_fields__
        return [PastSession(**{n: row[n] for n in names}) for row in found], found[0]["total"] if found else 0

    async def channel_names(self, caller: Caller) -> dict[ChannelId, str]:
        """The names of the channels the caller sees."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.channel_names, caller.space_id, caller.visible)
        return {ChannelId(row["channel_id"]): row["name"] for row in found}

    async def places(self, caller: Caller, ids: Iterable[MessageId]) -> dict[MessageId, ChannelId]:
        """Where those of the messages stand that are recorded, not hidden, and in channels the caller sees."""
        wanted = sorted({*ids})
        if not wanted:
            return {}
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.places, caller.space_id, wanted, caller.visible)
        return {MessageId(row["message_id"]): ChannelId(row["place_id"]) for row in found}

    async def withheld(self, space_id: SpaceId, ids: Iterable[MessageId]) -> frozenset[MessageId]:
        """Those of the messages that are forgotten, recorded or not: nobody is to be shown them from elsewhere."""
        wanted = sorted({*ids})
        if not wanted:
            return frozenset()
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.withheld, space_id, wanted)
        return frozenset(MessageId(row["message_id"]) for row in found)

    async def closed_at(self, caller: Caller, session_id: SessionId) -> datetime | None:
        """When a session of the caller's channel was closed; none when it is open or not there."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.closed_at, caller.space_id, caller.channel_id, session_id)

    async def topics(self, caller: Caller, typed: str, *, limit: int) -> list[str]:
        """Topics of living memories with the typed text in them, those that begin with it first."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.topics, caller.space_id, caller.visible, typed, limit)
        return [row["name"] for row in found]

    async def rooms(self, caller: Caller, typed: str, *, limit: int) -> list[str]:
        """Rooms of living memories with the typed text in them, those that begin with it first."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.rooms, caller.space_id, caller.visible, typed, limit)
        return [row["name"] for row in found]

    async def changeable(self, caller: Caller, typed: str, *, limit: int) -> list[Memory]:
        """Memories the caller may change, by the beginning of their number or a part of their text, newest first."""
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.changeable, caller.space_id, caller.visible, typed, caller.is_admin, caller.person_id, limit
            )
        return [rows.memory(row) for row in found]

    async def counts(self, caller: Caller) -> tuple[dict[Tier, int], int]:
        """Rows by tier, and sessions that wait for a summary."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.counts, caller.space_id, caller.visible)
            waiting = await connection.fetchval(Sql.waiting_sessions, caller.space_id, caller.visible)
        assert row is not None
        return {Tier.SHORT: row["short"], Tier.LONG: row["long"]}, waiting


def _place(message: Message) -> tuple[int, int]:
    return (message.reply_to or message.message_id if message.role is Role.HATHI else message.message_id,
            message.message_id)  # fmt: skip


def _active(row: Row) -> ActiveRow:
    return ActiveRow(
        memory_id=MemoryId(row["memory_id"]),
        tier=Tier(row["tier"]),
        topic=row["topic"],
        content=row["content"],
        importance=row["importance"],
        author=row["author"],
        said_at=row["said_at"],
        reserved=row["reserved"],
        rank=row["rank"],
    )


def _query(text: str) -> str:
    """The first distinct words of a text: a pasted page must not cost a page of comparisons a row."""
    return " ".join([*dict.fromkeys(text.replace("\0", " ").split())][:QUERY_WORDS])
