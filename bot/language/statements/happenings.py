"""Tells of messages what was decided in them, planned, and asked without an answer, each sentence as said."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain import ChannelId, Message, MessageId, PersonId, What
from bot.language.questions.answered import unanswered
from bot.language.statements import assertions, claims, extraction, news, revoking

_KINDS: Final = {
    claims.StatementKind.DECISION: What.DECIDED,
    claims.StatementKind.PLAN: What.PLANNED,
    claims.StatementKind.DATE: What.PLANNED,
}

MOST_NEWS: Final = 5
"""Of what is of no known kind, so much is told at most."""
_OF_A_MEMORY: Final = re.compile(r"\W*(?:\w+\s+){1,3}#\d+\b")
"""How what has Hathi change a memory begins: `correct #4: …`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One sentence of a message, and what it does."""

    message: Message
    sentence: str
    what: What


def of(messages: Sequence[Message], answered: Collection[MessageId] = ()) -> list[Happening]:
    """What happened in the messages of one channel or several; the same sentence of a person once.

    In their order, and behind that what is of no known kind, and news by what it holds: the weightiest. In time linear
    in the messages. A question is told where it is none of the `answered`, and nobody of its channel answered it.
    """
    channels: dict[ChannelId, list[Message]] = {}
    for message in messages:
        channels.setdefault(message.channel_id, []).append(message)
    questions = frozenset[MessageId]().union(*map(unanswered, channels.values())).difference(answered)
    told, replied = dict[tuple[PersonId | None, str], Happening](), news.replied(messages)
    unforeseen = dict[MessageId, tuple[int, Happening]]()
    for message, sentence in extraction.told_in(messages):
        what = _what(sentence, is_open=message.message_id in questions)
        if what is not None:
            happening = Happening(message=message, sentence=sentence, what=what)
            told.setdefault((message.author_id, sentence.lower()), happening)
        elif not _OF_A_MEMORY.match(sentence):
            weight = news.weight(message, sentence, replied.get(message.message_id, ()))
            if weight > max(news.LEAST - 1, unforeseen.get(message.message_id, (0,))[0]):
                happening = Happening(message=message, sentence=sentence, what=What.SAID)
                unforeseen[message.message_id] = weight, happening
    spoken = {happening.message.message_id for happening in told.values()}
    rest = [one for key, one in unforeseen.items() if key not in spoken]
    best = sorted(rest, key=lambda one: (-one[0], -one[1].message.message_id))[:MOST_NEWS]
    return [*told.values(), *(happening for _, happening in best)]


def _what(sentence: str, *, is_open: bool) -> What | None:
    if _OF_A_MEMORY.match(sentence):
        return None
    if revoking.revoked(sentence):
        return What.DECIDED
    # What only asks or requests tells of nothing that was decided or planned.
    reading = claims.read(sentence) if assertions.states(sentence) else None
    claim = None if reading is None else claims.kept(reading)
    if claim is not None:
        return _KINDS.get(claim.kind, What.SAID)
    step = None if reading is None else claims.step(reading)
    if step is not None:
        return _KINDS[step]
    return What.ASKED if is_open and assertions.is_question(sentence) else None
