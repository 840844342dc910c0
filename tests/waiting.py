"""The one place where tests wait by the clock: what nothing tells of is looked at again and again, not for ever."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

WITHIN: Final = timedelta(seconds=60)
"""How long anything is waited for; nothing takes that long but on a machine that is overloaded."""
_PAUSE: Final = 0.005
"""Seconds between two looks."""


async def eventually(holds: Callable[[], object], *, within: timedelta = WITHIN) -> None:
    """Return once it holds. Raises `TimeoutError` when it does not come to."""
    async with asyncio.timeout(within.total_seconds()):
        while not holds():
            await asyncio.sleep(_PAUSE)


async def becomes(expected: object, look: Callable[[], Awaitable[Any]], *, within: timedelta = WITHIN) -> None:
    """Return once a look gives what is expected. Fails with what it gave last when it does not come to."""
    limit = time.monotonic() + within.total_seconds()
    while expected != (found := await look()):
        assert time.monotonic() < limit, f"not {expected!r} but {found!r}"
        await asyncio.sleep(_PAUSE)


def eventually_there(holds: Callable[[], object], *, within: timedelta = WITHIN) -> None:
    """Return once it holds, where no loop runs. Raises `TimeoutError` when it does not come to."""
    limit = time.monotonic() + within.total_seconds()
    while not holds():
        if time.monotonic() > limit:
            raise TimeoutError
        time.sleep(_PAUSE)


async def passed(seconds: float) -> None:
    """Return when a time has passed: how slow a scripted server is. Tests wait for something that happens instead."""
    await asyncio.sleep(seconds)
