"""What a retriever is asked and what it gives; and what a retriever is."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

from bot import catalogue
from bot.dates import times
from bot.domain import Caller, ChannelId, LedgerEntry, Memory, Message, MessageId, PersonId, SpaceId, What, id_time
from bot.recall.ledger_search import LedgerSearch, NewestEntries
from bot.recall.librarian import Librarian

NOTHING: Final = catalogue.later("No memories have been generated yet")
"""What an empty retrieval says of itself."""
USUAL: Final = 5
"""Passages that are given unless another number of them is asked for."""
MOST: Final = 20
"""Passages that a model, a setting or the step of a workflow may ask for at once."""


class Takes(StrEnum):
    """What a retriever is given beside the place; the name of its argument."""

    NOTHING = ""
    COUNT = "limit"
    WORDS = "keywords"
    MOMENT = "when"


@dataclass(slots=True)
class SharedLedger:
    """What is read of the ledger for several retrievers that are asked at once."""

    newest: asyncio.Task[NewestEntries] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked of a retriever."""

    caller: Caller
    """Who asks where; `visible` is what they, and whoever reads along, may be told of."""
    most: int = USUAL
    words: str = ""
    since: datetime | None = None
    until: datetime | None = None
    """Nothing is told that was said from then on, by any retriever."""
    live: Sequence[Message] | None = None
    """The talk of the turn itself where nothing is kept: then it is all there is of the channel."""
    after_reset: bool = False
    """Whether of the channel only what was said since a person's reset is wanted."""
    apart_from: tuple[MessageId, ...] = ()
    """Messages that are known already, such as the question."""
    only: frozenset[What] = frozenset()
    """What is wanted, by what it does, where what happened is told; none where all of it is."""
    not_by: PersonId | None = None
    """Whose own words are not wanted."""
    ledger: SharedLedger = field(init=False, default_factory=SharedLedger, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """One thing that was retrieved, with where it comes from: of memory, message and entry at most one is there."""

    text: str
    through_at: datetime
    since_at: datetime | None = None
    """Where it tells of a while, when that began."""
    at: tuple[ChannelId, MessageId] | None = None
    """Where it was said, or began."""
    what: What = What.SAID
    memory: Memory | None = None
    message: Message | None = None
    entry: LedgerEntry | None = None

    @property
    def author_id(self) -> PersonId | None:
        """Whose words it is, where they are one person's."""
        said = self.message or self.memory
        return None if said is None else said.author_id

    @property
    def speaker(self) -> str:
        """What they are called; empty where nobody is known to have said it."""
        said = self.message or self.memory
        return "" if said is None else said.speaker or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """What a retriever gives, in the order in which it is to be read."""

    passages: tuple[Retrieved, ...] = ()
    notes: tuple[str, ...] = ()
    """What was not done as asked, a sentence each."""
    left_out: int = 0
    """Passages that were there as well, where it is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """What retrievers read memory by."""

    librarian: Librarian
    ledger: LedgerSearch
    clock: Callable[[], datetime]


class Retriever(Protocol):
    """Reads memory in one way; it writes nothing, and calls no model."""

    name: str
    """The word it is asked for by."""
    about: str
    """What it gives, in a sentence for a model."""
    takes: Takes
    """What it is given."""

    def __init__(self, readers: Readers) -> None: ...

    async def retrieve(self, wanted: Wanted) -> Retrieval:
        """What is there; in a place where nothing is kept, of the live talk."""
        ...


def within(wanted: Wanted, when: str, as_of: datetime) -> Wanted | None:
    """The same of the time that words name, read as of a moment; none where they name none."""
    spans = times.read_alone(when, as_of=as_of, zone=wanted.caller.time_zone).spans
    if not spans:
        return None
    ends = [end for end in (spans[0].end, wanted.until) if end is not None]
    return replace(wanted, since=spans[0].start, until=min(ends, default=None))


async def stand(librarian: Librarian, space_id: SpaceId, passages: Iterable[Retrieved]) -> bool:
    """Whether nothing of what these were retrieved from was taken back or edited."""
    each = [*passages]
    if not each:
        return True
    # An entry that was retrieved in two ways is one.
    entries = {
        (one.entry.through, one.entry.summary_id, one.entry.condensation_id): one.entry
        for one in each
        if one.entry is not None
    }
    said = {one.message.message_id: one.message.content for one in each if one.message is not None}
    memories = {one.memory.memory_id for one in each if one.memory is not None}
    left = await librarian.left(space_id, memories, said)
    return left == (memories, said) and await librarian.ledger_stands(space_id, [*entries.values()])


def of_entry(entry: LedgerEntry, channel_id: ChannelId) -> Retrieved:
    """A chunk, or a version of a rolling summary, of a channel."""
    return Retrieved(
        text=entry.text,
        since_at=None if entry.since is None else id_time(entry.since),
        through_at=entry.through_at,
        at=None if entry.since is None else (channel_id, entry.since),
        entry=entry,
    )


def of_message(message: Message, what: What = What.SAID, text: str = "") -> Retrieved:
    """A message, or a sentence of it."""
    return Retrieved(
        text=text or message.content,
        through_at=message.said_at,
        at=(message.channel_id, message.message_id),
        what=what,
        message=message,
    )


def of_memory(memory: Memory, what: What = What.SAID) -> Retrieved:
    """A memory."""
    at = (memory.channel_id, memory.evidence[0]) if memory.evidence else None
    return Retrieved(text=memory.content, through_at=memory.said_at, at=at, what=what, memory=memory)
