"""Opens, closes and leases sessions, the messages of a channel between two resets."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot import errors
from bot.db import statements
from bot.db.pool import Connection, Database, Row, affected
from bot.domain import (
    TERMINAL_SPACE,
    UNDO_WINDOW,
    Caller,
    ChannelId,
    MessageId,
    PersonId,
    Saved,
    SessionId,
    SpaceId,
    WorkerId,
    ids_in,
    new_id,
)
from bot.infra import leases
from bot.store import chunks, ledgers, notes, taken_back
from bot.store.archivist import Archivist
from bot.store.chunks import Chunk, Distilled

LONGEST_RETRY: Final = timedelta(minutes=10)
DUE_AT_ONCE: Final = 20
"""Sessions that wait for their summaries and are looked for in one go."""
REMADE_EVERY: Final = timedelta(hours=1)
"""How often summaries of one channel are made again, whatever is deleted or edited there."""
IDLE: Final = timedelta(days=7)
"""After so long without a message a session ends by itself."""
MOST_MESSAGES: Final = 2000
"""A session ends by itself once it holds more."""
ROLLED_AT_ONCE: Final = 100
_LAST: Final = MessageId(2**63 - 1)
_AN_HOUR: Final = ids_in(timedelta(hours=1))
"""Greater than the id of any message."""
_SUMMARISED_MODES: Final = frozenset({"addressed", "all"})
"""In `off` and `explicit` channels nothing is distilled: a reset only clears."""

CHUNKS_AT_ONCE: Final = 250
"""Chunks that go in one transaction where all that hold somebody's words go."""


class Sql:
    """Statements of sessions."""

    lock_channel: Final = statements.named("space.lock_channel")
    open: Final = statements.named("session.open")
    point_channel: Final = statements.named("session.point_channel")
    said: Final = statements.named("session.said")
    carry_turns: Final = statements.named("session.carry_turns")
    carry_messages: Final = statements.named("session.carry_messages")
    is_unkept: Final = statements.named("session.is_unkept")
    close: Final = statements.named("session.close")
    claim: Final = statements.named("session.claim")
    renew: Final = statements.named("session.renew")
    hold: Final = statements.named("session.hold")
    summarised: Final = statements.named("session.summarised")
    failed: Final = statements.named("session.failed")
    wait: Final = statements.named("session.wait")
    write_summary: Final = statements.named("session.write_summary")
    due: Final = statements.named("session.due")
    over: Final = statements.named("session.over")
    held_by_others: Final = statements.named("session.held_by_others")
    release: Final = statements.named("session.release")
    release_trackers: Final = statements.named("chunk.release_dead")
    last_reset: Final = statements.named("session.last_reset")
    undo: Final = statements.named("session.undo")
    is_begun: Final = statements.named("session.is_begun")
    reopen: Final = statements.named("session.reopen")
    leave: Final = statements.named("session.leave")
    is_left: Final = statements.named("session.is_left")
    set_fact_count: Final = statements.named("session.set_fact_count")
    notice: Final = statements.named("session.notice")
    lock_space: Final = statements.named("space.lock")
    carried: Final = statements.named("session.carried")
    withheld_chunks: Final = statements.named("chunk.withheld")
    chunks_of_person: Final = statements.named("chunk.of_person")
    withheld: Final = statements.named("session.withheld")
    lock: Final = statements.named("session.lock")
    remade_at: Final = statements.named("session.remade_at")
    erase_summaries: Final = statements.named("session.erase_summaries")
    summarise_again: Final = statements.named("session.summarise_again")
    wake: Final = statements.named("space.wake")


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A session that a reset has just closed."""

    space_id: SpaceId
    channel_id: ChannelId
    session_id: SessionId
    number: int
    message_count: int
    to_summarise: bool
    forgotten: int = 0
    """Memories of it that a discard took along."""
    stay: int = 0
    """Memories that somebody had asked for in it, which a discard leaves."""
    leaves_talk: bool = False
    """Whether what people said to each other there is not recorded, and may be made memory of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A closed session this worker is to summarise."""

    space_id: SpaceId
    channel_id: ChannelId
    session_id: SessionId
    number: int
    closed_at: datetime
    attempts: int
    """Failures in a row."""
    message_count: int
    notice: tuple[ChannelId, MessageId] | None = None
    """The message that told of the reset."""
    by_itself: bool = False
    """Whether it ended without anybody's reset."""
    is_asked: bool = False
    """Whether somebody who has reset it waits for its first summary."""
    leaves_talk: bool = False
    """As of a session that was just closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """What all of a session came to."""

    saved: tuple[Saved, ...]
    models: tuple[str, ...]
    """Who wrote each entry of the ledger it came to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """A reset that was taken back."""

    number: int
    memories: int
    """Facts taken back or, of a session that had been discarded, brought back."""
    was_discarded: bool
    was_waiting: bool
    """Its summary was not made yet."""
    stay: int = 0
    """Facts that had been made of it before the reset."""
    to_summarise: bool = False
    """Whether it is to be summarised now, though it had been discarded."""
    goes_on: bool = False
    """Whether it is the channel's open session again."""


class Sessions:
    """Opens, closes and leases sessions on behalf of one worker."""

    def __init__(self, database: Database, archivist: Archivist, worker: WorkerId) -> None:
        self._database = database
        self._archivist = archivist
        self._worker = worker

    async def reset(
        self, caller: Caller, *, discard: bool, min_messages: int, now: datetime, said: MessageId | None = None
    ) -> Closed | None:
        """Closes the caller's session and opens a new one; none when nothing of it is kept, and no talk left out.

        What was said after the message `said` that asked for it, but recorded before, goes on in the new one.
        The closed session is leased to this worker, and falls due by itself should the worker die. One of which only
        the turns are known ends too: what was said in it is to be shown no more; and one with talk that is not
        recorded, which is included up to here and no further. Notes go with what is discarded.
        """
        space, channel_id = caller.space_id, caller.channel_id
        until = said or _LAST
        async with self._database.once() as connection:
            if discard:
                await taken_back.count_in(connection, space)
            channel = await connection.fetchrow(Sql.lock_channel, space, channel_id)
            assert channel is not None
            session_id, has_talk = SessionId(channel["open_session_id"]), _has_talk(caller, channel)
            found = await connection.fetchrow(Sql.said, space, session_id, until)
            assert found is not None
            is_empty = not found["messages"]
            if is_empty and not has_talk and not await connection.fetchval(Sql.is_unkept, space, session_id, until):
                return None
            keep = not is_empty and not discard and _is_kept(found, channel, min_messages)
            number = await self._end(
                connection,
                space,
                channel_id,
                channel,
                found,
                keep=keep,
                # Of one that is empty by nobody: there is nothing in it that whoever resets could bring back.
                by=None if is_empty else caller.person_id,
                was_reset=True,
                now=now,
                lease=(now, self._worker, now + leases.LEASE) if keep else (None, None, None),
                after=until if found["goes_on"] else None,
            )
            forgotten = stay = 0
            if keep:
                await connection.execute(Sql.wake, space, now + leases.LEASE)
            elif discard and not is_empty:
                forgotten, stay = await self._archivist.discard_session(connection, caller, session_id, now=now)
            if discard:
                await notes.remove_session_in(connection, space, session_id)
        if forgotten:
            self._archivist.changed(space)
        leaves_talk = has_talk and not discard
        if is_empty and not leaves_talk:
            return None
        return Closed(
            space_id=space,
            channel_id=channel_id,
            session_id=session_id,
            number=number,
            message_count=found["messages"],
            to_summarise=keep,
            forgotten=forgotten,
            stay=stay,
            leaves_talk=leaves_talk,
        )

    async def roll(self, spaces: list[SpaceId], *, min_messages: int, keep: timedelta | None, now: datetime) -> int:
        """Ends sessions of these spaces as a reset does, by nobody; returns how many, at most 100.

        Those in which nothing was said for 7 days, those that hold more than 2,000 messages, and those with a message
        older than `keep`: what is said has its end, whether anybody resets or not. They wait for their summaries.
        """
        first = 0 if keep is None else new_id(now - keep)
        async with self._database.connection() as connection:
            over = await connection.fetch(Sql.over, spaces, new_id(now - IDLE), first, MOST_MESSAGES, ROLLED_AT_ONCE)
        for row in over:
            await self._roll(row["space_id"], row["channel_id"], row["session_id"], min_messages, now)
        return len(over)

    async def _roll(
        self, space: SpaceId, channel_id: ChannelId, session_id: SessionId, min_messages: int, now: datetime
    ) -> None:
        async with self._database.transaction() as connection:
            channel = await connection.fetchrow(Sql.lock_channel, space, channel_id)
            if channel is None or channel["open_session_id"] != session_id:
                # Somebody has reset it meanwhile.
                return
            said = await connection.fetchrow(Sql.said, space, session_id, _LAST)
            assert said is not None
            keep = _is_kept(said, channel, min_messages)
            lease = (now if keep else None, None, None)
            await self._end(
                connection, space, channel_id, channel, said, keep=keep, by=None, was_reset=False, now=now, lease=lease
            )

    async def claim(self, space_id: SpaceId, session_id: SessionId, *, now: datetime) -> Claimed | None:
        """Claims the session for summarising, if it still waits for that."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.claim, space_id, session_id, self._worker, now + leases.LEASE, now)
        if row is None:
            return None
        return Claimed(
            space_id=space_id,
            channel_id=ChannelId(row["channel_id"]),
            session_id=session_id,
            number=row["number"],
            closed_at=row["closed_at"],
            attempts=row["attempts"],
            message_count=row["message_count"],
            by_itself=row["closed_by"] is None and row["notice_id"] is None,
            is_asked=row["was_reset"] and row["remade_at"] is None,
            leaves_talk=row["leaves_talk"],
            notice=row["notice_id"] and (ChannelId(row["notice_place_id"]), MessageId(row["notice_id"])),
        )

    async def tell_at(self, closed: Closed, place_id: ChannelId, message_id: MessageId) -> None:
        """Records which message reports the reset, so that it is edited when the summary is made."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.notice, closed.space_id, closed.session_id, place_id, message_id)

    async def renew(self, claimed: Claimed, *, now: datetime) -> None:
        """Renews the lease while a model works. Raises `LeaseLost`."""
        async with self._database.connection() as connection:
            held = await connection.fetchval(
                Sql.renew, claimed.space_id, claimed.session_id, self._worker, now + leases.LEASE
            )
        if held is None:
            raise errors.LeaseLost

    async def keep(self, claimed: Claimed, distilled: Distilled, *, by_model: bool, now: datetime) -> list[Saved]:
        """Saves a chunk of a session and its facts in one transaction; more of it is to follow.

        One that was made `by_model` ends the failures in a row. Raises as `finish` does.
        """
        space, session_id = claimed.space_id, claimed.session_id
        async with self._database.transaction() as connection:
            if await connection.fetchval(Sql.hold, space, session_id, self._worker, by_model) is None:
                raise errors.LeaseLost
            saved = await chunks.add_in(
                connection, self._archivist, space, claimed.channel_id, session_id, distilled, now=now
            )
        self._archivist.changed(space)
        return saved

    async def finish(
        self,
        claimed: Claimed,
        distilled: Distilled,
        messages: Collection[MessageId],
        before: Sequence[Saved],
        *,
        now: datetime,
    ) -> Summarised:
        """Saves what is left of a session in one transaction: its last chunk with the facts, chat summary and state.

        `messages` are all of it; what was made of it before is in its chunks, and counted with what is saved, with what
        was saved just `before`. Raises `LeaseLost`, and `EvidenceGone` where something it was made of was forgotten or
        edited meanwhile.
        """
        space, session_id = claimed.space_id, claimed.session_id
        async with self._database.transaction() as connection:
            held = await connection.fetchval(
                Sql.summarised,
                space,
                session_id,
                self._worker,
                len(messages),
                0,
                min(messages, default=None),
                max(messages, default=None),
            )
            if held is None:
                raise errors.LeaseLost
            saved = await chunks.add_in(
                connection, self._archivist, space, claimed.channel_id, session_id, distilled, now=now
            )
            made = await chunks.of_session_in(connection, space, session_id)
            if not {*messages} <= {message_id for chunk in made for message_id in chunk.messages}:
                # A chunk that was counted was taken back meanwhile.
                raise errors.EvidenceGone
            await connection.execute(
                Sql.write_summary,
                space,
                new_id(now),
                claimed.channel_id,
                session_id,
                _told(made) or distilled.text,
                distilled.raw,
                len(messages),
                made[-1].model if made else distilled.model,
                now,
            )
            saved = await self._archivist.made_of_in(
                connection, space, session_id, [*before, *saved], ended_at=claimed.closed_at
            )
            await connection.execute(Sql.set_fact_count, space, session_id, len(saved))
            await chunks.roll_again_in(connection, claimed.space_id, claimed.channel_id, now=now)
        self._archivist.changed(space)
        entries = [chunk for chunk in made if chunk.text and not chunk.is_withheld]
        return Summarised(saved=tuple(saved), models=tuple(chunk.model for chunk in entries))

    async def retry_later(self, claimed: Claimed, *, now: datetime) -> leases.Retry:
        """When the summary will be tried again: after 1, 2, 4 … minutes, at most 10."""
        async with self._database.transaction() as connection:
            failures = await connection.fetchval(Sql.failed, claimed.space_id, claimed.session_id, self._worker) or 1
            at = leases.retry_at(now, failures, longest=LONGEST_RETRY)
            await self._wait_in(connection, claimed, at, now)
        return leases.Retry(at=at, failures=failures)

    async def wait(self, claimed: Claimed, until: datetime, *, now: datetime) -> None:
        """Gives the session back until then: it did not fail."""
        async with self._database.transaction() as connection:
            await self._wait_in(connection, claimed, until, now)

    async def _wait_in(self, connection: Connection, claimed: Claimed, until: datetime, now: datetime) -> None:
        await connection.execute(Sql.wait, claimed.space_id, claimed.session_id, self._worker, until)
        await chunks.roll_again_in(connection, claimed.space_id, claimed.channel_id, now=now)
        await connection.execute(Sql.wake, claimed.space_id, until)

    async def due(self, spaces: Sequence[SpaceId], *, now: datetime) -> list[tuple[SpaceId, SessionId]]:
        """Sessions of these spaces whose summary is due and that nobody holds, at most 20, the spaces in turn."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.due, [*spaces], now, DUE_AT_ONCE)
        return [(SpaceId(row["space_id"]), SessionId(row["session_id"])) for row in found]

    async def remake_withheld(self, spaces: Sequence[SpaceId], *, now: datetime) -> None:
        """Erases the chunks and summaries of what was forgotten, once undo is over, to be made again without it."""
        told: dict[SpaceId, set[SessionId]] = {}
        held: dict[SpaceId, list[int]] = {}
        async with self._database.connection() as connection:
            for row in await connection.fetch(Sql.withheld, [*spaces], now - UNDO_WINDOW):
                told.setdefault(SpaceId(row["space_id"]), set()).add(SessionId(row["session_id"]))
            for row in await connection.fetch(Sql.withheld_chunks, [*spaces], now - UNDO_WINDOW):
                told.setdefault(SpaceId(row["space_id"]), set()).add(SessionId(row["session_id"]))
                held.setdefault(SpaceId(row["space_id"]), []).append(row["chunk_id"])
        for space_id, session_ids in told.items():
            async with self._database.transaction() as connection:
                await erase_chunks_in(connection, space_id, session_ids, held.get(space_id, ()), now=now)

    async def release_dead(self, space_id: SpaceId, *, now: datetime, alone: bool) -> int:
        """Frees sessions and channels claimed by workers that are certainly gone; returns how many sessions."""
        async with self._database.transaction() as connection:
            held = await connection.fetch(Sql.held_by_others, space_id, self._worker)
            gone = [row["worker"] for row in held if alone or leases.certainly_gone(row["worker"])]
            freed = affected(await connection.execute(Sql.release, space_id, gone, now)) if gone else 0
            if gone:
                await connection.execute(Sql.release_trackers, space_id, gone)
            if freed:
                await connection.execute(Sql.wake, space_id, now)
        return freed

    async def last_reset_at(self, caller: Caller, *, now: datetime) -> datetime | None:
        """When the caller last reset this channel, if that can still be undone."""
        async with self._database.connection() as connection:
            row = await self._last_reset(connection, caller, now)
        return None if row is None else row["closed_at"]

    async def undo_reset(self, caller: Caller, *, min_messages: int, now: datetime) -> Undone | None:
        """Takes back the caller's latest reset; none when there is none.

        What had become memory before the reset stays, and of that its summary tells. One that had been discarded is to
        be summarised, as a reset would have it. One whose summary is not made yet goes on with what was said since,
        unless more than talk came of that.
        """
        space = caller.space_id
        async with self._database.once() as connection:
            if await self._last_reset(connection, caller, now) is None:
                return None
            await taken_back.count_in(connection, space)
            channel = await connection.fetchrow(Sql.lock_channel, space, caller.channel_id)
            last = await self._last_reset(connection, caller, now)
            if channel is None or last is None:
                return None
            session_id, was_discarded = SessionId(last["session_id"]), last["state"] == "discarded"
            following = SessionId(channel["open_session_id"])
            goes_on = last["state"] == "closed" and not await connection.fetchval(Sql.is_begun, space, following)
            if goes_on:
                # Turns are locked before sessions; ids tell when, and the hour is for clocks that differ.
                await connection.execute(Sql.carry_turns, space, following, following - _AN_HOUR, session_id)
            await connection.execute(Sql.undo, space, session_id, now)
            memories = await self._archivist.take_back_session(
                connection, caller, session_id, last["closed_at"], last["kept_through"], now=now
            )
            stay = len(await self._archivist.made_of_in(connection, space, session_id, ended_at=now))
            said = await connection.fetchrow(Sql.said, space, session_id, _LAST)
            to_summarise = was_discarded and said is not None and _is_kept(said, channel, min_messages)
            if to_summarise:
                await connection.execute(Sql.leave, space, session_id, "closed", stay, None, now)
                await connection.execute(Sql.wake, space, now)
            elif goes_on:
                await self._reopen(connection, last, following, channel["session_count"], now)
            elif not was_discarded:
                await self._leave(connection, last, stay, now, again=channel["mode"] in _SUMMARISED_MODES)
        self._archivist.changed(space)
        return Undone(
            number=last["number"],
            memories=memories,
            was_discarded=was_discarded,
            was_waiting=last["state"] == "closed",
            stay=stay,
            to_summarise=to_summarise,
            goes_on=goes_on,
        )

    @staticmethod
    async def _reopen(connection: Connection, last: Row, following: SessionId, count: int, now: datetime) -> None:
        """Lets a session go on whose reset is taken back, in place of the one that followed it."""
        space, session_id = last["space_id"], SessionId(last["session_id"])
        await ledgers.erase_since_in(connection, space, session_id, last["closed_at"], last["kept_through"])
        await connection.execute(Sql.erase_summaries, space, [session_id])
        await connection.execute(Sql.carry_messages, space, following, 0, session_id)
        nothing = ("discarded", now, None, None, None, 0, None, None, None, False)
        await connection.execute(Sql.close, space, following, *nothing)
        await connection.execute(Sql.reopen, space, session_id)
        await connection.execute(Sql.point_channel, space, last["channel_id"], session_id, count)

    @staticmethod
    async def _leave(connection: Connection, last: Row, stay: int, now: datetime, *, again: bool) -> None:
        """Leaves a session whose reset is taken back with what had been made of it before.

        What of that is not in memory now, as it was edited meanwhile, is made `again` with its summary.
        """
        space, session_id, kept = last["space_id"], SessionId(last["session_id"]), last["kept_through"]
        await ledgers.erase_since_in(connection, space, session_id, last["closed_at"], kept)
        await connection.execute(Sql.erase_summaries, space, [session_id])
        if again and kept is not None and await connection.fetchval(Sql.is_left, space, session_id, kept):
            await connection.execute(Sql.leave, space, session_id, "closed", stay, kept, now)
            await connection.execute(Sql.wake, space, now)
            return
        made = await chunks.of_session_in(connection, space, session_id)
        messages = [message_id for chunk in made for message_id in chunk.messages]
        if not messages:
            await connection.execute(Sql.leave, space, session_id, "discarded", stay, None, None)
            return
        await connection.execute(
            Sql.write_summary,
            space,
            new_id(now),
            last["channel_id"],
            session_id,
            _told(made),
            "",
            len(messages),
            made[-1].model,
            now,
        )
        await connection.execute(Sql.leave, space, session_id, "summarised", stay, max(messages), None)

    @staticmethod
    async def _end(
        connection: Connection,
        space: SpaceId,
        channel_id: ChannelId,
        channel: Row,
        said: Row,
        *,
        keep: bool,
        by: PersonId | None,
        was_reset: bool,
        now: datetime,
        lease: tuple[datetime | None, WorkerId | None, datetime | None],
        after: MessageId | None = None,
    ) -> int:
        """Ends the open session of a channel that is locked, and opens the next with what was said `after` a message.

        Its number. It is to be summarised or, if nothing is to `keep`, just ends.
        """
        session_id, following = SessionId(channel["open_session_id"]), SessionId(new_id(now))
        if after is not None:
            # Turns are locked before sessions, and messages after the space.
            await connection.execute(Sql.carry_turns, space, session_id, after, following)
        await connection.fetch(Sql.lock, space, [session_id])
        number: int = await connection.fetchval(
            Sql.close,
            space,
            session_id,
            "closed" if keep else "discarded",
            now,
            by,
            said["first_id"],
            said["last_id"],
            said["messages"],
            *lease,
            was_reset,
        )
        count = channel["session_count"] + 1
        await connection.execute(Sql.open, space, following, channel_id, count, now)
        await connection.execute(Sql.point_channel, space, channel_id, following, count)
        if after is not None:
            await connection.execute(Sql.lock_space, space)
            await connection.execute(Sql.carry_messages, space, session_id, after, following)
            # What goes on in the new session is in no chunk of the old one.
            carried = [row["message_id"] for row in await connection.fetch(Sql.carried, space, session_id, after)]
            await ledgers.erase_in(connection, space, carried, now=now)
        return number

    async def _last_reset(self, connection: Connection, caller: Caller, now: datetime) -> Row | None:
        return await connection.fetchrow(
            Sql.last_reset, caller.space_id, caller.channel_id, caller.person_id, now - UNDO_WINDOW
        )


async def erase_chunks_in(
    connection: Connection,
    space_id: SpaceId,
    session_ids: Collection[SessionId],
    chunk_ids: Collection[int],
    *,
    now: datetime,
) -> None:
    """Erases chunks of these sessions, and their chat summaries, all to be made again of what is left."""
    await connection.fetch(Sql.lock, space_id, [*session_ids])
    await connection.execute(Sql.lock_space, space_id)
    await ledgers.erase_chunks_in(connection, space_id, [*chunk_ids], now)
    await summarise_again_in(connection, space_id, session_ids, now=now)


async def chunks_of(database: Database, space_id: SpaceId, person_id: PersonId) -> dict[int, SessionId]:
    """Chunks that hold a person's words, also those that are kept no longer otherwise, with their sessions.

    So many at once as go in one transaction.
    """
    async with database.connection() as connection:
        found = await connection.fetch(Sql.chunks_of_person, space_id, person_id, CHUNKS_AT_ONCE)
    return {row["chunk_id"]: SessionId(row["session_id"]) for row in found}


async def summarise_again_in(
    connection: Connection, space_id: SpaceId, session_ids: Collection[SessionId], *, now: datetime
) -> int:
    """Deletes chat summaries, to be made again in the next background run if anything of a person is left; how many.

    Of one channel at most once an hour.
    """
    if not session_ids:
        return 0
    last: datetime | None = await connection.fetchval(Sql.remade_at, space_id, [*session_ids])
    due = now if last is None or last + REMADE_EVERY <= now else last if last >= now else last + REMADE_EVERY
    gone = await connection.execute(Sql.erase_summaries, space_id, [*session_ids])
    if await connection.fetch(Sql.summarise_again, space_id, [*session_ids], due):
        await connection.execute(Sql.wake, space_id, due)
    return affected(gone)


def _has_talk(caller: Caller, channel: Row) -> bool:
    """Whether what people say to each other in a channel is not recorded, and may be made memory of."""
    return channel["mode"] == "addressed" and not caller.is_direct and caller.space_id != TERMINAL_SPACE


def _told(made: Sequence[Chunk]) -> str:
    """What the chunks of a session tell, but for what is withheld."""
    return "\n\n".join(chunk.text for chunk in made if chunk.text and not chunk.is_withheld)


def _is_kept(said: Row, channel: Row, min_messages: int) -> bool:
    """Whether what was said in a session of the channel is to be summarised."""
    return said["by_people"] >= min_messages and channel["mode"] in _SUMMARISED_MODES
