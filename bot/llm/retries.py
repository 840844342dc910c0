"""The retry policy of model calls: when, how often, how long to wait."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, TypeVar

import tenacity

from bot.infra import retry
from bot.llm.failures import Failure

T = TypeVar("T")

PAUSE: Final = timedelta(seconds=0.25)
"""About how long to wait before the second attempt; doubled from one to the next."""
_MOST: Final = {"empty": 2, "garbage": 2}
"""Attempts where asking again rarely mends it."""
NOBODY_THERE: Final = timedelta(seconds=1.5)
"""How long a call tries again where nobody is there: who waits is told within two seconds."""
_LONGEST_PAUSE: Final = 8.0

Sleep = Callable[[float], Awaitable[None]]
Told = Callable[[int, Failure, timedelta], None]


async def persist(
    attempt: Callable[[], Awaitable[T]],
    *,
    deadline: timedelta,
    told: Told,
    nobody_there: timedelta = NOBODY_THERE,
    pause: timedelta = PAUSE,
    sleep: Sleep = asyncio.sleep,
) -> T:
    """Retries an attempt until it succeeds, fails for good, or would wait past the deadline.

    Where nobody is there it goes on for `nobody_there` at most. Raises the last `Failure`. `told` hears of every
    attempt that will be followed by another: its number, why, and the wait before the next.
    """

    def policy(spent: timedelta) -> tenacity.AsyncRetrying:
        return _policy(deadline - spent, nobody_there, told=told, pause=pause, sleep=sleep)

    return await retry.persist(attempt, policy)


def _policy(
    left: timedelta, nobody_there: timedelta, *, told: Told, pause: timedelta, sleep: Sleep
) -> tenacity.AsyncRetrying:
    back_off = tenacity.wait_random_exponential(multiplier=pause.total_seconds() * 2, max=_LONGEST_PAUSE)

    def wait(state: tenacity.RetryCallState) -> float:
        failure = _failure(state)
        if failure is not None and failure.after:
            return failure.after.total_seconds()
        return pause.total_seconds() / 2 + back_off(state)

    def worth_it(state: tenacity.RetryCallState) -> bool:
        failure = _failure(state)
        if failure is None or not failure.retry:
            return False
        return state.attempt_number < _MOST.get(failure.kind, math.inf)

    def before_sleep(state: tenacity.RetryCallState) -> None:
        failure = _failure(state)
        if failure is not None:
            told(state.attempt_number, failure, timedelta(seconds=state.upcoming_sleep))

    def hopeless(state: tenacity.RetryCallState) -> bool:
        # To wait past the deadline is to make the person wait for nothing.
        spent = max(state.idle_for, state.seconds_since_start or 0.0)
        failure = _failure(state)
        is_there = failure is None or failure.kind != "unreachable"
        most = left if is_there else min(left, nobody_there)
        return spent + state.upcoming_sleep >= most.total_seconds()

    return tenacity.AsyncRetrying(
        retry=worth_it, wait=wait, stop=hopeless, sleep=sleep, before_sleep=before_sleep, reraise=True
    )


def _failure(state: tenacity.RetryCallState) -> Failure | None:
    exc = state.outcome.exception() if state.outcome else None
    return exc if isinstance(exc, Failure) else None
