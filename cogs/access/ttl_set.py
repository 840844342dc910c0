"""A bounded set whose entries expire."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from datetime import timedelta
from typing import Final

MOST_KNOWN: Final = 10_000
"""Things whose last time is known; the one that happened longest ago is forgotten first."""


class TtlSet:
    """A set that forgets its entries after a while."""

    def __init__(self, within: timedelta, *, clock: Callable[[], float], most: int = MOST_KNOWN) -> None:
        """`clock` tells seconds from any moment on."""
        self._within = within.total_seconds()
        self._clock = clock
        self._most = most
        self._noted: OrderedDict[Hashable, float] = OrderedDict()

    def note(self, what: Hashable) -> None:
        """Adds an entry now."""
        self._noted[what] = self._clock()
        self._noted.move_to_end(what)
        if len(self._noted) > self._most:
            self._noted.popitem(last=False)

    def __contains__(self, what: Hashable) -> bool:
        """Whether it happened so lately; not for longer because a clock was set back."""
        at = self._noted.get(what)
        return at is not None and 0 <= self._clock() - at < self._within
