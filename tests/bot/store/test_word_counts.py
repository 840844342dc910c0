"""Which words are common in a large space, and how a search looks for them there."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.db.pool import Database
from bot.domain import SpaceId
from bot.store import bounded_words, word_counts
from bot.store.bounded_words import Divided, Sought
from bot.store.word_counts import Counted, WordCounts, WordSampler
from tests.conftest import Clock
from tests.rows import column

SPACE = SpaceId(1)
SAY = """
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, said_at, search)
SELECT 1, n, 10, 1, 'person', 7, 'Ann', text, $3, search_vector('english', text)
FROM (SELECT n, format('kettle %s lantern%s', n, n % 4) AS text FROM generate_series($1::bigint, $2) AS n) AS said
"""
KEEP = """
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
                    channel_id, content_hash, created_at, said_at, reinforced_at, last_used_at, search)
SELECT 1, n, 'long', 'general', 'topic', text, 5, 5, 'user', '{auto}', 10, decode(md5(n::text), 'hex'), $2, $2, $2, $2,
       search_vector('english', text)
FROM (SELECT n, format('spoon%s', n % 2) AS text FROM generate_series(1, $1::bigint) AS n) AS kept
"""
KNOWN = "SELECT word FROM common_word ORDER BY held_by, word"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred rows are many."""
    monkeypatch.setattr(word_counts, "LARGE", 100)
    monkeypatch.setattr(word_counts, "COMMON", 20)


@pytest.fixture
async def space(database: Database, clock: Clock) -> Database:
    async with database.connection() as connection:
        await connection.execute(
            "INSERT INTO space (space_id, language, memory_count, created_at) VALUES (1, 'english', 120, $1)", clock()
        )
        await connection.execute(KEEP, 120, clock())
    return database


async def said(database: Database, first: int, last: int, at: datetime) -> None:
    async with database.connection() as connection:
        await connection.execute(SAY, first, last, at)


async def counts(database: Database, *words: str) -> WordCounts:
    async with database.connection() as connection:
        return await word_counts.of_words(connection, SPACE, words)


async def test_common_words_are_counted_of_a_sample(space: Database, clock: Clock) -> None:
    """Of messages and of memories apart; where a sample has every row, as they are. What few hold is none of them."""
    await said(space, 1, 400, clock())
    assert 2 == await WordSampler(space).look([SPACE], now=clock())
    found = await counts(space, "kettl", "lantern1", "17", "spoon1")
    assert Counted(total=400, rows={"kettl": 400, "lantern1": 100}) == found.messages
    assert Counted(total=120, rows={"spoon1": 60}) == found.memories


async def test_a_space_is_sampled_anew_when_it_has_grown_or_a_day_is_over(space: Database, clock: Clock) -> None:
    """A small one never is; and one that is as it was is not."""
    sampler = WordSampler(space)
    await said(space, 1, 50, clock())
    assert 1 == await sampler.look([SPACE], now=clock())  # the memories
    assert Counted() == (await counts(space, "kettl")).messages
    await said(space, 51, 130, clock())
    assert [1, 0] == [await sampler.look([SPACE], now=clock()) for _ in range(2)]
    await said(space, 131, 150, clock())
    assert 0 == await sampler.look([SPACE], now=clock())
    await said(space, 151, 160, clock())
    assert 1 == await sampler.look([SPACE], now=clock())
    assert 160 == (await counts(space, "kettl")).messages.rows["kettl"]
    assert 2 == await sampler.look([SPACE], now=clock() + timedelta(days=1))


async def test_many_messages_are_counted_piece_by_piece(
    space: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_counts, "COUNTED_AT_ONCE", 70)
    await said(space, 1, 300, clock())
    await WordSampler(space).look([SPACE], now=clock())
    assert 300 == (await counts(space, "kettl")).messages.total


async def test_what_was_counted_can_be_dropped(space: Database, clock: Clock) -> None:
    """Words are nowhere then, until the next look."""
    await said(space, 1, 200, clock())
    await WordSampler(space).look([SPACE], now=clock())
    async with space.connection() as connection:
        await word_counts.drop_in(connection, SPACE)
    assert [] == await column(space, KNOWN)
    assert WordCounts() == await counts(space, "kettl")
    assert 2 == await WordSampler(space).look([SPACE], now=clock())


# --- how words are looked for ---------------------------------------------------------------------------------------


def divided(rows: Sequence[int], total: int) -> Divided:
    return bounded_words.divided([Sought(query=f"'w{n}'", rows=of) for n, of in enumerate(rows)], Counted(total=total))


def test_a_small_space_is_asked_for_everything() -> None:
    """So is a large one for what is rare in it."""
    for found in (divided([0, 0], 0), divided([900, 0, 300], 10**6)):
        assert ("", 0, 0) == (found.walked, found.walk(20), found.hits)
        assert found.rare == found.indexed
        assert "'w0'" in found.indexed


def test_of_common_words_the_index_is_asked_for_pairs() -> None:
    """Of those that few rows hold together; a word that half of all rows hold is in none."""
    found = divided([10, 12_000, 7_000, 4_000_000], 10**7)
    assert "('w0')" == found.rare
    assert "('w0') | (('w2') & ('w1'))" == found.indexed
    assert "('w2') | ('w1') | ('w3')" == found.walked
    assert (0, 12_000, 7_000, 4_000_000) == found.rows
    assert 4_000_000 < found.hits < 4_035_000
    assert bounded_words.WALKED == found.walk(4) * 4
    assert bounded_words.LEAST_WALKED == found.walk(10**6)


@given(st.lists(st.integers(min_value=0, max_value=10**6), min_size=1, max_size=16))
def test_what_the_index_may_name_is_bounded(rows: list[int]) -> None:
    """However common the words are; and each is looked for one way or the other."""
    found = divided(rows, 10**6)
    named = [n for n in range(len(rows)) if f"('w{n}')" in found.rare.split(" | ")]
    assert sum(rows[n] for n in named) <= bounded_words.INDEXED
    assert {f"('w{n}')" for n in range(len(rows))} == {*found.rare.split(" | "), *found.walked.split(" | ")} - {""}
