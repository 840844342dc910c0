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
