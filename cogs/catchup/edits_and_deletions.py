"""Follows Discord's edits and deletions of messages, channels and threads into memory."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import discord
from discord.ext import commands

from bot import errors, log
from bot.connection.client import Client
from bot.domain import ChannelId, MessageId, SpaceId, new_id
from bot.infra.ordering import Doors
from bot.lifecycle.discord_edits import Missing
from cogs.access import classify
from cogs.access.callers import PATIENCE
from cogs.catchup.backlog import Backlog, Change
from cogs.chat.chat import Chat
from cogs.chat.gaps import Gap, Gaps

_log = log.logger(__name__)


class EditsAndDeletions(commands.Cog):
    """Follows edits, deletions, and channels and threads that go."""

    def __init__(self, client: Client, chat: Chat, doors: Doors, gaps: Gaps) -> None:
        self._client = client
        self._services = client.services
        self._chat = chat
        self._doors = doors
        self._gaps = gaps
        self._backlog = Backlog(client.services.spawn, doors)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """An edit of the text; Discord tells of links it has unfolded in the same way."""
        message = payload.message
        if message.edited_at is not None and classify.is_persons(message):
            space_id, channel_id = _where(payload.guild_id, payload.channel_id)
            await self._follow(space_id, channel_id, lambda: self._edited(space_id, message))

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """One message is gone."""
        await self.gone(payload.guild_id, payload.channel_id, [MessageId(payload.message_id)])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many are gone at once."""
        await self.gone(payload.guild_id, payload.channel_id, sorted(map(MessageId, payload.message_ids)))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone with all that was said in it."""
        self.place_gone(SpaceId(channel.guild.id), ChannelId(channel.id))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread or a post is gone."""
        self.place_gone(SpaceId(payload.guild_id), ChannelId(payload.thread_id))

    async def gone(self, guild_id: int | None, channel_id: int, ids: Sequence[MessageId]) -> None:
        """Deletes these messages from memory."""
        space_id, place = _where(guild_id, channel_id)
        # Whoever is catching up with the channel may have read them in its history, and not recorded them yet.
        self._chat.let_be(ids)
        await self._follow(space_id, place, lambda: self._delete(space_id, ids))

    def place_gone(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Follow it in the background: a large channel takes a while, and nothing is said in it any more."""

        async def follow() -> None:
            deleted = await self._services.discord_edits.place_gone(space_id, channel_id, self._services.clock())
            await self._chat.stop_answering(deleted.turns)

        self._services.spawn(self._follow(space_id, channel_id, follow))

    async def compare(
        self,
        space_id: SpaceId,
        channel_id: ChannelId,
        since: MessageId,
        history: Sequence[discord.Message],
        *,
        unread: Sequence[MessageId] = (),
        until: MessageId,
    ) -> Missing:
        """What a channel's history, whole since a message, shows to have been missed; edits and deletions are followed.

        What is `unread` is there, and no more is known of it. `until` is the last message that was recorded before the
        history was read. Raises `DatabaseDown`.
        """
        seen = [*((key, None) for key in unread), *((MessageId(m.id), m.edited_at) for m in history)]
        async with self._doors.through(channel_id):
            missing = await self._services.discord_edits.missed(space_id, channel_id, since, seen, until_id=until)
            await self._delete(space_id, missing.gone)
            edited = set(missing.edited)
            for message in history:
                if message.id in edited and classify.is_persons(message):
                    await self._edited(space_id, message)
        return missing

    async def _edited(self, space_id: SpaceId, message: discord.Message) -> None:
        if self._is_withheld(message):
            return
        assert message.edited_at is not None
        # Neither as a caller, who may never have spoken to Hathi, nor by its channel: the cache has not every thread.
        place = await self._services.spaces.place(space_id, ChannelId(message.channel.id))
        changed = await self._services.discord_edits.edited(
            space_id,
            MessageId(message.id),
            self._chat.texts.of(message),
            message.edited_at,
            self._services.settings.language if place is None else place.language,
        )
        if changed:
            await self._chat.files.follow(space_id, message)

    def _is_withheld(self, message: discord.Message) -> bool:
        """Whether Discord withholds the new text: without the intent, once it no longer mentions Hathi.

        The text is empty then, and so is the list of files; nobody has erased anything, so what is recorded stays.
        """
        if message.guild is None or self._client.intents.message_content:
            return False
        return not (message.content or message.attachments or self._client.user in message.mentions)

    async def _follow(self, space_id: SpaceId, channel_id: ChannelId, change: Change) -> None:
        """Applies a change in its channel's order; where the database stays away, once it is back.

        It is waited for from when the change came, as long as by what is said: so nothing said later is answered from
        what is gone by then, and nobody in the channel waits for one change after another.
        """
        loop = asyncio.get_running_loop()
        came = loop.time()
        async with self._doors.through(channel_id):
            if not self._backlog.holds(channel_id):
                waited = timedelta(seconds=loop.time() - came)
                try:
                    return await self._services.database.keep_trying(change, within=PATIENCE - waited)
                except errors.DatabaseDown:
                    _log.warning("changes.postponed", channel_id=channel_id)
            if not self._backlog.add(channel_id, change):
                self._look_later(space_id, channel_id)
            return None

    def _look_later(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Marks the channel's history for comparison: more has changed than can be queued."""
        guild, now = self._client.get_guild(space_id), MessageId(new_id(self._services.clock()))
        shard_id = 0 if guild is None else guild.shard_id
        self._gaps.open(Gap(space_id=space_id, channel_id=channel_id, shard_id=shard_id, last_seen=now, began=now))

    async def _delete(self, space_id: SpaceId, ids: Sequence[MessageId]) -> None:
        deleted = await self._services.discord_edits.deleted(space_id, ids, self._services.clock())
        await self._chat.stop_answering(deleted.turns)


def _where(guild_id: int | None, channel_id: int) -> tuple[SpaceId, ChannelId]:
    """The space and the channel of an event."""
    return SpaceId(channel_id if guild_id is None else guild_id), ChannelId(channel_id)
