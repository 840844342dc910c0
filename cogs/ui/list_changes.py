"""Changes one entry of a list that stands on Discord: opens what can be done with it, or tells what became of it."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import discord

from bot import catalogue
from bot.domain import MemoryId
from cogs.text.splitting import size
from cogs.ui import drawn_lists, layouts
from cogs.ui.layouts import Item, Pressed

FORGOTTEN: Final = catalogue.later("forgotten")
_CHOICE: Final = re.compile(r"hathi:(?:forget|mend|pin|unpin|asks):\d+")
"""What stands in a row that was opened under an entry."""
_PICK: Final = "hathi:pick:"
"""How the ids of menus of memories begin."""


def opened(message: discord.Message, number: MemoryId, choices: Iterable[Pressed]) -> discord.ui.LayoutView | None:
    """The list with what can be done with a memory under it, and under no other; closed again where it was open."""
    view = _standing(message)
    children = [] if view is None else _children(view)
    found = next(_opening(children, number), None)
    if view is None or found is None:
        return None
    was_open = any(map(_is_choice, children[found + 1 : found + 2]))
    # More than one row of them and all entries would be more than Discord takes.
    before, after = (
        [child for child in part if not _is_choice(child)] for part in (children[: found + 1], children[found + 1 :])
    )
    return _again(view, [*before, *([] if was_open else layouts.rows(choices)), *after])


def became(
    message: discord.Message, number: MemoryId, *, text: str, now: MemoryId | None = None
) -> discord.ui.LayoutView | None:
    """The list with another text for a memory, and its new number; none where it is not listed."""

    def parts(words: str, others: Sequence[Item]) -> Iterable[Item]:
        listed, room = now or number, layouts.TEXTS - drawn_lists.SPARE - sum(map(_size, others))
        # Two buttons may not do the same: what it says now may stand in the list already.
        opens = None if _place(others, listed) is not None else listed
        return drawn_lists.parts_of(drawn_lists.retold(words, text, listed, room), opens)

    return _changed(message, number, parts)


def left(message: discord.Message, number: MemoryId, undo: Pressed) -> discord.ui.LayoutView | None:
    """The list without what a forgotten memory said, and with what brings it back; none where it is not listed."""
    gone = [layouts.text(drawn_lists.gone(number, catalogue.gettext(FORGOTTEN))), *layouts.rows([undo])]
    return _changed(message, number, lambda _words, _others: gone, forgets=True)


def _changed(
    message: discord.Message,
    number: MemoryId,
    parts: Callable[[str, Sequence[Item]], Iterable[Item]],
    *,
    forgets: bool = False,
) -> discord.ui.LayoutView | None:
    """The message with one of its entries, and the row under it, made anew of its words and what else there is."""
    view = _standing(message)
    children = [] if view is None else _children(view)
    found = _place(children, number)
    if view is None or found is None:
        return None
    under = [child for child in children[found + 1 : found + 2] if _is_choice(child) or _undoes(child, number)]
    before, after = children[:found], children[found + 1 + len(under) :]
    made = [*before, *parts(_words(children[found]), [*before, *after]), *after]
    return _again(view, [*_offering_less(made, number)] if forgets else made)


def _standing(message: discord.Message) -> discord.ui.LayoutView | None:
    """What a message of components is made of; none for another."""
    return discord.ui.LayoutView.from_message(message, timeout=None) if message.flags.components_v2 else None


def _children(view: discord.ui.LayoutView) -> list[Item]:
    """The parts of the message, those in its box too."""
    return [child for part in view.children for child in _inside(part)]


def _again(view: discord.ui.LayoutView, children: Iterable[Item]) -> discord.ui.LayoutView:
    """The same message with these parts, in a box where it had one."""
    has_box = any(isinstance(part, discord.ui.Container) for part in view.children)
    return layouts.boxed(*children) if has_box else layouts.of(*children)


def _place(children: Sequence[Item], number: MemoryId) -> int | None:
    """Which of them is the entry of a memory: a button beside an entry is sure, its words are what else there is."""
    told = (index for index, child in enumerate(children) if drawn_lists.own_number(_words(child)) == number)
    return next(itertools.chain(_opening(children, number), told), None)


def _opening(children: Sequence[Item], number: MemoryId) -> Iterator[int]:
    """Which of them have a button beside them that opens what can be done with a memory."""
    ids = {f"hathi:open:{number}", f"hathi:theirs:{number}"}
    for index, child in enumerate(children):
        if isinstance(child, discord.ui.Section) and not ids.isdisjoint(_ids([child.accessory])):
            yield index


def _offering_less(children: Iterable[Item], number: MemoryId) -> Iterator[Item]:
    """The parts, of which no menu offers that memory any more; a menu that offered nothing else is gone."""
    for child in children:
        menu = next(iter(child.children), None) if isinstance(child, discord.ui.ActionRow) else None
        if not isinstance(menu, discord.ui.Select) or not menu.custom_id.startswith(_PICK):
            yield child
            continue
        menu.options = [option for option in menu.options if option.value != str(number)]
        if menu.options:
            yield child


def _inside(part: Item) -> Sequence[Item]:
    return part.children if isinstance(part, discord.ui.Container) else [part]


def _words(child: Item) -> str:
    if isinstance(child, discord.ui.Section):
        return "\n".join(map(_words, child.children))
    return child.content if isinstance(child, discord.ui.TextDisplay) else ""


def _size(child: Item) -> int:
    return size(_words(child))


def _is_choice(row: Item) -> bool:
    """Whether it is a row of what can be done with a memory."""
    return isinstance(row, discord.ui.ActionRow) and any(map(_CHOICE.fullmatch, _ids(row.children)))


def _undoes(row: Item, number: MemoryId) -> bool:
    """Whether it is what brings a memory back."""
    return isinstance(row, discord.ui.ActionRow) and f"hathi:restore:{number}" in _ids(row.children)


def _ids(items: Iterable[Item]) -> list[str]:
    return [str(getattr(item, "custom_id", "")) for item in items]
