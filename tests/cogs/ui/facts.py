"""Facts as a summary saves them, by their numbers."""

from collections.abc import Sequence

from bot.domain import ChannelId, Memory, MemoryId, Saved, SessionId, Source, SpaceId, Tier
from bot.lifecycle.summaries import SummaryDone
from tests.conftest import Clock

LARGE = 9_223_372_036_854_775_807
"""The largest number that Postgres and Discord have."""


def saved(number: int, topic: str = "cats", content: str = "x", against: Sequence[int] = ()) -> Saved:
    """A fact, and the facts that say otherwise."""
    memory = Memory(
        space_id=SpaceId(1),
        memory_id=MemoryId(number),
        channel_id=ChannelId(1),
        tier=Tier.SHORT,
        room="general",
        topic=topic,
        content=content,
        importance=5,
        source=Source.SUMMARY,
        tags=(),
        author_id=None,
        author=None,
        evidence=(),
        seen_count=1,
        pinned=False,
        created_at=Clock().now,
        said_at=Clock().now,
    )
    return Saved(memory=memory, was_known=False, contradicts=tuple(saved(other).memory for other in against))


def done(count: int, topic: str = "cats", *, leaves_talk: bool = False) -> SummaryDone:
    """A reset that came to this many facts."""
    return SummaryDone(
        space_id=SpaceId(1),
        channel_id=1,
        session_id=SessionId(LARGE),
        message_count=9,
        saved=tuple(saved(LARGE - n, f"{topic} {n}") for n in range(count)),
        leaves_talk=leaves_talk,
    )
