"""Weighs whether a message that is of no known kind tells news, by what it holds and what it moved; pure.

Not by its words: a figure or a day, names, whom it mentions, how much it says, and how many others replied to it.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

from bot.domain import Message, MessageId, PersonId, Role
from bot.language.statements import assertions, colloquial, worth

LEAST: Final = 3
"""Points from which on a sentence is news."""
LONGEST: Final = 400
"""Characters of one; what is longer is pasted."""
_LONG: Final = 6
"""Words of one that says something."""
_MOST: Final = 2
"""Points for names, and for replies, at most."""
_HELD: Final = frozenset({"day", "address"})
"""Signs of a day, or a way to somewhere; a figure is one too."""
_NAME: Final = re.compile(r"(?:(?<=[a-z\u00df-\u00ff,;] )|^(?=\w+'s\b))[A-Z\u00c0-\u00de][\w-]+|<@!?\d+>|@\w+")
"""Written as one behind a word in small letters, or mentioned."""


def replied(messages: Sequence[Message]) -> dict[MessageId, set[PersonId]]:
    """Which people replied to each of the messages, but for its author."""
    by = {message.message_id: message.author_id for message in messages}
    found: dict[MessageId, set[PersonId]] = {}
    for message in messages:
        to, author = message.reply_to, message.author_id
        if message.role is Role.PERSON and to is not None and author is not None and by.get(to) != author:
            found.setdefault(to, set()).add(author)
    return found


def weight(message: Message, sentence: str, replies: Collection[PersonId]) -> int:
    """The points of a sentence; none for what asks, states nothing, or is longer than `LONGEST`."""
    if len(sentence) > LONGEST or assertions.is_question(sentence) or not assertions.states(sentence):
        return 0
    is_figure = any(map(str.isdigit, sentence))
    is_held = is_figure or not _HELD.isdisjoint(worth.signs_of(sentence, colloquial.plain(sentence)))
    names = {*_NAME.findall(sentence)} | {name for name in message.mentioned if name in sentence}
    said = is_held + (len(sentence.split()) >= _LONG)
    return said + min(_MOST, len(names)) + min(_MOST, len(replies))
