"""The welcome: on joining a guild Hathi says once what it remembers, and how to see, stop and erase it."""

import discord
from discord.ext import commands

from bot import errors, log
from bot.client import Client
from bot.commands import introduction
from bot.domain import SpaceId
from cogs.callers import Callers
from cogs.errors import Troubles

_log = log.logger(__name__)


class Welcome(commands.Cog):
    """Introduces Hathi to a community."""

    def __init__(self, client: Client, callers: Callers, troubles: Troubles) -> None:
        self._client = client
        self._services = client.services
        self._callers = callers
        self._troubles = troubles

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Somebody added Hathi; joining again, or a second process, is no second introduction."""
        channel = where_to_speak(guild)
        if channel is None:
            _log.info("welcome.nowhere_to_speak", guild_id=guild.id)
            return
        try:
            _, place = await self._callers.of(guild.me, channel)
            if await self._services.people.introduce(SpaceId(guild.id), self._services.clock()):
                await self._troubles.say(channel, introduction.to_community(place.prefix))
        except errors.DatabaseDown:
            _log.warning("welcome.database_down", guild_id=guild.id)


def where_to_speak(guild: discord.Guild) -> discord.TextChannel | None:
    """The guild's channel for such notices if Hathi may write there, else the first in which it may."""
    first = [guild.system_channel] if guild.system_channel else []
    for channel in (*first, *guild.text_channels):
        may = channel.permissions_for(guild.me)
        if may.view_channel and may.send_messages:
            return channel
    return None
