"""Turns an approved answer or message into memories of the people whose words it holds."""

from collections.abc import Sequence
from typing import Final

from bot import catalogue, errors
from bot.commands import run_requests
from bot.commands.commands import Commands
from bot.commands.remembering import ASKED_IMPORTANCE
from bot.domain import ELSEWHERE, Caller, Fact, Memory, Message, Saved, Source
from bot.language.requests import approval
from bot.language.statements import topics
from bot.store.archivist import STANDS
from bot.store.turns import HATHI
from bot.text import normalize

NOTHING_YET: Final = catalogue.later(
    "There is nothing to keep yet; say that right after an answer of mine, or in reply to any message."
)
TRIVIAL: Final = catalogue.later(
    "There is nothing in that answer to keep; say “remember that …” with what I should remember."
)
NO_TEXT: Final = catalogue.later(
    "There is no text in that message to keep; say “remember that …” with what I should remember."
)
NOT_KEPT: Final = catalogue.later(
    "That answer quotes messages on Discord that I do not keep; say “remember that …” with what I should remember."
)
TOO_LONG: Final = catalogue.later(
    "That is longer than a memory may be (4000 characters); say “remember that …” with what of it I should keep."
)
"""It tells `normalize.MAX_LENGTH`."""


async def save(
    commands: Commands, caller: Caller, answer: Message, question: Message, *, said: Message | None = None
) -> Sequence[Saved]:
    """Saves what an answer holds: each quotation as its author's, else all of it as Hathi's.

    The latter rests on the question and on the message that approved of it, if any, and is whoever's to forget who had
    it kept. What is inferred of it is inferred from those, never from the answer: a model wrote that. Raises
    `RefusedText` for an answer that is too long, says nothing or rests on what may not be kept, and `NotAllowed` as
    `Remembering.save` does.
    """
    if len(answer.content.strip()) > normalize.MAX_LENGTH:
        raise errors.RefusedText(TOO_LONG)
    if answer.content.startswith(ELSEWHERE):
        raise errors.RefusedText(NOT_KEPT)
    if approval.is_trivial(answer):
        raise errors.RefusedText(TRIVIAL)
    quoted = await commands.sources.keepable(caller, answer, question)
    if quoted:
        return await commands.remembering.keep(caller, [_of(item, commands) for item in quoted])
    people_said = [question] if said is None else [question, said]
    asked = run_requests.read(question.content, caller)
    written = [question.content if asked is None else asked.request, *(one.content for one in people_said[1:])]
    fact = Fact(
        content=answer.content,
        topic=topics.topic_of(written[0]),
        importance=ASKED_IMPORTANCE,
        source=Source.USER,
        tags=commands.remembering.tags_of("\n".join(written), run="" if asked is None else asked.workflow),
        evidence=(*(message.message_id for message in people_said), answer.message_id),
        replies=(answer.message_id,),
        author_id=caller.person_id,
        author=HATHI,
    )
    return await commands.remembering.keep(caller, [fact])


async def save_said(commands: Commands, caller: Caller, said: Message) -> Sequence[Saved]:
    """Saves the message the caller points at, as a memory of its author.

    Raises `RefusedText` for a message without text or of too much, and `NotAllowed` as `Remembering.save` does, and
    where its author does not want to be remembered.
    """
    text = normalize.without_attachments(said.content)
    if not normalize.has_words(text):
        raise errors.RefusedText(NO_TEXT)
    if len(text) > normalize.MAX_LENGTH:
        raise errors.RefusedText(TOO_LONG)
    fact = Fact(
        content=text,
        topic=topics.topic_of(text),
        importance=ASKED_IMPORTANCE,
        source=Source.USER,
        tags=commands.remembering.tags_of(text if said.author_id is not None else ""),
        evidence=(said.message_id,),
        author_id=said.author_id,
        author=said.author,
        said_at=said.said_at,
        metadata={STANDS: {str(said.message_id): said.channel_id}},
    )
    return await commands.remembering.keep(caller, [fact])


def _of(item: Memory | Message, commands: Commands) -> Fact:
    """What was quoted, as it was said."""
    if isinstance(item, Memory):
        return Fact(
            content=item.content,
            topic=item.topic,
            room=item.room,
            importance=max(ASKED_IMPORTANCE, item.importance),
            source=Source.USER,
            tags=item.tags,
            evidence=item.evidence,
            made_from=(item.memory_id,),
            author_id=item.author_id,
            author=item.author,
            said_at=item.said_at,
        )
    text = normalize.without_attachments(item.content)
    return Fact(
        content=text,
        topic=topics.topic_of(text),
        importance=ASKED_IMPORTANCE,
        source=Source.USER,
        tags=commands.remembering.tags_of(text),
        evidence=(item.message_id,),
        author_id=item.author_id,
        author=item.author,
        said_at=item.said_at,
    )
