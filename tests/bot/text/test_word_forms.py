"""The laws of the forms of a word."""

import itertools

import pytest

from bot.text.word_forms import alike, stem


@pytest.mark.parametrize(
    "forms",
    [
        ("plan", "plans", "planned", "planning"),
        ("release", "releases", "released", "releasing"),
        ("analysis", "analyses", "analyse", "analysing", "analysed", "analyze", "analyzing", "analyzed"),
        ("organise", "organize", "organising", "organizing"),
        ("party", "parties"),
        ("check", "checks", "checked", "checking"),
        ("colour", "color", "colours", "coloring"),
        ("centre", "center"),
        ("catalogue", "catalog"),
        ("licence", "license"),
        ("programme", "program"),
        ("cancelled", "canceled", "cancelling"),
    ],
)
def test_forms_of_a_word_meet(forms: tuple[str, ...]) -> None:
    """The commonest endings of English are no difference, nor is where it is spelt."""
    assert 1 == len({stem(form) for form in forms})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("organization", "organise"),
        ("deployment", "deploying"),
        ("installation", "install"),
        ("analize", "analysis"),
        ("isue", "issue"),
        ("onbaording", "onboard"),
        ("relase", "releases"),
        ("proccess", "process"),
    ],
)
def test_what_is_made_of_a_word_or_mistyped_is_like_it(one: str, other: str) -> None:
    """By one letter that is missing, too many, another, or in the wrong place; in either order."""
    assert (True, True) == (alike(stem(one), stem(other)), alike(stem(other), stem(one)))


def test_other_words_stay_apart() -> None:
    """Short words differ by a letter, and no word's first letter is mistyped."""
    words = (
        "ship",
        "shop",
        "test",
        "text",
        "train",
        "brain",
        "ticket",
        "deploy",
        "employ",
        "issue",
        "analysis",
        "a",
        "",
    )
    assert not [pair for pair in itertools.combinations(words, 2) if alike(*map(stem, pair))]
