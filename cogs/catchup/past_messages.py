"""Reads what was said in a channel before Hathi listened, and tells in it of that: a page a second."""

import re
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Final

import aiohttp
import discord
from discord.ext import commands

from bot import catalogue, errors, log
from bot.commands.grammar import PREFIX
from bot.connection import unreadable_events
from bot.connection.client import Client
from bot.domain import Caller, ChannelId, Message, MessageId, PersonId, Role, SpaceId, new_id
from bot.lifecycle.learner import MOST_THREADS, PAGE, HistoryPage, PublicThread
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
from cogs.chat.recent_messages import RecentMessages
from cogs.send import discord_codes
from cogs.send.request_pace import RequestPace
from cogs.ui import buttons

_log = log.logger(__name__)

A_SECOND: Final = 1
"""Requests for what was said before: it has waited for months, and whoever talks now goes first."""
SHOWN_EVERY: Final = timedelta(seconds=5)
"""How often the announcement is edited while it is read."""
NO_INTENT: Final = catalogue.later(
    "Discord shows me only messages that mention me. Once the message-content intent is on in the developer portal and "
    "I was started anew, I can read what was said."
)
NO_CHANNEL: Final = catalogue.later("I find no such channel that you can read; name it such as #general.")
_MENTION: Final = re.compile(r"<#(\d{1,19})>|(\d{17,19})")
_NOBODY: Final = discord.AllowedMentions.none()
_TALK: Final = frozenset({classify.MessageKind.QUESTION, classify.MessageKind.OVERHEARD})
_TALKED_IN: Final = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel, discord.Thread)
_DOWN: Final = (discord.DiscordException, aiohttp.ClientError, OSError)


class PastMessages(commands.Cog):
    """What a learning reads through, and is announced and shown by."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        channels: ChannelLookup,
        texts: MessageTexts,
        recent: RecentMessages,
        pace: RequestPace,
    ) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._channels = channels
        self._texts = texts
        self._recent = recent
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
        member = None if guild is None else await self._member(guild, caller)
        if guild is None or member is None:
            raise errors.NotFound(NO_CHANNEL)
        # Of two of one name neither.
        seen = [channel for channel in _named(guild, named) if _sees(member, caller, channel)]
        channel = seen[0] if len(seen) == 1 else None
        if isinstance(channel, discord.ForumChannel):
            told = catalogue.gettext("{channel} is a forum: name one of its posts, each is learned by itself.")
            raise errors.NotAllowed(told.format(channel=f"<#{channel.id}>"))
        if not isinstance(channel, _TALKED_IN):
            raise errors.NotFound(NO_CHANNEL)
        if not self._client.intents.message_content:
            raise errors.NotAllowed(NO_INTENT)
        if not can_read(channel):
            told = catalogue.gettext("I need the permission {name} in {channel} for that.")
            name = catalogue.gettext("Read Message History")
            raise errors.NotAllowed(told.format(name=name, channel=f"<#{channel.id}>"))
        if not can_speak(channel):
            told = catalogue.gettext("I may not write in {channel}, where it has to be announced.")
            raise errors.NotAllowed(told.format(channel=f"<#{channel.id}>"))
        return ChannelId(channel.id)

    async def page(self, space_id: SpaceId, channel_id: ChannelId, after: MessageId) -> HistoryPage | None:
        """The first hundred messages after one, of which people's are told; none where there is no more.

        Raises `NotFound` where the channel is gone or closed to Hathi, and `DiscordDown` where it is to be tried again.
        """
        since = time.monotonic()
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
            stands=lambda ids: not any(self._recent.changed_at(message_id) >= since for message_id in ids),
        )

    async def threads(self, space_id: SpaceId, channel_id: ChannelId, since: datetime) -> list[PublicThread]:
        """The channel's public threads in which something was said since then; at most 500, oldest first.

        Raises as `page` does.
        """
        async with self._asking(space_id, channel_id) as channel:
            if not isinstance(channel, discord.TextChannel):
                return []
            found = {thread.id: thread for thread in channel.threads if not thread.is_private()}
            before: datetime | None = None
            # They come as they were put away, the last first; nothing is said in one that is put away.
            while before is None or (before >= since and len(found) < MOST_THREADS):
                page = [thread async for thread in channel.archived_threads(limit=PAGE, before=before)]
                found |= {thread.id: thread for thread in page}
                if len(page) < PAGE:
                    break
                before = page[-1].archive_timestamp
                await self.pace.turn()
        after = new_id(since)
        said = sorted(found.values(), key=_last)
        return [
            PublicThread(channel_id=ChannelId(thread.id), name=thread.name, messages=thread.message_count)
            for thread in said[-MOST_THREADS:]
            if _last(thread) > after
        ]

    async def is_open(self, space_id: SpaceId, channel_id: ChannelId) -> bool:
        """Whether Discord shows anything of what was said there: what is shut looks empty. Raises as `page` does."""
        async with self._asking(space_id, channel_id) as channel:
            async for _ in unreadable_events.history(self._client, channel, 1):
                return True
        return False

    async def is_announced(self, learning: Learning) -> bool:
        """Whether the message that announces it is still there. Raises as `page` does."""
        assert learning.notice_id is not None
        async with self._asking(learning.space_id, learning.channel_id) as channel:
            try:
                await channel.fetch_message(learning.notice_id)
            except discord.NotFound as exc:
                if exc.code != discord_codes.UNKNOWN_MESSAGE:
                    raise
                return False
        return True

    async def announce(self, learning: Learning, begins_at: datetime) -> tuple[MessageId, datetime] | None:
        """Announces it in its channel, or finds where that was done; and since when that stands.

        None where Hathi may not write there. Raises as `page` does.
        """
        async with self._asking(learning.space_id, learning.channel_id) as channel:
            asked = new_id(learning.asked_at)
            # A worker that died may have said it already.
            for message in await unreadable_events.history_after(self._client, channel, asked):
                if isinstance(message, discord.Message) and self._announces(message, learning.channel_id):
                    return MessageId(message.id), message.created_at
            if not can_speak(channel):
                return None
            sent = await self._send(channel, learning, begins_at)
        return sent, self._app.clock()

    async def show(self, learning: Learning) -> MessageId | None:
        """Shows in the announcement how far it is, while it is read at most every five seconds.

        Where somebody deleted it, another takes its place, and is told: unless nothing was read of anybody.
        """
        channel_id, now = learning.channel_id, self._app.clock()
        last = self._shown.pop(channel_id, None)
        if not learning.is_over:
            is_early = last is not None and now - last < SHOWN_EVERY
            self._shown[channel_id] = last if is_early and last is not None else now
            if is_early:
                return None
        assert learning.notice_id is not None
        channel = self._client.get_partial_messageable(channel_id)
        try:
            await channel.get_partial_message(learning.notice_id).edit(
                content=await self._words(learning), view=buttons.leave_view(channel_id), allowed_mentions=_NOBODY
            )
        except (*_DOWN, errors.HathiError) as exc:
            if getattr(exc, "code", None) != discord_codes.UNKNOWN_MESSAGE:
                _log.warning("learning.not_shown", error=type(exc).__name__, code=getattr(exc, "code", None))
            elif learning.messages_read:
                return await self._shown_anew(channel, learning)
        return None

    async def _shown_anew(self, channel: discord.PartialMessageable, learning: Learning) -> MessageId | None:
        try:
            return await self._send(channel, learning)
        except (*_DOWN, errors.HathiError) as exc:
            _log.warning("learning.not_shown", error=type(exc).__name__, code=getattr(exc, "code", None))
            return None

    async def _send(
        self, channel: discord.abc.Messageable, learning: Learning, begins_at: datetime | None = None
    ) -> MessageId:
        sent = await channel.send(
            await self._words(learning, begins_at),
            view=buttons.leave_view(learning.channel_id),
            allowed_mentions=_NOBODY,
        )
        return MessageId(sent.id)

    @asynccontextmanager
    async def _asking(self, space_id: SpaceId, channel_id: ChannelId) -> AsyncGenerator[Channel]:
        """The channel, to ask Discord for something of it in the block, a second after the request before.

        Raises `NotFound` and `DiscordDown` for what Discord refuses.
        """
        # Without the intent every text is empty: that passes, as an outage does.
        is_blind = not self._client.intents.message_content
        if is_blind or self._channels.is_away(space_id) or self._client.refusals.are_many:
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

    async def _member(self, guild: discord.Guild, caller: Caller) -> discord.Member | None:
        try:
            return guild.get_member(caller.person_id) or await guild.fetch_member(caller.person_id)
        except discord.NotFound:
            return None
        except _DOWN as exc:
            raise errors.DiscordDown from exc

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

    async def _words(self, learning: Learning, begins_at: datetime | None = None) -> str:
        """What the announcement says; from here on the language of its space is spoken."""
        place = await self._app.spaces.place(learning.space_id, learning.channel_id)
        catalogue.speak(self._app.settings.language if place is None else place.language)
        guild = self._client.get_guild(learning.space_id)
        channel = None if guild is None else guild.get_channel_or_thread(learning.channel_id)
        return learned.told(
            learning,
            "UTC" if place is None else place.time_zone,
            self._callers.address(guild) + (PREFIX if place is None else place.prefix),
            with_threads=isinstance(channel, discord.TextChannel),
            begins_at=begins_at,
        )


def _named(guild: discord.Guild, named: str) -> Sequence[discord.abc.GuildChannel | discord.Thread]:
    """The channels meant by a mention, an id or a name; a thread by its name only where no channel has it.

    Anybody may call a thread as a channel is called.
    """
    text = named.strip()
    if found := _MENTION.fullmatch(text):
        channel = guild.get_channel_or_thread(int(found[1] or found[2]))
        return [] if channel is None else [channel]
    name = text.removeprefix("#").casefold()
    channels = [channel for channel in guild.channels if channel.name.casefold() == name and _is_talk(channel)]
    return channels or [thread for thread in guild.threads if thread.name.casefold() == name]


def _last(thread: discord.Thread) -> int:
    """The last message of a thread; one in which nothing was said yet is as old as its id."""
    return thread.last_message_id or thread.id


def _is_talk(channel: object) -> bool:
    return isinstance(channel, (*_TALKED_IN, discord.ForumChannel))


def _sees(member: discord.Member, caller: Caller, channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether the caller reads the channel; a private thread only who asks in it, or looks after it."""
    try:
        rights = channel.permissions_for(member)
    except discord.ClientException:
        return False
    if isinstance(channel, discord.Thread) and channel.is_private() and channel.id != caller.channel_id:
        return rights.manage_threads
    return rights.view_channel and rights.read_message_history
