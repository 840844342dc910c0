"""Sessions of what was said in a channel before Hathi listened: opened, filled and closed while it is learned.

Their ids are below 0, for they are no part of what is told of the channel as it goes on.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import ChannelId, Message, SessionId, SpaceId, new_id
from bot.text import lookalikes

MOST_MESSAGES: Final = 1000
"""Messages of one; then another takes in the rest."""


class Sql:
    """Statements of sessions that take in what is learned."""

    open: Final = statements.named("learning.open_session")
    count: Final = statements.named("learning.count_session")
    hold: Final = statements.named("learning.hold_session")
    size: Final = statements.named("learning.session_size")
    close: Final = statements.named("learning.close_session")
    left: Final = statements.named("unstored.left")
    create_people: Final = statements.named("unstored.create_people")
    hold_people: Final = statements.named("unstored.hold_people")
    met_in: Final = statements.named("unstored.met_in")
    record: Final = statements.named("learning.record")
    name: Final = statements.named("learning.name")
    lock_channel: Final = statements.named("space.lock_channel")
    lock_space: Final = statements.named("space.lock")
    wake: Final = statements.named("space.wake")


async def held_in(connection: Connection, space_id: SpaceId, session_id: SessionId | None) -> SessionId | None:
    """The session, if it still takes in more; held until the transaction ends."""
    return session_id and await connection.fetchval(Sql.hold, space_id, session_id)


async def learnable_in(connection: Connection, space_id: SpaceId, said: Sequence[Message]) -> list[Message]:
    """Those of these messages that are nowhere yet and may be kept, in their order; their authors are known then."""
    if not said:
        return []
    authors = [message.author_id for message in said]
    # Whoever takes something back waits here, or is seen.
    await connection.fetchrow(Sql.lock_space, space_id)
    people = sorted({author for author in authors if author is not None})
    await connection.execute(Sql.create_people, people, space_id)
    await connection.fetch(Sql.hold_people, people)
    await connection.execute(Sql.met_in, people, space_id)
    found = await connection.fetch(
        Sql.left, space_id, [message.message_id for message in said], authors, [message.said_at for message in said]
    )
    learnable = {row["message_id"] for row in found}
    return [message for message in said if message.message_id in learnable]


async def open_in(
    connection: Connection, space_id: SpaceId, channel_id: ChannelId, began_at: datetime, now: datetime
) -> SessionId:
    """A new one, that begins when its first message was said; the channel is locked by then."""
    channel = await connection.fetchrow(Sql.lock_channel, space_id, channel_id)
    assert channel is not None
    session_id, number = SessionId(-new_id(now)), channel["session_count"] + 1
    await connection.execute(Sql.open, space_id, session_id, channel_id, number, began_at)
    await connection.execute(Sql.count, space_id, channel_id, number)
    return session_id


async def add_in(
    connection: Connection,
    space_id: SpaceId,
    channel_id: ChannelId,
    session_id: SessionId,
    kept: Sequence[Message],
    language: str,
) -> None:
    """Records the messages and who said them."""
    ids, authors, names, times = (
        [message.message_id for message in kept],
        [message.author_id for message in kept],
        [message.author for message in kept],
        [message.said_at for message in kept],
    )
    texts, replies = [message.content for message in kept], [message.reply_to for message in kept]
    await connection.fetch(
        Sql.record, space_id, channel_id, session_id, language, ids, authors, names, texts, replies, times
    )
    await connection.execute(
        Sql.name, space_id, authors, names, times, [lookalikes.likeness(message.author) for message in kept]
    )


async def is_full_in(connection: Connection, space_id: SpaceId, session_id: SessionId) -> bool:
    """Whether it holds as many as one takes, what was only read included."""
    return (await _size(connection, space_id, session_id))["messages"] >= MOST_MESSAGES


async def close_in(connection: Connection, space_id: SpaceId, session_id: SessionId, now: datetime) -> None:
    """Lets it wait for its summary, or end where nothing may be distilled; nothing where it was closed before."""
    size = await _size(connection, space_id, session_id)
    await connection.execute(
        Sql.close, space_id, session_id, size["last_at"], size["first_id"], size["last_id"], size["messages"], now
    )
    await connection.execute(Sql.wake, space_id, now)


async def _size(connection: Connection, space_id: SpaceId, session_id: SessionId) -> Row:
    row = await connection.fetchrow(Sql.size, space_id, session_id)
    assert row is not None
    return row
