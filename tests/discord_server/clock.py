"""Snowflake ids and time stamps as Discord writes them."""

import time
from datetime import UTC, datetime
from typing import Final

EPOCH_MS: Final = 1_420_070_400_000


class Snowflakes:
    """Ids that carry the real clock's milliseconds and never repeat."""

    def __init__(self) -> None:
        self._last = 0
        self._guilds = 0
        self._began_ms = int(time.time() * 1000) - EPOCH_MS

    def fresh(self) -> int:
        """The next id, greater than every one before."""
        now = (int(time.time() * 1000) - EPOCH_MS) << 22
        self._last = max(self._last + 1, now)
        return self._last

    def guild(self) -> int:
        """An id one millisecond after the last guild's, so that any number of shards shares the guilds evenly."""
        self._guilds += 1
        # An hour back: a guild is older than what is said in it.
        return (self._began_ms - 3_600_000 + self._guilds) << 22


def moment(snowflake: int) -> datetime:
    """When an id was made."""
    return datetime.fromtimestamp(((snowflake >> 22) + EPOCH_MS) / 1000, tz=UTC)


def stamp(when: datetime) -> str:
    """A moment in Discord's spelling."""
    return when.astimezone(UTC).isoformat(timespec="microseconds")
