"""What Hathi answered from: the replies that say, by what they cite, that they were made from something that goes."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import MessageId, PersonId, SpaceId, new_id

STEPS: Final = 5
"""From an answer to one that was made from it, and so on; people seldom ask twice for what was answered."""


SKEW: Final = timedelta(seconds=1)
"""How far the clock that numbers messages may be from this one."""


class Sql:
    """The statements that read what replies cite."""

    replies: Final = statements.named("drawn.replies")
    notes: Final = statements.named("drawn.notes")
    notes_of: Final = statements.named("drawn.notes_of")


async def replies_in(
    connection: Connection, space_id: SpaceId, messages: Collection[int], memories: Collection[int] = (), *, since: int,
) -> list[Row]:  # fmt: skip
    """Hathi's replies that cite these messages, what came with them, the notes they gave, or these memories.

    And those that cite such replies. `since` is an id none of them is older than; each has its id and session.
    """
    noted = await connection.fetch(Sql.notes, space_id, [*messages]) if messages else ()
    return await _citing(connection, space_id, messages, memories, noted, since)


async def replies_to_notes_in(
    connection: Connection, space_id: SpaceId, person_id: PersonId, through: datetime, *, all_of: bool
) -> list[MessageId]:
    """Hathi's replies that cite a note of a person's, written until then; `all_of` the space's where it is theirs."""
    noted = await connection.fetch(Sql.notes_of, space_id, person_id, all_of, through)
    if not noted:
        return []
    since = new_id(min(row["written_at"] for row in noted) - SKEW)
    found = await _citing(connection, space_id, (), (), noted, since)
    return [MessageId(row["message_id"]) for row in found]


async def _citing(
    connection: Connection, space_id: SpaceId, messages: Collection[int], memories: Collection[int],
    noted: Collection[Row], since: int,
) -> list[Row]:  # fmt: skip
    channels, labels = [row["channel_id"] for row in noted], [f"N{row['number']}" for row in noted]
    cited, found = {*messages}, dict[int, Row]()
    numbers = [f"#{memory_id}" for memory_id in memories]
    for _ in range(STEPS):
        if not (cited or numbers or labels):
            break
        more = await connection.fetch(Sql.replies, space_id, [*cited], numbers, channels, labels, since)
        cited = {row["message_id"] for row in more} - found.keys() - {*messages}
        found |= {row["message_id"]: row for row in more}
        numbers, channels, labels = [], [], []
    return [row for key, row in found.items() if key not in messages]
