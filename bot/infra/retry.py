"""Runs work once, and under a retry policy only if that first attempt failed."""

import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

import tenacity

T = TypeVar("T")


async def persist(work: Callable[[], Awaitable[T]], policy: Callable[[timedelta], tenacity.AsyncRetrying]) -> T:
    """Runs `work`; if it fails, retries it by the policy, which counts that attempt as its own.

    The policy is made from how long the first attempt took. It is not made before: what rarely fails would pay for it
    each time. Raises what the policy lets through.
    """
    began = time.monotonic()
    try:
        return await work()
    except Exception as exc:  # noqa: BLE001 - which failures are worth another attempt, the policy knows
        first: Exception | None = exc

    async def attempt() -> T:
        nonlocal first
        if first is not None:
            failed, first = first, None
            raise failed
        return await work()

    return await policy(timedelta(seconds=time.monotonic() - began))(attempt)
