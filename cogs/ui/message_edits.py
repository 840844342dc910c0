"""Edits messages of Hathi's that stand on Discord: their buttons, and what they say, in the form they have."""

import contextlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import discord

from bot.domain import Holds
from cogs.text import message_words
from cogs.ui import buttons, layouts
from cogs.ui.button_kinds import Button, StopButton, WhyReplyButton

_SETTLES: Final = frozenset(choice.value for choice in Holds)
Edit = Mapping[str, Any]
"""What an edit of a message is called with."""


def edit(message: discord.Message | None, pressed: Iterable[Button], text: str | None = None) -> Edit:
    """What gives a message these buttons, and another text where there is one; one of components stays one of those."""
    if message is not None and message.flags.components_v2:
        return {"view": layouts.told(message_words.read(message) if text is None else text, pressed)}
    return {"view": buttons.view(pressed)} | ({} if text is None else {"content": text})


def replaced(layout: discord.ui.LayoutView) -> Edit:
    """What makes a message one of components, whatever it was: then it has no text of its own and no embed."""
    return {"content": None, "embed": None, "view": layout}


def without_choices(message: discord.Message) -> list[Button]:
    """The message's buttons as they stand, without those that settle a contradiction."""
    return [buttons.known(custom_id) for custom_id in _ids(message) if custom_id.split(":")[1] not in _SETTLES]


def has(message: discord.Message, button: Button) -> bool:
    """Whether the button stands there; not where a list has been turned to another page since it was pressed."""
    return button.custom_id in _ids(message)


def swapped(message: discord.Message, pressed: Button, instead: Button | None) -> list[Button]:
    """The message's buttons as they stand, with another, or none, in place of the one that was pressed."""
    ids = [(instead and instead.custom_id) if i == pressed.custom_id else i for i in _ids(message)]
    return [buttons.known(custom_id) for custom_id in dict.fromkeys(ids) if custom_id is not None]


async def without(interaction: discord.Interaction[Any], pressed: Button) -> None:
    """Takes a button that means nothing any more off its message, if it still stands there and Discord lets it go."""
    with contextlib.suppress(discord.HTTPException):
        message = await interaction.original_response()
        if has(message, pressed):
            await interaction.edit_original_response(**edit(message, swapped(message, pressed, None)))


def is_alone(pressed: Iterable[Button]) -> bool:
    """Whether a message with these buttons tells of one thing alone, however it may be explained."""
    return sum(not isinstance(button, WhyReplyButton | StopButton) for button in pressed) <= 1


def _ids(message: discord.Message) -> list[str]:
    return [
        child.custom_id
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for child in row.children
        if isinstance(child, discord.Button) and child.custom_id is not None
    ]
