"""What kind of answer a question wants."""

import pytest

from bot.language.questions import answer_kinds


@pytest.mark.parametrize(
    "question",
    [
        "How much is a bag of flour?",
        "door code??",
        "What\u2019s the wifi password?",
        "Wie alt ist der Ofen?",
        "Wie viel kostet der Eintritt?",
    ],
)
def test_a_figure_is_wanted(question: str) -> None:
    assert answer_kinds.wants_figure(question)


@pytest.mark.parametrize(
    "question", ["Who has the key?", "what is the cat called", "Wer hat den Schl\u00fcssel?", "how do I bake it"]
)
def test_no_figure_is_wanted(question: str) -> None:
    assert not answer_kinds.wants_figure(question)


@pytest.mark.parametrize("text", ["\u00a314.20 a bag", "at 7", "twice a week", "zw\u00f6lf Eier"])
def test_a_figure_is_told(text: str) -> None:
    assert answer_kinds.tells_figure(text)


@pytest.mark.parametrize("text", ["someone has it", "Tonne", "the tenant"])
def test_no_figure_is_told(text: str) -> None:
    assert not answer_kinds.tells_figure(text)


@pytest.mark.parametrize(
    "question",
    [
        "What is the door code?",
        "what did the hut cost in the end",
        "Who was chair and who is it now?",
        "Was kostet es jetzt?",
    ],
)
def test_it_is_asked_how_things_are(question: str) -> None:
    assert answer_kinds.wants_latest(question)


@pytest.mark.parametrize(
    "question", ["What did it use to cost?", "Who was chair?", "what's the old code", "Wer hatte den Schl\u00fcssel?"]
)
def test_it_is_asked_how_things_were(question: str) -> None:
    assert not answer_kinds.wants_latest(question)
