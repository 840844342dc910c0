"""Finds what a person said of the same as they have just forgotten, so that it is offered for forgetting too."""

from collections.abc import Sequence
from typing import Final

from bot import catalogue
from bot.domain import Caller, Memory, Message, MessageId
from bot.language.requests import plain_requests, plain_words
from bot.presentation import render
from bot.recall.librarian import Librarian
from bot.text import plain_form
from bot.text.sanitize import one_line

MOST: Final = 5
"""Messages that are offered; each has a button."""
_LINE: Final = 150
_NOTHING: Final = MessageId(0)


async def found(librarian: Librarian, caller: Caller, forgotten: Sequence[Memory]) -> tuple[Message, ...]:
    """The caller's own messages that still hold every telling word of a memory, in channels everyone here can read."""
    same: dict[MessageId, Message] = {}
    for memory in forgotten[:MOST]:
        words = plain_words.search_words(memory.content)
        said = await librarian.forgettable_messages(caller, words, apart_from=_NOTHING, limit=MOST)
        same |= {message.message_id: message for message in telling(said)}
    return tuple(same.values())[:MOST]


def lines(same: Sequence[Message], words: str) -> list[str]:
    """What tells of them, and how they are forgotten where nothing can be pressed; none where there are none."""
    if not same:
        return []
    head = catalogue.ngettext(
        "You said so in {count} more message; “forget that {words}” forgets it too:",
        "You said so in {count} more messages; “forget that {words}” forgets it too:",
        len(same),
    )
    told = head.format(count=len(same), words=one_line(words, _LINE))
    return [told, *(render.quoted(f"“{one_line(message.content, _LINE)}”") for message in same)]


def telling(said: Sequence[Message]) -> tuple[Message, ...]:
    """Those that state something, and do not only ask, nor ask to forget."""
    return tuple(
        message
        for message in said
        if any(not sentence.asks for sentence in plain_form.read(message.content).sentences)
        and plain_requests.asked_to_forget(message.content) is None
    )
