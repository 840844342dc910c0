"""The law of hurried words: written out they read as their full forms do, and nothing else changes."""

import pytest

from bot.text import short_forms


@pytest.mark.parametrize(
    ("hurried", "full"),
    [
        ("whats my address", "what's my address"),
        ("Wheres the key, pls?", "Where's the key, please?"),
        ("WHO DIDNT PAY", "WHO Didn't PAY"),
        ("whos in, whens lunch, hows ur cat", "who's in, when's lunch, how's your cat"),
        ("u said pat hasnt paid", "you said pat hasn't paid"),
    ],
)
def test_hurried_words_are_written_out(hurried: str, full: str) -> None:
    """Wherever they stand, and with a capital where they had one."""
    assert full == short_forms.written_out(hurried)


@pytest.mark.parametrize("text", ["its lid, were ill", "u-turn and r.u.n", "#u", "the whatsapp group", "don't", "U2"])
def test_other_words_stay(text: str) -> None:
    """What only looks like one, or is another word without its apostrophe."""
    assert text == short_forms.written_out(text)
