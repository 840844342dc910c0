"""Introduces Hathi once to a new community: what it remembers, who is shown that, and how to stop it."""

import heapq
import itertools
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

import aiohttp
import discord
from discord.ext import commands

from bot import errors, log
from bot.connection.client import Client
from bot.domain import SpaceId
from bot.presentation import introduction
from cogs.access.callers import Callers
from cogs.access.permissions import is_public, own_member, search_needs
from cogs.commands.leaves import PRIVACY
from cogs.send import message_requests
from cogs.tell.error_notices import ErrorNotices
from cogs.ui import introductions

_log = log.logger(__name__)

NEW: Final = timedelta(days=7)
"""How long after it has come to a guild Hathi still introduces itself there."""
MOST_GUILDS: Final = 100
"""Guilds, the newest, that are looked at when a shard is ready."""
MOST_TRIED: Final = 5
"""Channels of a guild in which it is tried to speak."""


class Welcome(commands.Cog):
    """Introduces Hathi to a community."""

    def __init__(self, client: Client, callers: Callers, notices: ErrorNotices) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._notices = notices

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Somebody added Hathi; joining again, or a second process, is no second introduction."""
        try:
            await self._introduce(guild)
        except errors.DatabaseDown:
            _log.warning("welcome.database_down", guild_id=guild.id)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Somebody may have added Hathi while it was away: Discord tells nothing of that but when it was."""
        since = self._app.clock() - NEW
        joined = ((self._came_to(guild), guild) for guild in self._client.guilds if guild.shard_id == shard_id)
        lately = [(at, guild) for at, guild in joined if at is not None and at > since]
        for _, guild in heapq.nlargest(MOST_GUILDS, lately, key=lambda found: found[0]):
            try:
                await self._introduce(guild)
            except errors.DatabaseDown:
                # Of the others no more could be known now; the next session looks again.
                _log.warning("welcome.database_down", guild_id=guild.id)
                return

    def _came_to(self, guild: discord.Guild) -> datetime | None:
        """When Hathi joined; none while the guild is not available."""
        me = self._client.user and guild.get_member(self._client.user.id)
        return None if me is None else me.joined_at

    async def _introduce(self, guild: discord.Guild) -> None:
        """Sends the introduction to the first channel that accepts it, unless somebody did; else a later session does.

        Raises `DatabaseDown`.
        """
        channels = where_to_speak(guild)
        first = next(channels, None)
        if first is not None and self._callers.unserved(first) is not None:
            return
        if first is None:
            _log.info("welcome.nowhere_to_speak", guild_id=guild.id)
            return
        space_id, now = SpaceId(guild.id), self._app.clock()
        me = own_member(guild) or self._client.user
        assert me is not None
        await self._callers.of(me, first)
        if not await self._app.people.introduce(space_id, now):
            return
        said = False
        try:
            settings = self._app.settings
            words = introduction.to_community(
                self._client.mention(PRIVACY),
                search_needs(self._client, guild),
                searches=settings.recall.discord_search,
                privacy_url=settings.community.privacy,
            )
            said = await self._said(words, (first, *itertools.islice(channels, MOST_TRIED - 1)))
        finally:
            if not said:
                await self._app.people.unintroduce(space_id, now)
                _log.info("welcome.not_said", guild_id=guild.id)

    async def _said(self, words: str, channels: Sequence[discord.TextChannel]) -> bool:
        """Whether the introduction stands in one of the channels now."""
        for channel in channels:
            try:
                await message_requests.persistently(lambda channel=channel: _sent(words, channel))
            except (discord.Forbidden, discord.NotFound) as exc:
                self._notices.sentence(exc, channel)
            except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
                self._notices.sentence(exc, channel)
                return False
            else:
                return True
        return False


async def _sent(words: str, channel: discord.TextChannel) -> discord.Message:
    # By the nonce it stands there once, though the answer to a first attempt was lost.
    return await channel.send(
        view=introductions.drawn(words), nonce=channel.id, allowed_mentions=discord.AllowedMentions.none()
    )


def where_to_speak(guild: discord.Guild) -> Iterator[discord.TextChannel]:
    """The channels in which Hathi may write: what everyone sees before what only some do.

    Among both the guild's channel for such notices comes first. Where nothing is known of Hathi's rights, whatever
    channel there is.
    """
    me = own_member(guild)
    notices = [guild.system_channel] if guild.system_channel else []
    channels = [*dict.fromkeys((*notices, *guild.text_channels))]
    for seen_by_all in (True, False):
        for channel in channels:
            may = channel.permissions_for(me) if me else None
            if is_public(channel) is seen_by_all and (may is None or (may.view_channel and may.send_messages)):
                yield channel
