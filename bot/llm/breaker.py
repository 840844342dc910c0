"""A circuit breaker: pauses calls to a model that does not answer."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from bot.llm.failures import Failure

MOST_FAILURES: Final = 2
"""Calls in a row that may fail, each with all its retries."""
PAUSE: Final = timedelta(minutes=1)
"""How long it is then left alone."""


class Breaker:
    """A circuit breaker (M. Nygard, Release It!) for one model; safe for tasks of one event loop."""

    def __init__(self, now: Callable[[], float]) -> None:
        """`now` are monotonic seconds."""
        self._now = now
        self._failures = 0
        self._until = 0.0
        self._last: Failure | None = None

    @property
    def is_tripped(self) -> bool:
        """Whether the breaker is open, so that a call let through only probes the model."""
        return self._failures >= MOST_FAILURES

    @property
    def left_alone(self) -> Failure | None:
        """Why the model is not to be asked now; none where it is. After the pause a single call is let through."""
        if not self.is_tripped:
            return None
        if self._now() < self._until:
            return self._last
        self._until = self._now() + PAUSE.total_seconds()
        return None

    def answered(self) -> None:
        """Records a successful call."""
        self._failures = 0

    def failed(self, failure: Failure) -> None:
        """Records a failed call; a refusal counts as an answer."""
        if failure.refused:
            return self.answered()
        self._failures += 1
        self._until, self._last = self._now() + PAUSE.total_seconds(), failure
        return None
