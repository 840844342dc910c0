"""Counts what is said in each channel since its chunks were looked for: a hint, so that nobody waits an hour for them.

What the count misses (a process that ended, another that heard the rest) the hourly upkeep of the space finds.
"""

from collections import OrderedDict
from typing import Final

from bot.domain import ChannelId, SpaceId

MOST: Final = 20_000
"""Channels that are counted; the one heard longest ago is dropped for a new one."""


class Gathering:
    """Counts of messages by channel, in this process."""

    def __init__(self, enough: int) -> None:
        self._enough = enough
        self._counts: OrderedDict[tuple[SpaceId, ChannelId], int] = OrderedDict()
        self._full = set[SpaceId]()

    def said(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Counts one message."""
        key = space_id, channel_id
        count = self._counts.pop(key, 0) + 1
        if count >= self._enough:
            self._full.add(space_id)
            return
        self._counts[key] = count
        if len(self._counts) > MOST:
            self._counts.popitem(last=False)

    def take(self) -> set[SpaceId]:
        """The spaces with a channel in which enough was said since this was asked last."""
        full, self._full = self._full, set()
        return full
