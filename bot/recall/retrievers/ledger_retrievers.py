"""The retrievers of one channel's ledger: its newest entries, its first, and its rolling summary."""

import asyncio
from collections.abc import Iterable, Sequence

from bot.domain import LedgerEntry, Message, Role
from bot.language.statements import extraction
from bot.recall.ledger_search import LedgerSearch, NewestEntries
from bot.recall.retrievers.retrieval import Readers, Retrieval, Retrieved, Takes, Wanted, of_entry, of_message


class RecentEntries:
    """The newest chunks of a channel."""

    name: str = "recent"
    about: str = "What was last summed up of the talk in this channel, oldest first."
    takes: Takes = Takes.COUNT

    def __init__(self, readers: Readers) -> None:
        self._ledger = readers.ledger

    async def retrieve(self, wanted: Wanted) -> Retrieval:
        """At most as many as are wanted; of live talk its newest messages."""
        if wanted.live is not None:
            said = _said(wanted)
            return _live(said[-wanted.most :], of=len(said))
        return _summed_up((await _newest(self._ledger, wanted)).entries, wanted)


class FirstEntries:
    """The first chunks of a channel: how it began."""

    name: str = "first"
    about: str = "How the talk in this channel began, as it was summed up then."
    takes: Takes = Takes.COUNT

    def __init__(self, readers: Readers) -> None:
        self._ledger = readers.ledger

    async def retrieve(self, wanted: Wanted) -> Retrieval:
        """At most as many as are wanted; of live talk its first messages."""
        if wanted.live is not None:
            said = _said(wanted)
            return _live(said[: wanted.most], of=len(said))
        entries = await self._ledger.first(
            wanted.caller, most=wanted.most, after_reset=wanted.after_reset, until=wanted.until
        )
        return _summed_up(entries, wanted)


class WholeSummary:
    """The rolling summary of a channel."""

    name: str = "summary"
    about: str = "The summary of all that was said in this channel."
    takes: Takes = Takes.NOTHING

    def __init__(self, readers: Readers) -> None:
        self._ledger = readers.ledger

    async def retrieve(self, wanted: Wanted) -> Retrieval:
        """Its newest version; of live talk, what is told of it by quoting."""
        if wanted.live is not None:
            # Off the event loop: every sentence is weighed.
            text = (await asyncio.to_thread(extraction.extract, wanted.live)).text
            last = wanted.live[-1] if wanted.live else None
            return Retrieval(passages=(Retrieved(text=text, through_at=last.said_at),) if text and last else ())
        version = (await _newest(self._ledger, wanted)).summary
        return _summed_up(() if version is None else (version,), wanted)


async def _newest(ledger: LedgerSearch, wanted: Wanted) -> NewestEntries:
    """What the channel's ledger ends on, read once for all that are asked the same."""
    if wanted.ledger.newest is None:
        wanted.ledger.newest = asyncio.create_task(
            ledger.newest(wanted.caller, most=wanted.most, after_reset=wanted.after_reset, until=wanted.until)
        )
    return await wanted.ledger.newest


def _summed_up(entries: Iterable[LedgerEntry], wanted: Wanted) -> Retrieval:
    return Retrieval(passages=tuple(of_entry(entry, wanted.caller.channel_id) for entry in entries))


def _live(said: Sequence[Message], *, of: int) -> Retrieval:
    return Retrieval(passages=tuple(map(of_message, said)), left_out=of - len(said))


def _said(wanted: Wanted) -> list[Message]:
    """What people said in the live talk."""
    assert wanted.live is not None
    return [m for m in wanted.live if m.role is Role.PERSON and m.message_id not in wanted.apart_from]
