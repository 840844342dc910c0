"""Gaps: which channels have not been caught up with since Discord last began a new session.

What is said in such a channel is taken in at once, but does not count as the last thing heard there: what was missed
before it would then never be looked for, were Hathi to stop before it has caught up.
"""


class Gaps:
    """For each shard the session it is in, and what of it has been caught up with."""

    def __init__(self) -> None:
        self._session: dict[int, int] = {}
        self._behind: dict[int, set[int] | None] = {}
        """Of a shard in a gap the channels still to be caught up with; none while those are not known yet."""

    def begin(self, shard_id: int) -> int:
        """A new session has begun, and whatever was said before it may have been missed; the session's number."""
        self._session[shard_id] = self._session.get(shard_id, 0) + 1
        self._behind[shard_id] = None
        return self._session[shard_id]

    def find(self, shard_id: int, session: int, channels: set[int]) -> None:
        """These are to be caught up with, and no others."""
        if self._session.get(shard_id) == session:
            self._behind[shard_id] = set(channels)

    def close(self, shard_id: int, session: int, channel_id: int) -> None:
        """The channel has been caught up with."""
        behind = self._behind.get(shard_id)
        if self._session.get(shard_id) == session and behind is not None:
            behind.discard(channel_id)

    def is_current(self, shard_id: int, session: int) -> bool:
        """Whether no later session has begun."""
        return self._session.get(shard_id) == session

    def left(self, shard_id: int) -> frozenset[int]:
        """What is still to be caught up with."""
        return frozenset(self._behind.get(shard_id) or ())

    def is_behind(self, shard_id: int, channel_id: int) -> bool:
        """Whether something said before may have been missed in the channel."""
        if shard_id not in self._behind:
            return True
        behind = self._behind[shard_id]
        return behind is None or channel_id in behind
