"""Moves turns through their states (recorded, claimed, sending, answered), each step one commit."""

import contextlib
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, LiteralString

import asyncpg

from bot import errors, log
from bot.db import statements
from bot.db.pool import Database, Row
from bot.domain import (
    UNDO_WINDOW,
    Caller,
    ChannelId,
    Forgettable,
    Message,
    MessageId,
    PersonId,
    SessionId,
    SpaceId,
    Stock,
    Turn,
    WorkerId,
    ids_in,
)
from bot.infra import leases
from bot.store.trail import Trail, TurnRecord

_log = log.logger(__name__)

ANSWER_WITHIN: Final = timedelta(minutes=10)
"""An unanswered question older than this is listed, not answered."""
STOPPED: Final = "stopped"
"""Why a turn failed that somebody stopped before anything was shown."""
HATHI: Final = "Hathi"
_A_DAY: Final = ids_in(timedelta(days=1))
"""As ids count time."""


class Sql:
    """Statements of turns."""

    record: Final = statements.named("turn.record")
    recorded: Final = statements.named("turn.recorded")
    lock_channel: Final = statements.named("space.lock_channel")
    claim: Final = statements.named("turn.claim")
    sending: Final = statements.named("turn.sending")
    answered: Final = statements.named("turn.answered")
    failed: Final = statements.named("turn.failed")
    reopen: Final = statements.named("turn.reopen")
    take_back: Final = statements.named("turn.take_back")
    renew: Final = statements.named("turn.renew")
    unfinished: Final = statements.named("turn.unfinished")
    take_over: Final = statements.named("turn.take_over")
    overhear: Final = statements.named("turn.overhear")
    stranded: Final = statements.named("turn.stranded")
    in_progress: Final = statements.named("turn.in_hand")
    state: Final = statements.named("turn.state")
    as_command: Final = statements.named("turn.as_command")
    before: Final = statements.named("turn.before")
    asking: Final = statements.named("turn.asking")
    of_askers_words: Final = statements.named("turn.of_askers_words")
    without_memory: Final = statements.named("turn.without_memory")
    asked_lately: Final = statements.named("turn.asked_lately")
    withdraw: Final = statements.named("turn.withdraw")
    has_told: Final = statements.named("turn.has_told")
    stocks: Final = statements.named("turn.stocks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A turn that a worker left unfinished."""

    turn_id: MessageId
    session_id: SessionId
    state: str
    worker: str
    question: str
    author: str | None
    """None where nothing was recorded of it but its turn."""
    author_id: PersonId | None
    asker_id: PersonId
    unkept: bool
    recorded_at: datetime
    kept: str | None
    kept_whole: bool
    is_run: bool = False
    """Whether it was written by a workflow, each of whose steps names who speaks."""
    audience: frozenset[ChannelId] = frozenset()
    """The channels that everyone could read for whom its reply was made."""
    withdrawing: bool = False
    """Whether what stands of its reply is to go."""
    failure: str | None = None
    """Why it is to be closed, once that is gone."""
    reply_to: MessageId | None = None
    said_at: datetime | None = None
    """None where its question is recorded nowhere."""
    replaces: tuple[MessageId, ...] | None = None
    """The messages of an earlier reply, whose place its reply takes."""


class Turns:
    """The state machine of turns, on behalf of one worker."""

    def __init__(
        self,
        database: Database,
        worker: WorkerId,
        *,
        said: Callable[[SpaceId, ChannelId], None] = lambda _space_id, _channel_id: None,
    ) -> None:
        self._database = database
        self._said = said
        """Told of each message that was recorded."""
        self.worker = worker
        """Who records, claims and leaves turns here."""
        self._held: set[MessageId] = set()
        """The turns this worker is at work on."""

    async def record(
        self, turn: Turn, *, now: datetime | None = None, behind: bool = False, again: bool = False
    ) -> Turn | None:
        """Records the turn with its session, claimed where possible; none when the message was recorded before.

        Its lease runs from `now`, or from when it was said. `behind` says that something said before it may have been
        missed, and `again` that it was tried before: what this worker has recorded and is not at work on is that try's.
        """
        said, at = turn.message, now or turn.message.said_at
        async with self._database.connection() as connection:
            found = await connection.fetchrow(
                Sql.record,
                said.space_id,
                said.channel_id,
                said.message_id,
                said.author_id,
                said.author,
                said.content,
                said.reply_to,
                said.said_at,
                self.worker,
                at + leases.LEASE,
                turn.caller.language,
                behind,
                at,
            )
            if found is None and again and said.message_id not in self._held:
                found = await connection.fetchrow(Sql.recorded, said.space_id, said.message_id, self.worker)
        if found is None:
            return None
        self._said(said.space_id, said.channel_id)
        return _recorded(turn, found)

    async def overhear(self, said: Message, *, language: str, behind: bool = False) -> bool:
        """Records a message that asks nothing, where the channel's mode and its author allow; whether it was."""
        async with self._database.connection() as connection:
            found = await connection.fetchval(
                Sql.overhear,
                said.space_id,
                said.channel_id,
                said.message_id,
                said.author_id,
                said.author,
                said.content,
                said.reply_to,
                said.said_at,
                language,
                behind,
            )
        if found is not None:
            self._said(said.space_id, said.channel_id)
        return found is not None

    async def claim(self, turn: Turn, *, now: datetime) -> Turn | None:
        """Claims the turn for this worker; none while another turn of the channel is in progress."""
        said = turn.message
        async with self._database.transaction() as connection:
            await connection.execute(Sql.lock_channel, said.space_id, said.channel_id)
            found = await connection.fetchrow(
                Sql.claim, said.space_id, said.channel_id, said.message_id, self.worker, now + leases.LEASE, now
            )
        if found is None:
            return None
        message = replace(said, session_id=SessionId(found["session_id"]))
        return replace(turn, unkept=found["unkept"], message=message, taken_back=found["taken_back"])

    async def is_mine(self, turn: Turn) -> bool:
        """Whether the turn still waits for this worker."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.state, turn.caller.space_id, turn.message.message_id)
        return row is not None and row["worker"] == self.worker and row["state"] in {"recorded", "claimed"}

    async def sending(
        self,
        turn: Turn,
        kept: str,
        *,
        whole: bool,
        record: TurnRecord | None = None,
        compared: int | None = None,
        again: bool = False,
    ) -> bool:
        """Saves what is about to be shown and what it was made from; false when another worker has the turn.

        With the audience of its caller, unless `again` says that this was saved before. Raises `TakenBackMeanwhile`
        where something of the space was taken back since the text was `compared` with what is left of it, if it was:
        how often that had happened by then.
        """
        made = record or TurnRecord()
        trail = made.trail.as_json()
        async with self._database.connection() as connection:
            done = await connection.fetchrow(
                Sql.sending,
                turn.caller.space_id,
                turn.message.message_id,
                self.worker,
                kept,
                whole,
                [*made.shown],
                trail,
                [*made.made_from],
                made.stock,
                compared,
                None if again else [*turn.caller.visible],
            )
        return _is_done(done, compared)

    async def take_back(self, turn: Turn) -> None:
        """Saves that what was shown of the reply is to go, before that is tried."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.take_back, turn.caller.space_id, turn.message.message_id, self.worker)

    async def as_command(self, turn: Turn) -> Turn:
        """Reduces the turn to a record that something was given, as for a command."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.as_command, turn.caller.space_id, turn.message.message_id, self.worker)
        return replace(turn, unkept=True)

    async def before(self, turn: Turn) -> MessageId | None:
        """The asker's last message to Hathi here before this turn; none where there is none."""
        row = await self._before(turn)
        return None if row is None else MessageId(row["turn_id"])

    async def last_heard_at(self, turn: Turn) -> datetime | None:
        """When the asker's last message to Hathi here before this turn was recorded; none where there is none."""
        row = await self._before(turn)
        return None if row is None else row["recorded_at"]

    async def heard_by_rote(self, turn: Turn, since: Message) -> bool:
        """Whether the last reply to the asker here was a set text, to something said since a question."""
        row = await self._before(turn)
        return row is not None and row["stock"] is not None and row["turn_id"] > since.message_id

    async def just_heard(self, turn: Turn) -> MessageId | None:
        """The asker's last message here, if Hathi only acknowledged it."""
        row = await self._before(turn)
        return MessageId(row["turn_id"]) if row is not None and row["stock"] == Stock.HEARD else None

    async def is_first(self, turn: Turn) -> bool:
        """Whether the asker said nothing to Hathi here before, or only greeted and asked what it is."""
        row = await self._before(turn)
        return row is None or row["stock"] in {Stock.GREETING, Stock.WHO, Stock.HELP}

    async def asks(self, turn: Turn, *, now: datetime) -> Forgettable | None:
        """What Hathi asked the asker just before this turn; none where it asked nothing lately."""
        row = await self._before(turn)
        if row is None or row["stock"] != Stock.ASKED or now - row["answered_at"] > UNDO_WINDOW:
            return None
        return Trail.of(row["trail"]).forgets

    async def offers_more(self, turn: Turn) -> bool:
        """Whether the last reply to the asker here offers to search again."""
        row = await self._before(turn)
        return row is not None and bool(Trail.of(row["trail"]).again)

    async def asked_lately(self, turn: Turn, *, now: datetime) -> bool:
        """Whether a question of Hathi's to the asker is still open."""
        return await self._of_forgetting(turn, now) == Stock.ASKED

    async def withdraw(self, turn: Turn) -> None:
        """Asks no more what the asker was asked here before this turn: nothing under it forgets anything then."""
        said = turn.message
        async with self._database.connection() as connection:
            await connection.execute(
                Sql.withdraw,
                said.space_id,
                said.channel_id,
                turn.caller.person_id,
                said.message_id,
                said.message_id - _A_DAY,
            )

    async def _of_forgetting(self, turn: Turn, now: datetime) -> str | None:
        """The later of the last question what to forget and the last answer to one."""
        said = turn.message
        async with self._database.connection() as connection:
            return await connection.fetchval(
                Sql.asked_lately,
                said.space_id,
                said.channel_id,
                turn.caller.person_id,
                said.message_id,
                said.message_id - _A_DAY,
                now - UNDO_WINDOW,
            )

    async def asked(self, caller: Caller, turn_id: MessageId) -> tuple[PersonId, Forgettable] | None:
        """Who was asked by a reply to this turn, and about what; none where nobody was."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.asking, caller.space_id, caller.channel_id, turn_id)
        if row is None or row["stock"] != Stock.ASKED:
            return None
        forgets = Trail.of(row["trail"]).forgets
        return None if forgets is None else (PersonId(row["asker_id"]), forgets)

    async def has_told(self, turn: Turn, stock: Collection[Stock]) -> bool:
        """Whether the asker was told one of these set texts before in this session."""
        said = turn.message
        async with self._database.connection() as connection:
            return await connection.fetchval(
                Sql.has_told,
                said.space_id,
                said.channel_id,
                turn.caller.person_id,
                said.session_id,
                said.message_id,
                [*stock],
            )

    async def stocks(self, caller: Caller, ids: Collection[MessageId]) -> dict[MessageId, Stock | None]:
        """Which set text each of Hathi's messages in the caller's channel is, none for an answer; as far as known."""
        if not ids:
            return {}
        earliest = min(ids) - _A_DAY
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.stocks, caller.space_id, caller.channel_id, [*ids], earliest, max(ids))
        return {MessageId(row["message_id"]): row["stock"] and Stock(row["stock"]) for row in found}

    async def of_askers_words(self, caller: Caller, ids: Collection[MessageId]) -> frozenset[MessageId]:
        """Those of Hathi's messages in the caller's channel that are known to hold nobody's words but the asker's."""
        return await self._of(Sql.of_askers_words, caller, ids)

    async def without_memory(self, caller: Caller, ids: Collection[MessageId]) -> frozenset[MessageId]:
        """Those of them that are known to be made of nothing that memory has."""
        return await self._of(Sql.without_memory, caller, ids)

    async def _of(self, statement: LiteralString, caller: Caller, ids: Collection[MessageId]) -> frozenset[MessageId]:
        """Which of these messages of Hathi's in the caller's channel a statement finds."""
        earliest = min(ids) - _A_DAY
        async with self._database.connection() as connection:
            found = await connection.fetch(statement, caller.space_id, caller.channel_id, [*ids], earliest, max(ids))
        return frozenset(MessageId(row["message_id"]) for row in found)

    async def _before(self, turn: Turn) -> Row | None:
        said = turn.message
        async with self._database.connection() as connection:
            return await connection.fetchrow(
                Sql.before,
                said.space_id,
                said.channel_id,
                turn.caller.person_id,
                said.message_id,
                said.message_id - _A_DAY,
            )

    async def answered(
        self,
        turn: Turn,
        reply: Message,
        record: TurnRecord,
        reply_ids: Sequence[MessageId] = (),
        *,
        compared: int | None = None,
    ) -> bool:
        """Records the reply and closes the turn; false when it is closed already or another worker's.

        A reply that can't be stored, now or ever, closes the turn too. `reply_ids` are all the messages the reply was
        sent as, the first of them the reply's own. Raises `TakenBackMeanwhile` as `sending` does.
        """
        try:
            return await self._answered(turn, reply, record, [*reply_ids] or [reply.message_id], compared)
        except (asyncpg.DataError, asyncpg.ProgramLimitExceededError) as exc:
            _log.error("turn.not_storable", turn_id=turn.message.message_id, error=type(exc).__name__)
            await self.failed(turn, "not storable", now=reply.said_at)
            return False

    async def _answered(
        self, turn: Turn, reply: Message, record: TurnRecord, sent: Sequence[MessageId], compared: int | None
    ) -> bool:
        trail = record.trail.as_json()
        async with self._database.connection() as connection:
            done = await connection.fetchrow(
                Sql.answered,
                turn.caller.space_id,
                turn.message.message_id,
                self.worker,
                sent,
                reply.message_id,
                HATHI,
                reply.content,
                reply.said_at,
                reply.cut_off,
                [*record.shown],
                trail,
                record.model,
                record.tokens_in,
                record.tokens_out,
                record.durations,
                turn.caller.language,
                compared,
            )
        return _is_done(done, compared)

    async def failed(self, turn: Turn, why: str, *, now: datetime) -> None:
        """Closes a turn without a reply."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.failed, turn.caller.space_id, turn.message.message_id, self.worker, why, now)

    async def reopen(self, turn: Turn) -> None:
        """Lets a turn be answered anew, of whose reply nothing was shown."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.reopen, turn.caller.space_id, turn.message.message_id, self.worker)

    async def close_left(self, space_id: SpaceId, turn_id: MessageId, why: str, *, now: datetime) -> None:
        """Closes a turn by its id, such as one whose channel is gone."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.failed, space_id, turn_id, self.worker, why, now)

    @contextlib.asynccontextmanager
    async def holding(
        self, space_id: SpaceId, turn_id: MessageId, clock: Callable[[], datetime]
    ) -> AsyncGenerator[None]:
        """Renews the lease of a turn, or of a command, while the block runs.

        Until it ends the turn is not left behind, though its lease may run out while the database is away.
        """

        async def renew() -> None:
            async with self._database.connection() as connection:
                until = clock() + leases.LEASE
                await connection.execute(Sql.renew, space_id, [turn_id], self.worker, until)

        self._held.add(turn_id)
        try:
            async with leases.holding(renew):
                yield
        finally:
            self._held.discard(turn_id)

    async def left_behind(
        self, space_id: SpaceId, channel_id: ChannelId, *, now: datetime, alone: bool
    ) -> list[Unfinished]:
        """Takes over turns of a channel whose worker is gone.

        Gone is: the lease ran out, the process of this machine ended, or (`alone`) nobody else can be using the
        database. One of this worker's own is left behind when nobody renews its lease any more.
        """
        found = await self.taken_over(Sql.unfinished, space_id, channel_id, now=now, alone=alone)
        return [
            Unfinished(
                turn_id=MessageId(row["turn_id"]),
                session_id=SessionId(row["session_id"]),
                state=row["state"],
                worker=row["worker"],
                question=row["content"] or "",
                author=row["author"],
                author_id=None if row["author_id"] is None else PersonId(row["author_id"]),
                asker_id=PersonId(row["asker_id"]),
                unkept=row["unkept"],
                recorded_at=row["recorded_at"],
                kept=row["kept"],
                kept_whole=row["kept_whole"],
                is_run=row["is_run"],
                audience=frozenset(map(ChannelId, row["audience"])),
                withdrawing=row["withdrawing"],
                failure=row["failure"],
                reply_to=None if row["reply_to"] is None else MessageId(row["reply_to"]),
                said_at=row["said_at"],
                replaces=tuple(map(MessageId, row["reply_ids"])) or None,
            )
            for row in found
        ]

    async def taken_over(
        self, left: LiteralString, space_id: SpaceId, channel_id: ChannelId, *, now: datetime, alone: bool
    ) -> list[Row]:
        """What a statement finds in hand in a channel and nobody is at work on any more; this worker's from now on."""
        async with self._database.transaction() as connection:
            found = [
                row
                for row in await connection.fetch(left, space_id, channel_id)
                if row["turn_id"] not in self._held and self._is_left(row, now, alone=alone)
            ]
            if not found:
                return []
            turns, workers = [row["turn_id"] for row in found], [row["worker"] for row in found]
            taken = await connection.fetch(Sql.take_over, space_id, turns, workers, self.worker, now + leases.LEASE)
        mine = {row["turn_id"] for row in taken}
        return [row for row in found if row["turn_id"] in mine]

    def _is_left(self, row: Row, now: datetime, *, alone: bool) -> bool:
        """Whether nobody has the turn in hand any more."""
        is_others = row["worker"] != self.worker
        return row["lease_until"] < now or (is_others and (alone or leases.certainly_gone(row["worker"])))

    async def stranded(self, spaces: Sequence[SpaceId], *, now: datetime) -> list[tuple[SpaceId, ChannelId]]:
        """The channels of these spaces in which another worker, maybe dead, has a turn in progress."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.stranded, [*spaces], self.worker, now)
        return [(SpaceId(row["space_id"]), ChannelId(row["channel_id"])) for row in found]

    async def in_progress(self, space_id: int, channel_id: int, session_id: SessionId, *, now: datetime) -> int:
        """How many turns of a session are still being answered."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.in_progress, space_id, channel_id, session_id, now)


def _recorded(turn: Turn, row: Row) -> Turn:
    message = replace(turn.message, session_id=SessionId(row["session_id"]))
    claimed = row["state"] == "claimed"
    return replace(turn, message=message, unkept=row["unkept"], claimed=claimed, taken_back=row["taken_back"])


def _is_done(row: Row | None, compared: int | None) -> bool:
    """Whether a statement did what it was to do. Raises `TakenBackMeanwhile` where that is why it did not."""
    assert row is not None
    if not row["is_done"] and compared is not None and row["taken_back"] != compared:
        raise errors.TakenBackMeanwhile(row["taken_back"])
    return row["is_done"]
