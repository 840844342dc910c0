"""The laws of the explanation of a recall: every score in its parts, what was read, and why there is nothing."""

import re
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands import score_breakdown
from bot.domain import (
    Asked,
    ChannelId,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Parts,
    PersonId,
    Recollection,
    Result,
    Role,
    Source,
    SpaceId,
    Strategy,
    Tier,
)
from tests.conftest import Clock

NOON = Clock().now
PARTS = ("text", "neighbours", "session", "semantic", "tags", "recency", "importance", "author", "dates", "form")


def memory(number: int, content: str = "The vault code is 4417.", **parts: float) -> Result:
    item = Memory(
        space_id=SpaceId(1),
        memory_id=MemoryId(number),
        channel_id=ChannelId(1),
        tier=Tier.SHORT,
        room="general",
        topic="vault",
        content=content,
        importance=5,
        source=Source.USER,
        tags=(),
        author_id=PersonId(7),
        author="Ann",
        evidence=(),
        seen_count=1,
        pinned=False,
        created_at=NOON,
        said_at=NOON,
    )
    return Result(item=item, parts=Parts(**parts))


def message(number: int, content: str = "Who has the vault code?", **parts: float) -> Result:
    item = Message(
        space_id=SpaceId(1),
        channel_id=ChannelId(1),
        message_id=MessageId(number),
        role=Role.PERSON,
        author_id=PersonId(8),
        author="Bob",
        content=content,
        said_at=NOON,
    )
    return Result(item=item, parts=Parts(**parts))


def told(found: Recollection, strategy: Strategy = Strategy.RANKED, **given: Any) -> list[str]:
    wanted: dict[str, Any] = {"page": 1, "size": 5, "zone": "UTC"} | given
    return score_breakdown.explained(found, strategy, **wanted).splitlines()


def test_each_result_has_its_parts_and_their_sum() -> None:
    """Those that are not 0, to two digits; around them what was looked at, what was read, and the best candidates."""
    best = memory(12, text=1.104, recency=0.01, importance=0.025, author=0.3)
    other = message(99, text=0.8, neighbours=0.001, form=-0.12)
    found = Recollection(
        results=(best, other),
        asked=Asked(
            words=("vault", "code"),
            people=("Ann",),
            dates=("last week",),
            domains=("domain:finance",),
            notes=("There is no 31 February; I looked for its words.",),
        ),
        candidates=(best, other, memory(7, text=0.1)),
        considered=17,
        certainty=1.2,
        threshold=0.27,
    )
    assert told(found) == [
        "Why these 2 results: 17 looked at, 15 discarded.",
        "Read from the query, words: vault, code.",
        "Read from the query, people: Ann.",
        "Read from the query, dates: last week.",
        "Read from the query, domains: finance.",
        "Note: There is no 31 February; I looked for its words.",
        "",
        "1. memory #12, Ann, 2026-03-02 12:00 UTC",
        "    The vault code is 4417.",
        "Score 1.44: text 1.10, recency 0.01, importance 0.03, author 0.30.",
        "",
        "2. message, Bob, 2026-03-02 12:00 UTC",
        "    Who has the vault code?",
        "Score 0.68: text 0.80, form -0.12.",
        "",
        "Best candidates, number and score: #12 1.44; 99 0.68; #7 0.10.",
    ]


@pytest.mark.parametrize("name", PARTS)
def test_every_part_is_told(name: str) -> None:
    """By its name."""
    assert f"Score 0.50: {name} 0.50." in told(
        Recollection(results=(Result(item=memory(1).item, parts=Parts(**{name: 0.5})),), considered=1)
    )


def test_silence_is_told_in_plain_words() -> None:
    """How certain the best was and how certain it would have to be; the candidates stand there all the same."""
    found = Recollection(candidates=(memory(3, text=0.4),), considered=44, certainty=0.118, threshold=0.27)
    why, _, candidates = told(found)
    assert [part in why for part in ("Why nothing: 44", "certainty 0.12", "takes 0.27")] == [True] * 3
    assert candidates.endswith(": #3 0.40.")


def test_whether_meaning_was_compared_is_told() -> None:
    """Where an embedder took part."""
    found = Recollection(results=(memory(1, semantic=0.3),), considered=1, compared_meaning=True)
    lines = told(found)
    assert ("Meaning was compared" in lines[1], lines[-1]) == (True, "Score 0.30: semantic 0.30.")


def test_nothing_to_look_at_is_told() -> None:
    """Where nothing was found to be scored, or the query has no word to look for, that is the reason."""
    nothing = Recollection(asked=Asked(words=("kiln",)))
    assert "anything of the query" in told(nothing)[0]
    (only,) = told(Recollection())
    assert "nothing to look for" in only


def test_a_page_is_numbered_on() -> None:
    """The places are those among all results, and the head says which they are."""
    found = Recollection(results=tuple(memory(n, text=1 / n) for n in range(1, 8)), considered=9)
    lines = told(found, page=2, size=3)
    assert "Why results 4 to 6 of 7: 9 looked at, 2 discarded." == lines[0]
    assert ["4. memory #4", "5. memory #5", "6. memory #6"] == [
        line.partition(",")[0] for line in lines if re.match(r"\d", line)
    ]


@pytest.mark.parametrize("strategy", [Strategy.LITERAL, Strategy.KEYWORDS])
def test_a_plain_strategy_tells_its_rule(strategy: Strategy) -> None:
    """What a score counts, in one line."""
    lines = told(Recollection(results=(memory(1, text=3),), considered=1), strategy)
    parts = {
        Strategy.LITERAL: ("Literal: ", "one for each word"),
        Strategy.KEYWORDS: ("Keywords: ", "3 in the topic", "2 in the text", "2 among names", "1 elsewhere"),
    }[strategy]
    assert [True] * len(parts) == [part in lines[1] for part in parts]
    assert "Score 3.00: text 3.00." == lines[5]


def test_what_does_not_fit_is_counted() -> None:
    """The results that are left out come last, and how many they are is said before the candidates."""
    results = tuple(memory(n, "word " * 50, text=1 / n) for n in range(1, 21))
    found = Recollection(results=results, candidates=results[:10], considered=20)
    lines = told(found, size=20)
    shown = sum(bool(re.match(r"\d+\. ", line)) for line in lines)
    assert 0 < shown < 20
    assert 1 == sum(line.startswith(f"… and {20 - shown} more") for line in lines)
    assert lines[-1].startswith("Best candidates")
    assert 20 == sum(bool(re.match(r"\d+\. ", line)) for line in told(found, size=20, limit=None))


_parts = st.builds(Parts, **{name: st.floats(-3, 3) for name in PARTS})
_results = st.builds(
    lambda content, parts, number: Result(item=memory(number, content or "x").item, parts=parts),
    st.text(max_size=300),
    _parts,
    st.integers(1, 2**62),
)
_words = st.lists(st.text(max_size=80), max_size=16).map(tuple)


@given(
    results=st.lists(_results, max_size=20).map(tuple),
    words=_words,
    notes=_words,
    people=_words,
    dates=_words,
    page=st.integers(1, 4),
)
def test_it_fits_into_a_message_whatever_is_in_it(
    results: tuple[Result, ...], words: Any, notes: Any, people: Any, dates: Any, page: int
) -> None:
    """At most 2,000 UTF-16 units with room for a prefix, and what people wrote stands only behind four spaces."""
    asked = Asked(words=words, people=people, dates=dates, domains=words, notes=notes)
    found = Recollection(results=results, asked=asked, candidates=results[:10], considered=40)
    text = score_breakdown.explained(found, Strategy.KEYWORDS, page=page, size=5, zone="UTC")
    assert 0 < len(text.encode("utf-16-le", "replace")) // 2 <= score_breakdown.LIMIT < 2000


def test_parts_are_all_named_here() -> None:
    """No part of a score goes without a test."""
    assert set(PARTS) == {*get_type_hints(Parts)}
