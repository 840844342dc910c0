"""The laws of the words a memory had before it was said more fully."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.domain import ChannelId, Memory, MemoryId, Source, SpaceId, Tier
from bot.store import wordings

START = datetime(2026, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def row(version: int, metadata: Any) -> Any:
    """A memory as it stands on a day, said anew on each."""
    return {
        "content": f"v{version}",
        "content_hash": b"%d" % version,
        "evidence": [*range(version + 1)],
        "said_at": START + version * DAY,
        "seen_count": version + 1,
        "metadata": metadata,
    }


def reworded(times: int) -> Any:
    """The metadata of a memory that was said more fully so many times."""
    metadata: Any = {}
    for version in range(times):
        metadata = wordings.noted(wordings.added(row(version, metadata), [version + 1], START + (version + 1) * DAY))
    return metadata


def stood(metadata: Any, version: int, then: datetime) -> str:
    """What stood then of what says this now."""
    memory = Memory(
        space_id=SpaceId(0),
        memory_id=MemoryId(1),
        channel_id=ChannelId(0),
        tier=Tier.SHORT,
        room="general",
        topic="",
        content=f"v{version}",
        importance=5,
        source=Source.USER,
        tags=(),
        author_id=None,
        author=None,
        evidence=(),
        seen_count=version + 1,
        pinned=False,
        created_at=START,
        said_at=START + version * DAY,
    )
    return wordings.as_of(memory, metadata, then).content


def test_each_wording_stands_until_the_next_was_said() -> None:
    """What is said in the very moment was not said before it."""
    metadata = reworded(3)
    assert ["v0", "v0", "v1", "v2", "v3"] == [stood(metadata, 3, START + n * DAY) for n in range(5)]


def test_no_more_wordings_are_kept_than_the_bound() -> None:
    """Those before stand for the ones left out: never what was not said yet."""
    metadata, most = reworded(wordings.MOST + 3), wordings.MOST
    assert most == len(wordings.read(metadata))
    told = [stood(metadata, most + 3, START + n * DAY) for n in range(most, most + 5)]
    assert [f"v{most - 1}"] * 4 + [f"v{most + 3}"] == told


def test_words_whose_end_was_not_noted_stand_until_it_was_said_last() -> None:
    """As older versions kept them: the last wording alone, without a time."""
    old = {"reworded": {"content": "v0", "hash": "30", "before": [0], "evidence": [1]}}
    assert ["v0", "v0", "v1"] == [stood(old, 1, START + n * DAY) for n in range(3)]
    more = wordings.noted(wordings.added(row(1, old), [2], START + 2 * DAY))
    assert ["v0", "v0", "v1", "v2"] == [stood(more, 2, START + n * DAY) for n in range(4)]
    assert wordings.Left(restored=None, wordings=()) == wordings.without(wordings.read(old), [0])


def test_words_go_with_the_messages_that_brought_them() -> None:
    """And the memory has the last ones that are left."""
    read = wordings.read(reworded(3))
    for gone, restored, left in (
        ([1], None, ["v0", "v2"]),
        ([2], None, ["v0", "v1"]),
        ([3], "v2", ["v0", "v1"]),
        ([2, 3], "v1", ["v0"]),
        ([1, 2, 3], "v0", []),
    ):
        found = wordings.without(read, gone)
        assert found is not None
        assert (restored, left) == (found.restored and found.restored.content, [w.content for w in found.wordings])
    assert wordings.without(read, [9]) is None
