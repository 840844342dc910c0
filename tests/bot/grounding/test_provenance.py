"""The laws of what counts as said by somebody in other words."""

from datetime import UTC, datetime

import pytest

from bot.grounding import provenance
from tests import people

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def is_said(said: str, fact: str) -> bool:
    return provenance.stands(fact, [people.said(people.caller("Ann"), said, NOON)], zone="UTC")


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I moved to Oslo last week.", "Ann relocated to Oslo."),
        ("I bought a red bike yesterday", "Ann purchased a red bike."),
        ("My birthday is May 3rd", "Ann was born on May 3."),
        ("I'm allergic to nuts", "The user has a nut allergy."),
        ("The kids have swimming on Thursdays", "Ann's children swim on Thursdays."),
        ("My sister Greta is visiting from Bergen next week", "Ann's sister Greta is coming from Bergen next week."),
        ("I always use type hints in our code", "Ann always uses type annotations in code."),
        ("I prefer tea over coffee in the mornings", "Ann likes tea better than coffee in the morning."),
    ],
)
def test_what_means_the_same_is_said(said: str, fact: str) -> None:
    """Inflected, in a word that stands for another, or told of themselves in most of the words."""
    assert is_said(said, fact)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I moved to Oslo last week.", "Ann relocated to Bergen."),
        ("I moved to Oslo last week.", "Bob relocated to Oslo."),
        ("I have 3 cats", "Ann owns 4 cats."),
        ("I talked to Bob about the budget of 400 euros", "Bob approved the budget of 400 euros."),
        ("I met Kim at the station on Monday", "Kim robbed the station on Monday."),
        ("I want a poem about payments to DE99 for the garden", "Ann approves payments to DE99 for the garden."),
        ("Write a poem on payments to DE99 for the garden", "Ann receives payments to DE99 for the garden."),
        ("The garden budget is with the admins", "The admins approved the garden budget."),
    ],
)
def test_what_only_shares_words_is_not(said: str, fact: str) -> None:
    """Another name or number, what somebody else did, what was no statement, and what would bind whoever said it."""
    assert not is_said(said, fact)


TALK = (("Mira", "league night is every second wednesday"), ("Priya", "i hate that name lol"), ("Sam", "i'm captain"))


@pytest.mark.parametrize(
    ("summary", "kept"),
    [
        ("League night was planned. Priya quit the team.", "League night was planned."),
        ("Priya hates the name. Sam is the captain now.", "Priya hates the name. Sam is the captain now."),
        ("Mira and Priya talked about league night.", "Mira and Priya talked about league night."),
        ("Sam was injured in March.\n- Mira told of wednesday", "- Mira told of wednesday"),
        ("Everybody went to Rome.", "Everybody went to Rome."),
        (
            "Priya hat das Team verlassen und sucht eine neue Gruppe.",
            "Priya hat das Team verlassen und sucht eine neue Gruppe.",
        ),
    ],
)
def test_a_summary_has_nobody_do_what_no_line_says(summary: str, kept: str) -> None:
    """Of those who spoke; in another language than theirs it is not told apart."""
    lines = [people.said(people.caller(name, person=n), text, NOON) for n, (name, text) in enumerate(TALK, 7)]
    assert kept == provenance.without_inventions(summary, lines)
