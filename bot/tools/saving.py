"""What a model's save is made of: whose words it is, and what of all that the model was shown it rests on."""

import re
from dataclasses import replace
from typing import Any, Final

from bot.domain import ROOMS, Actor, Fact, Message, Role, Source
from bot.grounding import provenance
from bot.language.requests import plain_words
from bot.language.statements import assertions, topics
from bot.store import reply_sources
from bot.store.archivist import TOLD
from bot.store.rooms import PREFERENCES, PROCEDURES
from bot.store.turns import HATHI
from bot.text import json_values, normalize
from bot.tools import own_words
from bot.tools.tool_context import NotKept, ToolContext

FILED_IN: Final = tuple(room for room in ROOMS if room not in {PREFERENCES, PROCEDURES})
"""The rooms a model may file in: what is in the others never ages, or is taken for the documented way."""
GENERAL: Final = "general"


_ONE: Final = re.compile(r"(?<![\w.,:/#-])(?:1|one|eins)(?![\w:/]|[.,]\d)", re.IGNORECASE)
"""A number for which an answer may have an article."""


def is_said(context: ToolContext, text: str) -> bool:
    """Whether the asker's own message says all of it."""
    return _is_in(context, own_words.of(context.turn.message), text)


def is_stated(context: ToolContext, text: str) -> bool:
    """Whether it states all of it: what it only asks for is not told by that."""
    own = own_words.of(context.turn.message)
    return _is_in(context, replace(own, content=assertions.stated(own.content)), text)


def is_to_be_kept(context: ToolContext, text: str) -> bool:
    """Whether it asks to remember something, in so many words, and that is all of it."""
    own = own_words.of(context.turn.message)
    wanted = plain_words.things_asked_for(own.content)
    return any(_is_in(context, replace(own, content=thing), text) for thing in wanted)


def _is_in(context: ToolContext, own: Message, text: str) -> bool:
    # An article is as good as a one elsewhere; here it would put an amount into somebody's mouth.
    has_one = not _ONE.search(text) or bool(_ONE.search(own.content))
    return has_one and provenance.stands(text, [own], zone=context.caller.time_zone)


def made(context: ToolContext, wanted: dict[str, Any], most: int, *, says_it: bool) -> NotKept:
    """The fact of a save's arguments, of importance `most` at most.

    It was made of whatever a name, number or long word of it stands in, which the asker's own message has not. What
    nobody said is in Hathi's words, and the asker's to change.
    """
    question, caller, content = own_words.of(context.turn.message), context.caller, str(wanted["content"])
    shown = () if says_it else {m.message_id: m for m in (*context.said, *context.quoted)}.values()
    found = [(one.memory_id, one.content) for one in context.found if one.memory_id is not None]
    others = () if says_it else (*context.told, *found)

    def is_of(text: str) -> bool:
        return reply_sources.brings_up(content, [text], [question.content])

    said = [message for message in shown if is_of(message.content)]
    people = [message for message in said if message.role is Role.PERSON and message.author_id is not None]
    lines, zone = [*people, question], caller.time_zone
    said_by = question if says_it else provenance.speaker(content, lines, zone=zone, share=provenance.MOST)
    by, author = (question, HATHI) if said_by is None else (said_by, said_by.author)
    drawn = [key for key, text in others if is_of(text)]
    # A file goes with the message that brought it; what servers and the forge tell goes with nothing here.
    brought = [] if says_it else [one.message[1] for one in context.fetched if one.message and is_of(one.content)]
    told = [content, question.content]
    fact = Fact(
        content=content,
        topic=topics.topic_given(_of_asker(context, wanted["topic"]), content),
        room=_filed(context, wanted["room"]),
        importance=min(wanted["importance"], most),
        source=Source(wanted["source"]),
        entities=topics.found_in(wanted["entities"], told, topics.MOST_ENTITIES),
        key_phrases=topics.found_in(wanted["key_phrases"], told, topics.MOST_PHRASES),
        # It is kept as it was told, which others may have worded.
        metadata={} if context.has_read else {TOLD: json_values.stored(wanted)},
        tags=context.commands.remembering.tags_of(question.content, by=Actor.MODEL, run=context.workflow),
        # Whoever said it is told of it by the first of them.
        evidence=tuple(dict.fromkeys([*(m.message_id for m in (by, question, *said)), *brought])),
        replies=tuple(message.message_id for message in said if message.role is Role.HATHI),
        made_from=tuple(dict.fromkeys(key for key in drawn if key is not None)),
        author_id=by.author_id,
        author=author,
        mentioned=question.mentioned,
    )
    return NotKept(fact=fact, is_traced=None not in drawn)


def _filed(context: ToolContext, named: str) -> str:
    """The room that a model names, but for those that weigh most."""
    room = normalize.label(_of_asker(context, named), GENERAL)
    return GENERAL if room in {PROCEDURES, PREFERENCES} else room


def _of_asker(context: ToolContext, name: str) -> str:
    """A name that a model gives; none where others may have put it in its mouth, and it tells of something."""
    is_theirs = context.has_read and not own_words.is_word(name) and not is_said(context, name)
    return "" if is_theirs else name
