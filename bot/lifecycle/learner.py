"""Reads what was said in a channel before Hathi listened, a page at a time, and makes memory of it."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol

from bot import errors, log
from bot.config import ChunkSettings
from bot.domain import Caller, ChannelId, Message, MessageId, SpaceId, new_id
from bot.infra import leases
from bot.lifecycle import seams
from bot.lifecycle.discord_edits import DiscordEdits
from bot.lifecycle.distilling import MOST_FAILURES, Distiller
from bot.store.chunks import Distilled
from bot.store.learnings import MODE, Learning, Learnings, Stage, Why
from bot.store.memory_use import next_day
from bot.store.spaces import Spaces
from bot.store.unstored import Unstored

_log = log.logger(__name__)

PAGE: Final = 100
"""Messages of one request."""
MOST_THREADS: Final = 500
"""Public threads of a channel that are learned with it, those in which something was said last."""
AT_ONCE: Final = 2
"""Channels that are learned at once in one process."""
_LEAVING: Final = 200
"""Messages of somebody who wants no part that go in one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPage:
    """Some messages of a channel, as Discord has them."""

    said: tuple[Message, ...]
    """What people said and may be learned, oldest first."""
    ids: tuple[MessageId, ...]
    """All that are on it, and at least one."""
    stands: Callable[[Iterable[MessageId]], bool]
    """Whether Discord has told of no change to these of them since."""

    @property
    def read(self) -> int:
        """How many those are."""
        return len(self.ids)

    @property
    def through(self) -> MessageId:
        """The last of them."""
        return self.ids[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicThread:
    """A thread that everybody reads who reads its channel."""

    channel_id: ChannelId
    name: str
    messages: int
    """About how many are in it."""


class History(Protocol):
    """Where what was said before is read, and its learning announced: a connection to Discord."""

    def serves(self, space_id: SpaceId) -> bool:
        """Whether it is connected to that server."""
        ...

    async def channel(self, caller: Caller, named: str) -> ChannelId:
        """The channel of the caller's server that is named by a mention, an id or its name, if the caller reads it.

        Raises `NotFound` where there is none, or none that the caller sees, and `NotAllowed` where Hathi can't read
        what was said in it or can't say there that it will.
        """
        ...

    async def is_operator(self, caller: Caller) -> bool:
        """Whether the caller runs this Hathi. Raises `DiscordDown`."""
        ...

    async def threads(self, space_id: SpaceId, channel_id: ChannelId, since: datetime) -> list[PublicThread]:
        """The channel's public threads in which something was said since then; at most 500, oldest first.

        Raises as `page` does.
        """
        ...

    async def page(self, space_id: SpaceId, channel_id: ChannelId, after: MessageId) -> HistoryPage | None:
        """The first hundred messages after one; none where there is no more.

        Raises `NotFound` where the channel is gone or closed to Hathi, and `DiscordDown` where it is to be tried again.
        """
        ...

    async def is_open(self, space_id: SpaceId, channel_id: ChannelId) -> bool:
        """Whether Discord shows anything of what was said there: what is shut looks empty. Raises as `page` does."""
        ...

    async def announce(self, learning: Learning, begins_at: datetime) -> tuple[MessageId, datetime] | None:
        """Announces it in its channel, or finds where that was done; and since when that stands.

        None where Hathi may not write there. Raises as `page` does.
        """
        ...

    async def is_announced(self, learning: Learning) -> bool:
        """Whether the message that announces it is still there. Raises as `page` does."""
        ...

    async def show(self, learning: Learning) -> MessageId | None:
        """Shows in the announcement how far it is; what Discord refuses is only logged.

        The message that shows it from now on, where somebody deleted the one before.
        """
        ...


class Learner:
    """Announces learnings, reads them when it is time, and goes on where one stopped."""

    def __init__(
        self,
        learnings: Learnings,
        distiller: Distiller,
        edits: DiscordEdits,
        spaces: Spaces,
        unstored: Unstored,
        settings: ChunkSettings,
        keep: timedelta | None,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        clock: Callable[[], datetime],
    ) -> None:
        """`keep` is how long messages are kept; none for ever."""
        self._learnings = learnings
        self._distiller = distiller
        self._edits = edits
        self._spaces = spaces
        self._unstored = unstored
        self._settings = settings
        self._keep = keep
        self._spawn = spawn
        self._clock = clock
        self._history: History | None = None
        self._at_work = set[tuple[SpaceId, ChannelId]]()

    @property
    def history(self) -> History | None:
        """What it reads through; none where there is no connection."""
        return self._history

    def connect(self, history: History | None) -> None:
        """Reads through this connection from now on; through none, where there is none any more."""
        self._history = history

    async def look(self, spaces: Sequence[SpaceId]) -> None:
        """Begins, in the background, what is due in these spaces and this process serves; two channels at once."""
        history = self._history
        mine = [] if history is None else [space_id for space_id in spaces if history.serves(space_id)]
        if not mine:
            return
        for place in await self._learnings.due(mine, now=self._clock()):
            self._spawn(self.work(*place))

    def soon(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Goes on with one in the background, if it is time; else it is looked for again with the others."""
        if self._history is not None and self._history.serves(space_id):
            self._spawn(self.work(space_id, channel_id))

    async def stop(self, space_id: SpaceId, channel_id: ChannelId, why: Why) -> Learning | None:
        """Ends it at once, and shows that; none where nothing was to be read."""
        stopped = await self._learnings.stop(space_id, channel_id, why, now=self._clock())
        if stopped is not None and self._history is not None:
            await self._show(stopped, self._history)
        return stopped

    async def stop_all(self, space_id: SpaceId, channel_id: ChannelId, why: Why) -> None:
        """Ends what is read of a channel, and of public threads of it by themselves."""
        for learning in await self._learnings.of_space(space_id, [channel_id], most=MOST_THREADS):
            if not learning.is_over:
                await self.stop(space_id, learning.channel_id, why)

    async def work(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Does what is due of one learning, until it is done, has to wait, or another worker has it.

        Of more than two at once the others are looked for again in the next minute.
        Whatever fails is logged and tried again later, at the message where it stopped. Only a database that stays away
        raises, and then the lease runs out.
        """
        place, history = (space_id, channel_id), self._history
        if history is None or place in self._at_work or len(self._at_work) >= AT_ONCE:
            return
        self._at_work.add(place)
        try:
            learning = await self._learnings.claim(space_id, channel_id, now=self._clock())
            if learning is not None:
                async with leases.holding(lambda: self._learnings.renew(learning, now=self._clock())):
                    await self._see_through(learning, history)
        finally:
            self._at_work.discard(place)

    async def _see_through(self, learning: Learning, history: History) -> None:
        channel_id = learning.channel_id
        try:
            learning = await self._without_those_who_left(learning)
            if learning.state is Stage.ANNOUNCED:
                learning = await self._begun(learning, history)
            while learning.state is Stage.READING:
                learning = await self._show(await self._next(learning, history), history)
            await self._learnings.release(learning, now=self._clock())
        except errors.LeaseLost:
            _log.info("learning.lease_lost", channel_id=channel_id)
            await self._show_the_end(learning, history)
        except errors.DatabaseError:
            raise
        except errors.NotAllowed:
            await self.stop(learning.space_id, channel_id, Why.MODE)
        except errors.NotFound:
            await self.stop(learning.space_id, channel_id, Why.CLOSED)
        except errors.BudgetSpent:
            # What is left of it is read within the next day's.
            await self._learnings.wait(learning, next_day(self._clock()))
        except (errors.DiscordError, errors.ModelError, errors.SummaryUnusable, errors.EvidenceGone) as exc:
            retry = await self._learnings.retry_later(learning, now=self._clock())
            _log.warning("learning.failed", channel_id=channel_id, attempt=retry.failures, error=type(exc).__name__)
        except Exception:  # noqa: BLE001 - a fault of ours; the log has the cause
            _log.exception("learning.broke", channel_id=channel_id)
            await self._learnings.retry_later(learning, now=self._clock())

    async def _show(self, learning: Learning, history: History) -> Learning:
        """Shows how far it is; what shows it from now on is noted."""
        if learning.notice_id is None:
            return learning
        notice_id = await history.show(learning)
        return learning if notice_id is None else await self._learnings.moved(learning, notice_id)

    async def _show_the_end(self, learning: Learning, history: History) -> None:
        """Shows that it is over once more: what this worker showed last may have come after that."""
        found = await self._learnings.find(learning.space_id, learning.channel_id)
        if found is not None and found.is_over:
            await self._show(found, history)

    async def _begun(self, learning: Learning, history: History) -> Learning:
        """Announces it, if that was not done or does not stand any more, and begins to read once it is time."""
        begins_at = learning.begins_at
        if begins_at is None or (begins_at <= self._clock() and not await history.is_announced(learning)):
            announced = await history.announce(learning, self._clock() + learning.waits)
            if announced is None:
                await self.stop(learning.space_id, learning.channel_id, Why.SILENCED)
                raise errors.LeaseLost
            notice_id, said_at = announced
            try:
                learning = await self._learnings.announced(learning, notice_id, said_at + learning.waits)
            except errors.LeaseLost:
                # Stopped while it was being announced: what stands there is to say so.
                await self._learnings.moved(learning, notice_id)
                raise
            _log.info("learning.announced", channel_id=learning.channel_id)
        if learning.begins_at is not None and learning.begins_at <= self._clock():
            found = await history.threads(learning.space_id, learning.channel_id, learning.since)
            threads = {thread.channel_id: thread.name for thread in found}
            await self._spaces.know_threads(learning.space_id, learning.channel_id, threads, now=self._clock())
            learning = await self._learnings.begin(learning, [*threads], now=self._clock())
        return learning

    async def _next(self, learning: Learning, history: History) -> Learning:
        """Distils what is whole by now, and reads and records the next page, or goes on elsewhere; or ends."""
        learning = await self._without_those_who_left(learning)
        # Before more is read: a model that is away is waited for, and what was recorded does not pile up.
        await self._distil(learning)
        until = learning.until_id
        assert until is not None
        try:
            page = None
            if learning.through_id < until:
                page = await history.page(learning.space_id, learning.place_id, learning.through_id)
            if page is not None:
                return await self._take_in(learning, page, until)
            is_over = learning.through_id >= until
        except errors.NotFound:
            # A thread that is gone is passed over; what was read of it went with it.
            if learning.place_id == learning.channel_id:
                raise
            is_over = False
        if not is_over and not await history.is_open(learning.space_id, learning.channel_id):
            raise errors.NotFound
        if len(learning.places) > 1:
            return await self._learnings.next_place(learning, now=self._clock())
        done = await self._learnings.finish(learning, now=self._clock())
        _log.info("learning.done", channel_id=done.channel_id, read=done.messages_read, recorded=done.recorded)
        return done

    async def _take_in(self, learning: Learning, page: HistoryPage, until: MessageId) -> Learning:
        """Records a page, or distils what of it is too old to be kept. Raises `NotFound` and `NotAllowed`."""
        space_id = learning.space_id
        place = await self._spaces.place(space_id, learning.place_id)
        if place is None:
            raise errors.NotFound
        if place.mode != MODE:
            raise errors.NotAllowed
        kept_since = MessageId(0) if self._keep is None else MessageId(new_id(self._clock() - self._keep))
        if page.ids[0] < kept_since:
            return await self._only_read(learning, page, kept_since)
        said = [message for message in page.said if message.message_id < until]
        if not page.stands(message.message_id for message in said):
            # It is read anew.
            return learning
        # Of a page that is not full nothing follows that is to be read.
        through = page.through if page.read == PAGE else max(page.through, until)
        learning = await self._learnings.record(
            learning, said, through, read=page.read, language=place.language, now=self._clock()
        )
        await self._take_back(space_id, said, page)
        return learning

    async def _take_back(self, space_id: SpaceId, said: Sequence[Message], page: HistoryPage) -> None:
        """What was changed on Discord while it was being saved was looked for before it was there."""
        gone = [message.message_id for message in said if not page.stands([message.message_id])]
        await self._edits.deleted(space_id, gone, self._clock())

    async def _only_read(self, learning: Learning, page: HistoryPage, kept_since: MessageId) -> Learning:
        """Distils what is too old to be kept, run by run, but for the last one, which the next page may go on with."""
        ids = [message_id for message_id in page.ids if message_id < kept_since]
        left_out = await self._learnings.left_out(learning)
        of_others = [m for m in page.said if m.message_id < kept_since and m.author_id not in left_out]
        left = await self._unstored.left(learning.space_id, of_others)
        runs = await asyncio.to_thread(self._cut, left)
        if len(ids) == PAGE:
            runs = runs[:-1] or runs
        for run in runs:
            last = run is runs[-1] and len(ids) < PAGE
            through = ids[-1] if last else run[-1].message_id
            read = sum(learning.through_id < message_id <= through for message_id in ids)
            distilled = await self._distil_unstored(learning, run, page)
            learning = await self._learnings.keep_unstored(
                learning, run, distilled, through, read=read, now=self._clock()
            )
            await self._take_back(learning.space_id, run, page)
        if runs:
            return learning
        return await self._learnings.passed(learning, ids[-1], read=len(ids), now=self._clock())

    async def _distil_unstored(self, learning: Learning, run: Sequence[Message], page: HistoryPage) -> Distilled:
        """What messages come to that are stored nowhere. Raises `EvidenceGone` where one of them is gone meanwhile."""
        ids = [message.message_id for message in run]

        async def check() -> None:
            if not page.stands(ids) or len(await self._unstored.left(learning.space_id, run)) < len(run):
                raise errors.EvidenceGone
            # Who left while a run before this one was made is in none after it: the page is read again.
            if not {message.author_id for message in run}.isdisjoint(await self._learnings.left_out(learning)):
                raise errors.EvidenceGone

        by_rule = learning.attempts >= MOST_FAILURES
        await check()
        distilled = await self._distiller.distil_unstored(learning.space_id, run, check, by_rule=by_rule)
        await check()
        return distilled

    async def _distil(self, learning: Learning) -> None:
        """Makes chunks of what was recorded, but of the last run, which the next page may go on with.

        What is left in the end becomes the last chunk of its session, with its summary.
        """
        session_id = learning.session_id
        if session_id is None:
            return
        messages, made = await self._distiller.read(learning.space_id, session_id)
        left = [message for message in messages if message.message_id not in made]
        # Off the event loop: the tokens of all that waits are counted.
        runs = (await asyncio.to_thread(self._cut, left))[:-1]

        async def save(distilled: Distilled) -> None:
            saved, count = await self._learnings.keep(learning, distilled, now=self._clock()), len(distilled.read)
            _log.info("learning.chunk", channel_id=learning.channel_id, messages=count, saved=len(saved))

        await self._distiller.distil_each(learning.space_id, session_id, runs, save, failures=learning.attempts)

    def _cut(self, messages: Sequence[Message]) -> list[list[Message]]:
        return seams.cut(messages, most=self._settings.messages, most_tokens=self._settings.tokens)

    async def _without_those_who_left(self, learning: Learning) -> Learning:
        """Takes back what is there of people who want no part, with all that was made of it."""
        for person_id in learning.leaving:
            while theirs := await self._learnings.theirs(learning, person_id, most=_LEAVING):
                await self._edits.deleted(learning.space_id, theirs, self._clock())
            learning = await self._learnings.has_left(learning, person_id)
        return learning
