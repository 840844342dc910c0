"""Notes which of Hathi's messages on Discord tell of what somebody erased, so that they can be deleted there too."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.db import statements
from bot.db.pool import Connection
from bot.domain import TERMINAL_SPACE, ChannelId, MessageId, PersonId, SpaceId

PAGE: Final = 500
"""Notes that are read at once."""


class Sql:
    """The statements about them."""

    note: Final = statements.named("standing_reply.note")
    note_answers: Final = statements.named("standing_reply.note_answers")
    count: Final = statements.named("standing_reply.count")
    after: Final = statements.named("standing_reply.after")
    gone: Final = statements.named("standing_reply.gone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """Who has what they said erased."""

    person_id: PersonId
    asking: MessageId | None = None
    """The turn in which they do: what answers it becomes the receipt, and is not noted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedReply:
    """One message of Hathi's on Discord."""

    space_id: SpaceId
    place_id: ChannelId
    """The channel, thread or direct message it stands in."""
    message_id: MessageId


async def note_in(
    connection: Connection, space_id: SpaceId, eraser: Eraser, messages: Collection[int], now: datetime
) -> None:
    """Notes those of Hathi's among messages that are about to be erased."""
    if space_id != TERMINAL_SPACE:
        await connection.execute(Sql.note, space_id, eraser.person_id, eraser.asking or 0, now, [*messages])


async def note_answers_in(
    connection: Connection, space_id: SpaceId, eraser: Eraser, through: int, now: datetime
) -> None:
    """Notes what answered them, up to the question `through`; of their direct messages all of Hathi's."""
    if space_id != TERMINAL_SPACE:
        await connection.execute(Sql.note_answers, space_id, eraser.person_id, eraser.asking or 0, now, through)


async def count(connection: Connection, spaces: Sequence[SpaceId], person_id: PersonId) -> int:
    """How many are noted for them."""
    return await connection.fetchval(Sql.count, [*spaces], person_id)


async def after(
    connection: Connection, spaces: Sequence[SpaceId], person_id: PersonId, message_id: int
) -> list[NotedReply]:
    """The next of them, the oldest first."""
    return [
        NotedReply(
            space_id=SpaceId(row["space_id"]),
            place_id=ChannelId(row["place_id"]),
            message_id=MessageId(row["message_id"]),
        )
        for row in await connection.fetch(Sql.after, [*spaces], person_id, message_id, PAGE)
    ]


async def gone_in(connection: Connection, person_id: PersonId, reply: NotedReply) -> None:
    """Forgets one that stands no more."""
    await connection.execute(Sql.gone, reply.space_id, person_id, reply.message_id)
