"""Answers those who meet Hathi: what is remembered here, and how it is set; each to whoever presses alone."""

from dataclasses import replace
from typing import Any

import discord
from discord.ext import commands

from bot.commands.grammar import PREFIX
from bot.connection.client import Client
from bot.domain import Caller, Reply
from bot.presentation import introduction
from bot.store.spaces import Place
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.commands import drawing
from cogs.commands.dispatch import Dispatcher, ResetNotice
from cogs.events import welcome
from cogs.tell.error_notices import ErrorNotices, telling_what_is_done
from cogs.ui import button_kinds
from cogs.ui.button_kinds import Button, SettingsButton


class ContactButtons(commands.Cog, name=button_kinds.GREETER):
    """Does what the buttons of first contact say."""

    def __init__(self, client: Client, callers: Callers, dispatcher: Dispatcher, notices: ErrorNotices) -> None:
        self._client = client
        self._callers = callers
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
            caller, place = await self._callers.of(interaction.user, channel)
            prefix = caller.prefix
            if isinstance(button, SettingsButton):
                name, reply = "settings", self._settings(caller, place, interaction.guild)
            else:
                told = ResetNotice(self._client, self._notices, channel, interaction)
                name = "memories"
                reply = await self._dispatcher.run(replace(caller, reads_alone=True), name, "", told)
            with telling_what_is_done():
                await drawing.tell_alone(name, reply, interaction, prefix=prefix)
            await self._dispatcher.note(caller, reply, None)
        except Exception as exc:  # noqa: BLE001 - whatever it was, the presser gets one sentence
            await self._notices.tell(exc, interaction, prefix=prefix)

    def _settings(self, caller: Caller, place: Place, guild: discord.Guild | None) -> Reply:
        words = introduction.to_manage(
            place,
            caller.prefix,
            self._client.mention,
            welcome.missing(self._client, guild) if guild else (),
            searches=self._client.app.settings.recall.discord_search,
        )
        return Reply(text=words)
