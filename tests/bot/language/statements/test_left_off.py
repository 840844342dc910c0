from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain import Message, Stock
from bot.language.statements import left_off
from bot.text import patterns
from tests.benchmarks import kept
from tests.bot.language.statements.test_extraction import said


def lines(messages: list[Message]) -> list[str]:
    return left_off.left_off(messages).splitlines()


def test_the_last_steps_are_told_newest_last():
    """Decisions, plans, results and open questions, by their authors; not what came first, or what somebody likes."""
    messages = said(
        "I prefer tea over coffee.",
        ("Ben", "We decided to paint the boat house green."),
        "lol my feet are cold",
        ("Ben", "I finished the drawings of the jetty."),
        "I'll order the timber from Holm on Monday.",
        ("Ben", "ok"),
        ("Cleo", "Who has the key of the boat house?"),
    )

    assert lines(messages) == [
        "Ann, Ben and Cleo, 7 messages.",
        'Ben: "We decided to paint the boat house green."',
        'Ben: "I finished the drawings of the jetty."',
        'Ann: "I\'ll order the timber from Holm on Monday."',
        'Cleo asked: "Who has the key of the boat house?"',
    ]


@pytest.mark.parametrize(
    "answer",
    [("Ben", "It hangs behind the door of the hall."), ("Hathi", "Ben said: it hangs behind the door.")],
    ids=["by a person", "by Hathi"],
)
def test_a_question_that_was_answered_is_not_open(answer: tuple[str, str]):
    """Neither where somebody else said something after it, nor where Hathi replied."""
    question, reply = said("Who has the key of the boat house?", answer)

    assert "asked" not in left_off.left_off([question, replace(reply, reply_to=question.message_id)])


def test_a_question_that_nobody_takes_up_is_open():
    """A thank-you, or more from whoever asked, is no answer; to ask where one left off is no open question."""
    messages = said("Who has the key of the boat house?", "I need it by noon.", ("Ben", "thanks!"), "Where were we?")

    assert 'Ann asked: "Who has the key of the boat house?"' in lines(messages)
    assert "Where were we" not in left_off.left_off(messages)


def test_a_question_put_to_hathi_is_not_open():
    """Whatever the reply: that nothing was found is no matter between people."""
    asked, reply = said("Who has the key of the boat house?", ("Hathi", "I don't have this in my memory."))
    messages = [asked, replace(reply, reply_to=asked.message_id, stock=Stock.NOTHING)]

    assert "asked" not in left_off.left_off(messages)
    assert frozenset() == left_off.steps(messages)


def test_the_steps_are_the_messages_by_which_something_moved():
    """What was decided and done, and what waits for an answer; not small talk, nor what somebody likes."""
    messages = said("We decided to paint the shed.", "haha", ("Ben", "I booked the hall for 3 May."), "I prefer tea.")

    assert {messages[0].message_id, messages[2].message_id} == left_off.steps(messages)


def test_where_nothing_moved_the_last_statements_are_told():
    """Of a session without a step, what was worth keeping; of one without that too, who spoke."""
    assert lines(said("I prefer tea over coffee.", "ok"))[1:] == ['Ann: "I prefer tea over coffee."']
    assert lines(said("hey", ("Ben", "hi"))) == ["Ann and Ben, 2 messages."]


def test_a_long_session_is_told_by_its_end():
    """In at most 600 characters, the last of them the newest."""
    told = left_off.left_off(said(*(f"We decided to paint boat number {n} green." for n in range(200))))

    assert len(told) <= left_off.LONGEST == 600
    assert told.endswith('boat number 199 green."')
    assert "boat number 189" not in told


def test_who_spoke_gives_way_to_what_was_said():
    """Names that leave no room are left out."""
    crowd = [("N" * 60 + str(n), "ok") for n in range(5)]
    parts = [f"the {part} green" for part in patterns.vocabulary("door roof gate hall mast deck keel oars sail jetty")]
    long = (
        f"We decided to paint {', '.join(sorted(parts))}, and to leave all that stands behind them as grey as it was "
    )
    long += "when the club bought it from the old ferrymen of Holm."
    told = left_off.left_off(said(*crowd, ("Ben", long)))

    assert told.startswith('Ben: "We decided')


@given(st.lists(st.tuples(st.sampled_from(["Ann", "Ben", "Hathi"]), st.text(max_size=700)), max_size=6))
@settings(max_examples=200)
def test_every_line_is_somebodys_own_words(session: list[tuple[str, str]]):
    """Of any session: short enough, and every line but the first quotes one message verbatim."""
    told = left_off.left_off(said(*session))

    assert len(told) <= left_off.LONGEST


def test_of_real_talk_every_line_is_verbatim():
    """Each line but the first is a sentence of one message, by its author."""
    for conversation in kept.conversations(kept.SETS[0]):
        told = {one.author: "" for one in conversation}
        for one in conversation:
            told[one.author] += f"\n{one.content}"
        for line in left_off.left_off(conversation).splitlines()[1:]:
            author, _, quoted = line.partition(': "')
            assert quoted.removesuffix('"') in told[author.removesuffix(" asked")]
