"""Changes: what is edited or deleted on Discord is edited and deleted in memory."""

from collections.abc import Sequence

import discord
from discord.ext import commands

from bot import errors, log
from bot.client import Client
from bot.domain import ChannelId, MessageId, SpaceId
from bot.lanes import Doors
from bot.memory.retraction import Missing
from cogs import hearing
from cogs.callers import Callers, space_of
from cogs.chat import Chat

_log = log.logger(__name__)


class Changes(commands.Cog):
    """Follows edits, deletions, and channels and threads that go."""

    def __init__(self, client: Client, callers: Callers, chat: Chat, doors: Doors) -> None:
        self._client = client
        self._services = client.services
        self._callers = callers
        self._chat = chat
        self._doors = doors

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """An edit of the text; Discord tells of links it has unfolded in the same way."""
        message = payload.message
        if message.edited_at is not None and hearing.is_persons(message):
            try:
                async with self._doors.through(payload.channel_id):
                    await self._edited(message)
            except errors.DatabaseDown:
                # Seen again, and followed, when what was missed is caught up with.
                _log.warning("changes.database_down")

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """One message is gone."""
        await self._gone(payload.guild_id, payload.channel_id, [MessageId(payload.message_id)])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many are gone at once."""
        await self._gone(payload.guild_id, payload.channel_id, sorted(map(MessageId, payload.message_ids)))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone with all that was said in it."""
        self.place_gone(SpaceId(channel.guild.id), ChannelId(channel.id))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread or a post is gone."""
        self.place_gone(SpaceId(payload.guild_id), ChannelId(payload.thread_id))

    def place_gone(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Follow it in the background: a large channel takes a while, and nothing is said in it any more."""

        async def follow() -> None:
            deleted = await self._services.retraction.place_gone(space_id, channel_id, self._services.clock())
            await self._chat.stop_answering(deleted.turns)

        self._services.spawn(follow())

    async def compare(
        self, space_id: SpaceId, channel_id: ChannelId, since: MessageId, history: Sequence[discord.Message], *,
        until: MessageId,
    ) -> Missing:  # fmt: skip
        """What a channel's history, whole since a message, shows to have been missed; edits and deletions are followed.

        `until` is the last message that was recorded before the history was read. Raises `DatabaseDown`.
        """
        seen = [(MessageId(message.id), message.edited_at) for message in history]
        async with self._doors.through(channel_id):
            missing = await self._services.retraction.missed(space_id, channel_id, since, seen, until_id=until)
            await self._delete(space_id, missing.gone)
            edited = set(missing.edited)
            for message in history:
                if message.id in edited and hearing.is_persons(message):
                    await self._edited(message)
        return missing

    async def _edited(self, message: discord.Message) -> None:
        if self._is_withheld(message):
            return
        # Not as a caller: whoever edits something may never have spoken to Hathi.
        place = await self._callers.look(message.channel)
        assert message.edited_at is not None
        space_id = space_of(message.channel)
        changed = await self._services.retraction.edited(
            space_id,
            MessageId(message.id),
            self._chat.text_of(message),
            message.edited_at,
            place.language,
        )
        if changed:
            await self._chat.files.follow(space_id, message)

    def _is_withheld(self, message: discord.Message) -> bool:
        """Whether Discord keeps from Hathi what it says now: without the intent, as soon as it mentions Hathi no more.

        The text is empty then, and so is the list of files; nobody has erased anything, so what is recorded stays.
        """
        if message.guild is None or self._client.intents.message_content:
            return False
        return not (message.content or message.attachments or self._client.user in message.mentions)

    async def _gone(self, guild_id: int | None, channel_id: int, ids: Sequence[MessageId]) -> None:
        space_id = SpaceId(channel_id if guild_id is None else guild_id)
        try:
            async with self._doors.through(channel_id):
                await self._delete(space_id, ids)
        except errors.DatabaseDown:
            _log.warning("changes.database_down")

    async def _delete(self, space_id: SpaceId, ids: Sequence[MessageId]) -> None:
        deleted = await self._services.retraction.deleted(space_id, ids, self._services.clock())
        await self._chat.stop_answering(deleted.turns)
