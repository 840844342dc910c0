"""Stores what is made of the talk of each channel, and by which workflow, as its admins chose."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot import catalogue, errors
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import Caller, ChannelId, MemoryPart, PersonId, SessionId, SpaceId
from bot.store import rows

_NOBODY: Final = PersonId(-1)
"""Whose number no person has."""


class Sql:
    """Statements of what is made."""

    of_channel: Final = statements.named("space.making")
    of_session: Final = statements.named("space.making_of_session")
    set: Final = statements.named("space.set_making")
    workflows: Final = statements.named("space.workflows")


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """What is to be made of the talk of a channel."""

    channel_id: ChannelId
    parts: tuple[MemoryPart, ...] | None = None
    """None where nobody chose: then it is as the settings say."""
    workflow: str | None = None
    """Which makes what it makes, by the name of its file; the rest is made by one call."""


class Makings:
    """Reads and writes what is made."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, caller: Caller) -> Making:
        """What is made in the caller's channel. Raises `NotFound`."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.of_channel, caller.space_id, caller.channel_id)
        if row is None:
            raise errors.NotFound(catalogue.later("This channel is not known yet."))
        return _making(row)

    async def set(self, caller: Caller, parts: Iterable[MemoryPart] | None, workflow: str | None) -> None:
        """Sets it for the channel the caller's memories belong to, with its public threads, from the next time on."""
        async with self._database.connection() as connection:
            made = None if parts is None else [part.value for part in parts]
            await connection.execute(Sql.set, caller.space_id, caller.origin_id, made, workflow)

    async def workflows(self) -> list[str]:
        """The workflows that some channel of any space wants."""
        async with self._database.connection() as connection:
            return [row["workflow"] for row in await connection.fetch(Sql.workflows)]


async def of_session_in(connection: Connection, space_id: SpaceId, session_id: SessionId) -> tuple[Making, Caller]:
    """What is made of the talk of a session, and the audience of its channel, which is nobody in particular.

    It may be told what was said there. What its readers can see elsewhere changes, and what is made stays.
    """
    row = await connection.fetchrow(Sql.of_session, space_id, session_id)
    assert row is not None
    making = _making(row)
    audience = Caller(
        space_id=space_id,
        channel_id=making.channel_id,
        person_id=_NOBODY,
        name="",
        is_admin=False,
        visible=(ChannelId(row["origin_id"] or making.channel_id),),
        origin=row["origin_id"],
        language=row["language"],
        time_zone=row["time_zone"],
        choices=rows.choices(row),
    )
    return making, audience


def _making(row: Row) -> Making:
    parts = None if row["makes"] is None else tuple(map(MemoryPart, row["makes"]))
    return Making(channel_id=ChannelId(row["channel_id"]), parts=parts, workflow=row["workflow"])
