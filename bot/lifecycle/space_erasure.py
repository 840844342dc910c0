"""Erases what stands of a whole space, in bounded batches that resume: its words alone, or everything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, LiteralString

from bot import log
from bot.db import statements
from bot.db.pool import Database, Row, affected
from bot.domain import MessageId, SpaceId, new_id
from bot.store import taken_back, word_counts
from bot.store.archivist import Archivist
from bot.store.learnings import Why
from bot.store.memory_use import day_of

_log = log.logger(__name__)

BATCH: Final = 1000
"""Rows, or sessions or people with theirs, that go in one transaction."""
COUNTED: Final = 10_000
"""Of whoever has more is told that, before anything is erased: to count a million takes half a minute."""
AT_ONCE: Final = 100
"""Spaces, or people, of which erasures are gone on with."""
AHEAD: Final = timedelta(minutes=1)
"""How far Discord's clock, by which messages are numbered, may be ahead of this one."""
_ALL: Final = 2**63 - 1


class Sql:
    """The statements about everything in one space."""

    counts: Final = statements.named("space_erasure.counts")
    begin: Final = statements.named("space_erasure.begin")
    is_emptied: Final = statements.named("space_erasure.is_emptied")
    unfinished: Final = statements.named("space_erasure.unfinished")
    over: Final = statements.named("space_erasure.over")
    fail_turns: Final = statements.named("space_erasure.fail_turns")
    messages: Final = statements.named("space_erasure.messages")
    proposals: Final = statements.named("space_erasure.proposals")
    erasures: Final = statements.named("space_erasure.erasures")
    standing: Final = statements.named("space_erasure.standing")
    turns: Final = statements.named("space_erasure.turns")
    notes: Final = statements.named("space_erasure.notes")
    wakes: Final = statements.named("space_erasure.wakes")
    summaries: Final = statements.named("space_erasure.summaries")
    chunks: Final = statements.named("space_erasure.chunks")
    condensations: Final = statements.named("space_erasure.condensations")
    trackers: Final = statements.named("space_erasure.trackers")
    uses: Final = statements.named("space_erasure.uses")
    stop_learning: Final = statements.named("learning.stop_all")
    learnings: Final = statements.named("space_erasure.learnings")
    past_sessions: Final = statements.named("space_erasure.past_sessions")
    names: Final = statements.named("space_erasure.names")
    sessions: Final = statements.named("space_erasure.sessions")
    unfinished_turns: Final = statements.named("space_erasure.unfinished_turns")
    place_settings: Final = statements.named("space_erasure.place_settings")
    channels: Final = statements.named("space_erasure.channels")
    strangers: Final = statements.named("space_erasure.strangers")
    acquaintances: Final = statements.named("space_erasure.acquaintances")
    rooms: Final = statements.named("rework.drop_rooms")
    reworks: Final = statements.named("rework.drop")
    upkeep: Final = statements.named("space_erasure.upkeep")
    space: Final = statements.named("space_erasure.space")
    note: Final = statements.named("erasure.note")
    lock_space: Final = statements.named("space.lock")
    lock_gone: Final = statements.named("departure.lock_gone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """How much of a person or a space is erased, or would be."""

    messages: int = 0
    """Where a whole space is emptied, Hathi's among them."""
    replies: int = 0
    """Hathi's, to somebody's messages or made from them."""
    memories: int = 0
    summaries: int = 0
    """Chat summaries that are gone, or made again without somebody; the latter are not known before."""
    notes: int = 0
    turns: int = 0
    """Records of how questions were answered."""
    names: int = 0
    is_least: bool = False
    """Whether there may be more of each: before anything goes it is counted only so far."""
    in_progress: tuple[MessageId, ...] = ()
    """Questions that were still being answered: whoever answers one is to stop."""

    def plus(self, more: "Receipt") -> "Receipt":
        """The sum of both."""
        added = {name: getattr(self, name) + getattr(more, name) for name in self.__dataclass_fields__}
        return replace(Receipt(**added), is_least=self.is_least or more.is_least)

    @classmethod
    def so_far(cls, row: Mapping[str, Any]) -> "Receipt":
        """What was counted no further than to `COUNTED`."""
        return cls(**row, is_least=any(count >= COUNTED for count in row.values()))


class SpaceErasure:
    """Deletes a space's rows; begun again after a crash it goes on where it stopped."""

    def __init__(self, database: Database, archivist: Archivist) -> None:
        self._database = database
        self._archivist = archivist

    async def counts(self, space_id: SpaceId) -> Receipt:
        """What `empty` would take, each counted no further than to `COUNTED`."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.counts, space_id, COUNTED)
        return Receipt.so_far(dict(row or {}))

    async def empty(
        self, space_id: SpaceId, *, now: datetime, tombstones: bool, asking: MessageId | None = None
    ) -> Receipt:
        """Erases everything that was said or made of it until now; settings and channels stay, with a session each.

        From the first moment nothing of it is read any more, nor what stands of it on Discord.
        With or without `tombstones`, by which what people forgot one by one is not read on Discord again. The turn that
        is `asking` for it is not closed. The ids of messages and memories are noted, to be looked for a day later.
        """
        through = new_id(now + AHEAD)
        async with self._database.transaction() as connection:
            await taken_back.count_in(connection, space_id)
            # Today's stays: by emptying a space nobody gets a second budget.
            await connection.execute(Sql.uses, space_id, day_of(now))
            await connection.execute(Sql.begin, space_id, now, new_id(now))
            failed = await connection.fetch(Sql.fail_turns, space_id, now, asking or 0, through)
            await connection.execute(Sql.stop_learning, space_id, Why.ERASED)
            row = await connection.fetchrow(Sql.lock_space, space_id)
        # First what tells of all of it, which is little.
        await self._swept(Sql.condensations, space_id, through)
        summaries = await self._swept(Sql.summaries, space_id, through)
        await self._swept(Sql.chunks, space_id, through)
        messages = await self._messages(space_id, through, now)
        # Then what a chunk or a summary holds that is just being made: it is waited for, and swept after, or fails.
        await self._swept(Sql.trackers, space_id)
        await self._swept(Sql.past_sessions, space_id, through)
        await self._swept(Sql.chunks, space_id, through)
        # Once more: a condensation that is just being written of them is waited for.
        await self._swept(Sql.trackers, space_id)
        await self._swept(Sql.condensations, space_id, through)
        summaries += await self._swept(Sql.summaries, space_id, through)
        await self._swept(Sql.proposals, space_id, through)
        turns = await self._swept(Sql.turns, space_id, through)
        notes = await self._swept(Sql.notes, space_id, through)
        await self._swept(Sql.wakes, space_id, through)
        memories = await self._memories(space_id, 0 if row is None else row["memory_count"], now, tombstones=tombstones)
        names = await self._swept(Sql.names, space_id)
        async with self._database.connection() as connection:
            await connection.execute(Sql.rooms, space_id)
            await connection.execute(Sql.over, space_id)
            # Once more: what was begun in between may have read what had not gone yet.
            await taken_back.count_in(connection, space_id)
            await word_counts.drop_in(connection, space_id)
        self._archivist.changed(space_id)
        _log.info("space.emptied", space_id=space_id, messages=messages, memories=memories)
        return Receipt(
            messages=messages,
            memories=memories,
            summaries=summaries,
            notes=notes,
            turns=turns,
            names=names,
            in_progress=tuple(MessageId(turn["turn_id"]) for turn in failed),
        )

    async def left(self, space_id: SpaceId) -> Receipt | None:
        """What is left of a space that is being emptied, counted no further than to `COUNTED`; none of any other."""
        async with self._database.connection() as connection:
            if await connection.fetchval(Sql.is_emptied, space_id) is None:
                return None
        return await self.counts(space_id)

    async def finish(self, *, before: datetime) -> int:
        """Goes on with what was begun before a moment and is not over: whoever did it has died since; how many."""
        done = 0
        while unfinished := await self._unfinished(before):
            for row in unfinished:
                # As it was begun: what is said since is no part of it.
                await self.empty(SpaceId(row["space_id"]), now=row["emptying_at"], tombstones=False)
            done += len(unfinished)
        return done

    async def _unfinished(self, before: datetime) -> Sequence[Row]:
        async with self._database.connection() as connection:
            return await connection.fetch(Sql.unfinished, before, AT_ONCE)

    async def remove(self, space_id: SpaceId, *, gone_before: datetime) -> bool:
        """Erases everything of a server that Hathi left before then, the server last; false where it is back."""
        whole: tuple[tuple[LiteralString, tuple[int | date, ...]], ...] = (
            # First, and then what was made of them: of messages that are gone nobody makes more.
            (Sql.messages, (_ALL, BATCH)),
            (Sql.chunks, (_ALL, BATCH)),
            (Sql.summaries, (_ALL, BATCH)),
            (Sql.trackers, (BATCH,)),
            (Sql.condensations, (_ALL, BATCH)),
            (Sql.proposals, (_ALL, BATCH)),
            (Sql.erasures, (BATCH,)),
            (Sql.standing, (BATCH,)),
            (Sql.uses, (date.max,)),
            (Sql.unfinished_turns, (BATCH,)),
            (Sql.notes, (_ALL, BATCH)),
            (Sql.wakes, (_ALL, BATCH)),
            (Sql.sessions, (BATCH,)),
            (Sql.learnings, (BATCH,)),
            (Sql.names, (BATCH,)),
            (Sql.place_settings, (BATCH,)),
            (Sql.channels, (BATCH,)),
            (Sql.strangers, (BATCH,)),
            (Sql.acquaintances, (BATCH,)),
        )
        for statement, args in whole:
            gone = 1
            while gone:
                async with self._database.transaction() as connection:
                    if await connection.fetchrow(Sql.lock_gone, space_id, gone_before) is None:
                        return False
                    gone = affected(await connection.execute(statement, space_id, *args))
        while True:
            async with self._database.transaction() as connection:
                if await connection.fetchrow(Sql.lock_gone, space_id, gone_before) is None:
                    return False
                if any(await self._archivist.drop_in(connection, space_id, _ALL, BATCH, tombstones=True)):
                    continue
                await self._archivist.drop_tally_in(connection, space_id)
                await word_counts.drop_in(connection, space_id)
                await connection.execute(Sql.reworks, space_id)
                await connection.execute(Sql.upkeep, space_id)
                await connection.execute(Sql.space, space_id)
            self._archivist.changed(space_id)
            _log.info("space.removed", space_id=space_id)
            return True

    async def _messages(self, space_id: SpaceId, through: int, now: datetime) -> int:
        messages = 0
        while True:
            async with self._database.transaction() as connection:
                gone = [row["message_id"] for row in await connection.fetch(Sql.messages, space_id, through, BATCH)]
                if not gone:
                    return messages
                await connection.execute(Sql.note, space_id, new_id(now), gone, [], now)
            messages += len(gone)

    async def _memories(self, space_id: SpaceId, through: int, now: datetime, *, tombstones: bool) -> int:
        memories = 0
        while True:
            async with self._database.transaction() as connection:
                await connection.fetchrow(Sql.lock_space, space_id)
                gone, more = await self._archivist.drop_in(connection, space_id, through, BATCH, tombstones=tombstones)
                if gone:
                    await connection.execute(Sql.note, space_id, new_id(now), [], gone, now)
            memories += len(gone)
            if not (gone or more):
                break
        gone = [0]
        while gone:
            async with self._database.transaction() as connection:
                await connection.fetchrow(Sql.lock_space, space_id)
                # What was made in between of messages that are gone now.
                gone = await self._archivist.drop_distilled_in(connection, space_id, through, now + AHEAD, BATCH)
                if gone:
                    await connection.execute(Sql.note, space_id, new_id(now), [], gone, now)
            memories += len(gone)
        return memories

    async def _swept(self, statement: LiteralString, space_id: SpaceId, *through: int) -> int:
        swept = 0
        while gone := await self.batch(statement, space_id, *through):
            swept += gone
        return swept

    async def batch(self, statement: LiteralString, space_id: SpaceId, *through: int) -> int:
        """Runs one statement for at most so many rows; returns how many."""
        async with self._database.connection() as connection:
            return affected(await connection.execute(statement, space_id, *through, BATCH))
