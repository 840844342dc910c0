"""Answers those who meet Hathi, each alone: what is remembered here, how it is set, and that it is to stop."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import aiohttp
import discord
from discord.ext import commands

from bot.commands.community import ListeningReply
from bot.connection.client import Client
from bot.domain import Caller, ChannelId
from cogs.access.permissions import place_of
from cogs.commands import clickable, drawing
from cogs.commands.dispatch import Dispatcher, ResetNotice
from cogs.commands.presses import Presses
from cogs.tell.error_notices import ErrorNotices, telling_what_is_done
from cogs.ui import button_kinds, buttons, layouts
from cogs.ui.button_kinds import Button, HereButton, SettingsButton, StopButton

_TYPED: Final[Mapping[type[Button], tuple[str, str]]] = {
    HereButton: ("memories", ""),
    SettingsButton: ("settings", ""),
    StopButton: ("memory", "off me"),
}
"""What is typed for the same as a button does: a command, and what follows it."""
_NOBODY: Final = discord.AllowedMentions.none()


class ContactButtons(commands.Cog, name=button_kinds.GREETER):
    """Does what the buttons of first contact say."""

    def __init__(self, client: Client, dispatcher: Dispatcher, presses: Presses, notices: ErrorNotices) -> None:
        self._client = client
        self._dispatcher = dispatcher
        self._presses = presses
        self._notices = notices

    async def pressed(self, button: Button, interaction: discord.Interaction[Any]) -> None:
        """Handles a press; an error is told to the presser alone."""
        await self._presses.carry_out(interaction, partial(self._answer, button, interaction))

    async def _answer(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        name, line = next(typed for kind, typed in _TYPED.items() if isinstance(button, kind))
        told = ResetNotice(self._client, self._notices, place_of(interaction), interaction)
        reply = await self._dispatcher.run(replace(caller, reads_alone=True), name, line, told)
        reply = replace(reply, text=clickable.told(reply.text, name, caller.prefix, self._client.mention))
        with telling_what_is_done():
            await drawing.tell_alone(name, reply, interaction, prefix=caller.prefix)
        await self._dispatcher.note(caller, reply, None)

    @commands.Cog.listener()
    async def on_listening(self, channel_id: ChannelId, reply: ListeningReply) -> None:
        """Somebody has all of a channel kept from one of its threads: the channel is told as the thread is."""
        channel = self._client.get_channel(channel_id)
        if not isinstance(channel, discord.TextChannel) or not self._notices.may_speak(channel):
            return
        try:
            await channel.send(view=layouts.told(reply.text, buttons.of(reply)), allowed_mentions=_NOBODY)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as exc:
            self._notices.sentence(exc, channel)
