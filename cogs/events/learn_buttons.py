"""Has a channel's past read once whoever asked agrees, and leaves out who wants no part in it."""

from typing import Any, Final

import discord
from discord.ext import commands

from bot.commands.grammar import PREFIX
from bot.connection.client import Client
from bot.domain import ChannelId
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.commands.dispatch import Dispatcher
from cogs.tell.error_notices import ErrorNotices, telling_what_is_done
from cogs.ui import button_kinds, message_edits
from cogs.ui.button_kinds import Button, LearnButton

_NOBODY: Final = discord.AllowedMentions.none()


class LearnButtonPresses(commands.Cog, name=button_kinds.LEARNER):
    """Handles the button under an estimate, and the one under an announcement."""

    def __init__(self, client: Client, callers: Callers, dispatcher: Dispatcher, notices: ErrorNotices) -> None:
        self._learning = client.app.commands.learning
        self._callers = callers
        self._dispatcher = dispatcher
        self._notices = notices

    async def pressed(self, button: Button, interaction: discord.Interaction[Any]) -> None:
        """Handles a press; an error, and that something is left out, is told to the presser alone."""
        prefix = PREFIX
        try:
            self._dispatcher.take(interaction)
            channel, learned = place_of(interaction), ChannelId(button.number)
            await interaction.response.defer()
            self._dispatcher.count(self._callers.now(interaction.user, channel))
            caller, _ = await self._callers.of(interaction.user, channel)
            prefix = caller.prefix
            if isinstance(button, LearnButton):
                reply = await self._learning.agreed(caller, learned)
                with telling_what_is_done():
                    edit = message_edits.edit(interaction.message, [], reply.text)
                    await interaction.edit_original_response(**edit, allowed_mentions=_NOBODY)
                return
            reply = await self._learning.leave_out(caller, learned)
            with telling_what_is_done():
                await interaction.followup.send(reply.text, ephemeral=True, allowed_mentions=_NOBODY)
        except Exception as exc:  # noqa: BLE001 - whatever it was, the presser gets one sentence
            await self._notices.tell(exc, interaction, prefix=prefix)
