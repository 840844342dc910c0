"""Reads the palace: memories by room and topic; nothing here can write."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.db import statements
from bot.db.pool import Database, Row
from bot.domain import Caller, Memory
from bot.store import bounded_words, rows

MOST: Final = 1000
"""Rooms of a space, or topics of a room, that are told apart; the fullest."""
PROCEDURES: Final = "procedures"
"""The room of documented ways to do things."""
PREFERENCES: Final = "preferences"
"""The room of what people like, which never ages."""


class Sql:
    """The statements that read the palace."""

    rooms: Final = statements.named("palace.rooms")
    topics: Final = statements.named("palace.topics")
    memories: Final = statements.named("palace.memories")
    procedures: Final = statements.named("palace.procedures")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A room, or a topic of one, with its number of memories."""

    name: str
    memories: int
    changed_at: datetime
    """When something in it was last saved, or said again."""


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
            found = await connection.fetch(Sql.rooms, caller.space_id, caller.visible, MOST)
        return [_part(row) for row in found]

    async def topics(self, caller: Caller, room: str) -> list[Part]:
        """The topics of a room, by its very name, the fullest first."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.topics, caller.space_id, caller.visible, room, MOST)
        return [_part(row) for row in found]

    async def memories(
        self, caller: Caller, room: str, topic: str | None, *, page: int, size: int
    ) -> tuple[list[Memory], int]:
        """One page of a room's living memories, or of one topic's, the most important first, and how many there are."""
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.memories, caller.space_id, caller.visible, room, topic, size, (page - 1) * size
            )
        return [rows.memory(row) for row in found], found[0]["total"] if found else 0

    async def procedures(self, caller: Caller, query: str, *, limit: int) -> tuple[list[Procedure], int]:
        """The ways to do things that answer a query of telling words, best first, and how many share a word with it.

        They share two of them, or have their whole topic among them.
        """
        async with self._database.connection() as connection:
            (sought,) = await bounded_words.in_memories(connection, caller.space_id, caller.language, [query])
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
            )
        ways = [
            Procedure(memory=rows.memory(row), share=row["shared"] / max(1, row["asked"]))
            for row in found
            if row["answers"]
        ]
        return ways, found[0]["considered"] if found else 0


def _part(row: Row) -> Part:
    return Part(name=row["name"], memories=row["memories"], changed_at=row["changed_at"])
