"""Keeps what a model would have saved, when whoever asked presses "Keep?" under the answer."""

from typing import Any, Final

import discord
from discord.ext import commands

from bot.commands.grammar import PREFIX
from bot.connection.client import Client
from bot.domain import MessageId
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.chat.chat import Chat
from cogs.commands.dispatch import Dispatcher
from cogs.tell.error_notices import ErrorNotices, telling_what_is_done
from cogs.ui import button_kinds, message_edits
from cogs.ui.button_kinds import Button

_NOBODY: Final = discord.AllowedMentions.none()


class KeepButtonPresses(commands.Cog, name=button_kinds.KEEPER):
    """Keeps it as whose words it is, confirms it under the answer, and tells its author where that is another."""

    def __init__(
        self, client: Client, callers: Callers, chat: Chat, dispatcher: Dispatcher, notices: ErrorNotices
    ) -> None:
        self._app = client.app
        self._callers = callers
        self._chat = chat
        self._dispatcher = dispatcher
        self._notices = notices

    async def pressed(self, button: Button, interaction: discord.Interaction[Any]) -> None:
        """Handles a press; an error is told to the presser alone."""
        prefix = PREFIX
        try:
            self._dispatcher.take(interaction)
            channel = place_of(interaction)
            await interaction.response.defer()
            self._dispatcher.count(self._callers.now(interaction.user, channel))
            caller, _ = await self._callers.of(interaction.user, channel)
            prefix = caller.prefix
            reply = await self._app.commands.proposed.agreed(caller, MessageId(button.number))
            try:
                with telling_what_is_done():
                    message = await interaction.original_response()
                    edit = message_edits.edit(message, message_edits.swapped(message, button, None))
                    await interaction.edit_original_response(**edit)
                    await interaction.followup.send(reply.text, allowed_mentions=_NOBODY)
            finally:
                for saved in reply.saved:
                    if not saved.was_known:
                        await self._chat.author_notice.tell(saved, caller, channel)
        except Exception as exc:  # noqa: BLE001 - whatever it was, the presser gets one sentence
            await self._notices.tell(exc, interaction, prefix=prefix)
