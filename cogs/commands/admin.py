"""The slash commands for admins: settings, upkeep and status."""

from typing import Final

from discord.ext import commands

from bot.commands.grammar import GRAMMARS
from bot.connection.client import Client
from cogs.commands import slash
from cogs.commands.dispatch import Dispatcher
from cogs.tell.error_notices import ErrorNotices
from cogs.ui.autocomplete import Suggestions

NAMES: Final = ("age", "settings", "channel", "memory", "room", "identity", "status")


class AdminCommands(commands.Cog):
    """Registers the slash forms of these commands; typed ones reach the dispatcher through the chat cog."""

    def __init__(self, client: Client, dispatcher: Dispatcher, suggestions: Suggestions, notices: ErrorNotices) -> None:
        self._client = client
        self._dispatcher = dispatcher
        self._suggestions = suggestions
        self._notices = notices

    async def cog_load(self) -> None:
        """Adds them to Discord's list, and answers for commands that no longer exist."""
        self._notices.watch_slash_commands()
        for name in NAMES:
            self._client.tree.add_command(slash.command(GRAMMARS[name], self._dispatcher, self._suggestions))

    async def cog_unload(self) -> None:
        """Removes them."""
        for name in NAMES:
            self._client.tree.remove_command(name)
