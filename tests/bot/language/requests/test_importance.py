"""The laws of an importance that is told in plain words."""

import pytest

from bot.language.requests import plain_words


@pytest.mark.parametrize(
    ("text", "thing", "importance"),
    [
        ("remember with importance 9 that the gate code is 4417", "the gate code is 4417", 9),
        ("Remember that the gate code is 4417, importance 9", "the gate code is 4417", 9),
        ("please remember that the gate code is 4417 (importance 10/10).", "the gate code is 4417", 10),
        ("remember that the gate code is 4417 with an importance of 3", "the gate code is 4417", 3),
        ("Hathi, remember with importance 9: the gate code is 4417", "the gate code is 4417", 9),
        ("this is very important, importance 10: the gate code is 4417", "the gate code is 4417", 10),
        ("importance 9: the gate code is 4417", "the gate code is 4417", 9),
        ("remember that the gate code is 4417", "the gate code is 4417", None),
        ("remember that the roof has importance 9 on our list", "the roof has importance 9 on our list", None),
        ("remember that the gate code is 4417, importance 11", "the gate code is 4417, importance 11", None),
    ],
)
def test_an_importance_is_heard_and_is_no_part_of_the_thing(text: str, thing: str, importance: int | None) -> None:
    """Before the thing, behind it or as its heading; from 1 to 10, and set apart from what is told."""
    found = plain_words.things_to_remember(text)
    assert found is not None
    assert ((thing,), importance) == (found.things, found.importance)


@pytest.mark.parametrize("text", ["What has importance 9?", "the leak has importance 9", "importance 9"])
def test_what_only_speaks_of_importance_asks_for_nothing(text: str) -> None:
    """Neither a question nor a statement is a request."""
    assert plain_words.things_to_remember(text) is None
