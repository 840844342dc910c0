"""The law of questions for memories by their numbers."""

import pytest

from bot.language.requests import number_questions

ASKS = (
    ("what does #2 say?", [2]),
    ("what is #2", [2]),
    ("What's #2 about?", [2]),
    ("who said #4?", [4]),
    ("hey hathi, tell me about #33 please", [33]),
    ("#12?", [12]),
    ("show me memory 7", [7]),
    ("what do #2, #3 and #4 say", [2, 3, 4]),
    ("when was #9 said?", [9]),
    ("Was steht in #3?", [3]),
    ("Wer hat #4 gesagt?", [4]),
    ("Zeig mir bitte Erinnerung 8", [8]),
    ("Que dit #2 ?", [2]),
    ("qui a dit #4", [4]),
    ("montre-moi le souvenir 5", [5]),
    ("¿Qué dice #2?", [2]),
    ("quién dijo #4", [4]),
)
OTHERS = (
    "what does #2 say about the kiln?",
    "what is 2",
    "who is in room 4?",
    "forget #4",
    "we are #1!",
    "is issue #4 closed?",
    "#general",
    "what does he say?",
    "#2 is wrong",
)


@pytest.mark.parametrize(("text", "numbers"), ASKS)
def test_memories_are_asked_for_by_number(text: str, numbers: list[int]) -> None:
    """In each language, with what people say beside it; of several each."""
    assert numbers == [*number_questions.read(text)]


@pytest.mark.parametrize("text", OTHERS)
def test_other_numbers_are_none_of_a_memory(text: str) -> None:
    """What asks for something else, or only has a number."""
    assert () == number_questions.read(text)
