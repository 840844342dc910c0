"""Finds the quotations of an approved answer that may be kept, in the words of their authors."""

from dataclasses import replace
from typing import Final

from bot import catalogue, errors
from bot.commands.reply_reasons import VERBATIM
from bot.domain import Caller, Memory, Message, Role
from bot.store import reply_sources
from bot.store.trail import Origin
from bot.store.turn_trails import TurnReasons, TurnTrails, WhatIsLeft
from bot.text import normalize, sanitize

NOT_THERE: Final = catalogue.later(
    "That answer rests on something that I keep no record of, or that may not be kept; if it is a message you can see, "
    "reply “remember this” to the message itself."
)
NO_MESSAGE: Final = catalogue.later(
    "That answer quotes what is no message, such as a note or a summary; say “remember that …” with what of it I "
    "should keep."
)
_FILE: Final = "A"


class AnswerSources:
    """Reads the sources of answers."""

    def __init__(self, reasons: TurnTrails) -> None:
        self._reasons = reasons

    async def keepable(self, caller: Caller, answer: Message, question: Message) -> list[Memory | Message]:
        """The quotations of an answer that may be kept (of a file the passage); none where it quotes nothing.

        Raises `RefusedText` where nothing of what it quotes may be kept, or where what it tells in other words is of
        somebody who opted out since, or of a message that is not recorded or may not be shown.
        """
        told = await self._reasons.of(caller, question.message_id)
        if told is None:
            return []
        trail = told.trail
        if trail.recovered:
            # What it was made from is not known any more.
            raise errors.RefusedText(NOT_THERE)
        origins = [(label, trail.origin(label)) for label in trail.cited]
        standing = await self._standing(caller, told, origins)
        if trail.grounded is not None and trail.grounded.outcome in VERBATIM:
            return _quoted(answer, origins, standing)
        lost = any(_is_kept_elsewhere(one) and _thing(one, standing) is None for _, one in origins)
        if lost or await self._tells_of_declined(caller, told, answer, question):
            raise errors.RefusedText(NOT_THERE)
        return []

    async def _standing(self, caller: Caller, told: TurnReasons, origins: list[tuple[str, Origin]]) -> WhatIsLeft:
        """The sources that still exist, without those of people who opted out since."""
        memories = [one.memory_id for _, one in origins if one.memory_id is not None]
        said = [one.message[1] for _, one in origins if one.message is not None]
        standing = await self._reasons.standing(caller, memories, said)
        declined = await self._reasons.declined(caller, told.turn_id, memories=memories)
        gone = {one.memory_id for one in declined}
        left = {key: memory for key, memory in standing.memories.items() if key not in gone}
        return replace(standing, memories=left)

    async def _tells_of_declined(self, caller: Caller, told: TurnReasons, answer: Message, question: Message) -> bool:
        """Whether it cites a note or summary of somebody who opted out, or has a telling word of theirs."""
        labels = told.trail.cited
        notes = [int(label[1:]) for label in labels if label[:1] == "N" and label[1:].isdecimal()]
        sessions = [one.session_id for one in map(told.trail.origin, labels) if one.session_id is not None]
        declined = await self._reasons.declined(
            caller, told.turn_id, memories=told.shown, notes=notes, sessions=sessions
        )
        texts = [one.content for one in declined]
        return any(one.is_cited for one in declined) or reply_sources.brings_up(
            answer.content, texts, [question.content]
        )


def _quoted(answer: Message, origins: list[tuple[str, Origin]], standing: WhatIsLeft) -> list[Memory | Message]:
    """The quotations of an answer that may be kept. Raises `RefusedText` where none may."""
    passages = sanitize.quotations(answer.content)
    found: list[Memory | Message] = []
    for at, (label, origin) in enumerate(origins):
        thing = _thing(origin, standing)
        if isinstance(thing, Message) and label.startswith(_FILE):
            # The message only brought it along.
            passage = passages[at].strip("\u2026 ") if len(passages) == len(origins) else ""
            thing = replace(thing, content=passage) if passage else None
        if thing is not None and normalize.without_attachments(thing.content):
            found.append(thing)
    if found or not origins:
        return found
    raise errors.RefusedText(NOT_THERE if any(_is_kept_elsewhere(one) for _, one in origins) else NO_MESSAGE)


def _is_kept_elsewhere(origin: Origin) -> bool:
    """Whether it is a memory or a message, which is somebody's."""
    return origin.memory_id is not None or origin.message is not None


def _thing(origin: Origin, standing: WhatIsLeft) -> Memory | Message | None:
    """What stands of it; of what Hathi said earlier nothing, as that may quote anybody."""
    if origin.memory_id is not None:
        return standing.memories.get(origin.memory_id)
    message = None if origin.message is None else standing.messages.get(origin.message[1])
    return None if message is None or message.role is Role.HATHI else message
