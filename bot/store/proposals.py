"""What models would keep or do unasked: held until the asker agrees to it, or ten minutes are over."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import UNDO_WINDOW, Caller, Fact, MemoryId, MessageId, PersonId, Saved, Source, Turn
from bot.store.archivist import Archivist, Author

ASKERS_ALONE: Final = catalogue.later("Only whoever asked me can have that kept.")
LAPSED: Final = catalogue.later(
    "Nothing was kept: what it was made of is gone or was changed since, or more than 10 minutes are over."
)
DOERS_ALONE: Final = catalogue.later("Only whoever asked me can have that done.")
NOT_DONE: Final = catalogue.later(
    "Nothing was done: it is done already, what it is about is gone or was changed since, or more than 10 minutes are "
    "over."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A command that a model would carry out in its asker's name."""

    command: str
    line: str
    """Its arguments, as they would be typed."""
    text: str
    """What it does, to the last letter, as the asker is shown it."""
    about: tuple[MemoryId, ...] = ()
    """The memories it is about; it lapses with any of them."""


class Sql:
    """The statements about proposals; what goes with their sources the archivist deletes."""

    propose: Final = statements.named("proposal.propose")
    of_turn: Final = statements.named("proposal.of_turn")
    drop_of_turn: Final = statements.named("proposal.drop_of_turn")
    drop_acts: Final = statements.named("proposal.drop_acts")
    lock_space: Final = statements.named("space.lock")
    wake: Final = statements.named("space.wake")


class Proposals:
    """Holds what is proposed, and has the archivist keep it; what is to be done it hands out once."""

    def __init__(self, database: Database, archivist: Archivist) -> None:
        self._database = database
        self._archivist = archivist

    async def propose(self, turn: Turn, facts: Sequence[Fact], acts: Sequence[Act] = (), *, now: datetime) -> None:
        """Holds what the reply to a turn is about to show, in place of what another draft of it proposed."""
        space_id, turn_id = turn.caller.space_id, turn.message.message_id
        each = [*map(_of_fact, facts), *(_of_act(act, turn_id) for act in acts)]
        payload = [{**row, "number": number} for number, row in enumerate(each, 1)]
        async with self._database.transaction() as connection:
            await connection.execute(Sql.drop_of_turn, space_id, turn_id)
            await connection.execute(Sql.propose, space_id, turn_id, now, payload)
            await connection.execute(Sql.wake, space_id, now + UNDO_WINDOW)

    async def is_open(self, caller: Caller, turn_id: MessageId, *, now: datetime, acts: bool = False) -> bool:
        """Whether the reply to a turn proposed to keep anything that the caller may agree to; or, of `acts`, to do."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.of_turn, caller.space_id, caller.channel_id, turn_id)
        return any(row["asker_id"] == caller.person_id for row in _held(found, now, acts=acts))

    async def taken(self, caller: Caller, turn_id: MessageId, *, now: datetime) -> Sequence[Act]:
        """The acts that the reply to a turn proposed, for whoever carries them out at once: they are given once.

        Raises `NotAllowed` for anybody but who asked, and `NotFound` where they were given before, lapsed, or are about
        something that is gone.
        """
        async with self._database.transaction() as connection:
            found = await self._standing(connection, caller, turn_id, now, acts=True)
            await connection.execute(Sql.drop_acts, caller.space_id, turn_id)
        return [
            Act(command=row["command"], line=row["line"], text=row["content"], about=tuple(row["made_from"]))
            for row in found
        ]

    async def _standing(
        self, connection: Connection, caller: Caller, turn_id: MessageId, now: datetime, *, acts: bool
    ) -> list[Row]:
        """What a turn proposed to keep, or to do, all of it as it was; nothing it rests on can go meanwhile."""
        alone, lapsed = (DOERS_ALONE, NOT_DONE) if acts else (ASKERS_ALONE, LAPSED)
        await connection.fetchrow(Sql.lock_space, caller.space_id)
        found = await connection.fetch(Sql.of_turn, caller.space_id, caller.channel_id, turn_id)
        if found and PersonId(found[0]["asker_id"]) != caller.person_id:
            raise errors.NotAllowed(alone)
        held = _held(found, now, acts=acts)
        if not held or not all(row["stands"] for row in held):
            raise errors.NotFound(lapsed)
        return held

    async def keep(self, caller: Caller, turn_id: MessageId, *, now: datetime) -> Sequence[Saved]:
        """Keeps what the reply to a turn proposed; to agree twice keeps it once.

        Raises `NotAllowed` for anybody but who asked, `NotFound` where it lapsed or rests on something that is gone,
        and what saving raises.
        """
        async with self._database.transaction() as connection:
            facts = [_fact(row) for row in await self._standing(connection, caller, turn_id, now, acts=False)]
            author = Author.person(caller, "asked")
            saved = await self._archivist.save_in(
                connection,
                caller.space_id,
                caller.origin_id,
                facts,
                author,
                now=now,
                given_in=caller.channel_id,
                visible=caller.visible,
            )
        self._archivist.changed(caller.space_id)
        return saved


def _held(found: Sequence[Row], now: datetime, *, acts: bool) -> list[Row]:
    """Those that are facts, or acts, of late; a turn without any proposal has one row that is none."""
    return [
        row
        for row in found
        if row["turn_id"] is not None
        and (row["command"] is not None) is acts
        and now - row["proposed_at"] <= UNDO_WINDOW
    ]


def _of_fact(fact: Fact) -> dict[str, object]:
    return {
        "room": fact.room,
        "topic": fact.topic,
        "content": fact.content,
        "importance": fact.importance,
        "tags": [*fact.tags],
        "author_id": fact.author_id,
        "author": fact.author,
        "evidence": [*fact.evidence],
        "made_from": [*fact.made_from],
        "replies": [*fact.replies],
    }


def _of_act(act: Act, turn_id: MessageId) -> dict[str, object]:
    return {
        "room": "general",
        "topic": "",
        "content": act.text,
        "importance": 1,
        "tags": [],
        "evidence": [turn_id],
        "made_from": [*act.about],
        "replies": [],
        "command": act.command,
        "line": act.line,
    }


def _fact(row: Row) -> Fact:
    return Fact(
        room=row["room"],
        topic=row["topic"],
        content=row["content"],
        importance=row["importance"],
        source=Source.USER,
        tags=tuple(row["tags"]),
        author_id=None if row["author_id"] is None else PersonId(row["author_id"]),
        author=row["author"],
        evidence=tuple(map(MessageId, row["evidence"])),
        made_from=tuple(map(MemoryId, row["made_from"])),
        replies=tuple(map(MessageId, row["replies"])),
    )
