"""The slash commands for everybody: remember, recall, forget, list and the like."""

from typing import Final

from discord.ext import commands

from bot.commands.grammar import GRAMMARS
from bot.connection.client import Client
from cogs.commands import admin, slash
from cogs.commands.dispatch import Dispatcher
from cogs.ui.autocomplete import Suggestions

NAMES: Final = tuple(name for name in GRAMMARS if name not in admin.NAMES)
"""Every command that is not the admins'."""


class MemoryCommands(commands.Cog):
    """Registers the slash forms of these commands; typed ones reach the dispatcher through the chat cog."""

    def __init__(self, client: Client, dispatcher: Dispatcher, suggestions: Suggestions) -> None:
        self._client = client
        self._dispatcher = dispatcher
        self._suggestions = suggestions

    async def cog_load(self) -> None:
        """Adds them to Discord's list."""
        for name in NAMES:
            self._client.tree.add_command(slash.command(GRAMMARS[name], self._dispatcher, self._suggestions))

    async def cog_unload(self) -> None:
        """Removes them."""
        for name in NAMES:
            self._client.tree.remove_command(name)
