import contextvars

import pytest

from bot import catalogue
from bot.text import amounts


def test_amounts_are_told_as_a_sentence_has_them() -> None:
    """One is told as one, and none as many; where it was not counted on, as at least so much."""
    assert [amounts.memories(count) for count in (0, 1, 2)] == ["0 memories", "1 memory", "2 memories"]
    assert amounts.records(1) == "1 record of an answer"
    assert amounts.told("2 notes", is_least=True) == "at least 2 notes"
    assert amounts.told("2 notes", is_least=False) == "2 notes"


def test_amounts_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """How much there is is told in the language that is spoken, as that counts."""
    monkeypatch.setattr(catalogue, "gettext", {"at least {amount}": "mindestens {amount}"}.__getitem__)
    monkeypatch.setattr(catalogue, "ngettext", lambda one, many, count: f"{one if count == 1 else many}, told")

    assert amounts.told(amounts.files(3), is_least=True) == "mindestens 3 files, told"
    assert amounts.notes(1) == "1 note, told"


@pytest.mark.parametrize(
    ("language", "told"),
    [("english", "1,234,567"), ("german", "1.234.567"), ("french", "1\u202f234\u202f567"), ("spanish", "1.234.567")],
)
def test_thousands_stand_apart_as_in_the_language(language: str, told: str) -> None:
    """A long number is written as the language that is spoken writes it."""

    def inside() -> str:
        catalogue.speak(language)
        return amounts.number(1_234_567)

    assert contextvars.copy_context().run(inside) == told
