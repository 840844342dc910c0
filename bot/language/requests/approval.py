"""Recognises messages that approve of an answer, and finds which answer they mean; pure.

The patterns are in `approval_words`, one row a language.
"""

import re
from collections.abc import Sequence

from bot.domain import Message, Role
from bot.language.requests import approval_words
from bot.language.statements import assertions
from bot.language.tags import triviality
from bot.text import folding, formulas, patterns


def is_approval(text: str, bot_name: str = "Hathi") -> bool:
    """Whether the message as a whole asks to keep what was just answered: "this will do nicely", "perfect, keep that".

    One that says anything of its own is none, and praise alone is none: it asks for nothing. A question is none, unless
    it is a polite request: "can you remember this?". One that ends on a colon announces what is to be kept.
    """
    last = text.split()[-1:]
    if last and last[0].endswith(":") and not last[0].startswith(":"):
        return False
    if patterns.compiled(approval_words.POLITE).match(text):
        text = text.replace("?", " ")
    return formulas.is_made_of(text, ((each.approving, each.beside) for each in approval_words.LANGUAGES), bot_name)


def approved(said: Message, history: Sequence[Message]) -> tuple[Message, Message] | None:
    """The answer an approving message is about, and the question it answers; none when there is none.

    It is the one the message replies to, or else the last one, unless its author has said something since: remarks of
    others do not come between.
    """
    by_id = {message.message_id: message for message in history}
    for message in reversed(history):
        if message.role is Role.HATHI:
            question = by_id.get(message.reply_to) if message.reply_to is not None else None
            if question is not None and said.reply_to in {None, message.message_id}:
                return message, question
        elif said.reply_to is None and message.author_id == said.author_id:
            return None
    return None


def names_sayer(text: str) -> bool:
    """Whether an approving message says whose last words it means: "my last message", "what Ann just said"."""
    return _sayer(text) is not None


def last_of(said: Message, told: Sequence[Message]) -> Message | None:
    """The last statement of whoever such a message names, among what was said before it, oldest first."""
    found = _sayer(said.content)
    name = folding.folded((found["owner"] or found["name"] or "") if found else "")
    for one in reversed(told):
        is_theirs = name in folding.folded(one.author).split() if name else one.author_id == said.author_id
        if (
            is_theirs
            and one.role is Role.PERSON
            and one.message_id < said.message_id
            and assertions.states(one.content)
        ):
            return one
    return None


def is_trivial(answer: Message) -> bool:
    """Whether there is nothing in an answer to keep: small talk, or one of Hathi's own set texts."""
    return answer.stock is not None or triviality.is_trivial(answer.content)


def _sayer(text: str) -> re.Match[str] | None:
    return patterns.compiled(approval_words.SAYER).search(text.translate(patterns.STRAIGHT_QUOTES))
