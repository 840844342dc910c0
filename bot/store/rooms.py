"""Reads the palace: memories by room and topic; nothing here can write."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.db import statements
from bot.db.pool import Database
from bot.domain import Caller, Memory
from bot.store import bounded_words, reworks, rows, tallies
from bot.store.tallies import Kind, Part, Total

MOST: Final = 1000
"""Rooms of a space, or topics of a room, that are told apart; the fullest."""
PROCEDURES: Final = "procedures"
"""The room of documented ways to do things."""
PREFERENCES: Final = "preferences"
"""The room of what people like, which never ages."""


class Sql:
    """The statements that read the palace."""

    memories: Final = statements.named("palace.memories")
    procedures: Final = statements.named("palace.procedures")


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """A memory of a way to do things, and how well it answers a question."""

    memory: Memory
    share: float
    """Of the question's words, those it holds; 0 to 1."""


class Rooms:
    """Reads rooms; every read binds the space and the channels everyone who asks may see."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rooms(self, caller: Caller) -> list[Part]:
        """The rooms with a living memory in them, the fullest first."""
        async with self._database.connection() as connection:
            found, _ = await tallies.names(connection, caller, Kind.ROOM, limit=MOST)
        return found

    async def topics(self, caller: Caller, room: str, *, limit: int = MOST) -> tuple[list[Part], Total]:
        """The fullest topics of a room, by its very name, and how many it has."""
        async with self._database.connection() as connection:
            return await tallies.names(connection, caller, Kind.TOPIC, room=room, limit=limit)

    async def rooms_called(self, caller: Caller, names: Sequence[str]) -> list[Part]:
        """The rooms that are called so, in any case."""
        async with self._database.connection() as connection:
            return [*await tallies.called(connection, caller, Kind.ROOM, names)]

    async def topics_called(self, caller: Caller, room: str, name: str) -> list[Part]:
        """The topics of a room that are called so, in any case."""
        async with self._database.connection() as connection:
            return [*await tallies.called(connection, caller, Kind.TOPIC, [name], room=room)]

    async def topics_like(self, caller: Caller, room: str, name: str) -> list[str]:
        """Topics of a room that are written much like that."""
        async with self._database.connection() as connection:
            return await tallies.like(connection, caller, room, name)

    async def memories(
        self, caller: Caller, room: str, topic: str | None, *, page: int, size: int
    ) -> tuple[list[Memory], int]:
        """One page of a room's living memories, or of one topic's, the most important first, and how many there are."""
        offset = (page - 1) * size
        async with self._database.connection() as connection:
            total = await tallies.held(connection, caller, room, topic)
            stands = await reworks.stands(connection, caller.space_id, room)
            found = await connection.fetch(
                Sql.memories,
                caller.space_id,
                tallies.channels(caller),
                topic,
                size,
                offset,
                offset + size,
                *reworks.columns(stands),
            )
        return [rows.memory(row) for row in found], total

    async def procedures(self, caller: Caller, query: str, *, limit: int) -> tuple[list[Procedure], int]:
        """The ways to do things that answer a query of telling words, best first, and how many share a word with it.

        They share two of them, or have their whole topic among them.
        """
        async with self._database.connection() as connection:
            sought = await bounded_words.of_text(connection, caller, query)
            stands = await reworks.stands(connection, caller.space_id, PROCEDURES)
            found = await connection.fetch(
                Sql.procedures,
                caller.space_id,
                caller.visible,
                PROCEDURES,
                caller.language,
                query,
                limit,
                sought.indexed,
                sought.walk(len(caller.visible)),
                *reworks.columns(stands),
            )
        ways = [
            Procedure(memory=rows.memory(row), share=row["shared"] / max(1, row["asked"]))
            for row in found
            if row["answers"]
        ]
        return ways, found[0]["considered"] if found else 0
