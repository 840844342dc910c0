"""Changes one entry of a list that stands on Discord: opens what can be done with it, or tells what became of it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import discord

from bot.domain import MemoryId
from cogs.ui import layouts, listings
from cogs.ui.layouts import Item, Pressed

FORGOTTEN: Final = "forgotten"


def opened(message: discord.Message, number: MemoryId, choices: Iterable[Pressed]) -> discord.ui.LayoutView | None:
    """The list with what can be done with a memory under it; closed again where it was open."""

    def parts(words: str, under: Sequence[Item], beside: Item | None) -> Iterable[Item]:
        first = (
            layouts.text(words) if beside is None else discord.ui.Section[Any](layouts.text(words), accessory=beside)
        )
        return [first, *([] if under else layouts.rows(choices))]

    return _changed(message, number, parts)


def became(
    message: discord.Message, number: MemoryId, *, text: str, now: MemoryId | None = None
) -> discord.ui.LayoutView | None:
    """The list with another text for a memory, and its new number; none where it is not listed."""
    return _changed(
        message,
        number,
        lambda words, _under, _beside: listings.parts_of(listings.retold(words, text, now or number), now or number),
    )


def left(message: discord.Message, number: MemoryId, undo: Pressed) -> discord.ui.LayoutView | None:
    """The list without what a forgotten memory said, and with what brings it back; none where it is not listed."""
    gone = listings.gone(number, FORGOTTEN)
    return _changed(message, number, lambda _words, _under, _beside: [layouts.text(gone), *layouts.rows([undo])])


def _changed(
    message: discord.Message, number: MemoryId, parts: Callable[[str, Sequence[Item], Item | None], Iterable[Item]]
) -> discord.ui.LayoutView | None:
    """The message with one of its entries made anew of its words, the buttons under it, and the one beside it."""
    if not message.flags.components_v2:
        return None
    view = discord.ui.LayoutView.from_message(message, timeout=None)
    children = [child for part in view.children for child in _inside(part)]
    at = next((index for index, child in enumerate(children) if listings.own_number(_words(child)) == number), None)
    if at is None:
        return None
    under = [child for child in children[at + 1 : at + 2] if _is_of(child, number)]
    entry = children[at]
    beside = entry.accessory if isinstance(entry, discord.ui.Section) else None
    made = [*children[:at], *parts(_words(entry), under, beside), *children[at + 1 + len(under) :]]
    has_box = any(isinstance(part, discord.ui.Container) for part in view.children)
    return layouts.boxed(*made) if has_box else layouts.of(*made)


def _inside(part: Item) -> Sequence[Item]:
    return part.children if isinstance(part, discord.ui.Container) else [part]


def _words(child: Item) -> str:
    if isinstance(child, discord.ui.Section):
        return "\n".join(map(_words, child.children))
    return child.content if isinstance(child, discord.ui.TextDisplay) else ""


def _is_of(row: Item, number: MemoryId) -> bool:
    """Whether it is a row of buttons about that memory."""
    if not isinstance(row, discord.ui.ActionRow):
        return False
    return any(str(getattr(child, "custom_id", "")).endswith(f":{number}") for child in row.children)
