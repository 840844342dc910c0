"""Tells where a session ended, without a model: its last decisions, plans, results and open questions, as said."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from bot.domain import Message, MessageId, Role
from bot.language.questions import answered
from bot.language.statements import assertions, claims, extraction, signs, worth
from bot.text import patterns

LONGEST: Final = 600
"""Characters of the text."""
_ROOM: Final = 500
"""Characters of what is quoted; the rest is for who spoke, who are left out where they don't fit."""
_STEPS: Final = frozenset({claims.StatementKind.DECISION, claims.StatementKind.PLAN, claims.StatementKind.DATE})
"""Kinds of statements by which something moves on; what somebody likes, or a door's code, is none."""
_DONE: Final = patterns.compiled(
    patterns.either(
        r"""
        \b(?:done|merged|fixed|finished|completed|confirmed|signed|paid|booked|renewed|approved|passed|failed)\b \w
        \b(?:cancelled|deployed|released|delivered|postponed|sold out|raised|ordered|shipped|published|submitted)\b
        \b(?:uploaded|painted|built|replaced|switched|sorted|repaired|installed|planted|recorded|sent off|set up)\b
        \b(?:is|are|was|were|'s|been|all) (?:done|merged|fixed|finished|completed|confirmed|signed|paid|booked)\b
        """
    )
)
"""What was surely brought about; much else that came about is told with the words of talk ("got", "won")."""


def left_off(messages: Sequence[Message]) -> str:
    """Where the session ended, the newest last, a line each with who said it; at most `LONGEST` characters.

    Where nothing was decided, planned, done or asked, its last statements of any kind.
    """
    told = [*extraction.told_in(messages)]
    is_open = _open(messages)
    lines = _last(_step(message, sentence, is_open) for message, sentence in reversed(told))
    lines = lines or _last(_stated(message, sentence) for message, sentence in reversed(told))
    opening = extraction.opening(messages)
    return "\n".join([opening, *lines] if len("\n".join([opening, *lines])) <= LONGEST else lines)


def steps(messages: Sequence[Message]) -> frozenset[MessageId]:
    """The messages by which something was decided, planned or done, or that wait for an answer."""
    is_open = _open(messages)
    return frozenset(one.message_id for one, sentence in extraction.told_in(messages) if _step(one, sentence, is_open))


def _open(messages: Sequence[Message]) -> AbstractSet[MessageId]:
    """The questions that people put to each other and nobody answered; what Hathi replied to was put to Hathi."""
    return answered.unanswered(messages) - {one.reply_to for one in messages if one.role is Role.HATHI}


def _last(lines: Iterator[str]) -> list[str]:
    """As many of the lines as there is room for, given the newest first, in the order in which they were said."""
    kept, room = dict[str, None](), _ROOM
    for line in lines:
        if line and line not in kept:
            room -= len(line) + 1
            if room < 0:
                break
            kept[line] = None
    return [*reversed(kept)]


def _step(message: Message, sentence: str, questions: AbstractSet[MessageId]) -> str:
    """The sentence as quoted, where it moves something on or waits for an answer; else empty."""
    reading = claims.read(sentence)
    if reading is None:
        is_open = message.message_id in questions and assertions.is_question(sentence)
        return f'{extraction.name(message)} asked: "{sentence}"' if is_open else ""
    claim = claims.kept(reading)
    is_step = (claim is not None and claim.kind in _STEPS) or _is_deed(reading)
    return _quoted(message, sentence) if is_step else ""


def _is_deed(reading: claims.Reading) -> bool:
    """Whether a sentence tells what was done, or is taken on, and tells enough."""
    points = worth.points(reading.signs - claims.IN_PASSING)
    if "undertaking" in reading.signs or _DONE.search(reading.plain):
        return points >= claims.LEAST_OF_STEP
    return "result" in reading.signs and points >= signs.LEAST


def _stated(message: Message, sentence: str) -> str:
    return _quoted(message, sentence) if claims.claim(sentence) else ""


def _quoted(message: Message, sentence: str) -> str:
    return f'{extraction.name(message)}: "{sentence}"'
