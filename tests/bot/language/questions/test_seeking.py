"""What only says that somebody seeks a thing."""

import pytest

from bot.language.questions import seeking


@pytest.mark.parametrize(
    "text",
    [
        "looking for the drill",
        "i cant find the drill",
        "I forgot the wifi password",
        "i don't remember who has the drill",
        "need the drill asap",
        "sorry, no idea where it is",
        "ich finde den Bohrer nicht",
        "je ne trouve pas la perceuse",
        "no encuentro el taladro",
    ],
)
def test_what_seeks_a_thing_tells_nothing_of_it(text: str) -> None:
    """However it is said that it is not there."""
    assert seeking.only_seeks(text)


@pytest.mark.parametrize(
    "text",
    [
        "I need the drill on Saturday for the hall",
        "we need more size 12 needles",
        "Ben is looking for the drill",
        "the drill is on shelf B",
        "I found the drill",
    ],
)
def test_what_tells_more_is_told(text: str) -> None:
    """Who wants what, and when, is a fact as any other."""
    assert not seeking.only_seeks(text)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("who is looking for the drill?", True),
        ("what do we need?", True),
        ("where is the drill?", False),
        ("i need the drill", False),
    ],
)
def test_who_seeks_may_be_asked(question: str, *, asks: bool) -> None:
    """Then what says so is the answer."""
    assert asks is seeking.asks_for_seekers(question)
