"""Compiles the patterns that read messages: done at start in a thread, so that the first question does not wait."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bot.dates import times
from bot.domain import ChannelId, Layer, Message, MessageId, PersonId, Role, SpaceId
from bot.grounding import check, deeds
from bot.grounding.ground import Ground
from bot.language.past import detector
from bot.language.past.space_names import Names
from bot.language.questions import answer_kinds, world_questions
from bot.language.questions.answer_kind_words import AnswerKind
from bot.language.requests import plain_requests, plain_words, set_phrases
from bot.language.statements import assertions, extraction
from bot.language.tags import tagging, triviality
from bot.layers.walk import Evidence

AFTER: Final = timedelta(seconds=0.5)
"""Before anybody has typed a question."""
SAMPLES: Final = (
    "Who said last week that the boiler is serviced on 5 May?",
    "We decided that the release is on Friday at 3 pm, and I prefer tea.",
    "thanks",
)
"""A question, a statement and a phrase: between them they are read by every rule."""
_WHEN: Final = datetime(2024, 1, 1, 12, tzinfo=UTC)


def soon(spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    """Has it done in a thread, once what is ready at a start is ready: a process of one command ends before."""
    asyncio.get_running_loop().call_later(AFTER.total_seconds(), lambda: spawn(asyncio.to_thread(compile_readers)))


def compile_readers() -> None:
    """Reads the samples as a turn and a summary would; every pattern compiled on the way is kept."""
    for text in SAMPLES:
        _read_requests(text)
        _read_question(text)
        _read_statement(text)
    _check_an_answer()


def _read_requests(text: str) -> None:
    set_phrases.read(text)
    plain_requests.read(text)
    plain_words.asks_of_picture(text, has_one=True)
    plain_words.asks_where_left_off(text)


def _read_question(text: str) -> None:
    detector.detect(text, Names())
    assertions.asks(text)
    assertions.asks_what_was_asked(text)
    answer_kinds.wanted(text)
    answer_kinds.wants_newest(text)
    world_questions.may_be(text)
    world_questions.is_of_here(text)
    plain_words.search_words(text)
    times.read(text, as_of=_WHEN, zone="UTC")


def _read_statement(text: str) -> None:
    assertions.states(text)
    triviality.is_trivial(text)
    tagging.workflows(text)
    answer_kinds.tells(text, AnswerKind.AMOUNT)
    said = Message(
        space_id=SpaceId(0),
        channel_id=ChannelId(0),
        message_id=MessageId(1),
        role=Role.PERSON,
        author_id=PersonId(0),
        author="Ann",
        content=text,
        said_at=_WHEN,
    )
    extraction.extract([said])


def _check_an_answer() -> None:
    question, told = SAMPLES[:2]
    evidence = Evidence(label="#1", layer=Layer.PALACE, content=told, author="Ann", said_at=_WHEN, memory_id=None)
    answer = "Ann said that the release is on Friday at 3 pm (#1)."
    ground = Ground(question, [evidence], asked_at=_WHEN, zone="UTC", people=["Ann"], asker="Bob")
    check.check(answer, ground)
    check.unfounded(answer, question, people=["Ann"], community=["release"])
    check.tidied(answer, ground.labels)
    deeds.claims(told, question)
