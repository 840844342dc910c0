"""The laws of what answers a question that people ask each other."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain import Message, MessageId, PersonId, Role, Stock
from bot.language.questions import answered
from tests.bot.language.statements.test_extraction import said

HERE = Path(__file__).parent
ASKED = "Who has the ladder of the boat house?"


def is_open(*lines: str | tuple[str, str]) -> bool:
    """Whether the first of these, Ann's, is left unanswered."""
    messages = said(*lines)
    return messages[0].message_id in answered.unanswered(messages)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (ASKED, "Ben took it home on Monday"),
        (ASKED, "that was me"),
        (ASKED, "the ladder is broken, didn't you hear?"),
        ("when do we meet?", "half six at the gate"),
        ("where are the keys?", "in the green crate under the stairs at the unit, with the tape"),
        ("how much was the paint?", "they wanted 32 euros for two tins, which I find a lot of money for what it is"),
        ("did the parcel come?", "not yet"),
        ("is it ok if I bring my dog?", "of course!"),
        ("hast du den Schl\u00fcssel?", "ja"),
        ("which brush is best?", "the soft one"),
    ],
)
def test_what_tells_what_is_asked_for_answers(question: str, answer: str) -> None:
    """It speaks of the same, tells the kind of thing, or is a short answer; nothing else was said between."""
    assert not is_open(question, ("Ben", answer))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how was the trip?", "lovely, thanks"),
        ("heyy, how did the bowls turn out ben?", "2 cracked :( rest is fine"),
        ("wie war das Konzert?", "sehr schön, alle waren da"),
        ("comment s'est passée la répétition ?", "très bien, on a fini tôt"),
        ("ben did the glaze work?", "a bit runny this time"),
    ],
)
def test_what_is_said_next_answers_how_it_was_and_who_is_named(question: str, answer: str) -> None:
    """Whatever that is; but neither a question back nor a shrug."""
    assert not is_open(question, ("Ben", answer))
    assert is_open(question, ("Ben", "no idea"))
    assert is_open(question, ("Ben", "which one?"))


@pytest.mark.parametrize(
    "other",
    [
        "my cat just knocked over the plant again",
        "we won the quiz on Friday!",
        "I'm so tired today",
        "no idea, sorry",
        "which ladder?",
        "lol",
        "good morning all",
    ],
)
def test_talk_that_goes_on_about_something_else_answers_nothing(other: str) -> None:
    """Nor do a shrug and a question back; nor what the asker adds."""
    assert is_open(ASKED, ("Ben", other), ("Cleo", "the coffee machine is broken"), "I need it by noon")


@pytest.mark.parametrize("name", ["exchanges.jsonl", "exchanges_unseen.jsonl"])
def test_labelled_exchanges(name: str) -> None:
    """Nine in ten of what was answered is known to be, and four in five of what was not."""
    rows = [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]
    for is_answered, least in ((True, 0.9), (False, 0.8)):
        alike = [is_answered != is_open(*map(tuple, row["said"])) for row in rows if row["answered"] == is_answered]
        assert sum(alike) / len(alike) >= least


def test_a_yes_is_said_to_the_last_question() -> None:
    """Not to one before it."""
    assert not is_open(ASKED, ("Ben", "me"))
    assert is_open(ASKED, ("Ben", "did you see the match?"), ("Cleo", "yeah what a goal"))


def test_what_is_typed_to_be_looked_for_is_no_question() -> None:
    """Of few words without a verb nobody is asked anything."""
    assert not is_open("a vault with a small leak")


def test_what_was_said_late_or_to_others_answers_nothing() -> None:
    """Ten minutes later, unless it is the very next; and what replies to somebody else."""
    asked, joke, told = said(ASKED, ("Cleo", "lol"), ("Ben", "the ladder is in the shed"))
    late = replace(told, said_at=asked.said_at + answered.WITHIN + timedelta(minutes=1))

    for messages, expected in (
        ([asked, joke, told], False),
        ([asked, joke, late], True),
        ([asked, late], False),
        ([asked, replace(told, reply_to=joke.message_id)], True),
    ):
        assert expected == (asked.message_id in answered.unanswered(messages))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, False),
        ({"content": "which one?"}, True),
        ({"content": "dunno"}, True),
        ({"author_id": PersonId(1)}, True),
        ({"role": Role.HATHI}, False),
        ({"role": Role.HATHI, "stock": Stock.NOTHING}, True),
    ],
)
def test_a_reply_answers_whatever_it_says(change: dict[str, object], *, expected: bool) -> None:
    """However much later; but no question back, no shrug, none by the asker, and no set text of Hathi's."""
    asked, reply = said(ASKED, ("Ben", "hangs at Holm's"))
    reply = replace(reply, reply_to=asked.message_id, **change)  # pyright: ignore[reportArgumentType]
    between = [replace(reply, message_id=MessageId(200 + n), reply_to=None, content="ok") for n in range(9)]
    messages: list[Message] = [asked, *between, reply]

    assert expected == (asked.message_id in answered.unanswered(messages))
