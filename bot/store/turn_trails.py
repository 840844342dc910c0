"""Reads the stored trail of a reply, and its sources, for people who may see them; nothing here can write."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.db import statements
from bot.db.pool import Database, Row
from bot.domain import Caller, ChannelId, Memory, MemoryId, Message, MessageId, SessionId, ids_in
from bot.store import namesakes, rows
from bot.store.trail import Trail, seconds

ANSWERED_WITHIN: Final = timedelta(days=1)
"""After its question the last part of a reply is surely sent."""


class Sql:
    """The statements that read what led to a reply."""

    last: Final = statements.named("why.last")
    turn: Final = statements.named("why.turn")
    memories: Final = statements.named("why.memories")
    gone: Final = statements.named("why.gone")
    messages: Final = statements.named("why.messages")
    replies: Final = statements.named("why.replies")
    declined: Final = statements.named("why.declined")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReasons:
    """What one turn recorded beside its question and its reply."""

    turn_id: MessageId
    answered_at: datetime
    trail: Trail
    shown: tuple[MemoryId, ...]
    model: str | None
    tokens_in: int
    tokens_out: int
    durations: Mapping[str, float]
    """Seconds by step."""
    question: str | None = None
    """What was asked; none where that is gone, or who asked has opted out since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIsLeft:
    """Which sources of a reply still exist, as far as the caller may see them."""

    memories: Mapping[MemoryId, Memory]
    gone: Mapping[MemoryId, MemoryId | None]
    """Those that are forgotten, or what replaced them; not those whose channel can't be seen."""
    messages: Mapping[MessageId, Message]
    places: Mapping[MessageId, ChannelId]
    """Where the messages stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """Words in a reply's sources of somebody who has opted out since."""

    content: str
    memory_id: MemoryId | None
    is_cited: bool
    """Whether they were asked for as what it cites."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """One of the channel's last replies."""

    turn_id: MessageId
    at: datetime
    text: str


class TurnTrails:
    """Reads trails; every read binds the space and the channels everyone who asks may see."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def last(self, caller: Caller) -> TurnReasons | None:
        """The reasons of the last reply in the caller's channel; none where there is no reply yet."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.last, caller.space_id, caller.channel_id, caller.visible)
        return None if row is None else _reasons(row)

    async def of(self, caller: Caller, message_id: MessageId) -> TurnReasons | None:
        """The reasons of a reply, by any of its messages or its question; none unless recorded and visible."""
        earliest = max(0, message_id - ids_in(ANSWERED_WITHIN))
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.turn, caller.space_id, message_id, earliest, caller.visible)
        return None if row is None else _reasons(row)

    async def standing(
        self, caller: Caller, memories: Collection[MemoryId], messages: Collection[MessageId]
    ) -> WhatIsLeft:
        """What is left of these memories and messages."""
        ids, said = sorted({*memories}), sorted({*messages})
        async with self._database.connection() as connection:
            living = await connection.fetch(Sql.memories, caller.space_id, ids, caller.visible) if ids else ()
            gone = await connection.fetch(Sql.gone, caller.space_id, ids, caller.visible) if ids else ()
            found = await connection.fetch(Sql.messages, caller.space_id, said, caller.visible) if said else ()
            known = [*map(rows.memory, living), *map(rows.message, found)]
            told = await namesakes.told_apart(connection, caller.space_id, known)
        there = {one.memory_id: one for one in told if isinstance(one, Memory)}
        return WhatIsLeft(
            memories=there,
            gone=_gone(gone, there),
            messages={one.message_id: one for one in told if isinstance(one, Message)},
            places={MessageId(row["message_id"]): ChannelId(row["place_id"]) for row in found},
        )

    async def declined(
        self,
        caller: Caller,
        turn_id: MessageId,
        *,
        memories: Collection[MemoryId] = (),
        notes: Collection[int] = (),
        sessions: Collection[SessionId] = (),
    ) -> list[Declined]:
        """What people who opted out since had said in a turn's session before it; and of these what is theirs.

        A memory is theirs that they are the author of, or that rests on what they said.
        """
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.declined,
                caller.space_id,
                turn_id,
                sorted({*memories}),
                sorted({*notes}),
                sorted({*sessions}),
                caller.visible,
            )
        return [
            Declined(
                content=row["content"],
                is_cited=row["is_cited"],
                memory_id=None if row["memory_id"] is None else MemoryId(row["memory_id"]),
            )
            for row in found
        ]

    async def replies(self, caller: Caller, typed: str, *, limit: int) -> list[Replied]:
        """The last replies in the caller's channel that hold the typed text, newest first."""
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.replies, caller.space_id, caller.channel_id, caller.visible, typed, limit
            )
        return [Replied(turn_id=MessageId(row["turn_id"]), at=row["answered_at"], text=row["content"]) for row in found]


def _reasons(row: Row) -> TurnReasons:
    return TurnReasons(
        turn_id=MessageId(row["turn_id"]),
        answered_at=row["answered_at"],
        trail=Trail.of(row["trail"]),
        shown=tuple(MemoryId(memory_id) for memory_id in row["shown"]),
        model=row["model"],
        tokens_in=row["tokens_in"],
        tokens_out=row["tokens_out"],
        durations=seconds(row["durations"]),
        question=row["question"],
    )


def _gone(found: Collection[Row], living: Collection[MemoryId]) -> dict[MemoryId, MemoryId | None]:
    """A tombstone beside a row that was replaced tells nothing that the row does not."""
    gone: dict[MemoryId, MemoryId | None] = {}
    for row in found:
        memory_id, by = MemoryId(row["memory_id"]), row["replaced_by"]
        if memory_id not in living and gone.get(memory_id) is None:
            gone[memory_id] = None if by is None else MemoryId(by)
    return gone
