"""The laws of whom a text tells of."""

import pytest

from bot.domain import PersonId
from bot.language.statements.subjects import Told, told_of

WRITER = Told()


def first(text: str, **mentioned: int) -> Told | None:
    """The first a text may tell of."""
    return next(told_of(text, {name: PersonId(who) for name, who in mentioned.items()}), None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I am vegan.", WRITER),
        ("Yesterday I\u2019ve met Bob.", WRITER),
        ("My birthday is on 3 May.", WRITER),
        ("Ich esse kein Fleisch.", WRITER),
        ("Bob is allergic to nuts.", Told(names=("bob",))),
        ("Bob Stone's car is red.", Told(names=("bob stone", "bob"))),
        ("The deploy key is Bob's.", Told(names=("bob",))),
        ("Ask Will about it.", Told(names=("ask will", "ask"))),
        ("We saw Will there.", Told(names=("will",))),
        ("@bob likes tea.", Told(names=("bob likes tea", "bob likes", "bob"))),
        ("<@8> likes tea.", Told(person_id=PersonId(8))),
    ],
)
def test_whom_a_text_tells_of_is_told_by_how_it_is_written(text: str, told: Told) -> None:
    """By "I", by a mention, or by words with capitals, the longest name first."""
    found = [each for each in told_of(text, {}) if each.names[:1] not in {("the",), ("yesterday",), ("we",)}]
    assert told == found[0]


@pytest.mark.parametrize(
    "text",
    ["bob is allergic.", "BOB IS ALLERGIC TO NUTS", "Will you come?", "the market is in May", "It is 3 o'clock."],
)
def test_what_is_not_written_as_a_name_is_none(text: str) -> None:
    """No small letters, no shouting, no everyday word at the beginning of a sentence, no month."""
    assert [] == [each for each in told_of(text, {}) if each.names != ("it",)]


def test_a_mention_is_who_was_mentioned() -> None:
    """However the name is written, and before what stands later."""
    assert Told(person_id=PersonId(8)) == first("@xX bob ~ met Cleo", **{"xX bob ~": 8})
