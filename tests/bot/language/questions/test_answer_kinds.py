"""What kind of answer a question wants."""

import pytest

from bot.language.questions import answer_kinds
from bot.language.questions.answer_kind_words import AnswerKind


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How much is a bag of flour?", {AnswerKind.AMOUNT}),
        ("what did we pay for the van", {AnswerKind.AMOUNT}),
        ("membership fee?", {AnswerKind.AMOUNT}),
        ("How many chairs are in the hall?", {AnswerKind.COUNT}),
        ("how tall is the mast", {AnswerKind.MEASURE}),
        ("how long does it take", {AnswerKind.DURATION}),
        ("how long is the rope", {AnswerKind.DURATION, AnswerKind.MEASURE}),
        ("Wie lang ist das Seil?", {AnswerKind.DURATION, AnswerKind.MEASURE}),
        ("How old is Jun's daughter?", {AnswerKind.AGE}),
        ("when is the fair", {AnswerKind.TIME}),
        ("Ann's birthday?", {AnswerKind.TIME}),
        ("door code??", {AnswerKind.CODE}),
        ("What\u2019s the wifi password?", {AnswerKind.CODE}),
        ("what is Ben's number", {AnswerKind.PHONE}),
        ("link to the form?", {AnswerKind.LINK}),
        ("which version do we run", {AnswerKind.VERSION}),
        ("Who has the key?", {AnswerKind.PERSON}),
        ("where do we meet", {AnswerKind.PLACE}),
        ("why did it break", {AnswerKind.REASON}),
        ("what is the cat called", {AnswerKind.NAME}),
        ("Wie alt ist der Ofen?", {AnswerKind.AGE}),
        ("Wann ist das Fest?", {AnswerKind.TIME}),
        ("Wer hat den Schl\u00fcssel?", {AnswerKind.PERSON}),
        ("how do I bake it", set()),
        ("did the rent go up?", set()),
        ("what did Jun hang up when the lens broke", set()),
    ],
)
def test_what_kind_of_answer_is_wanted(question: str, kinds: set[AnswerKind]) -> None:
    assert kinds == answer_kinds.wanted(question)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("\u00a314.20 a bag", AnswerKind.AMOUNT),
        ("forty euros, all in", AnswerKind.AMOUNT),
        ("twice a week", AnswerKind.COUNT),
        ("zw\u00f6lf Eier", AnswerKind.COUNT),
        ("it is 4.5 metres", AnswerKind.MEASURE),
        ("an hour and a half", AnswerKind.DURATION),
        ("she turned six", AnswerKind.AGE),
        ("on the 3rd", AnswerKind.TIME),
        ("at 7", AnswerKind.TIME),
        ("it's 4417 now", AnswerKind.CODE),
        ("the shed: 4 8 1 5", AnswerKind.CODE),
        ("call +44 7700 900318", AnswerKind.PHONE),
        ("see https://maps.example", AnswerKind.LINK),
        ("me, sorry", AnswerKind.PERSON),
        ("I think Ben has it", AnswerKind.PERSON),
        ("under the blue pot", AnswerKind.PLACE),
        ("because it rained", AnswerKind.REASON),
    ],
)
def test_a_kind_is_told(text: str, kind: AnswerKind) -> None:
    assert answer_kinds.tells(text, kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("someone has it", AnswerKind.COUNT),
        ("the tenant", AnswerKind.COUNT),
        ("it is broken", AnswerKind.AMOUNT),
        ("the old one is dead", AnswerKind.CODE),
        ("the fair is off", AnswerKind.TIME),
        ("number 12", AnswerKind.PHONE),
        ("it rained", AnswerKind.PERSON),
    ],
)
def test_a_kind_is_not_told(text: str, kind: AnswerKind) -> None:
    assert not answer_kinds.tells(text, kind)


@pytest.mark.parametrize(
    ("text", "is_told"),
    [("forty bowls to sell", True), ("Glazed bowls are fired to cone 6", False), ("nine, with my brother", True)],
)
def test_what_is_counted_stands_behind_its_number(text: str, is_told: bool) -> None:
    """A number of something else is no answer; one that names nothing may be."""
    (of,) = answer_kinds.counted("how many bowls do we have?")
    assert is_told == answer_kinds.tells_count(text, of)


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
    assert answer_kinds.wants_newest(question)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What was the code before the new lock?", False),
        ("What did it use to cost?", None),
        ("Who was chair?", None),
        ("what's the old code", False),
        ("Wer hatte den Schl\u00fcssel?", None),
    ],
)
def test_it_is_asked_how_things_were(question: str, wanted: bool | None) -> None:
    """Before something, where the oldest is wanted, or at some time, where no age is."""
    assert wanted is answer_kinds.wants_newest(question)
