"""Keeps of messages that were read on Discord for the facts in them nothing but which they are and whose."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import errors
from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import Actor, Caller, ChannelId, Message, MessageId, PersonId, Saved, SessionId, SpaceId, new_id
from bot.store import ledgers
from bot.store.archivist import Archivist, Author, summary_reason
from bot.store.chunks import Distilled


class Sql:
    """Statements of messages that were read and are not stored."""

    left: Final = statements.named("unstored.left")
    span: Final = statements.named("unstored.span")
    read_at: Final = statements.named("unstored.read_at")
    hold_session: Final = statements.named("unstored.hold_session")
    create_people: Final = statements.named("unstored.create_people")
    hold_people: Final = statements.named("unstored.hold_people")
    met_in: Final = statements.named("unstored.met_in")
    add: Final = statements.named("unstored.add")
    tell: Final = statements.named("unstored.tell")
    origin: Final = statements.named("session.origin")
    lock_space: Final = statements.named("space.lock")


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkSpan:
    """Between which messages the talk of a session stands, neither included."""

    after: MessageId
    until: MessageId
    mode: str
    """The channel's by now."""


class Unstored:
    """Saves what was made of messages of people that are stored nowhere."""

    def __init__(self, database: Database, archivist: Archivist) -> None:
        self._database = database
        self._archivist = archivist

    async def left(self, space_id: SpaceId, messages: Sequence[Message]) -> list[Message]:
        """Those of these messages of people that facts may be made of, in their order.

        None that is recorded or was read before; none of what was forgotten or erased; and nothing of those who opted
        out, or erased what they had said until later.
        """
        async with self._database.connection() as connection:
            return await _left(connection, space_id, messages)

    async def span(self, caller: Caller, session_id: SessionId, *, now: datetime) -> TalkSpan | None:
        """Where the talk of a session of the caller's channel stands: since the reset before it.

        None where the session was taken back or discarded, or is not of the channel. What was said before the mode of
        the channel was set is not part of it.
        """
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.span, caller.space_id, caller.channel_id, session_id)
        if row is None:
            return None
        reset = 0 if row["reset_at"] is None else new_id(row["reset_at"])
        return TalkSpan(
            after=MessageId(max(reset, row["mode_since"])),
            until=MessageId(new_id(row["closed_at"] or now)),
            mode=row["mode"],
        )

    async def take_back(self, caller: Caller, session_id: SessionId, *, now: datetime) -> int | None:
        """Takes back what the caller had made memory of in a session last, within ten minutes; how many memories.

        None where there is nothing. It may be read again.
        """
        async with self._database.once() as connection:
            taken, at = await self._archivist.take_back_included(connection, caller, session_id, now=now)
            if at is None:
                return None
            read = await connection.fetch(Sql.read_at, caller.space_id, session_id, at)
            await ledgers.erase_in(connection, caller.space_id, [row["message_id"] for row in read], now=now)
        self._archivist.changed(caller.space_id)
        return taken

    async def save(
        self,
        space_id: SpaceId,
        channel_id: ChannelId,
        session_id: SessionId,
        messages: Sequence[Message],
        distilled: Distilled,
        *,
        now: datetime,
        by: PersonId | None = None,
    ) -> list[Saved]:
        """Saves the facts that messages of one channel came to, and that these were read, in one transaction.

        They belong to the session, and `by` is who asked for it. Raises `EvidenceGone` where one of the messages may
        not be made memory of any more, or is by now; and where the session was taken back, or the channel remembers
        nothing of what is said.
        """
        async with self._database.transaction() as connection:
            saved = await self.save_in(
                connection, space_id, channel_id, session_id, messages, distilled, now=now, by=by
            )
        self._archivist.changed(space_id)
        return saved

    async def save_in(
        self,
        connection: Connection,
        space_id: SpaceId,
        channel_id: ChannelId,
        session_id: SessionId,
        messages: Sequence[Message],
        distilled: Distilled,
        *,
        now: datetime,
        by: PersonId | None,
        in_ledger: bool = False,
    ) -> list[Saved]:
        """The same as part of a transaction; of whoever asked and erased what is theirs nothing is known any more.

        And, `in_ledger`, the text they came to, which goes with whichever of them goes, and is not made again.
        """
        authors = [message.author_id for message in messages]
        people = sorted({author for author in authors if author is not None})
        # In the order in which all lock: session, space, person.
        if await connection.fetchval(Sql.hold_session, space_id, session_id) is None:
            raise errors.EvidenceGone
        await connection.fetchrow(Sql.lock_space, space_id)
        await connection.execute(Sql.create_people, people, space_id)
        await connection.fetch(Sql.hold_people, people)
        await connection.execute(Sql.met_in, people, space_id)
        if len(await _left(connection, space_id, messages)) < len(messages):
            raise errors.EvidenceGone
        origin = ChannelId(await connection.fetchval(Sql.origin, space_id, channel_id))
        author = Author(actor=Actor.SUMMARY, person_id=by, reason=summary_reason(session_id))
        saved = await self._archivist.save_in(
            connection, space_id, origin, distilled.facts, author, now=now, session_id=session_id
        )
        ids = [message.message_id for message in messages]
        if not await connection.fetch(Sql.add, space_id, channel_id, session_id, ids, authors, now):
            raise errors.EvidenceGone
        if in_ledger:
            await connection.execute(
                Sql.tell, space_id, channel_id, session_id, ids, people, distilled.text, distilled.model, now
            )
        return saved


async def _left(connection: Connection, space_id: SpaceId, messages: Sequence[Message]) -> list[Message]:
    found = await connection.fetch(
        Sql.left,
        space_id,
        [message.message_id for message in messages],
        [message.author_id for message in messages],
        [message.said_at for message in messages],
    )
    left = {row["message_id"] for row in found}
    return [message for message in messages if message.message_id in left]
