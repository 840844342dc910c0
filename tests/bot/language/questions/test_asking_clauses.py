"""What of a question asks."""

import pytest

from bot.language.questions import asking_clauses


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("i forgot what tobi works as now", "what tobi works as now"),
        ("Sorry, I\u2019ve totally forgotten who has the key.", "who has the key."),
        ("when was the release, i lost track", "when was the release"),
        ("where is the key? I can't remember", "where is the key?"),
        ("i wonder who runs bug triage", "who runs bug triage"),
        ("ich hab vergessen, wer den Schl\u00fcssel hat", "wer den Schl\u00fcssel hat"),
        ("je ne sais plus o\u00f9 est la cl\u00e9", "o\u00f9 est la cl\u00e9"),
        ("ya no s\u00e9 qui\u00e9n tiene la llave", "qui\u00e9n tiene la llave"),
    ],
)
def test_that_one_does_not_know_asks_nothing(text: str, asked: str) -> None:
    """Whether it stands before the question or behind it."""
    assert asked == asking_clauses.without_not_knowing(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I forgot",
        "I forgot the code",
        "what did I say i forgot?",
        "who forgot the keys",
        "I don't know Ben, do you?",
    ],
)
def test_what_is_forgotten_itself_stays(text: str) -> None:
    """What is asked about is no clause of not knowing."""
    assert text == asking_clauses.without_not_knowing(text)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("what did I lend Ann?", "what did I lend Ann?"),
        ("my car colour", "my car colour"),
        ("I lost my key. Where is the spare one?", "Where is the spare one?"),
        ("I lost my key, who has the spare one?", "who has the spare one?"),
    ],
)
def test_what_is_told_beside_a_question_asks_nothing(text: str, asked: str) -> None:
    """It is left where nothing else stands there."""
    assert asked == asking_clauses.asking(text).strip(" ,")
