"""What a misspelt word nearly spells."""

import pytest

from bot.text import spelling

KNOWN = ("password", "wifi", "repair", "birch", "ladder", "pass", "rest", "the", "tea")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("pasword", ("password",)),
        ("wfi", ("wifi",)),
        ("repiar", ("repair",)),
        ("birhc", ("birch",)),
        ("teh", ("the",)),
        ("kiln", ()),
    ],
)
def test_a_misspelt_word_finds_what_it_nearly_spells(word: str, meant: tuple[str, ...]) -> None:
    assert meant == spelling.nearly(word, KNOWN)


@pytest.mark.parametrize("word", ["ab", "7193", "x" * 40, ""])
def test_what_is_no_word_spells_nothing(word: str) -> None:
    assert () == spelling.nearly(word, (*KNOWN, "abc", "7194", "x" * 39))


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("rassword", ("password",)),
        ("assword", ("password",)),
        ("apssword", ("password",)),
        ("ppassword", ("password",)),
        ("password", ()),
        ("fadder", ("ladder",)),
        ("test", ()),
    ],
)
def test_of_a_long_word_the_first_letter_may_be_wrong(word: str, meant: tuple[str, ...]) -> None:
    """A short one that begins otherwise is mostly another word; known is looked for by its ending."""
    assert meant == spelling.misbegun(word, KNOWN)
    assert {one[1:] for one in meant} <= {*spelling.endings(word)}
