"""Notes which of Hathi's messages on Discord tell of what is gone, so that they can be deleted there too."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import TERMINAL_SPACE, ChannelId, Memory, MessageId, PersonId, SpaceId, ids_in
from bot.store import rows

PAGE: Final = 500
"""Notes that are read at once."""
_A_DAY: Final = ids_in(timedelta(days=1))
"""Between the ids of two messages."""


class Sql:
    """The statements about them."""

    note: Final = statements.named("standing_reply.note")
    asked: Final = statements.named("standing_reply.asked")
    note_answers: Final = statements.named("standing_reply.note_answers")
    told_directly: Final = statements.named("standing_reply.told_directly")
    note_told: Final = statements.named("standing_reply.note_told")
    note_due: Final = statements.named("standing_reply.note_due")
    kept_now: Final = statements.named("standing_reply.kept_now")
    count: Final = statements.named("standing_reply.count")
    after: Final = statements.named("standing_reply.after")
    gone: Final = statements.named("standing_reply.gone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """Who has what they said erased."""

    person_id: PersonId
    asking: MessageId | None = None
    """The turn in which they do: what answers it becomes the receipt, and is not noted."""


HATHI_ITSELF: Final = Eraser(person_id=PersonId(0))
"""For whom is noted what nobody has to ask for: what was deleted, edited or forgotten."""


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
    """Notes what answered them, up to the question `through`; of their direct messages all of Hathi's.

    A page at a time, each a commit of its own outside a transaction.
    """
    if space_id == TERMINAL_SPACE:
        return
    page: Sequence[Row]
    asked = told = 0
    while page := await connection.fetch(Sql.asked, space_id, eraser.person_id, asked, through, PAGE):
        turns = [row["turn_id"] for row in page]
        asked = turns[-1]
        await connection.execute(Sql.note_answers, space_id, eraser.person_id, eraser.asking or 0, now, turns)
    while page := await connection.fetch(Sql.told_directly, space_id, told, through, PAGE):
        told = page[-1]["message_id"]
        await note_in(connection, space_id, eraser, [row["message_id"] for row in page], now)


async def note_told_in(
    connection: Connection,
    space_id: SpaceId,
    eraser: Eraser,
    now: datetime,
    *,
    answered: Collection[int] = (),
    memories: Collection[Row] = (),
) -> None:
    """Notes what answered these messages, and the set texts that told these memories; also where none is recorded."""
    if space_id != TERMINAL_SPACE and (answered or memories):
        evidence = {message_id for row in memories for message_id in row["evidence"]}
        ids = [row["memory_id"] for row in memories]
        asking = eraser.asking or 0
        await connection.execute(Sql.note_told, space_id, eraser.person_id, asking, now, [*answered], [*evidence], ids)


async def note_due_in(connection: Connection, spaces: Sequence[SpaceId], before: datetime, now: datetime) -> None:
    """Notes for Hathi itself what told of what was forgotten before then, which is to be erased."""
    await connection.execute(Sql.note_due, [*spaces], before, now)


async def kept_now(connection: Connection, reply: NotedReply) -> list[Memory]:
    """What is left, as it is now, of that which the message confirmed to have kept; nothing where it confirmed none."""
    earliest = reply.message_id - _A_DAY
    return [*map(rows.memory, await connection.fetch(Sql.kept_now, reply.space_id, reply.message_id, earliest))]


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
