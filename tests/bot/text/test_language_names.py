"""The laws of what languages are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text import language_names, languages


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Deutsch", "german"),
        ("de", "german"),
        ("German", "german"),
        ("français", "french"),
        ("Francais", "french"),
        ("FR", "french"),
        ("Español", "spanish"),
        ("castellano", "spanish"),
        ("Tiếng Việt", "vietnamese"),
        ("русский", "russian"),
        ("Klingon", "klingon"),
    ],
)
def test_a_language_is_known_by_each_of_its_names(name: str, language: str) -> None:
    """With accents or without, in any case; what is none stays what it is."""
    assert language == language_names.named(name)


@pytest.mark.parametrize("language", sorted(languages.KNOWN - {"simple"}))
def test_every_language_is_called_by_its_english_name(language: str) -> None:
    """Which is never another's own name, or its code."""
    assert language == language_names.named(language)
    assert language_names.begins(language, language[:3])


@pytest.mark.parametrize(
    ("typed", "language"), [("deu", "german"), ("de", "german"), ("fran", "french"), ("esp", "spanish")]
)
def test_a_name_is_completed_in_the_language_s_own_words(typed: str, language: str) -> None:
    """As somebody types who speaks it."""
    assert language_names.begins(language, typed)


def test_what_is_mistyped_has_its_neighbours() -> None:
    """By whichever of their names; nothing is near to what is like none."""
    assert ["german", "dutch"] == language_names.near("Deutch", languages.KNOWN)
    assert "spanish" in language_names.near("Espagnol", languages.KNOWN)
    assert [] == language_names.near("xqzzy", languages.KNOWN)


@given(st.text(max_size=60))
def test_any_text_is_taken(text: str) -> None:
    """Whatever is typed."""
    assert isinstance(language_names.named(text), str)
    assert all(language in languages.KNOWN for language in language_names.near(text, languages.KNOWN))
