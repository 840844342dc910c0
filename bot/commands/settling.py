"""`!settle`: says which of two memories that contradict each other holds, or that both do."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.domain import Caller, Holds, Memory, MemoryId, MessageId, Reply, Stock
from bot.language.requests import side_choices
from bot.presentation import both_sides, render
from bot.recall.librarian import Librarian
from bot.store.archivist import Archivist
from bot.text import normalize, notices

SETTLED: Final = catalogue.later("Both hold, and stand side by side.")
SAID_AGAIN: Final = catalogue.later(
    "One of them was said again since, so say by its number which holds; nothing changed."
)


class Settling:
    """The use case behind the command, the buttons and the answer at the terminal."""

    def __init__(self, archivist: Archivist, librarian: Librarian, clock: Callable[[], datetime]) -> None:
        self._archivist = archivist
        self._librarian = librarian
        self._clock = clock

    async def settle(self, given: Invocation) -> Reply:
        """Settles what the memory contradicts, or shows all sides where no choice is given."""
        caller, args = given.caller, given.args
        assert args.lead is not None
        number, chosen = MemoryId(args.lead), [choice for choice in Holds if choice.value in args.bare]
        if len(chosen) > 1:
            raise errors.BadArgument(catalogue.later("Say one of holds, newer, older and both."))
        return await self.chosen(caller, number, chosen[0]) if chosen else await self._sides(caller, number)

    async def chosen(self, caller: Caller, memory_id: MemoryId, choice: Holds) -> Reply:
        """Settles it, unless it can't be told which is the newer one. Raises as `Archivist.settle` does."""
        if choice in {Holds.NEWER, Holds.OLDER}:
            memory, others = await self._archivist.contradicted(caller, memory_id)
            sides = both_sides.as_said(memory, others)
            if both_sides.is_said_again(sides):
                return _which(caller, memory, others)
            memory_id = sides[-1 if choice is Holds.NEWER else 0].memory_id
        done = await self._archivist.settle(caller, memory_id, both=choice is Holds.BOTH, now=self._clock())
        if not done.replaced:
            return Reply(text=f"{notices.MEMORY} {catalogue.gettext(SETTLED)}", stock=Stock.KEPT)
        (stands,) = done.stands
        old = catalogue.both(f"#{memory.memory_id}" for memory in done.replaced)
        holds = catalogue.gettext("#{number} holds.").format(number=stands.memory_id)
        content = render.quoted(normalize.one_line(stands.content))
        undo = catalogue.gettext("It replaces {old}; {p}undo takes that back for 10 minutes.")
        text = f"{notices.MEMORY} {holds}\n{content}\n{undo.format(old=old, p=caller.prefix)}"
        return Reply(text=text, stock=Stock.KEPT)

    async def answered(self, caller: Caller, memory_id: MemoryId, text: str) -> Reply | None:
        """Settles it by the answer to which of them holds; none where that chooses nothing, or nothing is open.

        Raises as `Archivist.settle` does.
        """
        try:
            memory, others = await self._archivist.contradicted(caller, memory_id)
        except errors.NotFound:
            return None
        sides = both_sides.as_said(memory, others)
        holds = side_choices.read(text, [each.memory_id for each in sides]) if others else ()
        if not holds:
            return None
        if side_choices.is_by_age(text) and both_sides.is_said_again(sides):
            return _which(caller, memory, others)
        if len(holds) > 1:
            return await self.chosen(caller, memory_id, Holds.BOTH)
        return await self.chosen(caller, holds[0], Holds.THIS)

    async def told(
        self, caller: Caller, text: str, *, after: MessageId | None, under: MessageId | None
    ) -> Reply | None:
        """Does that for what was kept of a message, or of the one that this reply answered; of several the last."""
        if under is not None:
            answered = await self._librarian.reply(caller, under)
            after = None if answered is None else answered[1].message_id
        kept = [] if after is None else (await self._librarian.resting_on(caller, after))[0]
        for memory in reversed(kept):
            reply = await self.answered(caller, memory.memory_id, text)
            if reply is not None:
                return reply
        return None

    async def _sides(self, caller: Caller, memory_id: MemoryId) -> Reply:
        memory, others = await self._archivist.contradicted(caller, memory_id)
        if not others:
            told = catalogue.gettext("#{number} contradicts nothing that stands here.")
            return Reply(text=told.format(number=memory_id))
        return _shown(caller, memory, others)


def _shown(caller: Caller, memory: Memory, others: Sequence[Memory], *, head: str = "") -> Reply:
    """All sides, and the question which of them holds."""
    sides = [both_sides.side(each, caller.time_zone) for each in both_sides.as_said(memory, others)]
    lines = [*([head] if head else []), *sides, both_sides.asked(memory, others, caller)]
    return Reply(text="\n".join(lines), opens=(memory.memory_id, *(other.memory_id for other in others)))


def _which(caller: Caller, memory: Memory, others: Sequence[Memory]) -> Reply:
    """The same, as one of them was said again after another, and so either may be called the newer one."""
    return _shown(caller, memory, others, head=catalogue.gettext(SAID_AGAIN))
