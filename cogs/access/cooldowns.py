"""Cooldowns for each person and channel, counting only requests that wait for an earlier one."""

import contextlib
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot import catalogue, errors
from bot.domain import Caller, ChannelId, PersonId

MOST_KNOWN: Final = 10_000
"""People in channels whose last times are known; the one who asked longest ago is forgotten first."""


@dataclass(slots=True, kw_only=True)
class _Taken:
    """The times of somebody's requests, and when they were last told that these were too many."""

    times: deque[float]
    told_at: float = -math.inf


class Cooldowns:
    """Limits requests for each person and channel; only those made while another of theirs waits are counted."""

    def __init__(
        self, times: int, within: timedelta, *, clock: Callable[[], float] = time.monotonic, most: int = MOST_KNOWN
    ) -> None:
        """`clock` tells seconds from any moment on."""
        self._times = times
        self._within = within.total_seconds()
        self._clock = clock
        self._most = most
        self._taken: OrderedDict[tuple[ChannelId, PersonId], _Taken] = OrderedDict()
        self._under_way: Counter[tuple[ChannelId, PersonId]] = Counter()

    @contextlib.contextmanager
    def under_way(self, caller: Caller) -> Generator[None]:
        """While something is done for them; counted where something else of theirs is. Raises `TooOften`."""
        key = (caller.channel_id, caller.person_id)
        if self._under_way[key]:
            self.check(caller)
        self._under_way[key] += 1
        try:
            yield
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]

    def check(self, caller: Caller) -> None:
        """Count one time more. Raises `TooOften` with the seconds to wait; that time is not counted."""
        key = (caller.channel_id, caller.person_id)
        now, taken = self._clock(), self._taken.setdefault(key, _Taken(times=deque(maxlen=self._times)))
        self._taken.move_to_end(key)
        if len(self._taken) > self._most:
            self._taken.popitem(last=False)
        # A clock that was set back must not make anybody wait.
        if len(taken.times) == self._times and 0 <= now - taken.times[0] < self._within:
            seconds = max(1, math.ceil(taken.times[0] + self._within - now))
            told = 0 <= now - taken.told_at < self._within
            taken.told_at = taken.told_at if told else now
            raise errors.TooOften(
                catalogue.ngettext(
                    "That is more than {times} in {within} seconds from you here; please wait {wait} second.",
                    "That is more than {times} in {within} seconds from you here; please wait {wait} seconds.",
                    seconds,
                ).format(times=self._times, within=f"{self._within:.0f}", wait=seconds),
                told=told,
            )
        taken.times.append(now)
