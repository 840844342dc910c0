"""The arithmetic of places."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dates.times import Span, Times
from bot.domain import (
    ChannelId,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Parts,
    PersonId,
    Role,
    SessionId,
    Source,
    SpaceId,
    Tier,
)
from bot.recall import ranking
from bot.recall.answer_signs import ASKS, DAY, KIND, PERSON, Signs
from bot.recall.query import ParsedQuery, Query, Term
from bot.recall.ranking import Candidate, Counts, RowReading, rank

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
COUNTS = Counts(rows=(5, 50, 20, 0), hits=60)
"""Of the last word nobody ever said anything."""


def message(number: int, text: str = "It rained.", *, author: int = 7, session: int = 1, days: float = 1) -> Message:
    return Message(
        space_id=SpaceId(1),
        channel_id=ChannelId(10),
        message_id=MessageId(number),
        session_id=SessionId(session),
        role=Role.PERSON,
        author_id=PersonId(author),
        author="Ann",
        content=text,
        said_at=NOW - timedelta(days=days),
    )


def memory(number: int, text: str = "It rained.", *, importance: int = 5, tags: tuple[str, ...] = ()) -> Memory:
    return Memory(
        space_id=SpaceId(1),
        memory_id=MemoryId(number),
        channel_id=ChannelId(10),
        tier=Tier.SHORT,
        room="general",
        topic="rain",
        content=text,
        importance=importance,
        source=Source.USER,
        tags=tags,
        author_id=PersonId(7),
        author="Ann",
        evidence=(),
        seen_count=1,
        pinned=False,
        created_at=NOW,
        said_at=NOW - timedelta(days=1),
    )


def candidate(
    item: Memory | Message, mask: int, *, beside: dict[int, float] | None = None, **given: float
) -> Candidate:
    lent = {MessageId(key): share for key, share in (beside or {}).items()}
    return Candidate(item=item, mask=mask, length=10, beside=lent, **given)  # pyright: ignore[reportArgumentType]


def query(
    *,
    unknown: float = 0.0,
    spans: tuple[Span, ...] = (),
    asks_when: bool = False,
    domains: frozenset[str] = frozenset(),
    **given: Any,
) -> ParsedQuery:
    shares = {"kettle": 1.0, "lamp": 1.0, "oven": 1.0, "samovar": unknown}
    read: dict[str, Any] = {"named": {}, "names": (), "asker": (), "notes": (), "language": "english"} | given
    return ParsedQuery(
        query=Query(text=" ".join(shares), as_of=NOW, domains=domains),
        terms=tuple(Term(word=word, token=word, share=share) for word, share in shares.items()),
        times=Times(spans=spans, asks_when=asks_when, wrong=()),
        **read,
    )


def order(asked: ParsedQuery, *candidates: Candidate) -> list[int]:
    found = rank(asked, COUNTS, candidates).results
    return [r.item.memory_id if isinstance(r.item, Memory) else r.item.message_id for r in found]


def parts(asked: ParsedQuery, *candidates: Candidate, read: ranking.Read = ranking.unread) -> Parts:
    """Of the first candidate."""
    results = rank(asked, COUNTS, candidates, read).results
    return next(result.parts for result in results if result.item is candidates[0].item)


def _form(item: Memory | Message) -> float:
    """The share of its score that a row gains or loses by its form."""
    found = parts(query(), candidate(item, 0b001))
    return found.form / (found.score - found.form)


def test_the_rare_word_comes_before_the_frequent_one() -> None:
    """A word few rows hold weighs more than one that many hold."""
    assert [2, 1] == order(query(), candidate(message(1), 0b010), candidate(message(2, session=2), 0b001))


def test_parts_add_up_to_the_score() -> None:
    """The score of a result is the sum of its parts, each of which can be shown."""
    found = parts(
        query(named={PersonId(7): 1.0}, asks_when=True, domains=frozenset({"domain:garden"})),
        candidate(message(1, "Was it last week?"), 0b011, beside={2: 0.6}, similarity=2.0),
        candidate(message(2), 0b100),
        read=lambda *_: RowReading(signs=Signs(asks=True)),
    )
    names = [*get_type_hints(Parts)]
    assert pytest.approx(found.score) == sum(getattr(found, name) for name in names)
    assert {"tags", "importance"} == {name for name in names if not getattr(found, name)}
    assert found.form < 0


@given(st.permutations(range(8)), st.lists(st.integers(0, 7), min_size=8, max_size=8))
def test_the_order_rows_come_in_does_not_matter(order_in: list[int], masks: list[int]) -> None:
    """The same rows have the same places, however they come; equals go by their ids, memories first."""
    rows = [
        candidate(memory(n) if n % 3 == 0 else message(n, session=n % 2), mask, beside={1: 0.6})
        for n, mask in enumerate(masks, 1)
    ]
    straight, mixed = rank(query(), COUNTS, rows), rank(query(), COUNTS, [rows[at] for at in order_in])
    assert straight == mixed


def test_what_is_recorded_and_read_beside_it_is_one_result() -> None:
    """A message may come twice, from the store and as it stands in the channel: it is told once, of its session."""
    live = replace(message(2, session=1), session_id=None)
    for candidates in (
        (candidate(live, 0b001), candidate(message(2), 0b001)),
        (candidate(message(2), 0b001), candidate(live, 0b001)),
    ):
        found = rank(query(), COUNTS, [*candidates, candidate(message(1), 0b010)]).results
        assert [(2, 1), (1, 1)] == [
            (one.item.message_id, one.item.session_id) for one in found if isinstance(one.item, Message)
        ]


def test_equals_go_by_their_ids() -> None:
    """Two rows alike in everything keep the order of their ids."""
    assert [1, 2, 3] == order(query(), *(candidate(message(n), 0b001) for n in (3, 1, 2)))


def test_a_word_counts_once_where_it_counts_most() -> None:
    """A word beside the row that the row holds itself adds nothing; one it lacks adds its share."""
    alone = parts(query(), candidate(message(1), 0b001))
    same = parts(query(), candidate(message(1), 0b001, beside={2: 0.6}), candidate(message(2), 0b001))
    other = parts(query(), candidate(message(1), 0b001, beside={2: 0.6}), candidate(message(2), 0b010))
    assert (0.0, 0.0) == (alone.neighbours, same.neighbours)
    assert pytest.approx(0.6) == other.neighbours / parts(query(), candidate(message(2), 0b010)).text


def test_an_answer_is_found_by_the_words_of_its_question() -> None:
    """A row that holds no word at all has a place beside one that does, behind it and before what stands farther."""
    rows = (
        candidate(message(1, "Where is the tent?", session=1), 0b011),
        candidate(message(2, "In the attic.", session=1), 0, beside={1: ranking.ANSWER}),
        candidate(message(3, "I see.", session=1), 0, beside={1: ranking.NEAR[1], 2: ranking.NEAR[0]}),
        candidate(message(4, "Something else.", session=2), 0),
    )
    assert [1, 2, 3, 4] == order(query(), *rows)


def test_who_is_named_counts_double_and_nobody_is_left_out() -> None:
    """What somebody named said scores twice; what others said keeps its place behind."""
    asked = query(named={PersonId(8): 1.0})
    mine, theirs = candidate(message(1, author=7), 0b001), candidate(message(2, author=8, session=2), 0b001)
    assert [2, 1] == order(asked, mine, theirs)
    found = parts(asked, theirs)
    assert pytest.approx(found.score / 2) == found.author


@pytest.mark.parametrize(
    ("signs", "malus"),
    [
        (Signs(asks=True), ASKS),
        (Signs(lacks_kind=True), KIND),
        (Signs(lacks_person=True), PERSON),
        (Signs(lacks_day=True), DAY),
        (Signs(lacks_kind=True, lacks_person=True), KIND + PERSON),
    ],
)
def test_what_lacks_what_is_asked_for_comes_second(signs: Signs, malus: float) -> None:
    """Of two alike the one that asks, or lacks the kind, person or day asked for, loses a share of its score."""
    lacking, whole = candidate(message(1), 0b001), candidate(message(2, session=2), 0b001)
    found = rank(query(), COUNTS, (lacking, whole), lambda c, _: RowReading(signs=signs if c is lacking else Signs()))
    assert [whole.item, lacking.item] == [result.item for result in found.results]
    second = found.results[1].parts
    assert pytest.approx(-malus) == second.form / (second.score - second.form)


def test_of_equals_the_newest_comes_first_where_it_is_asked_how_things_are() -> None:
    """If it speaks of all the best speaks of, and about as well; else the best stays first. Else the oldest."""
    old, new = candidate(message(1, "We went to Oslo.", days=9), 0b011), candidate(message(2, session=2), 0b011)
    less = candidate(message(3, session=3, days=0.5), 0b010)
    found = [rank(query(), COUNTS, (old, new, less), newest=newest).results for newest in (None, True, False)]
    assert [[1, 2, 3], [2, 1, 3], [1, 2, 3]] == [
        [r.item.message_id for r in one if isinstance(r.item, Message)] for one in found
    ]


def test_times_favour_and_never_exclude() -> None:
    """What was said in the time asked about comes first; the rest stays."""
    span = Span(words="last week", start=NOW - timedelta(days=9), end=NOW - timedelta(days=2))
    rows = (candidate(message(1, days=1), 0b001), candidate(message(2, days=5, session=2), 0b001))
    assert [1, 2] == order(query(), *rows)
    assert [2, 1] == order(query(spans=(span,)), *rows)


def test_what_happened_is_still_told_days_later() -> None:
    """Said up to three days after the time asked about counts half as much as in it; later counts for nothing."""
    span = Span(words="May", start=NOW - timedelta(days=9), end=NOW - timedelta(days=5))
    asked = query(spans=(span,))
    share = {
        days: parts(asked, candidate(message(1, days=days), 0b001)).dates
        / parts(query(), candidate(message(1, days=days), 0b001)).score
        for days in (10.0, 9.0, 5.0, 2.1, 2.0)
    }
    assert pytest.approx({10.0: 0.0, 9.0: 0.3, 5.0: 0.15, 2.1: 0.15, 2.0: 0.0}) == share


@pytest.mark.parametrize("text", ["We went to Oslo.", 'I read "Emma".', "He saw (Ella) too.", "Das ist \u00d6l."])
def test_what_names_something_comes_before_what_names_nothing(text: str) -> None:
    """A word with a capital within a sentence speaks for a row, message or memory alike."""
    assert [2, 1] == order(query(), candidate(message(1), 0b001), candidate(message(2, text, session=2), 0b001))
    assert pytest.approx(ranking.NAMES) == _form(message(1, text)) == pytest.approx(_form(memory(1, text)))


@pytest.mark.parametrize("text", ["We went. There it was.", "Oslo", "I am.", "so Ann went", "he said: Yes", "a\nWord"])
def test_beginnings_of_sentences_and_speakers_are_no_names(text: str) -> None:
    """What opens a sentence has its capital for that, and who speaks here is named by everybody."""
    assert 0.0 == _form(message(1, text))


def test_who_asks_when_is_told_when() -> None:
    """Where a time is asked for, what tells one comes before what tells none."""
    rows = (candidate(message(1), 0b001), candidate(message(2, "It rained on Tuesday.", session=2), 0b001))
    assert [2, 1] == order(query(asks_when=True), *rows)


def test_domains_importance_and_recency_part_equals() -> None:
    """A shared domain, a greater importance and a newer date each come first among equals."""
    asked = query(domains=frozenset({"domain:garden"}))
    assert [2, 1] == order(
        asked, candidate(memory(1), 0b001), candidate(memory(2, tags=("auto", "domain:garden")), 0b001)
    )
    assert [2, 1] == order(query(), candidate(memory(1), 0b001), candidate(memory(2, importance=9), 0b001))
    assert [2, 1] == order(
        query(), candidate(message(1, days=300), 0b001), candidate(message(2, days=3, session=2), 0b001)
    )


def test_meaning_counts_beside_words() -> None:
    """Of two with the same words the one nearer in meaning comes first; less than usual takes nothing away."""
    near, far = candidate(message(1), 0b001, similarity=-3.0), candidate(message(2, session=2), 0b001, similarity=2.0)
    assert [2, 1] == order(query(), near, far)
    assert 0.0 == parts(query(), near).semantic


def test_a_session_that_comes_back_to_it_lends_its_similarity() -> None:
    """By its second and third likest, to all said in it: the likest alone may be so by chance, and lends nothing."""
    often = [candidate(message(n, session=2), 0, similarity=n) for n in (1, 2, 3)]
    once, aside = (
        candidate(message(4, session=3), 0, similarity=3.0),
        candidate(message(5, session=2), 0, similarity=-1.0),
    )
    found = {
        r.item.message_id: (r.parts.session, r.parts.semantic)
        for r in rank(query(), COUNTS, [*often, once, aside]).results
        if isinstance(r.item, Message)
    }

    lent = pytest.approx(ranking.SEMANTIC_SESSION * 1.5)
    assert (lent, 0.0) == found[MessageId(5)]
    assert (lent, pytest.approx(ranking.SEMANTIC * 3)) == found[MessageId(3)]
    assert (0.0, pytest.approx(ranking.SEMANTIC * 3)) == found[MessageId(4)]


def test_the_best_of_many_alike_stands_out_from_none() -> None:
    """A query that finds fifty rows alike has no best."""
    alike = [candidate(message(n, session=n), 0b001) for n in range(1, 60)]
    assert rank(query(), COUNTS, alike).standing.out < 0.02 < rank(query(), COUNTS, alike[:1]).standing.out
    assert not rank(query(), COUNTS, []).standing.speaks


def test_what_states_nothing_stands_apart_and_makes_nothing_surer() -> None:
    """However well it matches; how the ranking stands is told of the best that states something."""
    asks, tells = candidate(message(1), 0b111), candidate(message(2, session=2), 0b001)
    found = rank(query(), COUNTS, (asks, tells), lambda c, _: RowReading(signs=Signs(states=c is not asks)))
    assert ([tells.item], [asks.item]) == ([r.item for r in found.results], [r.item for r in found.questions])
    assert found.standing.out < found.of_questions


def test_a_message_has_its_place_by_the_words_of_its_statement() -> None:
    """Those it only asks with count as if they stood beside it; one that states as much comes before it."""
    both, states = candidate(message(1), 0b011), candidate(message(2, session=2), 0b010)
    found = rank(query(), COUNTS, (both, states), lambda c, _: RowReading(said=0b001) if c is both else RowReading())
    (whole,) = rank(query(), COUNTS, (candidate(message(1), 0b011),)).results
    narrowed = next(result for result in found.results if result.item is both.item)
    assert (narrowed.parts.text < whole.parts.text, narrowed.parts.neighbours > 0) == (True, True)
