"""Estimates how much was said in a channel from a few pages of its history: Discord tells no count."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain import ChannelId, MessageId, SpaceId, id_time, new_id
from bot.lifecycle.learner import PAGE, History
from bot.llm.tokens import estimate

PROBES: Final = 5
"""Pages that are read, at even distances in time."""
_INSTANT: Final = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistorySample:
    """About how much there is to be read."""

    messages: int
    """All of them."""
    by_people: int
    """Those that can be learned."""
    tokens: int
    """Of these."""
    is_exact: bool
    """Whether all of it was seen."""
    threads: int = 0
    """The public threads among it."""


async def sampled(
    history: History, space_id: SpaceId, channel_id: ChannelId, since: datetime, now: datetime
) -> HistorySample:
    """How much was said since then, from five pages at most, and in the public threads. Raises as `History.page` does.

    Each page is counted, and stands for what follows it until the next one is looked at. Of threads Discord tells about
    how many messages are in them; what they are like is told by the channel or, where nothing was said in it, by the
    one with the most.
    """
    threads = await history.threads(space_id, channel_id, since)
    sample = await _of_one(history, space_id, channel_id, since, now)
    like = sample
    if threads and not sample.messages:
        most = max(threads, key=lambda thread: thread.messages)
        like = await _of_one(history, space_id, most.channel_id, since, now)
    if not threads or not like.messages:
        return sample
    messages = sample.messages + sum(thread.messages for thread in threads)
    return HistorySample(
        messages=messages,
        by_people=round(messages * like.by_people / like.messages),
        tokens=round(messages * like.tokens / like.messages),
        is_exact=False,
        threads=len(threads),
    )


async def _of_one(
    history: History, space_id: SpaceId, channel_id: ChannelId, since: datetime, now: datetime
) -> HistorySample:
    stretch, begins, after = (now - since) / PROBES, since, MessageId(new_id(since))
    total, read, people, tokens = 0.0, 0, 0, 0
    while begins < now:
        page = await history.page(space_id, channel_id, after)
        if page is None:
            break
        total, read, people = total + page.read, read + page.read, people + len(page.said)
        tokens += sum(estimate(message.content) for message in page.said)
        if page.read < PAGE:
            # Nothing was said after it.
            break
        through = id_time(page.through)
        following = max(through, begins + stretch)
        total += page.read * (min(following, now) - through) / max(through - begins, _INSTANT)
        # By its id where nothing is passed over: more may have been said in that millisecond.
        after = page.through if following == through else MessageId(new_id(following))
        begins = following
    by_people = round(total * people / read) if read else 0
    return HistorySample(
        messages=round(total),
        by_people=by_people,
        tokens=round(by_people * tokens / people) if people else 0,
        is_exact=round(total) == read,
    )
