"""The menu of what can be forgotten under a reset, and the menus of earlier lists; their ids carry what they do."""

import re
from collections.abc import Iterable
from typing import Any, Final, Protocol, Self, cast

import discord

from bot import catalogue
from bot.domain import Memory, MemoryId
from bot.text import normalize
from cogs.text import splitting
from cogs.ui import button_kinds

MOST: Final = 25
"""Choices of one menu."""
_LONGEST: Final = 100
"""Characters of a choice."""
FORGET: Final = "forget"
FORGET_ONE: Final = catalogue.later("Forget …")
"""What the menu says that is not open."""


class Picker(Protocol):
    """The cog that handles choices."""

    async def picked(self, pick: "Pick", interaction: discord.Interaction[Any]) -> None:
        """Do with the chosen memory what the menu says."""
        ...


class Pick(
    discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=rf"hathi:pick:(?:{FORGET}|fix|pin|remove)"
):
    """A menu of memories, the value of a choice being its number; lists had one for each thing to be done, once."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """The menu of a message that was sent at any time."""
        return cls(cast("discord.ui.Select[discord.ui.View]", item))

    @property
    def what(self) -> str:
        """What is to be done: forget, fix, pin or remove, which only asks for it."""
        return self.custom_id.rpartition(":")[2]

    @property
    def chosen(self) -> MemoryId:
        """The memory that was chosen."""
        return MemoryId(int(self.item.values[0]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice to the cog that answers it."""
        await cast("Picker", interaction.client.get_cog(button_kinds.PICKER)).picked(self, interaction)


def forgets(memories: Iterable[Memory]) -> Pick | None:
    """The menu of memories to forget; none where there is none."""
    choices = [
        discord.SelectOption(
            label=splitting.cut(f"#{each.memory_id} {normalize.one_line(normalize.shown(each.content))}", _LONGEST),
            value=str(each.memory_id),
        )
        for each in memories
    ]
    if not choices:
        return None
    return Pick(
        discord.ui.Select(
            custom_id=f"hathi:pick:{FORGET}", placeholder=catalogue.gettext(FORGET_ONE), options=choices[:MOST]
        )
    )
