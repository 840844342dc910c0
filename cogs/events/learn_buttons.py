"""Has a channel's past read once whoever asked agrees, and leaves out who wants no part in it."""

from functools import partial
from typing import Any, Final

import discord
from discord.ext import commands

from bot.connection.client import Client
from bot.domain import Caller, ChannelId
from cogs.commands.presses import Presses
from cogs.tell.error_notices import telling_what_is_done
from cogs.ui import button_kinds, message_edits
from cogs.ui.button_kinds import Button, LearnButton

_NOBODY: Final = discord.AllowedMentions.none()


class LearnButtonPresses(commands.Cog, name=button_kinds.LEARNER):
    """Handles the button under an estimate, and the one under an announcement."""

    def __init__(self, client: Client, presses: Presses) -> None:
        self._learning = client.app.commands.learning
        self._presses = presses

    async def pressed(self, button: Button, interaction: discord.Interaction[Any]) -> None:
        """Handles a press; an error, and that something is left out, is told to the presser alone."""
        await self._presses.carry_out(interaction, partial(self._decide, button, interaction))

    async def _decide(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        learned = ChannelId(button.number)
        if isinstance(button, LearnButton):
            reply = await self._learning.agreed(caller, learned)
            with telling_what_is_done():
                edit = message_edits.edit(interaction.message, [], reply.text)
                await interaction.edit_original_response(**edit, allowed_mentions=_NOBODY)
            return
        reply = await self._learning.leave_out(caller, learned)
        with telling_what_is_done():
            await interaction.followup.send(reply.text, ephemeral=True, allowed_mentions=_NOBODY)
