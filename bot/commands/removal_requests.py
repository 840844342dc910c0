"""`!mydata remove` and `!memory requests`: what people ask to have removed of what others said about them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import catalogue
from bot.commands.invocation import Invocation
from bot.domain import Caller, Entry, Listing, Memory, MemoryId, Reply
from bot.presentation import render
from bot.recall.librarian import Librarian
from bot.store.archivist import Archivist
from bot.text import normalize, sanitize

ROWS_A_PAGE: Final = 6
ASKED: Final = catalogue.later(
    "Those who manage this server are asked to remove #{number}, with what it says; it is theirs to decide."
)
NONE: Final = catalogue.later("Nobody asks to have anything removed here that I may show in this channel.")


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
        text = catalogue.gettext(ASKED).format(number=number)
        # Whoever asks again is told the same, and nobody else is.
        return RemovalAsked(text=text, memory=memory) if is_new else Reply(text=text)

    async def listed(self, given: Invocation) -> Reply:
        """One page of what is asked here, with its text, the longest asked first."""
        caller = given.caller
        found, total = await self._librarian.removals_asked(caller, size=ROWS_A_PAGE)
        if not found:
            return Reply(text=catalogue.gettext(NONE))
        entries = tuple(_entry(memory, asker, caller) for memory, asker in found)
        title = catalogue.ngettext(
            "{count} memory that people ask to have removed", "{count} memories that people ask to have removed", total
        ).format(count=total)
        lines = [f"{render.entry_lines(entry)}\n  {caller.prefix}forget {entry.memory_id}" for entry in entries]
        shown = catalogue.gettext("The {count} asked for longest are shown.").format(count=len(found))
        more = [shown] if total > len(found) else []
        return Reply(
            text="\n".join([title, *lines, *more]), listing=Listing(title=title, entries=entries, notes=tuple(more))
        )


def _entry(memory: Memory, asker: str, caller: Caller) -> Entry:
    by = sanitize.name(memory.speaker) if memory.speaker else catalogue.gettext("nobody named")
    said = catalogue.gettext("said by {name}").format(name=by)
    asks = catalogue.gettext("{name} asks").format(name=sanitize.name(asker))
    return Entry(
        head=f"#{memory.memory_id} · {asks} · {said} · {render.time(memory.said_at, caller.time_zone)}",
        body=normalize.shown(memory.content),
        memory_id=memory.memory_id,
        who=by,
        at=memory.said_at,
        marks=(asks,),
    )
