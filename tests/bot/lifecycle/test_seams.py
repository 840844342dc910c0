"""The laws of where a run of messages is cut."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bot.domain import Message, MessageId, Role
from bot.lifecycle import seams
from bot.llm.tokens import estimate
from tests import people

ANN, BOB = people.caller(), people.caller("Bob", person=8)
START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
GARDEN = ("The roses need water.", "Roses grow by the garden wall.", "Water the garden roses at noon.")
MONEY = ("The invoice is overdue.", "Pay that invoice by bank transfer.", "The bank asks for the invoice number.")


def talk(*texts: str, minutes: tuple[int, ...] = ()) -> list[Message]:
    """What Ann and Bob say in turn, a minute apart but where said."""
    at, found = START, list[Message]()
    for n, text in enumerate(texts):
        at += timedelta(minutes=minutes[n] if n < len(minutes) else 1)
        found.append(people.said(BOB if n % 2 else ANN, text, at))
    return found


def shape(messages: list[Message], most: int = 60, most_tokens: int = 3000) -> list[int]:
    """How many messages each chunk has."""
    return [len(chunk) for chunk in seams.cut(messages, most=most, most_tokens=most_tokens)]


def test_what_fits_stays_together() -> None:
    assert [6] == shape(talk(*GARDEN, *MONEY))
    assert [] == shape([])


def test_a_silence_parts() -> None:
    """Where at least four messages stand before it."""
    assert [4, 2] == shape(talk(*GARDEN, "Done.", *MONEY[:2], minutes=(1, 1, 1, 1, 90)))
    assert [5] == shape(talk(*GARDEN, *MONEY[:2], minutes=(1, 1, 1, 90)))


def test_a_full_chunk_ends_where_the_subject_changes() -> None:
    """Not where it happens to be full."""
    assert [3, 3] == shape(talk(*GARDEN, *MONEY), most=5)
    assert [3, 3] == shape(talk(*GARDEN, *MONEY), most_tokens=sum(estimate(t) for t in (*GARDEN, *MONEY)) - 1)


def test_a_question_and_its_answer_stay_together() -> None:
    """What somebody else says next, within ten minutes; not what the asker adds."""
    asked = talk("Roses.", "Who has the ladder?", "Me, since May.", "Fine.")
    assert [1, 2, 1] == shape(asked, most=2)
    late = talk("Roses.", "Who has the ladder?", "Me, since May.", "Fine.", minutes=(1, 1, 30))
    assert [2, 2] == shape(late, most=2)


def test_an_answer_of_hathi_stays_with_what_it_answers() -> None:
    """Also where somebody spoke in between."""
    asked = people.said(ANN, "Tell me of the roses", START)
    between = people.said(BOB, "Hello there.", START + timedelta(minutes=1))
    answer = Message(
        space_id=ANN.space_id,
        channel_id=ANN.channel_id,
        message_id=MessageId(between.message_id + 1),
        role=Role.HATHI,
        author_id=None,
        author="Hathi",
        content="They need water.",
        said_at=START + timedelta(minutes=2),
        reply_to=asked.message_id,
    )
    assert [between.message_id, answer.message_id] == [
        m.message_id for m in seams.cut([asked, between, answer], most=2, most_tokens=3000)[-1]
    ][-2:]


def test_a_code_block_is_never_parted() -> None:
    """However long it goes on, and then the next chunk begins."""
    block = talk("Look: ```py", *(f"line {n}" for n in range(9)), "end ```", "Nice.", "Yes.")
    chunks = seams.cut(block, most=4, most_tokens=3000)
    assert ["Look: ```py", "end ```"] == [chunks[0][0].content, chunks[0][10].content]
    assert 13 == sum(map(len, chunks))


def test_a_fence_that_nobody_closes_is_none() -> None:
    """Discord shows it as it stands: what follows is parted as ever."""
    talked = talk("try ```print(1)", *(f"The roses need water on day {n}." for n in range(40)))
    assert max(shape(talked, most=8)) <= 8
    assert [5, 36] == shape(talk("try ```print(1)", *["Roses."] * 40, minutes=(1, 1, 1, 1, 1, 90)))


def test_a_reply_stays_with_its_question() -> None:
    """A person's too, whatever is said in between; a reply to what is no question is a remark like others."""
    for size in range(4, 12):
        talked = talk(*GARDEN, "Who has the ladder?", "The invoice is overdue.", *GARDEN, *MONEY)
        talked.insert(5, replace(people.said(BOB, "I do.", talked[4].said_at), reply_to=talked[3].message_id))
        (held,) = [chunk for chunk in seams.cut(talked, most=size, most_tokens=3000) if talked[3] in chunk]
        assert talked[5] in held
    chain = talk(*["Roses grow by the wall."] * 200)
    chain = [replace(m, reply_to=before.message_id) for before, m in pairwise(chain)]
    assert max(map(len, seams.cut(chain, most=8, most_tokens=3000))) <= 8


def test_what_belongs_together_without_end_is_parted() -> None:
    """Nobody reads a chunk of a whole month."""
    chain = talk(*["And who then?"] * 200)
    assert max(map(len, seams.cut(chain, most=8, most_tokens=3000))) <= 8 + seams.BLOCK


@given(
    st.lists(
        st.tuples(st.sampled_from(["Who?", "Me.", "```", "The roses need water.", "x" * 300]), st.integers(0, 100))
    ),
    st.integers(1, 9),
    st.integers(20, 200),
)
def test_nothing_is_lost_or_doubled(said: list[tuple[str, int]], most: int, most_tokens: int) -> None:
    """Whatever is said, the chunks are the messages, in order, and none is empty."""
    messages = talk(*(text for text, _ in said), minutes=tuple(m for _, m in said))
    chunks = seams.cut(messages, most=most, most_tokens=most_tokens)
    assert [m for chunk in chunks for m in chunk] == messages
    assert all(chunks)
