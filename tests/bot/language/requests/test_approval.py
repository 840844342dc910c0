"""The laws of a message that only approves of an answer."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import NOTHING_FOUND, Message, MessageId, Role, Stock
from bot.language.requests import approval, closing
from bot.text import formulas
from tests import people

ANN, BOB = people.caller(), people.caller("Bob", person=8)
AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

APPROVALS = [
    "remember this scene",
    "remember that limerick",
    "save this love poem please",
    "save that as our poem",
    "note this decision",
    "remember that rota",
    "merk dir dieses Gedicht",
    "speicher das als Cue-Liste Akt 1",
    "retiens ce po\u00e8me",
    "guarda esta receta",
    "this will do nicely",
    "This will do nicely, thanks!",
    "that will do just fine",
    "perfect, keep that",
    "that's exactly it, save this",
    "That\u2019s exactly what I wanted, please remember it!",
    "Yes! Exactly that. Keep it.",
    "this is perfect, keep it for later",
    "perfect, thanks, save this 📌",
    "keep this",
    "save that, please",
    "let's keep that",
    "write that down",
    "keep that in mind",
    "Hathi, remember this",
    "perfect, remember that",
    "genau, merk dir das",
    "das passt perfekt",
    "speichere das bitte",
    "parfait, garde ça",
    "ça fera l'affaire",
    "perfecto, guarda eso",
    "guárdalo",
    "eso servirá perfectamente",
]

OTHERS = [
    "",
    # Praise asks for nothing.
    "perfect",
    "that's exactly it",
    "thanks",
    "that will do",
    # The opposite.
    "don't keep that",
    "no, don't save this",
    # A question.
    "keep that?",
    # Something of their own is said.
    "keep that away from me",
    "save this file as plan.txt",
    "remember the milk",
    "remember that I am vegan",
    "this will do nicely for the party on Friday",
    "perfect, keep that and tell me a joke",
    "keep it up",
    "save the date",
    "keep calm",
]


@pytest.mark.parametrize("text", APPROVALS)
def test_approval(text: str) -> None:
    """A message that as a whole asks to keep what was just answered, in four languages."""
    assert approval.is_approval(text)


@pytest.mark.parametrize("text", OTHERS)
def test_no_approval(text: str) -> None:
    """Praise alone, a question, the opposite, and what says anything of its own."""
    assert not approval.is_approval(text)


@pytest.mark.parametrize("text", APPROVALS)
def test_an_approval_closes_nothing(text: str) -> None:
    """No message is both."""
    assert not closing.is_closure(text)


@given(st.text(max_size=formulas.LONGEST + 20))
def test_any_text_is_read(text: str) -> None:
    """No text raises, and none with a question mark approves."""
    assert not (approval.is_approval(text) and "?" in text)


def _talk(*said: tuple[str, str]) -> Sequence[Message]:
    """Lines of a session; `>` is Hathi's answer to the line before."""
    talk: list[Message] = []
    for number, (by, text) in enumerate(said, 1):
        talk.append(
            Message(
                space_id=ANN.space_id,
                channel_id=ANN.channel_id,
                message_id=MessageId(number),
                role=Role.HATHI if by == ">" else Role.PERSON,
                author_id={"Ann": ANN.person_id, "Bob": BOB.person_id}.get(by),
                author=by,
                content=text,
                said_at=AT + timedelta(minutes=number),
                reply_to=MessageId(number - 1) if by == ">" else None,
            )
        )
    return talk


def _found(said: Message, talk: Sequence[Message]) -> tuple[str, str] | None:
    found = approval.approved(said, talk)
    return None if found is None else (found[0].content, found[1].content)


def test_the_answer_is_the_last_one() -> None:
    """An approval is about the answer right before it."""
    *talk, said = _talk(("Ann", "Q1"), (">", "A1"), ("Ann", "Q2"), (">", "A2"), ("Ann", "keep that"))
    assert ("A2", "Q2") == _found(said, talk)


def test_remarks_of_others_do_not_come_between() -> None:
    """What others say to each other after the answer leaves it the one that is meant."""
    *talk, said = _talk(("Ann", "Q1"), (">", "A1"), ("Bob", "lunch?"), ("Ann", "keep that"))
    assert ("A1", "Q1") == _found(said, talk)


def test_what_one_has_said_since_does() -> None:
    """After something of one's own that was not answered there is no answer that could be meant."""
    *talk, said = _talk(("Ann", "Q1"), (">", "A1"), ("Ann", "Q2"), ("Ann", "keep that"))
    assert _found(said, talk) is None


def test_the_answer_that_is_replied_to_goes_before() -> None:
    """An approval in reply to an earlier answer is about that one; in reply to anything else, about none."""
    *talk, said = _talk(("Ann", "Q1"), (">", "A1"), ("Ann", "Q2"), (">", "A2"), ("Ann", "keep that"))
    for refers, expected in ((2, ("A1", "Q1")), (4, ("A2", "Q2")), (1, None), (99, None)):
        assert expected == _found(replace(said, reply_to=MessageId(refers)), talk)


def test_the_first_part_of_a_long_answer_stands_for_it() -> None:
    """Of an answer in parts, of which only the first names its question, that part is the one."""
    *talk, said = _talk(("Ann", "Q1"), (">", "A1"), (">", "A1, go on"), ("Ann", "keep that"))
    assert ("A1", "Q1") == _found(said, [talk[0], talk[1], replace(talk[2], reply_to=None)])


def test_without_an_answer_there_is_none() -> None:
    """At the beginning of a session nothing can be meant."""
    assert approval.approved(people.said(ANN, "keep that", AT), ()) is None


@pytest.mark.parametrize(
    ("answer", "is_stock", "expected"),
    [
        ("Hello!", False, True),
        (NOTHING_FOUND, True, True),
        ("The vault is red, and I find it again when you ask.", True, True),
        ("At Gino's, in the harbour.", False, False),
        ("4417", False, False),
    ],
)
def test_what_is_trivial(answer: str, is_stock: bool, expected: bool) -> None:
    """Small talk holds nothing, nor does a set text, whatever it says."""
    _, answered = _talk(("Ann", "Well?"), (">", answer))
    assert expected == approval.is_trivial(replace(answered, stock=Stock.KEPT if is_stock else None))
