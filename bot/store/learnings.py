"""Keeps what is learned of each channel's past: who asked, how far it is, who wants no part, and the rows it makes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, LiteralString

from bot import errors
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import Caller, ChannelId, Message, MessageId, PersonId, Saved, SessionId, SpaceId, WorkerId, new_id
from bot.infra import leases
from bot.store import chunks, past_sessions
from bot.store.archivist import Archivist
from bot.store.chunks import Distilled
from bot.store.unstored import Unstored

LONGEST_RETRY: Final = timedelta(minutes=30)
OPEN_FOR: Final = timedelta(hours=1)
"""How long what was asked for can be agreed to."""
MOST_PLACES: Final = 100
MODE: Final = "all"
"""Of a channel whose past may be learned."""


class Sql:
    """Statements of learning."""

    ask: Final = statements.named("learning.ask")
    agree: Final = statements.named("learning.agree")
    one: Final = statements.named("learning.one")
    of_space: Final = statements.named("learning.of_space")
    due: Final = statements.named("learning.due")
    claim: Final = statements.named("learning.claim")
    renew: Final = statements.named("learning.renew")
    release: Final = statements.named("learning.release")
    failed: Final = statements.named("learning.failed")
    wait: Final = statements.named("learning.wait")
    announced: Final = statements.named("learning.announced")
    moved: Final = statements.named("learning.moved")
    begin: Final = statements.named("learning.begin")
    left_out: Final = statements.named("learning.left_out")
    hold: Final = statements.named("learning.hold")
    next_place: Final = statements.named("learning.next_place")
    advance: Final = statements.named("learning.advance")
    finish: Final = statements.named("learning.finish")
    stop: Final = statements.named("learning.stop")
    forget_session: Final = statements.named("learning.forget_session")
    leave: Final = statements.named("learning.leave")
    theirs: Final = statements.named("learning.theirs")
    has_left: Final = statements.named("learning.has_left")
    lock_channel: Final = statements.named("space.lock_channel")
    wake: Final = statements.named("space.wake")


class Stage(StrEnum):
    """How far a learning is."""

    ASKED = "asked"
    ANNOUNCED = "announced"
    READING = "reading"
    STOPPED = "stopped"
    DONE = "done"


class Why(StrEnum):
    """Why a learning was stopped."""

    ASKED = "asked"
    MODE = "mode"
    """Not everything is remembered in the channel any more."""
    CLOSED = "closed"
    """The channel is gone, or what was said in it is shut to Hathi."""
    SILENCED = "silenced"
    """Hathi may not write where it has to be announced."""
    ERASED = "erased"
    """All that was said in the server was erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What is read of one channel's past."""

    space_id: SpaceId
    channel_id: ChannelId
    state: Stage
    asked_by: PersonId | None
    asked_at: datetime
    since: datetime
    wait_hours: int
    about: int
    """Messages, as they were estimated."""
    begins_at: datetime | None
    until_id: MessageId | None
    """What is said from there on Hathi hears itself."""
    places: tuple[ChannelId, ...]
    """What is still to be read, the first of them now: the channel, and then its public threads."""
    through_id: MessageId
    """Up to where that one was read."""
    session_id: SessionId | None
    left_out: tuple[PersonId, ...]
    """Who wants no part."""
    leaving: tuple[PersonId, ...]
    """Those of whom some of it may still be there."""
    messages_read: int
    recorded: int
    distilled: int
    notice_id: MessageId | None
    """The message that announces it, and shows how far it is."""
    why: Why | None
    attempts: int
    """Failures in a row."""

    @property
    def waits(self) -> timedelta:
        """The time between the announcement and the first message that is read."""
        return timedelta(hours=self.wait_hours)

    @property
    def place_id(self) -> ChannelId:
        """Where it is read now."""
        return self.places[0] if self.places else self.channel_id

    @property
    def is_over(self) -> bool:
        """Whether nothing more is read."""
        return self.state in {Stage.STOPPED, Stage.DONE}


class Learnings:
    """Agrees to learnings, claims them, and records what they read, on behalf of one worker."""

    def __init__(self, database: Database, archivist: Archivist, unstored: Unstored, worker: WorkerId) -> None:
        self._database = database
        self._archivist = archivist
        self._unstored = unstored
        self._worker = worker

    async def ask(
        self, caller: Caller, channel_id: ChannelId, since: datetime, *, wait_hours: int, about: int, now: datetime
    ) -> bool:
        """Notes what the caller is to agree to; false where the channel is being learned already."""
        before = MessageId(new_id(since))
        async with self._database.connection() as connection:
            asked = await connection.fetchval(
                Sql.ask, caller.space_id, channel_id, caller.person_id, now, since, wait_hours, about, before
            )
        return asked is not None

    async def agree(self, caller: Caller, channel_id: ChannelId, *, now: datetime) -> bool:
        """Whether the caller had asked for it lately, and it is to be announced now."""
        async with self._database.transaction() as connection:
            agreed = await connection.fetchval(Sql.agree, caller.space_id, channel_id, caller.person_id, now - OPEN_FOR)
            await connection.execute(Sql.wake, caller.space_id, now)
        return agreed is not None

    async def find(self, space_id: SpaceId, channel_id: ChannelId) -> Learning | None:
        """What was asked for of the channel last; none where nothing was."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.one, space_id, channel_id)
        return None if row is None else _learning(row)

    async def of_space(self, space_id: SpaceId, channels: Collection[ChannelId], *, most: int) -> list[Learning]:
        """The learnings of these channels, and of their public threads, that were agreed to, the newest first."""
        async with self._database.connection() as connection:
            return [_learning(row) for row in await connection.fetch(Sql.of_space, space_id, [*channels], most)]

    async def leave(self, space_id: SpaceId, channel_id: ChannelId, person_id: PersonId, *, now: datetime) -> bool:
        """Leaves out what a person said, whenever the channel is learned; false where it never was to be."""
        async with self._database.transaction() as connection:
            found = await connection.fetchval(Sql.leave, space_id, channel_id, person_id)
            await connection.execute(Sql.wake, space_id, now)
        return found is not None

    async def stop(self, space_id: SpaceId, channel_id: ChannelId, why: Why, *, now: datetime) -> Learning | None:
        """Ends it at once, whoever is at it; what was read stays. None where nothing was to be read."""
        async with self._database.transaction() as connection:
            await connection.fetchrow(Sql.lock_channel, space_id, channel_id)
            row = await connection.fetchrow(Sql.stop, space_id, channel_id, why)
            if row is None:
                return None
            if row["session_id"] is not None:
                await past_sessions.close_in(connection, space_id, row["session_id"], now)
                await connection.execute(Sql.forget_session, space_id, channel_id)
        return _learning(row)

    async def due(self, spaces: Sequence[SpaceId], *, now: datetime) -> list[tuple[SpaceId, ChannelId]]:
        """The channels of these spaces in which something is to be done and nobody is at it; at most 100."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.due, [*spaces], now, MOST_PLACES)
        return [(SpaceId(row["space_id"]), ChannelId(row["channel_id"])) for row in found]

    async def claim(self, space_id: SpaceId, channel_id: ChannelId, *, now: datetime) -> Learning | None:
        """The learning for this worker to go on with; none where another is at it, or it is not time."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.claim, space_id, channel_id, self._worker, now + leases.LEASE, now)
        return None if row is None else _learning(row)

    async def renew(self, learning: Learning, *, now: datetime) -> None:
        """Renews the lease while Discord or a model is waited for. Raises `LeaseLost`."""
        async with self._database.connection() as connection:
            held = await connection.fetchval(
                Sql.renew, learning.space_id, learning.channel_id, self._worker, now + leases.LEASE
            )
        if held is None:
            raise errors.LeaseLost

    async def release(self, learning: Learning, *, now: datetime) -> None:
        """Ends the work of this worker for now."""
        async with self._database.transaction() as connection:
            await connection.execute(Sql.release, learning.space_id, learning.channel_id, self._worker)
            await connection.execute(Sql.wake, learning.space_id, learning.begins_at or now)

    async def retry_later(self, learning: Learning, *, now: datetime) -> leases.Retry:
        """When it is tried again: after 1, 2, 4 … minutes, at most 30."""
        async with self._database.transaction() as connection:
            failures = await connection.fetchval(Sql.failed, learning.space_id, learning.channel_id, self._worker) or 1
            at = leases.retry_at(now, failures, longest=LONGEST_RETRY)
            await self._wait_in(connection, learning, at)
        return leases.Retry(at=at, failures=failures)

    async def wait(self, learning: Learning, until: datetime) -> None:
        """Ends the work of this worker, which goes on then: it did not fail."""
        async with self._database.transaction() as connection:
            await self._wait_in(connection, learning, until)

    async def _wait_in(self, connection: Connection, learning: Learning, until: datetime) -> None:
        await connection.execute(Sql.wait, learning.space_id, learning.channel_id, self._worker, until)
        await connection.execute(Sql.wake, learning.space_id, until)

    async def announced(self, learning: Learning, notice_id: MessageId, begins_at: datetime) -> Learning:
        """Records where it is announced, and that it begins then. Raises `LeaseLost`."""
        return await self._changed(Sql.announced, learning, notice_id, begins_at)

    async def moved(self, learning: Learning, notice_id: MessageId) -> Learning:
        """Records that another message shows it now, whoever is at it."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(
                Sql.moved, learning.space_id, learning.channel_id, learning.notice_id, notice_id, learning.asked_at
            )
        return learning if row is None else _learning(row)

    async def begin(self, learning: Learning, threads: Sequence[ChannelId], *, now: datetime) -> Learning:
        """Begins to read the channel and then these threads of it, up to what is said now. Raises `LeaseLost`."""
        return await self._changed(Sql.begin, learning, MessageId(new_id(now)), [learning.channel_id, *threads])

    async def next_place(self, learning: Learning, *, now: datetime) -> Learning:
        """Goes on with the next place: the one before was read, or is gone. Raises `LeaseLost`."""
        space_id = learning.space_id
        async with self._database.transaction() as connection:
            await connection.fetchrow(Sql.lock_channel, space_id, learning.place_id)
            row = await connection.fetchrow(
                Sql.next_place,
                space_id,
                learning.channel_id,
                self._worker,
                learning.place_id,
                MessageId(new_id(learning.since)),
            )
            if row is None:
                raise errors.LeaseLost
            if learning.session_id is not None:
                await past_sessions.close_in(connection, space_id, learning.session_id, now)
        return _learning(row)

    async def left_out(self, learning: Learning) -> frozenset[PersonId]:
        """Who wants no part in what is being read now."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.left_out, learning.space_id, learning.channel_id, learning.place_id)
        return _people(found)

    async def _changed(self, statement: LiteralString, learning: Learning, *args: object) -> Learning:
        async with self._database.connection() as connection:
            row = await connection.fetchrow(statement, learning.space_id, learning.channel_id, self._worker, *args)
        if row is None:
            raise errors.LeaseLost
        return _learning(row)

    async def has_left(self, learning: Learning, person_id: PersonId) -> Learning:
        """Records that nothing of a person who wants no part is left. Raises `LeaseLost`."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(
                Sql.has_left, learning.space_id, learning.channel_id, person_id, self._worker
            )
        if row is None:
            raise errors.LeaseLost
        return _learning(row)

    async def theirs(self, learning: Learning, person_id: PersonId, *, most: int) -> list[MessageId]:
        """What was learned in the channel of what a person said, at most so many."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.theirs, learning.space_id, learning.channel_id, person_id, most)
        return [MessageId(row["message_id"]) for row in found]

    async def record(
        self,
        learning: Learning,
        said: Sequence[Message],
        through: MessageId,
        *,
        read: int,
        language: str,
        now: datetime,
    ) -> Learning:
        """Records what people said and how far it was read, in one transaction: what may be kept and is not there yet.

        Raises `LeaseLost` where it was stopped meanwhile, `NotFound` where the place is gone, and `NotAllowed` where
        not everything is remembered in it any more.
        """
        async with self._database.transaction() as connection:
            session_id, left_out = await self._held(connection, learning)
            of_others = [message for message in said if message.author_id not in left_out]
            kept = await past_sessions.learnable_in(connection, learning.space_id, of_others)
            if kept:
                session_id = session_id or await self._opened(connection, learning, kept[0].said_at, now)
                await past_sessions.add_in(connection, learning.space_id, learning.place_id, session_id, kept, language)
            learning = await self._advance(
                connection, learning, through, session_id, read=read, recorded=len(kept), now=now
            )
        if kept:
            self._archivist.changed(learning.space_id)
        return learning

    async def passed(self, learning: Learning, through: MessageId, *, read: int, now: datetime) -> Learning:
        """Records how far it was read where nothing is to be kept. Raises as `record` does."""
        async with self._database.transaction() as connection:
            session_id, _ = await self._held(connection, learning)
            return await self._advance(connection, learning, through, session_id, read=read, now=now)

    async def keep_unstored(
        self,
        learning: Learning,
        run: Sequence[Message],
        distilled: Distilled,
        through: MessageId,
        *,
        read: int,
        now: datetime,
    ) -> Learning:
        """Saves what messages came to that are too old to be kept, and how far it was read, in one transaction.

        Raises as `record` does, and `EvidenceGone` where one of them may not be made memory of any more.
        """
        space_id, place_id = learning.space_id, learning.place_id
        async with self._database.transaction() as connection:
            session_id, left_out = await self._held(connection, learning)
            if any(message.author_id in left_out for message in run):
                raise errors.EvidenceGone
            session_id = session_id or await self._opened(connection, learning, run[0].said_at, now)
            await self._unstored.save_in(
                connection,
                space_id,
                place_id,
                session_id,
                run,
                distilled,
                now=now,
                by=learning.asked_by,
                in_ledger=True,
            )
            learning = await self._advance(
                connection, learning, through, session_id, read=read, distilled=len(run), now=now
            )
        self._archivist.changed(space_id)
        return learning

    async def keep(self, learning: Learning, distilled: Distilled, *, now: datetime) -> list[Saved]:
        """Saves the facts and the chunk of messages that were recorded, in one transaction.

        Raises as `record` does, and `EvidenceGone` where something it was made of was taken back meanwhile, or is in a
        chunk already.
        """
        async with self._database.transaction() as connection:
            session_id, _ = await self._held(connection, learning)
            if session_id is None:
                raise errors.LeaseLost
            saved = await chunks.add_in(
                connection, self._archivist, learning.space_id, learning.place_id, session_id, distilled, now=now
            )
            await self._advance(
                connection, learning, learning.through_id, session_id, distilled=len(distilled.read), now=now
            )
        self._archivist.changed(learning.space_id)
        return saved

    async def finish(self, learning: Learning, *, now: datetime) -> Learning:
        """Ends it: all was read. What is in no chunk yet becomes the last one of its session. Raises `LeaseLost`."""
        async with self._database.transaction() as connection:
            await connection.fetchrow(Sql.lock_channel, learning.space_id, learning.channel_id)
            row = await connection.fetchrow(Sql.finish, learning.space_id, learning.channel_id, self._worker)
            if row is None:
                raise errors.LeaseLost
            if learning.session_id is not None:
                await past_sessions.close_in(connection, learning.space_id, learning.session_id, now)
        return _learning(row)

    async def _held(self, connection: Connection, learning: Learning) -> tuple[SessionId | None, frozenset[PersonId]]:
        """The session that takes in more, if there is one, and who is left out; both held while this is recorded."""
        # In the order of everybody who locks: the channel, the session, the space, people.
        space_id, place_id = learning.space_id, learning.place_id
        place = await connection.fetchrow(Sql.lock_channel, space_id, place_id)
        rows = await connection.fetch(Sql.hold, space_id, learning.channel_id, place_id, self._worker)
        held = next((row for row in rows if row["is_held"]), None)
        if held is None:
            raise errors.LeaseLost
        if place is None:
            raise errors.NotFound
        if place["mode"] != MODE:
            raise errors.NotAllowed
        return await past_sessions.held_in(connection, space_id, held["session_id"]), _people(rows)

    @staticmethod
    async def _opened(connection: Connection, learning: Learning, began_at: datetime, now: datetime) -> SessionId:
        return await past_sessions.open_in(connection, learning.space_id, learning.place_id, began_at, now)

    async def _advance(
        self,
        connection: Connection,
        learning: Learning,
        through: MessageId,
        session_id: SessionId | None,
        *,
        now: datetime,
        read: int = 0,
        recorded: int = 0,
        distilled: int = 0,
    ) -> Learning:
        """How far it is from now on; a session that is full waits for its summary."""
        space_id = learning.space_id
        is_more = recorded or read
        if session_id is not None and is_more and await past_sessions.is_full_in(connection, space_id, session_id):
            await past_sessions.close_in(connection, space_id, session_id, now)
            session_id = None
        row = await connection.fetchrow(
            Sql.advance, space_id, learning.channel_id, self._worker, through, session_id, read, recorded, distilled
        )
        assert row is not None
        return _learning(row)


def _people(rows: Sequence[Row]) -> frozenset[PersonId]:
    return frozenset(PersonId(person_id) for row in rows for person_id in row["left_out"])


def _learning(row: Row) -> Learning:
    found = Learning(**{name: row[name] for name in Learning.__dataclass_fields__})
    return replace(
        found,
        state=Stage(row["state"]),
        places=tuple(map(ChannelId, row["places"])),
        left_out=tuple(map(PersonId, row["left_out"])),
        leaving=tuple(map(PersonId, row["leaving"])),
        why=None if row["why"] is None else Why(row["why"]),
    )
