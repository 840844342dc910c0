"""What models would keep and their askers did not say: held until the asker agrees to it, or ten minutes are over."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.db import statements
from bot.db.pool import Database, Row
from bot.domain import UNDO_WINDOW, Caller, Fact, MemoryId, MessageId, PersonId, Saved, Source, Turn
from bot.store.archivist import Archivist, Author

ASKERS_ALONE: Final = catalogue.later("Only whoever asked me can have that kept.")
LAPSED: Final = catalogue.later(
    "Nothing was kept: what it was made of is gone or was changed since, or more than 10 minutes are over."
)


class Sql:
    """The statements about proposals; what goes with their sources the archivist deletes."""

    propose: Final = statements.named("proposal.propose")
    of_turn: Final = statements.named("proposal.of_turn")
    drop_of_turn: Final = statements.named("proposal.drop_of_turn")
    lock_space: Final = statements.named("space.lock")
    wake: Final = statements.named("space.wake")


class Proposals:
    """Holds what is proposed, and has the archivist keep it."""

    def __init__(self, database: Database, archivist: Archivist) -> None:
        self._database = database
        self._archivist = archivist

    async def propose(self, turn: Turn, facts: Sequence[Fact], *, now: datetime) -> None:
        """Holds what the reply to a turn is about to show, in place of what another draft of it proposed."""
        space_id, turn_id = turn.caller.space_id, turn.message.message_id
        payload = [_row(fact, number) for number, fact in enumerate(facts, 1)]
        async with self._database.transaction() as connection:
            await connection.execute(Sql.drop_of_turn, space_id, turn_id)
            await connection.execute(Sql.propose, space_id, turn_id, now, payload)
            await connection.execute(Sql.wake, space_id, now + UNDO_WINDOW)

    async def is_open(self, caller: Caller, turn_id: MessageId, *, now: datetime) -> bool:
        """Whether the reply to a turn proposed anything that the caller may still agree to."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.of_turn, caller.space_id, caller.channel_id, turn_id)
        return any(_is_held(row, now) and row["asker_id"] == caller.person_id for row in found)

    async def keep(self, caller: Caller, turn_id: MessageId, *, now: datetime) -> Sequence[Saved]:
        """Keeps what the reply to a turn proposed; to agree twice keeps it once.

        Raises `NotAllowed` for anybody but who asked, `NotFound` where it lapsed or rests on something that is gone,
        and what saving raises.
        """
        async with self._database.transaction() as connection:
            # Before it is read: nothing it rests on can be forgotten meanwhile.
            await connection.fetchrow(Sql.lock_space, caller.space_id)
            found = await connection.fetch(Sql.of_turn, caller.space_id, caller.channel_id, turn_id)
            if found and PersonId(found[0]["asker_id"]) != caller.person_id:
                raise errors.NotAllowed(ASKERS_ALONE)
            if not found or not all(_is_held(row, now) and row["stands"] for row in found):
                raise errors.NotFound(LAPSED)
            facts = [_fact(row) for row in found]
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


def _is_held(row: Row, now: datetime) -> bool:
    """Whether it is a proposal, and of late; a turn without any has one row that is none."""
    return row["turn_id"] is not None and now - row["proposed_at"] <= UNDO_WINDOW


def _row(fact: Fact, number: int) -> dict[str, object]:
    return {
        "number": number,
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
