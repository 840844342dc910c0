"""Tells which questions of a run of messages were answered, by the evidence there is for it; pure."""

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.domain import Memory, Message, MessageId, Role, Stock
from bot.language.questions import answer_kinds, direct_answer_words
from bot.language.questions.answer_kind_words import AnswerKind
from bot.language.requests import plain_requests, plain_words
from bot.language.statements import assertions
from bot.text import patterns, trigrams, word_forms

WITHIN: Final = timedelta(minutes=10)
"""How soon after a question it is answered by whoever does not reply to it."""
_WAITED: Final = 4
"""Messages after a question that are looked at."""
_SHORT: Final = 4
"""Words of what is an answer by being short, as the first thing that others say."""
_BRIEF: Final = 8
"""Words in which something of the kind that is asked for is the answer, and not told in passing."""
_COMMON: Final = frozenset(
    {AnswerKind.TIME, AnswerKind.PLACE, AnswerKind.PERSON, AnswerKind.NAME, AnswerKind.COUNT, AnswerKind.REASON}
)
"""What is told in passing in much that is said."""
_NO_ANSWERS: Final = frozenset({Stock.NOTHING, Stock.HEARD, Stock.FAILED, Stock.OTHER})
"""What Hathi says by rote and answers nothing by; the others give what was asked for."""
_CLAUSE: Final = re.compile(r"[,;:.!?\n]\s|\s[-\u2013\u2014]\s")


def may_answer(asked: Memory | Message, later: Memory | Message) -> bool:
    """Whether something is said by somebody else, and soon enough, to answer a question."""
    return later.author_id != asked.author_id and later.said_at - asked.said_at <= WITHIN


def unanswered(messages: Sequence[Message]) -> frozenset[MessageId]:
    """The questions of one channel's messages that nobody answered.

    A question is answered by a reply to it, or by what somebody else says soon after, where that speaks of the same
    thing, tells what kind of thing is asked for, or is a short answer such as "yes", "me" or "not yet". Who asks back,
    or does not know, answers nothing.
    """
    questions = {one.message_id: _Question.of(one) for one in messages if one.role is Role.PERSON and _asks(one)}
    replies = ((questions.get(one.reply_to), one) for one in messages if one.reply_to is not None)
    answered = {asked.message.message_id for asked, one in replies if asked is not None and asked.is_replied_by(one)}
    return frozenset(
        message.message_id
        for at, message in enumerate(messages)
        if message.message_id in questions
        and message.message_id not in answered
        and not questions[message.message_id].is_answered_by(messages[at + 1 : at + 1 + _WAITED])
    )


def _asks(message: Message) -> bool:
    """Whether it asks people something, and has Hathi do nothing."""
    return bool(assertions.questions(message.content)) and not (
        plain_words.asks_where_left_off(message.content) or plain_requests.is_request(message.content)
    )


def _first_name(message: Message) -> str:
    """The first word of the author's name, as words are compared."""
    return trigrams.folded(" ".join(message.author.split()[:1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What a message asks, and what tells that."""

    message: Message
    asker: str
    """The first word of the asker's name, as words are compared."""
    words: frozenset[str]
    """What it speaks of."""
    kinds: frozenset[AnswerKind]
    """What it wants to be told; none where that may be anything, or yes or no."""
    has_kind: Callable[[str], bool]
    is_open_to_all: bool
    """Whether nearly anything may be said to it: `how was the trip?`."""
    named: frozenset[str]
    """The words of it, among which is the name of whom it is put to."""

    @classmethod
    def of(cls, message: Message) -> "_Question":
        asked = " ".join(assertions.questions(message.content))
        kinds = answer_kinds.wanted(asked)
        return cls(
            message=message,
            asker=_first_name(message),
            words=frozenset(_telling(plain_words.search_words(asked))),
            kinds=kinds,
            has_kind=answer_kinds.answering(asked, kinds - {AnswerKind.PERSON}),
            is_open_to_all=_begins(asked, "how_it_was"),
            named=trigrams.words(asked),
        )

    def is_replied_by(self, reply: Message) -> bool:
        """Whether a reply answers it."""
        if reply.role is Role.HATHI:
            return reply.stock not in _NO_ANSWERS
        return reply.author_id != self.message.author_id and _answers(reply.content)

    def is_answered_by(self, later: Sequence[Message]) -> bool:
        """Whether what was said next answers it."""
        by_others = [
            one
            for place, one in enumerate(later)
            if one.role is Role.PERSON
            and one.reply_to in {None, self.message.message_id}
            and (may_answer(self.message, one) or (place == 0 and one.author_id != self.message.author_id))
        ]
        is_last_asked = True
        for place, one in enumerate(by_others):
            if _answers(one.content) and self._is_told(one, is_first=place == 0, is_last_asked=is_last_asked):
                return True
            # A yes behind another question is said to that.
            is_last_asked = is_last_asked and not assertions.questions(one.content)
        return False

    def _is_told(self, said: Message, *, is_first: bool, is_last_asked: bool) -> bool:
        text = said.content
        if is_first and (self.is_open_to_all or _first_name(said) in self.named):
            return True
        is_yes = _begins(text, "agreeing") or _begins(text, "of_self")
        if is_yes and is_last_asked and self.kinds <= {AnswerKind.PERSON}:
            return True
        told = assertions.stated(text)
        return bool(told) and (
            not self.words.isdisjoint(_telling(told))
            or (is_first and self._is_taken_up(told))
            or self._is_told_directly(told)
        )

    def _is_taken_up(self, told: str) -> bool:
        """Whether it is the answer as the first thing that others say: few words, a place, or said to the asker."""
        is_short = len(told.split()) <= (_SHORT // 2 if self.kinds else _SHORT)
        return is_short or _begins(told, "placing") or self.asker in trigrams.words(told)

    def _is_told_directly(self, told: str) -> bool:
        """Whether it points back, or tells what kind of thing is asked for and not much else."""
        if _begins(told, "pointing"):
            return not self.kinds or self._has_kind(told)
        if not self.kinds <= _COMMON:
            return self._has_kind(told)
        first = _CLAUSE.split(told, maxsplit=1)[0]
        return len(first.split()) <= _BRIEF and self._has_kind(first)

    def _has_kind(self, told: str) -> bool:
        """Whether it tells something that is asked for; who speaks of themselves names nobody by that alone."""
        is_person = AnswerKind.PERSON in self.kinds and answer_kinds.tells(told, AnswerKind.PERSON)
        return self.has_kind(told) or (is_person and not answer_kinds.tells_of_self(told))


def _answers(text: str) -> bool:
    """Whether it is neither a question back nor a shrug."""
    return not _begins(text, "unknowing") and (not assertions.questions(text) or assertions.states(text))


def _telling(text: str) -> Iterator[str]:
    """The stems of words that tell what a text is about: neither when, nor what is done with anything."""
    for word in trigrams.words(text):
        if not answer_kinds.tells_little(word) and not answer_kinds.tells(word, AnswerKind.TIME):
            yield word_forms.stem(word)


def _begins(text: str, how: str) -> bool:
    return _beginning(how).match(text.translate(patterns.STRAIGHT_QUOTES)) is not None


@functools.cache
def _beginning(how: str) -> re.Pattern[str]:
    ways = (
        rf"(?:{language.lead}[\s,.!:;-]{{1,3}}){{0,3}}(?:{getattr(language, how)})(?!\w)"
        for language in direct_answer_words.LANGUAGES
    )
    return patterns.compiled(rf"[\W_]{{0,5}}?(?:{'|'.join(ways)})")
