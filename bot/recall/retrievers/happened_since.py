"""The retriever of what was decided, planned and asked since a moment, or between two."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

from bot.domain import Memory, Message, MessageId, What
from bot.language.statements import happenings
from bot.language.statements.happenings import Happening
from bot.recall.librarian import PAGE
from bot.recall.listings import Narrowing
from bot.recall.retrievers import newest_of_one
from bot.recall.retrievers.retrieval import (
    Readers,
    Retrieval,
    Retrieved,
    Takes,
    Wanted,
    of_entry,
    of_memory,
    of_message,
)

MOST_OF_A_KIND: Final = 5
"""Of what was decided, of what was planned, of what was asked: the newest."""
_ORDER: Final = (What.DECIDED, What.PLANNED, What.ASKED, What.SAID)
_FILED: Final = {"decisions": What.DECIDED, "type:decision": What.DECIDED, "type:planning": What.PLANNED}
"""What a memory tells of, by what it is filed under."""


class HappenedSince:
    """What happened in all channels the caller may be told of: people's own sentences while they are kept.

    Of what is kept no longer, what memories and summed-up talk hold.
    """

    name: str = "since"
    about: str = (
        "What was decided, planned and asked since a moment or in a while, in all channels that may be told of here:"
        " yesterday; since 1 March; October."
    )
    takes: Takes = Takes.MOMENT

    def __init__(self, readers: Readers) -> None:
        self._librarian = readers.librarian
        self._ledger = readers.ledger

    async def retrieve(self, wanted: Wanted) -> Retrieval:
        """Of each kind the newest, oldest first; what was only said last, and where there is room for it."""
        caller, since, until = wanted.caller, wanted.since, wanted.until
        if wanted.live is None:
            said, answered, replaced = await self._ledger.said(caller, since, until)
            memories, _ = await self._librarian.memories(caller, Narrowing(since=since, until=until), page=1, size=PAGE)
            entries = await self._ledger.within(caller, since, until, most=MOST_OF_A_KIND)
        else:
            said = [
                one
                for one in wanted.live
                if (since is None or one.said_at >= since) and (until is None or one.said_at < until)
            ]
            answered, replaced, memories, entries = frozenset[MessageId](), frozenset[MessageId](), [], []
        # A week of a busy channel is many sentences to weigh.
        apart = {*wanted.apart_from, *replaced}
        passages = await asyncio.to_thread(_told, _without(said, apart), answered, memories)
        told = {*(message.message_id for message in said), *(key for one in memories for key in one.evidence)}
        passages += [of_entry(one.entry, one.channel_id) for one in entries if one.is_new(told)]
        return await asyncio.to_thread(_best, passages, wanted)


def _told(said: Sequence[Message], answered: Collection[MessageId], memories: Sequence[Memory]) -> list[Retrieved]:
    """What happened by these messages and memories."""
    found = happenings.of(said, answered)
    of_memories = [of_memory(one, _what(one, found)) for one in memories if not _is_told_by(found, one)]
    of_talk = [
        of_message(one.message, one.what, one.sentence)
        for one in found
        if not any(_is_kept_by(one, passage.memory) for passage in of_memories if passage.memory is not None)
    ]
    return [*of_talk, *of_memories]


def _is_kept_by(happening: Happening, memory: Memory) -> bool:
    """Whether a memory keeps that sentence, in its words."""
    is_from = happening.message.message_id in memory.evidence
    return is_from and memory.content.strip(" .!").casefold() in happening.sentence.casefold()


def _is_told_by(found: Sequence[Happening], memory: Memory) -> bool:
    """Whether what was said tells it already, in other words."""
    of_it = [one for one in found if one.message.message_id in memory.evidence]
    return bool(of_it) and not any(_is_kept_by(one, memory) for one in of_it)


def _without(said: Sequence[Message], apart: Collection[MessageId]) -> list[Message]:
    return [message for message in said if message.message_id not in apart]


def _what(memory: Memory, found: Sequence[Happening]) -> What:
    """What a memory tells of, by its room and tags, or by the sentence that it keeps."""
    filed = next((_FILED[key] for key in (memory.room, *memory.tags) if key in _FILED), None)
    return filed or next((one.what for one in found if _is_kept_by(one, memory)), What.SAID)


def _best(passages: Sequence[Retrieved], wanted: Wanted) -> Retrieval:
    def is_wanted(one: Retrieved) -> bool:
        is_own = wanted.not_by is not None and one.author_id == wanted.not_by
        return not is_own and (not wanted.only or one.what in wanted.only)

    kept, left_out = newest_of_one.newest(passages, is_wanted, most=MOST_OF_A_KIND)
    kept.sort(key=lambda one: (_ORDER.index(one.what), one.through_at))
    return Retrieval(passages=tuple(kept), left_out=left_out)
