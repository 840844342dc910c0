"""Cooldowns: how often one person may have something done in one channel."""

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from bot import errors
from bot.domain import Caller, ChannelId, PersonId

MOST_KNOWN: Final = 10_000
"""People in channels whose last times are known; the one who asked longest ago is forgotten first."""


class Cooldowns:
    """So many times within so long, a person and channel."""

    def __init__(
        self, times: int, within: timedelta, *, clock: Callable[[], float] = time.monotonic, most: int = MOST_KNOWN
    ) -> None:
        """`clock` tells seconds from any moment on."""
        self._times = times
        self._within = within.total_seconds()
        self._clock = clock
        self._most = most
        self._taken: OrderedDict[tuple[ChannelId, PersonId], deque[float]] = OrderedDict()

    def check(self, caller: Caller) -> None:
        """Count one time more. Raises `UserError` with the seconds to wait; that time is not counted."""
        key = (caller.channel_id, caller.person_id)
        now, taken = self._clock(), self._taken.setdefault(key, deque(maxlen=self._times))
        self._taken.move_to_end(key)
        if len(self._taken) > self._most:
            self._taken.popitem(last=False)
        # A clock that was set back must not make anybody wait.
        if len(taken) == self._times and 0 <= now - taken[0] < self._within:
            seconds = max(1, math.ceil(taken[0] + self._within - now))
            raise errors.UserError(
                f"That is more than {self._times} in {self._within:.0f} seconds from you here; please wait {seconds} "
                f"{'second' if seconds == 1 else 'seconds'}."
            )
        taken.append(now)
