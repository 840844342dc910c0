"""The five places of Active Memory: which memories have them, and which have none since others were given one."""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Final

from bot import catalogue
from bot.config import ActiveSettings
from bot.domain import Caller, Fact, Memory, MemoryId, Saved, Source
from bot.prompting import compose
from bot.prompting.placed_models import ModelsByPlace
from bot.recall.librarian import Librarian

ALWAYS_SHOWN: Final = 9
"""Importance from which a memory neither fades nor leaves Active Memory, as far as there is a place."""


class Places:
    """Tells people what does not stand before a model on every turn, or no more."""

    def __init__(
        self, librarian: Librarian, active: ActiveSettings, models: ModelsByPlace, clock: Callable[[], datetime]
    ) -> None:
        self._librarian = librarian
        self._active = active
        self._models = models
        self._clock = clock

    async def taken(self, caller: Caller) -> tuple[MemoryId, ...]:
        """The memories that have a place."""
        rows = await self._librarian.active(caller, "", self._active)
        _, shown = compose.active_block(
            [line for line in compose.active_lines(rows) if line.precedence],
            rows=min(compose.PLACES, self._active.rows),
            max_tokens=self._models.of(caller).budget.active,
            now=self._clock(),
        )
        return tuple(line.number for line in shown)

    async def told(self, caller: Caller, before: Iterable[MemoryId], saved: Iterable[Saved]) -> str:
        """Which memories got no place or lost theirs since what had one before; a line each, empty where none did."""
        taken = await self.taken(caller)
        new = {one.memory.memory_id for one in saved if wants_one(one.memory) and one.outdated_by is None}
        gone = {old.memory_id for one in saved for old in one.supersedes}
        left, lost = new.difference(taken), {*before}.difference(taken, new, gone)
        without = catalogue.ngettext(
            "{numbers} never fades and is found when asked about, but does not stand before me all the time",
            "{numbers} never fade and are found when asked about, but do not stand before me all the time",
            len(left),
        )
        no_more = catalogue.ngettext(
            "{numbers} never fades and is found when asked about, but no longer stands before me all the time",
            "{numbers} never fade and are found when asked about, but no longer stand before me all the time",
            len(lost),
        )
        return _line(without, left, taken) + _line(no_more, lost, taken)


def wants_one(what: Fact | Memory) -> bool:
    """Whether it is to stand before a model all the time."""
    is_pinned = isinstance(what, Memory) and what.pinned
    return what.importance >= ALWAYS_SHOWN or is_pinned or what.source is Source.DIRECTIVE


def _line(what: str, numbers: Collection[MemoryId], taken: Iterable[MemoryId]) -> str:
    if not numbers:
        return ""
    told = catalogue.gettext(
        "{what}: there are five places for what does, as long as they fit, and these have them: {taken}."
    )
    return "\n" + told.format(
        what=what.format(numbers=_listed(numbers)), taken=_listed(taken) or catalogue.gettext("none")
    )


def _listed(numbers: Iterable[MemoryId]) -> str:
    return ", ".join(f"#{number}" for number in sorted(numbers))
