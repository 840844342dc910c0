"""Stores what is changed of everything in a space: how far it is, for whoever goes on with it a batch at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot import catalogue, errors
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import PersonId, SpaceId

BEFORE_ALL: Final = -(2**63)
"""Below every id."""


class Sql:
    """The statements of what is changed of everything."""

    begin_language: Final = statements.named("rework.begin_language")
    begin_room: Final = statements.named("rework.begin_room")
    is_emptied: Final = statements.named("rework.is_emptied")
    stands: Final = statements.named("rework.stands")
    due: Final = statements.named("rework.due")
    hold: Final = statements.named("rework.hold")
    go_on: Final = statements.named("rework.go_on")
    end: Final = statements.named("rework.end")
    end_languages: Final = statements.named("rework.end_languages")
    uncounted: Final = statements.named("rework.uncounted")
    count_texts: Final = statements.named("rework.count_texts")
    count_room: Final = statements.named("rework.count_room")
    set_total: Final = statements.named("rework.set_total")
    under_way: Final = statements.named("rework.under_way")
    forget_person: Final = statements.named("rework.forget_person")
    lock_space: Final = statements.named("space.lock")
    set_language: Final = statements.named("space.set_language")
    wake: Final = statements.named("space.wake")


class ReworkKind(StrEnum):
    """What is changed."""

    LANGUAGE = "language"
    """The words every text is found by."""
    ROOM = "room"
    """The room that memories are filed in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rework:
    """One change of everything."""

    space_id: SpaceId
    kind: ReworkKind
    former: str
    """The room's name before; empty for the language."""
    stage: int
    """Of the language, which texts are gone over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A room on its way into another: which memories, and what is told with each."""

    former: str
    latter: str
    after_id: int
    """The last that was moved, or passed."""
    through_id: int
    person_id: PersonId | None
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a change is, as it is told."""

    kind: ReworkKind
    former: str
    latter: str
    stage: int
    done: int
    total: int | None
    """Of how many; none before they were counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """In which room some memories of a room stand: what is on its way into it is still in its own."""

    room: str
    after: int
    """Above which number."""
    through: int
    """And up to which."""


async def stands(connection: Connection, space_id: SpaceId, room: str) -> list[Stand]:
    """Where what is filed in a room is found."""
    found = await connection.fetch(Sql.stands, space_id, room)
    return [Stand(room=row["room"], after=row["after_id"], through=row["through_id"]) for row in found]


def columns(stands: Sequence[Stand]) -> tuple[list[str], list[int], list[int]]:
    """The same as a statement takes it."""
    return [one.room for one in stands], [one.after for one in stands], [one.through for one in stands]


async def locked_in(connection: Connection, space_id: SpaceId) -> Row:
    """Inside a transaction: the space's row, locked as by whoever saves memories. Raises `NotFound`."""
    row = await connection.fetchrow(Sql.lock_space, space_id)
    if row is None:
        raise errors.NotFound(catalogue.later("This space is not known yet."))
    return row


async def begin_language_in(connection: Connection, space: Row, language: str, *, now: datetime) -> None:
    """Inside a transaction, with the space's row locked: from now on texts are written for another language.

    What is looked for is looked for in the ones before too, until all of them were gone over; also in the new one, by
    whoever does not know of the change yet.
    """
    known = [*filter(None, space["formerly"].split("+")), space["language"], language]
    await connection.execute(Sql.set_language, space["space_id"], language, "+".join(dict.fromkeys(known)))
    await connection.execute(Sql.begin_language, space["space_id"], language, BEFORE_ALL, now)
    await connection.execute(Sql.wake, space["space_id"], now)


async def begin_move_in(connection: Connection, space_id: SpaceId, move: Move, *, moved: int) -> None:
    """Inside a transaction, with the space's row locked: what is left of a room is moved behind."""
    await connection.execute(
        Sql.begin_room,
        space_id,
        move.former,
        move.latter,
        move.after_id,
        move.through_id,
        moved,
        move.person_id,
        move.reason,
        move.at,
    )
    await connection.execute(Sql.wake, space_id, move.at)


async def is_emptied_in(connection: Connection, space_id: SpaceId, room: str) -> bool:
    """Whether a room is still on its way out of this name."""
    return bool(await connection.fetchval(Sql.is_emptied, space_id, room))


async def hold_in(connection: Connection, rework: Rework, *, now: datetime) -> Row | None:
    """Inside a transaction: where it stands; none where another process has it, where it is over or not due."""
    return await connection.fetchrow(Sql.hold, rework.space_id, rework.kind.value, rework.former, now)


async def went_on_in(
    connection: Connection, rework: Rework, *, stage: int, after_id: int, done: int, next_at: datetime
) -> None:
    """Inside the transaction that did it: how far it is now."""
    await connection.execute(
        Sql.go_on, rework.space_id, rework.kind.value, rework.former, stage, after_id, done, next_at
    )


async def end_in(connection: Connection, rework: Rework) -> None:
    """Inside a transaction: it is over. With the space's row locked, where it is the language."""
    if rework.kind is ReworkKind.LANGUAGE:
        await connection.execute(Sql.end_languages, rework.space_id)
    await connection.execute(Sql.end, rework.space_id, rework.kind.value, rework.former)


async def due(database: Database, spaces: Sequence[SpaceId], *, now: datetime) -> list[Rework]:
    """What is to be gone on with in these spaces, what was begun first first."""
    async with database.connection() as connection:
        found = await connection.fetch(Sql.due, [*spaces], now)
    return [
        Rework(
            space_id=SpaceId(row["space_id"]), kind=ReworkKind(row["kind"]), former=row["former"], stage=row["stage"]
        )
        for row in found
    ]


async def count(database: Database, space_id: SpaceId) -> None:
    """Counts once, of each of them, how many it is about: for whoever asks how far it is."""
    async with database.connection() as connection:
        for row in await connection.fetch(Sql.uncounted, space_id):
            total = (
                await connection.fetchval(Sql.count_texts, space_id)
                if row["kind"] == ReworkKind.LANGUAGE
                else await connection.fetchval(Sql.count_room, space_id, row["former"])
            )
            await connection.execute(Sql.set_total, space_id, row["kind"], row["former"], total)


async def under_way(database: Database, space_id: SpaceId) -> list[Progress]:
    """What is under way in a space, what was begun first first."""
    async with database.connection() as connection:
        found = await connection.fetch(Sql.under_way, space_id)
    return [
        Progress(
            kind=ReworkKind(row["kind"]),
            former=row["former"],
            latter=row["latter"],
            stage=row["stage"],
            done=row["done"],
            total=row["total"],
        )
        for row in found
    ]


async def forget_in(connection: Connection, space_id: SpaceId, person_id: PersonId) -> None:
    """Names somebody no more as who renamed a room."""
    await connection.execute(Sql.forget_person, space_id, person_id)
