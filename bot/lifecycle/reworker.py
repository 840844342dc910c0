"""Goes on with what is changed of everything in a space: its language and its rooms' names, a batch at a time.

Each batch is a transaction of its own, which moves on what is written of it: whoever goes on after a crash, here or in
another process, begins where the last batch ended. No lease is needed: the row is held while a batch is done.
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot import errors, log
from bot.db.pool import Connection, Database, Row
from bot.domain import Caller, SpaceId, new_id
from bot.lifecycle.space_erasure import AHEAD
from bot.store import reworks
from bot.store.archivist import Archivist, Indexed
from bot.store.files import attachments
from bot.store.reworks import BEFORE_ALL, Progress, Rework, ReworkKind

_log = log.logger(__name__)

BATCH: Final = 500
"""Texts that are indexed anew in one transaction."""
FILES: Final = 10
"""Messages of which the files are: each may be long."""
SETTLED_AFTER: Final = timedelta(minutes=15)
"""After a change of language: so long a turn that had begun, or another process, may write texts as before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stage:
    """Texts that are gone over for another language."""

    texts: Indexed | None
    """None for files."""
    most: int = BATCH
    is_late: bool = False
    """Whether these are gone over again, once nobody writes as before: what was said since the change."""


STAGES: Final = (
    _Stage(texts=Indexed.MEMORIES),
    _Stage(texts=Indexed.MESSAGES),
    _Stage(texts=Indexed.CHUNKS),
    _Stage(texts=None, most=FILES),
    _Stage(texts=Indexed.MESSAGES, is_late=True),
    _Stage(texts=None, most=FILES, is_late=True),
    _Stage(texts=Indexed.CHUNKS, is_late=True),
)
"""In this order. Memories need no second look: they are saved with the space locked, in its language of now."""
FIRST_LATE: Final = next(number for number, stage in enumerate(STAGES) if stage.is_late)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """How far a change of language came at once."""

    memories: int
    messages: int
    is_over: bool
    """Whether all texts were gone over; else the rest is behind, and found by the words of the language before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """What one transaction did."""

    stage: int
    seen: int
    is_full: bool
    """Whether there may be more of the same."""


class Reworker:
    """Changes languages, and goes on with all changes of everything, in the background."""

    def __init__(
        self,
        database: Database,
        archivist: Archivist,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        clock: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._archivist = archivist
        self._spawn = spawn
        self._clock = clock
        self._at_work = set[SpaceId]()

    async def set_language(self, caller: Caller, language: str) -> Reindexed:
        """Has texts written and looked for in a language from now on; those there are, as far as one batch goes.

        Raises `NotFound` for a space that is not known.
        """
        space_id = caller.space_id
        async with self._database.once() as connection:
            space = await reworks.locked_in(connection, space_id)
            await reworks.begin_language_in(connection, space, language, now=self._clock())
        self._archivist.changed(space_id)
        rework = Rework(space_id=space_id, kind=ReworkKind.LANGUAGE, former="", stage=0)
        seen, done = dict.fromkeys(Indexed, 0), None
        while (done is None or not done.is_full) and rework.stage < FIRST_LATE:
            done = await self._indexed(rework)
            if done is None:
                break
            if (texts := STAGES[done.stage].texts) is not None:
                seen[texts] += done.seen
            rework = replace(rework, stage=done.stage + 1)
        is_over = done is not None and not done.is_full
        if not is_over:
            self.soon(space_id)
        return Reindexed(memories=seen[Indexed.MEMORIES], messages=seen[Indexed.MESSAGES], is_over=is_over)

    async def under_way(self, space_id: SpaceId) -> list[Progress]:
        """What is under way in a space, what was begun first first; no language any more of which all was gone over."""
        found = await reworks.under_way(self._database, space_id)
        return [progress for progress in found if progress.stage < FIRST_LATE]

    def soon(self, space_id: SpaceId) -> None:
        """Goes on in the background with what is due in a space."""
        self._spawn(self.run([space_id]))

    async def run(self, spaces: Sequence[SpaceId]) -> None:
        """Goes on with what is due in these spaces until it is over, or waits; each space in one task of a process."""
        for rework in await reworks.due(self._database, spaces, now=self._clock()):
            space_id = rework.space_id
            if space_id in self._at_work:
                continue
            self._at_work.add(space_id)
            try:
                await reworks.count(self._database, space_id)
                await self._finish(rework)
            except errors.NotFound:
                # The space was erased meanwhile.
                continue
            finally:
                self._at_work.discard(space_id)

    async def _finish(self, rework: Rework) -> None:
        if rework.kind is ReworkKind.ROOM:
            while await self._archivist.go_on_moving(rework, now=self._clock()):
                pass
            _log.info("room.moved", space_id=rework.space_id)
            return
        stage: int | None = rework.stage
        while stage is not None:
            stage = await self._go_on(replace(rework, stage=stage))

    async def _go_on(self, rework: Rework) -> int | None:
        """Does one batch; which stage comes next, none where it is over, waits, or is another process's."""
        done = await self._indexed(rework)
        if done is None:
            return None
        stage = done.stage if done.is_full else done.stage + 1
        return stage if stage < len(STAGES) else None

    async def _indexed(self, rework: Rework) -> _Batch | None:
        """One batch of a change of language; none where it is not due, over, or another process's."""
        now = self._clock()
        is_last = rework.stage == len(STAGES) - 1
        async with self._database.transaction() as connection:
            if STAGES[rework.stage].texts is Indexed.MEMORIES or is_last:
                # First, as whoever changes the language does; and only for texts that are short.
                await reworks.locked_in(connection, rework.space_id)
            row = await reworks.hold_in(connection, rework, now=now)
            if row is None or row["stage"] != rework.stage:
                return None
            stage = STAGES[rework.stage]
            found = await self._reindex(connection, rework, stage, row)
            is_full = found["seen"] >= stage.most
            if is_full:
                await reworks.went_on_in(
                    connection, rework, stage=rework.stage, after_id=found["last_id"], done=found["seen"], next_at=now
                )
            elif is_last:
                await reworks.end_in(connection, rework)
                _log.info("language.changed", space_id=rework.space_id)
            else:
                await self._next(connection, rework, row, found["seen"], now)
        return _Batch(stage=rework.stage, seen=found["seen"], is_full=is_full)

    async def _reindex(self, connection: Connection, rework: Rework, stage: _Stage, row: Row) -> Row:
        language, after, most = row["latter"], row["after_id"], stage.most
        if stage.texts is None:
            return await attachments.reindex_in(connection, rework.space_id, language=language, after=after, most=most)
        return await self._archivist.reindex_in(
            connection, rework.space_id, stage.texts, language=language, after=after, most=most
        )

    async def _next(self, connection: Connection, rework: Rework, row: Row, seen: int, now: datetime) -> None:
        """Turns to the next texts: all of them, or of what is gone over again what was said since the change."""
        began: datetime = row["started_at"]
        following = STAGES[rework.stage + 1]
        since = new_id(began - AHEAD) if following.is_late and following.texts is not Indexed.CHUNKS else BEFORE_ALL
        next_at = max(now, began + SETTLED_AFTER) if following.is_late else now
        await reworks.went_on_in(connection, rework, stage=rework.stage + 1, after_id=since, done=seen, next_at=next_at)
