"""Withholds and erases what of ledgers was made from what is taken back: chunks, and what was made of them since.

Of a condensation nothing need be withheld: it stands as long as all its chunks do (`standing_condensation`).
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Row, swept
from bot.domain import MessageId, SessionId, SpaceId

REMADE_EVERY: Final = timedelta(hours=1)
"""How often chunks of one channel are made again, whatever is deleted or edited there."""

AT_ONCE: Final = 1000
"""Chunks that go in one statement."""


class Sql:
    """Statements that take ledgers back."""

    withhold: Final = statements.named("chunk.withhold")
    withhold_session: Final = statements.named("chunk.withhold_session")
    withhold_rolls: Final = statements.named("chunk.withhold_rolls")
    show: Final = statements.named("chunk.show")
    retell: Final = statements.named("chunk.retell")
    erase_since: Final = statements.named("chunk.erase_since")
    forget_hashes: Final = statements.named("chunk.forget_hashes")
    holding: Final = statements.named("chunk.holding")
    drop_unstored: Final = statements.named("unstored.drop")
    erase: Final = statements.named("chunk.erase")
    hold_any: Final = statements.named("chunk.hold_any")
    erase_rolls_since: Final = statements.named("chunk.erase_rolls_since")
    erase_rolls: Final = statements.named("chunk.erase_rolls")
    erase_condensations: Final = statements.named("condensation.erase")
    erase_of_place: Final = statements.named("chunk.erase_of_place")
    erase_trackers_of_place: Final = statements.named("chunk.erase_trackers_of_place")
    erase_condensations_of_place: Final = statements.named("condensation.erase_of_place")
    remake: Final = statements.named("chunk.remake")
    wake: Final = statements.named("space.wake")


async def withhold_in(connection: Connection, space_id: SpaceId, messages: Collection[int], *, now: datetime) -> None:
    """Withholds the chunks that hold any of these messages, and the rolling summaries from there on, until undo."""
    if messages:
        await _withhold_rolls(
            connection, space_id, await connection.fetch(Sql.withhold, space_id, [*messages], now), now
        )


async def withhold_session_in(
    connection: Connection, space_id: SpaceId, session_id: SessionId, *, now: datetime
) -> None:
    """The same of all chunks of a session."""
    held = await connection.fetch(Sql.withhold_session, space_id, session_id, now)
    await _withhold_rolls(connection, space_id, held, now)


async def show_in(connection: Connection, space_id: SpaceId, withheld_at: datetime) -> None:
    """Brings back the chunks that were withheld then; chat summaries of any kind are brought back by themselves.

    Of those that were made meanwhile, without them, a rolling one goes, and a session's tells them too.
    """
    shown = await connection.fetch(Sql.show, space_id, withheld_at)
    since = _since(shown)
    await connection.fetch(Sql.hold_any, space_id, since[0])
    await connection.execute(Sql.erase_rolls_since, space_id, *since, withheld_at)
    await connection.execute(Sql.retell, space_id, sorted({row["session_id"] for row in shown}), withheld_at)


async def erase_since_in(
    connection: Connection, space_id: SpaceId, session_id: SessionId, since: datetime, kept_through: MessageId | None
) -> None:
    """Erases the chunks that a session's reset has made, of which nothing was made since; nor are they made again.

    But not those made again of what was in memory before.
    """
    gone = await connection.fetch(Sql.erase_since, space_id, session_id, since, kept_through)
    await connection.execute(Sql.forget_hashes, space_id, sorted({row["channel_id"] for row in gone}))


async def erase_in(
    connection: Connection, space_id: SpaceId, messages: Collection[int], *, now: datetime, with_read: bool = True
) -> set[SessionId]:
    """Erases the chunks that hold any of these messages, to be made again of what is left; the sessions they were of.

    Of one channel they are made again at most once an hour. That messages were only read is known no more, unless told
    otherwise.
    """
    if not messages:
        return set()
    if with_read:
        await connection.execute(Sql.drop_unstored, space_id, [*messages])
    found = await connection.fetch(Sql.holding, space_id, [*messages])
    return await erase_chunks_in(connection, space_id, [row["chunk_id"] for row in found], now)


async def erase_chunks_in(
    connection: Connection, space_id: SpaceId, chunk_ids: Sequence[int], now: datetime
) -> set[SessionId]:
    """The same of chunks that are known."""
    if not chunk_ids:
        return set()
    gone = await connection.fetch(Sql.erase, space_id, [*chunk_ids])
    channels = sorted({row["channel_id"] for row in gone})
    # Held from here on: what is just being written of one of them is waited for, and erased with the others.
    held = await connection.fetch(Sql.hold_any, space_id, channels)
    last = {row["channel_id"]: row["remade_at"] for row in held}
    due = [max(now, at + REMADE_EVERY) if (at := last.get(channel)) else now for channel in channels]
    await connection.execute(Sql.remake, space_id, channels, due)
    await connection.execute(Sql.erase_rolls, space_id, *_since(gone))
    told = [[row[column] for row in gone] for column in ("channel_id", "session_id", "chunk_id")]
    await connection.execute(Sql.erase_condensations, space_id, *told)
    if due:
        await connection.execute(Sql.wake, space_id, min(due))
    return {SessionId(row["session_id"]) for row in gone}


async def erase_of_place_in(connection: Connection, space_id: SpaceId, channels: Sequence[int]) -> None:
    """Erases the ledgers and trackers of channels that are gone; what is just being written of one is waited for."""
    await swept(connection, Sql.erase_of_place, space_id, [*channels], AT_ONCE)
    await connection.execute(Sql.erase_trackers_of_place, space_id, [*channels])
    await swept(connection, Sql.erase_condensations_of_place, space_id, [*channels], AT_ONCE)


async def _withhold_rolls(connection: Connection, space_id: SpaceId, held: Sequence[Row], now: datetime) -> None:
    since = _since(held)
    await connection.fetch(Sql.hold_any, space_id, since[0])
    await connection.execute(Sql.withhold_rolls, space_id, *since, now)


def _since(chunks: Sequence[Row]) -> tuple[list[int], list[int]]:
    """Of each channel the first of these chunks; in no rolling summary is what was learned of its past."""
    first: dict[int, int] = {}
    for row in (row for row in chunks if row["session_id"] > 0):
        channel, chunk = row["channel_id"], row["chunk_id"]
        first[channel] = min(chunk, first.get(channel, chunk))
    return [*first], [*first.values()]
