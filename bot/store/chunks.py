"""Keeps the ledger of each channel, chunk by chunk, and the trackers that tell how far its messages are in memory."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot import errors
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import Actor, ChannelId, Fact, MessageId, Saved, SessionId, SpaceId, WorkerId, first_id, new_id
from bot.infra import leases
from bot.store.archivist import Archivist, Author, summary_reason

LONGEST_RETRY: Final = timedelta(minutes=30)
MOST_ROLLED: Final = 20
"""Chunks that one version of a rolling summary takes in."""
_RECORDED_WITHIN: Final = timedelta(seconds=10)
"""What was said is recorded so soon, unless this process was away."""
MOST_PLACES: Final = 100
"""Channels looked for in one go."""


class Sql:
    """Statements of chunks and trackers."""

    claim: Final = statements.named("chunk.claim")
    renew: Final = statements.named("chunk.renew")
    release: Final = statements.named("chunk.release")
    failed: Final = statements.named("chunk.failed")
    succeeded: Final = statements.named("chunk.succeeded")
    wait: Final = statements.named("chunk.wait")
    roll_again: Final = statements.named("chunk.roll_again")
    roll_anew: Final = statements.named("chunk.roll_anew")
    due: Final = statements.named("chunk.due")
    of_session: Final = statements.named("chunk.of_session")
    is_covered: Final = statements.named("chunk.is_covered")
    add: Final = statements.named("chunk.add")
    track: Final = statements.named("chunk.track")
    rolled: Final = statements.named("chunk.rolled")
    unrolled: Final = statements.named("chunk.unrolled")
    hold: Final = statements.named("chunk.hold")
    hold_any: Final = statements.named("chunk.hold_any")
    hold_session: Final = statements.named("chunk.hold_session")
    stands: Final = statements.named("chunk.stands")
    erase_rolls: Final = statements.named("chunk.erase_rolls")
    erase_condensations: Final = statements.named("condensation.erase")
    drop_rolls: Final = statements.named("chunk.drop_rolls")
    count_unrolled: Final = statements.named("chunk.count_unrolled")
    roll: Final = statements.named("chunk.roll")
    origin: Final = statements.named("session.origin")
    reach: Final = statements.named("session.reach")
    left_messages: Final = statements.named("librarian.left_messages")
    wake: Final = statements.named("space.wake")


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """What a run of messages came to: a text and facts."""

    text: str
    facts: tuple[Fact, ...]
    raw: str
    """What the model wrote; empty where none did."""
    model: str
    read: Mapping[MessageId, str]
    """The messages it was made of as they were read, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One entry of a ledger."""

    chunk_id: MessageId
    """The id of its last message."""
    messages: tuple[MessageId, ...]
    text: str
    model: str
    created_at: datetime
    is_withheld: bool
    """Whether something it was made of is forgotten; its text is shown to nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """A version of a channel's rolling summary."""

    summary_id: int
    text: str
    chunk_id: MessageId
    """The last chunk it took in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What is known of what waits, for finding the channels where it is enough."""

    messages: int
    tokens: int
    """May be as few as the bytes of what was said: it is weighed once it is read."""
    idle_since: datetime
    """A channel where nothing was said since has enough with `least` messages."""
    least: int


class Remaking(StrEnum):
    """What becomes of what was taken back of a channel."""

    NONE = "none"
    """Nothing was."""
    LATER = "later"
    """It waits: at most hourly a channel is made again."""
    DUE = "due"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkClaim:
    """A channel whose chunks this worker makes."""

    space_id: SpaceId
    channel_id: ChannelId
    session_id: SessionId
    claimed_at: datetime
    through: MessageId
    """Up to where its messages are in memory; 0 where none is."""
    attempts: int
    """Failures in a row."""
    remake_at: datetime | None
    """When what was taken back is made again; none where nothing was."""
    remaking: Remaking


class Chunks:
    """Claims channels, adds chunks and moves trackers on behalf of one worker."""

    def __init__(self, database: Database, archivist: Archivist, worker: WorkerId) -> None:
        self._database = database
        self._archivist = archivist
        self._worker = worker

    async def due(self, spaces: Sequence[SpaceId], gathered: Gathered, *, now: datetime) -> list[tuple[SpaceId, int]]:
        """The channels of these spaces where enough has gathered, or something is to be made again; at most 100."""
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.due,
                [*spaces],
                now,
                gathered.messages,
                gathered.tokens,
                gathered.least,
                new_id(gathered.idle_since),
                MOST_PLACES,
                first_id(now) - first_id(gathered.idle_since),
            )
        return [(SpaceId(row["space_id"]), row["channel_id"]) for row in found]

    async def claim(self, space_id: SpaceId, channel_id: int, *, now: datetime) -> ChunkClaim | None:
        """The channel for making chunks; none where another worker has it."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.claim, space_id, channel_id, self._worker, now + leases.LEASE, now)
        if row is None:
            return None
        return ChunkClaim(
            space_id=space_id,
            channel_id=ChannelId(channel_id),
            session_id=SessionId(row["session_id"]),
            claimed_at=now,
            through=MessageId(row["ledger_through"] or 0),
            attempts=row["attempts"],
            remake_at=row["remake_at"],
            remaking=_remaking(row["remake_at"], now),
        )

    async def renew(self, claim: ChunkClaim, *, now: datetime) -> None:
        """Renews the lease while a model works. Raises `LeaseLost`."""
        async with self._database.connection() as connection:
            held = await connection.fetchval(
                Sql.renew, claim.space_id, claim.channel_id, self._worker, now + leases.LEASE
            )
        if held is None:
            raise errors.LeaseLost

    async def release(self, claim: ChunkClaim, *, now: datetime) -> None:
        """Ends the work of this worker in the channel: all that was due is done."""
        space_id, channel_id, looked = claim.space_id, claim.channel_id, first_id(claim.claimed_at - _RECORDED_WITHIN)
        remade_at = claim.remake_at if claim.remaking is Remaking.DUE else None
        async with self._database.transaction() as connection:
            # Apart from what follows, which so sees what whoever held it last has added or dropped.
            if await connection.fetchval(Sql.hold, space_id, channel_id, self._worker) is not None:
                await connection.execute(Sql.release, space_id, channel_id, self._worker, remade_at, now, looked)
                await roll_again_in(connection, space_id, channel_id, now=now)

    async def retry_later(self, claim: ChunkClaim, *, now: datetime) -> leases.Retry:
        """When it is tried again: after 1, 2, 4 … minutes, at most 30."""
        async with self._database.transaction() as connection:
            failures = await connection.fetchval(Sql.failed, claim.space_id, claim.channel_id, self._worker) or 1
            at = leases.retry_at(now, failures, longest=LONGEST_RETRY)
            await self._wait_in(connection, claim, at)
        return leases.Retry(at=at, failures=failures)

    async def wait(self, claim: ChunkClaim, until: datetime) -> None:
        """Ends the work of this worker in the channel, which nobody looks at before then: it did not fail."""
        async with self._database.transaction() as connection:
            await self._wait_in(connection, claim, until)

    async def _wait_in(self, connection: Connection, claim: ChunkClaim, until: datetime) -> None:
        await connection.execute(Sql.wait, claim.space_id, claim.channel_id, self._worker, until)
        await connection.execute(Sql.wake, claim.space_id, until)

    async def rolled(self, claim: ChunkClaim) -> tuple[Rolled | None, list[Chunk]]:
        """The newest version of the channel's rolling summary since a person's reset, and the chunks after it."""
        async with self._database.connection() as connection:
            return await _rolled_in(connection, claim, MOST_ROLLED)

    async def roll(
        self, claim: ChunkClaim, before: Rolled | None, taken: Sequence[Chunk], text: str, model: str, *, now: datetime
    ) -> None:
        """Writes the next version of the rolling summary, made of the one `before` and the chunks `taken`.

        Raises `LeaseLost`, and `EvidenceGone` where one of them was taken back meanwhile, or another version or an
        earlier chunk is there: the next run makes it of what there is.
        """
        space_id, channel_id = claim.space_id, claim.channel_id
        async with self._database.transaction() as connection:
            if await connection.fetchval(Sql.hold, space_id, channel_id, self._worker) is None:
                raise errors.LeaseLost
            if await _rolled_in(connection, claim, len(taken)) != (before, [*taken]):
                raise errors.EvidenceGone
            count, last = sum(len(chunk.messages) for chunk in taken), taken[-1].chunk_id
            await connection.execute(Sql.roll, space_id, new_id(now), channel_id, last, text, count, model, now)

    async def drop_rolls(self, space_id: SpaceId, channel_id: ChannelId) -> int:
        """Drops the versions of a channel's rolling summary; how many chunks there are to make it anew of.

        Which may begin at once, whatever the channel waits for.
        """
        async with self._database.transaction() as connection:
            await connection.fetch(Sql.hold_any, space_id, [channel_id])
            await connection.execute(Sql.roll_anew, space_id, channel_id)
            await connection.execute(Sql.drop_rolls, space_id, channel_id)
            return await connection.fetchval(Sql.count_unrolled, space_id, channel_id)

    async def finish(
        self, claim: ChunkClaim, distilled: Distilled, *, by_model: bool = False, now: datetime
    ) -> list[Saved]:
        """Saves the facts, the chunk and the tracker in one transaction.

        One that was made `by_model` ends the failures in a row. Raises `LeaseLost`, and `EvidenceGone` where something
        it was made of was forgotten or edited meanwhile, or is in a chunk already.
        """
        space_id, channel_id, session_id = claim.space_id, claim.channel_id, claim.session_id
        async with self._database.transaction() as connection:
            # A session that ended meanwhile is distilled as a whole, or was discarded.
            if await connection.fetchval(Sql.hold_session, space_id, session_id) is None:
                raise errors.LeaseLost
            saved = await add_in(connection, self._archivist, space_id, channel_id, session_id, distilled, now=now)
            held = Sql.succeeded if by_model else Sql.hold
            if await connection.fetchval(held, space_id, channel_id, self._worker) is None:
                raise errors.LeaseLost
        self._archivist.changed(claim.space_id)
        return saved


async def roll_again_in(connection: Connection, space_id: SpaceId, channel_id: ChannelId, *, now: datetime) -> None:
    """Has a channel's rolling summary made of entries of its ledger that are in none of its versions."""
    if await connection.fetchval(Sql.roll_again, space_id, channel_id, now) is not None:
        await connection.execute(Sql.wake, space_id, now)


async def _rolled_in(connection: Connection, claim: ChunkClaim, most: int) -> tuple[Rolled | None, list[Chunk]]:
    space_id, channel_id = claim.space_id, claim.channel_id
    row = await connection.fetchrow(Sql.rolled, space_id, channel_id)
    version = None if row is None else Rolled(**dict(row))
    after = 0 if version is None else version.chunk_id
    found = await connection.fetch(Sql.unrolled, space_id, channel_id, after, most)
    return version, [_chunk(row) for row in found]


async def of_session_in(connection: Connection, space_id: SpaceId, session_id: SessionId) -> list[Chunk]:
    """The chunks of a session, in the order of what was said."""
    return [_chunk(row) for row in await connection.fetch(Sql.of_session, space_id, session_id)]


async def reach_in(connection: Connection, space_id: SpaceId, session_id: SessionId) -> MessageId | None:
    """Up to which message a session is made memory of: where a reset that was taken back had found it; none for all."""
    return await connection.fetchval(Sql.reach, space_id, session_id)


async def add_in(
    connection: Connection,
    archivist: Archivist,
    space_id: SpaceId,
    channel_id: ChannelId,
    session_id: SessionId,
    distilled: Distilled,
    *,
    now: datetime,
) -> list[Saved]:
    """The same as part of a transaction."""
    origin = ChannelId(await connection.fetchval(Sql.origin, space_id, channel_id))
    author = Author(actor=Actor.SUMMARY, reason=summary_reason(session_id))
    saved = await archivist.save_in(
        connection, space_id, origin, distilled.facts, author, now=now, session_id=session_id
    )
    if not distilled.read:
        return saved
    # The space is locked by now: whatever is forgotten after this finds the chunk.
    messages = [*distilled.read]
    left = await connection.fetch(Sql.left_messages, space_id, messages)
    if {row["message_id"]: row["content"] for row in left} != distilled.read:
        raise errors.EvidenceGone
    if await connection.fetchval(Sql.is_covered, space_id, messages):
        raise errors.EvidenceGone
    first, last = min(messages), max(messages)
    digest = hashlib.sha256(distilled.read[last].encode()).digest()
    added = await connection.fetchval(
        Sql.add, space_id, last, channel_id, session_id, first, digest, messages, distilled.text, distilled.model, now
    )
    if added is None:
        raise errors.LeaseLost
    if session_id < 0:
        # Learned of the past: how far the channel itself is in memory, and what it came to, is another matter.
        return saved
    await connection.execute(Sql.track, space_id, channel_id, last, digest)
    # What was made again is in no version after it, and in no condensation.
    await connection.execute(Sql.erase_rolls, space_id, [channel_id], [last])
    await connection.execute(Sql.erase_condensations, space_id, [channel_id], [session_id], [last])
    return saved


def _remaking(at: datetime | None, now: datetime) -> Remaking:
    if at is None:
        return Remaking.NONE
    return Remaking.DUE if at <= now else Remaking.LATER


def _chunk(row: Row) -> Chunk:
    return Chunk(
        chunk_id=MessageId(row["chunk_id"]),
        messages=tuple(map(MessageId, row["messages"])),
        text=row["text"],
        model=row["model"],
        created_at=row["created_at"],
        is_withheld=row["is_withheld"],
    )
