"""The laws of whom a text tells of."""

import pytest

from bot.domain import PersonId
from bot.language.statements.subjects import Subject, is_thing, told_of

WRITER = Subject()


def first(text: str, **mentioned: int) -> Subject | None:
    """The first a text may tell of."""
    return next(told_of(text, {name: PersonId(who) for name, who in mentioned.items()}), None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I am vegan.", WRITER),
        ("Yesterday I\u2019ve met Bob.", WRITER),
        ("My birthday is on 3 May.", WRITER),
        ("im allergic to latex", WRITER),
        ("ive got the jigsaw", WRITER),
        ("ill be late on Monday", WRITER),
        ("Bob is ill today.", Subject(names=("bob",))),
        ("Ich esse kein Fleisch.", WRITER),
        ("Bob is allergic to nuts.", Subject(names=("bob",))),
        ("Bob Stone's car is red.", Subject(names=("bob stone", "bob"))),
        ("The deploy key is Bob's.", Subject(names=("bob",))),
        ("Ask Will about it.", Subject(names=("ask will", "ask"))),
        ("We saw Will there.", Subject(names=("will",))),
        ("@bob likes tea.", Subject(names=("bob likes tea", "bob likes", "bob"))),
        ("<@8> likes tea.", Subject(person_id=PersonId(8))),
    ],
)
def test_whom_a_text_tells_of_is_told_by_how_it_is_written(text: str, told: Subject) -> None:
    """By "I", by a mention, or by words with capitals, the longest name first."""
    written = [each for each in told_of(text, {}) if not each.is_small]
    found = [each for each in written if each.names[:1] not in {("the",), ("yesterday",), ("we",)}]
    assert told == found[0]


@pytest.mark.parametrize(
    "text",
    [
        "the bob is green.",
        "call bob today",
        "max 3 people",
        "BOB IS ALLERGIC TO NUTS",
        "Will you come?",
        "the market is in May",
        "It is 3 o'clock.",
    ],
)
def test_what_is_not_written_as_a_name_is_none(text: str) -> None:
    """No thing in small letters, no shouting, no everyday word at the beginning of a sentence, no month."""
    assert [] == [each for each in told_of(text, {}) if each.names != ("it",)]


def test_a_mention_is_who_was_mentioned() -> None:
    """However the name is written, and before what stands later."""
    assert Subject(person_id=PersonId(8)) == first("@xX bob ~ met Cleo", **{"xX bob ~": 8})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ingrid is always late and grumpy", "ingrid"),
        ("so ingrid never pays", "ingrid"),
        ("ingrid's plot is number 8", "ingrid"),
        ("ingrid ist immer zu spät", "ingrid"),
        ("je crois que ingrid préfère le thé", "ingrid"),
        ("ingrid siempre llega tarde", "ingrid"),
    ],
)
def test_a_name_in_small_letters_may_be_one(text: str, name: str) -> None:
    """Where something is, is done or belongs to somebody; it is marked as what may be any word."""
    small = [each for each in told_of(text, {}) if each.is_small]
    assert [Subject(names=(name,), is_small=True)] == [each for each in small if each.names == (name,)]


def test_a_thing_has_an_article() -> None:
    """However it is written otherwise."""
    assert [True, True, False, False] == [
        is_thing(text, "storm") for text in ("the storm is over", "Unser Storm", "storm is late", "the storms are over")
    ]
