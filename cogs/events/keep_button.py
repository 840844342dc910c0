"""Keeps or does what a model would have, when whoever asked presses "Keep?" or "Do it?" under the answer."""

from functools import partial
from typing import Any, Final

import discord
from discord.ext import commands

from bot.connection.client import Client
from bot.domain import Caller, MessageId, Stock
from bot.presentation import render
from cogs.access.permissions import place_of
from cogs.chat.chat import Chat
from cogs.commands.dispatch import Dispatcher
from cogs.commands.presses import Presses
from cogs.tell.error_notices import telling_what_is_done
from cogs.text import message_words
from cogs.ui import button_kinds, message_edits
from cogs.ui.button_kinds import Button, DoButton

_NOBODY: Final = discord.AllowedMentions.none()


class KeepButtonPresses(commands.Cog, name=button_kinds.KEEPER):
    """Keeps it as whose words it is, and tells its author where that is another; or does it. Confirms either."""

    def __init__(self, client: Client, chat: Chat, dispatcher: Dispatcher, presses: Presses) -> None:
        self._app = client.app
        self._dispatcher = dispatcher
        self._chat = chat
        self._presses = presses

    async def pressed(self, button: Button, interaction: discord.Interaction[Any]) -> None:
        """Handles a press; an error is told to the presser alone."""
        await self._presses.carry_out(interaction, partial(self._keep, button, interaction))

    async def _keep(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        commands, turn_id = self._app.commands, MessageId(button.number)
        is_act = isinstance(button, DoButton)
        reply = await (commands.carry_out if is_act else commands.proposed.agreed)(caller, turn_id)
        try:
            with telling_what_is_done():
                message = await interaction.original_response()
                text = None
                if reply.stock is not Stock.FAILED:
                    text = render.agreed(message_words.read(message), acts=is_act)
                edit = message_edits.edit(message, message_edits.swapped(message, button, None), text)
                await interaction.edit_original_response(**edit)
                sent = await interaction.followup.send(reply.text, allowed_mentions=_NOBODY, wait=True)
            await self._dispatcher.told(caller, MessageId(button.number), reply, [MessageId(sent.id)])
        finally:
            for saved in reply.saved:
                if not saved.was_known:
                    await self._chat.author_notice.tell(saved, caller, place_of(interaction))
