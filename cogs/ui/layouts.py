"""Puts what Hathi tells into layouts (Discord's Components V2): messages of components, without a text of their own."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

import discord

from cogs.text.splitting import cut, size

TEXTS: Final = 4_000
"""Characters Discord takes in all texts of one message."""
NOTHING: Final = "\u200b"
"""A text may not be empty; this is seen by nobody."""
COMPONENTS: Final = 40
"""Components Discord takes in one message, those within others counted."""
_ROW: Final = 5
"""Buttons of one row."""

Item = discord.ui.Item[Any]
Pressed = discord.ui.Button[Any] | discord.ui.Select[Any] | discord.ui.DynamicItem[Any]
"""What can be pressed or chosen from."""


def of(*parts: Item) -> discord.ui.LayoutView:
    """The message that holds these parts."""
    # Without a time limit: what is pressed is known by its id, whenever it was sent.
    view = discord.ui.LayoutView(timeout=None)
    for part in parts:
        view.add_item(part)
    for item in view.walk_children():
        # Numbered by Discord, anew where they come from a message that stood there.
        item.id = None
    # So that discord.py keeps nothing of it.
    view.stop()
    return view


def boxed(*parts: Item) -> discord.ui.LayoutView:
    """The message that holds these parts in a box of their own."""
    return of(discord.ui.Container[Any](*parts))


def told(words: str, pressed: Iterable[Pressed] = ()) -> discord.ui.LayoutView:
    """The message that says this, with what can be pressed under it."""
    return of(text(cut(words, TEXTS)), *rows(pressed))


def has_room(view: discord.ui.LayoutView, characters: int) -> bool:
    """Whether a text of so many characters more may stand in a message."""
    texts = sum(size(item.content) for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay))
    return texts + characters <= TEXTS and view.total_children_count < COMPONENTS


def text(words: str) -> Item:
    """A text."""
    return discord.ui.TextDisplay(words if words.strip() else NOTHING)


def rows(pressed: Iterable[Pressed]) -> Iterator[Item]:
    """Rows of buttons, five in each, and of menus, one in each."""
    for is_button, group in itertools.groupby(pressed, _is_button):
        items, size = cast("list[Item]", [*group]), _ROW if is_button else 1
        for start in range(0, len(items), size):
            yield discord.ui.ActionRow[Any](*items[start : start + size])


def _is_button(pressed: Pressed) -> bool:
    item = cast("Item", pressed.item) if isinstance(pressed, discord.ui.DynamicItem) else pressed
    return isinstance(item, discord.ui.Button)
