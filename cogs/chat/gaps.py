"""Tracks the channels in which messages may have been missed and that are not caught up yet.

Messages in such a channel are recorded at once, but do not count as the last thing heard there: if Hathi stopped before
it caught up, what was missed before them would never be looked for.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.domain import ChannelId, MessageId, SpaceId

_LATEST: Final = MessageId(2**63 - 1)
"""Greater than the id of any message."""


class Urgency(enum.IntEnum):
    """How soon a channel is looked at; within one urgency the channel in which something was said last comes first."""

    NEWS = 0
    """Something was said where Hathi is spoken to, or may have been."""
    NEWS_ELSEWHERE = 1
    """Something was said lately in a channel in which nobody spoke to Hathi yet."""
    UNCHANGED = 2
    """Nothing was said since, by Discord's own account: only edits and deletions may have been missed."""
    OUT_OF_SIGHT = 3
    """An archived or a closed thread, or one that is gone: only Discord can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A channel in which something may have been missed."""

    space_id: SpaceId
    channel_id: ChannelId
    shard_id: int
    last_seen: MessageId
    """Up to which nothing was."""
    began: MessageId
    """When Hathi listened again, as an id: what was said later is heard, too."""
    urgency: Urgency = Urgency.NEWS
    latest: MessageId | None = None
    """The last message there by Discord's own account; none where that is not known."""
    origin_id: ChannelId | None = None
    """The channel that a thread belongs to, where that is known."""

    @property
    def is_behind(self) -> bool:
        """Whether messages may have been missed, and not edits and deletions alone."""
        return self.urgency is not Urgency.UNCHANGED


class Gaps:
    """The gaps of each shard's current gateway session, and which of them are caught up."""

    def __init__(self) -> None:
        self._session: dict[int, int] = {}
        self._unknown: set[int] = set()
        """Shards in a gap of which the channels to be caught up with are not known yet."""
        self._unknown_in: set[SpaceId] = set()
        """The same of guilds that were away by themselves."""
        self._open: dict[ChannelId, Gap] = {}

    def begin(self, shard_id: int) -> int:
        """Starts a new session, in which anything said before may have been missed; returns its number."""
        self._session[shard_id] = self._session.get(shard_id, 0) + 1
        self._unknown.add(shard_id)
        return self._session[shard_id]

    def find(self, shard_id: int, session: int, gaps: Iterable[Gap]) -> None:
        """Sets the channels to catch up with, beside those still open."""
        if self.is_current(shard_id, session):
            for gap in gaps:
                self.open(gap)
            self._unknown.discard(shard_id)

    def begin_in(self, space_id: SpaceId) -> None:
        """Marks a guild: anything said in it before now may have been missed."""
        self._unknown_in.add(space_id)

    def find_in(self, space_id: SpaceId, gaps: Iterable[Gap]) -> None:
        """Sets the channels of the guild to catch up with."""
        for gap in gaps:
            self.open(gap)
        self._unknown_in.discard(space_id)

    def open(self, gap: Gap) -> None:
        """Opens a gap in a channel, or widens the one that is open."""
        known = self._open.get(gap.channel_id)
        if known is not None:
            gap = replace(
                gap,
                last_seen=min(known.last_seen, gap.last_seen),
                began=max(known.began, gap.began),
                urgency=min(known.urgency, gap.urgency),
            )
        self._open[gap.channel_id] = gap

    def close(self, gap: Gap) -> None:
        """Closes a gap, unless something more was missed in the channel since it was looked at."""
        if self.is_open(gap):
            del self._open[gap.channel_id]

    def compare_later(self, gap: Gap) -> None:
        """Closes a gap but for older edits and deletions, which are looked for when nothing more urgent is left."""
        if self.is_open(gap):
            self._open[gap.channel_id] = replace(gap, urgency=Urgency.UNCHANGED)

    def is_current(self, shard_id: int, session: int) -> bool:
        """Whether no later session has begun."""
        return self._session.get(shard_id) == session

    def is_open(self, gap: Gap) -> bool:
        """Whether the gap is still to be closed as it is."""
        return self._open.get(gap.channel_id) is gap

    def left(self, shard_id: int) -> list[Gap]:
        """The gaps still open, the most urgent first; none while they are not known."""
        if shard_id in self._unknown:
            return []
        left = [gap for gap in self._open.values() if gap.shard_id == shard_id]
        return sorted(left, key=lambda gap: (gap.urgency, -(gap.latest or _LATEST)))

    @property
    def news(self) -> int:
        """Channels in which something was said that may still have been missed."""
        return sum(gap.urgency < Urgency.UNCHANGED for gap in self._open.values())

    @property
    def are_closed(self) -> bool:
        """Whether every channel was caught up with since the last session began."""
        return bool(self._session) and not (self._unknown or self._unknown_in or self._open)

    def is_behind(self, shard_id: int, space_id: SpaceId, channel_id: ChannelId) -> bool:
        """Whether something said before may have been missed in the channel."""
        if shard_id not in self._session or shard_id in self._unknown or space_id in self._unknown_in:
            return True
        gap = self._open.get(channel_id)
        return gap is not None and gap.is_behind
