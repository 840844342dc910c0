"""Keeps what the oldest chunks of a ledger came to: one entry in their place, while they stay where they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Final

from bot import errors
from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import MessageId, SessionId, WorkerId, new_id
from bot.store.chunks import ChunkClaim

MOST_APART: Final = 200
"""Entries of a ledger that are kept apart, however short they are."""


class Sql:
    """Statements of condensations."""

    since: Final = statements.named("condensation.since")
    newest: Final = statements.named("condensation.newest")
    rest: Final = statements.named("condensation.rest")
    add: Final = statements.named("condensation.add")
    hold: Final = statements.named("chunk.hold")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condensation:
    """One entry in place of a channel's oldest chunks."""

    condensation_id: int
    first_chunk_id: MessageId
    through_chunk_id: MessageId
    chunks: int
    """How many it stands for."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptApart:
    """A chunk that no condensation stands for."""

    chunk_id: MessageId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Oldest:
    """The ledger of a channel since a person's reset, from its beginning."""

    after: SessionId
    """The session that the reset ended; 0 where there was none."""
    before: Condensation | None
    """What stands for the oldest chunks already."""
    chunks: tuple[KeptApart, ...]
    """Those after it, at most 200, and none from the first on that is withheld: undo may bring it back."""


class Condensations:
    """Reads and writes condensations on behalf of the worker that holds a channel."""

    def __init__(self, database: Database, worker: WorkerId) -> None:
        self._database = database
        self._worker = worker

    async def oldest(self, claim: ChunkClaim) -> Oldest:
        """What of the channel's ledger may be condensed."""
        async with self._database.connection() as connection:
            return await _oldest_in(connection, claim, MOST_APART)

    async def condense(
        self, claim: ChunkClaim, oldest: Oldest, taken: Sequence[KeptApart], text: str, model: str, *, now: datetime
    ) -> None:
        """Writes the condensation of the one `before` and the chunks `taken`, the first that were read.

        Raises `LeaseLost`, and `EvidenceGone` where one of them was taken back meanwhile, or the ledger begins
        otherwise: the next run makes it of what is left.
        """
        space_id, before = claim.space_id, oldest.before
        first = taken[0].chunk_id if before is None else before.first_chunk_id
        count = len(taken) + (0 if before is None else before.chunks)
        async with self._database.transaction() as connection:
            # Whoever takes a chunk back waits for it after that, and so sees what was made of it.
            if await connection.fetchval(Sql.hold, space_id, claim.channel_id, self._worker) is None:
                raise errors.LeaseLost
            now_oldest = await _oldest_in(connection, claim, len(taken))
            if (now_oldest.after, now_oldest.before, now_oldest.chunks) != (oldest.after, before, tuple(taken)):
                raise errors.EvidenceGone
            await connection.execute(
                Sql.add,
                space_id,
                new_id(now),
                claim.channel_id,
                oldest.after,
                first,
                taken[-1].chunk_id,
                count,
                text,
                model,
                now,
            )


async def _oldest_in(connection: Connection, claim: ChunkClaim, most: int) -> Oldest:
    space_id, channel_id = claim.space_id, claim.channel_id
    after = SessionId(await connection.fetchval(Sql.since, space_id, channel_id))
    row = await connection.fetchrow(Sql.newest, space_id, channel_id, after)
    before = None if row is None else Condensation(**dict(row))
    through = 0 if before is None else before.through_chunk_id
    found = await connection.fetch(Sql.rest, space_id, channel_id, after, through, most)
    standing = takewhile(lambda row: not row["is_withheld"], found)
    chunks = tuple(KeptApart(chunk_id=MessageId(row["chunk_id"]), text=row["text"]) for row in standing)
    return Oldest(after=after, before=before, chunks=chunks)
