"""Keeps what a model would have saved and its asker did not say, once they agree to it."""

from collections.abc import Callable
from datetime import datetime

from bot.domain import Caller, MessageId, Reply, Stock
from bot.presentation import both_sides, render
from bot.store.proposals import Proposals


class Proposed:
    """The use case behind "Keep?"."""

    def __init__(self, proposals: Proposals, clock: Callable[[], datetime]) -> None:
        self._proposals = proposals
        self._clock = clock

    async def is_open(self, caller: Caller, turn_id: MessageId) -> bool:
        """Whether the caller was asked by the reply to this turn, and may still agree."""
        return await self._proposals.is_open(caller, turn_id, now=self._clock())

    async def agreed(self, caller: Caller, turn_id: MessageId) -> Reply:
        """Keeps it, and shows it. Raises as `Proposals.keep` does."""
        saved = await self._proposals.keep(caller, turn_id, now=self._clock())
        text = "\n".join([render.kept(saved), *both_sides.lines(saved, caller)])
        return Reply(text=text, saved=tuple(saved), stock=Stock.KEPT)
