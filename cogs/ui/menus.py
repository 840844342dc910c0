"""The menus under lists of memories (forget, fix, pin); their ids carry what they do."""

import re
from collections.abc import Iterable
from typing import Any, Final, Protocol, Self, cast

import discord

from bot.domain import Entry, MemoryId
from bot.text import normalize
from cogs.text import splitting

PICKER: Final = "MenuPicks"
"""Name of the cog that answers choices."""
MOST: Final = 25
"""Choices of one menu."""
_LONGEST: Final = 100
"""Characters of a choice."""
_WORK: Final = {"forget": "Forget …", "fix": "Fix …", "pin": "Pin …"}
"""What can be done, and what the menu says that is not open."""
_ASK: Final = "Ask to remove …"
"""The same of what others said about whoever looks."""


class Picker(Protocol):
    """The cog that handles choices."""

    async def picked(self, pick: "Pick", interaction: discord.Interaction[Any]) -> None:
        """Do with the chosen memory what the menu says."""
        ...


class Pick(
    discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=rf"hathi:pick:(?:{'|'.join(_WORK)}|remove)"
):
    """A menu of memories; the value of a choice is the memory's number."""

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
        await cast("Picker", interaction.client.get_cog(PICKER)).picked(self, interaction)


def picks(entries: Iterable[Entry]) -> list[Pick]:
    """One menu for each action on the listed memories; none where there is no memory."""
    own, others = list[discord.SelectOption](), list[discord.SelectOption]()
    for entry in entries:
        if entry.memory_id is not None:
            label = splitting.cut(f"#{entry.memory_id} {normalize.one_line(entry.body)}", _LONGEST)
            (others if entry.is_others else own).append(discord.SelectOption(label=label, value=str(entry.memory_id)))
    return [
        *(_pick(what, label, own) for what, label in _WORK.items() if own),
        *([_pick("remove", _ASK, others)] if others else []),
    ]


def _pick(what: str, label: str, choices: list[discord.SelectOption]) -> Pick:
    return Pick(discord.ui.Select(custom_id=f"hathi:pick:{what}", placeholder=label, options=choices[:MOST]))
