"""Takes an answer back, so that its question is answered anew in its place."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import Caller, MemoryId, Message, MessageId, Role, SessionId, Stock, Turn, WorkerId
from bot.infra import leases
from bot.store import ledgers, taken_back
from bot.store.archivist import Archivist
from bot.store.turns import STOPPED

ASKERS_ALONE: Final = catalogue.later("Only who asked can have me answer that anew.")
AT_IT: Final = catalogue.later("I am answering that anew already.")
NOT_LAST: Final = catalogue.later("That is not my last answer here any more; please ask again.")
ENDED: Final = catalogue.later("That conversation has ended since; please ask again.")
NOTHING: Final = catalogue.later("Nothing was answered here yet.")
NO_MODEL: Final = catalogue.later("No model gave that answer, so it would be the same again.")
NOT_KEPT: Final = catalogue.later("What was asked there is not kept any more; please ask again.")
_DONE: Final = frozenset({Stock.KEPT, Stock.FORGOTTEN, Stock.ASKED, Stock.OTHER})
"""Set texts that tell what a person had done, or may: another wording of the question does not undo it."""


class Sql:
    """The statements of answers that are replaced."""

    lock_channel: Final = statements.named("space.lock_channel")
    last: Final = statements.named("turn.last_answered")
    replaceable: Final = statements.named("turn.replaceable")
    replace: Final = statements.named("turn.replace")
    erase_messages: Final = statements.named("discord_edits.erase_messages")
    drop_proposals: Final = statements.named("proposal.drop_of_turn")
    unnote: Final = statements.named("note.drop_of_turn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A question to be answered anew, and what of its old answer stays."""

    turn: Turn
    """Recorded anew, and not claimed."""
    stays: Sequence[MemoryId] = ()
    """What the old answer had saved, and somebody changed or said again since."""


class Replacements:
    """Takes back the last answer of a channel, for one worker, who answers anew."""

    def __init__(self, database: Database, archivist: Archivist, worker: WorkerId) -> None:
        self._database = database
        self._archivist = archivist
        self._worker = worker

    async def last(self, caller: Caller) -> MessageId:
        """The question of the last answer in the caller's channel. Raises `NotFound`."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.last, caller.space_id, caller.channel_id)
        if row is None:
            raise errors.NotFound(NOTHING)
        return MessageId(row["turn_id"])

    async def look(self, caller: Caller, turn_id: MessageId, *, is_edited: bool = False) -> Turn:
        """The turn whose answer the caller may have replaced; its question is empty where that is kept nowhere.

        Raises `NotAllowed` for anybody but who asked and while it is being answered, and `NotFound` where it is no
        answer of a model, not the channel's last, of another session, or to something that is kept no more. Where the
        question `is_edited` it may be any answer, of memory alone too, but what tells of something done; and none at
        all where it was stopped.
        """
        async with self._database.connection() as connection:
            return await _turn(connection, caller, turn_id, is_edited=is_edited)

    async def begin(self, caller: Caller, turn_id: MessageId, *, now: datetime, is_edited: bool = False) -> Replaced:
        """Takes the answer back: its record goes with what a model saved and noted for it; its turn is recorded anew.

        All of it or, in a crash, nothing; from then on the question is answered as any that was recorded. The messages
        of the old answer stand until a new one takes their place. Raises as `look` does.
        """
        space_id = caller.space_id
        async with self._database.transaction() as connection:
            await taken_back.count_in(connection, space_id)
            # Whatever is asked is recorded under the same lock: nothing comes between looking and taking back.
            await connection.fetchrow(Sql.lock_channel, space_id, caller.channel_id)
            turn = await _turn(connection, caller, turn_id, is_edited=is_edited)
            sent = list(turn.replaces or ())
            stays = await self._archivist.take_back_turn_in(connection, caller, turn_id, sent, now=now)
            until = now + leases.LEASE
            await connection.execute(Sql.replace, space_id, turn_id, self._worker, until, now, turn.unkept)
            await connection.execute(Sql.drop_proposals, space_id, turn_id)
            await connection.execute(Sql.unnote, space_id, turn_id)
            await connection.execute(Sql.erase_messages, space_id, sent)
            await ledgers.erase_in(connection, space_id, sent, now=now)
        self._archivist.changed(space_id)
        return Replaced(turn=turn, stays=stays)


async def _turn(connection: Connection, caller: Caller, turn_id: MessageId, *, is_edited: bool = False) -> Turn:
    """The turn, if its answer may be replaced for the caller. Raises as `Replacements.look` does."""
    row = await connection.fetchrow(Sql.replaceable, caller.space_id, caller.channel_id, turn_id)
    is_stopped = is_edited and row is not None and row["failure"] == STOPPED
    if row is None or (is_edited and row["stock"] in _DONE):
        raise errors.NotFound(NOT_KEPT)
    if row["model"] is None and not is_edited:
        raise errors.NotFound(NO_MODEL if row["reply_ids"] else NOT_KEPT)
    if row["asker_id"] != caller.person_id:
        raise errors.NotAllowed(ASKERS_ALONE)
    if row["is_followed"]:
        raise errors.NotFound(NOT_LAST)
    if row["state"] in {"recorded", "claimed", "sending"}:
        raise errors.NotAllowed(AT_IT)
    if not row["goes_on"]:
        raise errors.NotFound(ENDED)
    has_ended = is_stopped or (row["state"] == "answered" and row["reply_ids"])
    if not has_ended or (row["content"] is None and not row["unkept"]):
        raise errors.NotFound(NOT_KEPT)
    return Turn(
        caller=caller,
        message=_question(caller, row),
        unkept=row["unkept"] or not row["keeps"],
        replaces=tuple(map(MessageId, row["reply_ids"])),
        replaces_model=row["model"] is not None,
    )


def _question(caller: Caller, row: Row) -> Message:
    return Message(
        space_id=caller.space_id,
        channel_id=caller.channel_id,
        message_id=MessageId(row["turn_id"]),
        session_id=SessionId(row["session_id"]),
        role=Role.PERSON,
        author_id=caller.person_id,
        author=row["author"] or caller.name,
        content=row["content"] or "",
        said_at=row["said_at"] or row["recorded_at"],
        reply_to=row["reply_to"],
    )
