"""Asks models for what memory is made of, counted, and within what its space may use in a day."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot import errors, log
from bot.config import MemoryBudgetSettings, ModelSettings
from bot.domain import ModelRole, SpaceId
from bot.infra.metrics import Metrics
from bot.llm.messages import ChatMessage, Finished
from bot.llm.models import Models
from bot.llm.tokens import estimate, estimate_messages
from bot.store.memory_use import MemoryUse, Used, day_of, next_day

_log = log.logger(__name__)


Check = Callable[[], Awaitable[None]]
"""Raises `EvidenceGone` where what a model is to be told is not what was said any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What making memory has cost a space today, and may."""

    used: Used
    calls: int
    tokens: int

    @property
    def is_up(self) -> bool:
        """Whether nothing more is made by a model today, but what somebody waits for."""
        return self.used.calls >= self.calls or self.used.tokens >= self.tokens


class Summarizer:
    """The models that make memory, first of all the summarizer; each call is counted for its space and day."""

    def __init__(
        self,
        models: Models,
        use: MemoryUse,
        budget: MemoryBudgetSettings,
        metrics: Metrics,
        clock: Callable[[], datetime],
    ) -> None:
        self._models = models
        self._use = use
        self._budget = budget
        self._metrics = metrics
        self._clock = clock

    @property
    def is_there(self) -> bool:
        """Whether there is one that may be asked at all."""
        return self._models.has(ModelRole.SUMMARIZER) and self.is_paid

    @property
    def is_paid(self) -> bool:
        """Whether there is any budget for it."""
        return bool(self._budget.calls and self._budget.tokens)

    @property
    def settings(self) -> ModelSettings:
        """Its settings; a KeyError where there is none."""
        return self._models.settings(ModelRole.SUMMARIZER)

    async def spent(self, space_id: SpaceId) -> Spent:
        """What it was asked in the space today."""
        used = await self._use.of_day(space_id, day_of(self._clock()))
        return Spent(used=used, calls=self._budget.calls, tokens=self._budget.tokens)

    async def complete(
        self,
        space_id: SpaceId,
        messages: Sequence[ChatMessage],
        *,
        role: ModelRole = ModelRole.SUMMARIZER,
        json_schema: dict[str, Any] | None = None,
        before_each: Check | None = None,
        is_due: bool = False,
    ) -> Finished:
        """The whole answer, as `Models.complete` gives it.

        Raises `BudgetSpent`, and asks nothing, where the space's calls or tokens of the day are used up; not where the
        call `is_due` all the same: a person waits for it, or it goes on with what has begun. So a budget is passed by
        no more than what is in hand at that moment.
        """
        now = self._clock()
        day, within = day_of(now), None if is_due else (self._budget.calls, self._budget.tokens)
        if not await self._use.begin(space_id, day, within=within):
            if await self._use.is_first_refusal(space_id, day, now=now):
                _log.warning("memory.budget_spent", space_id=space_id, until=next_day(now).isoformat())
            raise errors.BudgetSpent
        self._metrics.memory_call_begun()
        answer = await self._models.complete(role, messages, json_schema=json_schema, before_each=before_each)
        # A server that does not count is no way around a budget. Off the event loop: a prompt may be long.
        tokens_in = answer.usage.tokens_in or await asyncio.to_thread(estimate_messages, messages)
        tokens_out = answer.usage.tokens_out or await asyncio.to_thread(estimate, answer.text)
        self._metrics.memory_tokens_used(tokens_in, tokens_out, answer.usage.tokens_cached)
        await self._use.add_tokens(space_id, day, tokens_in, tokens_out)
        return answer


@dataclass(slots=True, kw_only=True)
class MemoryRequests:
    """The requests for what one run of messages comes to."""

    summarizer: Summarizer
    space_id: SpaceId
    check: Check
    """Before each of them: a model that is asked again is not told what was taken back meanwhile."""
    is_due: bool
    """Whether they are made past the budget too. What has begun is brought to its end: half of it would be paid for,
    and thrown away, each day anew."""

    async def complete(
        self,
        prompt: Sequence[ChatMessage],
        *,
        role: ModelRole = ModelRole.SUMMARIZER,
        json_schema: dict[str, Any] | None = None,
    ) -> Finished:
        """The whole answer, as `Summarizer.complete` gives it."""
        due, self.is_due = self.is_due, True
        return await self.summarizer.complete(
            self.space_id, prompt, role=role, json_schema=json_schema, before_each=self.check, is_due=due
        )
