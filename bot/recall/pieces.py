"""Joins what is one piece of evidence, a memory and its messages, and leaves out what no longer holds; pure."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Final

from bot.domain import Memory, MemoryId, Message, MessageId, Result
from bot.text import trigrams

NEARLY: Final = 0.5
"""Of a memory's score: a message it rests on that has so much tells it in the words that were said."""


Corrected = Mapping[MemoryId, AbstractSet[MessageId]]
"""Messages that told what memories were before somebody edited them: they do not tell them any more."""


def joined(
    results: Sequence[Result],
    outdated: AbstractSet[MessageId] = frozenset(),
    corrected: Corrected = MappingProxyType({}),
) -> list[Result]:
    """The results in order, each piece of evidence once, at the best of its places.

    Of a memory the best message it rests on goes with it. `outdated` are messages that rest on nothing that holds any
    more: they are left out, but not the memory that took their place.
    """
    memories = [result for result in results if isinstance(result.item, Memory)]
    told = {key: result for result in reversed(memories) for key in _evidence(result)}
    said = dict[str, Result]()
    for result in results:
        if isinstance(result.item, Message) and result.item.message_id not in outdated:
            memory = told.get(result.item.message_id)
            if memory is not None and not _is_corrected(memory, result.item, corrected):
                said.setdefault(memory.name, result)
    pieces = dict[str, Result]()
    for result in results:
        if isinstance(result.item, Memory):
            pieces.setdefault(result.name, _with(result, said.get(result.name)))
        elif result.item.message_id not in outdated:
            memory = told.get(result.item.message_id)
            piece = result if memory is None else replace(_with(memory, said.get(memory.name)), parts=result.parts)
            pieces.setdefault(piece.name, piece)
    return [*pieces.values()]


def in_words(results: Sequence[Result], said: Sequence[Message], corrected: Corrected) -> list[Result]:
    """The results, each memory told in the words of these messages that its author said: those most like its own."""
    return [_in_words(result, result.item, said, corrected) for result in results]


def marked(results: Sequence[Result], until: Mapping[MessageId, datetime]) -> list[Result]:
    """The results, each message that tells what was replaced with when it was."""
    return [
        replace(result, until=until[result.item.message_id])
        if isinstance(result.item, Message) and result.item.message_id in until
        else result
        for result in results
    ]


def _in_words(result: Result, memory: Memory | Message, said: Sequence[Message], corrected: Corrected) -> Result:
    if not isinstance(memory, Memory) or result.said is not None:
        return result
    theirs = {*memory.evidence}.difference(corrected.get(memory.memory_id, ()))
    own = [one for one in said if one.message_id in theirs and one.author_id == memory.author_id]
    if not own:
        return result
    words = trigrams.words(memory.content)
    best = max(own, key=lambda one: (len(words & trigrams.words(one.content)), one.message_id))
    return result if _holds(best, memory) else replace(result, said=best)


def _holds(said: Message, memory: Memory) -> bool:
    """Whether a message has the words of a memory, as a request to keep them has."""
    return memory.content.casefold().rstrip(".") in said.content.casefold()


def _is_corrected(memory: Result, said: Message, corrected: Corrected) -> bool:
    return isinstance(memory.item, Memory) and said.message_id in corrected.get(memory.item.memory_id, ())


def _evidence(result: Result) -> tuple[MessageId, ...]:
    return result.item.evidence if isinstance(result.item, Memory) else ()


def _with(memory: Result, said: Result | None) -> Result:
    """The memory with the words it was made of, where they answer nearly as well, and are not its own words already."""
    if said is None or not isinstance(said.item, Message) or said.parts.score < NEARLY * memory.parts.score:
        return memory
    if isinstance(memory.item, Memory) and _holds(said.item, memory.item):
        return memory
    return replace(memory, said=said.item)
