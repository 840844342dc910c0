"""Makes memory of what is said in channels, chunk by chunk, in the background: nobody has to reset for it."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import errors, log
from bot.config import ChunkSettings
from bot.domain import ChannelId, Message, SpaceId
from bot.infra import leases
from bot.infra.metrics import Metrics
from bot.language.statements import extraction
from bot.lifecycle import seams
from bot.lifecycle.condensing import Condenser
from bot.lifecycle.distilling import MOST_FAILURES, Distiller
from bot.lifecycle.rolling import RollingSummaries
from bot.llm.tokens import estimate
from bot.store.chunks import MOST_PLACES, ChunkClaim, Chunks, Gathered, Remaking
from bot.store.gathering import Gathering
from bot.store.memory_use import next_day

_log = log.logger(__name__)

LEAST: Final = 4
"""Messages that are waited for even in a silent channel."""
AT_ONCE: Final = 2
"""Channels that are at work in one process."""

Place = tuple[SpaceId, int]
"""A channel of a space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunksMade:
    """What one run has made."""

    made: int
    is_more: bool
    """Whether more channels may be due."""


class Creator:
    """Makes chunks where enough has gathered, two channels at once, the spaces in turn."""

    def __init__(
        self,
        chunks: Chunks,
        gathering: Gathering,
        distiller: Distiller,
        rolling: RollingSummaries,
        condenser: Condenser,
        settings: ChunkSettings,
        metrics: Metrics,
        clock: Callable[[], datetime],
    ) -> None:
        self.chunks = chunks
        self._gathering = gathering
        self.distiller = distiller
        self.rolling = rolling
        self.condenser = condenser
        self.settings = settings
        self._metrics = metrics
        self._clock = clock
        self._at_work = set[Place]()
        self._free = asyncio.Semaphore(AT_ONCE)

    def heard(self) -> set[SpaceId]:
        """The spaces in which enough was said in a channel since this was asked last, as far as this process knows."""
        return self._gathering.take()

    async def run(self, spaces: Sequence[SpaceId]) -> ChunksMade:
        """Makes the chunks that are due in these spaces, of at most 100 channels."""
        gathered = Gathered(
            messages=self.settings.messages,
            tokens=self.settings.tokens,
            idle_since=self._clock() - self.settings.idle,
            least=LEAST,
        )
        due = await self.chunks.due(spaces, gathered, now=self._clock())
        waiting, made = in_turn(due), 0

        async def worker() -> None:
            nonlocal made
            while waiting:
                # Apart: a sum that is awaited in would lose what the other has added meanwhile.
                more = await self.make(*waiting.popleft())
                made += more

        # Not a group of tasks: a database that is away is told as that, and not as one of several failures.
        await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
        return ChunksMade(made=made, is_more=len(due) == MOST_PLACES and bool(made))

    async def forget_summary(self, space_id: SpaceId, channel_id: ChannelId) -> int:
        """Drops a channel's rolling summary, to be made anew with its next chunk or by `make`; its chunks, counted."""
        return await self.chunks.drop_rolls(space_id, channel_id)

    async def make(self, space_id: SpaceId, channel_id: int) -> int:
        """How many chunks were made of what waits in a channel; 0 where somebody is at it already or it is not enough.

        A failure is logged and tried again later: one channel must not stop the others. Where the day's budget is used
        up, what is left waits for the next day. Only a database that stays away raises, and then the lease runs out.
        """
        place = space_id, channel_id
        if place in self._at_work:
            return 0
        self._at_work.add(place)
        try:
            async with self._free:
                return await self._made(space_id, channel_id)
        finally:
            self._at_work.remove(place)

    async def _made(self, space_id: SpaceId, channel_id: int) -> int:
        claim = await self.chunks.claim(space_id, channel_id, now=self._clock())
        if claim is None:
            return 0
        made = 0
        try:
            async with leases.holding(lambda: self.chunks.renew(claim, now=self._clock())):
                is_paid = True
                for run in await self._ready(claim):
                    try:
                        await self._make(claim, run, is_first=not made)
                    except errors.BudgetSpent:
                        is_paid = False
                        break
                    made += 1
                await self.rolling.roll(claim)
                await self.condenser.condense(claim)
            if is_paid:
                await self.chunks.release(claim, now=self._clock())
            else:
                await self.chunks.wait(claim, next_day(self._clock()))
        except errors.LeaseLost:
            _log.info("chunk.lease_lost", channel_id=channel_id)
            await self.chunks.wait(claim, self._clock())
        except errors.DatabaseError:
            raise
        except errors.EvidenceGone:
            # Something was taken back, or added, meanwhile: no failure of the model's.
            _log.info("chunk.overtaken", channel_id=channel_id)
            await self.chunks.wait(claim, self._clock() + leases.FIRST_RETRY)
        except (errors.ModelError, errors.SummaryUnusable) as exc:
            retry = await self.chunks.retry_later(claim, now=self._clock())
            _log.warning("chunk.failed", channel_id=channel_id, attempt=retry.failures, error=type(exc).__name__)
        except Exception:  # noqa: BLE001 - a fault of ours; the log has the cause
            _log.exception("chunk.broke", channel_id=channel_id)
            await self.chunks.retry_later(claim, now=self._clock())
        return made

    async def _make(self, claim: ChunkClaim, run: Sequence[Message], *, is_first: bool) -> None:
        # One that a model failed at so often is made without it: nothing is skipped.
        by_rule = claim.attempts >= MOST_FAILURES and is_first
        distilled = await self.distiller.distil(claim.space_id, claim.session_id, run, by_rule=by_rule)
        by_model = distilled.model != extraction.NAME
        saved = await self.chunks.finish(claim, distilled, by_model=by_model, now=self._clock())
        channel_id, saved_now = claim.channel_id, len(saved)
        if by_rule and self.distiller.summarizer.is_there:
            _log.warning("chunk.made_by_rule", channel_id=channel_id, attempts=claim.attempts, saved=saved_now)
        else:
            model = distilled.model
            _log.info("chunk.made", channel_id=channel_id, messages=len(run), saved=saved_now, model=model)
        self._metrics.chunk_made(by_rule=not by_model)

    async def _ready(self, claim: ChunkClaim) -> list[list[Message]]:
        """The chunks to be made now, in order: what was taken back and is made again, then what has gathered."""
        messages, made = await self.distiller.read(claim.space_id, claim.session_id)
        left = [message for message in messages if message.message_id not in made]
        again, fresh = list[Message](), left
        # What was recorded late stands behind the tracker too, and counts with what has gathered.
        if claim.remaking is not Remaking.NONE:
            again = [message for message in left if message.message_id <= claim.through]
            fresh = left[len(again) :]
        # Off the event loop: the tokens of all that waits are counted.
        return await asyncio.to_thread(self._cut, again if claim.remaking is Remaking.DUE else (), fresh)

    def _cut(self, again: Sequence[Message], fresh: Sequence[Message]) -> list[list[Message]]:
        most, tokens = self.settings.messages, self.settings.tokens
        runs = (again, self._gathered(fresh))
        return [chunk for run in runs for chunk in seams.cut(run, most=most, most_tokens=tokens)]

    def _gathered(self, fresh: Sequence[Message]) -> Sequence[Message]:
        """What of it is to become memory now: none, all after a silence, else all but the newest."""
        if not fresh:
            return ()
        if fresh[-1].said_at <= self._clock() - self.settings.idle:
            return fresh if len(fresh) >= LEAST else ()
        tokens = sum(estimate(message.content) for message in fresh)
        if len(fresh) < self.settings.messages and tokens < self.settings.tokens:
            return ()
        end, joined = len(fresh) - self.settings.skip, [*seams.joined(fresh), False]
        # What belongs together waits together, unless that is all there is.
        seam = next((at for at in range(end, 0, -1) if not joined[at]), end)
        return fresh[: max(0, seam)]


def in_turn(places: Iterable[Place]) -> deque[Place]:
    """The channels in an order in which each space has one after the other's."""
    of_space: dict[SpaceId, deque[Place]] = {}
    for place in places:
        of_space.setdefault(place[0], deque()).append(place)
    order = deque[Place]()
    while of_space:
        order += [channels.popleft() for channels in of_space.values()]
        of_space = {space_id: channels for space_id, channels in of_space.items() if channels}
    return order
