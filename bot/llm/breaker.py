"""A circuit breaker: pauses calls to a model that does not answer."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from bot.llm.failures import Failure

PAUSE: Final = timedelta(seconds=30)
"""How long a model is left alone after a call that failed with all its retries."""
TRIAL: Final = timedelta(seconds=5)
"""How long a call waits for a trial: a server that hangs takes all the time it is given, a slow one may need it."""
MOST_BROKEN_OFF: Final = 2
"""Answers in a row that may break off; a connection may be lost once."""


class Breaker:
    """A circuit breaker (M. Nygard, Release It!) for one model; safe for tasks of one event loop."""

    def __init__(self, now: Callable[[], float], attempt: Callable[[], Awaitable[Failure | None]]) -> None:
        """`now` are monotonic seconds; `attempt` asks the model for a word, and says why there was none."""
        self._now = now
        self._attempt = attempt
        self._until = 0.0
        self._last: Failure | None = None
        self._trial: asyncio.Task[None] | None = None
        self._broke_off = 0

    @property
    def is_tripped(self) -> bool:
        """Whether the breaker is open."""
        return self._last is not None

    async def left_alone(self) -> Failure | None:
        """Why the model is not to be asked now; none where it is.

        After the pause a trial tells. The call that begins it waits for it briefly; others are told at once.
        """
        if self._last is not None and self._now() >= self._until and (self._trial is None or self._trial.done()):
            self._trial = asyncio.create_task(self._try())
            await asyncio.wait({self._trial}, timeout=TRIAL.total_seconds())
        return self._last

    def answered(self) -> None:
        """Records a successful call."""
        self._last = None

    def failed(self, failure: Failure) -> None:
        """Records a failed call; a refusal counts as an answer."""
        self._until, self._last = self._now() + PAUSE.total_seconds(), None if failure.refused else failure

    def ended(self) -> None:
        """Records that an answer that began came to its end."""
        self._broke_off = 0

    def broke_off(self, failure: Failure) -> None:
        """Records that one did not: from the second in a row on it counts as a failed call.

        One that fell silent counts at once, or the next question would wait as long.
        """
        self._broke_off += 1
        if failure.kind == "stalled" or self._broke_off >= MOST_BROKEN_OFF:
            self.failed(failure)

    def close(self) -> None:
        """Give up a trial that is still made."""
        if self._trial is not None:
            self._trial.cancel()

    async def _try(self) -> None:
        failure = await self._attempt()
        if failure is None:
            self.answered()
        else:
            self.failed(failure)
