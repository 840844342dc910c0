"""`!mydata remove` and `!memory requests`: what people ask to have removed of what others said about them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.commands.invocation import Invocation
from bot.domain import Caller, Entry, Listing, Memory, MemoryId, Reply
from bot.presentation import render
from bot.recall.librarian import Librarian
from bot.store.archivist import Archivist
from bot.text import normalize, sanitize
from bot.text.sanitize import counted

ROWS_A_PAGE: Final = 6
ASKED: Final = "Those who manage this server are asked to remove #{number}, with what it says; it is theirs to decide."
NONE: Final = "Nobody asks to have anything removed here that I may show in this channel."


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalAsked(Reply):
    """That somebody asks to have a memory removed which another said about them."""

    memory: Memory


class RemovalRequests:
    """The use cases behind them: the person who is spoken of asks, whoever manages the server decides."""

    def __init__(self, archivist: Archivist, librarian: Librarian, clock: Callable[[], datetime]) -> None:
        self._archivist = archivist
        self._librarian = librarian
        self._clock = clock

    async def ask(self, given: Invocation) -> Reply:
        """Asks to have a memory about the caller removed. Raises `NotFound`, and `NotAllowed` for any other."""
        number = MemoryId(given.args.number("id", 0))
        memory, is_new = await self._archivist.ask_removal(given.caller, number, now=self._clock())
        text = ASKED.format(number=number)
        # Whoever asks again is told the same, and nobody else is.
        return RemovalAsked(text=text, memory=memory) if is_new else Reply(text=text)

    async def listed(self, given: Invocation) -> Reply:
        """One page of what is asked here, with its text, the longest asked first."""
        caller = given.caller
        found, total = await self._librarian.removals_asked(caller, size=ROWS_A_PAGE)
        if not found:
            return Reply(text=NONE)
        entries = tuple(_entry(memory, asker, caller) for memory, asker in found)
        title = f"{counted(total, 'memory')} that people ask to have removed"
        lines = [f"{render.entry_lines(entry)}\n  {caller.prefix}forget {entry.memory_id}" for entry in entries]
        more = [f"The {len(found)} asked for longest are shown."] if total > len(found) else []
        return Reply(
            text="\n".join([title, *lines, *more]), listing=Listing(title=title, entries=entries, notes=tuple(more))
        )


def _entry(memory: Memory, asker: str, caller: Caller) -> Entry:
    by = sanitize.name(memory.speaker) if memory.speaker else "nobody named"
    said = f"said by {by} · {render.time(memory.said_at, caller.time_zone)}"
    return Entry(
        head=f"#{memory.memory_id} · {sanitize.name(asker)} asks · {said}",
        body=normalize.shown(memory.content),
        memory_id=memory.memory_id,
        who=by,
        at=memory.said_at,
        marks=(f"{sanitize.name(asker)} asks",),
    )
