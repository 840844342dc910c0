"""Carries out what people press, pick, fill in or choose under Apps, each with the rights of whoever did it."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import discord

from bot.commands.grammar import PREFIX
from bot.domain import Caller
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.commands.dispatch import Dispatcher
from cogs.tell.error_notices import Announced, ErrorNotices

_Done = TypeVar("_Done")


class Presses:
    """What all of them share: shutdowns wait for them, they are counted as commands are, and an error is told."""

    def __init__(self, callers: Callers, dispatcher: Dispatcher, notices: ErrorNotices) -> None:
        self._callers = callers
        self._dispatcher = dispatcher
        self._notices = notices

    async def carry_out(
        self,
        interaction: discord.Interaction[Any],
        act: Callable[[Caller], Awaitable[_Done]],
        *,
        opens_form: bool = False,
    ) -> _Done | None:
        """What `act` gives; none where it was refused or failed, which is told to whoever pressed alone.

        Discord waits three seconds for a first sign, and is told before anything else that an answer follows; a form
        is the first sign itself, or none.
        """
        prefix = PREFIX
        try:
            self._dispatcher.take(interaction)
            channel = place_of(interaction)
            if not opens_form:
                await _announce(interaction)
            self._dispatcher.count(self._callers.now(interaction.user, channel))
            caller, _ = await self._callers.of(interaction.user, channel)
            prefix = caller.prefix
            return await act(caller)
        except Exception as exc:  # noqa: BLE001 - whatever it was, whoever pressed gets one sentence
            await self._notices.tell(exc, interaction, prefix=prefix)
            return None


async def _announce(interaction: discord.Interaction[Any]) -> None:
    """Tells Discord that an answer follows; to what stands under no message, for whoever chose it alone."""
    if interaction.type is discord.InteractionType.application_command:
        await interaction.response.defer(ephemeral=True, thinking=True)
        Announced.PRIVATELY.on(interaction)
    else:
        await interaction.response.defer()
