"""Promotes a note to a memory, with a reason, unless it repeats or contradicts what is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import catalogue, errors, log
from bot.db import statements
from bot.db.pool import Database
from bot.domain import Actor, Caller, Fact, Memory, MessageId, Saved, Source
from bot.facts import comparison
from bot.facts.comparison import ContradictionKind, Relation, Said
from bot.language.statements import topics
from bot.language.tags import tagging
from bot.recall.librarian import Librarian
from bot.store import archivist
from bot.store.archivist import Archivist, Author
from bot.store.notes import Note, Notes
from bot.text import normalize

_log = log.logger(__name__)

NOT_YOURS: Final = catalogue.later(
    "{label} is somebody else's note, and theirs to promote; {p}remember keeps what you say yourself."
)
SHOWN: Final = 5
"""Memories a contradiction names at most."""


class Sql:
    """The statement that serialises promotions of a space."""

    lock_space: Final = statements.named("space.lock")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionRequest:
    """The memory a note is to become, and why."""

    summary: str
    """The memory's text: the fact in a sentence of its own."""
    reason: str
    topic: str = ""
    """Taken from the summary unless given."""
    room: str = "general"
    importance: int
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    """The result of a promotion: a new memory, or one that said so already and was reinforced."""

    note: Note
    saved: Saved


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradicted:
    """Refused: a known memory contradicts it, and nothing was written."""

    note: Note
    summary: str
    against: tuple[tuple[Memory, ContradictionKind], ...]


class Promotions:
    """Promotes notes, each in one transaction: the note is there or its memory is, never both."""

    def __init__(
        self, database: Database, archivist: Archivist, librarian: Librarian, notes: Notes, registry: tagging.Registry
    ) -> None:
        self._database = database
        self._archivist = archivist
        self._librarian = librarian
        self._notes = notes
        self._registry = registry

    async def promote(
        self,
        caller: Caller,
        number: int,
        wanted: PromotionRequest,
        *,
        actor: Actor = Actor.PERSON,
        said: MessageId | None = None,
        confirm: bool = False,
        now: datetime,
    ) -> Promoted | Contradicted:
        """Promotes a living note of the open session or the one before, or says why not.

        A note is promoted by who wrote it, or had a model write it, and by nobody else; the memory is theirs. A memory
        of this channel that says the same, or nearly, is reinforced in its own words. What contradicts a memory they
        may see is written only with `confirm`, which also keeps what is nearly the same as a memory of its own. Raises
        `NotFound` when there is no such note, `RefusedText` for what can't be a memory, and `NotAllowed` for another's
        note, and as saving does.
        """
        summary = normalize.cleaned(wanted.summary)
        reason = normalize.one_line(normalize.cleaned(wanted.reason, what="reason"), normalize.MAX_LENGTH)
        topic = normalize.label(wanted.topic or topics.topic_of(summary), "general")
        async with self._database.once() as connection:
            # From here on what this is held against does not change.
            await connection.execute(Sql.lock_space, caller.space_id)
            note, session_id = await self._notes.get_in(connection, caller, number, now=now)
            if note.author_id != caller.person_id:
                raise errors.NotAllowed(lambda p: catalogue.gettext(NOT_YOURS).format(label=note.label, p=p))
            near = await self._librarian.near_in(connection, caller, summary, topic)
            against = _against(caller, summary, near)
            if against and not confirm:
                return Contradicted(note=note, summary=summary, against=against)
            known = None if confirm else _said_already(caller, summary, near)
            author = Author.of(caller, actor, "promote")
            await self._archivist.allow_in(connection, caller.space_id, caller.origin_id, author)
            saved = await self._archivist.promote_in(
                connection,
                caller,
                self._fact(caller, note, wanted, summary, topic, known, actor, said),
                caller.origin_id,
                archivist.Promotion(actor=actor, reason=reason, session_id=session_id),
                now=now,
                apart=confirm,
            )
            await self._notes.remove_in(connection, caller.space_id, note)
        _log.info("note.promoted", number=number, memory_id=saved.memory.memory_id, was_known=saved.was_known)
        return Promoted(note=note, saved=saved)

    def _fact(
        self,
        caller: Caller,
        note: Note,
        wanted: PromotionRequest,
        summary: str,
        topic: str,
        known: Memory | None,
        actor: Actor,
        said: MessageId | None,
    ) -> Fact:
        """The fact to keep: the summary, or the known memory's words; tags come from what people wrote alone."""
        written = [summary] * (actor is Actor.PERSON) + [note.content] * (note.actor is Actor.PERSON)
        workflow = tagging.NOTE if actor is Actor.PERSON else tagging.SESSION
        return Fact(
            content=summary if known is None else known.content,
            topic=topic if known is None else known.topic,
            room=wanted.room if known is None else known.room,
            importance=wanted.importance,
            source=Source.USER,
            tags=(*self._registry.inferred("\n".join(written), workflow=workflow), *tagging.own(wanted.tags)),
            evidence=() if said is None else (said,),
            author_id=caller.person_id,
            author=caller.name,
        )


def _against(caller: Caller, summary: str, near: Sequence[Memory]) -> tuple[tuple[Memory, ContradictionKind], ...]:
    found = [(memory, _compared(caller, summary, memory).kind) for memory in near]
    return tuple((memory, kind) for memory, kind in found if kind is not None)[:SHOWN]


def _said_already(caller: Caller, summary: str, near: Sequence[Memory]) -> Memory | None:
    """The memory of this channel that says the same, exact wording first."""
    here = [memory for memory in near if memory.channel_id == caller.origin_id]
    exact = normalize.content_hash(summary)
    same = [memory for memory in here if normalize.content_hash(memory.content) == exact]
    same += [memory for memory in here if _compared(caller, summary, memory).relation is Relation.SAME]
    return same[0] if same else None


def _compared(caller: Caller, summary: str, memory: Memory) -> comparison.Comparison:
    return comparison.compare(Said(text=memory.content, by=memory.author or ""), Said(text=summary, by=caller.name))
