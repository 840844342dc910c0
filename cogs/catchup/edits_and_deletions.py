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
from cogs.chat.edited_questions import EditedQuestions
from cogs.chat.gaps import Gap, Gaps

_log = log.logger(__name__)


class EditsAndDeletions(commands.Cog):
    """Applies to memory what is edited or deleted on Discord, in the order of each channel."""

    def __init__(self, client: Client, chat: Chat, doors: Doors, gaps: Gaps, questions: EditedQuestions) -> None:
        self._client = client
        self._app = client.app
        self._chat = chat
        self._doors = doors
        self._gaps = gaps
        self._questions = questions
        self.backlog = Backlog(client.app.background.spawn, doors)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Applies an edit of the text; the same event without an edit time only adds previews of links."""
        message = payload.message
        if message.edited_at is not None and classify.is_persons(message):
            space_id, channel_id = _where(payload.guild_id, payload.channel_id)
            await self._apply(space_id, channel_id, lambda: self._edit_and_answer(space_id, message))

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Deletes one message from memory."""
        await self.delete_messages(payload.guild_id, payload.channel_id, [MessageId(payload.message_id)])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Deletes messages from memory that were deleted together."""
        await self.delete_messages(payload.guild_id, payload.channel_id, sorted(map(MessageId, payload.message_ids)))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Deletes a channel from memory, with all that was said in it."""
        self.delete_channel(SpaceId(channel.guild.id), ChannelId(channel.id))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Deletes a thread, or a post of a forum, from memory."""
        self.delete_channel(SpaceId(payload.guild_id), ChannelId(payload.thread_id))

    async def delete_messages(self, guild_id: int | None, channel_id: int, ids: Sequence[MessageId]) -> None:
        """Deletes these messages from memory."""
        space_id, place = _where(guild_id, channel_id)
        # Recovery may have read them in the channel's history, and not recorded them yet.
        self._chat.let_be(ids)
        await self._apply(space_id, place, lambda: self._delete(space_id, ids))

    def delete_channel(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Deletes a channel or thread from memory, in the background: a large one takes a while."""

        async def delete() -> None:
            deleted = await self._app.discord_edits.place_gone(space_id, channel_id, self._app.clock())
            await self._chat.stop_answering(deleted.turns)
            self._client.dispatch("taken_back", space_id)

        self._app.background.spawn(self._apply(space_id, channel_id, delete))

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
        """Applies the edits and deletions a channel's history shows when compared with memory; returns all it missed.

        The history is complete from `since` on. Messages in `unread` exist, but could not be read. `until` is the last
        message that was recorded before the history was read. Raises `DatabaseDown`.
        """
        seen = [*((key, None) for key in unread), *((MessageId(m.id), m.edited_at) for m in history)]
        async with self._doors.through(channel_id):
            missing = await self._app.discord_edits.missed(space_id, channel_id, since, seen, until_id=until)
            await self._delete(space_id, missing.gone)
            edited = set(missing.edited)
            for message in history:
                if message.id in edited and classify.is_persons(message):
                    await self._edit(space_id, message)
        return missing

    async def _edit_and_answer(self, space_id: SpaceId, message: discord.Message) -> None:
        """Applies an edit just made; what asks is answered anew, from what is left after that."""
        if self._is_withheld(message):
            return
        reworded = await self._questions.take_back(message)
        await self._edit(space_id, message)
        if reworded is None:
            self._questions.look_again(message)
        else:
            self._questions.answer(reworded, message)

    async def _edit(self, space_id: SpaceId, message: discord.Message) -> None:
        if self._is_withheld(message):
            return
        assert message.edited_at is not None
        # From the database: the author may never have spoken to Hathi, and the cache has not every thread.
        place = await self._app.spaces.place(space_id, ChannelId(message.channel.id))
        changed = await self._app.discord_edits.edited(
            space_id,
            MessageId(message.id),
            await self._chat.texts.to_record(message),
            message.edited_at,
            self._app.settings.language if place is None else place.language,
            files=[file.id for file in message.attachments],
        )
        self._client.dispatch("taken_back", space_id)
        if changed:
            await self._chat.files.follow(space_id, message)

    def _is_withheld(self, message: discord.Message) -> bool:
        """Whether Discord withholds the new text: without the intent, once it no longer mentions Hathi.

        Text and list of files are empty then though nobody emptied them, so what is recorded stays.
        """
        if message.guild is None or self._client.intents.message_content:
            return False
        return not (message.content or message.attachments or self._client.user in message.mentions)

    async def _apply(self, space_id: SpaceId, channel_id: ChannelId, change: Change) -> None:
        """Applies a change in its channel's order; while the database stays away it is queued.

        The database is waited for as long as for a message, counted from when the change came: so no later question is
        answered from text that is deleted by then, and the waits for several changes do not add up.
        """
        loop = asyncio.get_running_loop()
        came = loop.time()
        async with self._doors.through(channel_id):
            if not self.backlog.holds(channel_id):
                waited = timedelta(seconds=loop.time() - came)
                try:
                    return await self._app.database.keep_trying(change, within=PATIENCE - waited)
                except errors.DatabaseDown:
                    _log.warning("changes.postponed", channel_id=channel_id)
            if not self.backlog.add(channel_id, change):
                self._compare_later(space_id, channel_id)
            return None

    def _compare_later(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Marks the channel's history for comparison: more has changed than can be queued."""
        guild, now = self._client.get_guild(space_id), MessageId(new_id(self._app.clock()))
        shard_id = 0 if guild is None else guild.shard_id
        self._gaps.open(Gap(space_id=space_id, channel_id=channel_id, shard_id=shard_id, last_seen=now, began=now))

    async def _delete(self, space_id: SpaceId, ids: Sequence[MessageId]) -> None:
        deleted = await self._app.discord_edits.deleted(space_id, ids, self._app.clock())
        await self._chat.stop_answering(deleted.turns)
        self._client.dispatch("taken_back", space_id)


def _where(guild_id: int | None, channel_id: int) -> tuple[SpaceId, ChannelId]:
    """The space and the channel of an event."""
    return SpaceId(channel_id if guild_id is None else guild_id), ChannelId(channel_id)
