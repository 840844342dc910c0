"""Stops what is being written, when whoever asked, or a moderator, presses "Stop" under it."""

from functools import partial
from typing import Any

import discord
from discord.ext import commands

from bot import errors
from bot.domain import Caller, MessageId
from bot.turn.stopping import Stops
from cogs.commands.presses import Presses
from cogs.ui import button_kinds, message_edits
from cogs.ui.button_kinds import Button


class StopAnswerPresses(commands.Cog, name=button_kinds.STOPPER):
    """Stops it at once; what was shown of it tells so itself. A button that was left behind goes."""

    def __init__(self, stops: Stops, presses: Presses) -> None:
        self._stops = stops
        self._presses = presses

    async def pressed(self, button: Button, interaction: discord.Interaction[Any]) -> None:
        """Handles a press; an error is told to the presser alone."""
        await self._presses.carry_out(interaction, partial(self._stop, button, interaction))

    async def _stop(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        turn_id = MessageId(button.number)
        try:
            self._stops.stop(caller, turn_id)
        except errors.NotFound:
            if turn_id not in self._stops:
                await message_edits.without(interaction, button)
            raise
