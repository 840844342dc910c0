"""A circuit breaker: pauses calls to a model that does not answer."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from bot.llm.failures import Failure

PAUSE: Final = timedelta(seconds=30)
"""How long a model is left alone after a call that failed with all its retries."""


class Breaker:
    """A circuit breaker (M. Nygard, Release It!) for one model; safe for tasks of one event loop."""

    def __init__(self, now: Callable[[], float]) -> None:
        """`now` are monotonic seconds."""
        self._now = now
        self._until = 0.0
        self._last: Failure | None = None

    @property
    def is_tripped(self) -> bool:
        """Whether the breaker is open, so that a call let through only probes the model."""
        return self._last is not None

    @property
    def left_alone(self) -> Failure | None:
        """Why the model is not to be asked now; none where it is. After the pause a single call is let through."""
        if self._last is None or self._now() < self._until:
            return self._last
        self._until = self._now() + PAUSE.total_seconds()
        return None

    def answered(self) -> None:
        """Records a successful call."""
        self._last = None

    def failed(self, failure: Failure) -> None:
        """Records a failed call; a refusal counts as an answer."""
        self._until, self._last = self._now() + PAUSE.total_seconds(), None if failure.refused else failure
