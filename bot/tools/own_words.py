"""Tells what of a message are its author's own words; pure."""

import re
from dataclasses import replace
from typing import Final

from bot.domain import Message
from bot.text import normalize

_WORD: Final = re.compile(r"[^\W_]+")


def of(message: Message) -> Message:
    """The message without what others may have worded: what it forwards, the names of files, and long names.

    People and channels are called what others choose, which may be a whole sentence.
    """
    text = normalize.by_its_author(message.content)
    for name in sorted(message.marked, key=len, reverse=True):
        if not is_word(name):
            text = text.replace(name, " ")
    return replace(message, content=text)


def is_word(name: str) -> bool:
    """Whether a name is one word at most, which tells of nothing."""
    return len(_WORD.findall(name)) <= 1


def alone(message: Message) -> bool:
    """Whether it holds nothing but its author's own words."""
    return of(message).content == message.content
