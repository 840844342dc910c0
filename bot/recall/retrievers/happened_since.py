"""The retriever of what was decided, planned and asked since a moment, or between two."""

import asyncio
from collections.abc import Sequence
from typing import Final

from bot.domain import Memory, Message, MessageId, PersonId, What
from bot.language.statements import happenings
from bot.recall.librarian import PAGE
from bot.recall.listings import Narrowing
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
"""What a memory tells of, by its room and tags."""


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
            said, answered = await self._ledger.said(caller, since, until)
            memories, _ = await self._librarian.memories(caller, Narrowing(since=since, until=until), page=1, size=PAGE)
            entries = await self._ledger.within(caller, since, until, most=MOST_OF_A_KIND)
        else:
            said = [
                one
                for one in wanted.live
                if (since is None or one.said_at >= since) and (until is None or one.said_at < until)
            ]
            answered, memories, entries = frozenset[MessageId](), [], []
        # A week of a busy channel is many sentences to weigh.
        found = await asyncio.to_thread(happenings.of, _without(said, wanted.apart_from), answered)
        read = {message.message_id for message in said}
        passages = [of_message(one.message, one.what, one.sentence) for one in found]
        passages += [of_memory(one, _what(one)) for one in memories if read.isdisjoint(one.evidence)]
        if wanted.not_by is not None:
            passages = [one for one in passages if _author(one) != wanted.not_by]
        told = {*read, *(key for one in memories for key in one.evidence)}
        passages += [of_entry(one.entry, one.channel_id) for one in entries if one.is_new(told)]
        return _best([one for one in passages if not wanted.only or one.what in wanted.only])


def _without(said: Sequence[Message], apart: Sequence[MessageId]) -> list[Message]:
    return [message for message in said if message.message_id not in apart]


def _author(passage: Retrieved) -> PersonId | None:
    said = passage.message or passage.memory
    return None if said is None else said.author_id


def _what(memory: Memory) -> What:
    return next((_FILED[key] for key in (memory.room, *memory.tags) if key in _FILED), What.SAID)


def _best(passages: Sequence[Retrieved]) -> Retrieval:
    kept = list[Retrieved]()
    for what in _ORDER:
        of_kind = sorted((one for one in passages if one.what is what), key=lambda one: one.through_at)
        kept += of_kind[-MOST_OF_A_KIND:]
    return Retrieval(passages=tuple(kept), left_out=len(passages) - len(kept))
