"""Converts rows of Postgres to the records of `bot.domain`."""

from typing import Final

from bot.db.pool import Row
from bot.domain import (
    ChannelId,
    Memory,
    MemoryId,
    Message,
    MessageId,
    PersonId,
    PlaceChoices,
    Role,
    Source,
    SpaceId,
    Stock,
    Tier,
)

_STOCK: Final = {stock.value: stock for stock in Stock}
_ROLES: Final = {role.value: role for role in Role}
"""Looked up for each of the hundreds of messages of a history: to make one of its text takes eight times as long."""


def memory(row: Row) -> Memory:
    """A row of `memory`."""
    return Memory(
        space_id=SpaceId(row["space_id"]),
        memory_id=MemoryId(row["memory_id"]),
        channel_id=ChannelId(row["channel_id"]),
        tier=Tier(row["tier"]),
        room=row["room"],
        topic=row["topic"],
        content=row["content"],
        importance=row["importance"],
        source=Source(row["source"]),
        tags=tuple(row["tags"]),
        author_id=person_id(row["author_id"]),
        author=row["author"],
        subject_id=person_id(row["subject_id"]),
        evidence=tuple(MessageId(e) for e in row["evidence"]),
        made_from=tuple(MemoryId(m) for m in row["made_from"]),
        entities=tuple(row["entities"]),
        key_phrases=tuple(row["key_phrases"]),
        seen_count=row["seen_count"],
        pinned=row["pinned"],
        created_at=row["created_at"],
        said_at=row["said_at"],
    )


def message(row: Row, *, stock: str | None = None) -> Message:
    """A row of `message`; which set text of Hathi's it is stands with its turn."""
    # A column is of any type, so an id needs no call that says which it is: a history has hundreds of rows.
    return Message(
        space_id=row["space_id"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        session_id=row["session_id"],
        role=_ROLES[row["role"]],
        author_id=row["author_id"],
        author=row["author"],
        content=row["content"],
        said_at=row["said_at"],
        reply_to=row["reply_to"],
        cut_off=row["cut_off"],
        stock=None if stock is None else _STOCK.get(stock, Stock.OTHER),
    )


def choices(row: Row) -> PlaceChoices:
    """What was chosen for a channel and its space, from a row that has both beside other columns."""
    return PlaceChoices(here=row["chosen_here"] or {}, everywhere=row["chosen_everywhere"] or {})


def person_id(value: int | None) -> PersonId | None:
    """A person's id where there is one."""
    return None if value is None else PersonId(value)
