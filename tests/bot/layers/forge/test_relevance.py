"""The laws of relevance: which words tell, when an item is a hit, and which lines of a text are shown."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.layers.forge import relevance
from bot.layers.forge.relevance import score, telling
from bot.layers.forge.things import Item, ItemKind


def item(title: str, body: str = "", *labels: str) -> Item:
    return Item(
        kind=ItemKind.ISSUE,
        number=1,
        title=title,
        state="open",
        author=None,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
        ended_at=None,
        body=body,
        labels=labels,
        url="",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("which issue was about the redis eviction last week?", {"redis", "eviction"}),
        ("why did PR merge the nexus cache on main", {"cache"}),
        ("did anyone open a ticket about ttl_seconds or TypeError?", {"ttl_seconds", "TypeError"}),
        ("what was it?", set[str]()),
        ("is there a bug report of the-nexus?", set[str]()),
    ],
)
def test_words_of_asking_and_of_forges_do_not_tell(text: str, words: set[str]) -> None:
    """Nor do names of repositories and words of time; names of things in code go first."""
    assert words == {word.word for word in telling(text, ["nexus", "the-nexus"])}


def test_names_go_first_then_the_longest_words() -> None:
    """So that a search of few words takes those that tell most."""
    assert ["retry_after", "backpressure", "queue"] == [w.word for w in telling("queue backpressure retry_after")]


@pytest.mark.parametrize(
    ("question", "title", "body", "is_hit"),
    [
        ("which issue had caching and evictions", "The cache evicts too early", "", True),
        ("which issue had the redis eviction", "Eviction", "of redis", True),
        ("which issue had the redis eviction", "Redis is down", "", False),
        ("what about ttl_seconds and kettles", "Document ttl_seconds", "", True),
        ("what about ttl_seconds and kettles", "seconds of a ttl", "", False),
        ("the oven and the kettle", "Dark mode", "", False),
        ("any issue about pagination?", "Pagination skips a page", "", True),
        ("any issue about pagination?", "Dark mode", "and pagination", False),
    ],
)
def test_a_hit_shares_two_words_or_the_name_of_something(question: str, title: str, body: str, is_hit: bool) -> None:
    """In whatever form; one common word is no hit, unless it is all that was asked for and stands in the title."""
    assert is_hit == (score(telling(question), item(title, body)) > 0)


def test_the_title_counts_more_than_the_body() -> None:
    """And labels count as the body."""
    words = telling("redis eviction")
    full, half = score(words, item("Redis eviction")), score(words, item("Other", "redis", "eviction"))
    assert (1.0, True) == (full, 0 < half < full)


def test_the_passage_is_the_one_that_holds_most_of_the_words() -> None:
    """Whole lines, as many as fit; the first ones where no word is held."""
    text = "\n".join([*(f"line {n}" for n in range(100)), "def evict(cache):", "    redis.drop()", "end"])
    assert relevance.passage(text, telling("redis evicting the cache"), 60).startswith("def evict(cache):")
    assert "line 0\nline 1" == relevance.passage(text, telling("kettle"), 14)


@given(st.text(max_size=400), st.text(max_size=100), st.integers(2, 80))
def test_a_passage_is_never_longer_than_it_may_be(text: str, question: str, longest: int) -> None:
    """Whatever the text and the question."""
    assert len(relevance.passage(text, telling(question), longest)) <= longest
