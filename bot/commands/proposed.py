"""Keeps, or hands out to be done, what a model would have done unasked, once its asker agrees to it."""

from collections.abc import Callable, Sequence
from datetime import datetime

from bot.domain import Caller, MessageId, Reply, Stock
from bot.presentation import both_sides, render
from bot.store.proposals import Act, Proposals


class Proposed:
    """The use case behind "Keep?" and "Do it"."""

    def __init__(self, proposals: Proposals, clock: Callable[[], datetime]) -> None:
        self._proposals = proposals
        self._clock = clock

    async def is_open(self, caller: Caller, turn_id: MessageId, *, acts: bool = False) -> bool:
        """Whether the reply to this turn asked the caller to keep something, or to have it done, and they may agree."""
        return await self._proposals.is_open(caller, turn_id, now=self._clock(), acts=acts)

    async def agreed(self, caller: Caller, turn_id: MessageId) -> Reply:
        """Keeps it, and shows it. Raises as `Proposals.keep` does."""
        saved = await self._proposals.keep(caller, turn_id, now=self._clock())
        text = "\n".join([render.kept(saved), *both_sides.lines(saved, caller)])
        return Reply(text=text, saved=tuple(saved), stock=Stock.KEPT)

    async def acts(self, caller: Caller, turn_id: MessageId) -> Sequence[Act]:
        """What was proposed to be done, for whoever does it now. Raises as `Proposals.taken` does."""
        return await self._proposals.taken(caller, turn_id, now=self._clock())
