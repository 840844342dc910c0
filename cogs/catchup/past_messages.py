"""Reads what was said in a channel before Hathi listened, and tells in it of that: a page a second."""

import re
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Final

import aiohttp
import discord
from discord.ext import commands

from bot import errors, log
from bot.commands.grammar import PREFIX
from bot.connection import unreadable_events
from bot.connection.client import Client
from bot.domain import Caller, ChannelId, Message, MessageId, PersonId, Role, SpaceId, new_id
from bot.lifecycle.learner import HistoryPage
from bot.presentation import learned
from bot.store.learnings import Learning
from bot.store.namesakes import NAMESAKE
from bot.store.spaces import Place
from bot.store.turns import HATHI
from cogs.access import classify
from cogs.access.callers import Callers, Channel
from cogs.access.permissions import can_read, can_speak
from cogs.catchup.channel_lookup import ChannelLookup
from cogs.chat.message_texts import MessageTexts
from cogs.send.request_pace import RequestPace
from cogs.ui import buttons

_log = log.logger(__name__)

A_SECOND: Final = 1
"""Requests for what was said before: it has waited for months, and whoever talks now goes first."""
SHOWN_EVERY: Final = timedelta(seconds=5)
"""How often the announcement is edited while it is read."""
NO_CHANNEL: Final = "I find no such channel that you can read; name it such as #general."
_MENTION: Final = re.compile(r"<#(\d{1,19})>|(\d{17,19})")
_NOBODY: Final = discord.AllowedMentions.none()
_TALK: Final = frozenset({classify.MessageKind.QUESTION, classify.MessageKind.OVERHEARD})
_DOWN: Final = (discord.DiscordException, aiohttp.ClientError, OSError)


class PastMessages(commands.Cog):
    """What a learning reads through, and is announced and shown by."""

    def __init__(
        self, client: Client, callers: Callers, channels: ChannelLookup, texts: MessageTexts, pace: RequestPace
    ) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._channels = channels
        self._texts = texts
        self.pace = pace
        """Of the requests for what was said."""
        self._shown: dict[ChannelId, datetime] = {}
        """When each announcement was edited last, of what is being read."""

    async def cog_load(self) -> None:
        """Lets what is due be read from now on."""
        self._app.learner.connect(self)

    async def cog_unload(self) -> None:
        """Reads nothing more."""
        self._app.learner.connect(None)

    def serves(self, space_id: SpaceId) -> bool:
        """Whether this process is connected to that server."""
        guild = self._client.get_guild(space_id)
        return guild is not None and not guild.unavailable

    async def is_operator(self, caller: Caller) -> bool:
        """Whether the application is theirs, or their team's. Raises `DiscordDown`."""
        user: Any = discord.Object(caller.person_id)
        try:
            return await self._client.is_owner(user)
        except _DOWN as exc:
            raise errors.DiscordDown from exc

    async def channel(self, caller: Caller, named: str) -> ChannelId:
        """The channel named by a mention, an id or its name, if the caller reads it.

        Raises `NotFound` where there is none, or none that the caller sees, `NotAllowed` where Hathi can't read what
        was said in it or can't say there that it will, and `DiscordDown`.
        """
        guild = self._client.get_guild(caller.space_id)
        channel = None if guild is None else _named(guild, named)
        if guild is None or channel is None or not await self._sees(guild, caller, channel):
            raise errors.NotFound(NO_CHANNEL)
        if not can_read(channel):
            raise errors.NotAllowed(f"I need the permission Read Message History in <#{channel.id}> for that.")
        if not can_speak(channel):
            raise errors.NotAllowed(f"I may not write in <#{channel.id}>, where it has to be announced.")
        return ChannelId(channel.id)

    async def page(self, space_id: SpaceId, channel_id: ChannelId, after: MessageId) -> HistoryPage | None:
        """The first hundred messages after one, of which people's are told; none where there is no more.

        Raises `NotFound` where the channel is gone or closed to Hathi, and `DiscordDown` where it is to be tried again.
        """
        async with self._asking(space_id, channel_id) as channel:
            found = await unreadable_events.history_after(self._client, channel, after)
        if not found:
            return None
        place = await self._app.spaces.place(space_id, channel_id) or self._callers.seen(channel)
        said = [
            await self._said(message, space_id, channel_id)
            for message in found
            if isinstance(message, discord.Message) and self._is_told(message, place)
        ]
        return HistoryPage(
            said=tuple(message for message in said if message.content),
            ids=tuple(MessageId(message.id) for message in found),
        )

    async def announce(self, learning: Learning, begins_at: datetime) -> tuple[MessageId, datetime]:
        """Announces it in its channel, or finds where that was done; and since when that stands.

        Raises as `page` does.
        """
        async with self._asking(learning.space_id, learning.channel_id) as channel:
            asked = new_id(learning.asked_at)
            # A worker that died may have said it already.
            for message in await unreadable_events.history_after(self._client, channel, asked):
                if isinstance(message, discord.Message) and self._announces(message, learning.channel_id):
                    return MessageId(message.id), message.created_at
            if not can_speak(channel):
                raise errors.NotFound
            sent = await channel.send(
                await self._words(learning, begins_at),
                view=buttons.leave_view(learning.channel_id),
                allowed_mentions=_NOBODY,
            )
        return MessageId(sent.id), self._app.clock()

    async def show(self, learning: Learning) -> None:
        """Shows in the announcement how far it is, while it is read at most every five seconds."""
        channel_id, now = learning.channel_id, self._app.clock()
        last = self._shown.pop(channel_id, None)
        if not learning.is_over:
            is_early = last is not None and now - last < SHOWN_EVERY
            self._shown[channel_id] = last if is_early and last is not None else now
            if is_early:
                return
        if learning.notice_id is None:
            return
        message = self._client.get_partial_messageable(channel_id).get_partial_message(learning.notice_id)
        try:
            await message.edit(
                content=await self._words(learning, None), view=buttons.leave_view(channel_id), allowed_mentions=_NOBODY
            )
        except (*_DOWN, errors.HathiError) as exc:
            _log.warning("learning.not_shown", error=type(exc).__name__, code=getattr(exc, "code", None))

    @asynccontextmanager
    async def _asking(self, space_id: SpaceId, channel_id: ChannelId) -> AsyncGenerator[Channel]:
        """The channel, to ask Discord for something of it in the block, a second after the request before.

        Raises `NotFound` and `DiscordDown` for what Discord refuses.
        """
        if self._channels.is_away(space_id) or self._client.refusals.are_many:
            raise errors.DiscordDown
        try:
            channel = await self._channels.find(space_id, channel_id)
            if channel is None or not can_read(channel):
                raise errors.NotFound
            await self.pace.turn()
            yield channel
        except (discord.NotFound, discord.Forbidden) as exc:
            await self._channels.refused(exc, space_id, channel_id, None)
            raise errors.NotFound from exc
        except _DOWN as exc:
            raise errors.DiscordDown from exc

    async def _sees(self, guild: discord.Guild, caller: Caller, channel: Channel) -> bool:
        """Whether the caller reads the channel; a private thread only who asks in it, or looks after it."""
        try:
            member = guild.get_member(caller.person_id) or await guild.fetch_member(caller.person_id)
        except discord.NotFound:
            return False
        except _DOWN as exc:
            raise errors.DiscordDown from exc
        assert isinstance(channel, discord.abc.GuildChannel | discord.Thread)
        try:
            rights = channel.permissions_for(member)
        except discord.ClientException:
            return False
        if isinstance(channel, discord.Thread) and channel.is_private() and channel.id != caller.channel_id:
            return rights.manage_threads
        return rights.view_channel and rights.read_message_history

    def _announces(self, message: discord.Message, channel_id: ChannelId) -> bool:
        me, wanted = self._client.user, buttons.leave_id(channel_id)
        parts = (part for row in message.components for part in getattr(row, "children", ()))
        return (
            me is not None
            and message.author.id == me.id
            and any(getattr(part, "custom_id", None) == wanted for part in parts)
        )

    def _is_told(self, message: discord.Message, place: Place) -> bool:
        """Whether a person said it, and no command of Hathi's.

        Nothing of Hathi's own: what is not recorded of that quotes what may be forgotten by now.
        """
        assert self._client.user is not None
        return classify.is_persons(message) and classify.hear(message, place, self._client.user).kind in _TALK

    async def _said(self, message: discord.Message, space_id: SpaceId, channel_id: ChannelId) -> Message:
        text = await self._texts.to_record(message)
        name = message.author.display_name
        return Message(
            space_id=space_id,
            channel_id=channel_id,
            message_id=MessageId(message.id),
            role=Role.PERSON,
            author_id=PersonId(message.author.id),
            author=NAMESAKE if name == HATHI else name,
            content=text.replace("\0", ""),
            said_at=message.created_at,
            reply_to=classify.replies_to(message),
        )

    async def _words(self, learning: Learning, begins_at: datetime | None) -> str:
        place = await self._app.spaces.place(learning.space_id, learning.channel_id)
        address = self._callers.address(self._client.get_guild(learning.space_id))
        prefix = address + (PREFIX if place is None else place.prefix)
        return learned.told(learning, "UTC" if place is None else place.time_zone, prefix, begins_at=begins_at)


def _named(guild: discord.Guild, named: str) -> Channel | None:
    """The channel by a mention, an id or its name; of two of one name neither."""
    text = named.strip()
    if found := _MENTION.fullmatch(text):
        return _readable([guild.get_channel_or_thread(int(found[1] or found[2]))])
    name = text.removeprefix("#").casefold()
    return _readable([channel for channel in (*guild.channels, *guild.threads) if channel.name.casefold() == name])


def _readable(channels: Iterable[object]) -> Channel | None:
    found = [
        channel
        for channel in channels
        if isinstance(channel, discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread)
    ]
    return found[0] if len(found) == 1 else None
