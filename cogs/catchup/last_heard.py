"""Notes up to which message each channel was heard, so that after a restart only what was said since is looked for.

What is recorded says so by itself; most of what is said, and all that bots say, is not. Ids are gathered in memory and
written every twenty seconds, and when Hathi stops: what was gathered since is looked through again after a crash.
"""

from collections import OrderedDict
from typing import Final

import discord
from discord.ext import commands, tasks

from bot import errors, log
from bot.connection.client import Client, ServingCog
from bot.domain import ChannelId, MessageId, SpaceId
from bot.infra.ordering import Doors
from cogs.chat.gaps import Gaps

_log = log.logger(__name__)

WRITE_EVERY: Final = 20
"""Seconds."""
MOST: Final = 50_000
"""Channels that wait to be written; of those beyond, the one noted longest ago is looked through after a restart."""


class LastHeard(ServingCog):
    """Writes down what was heard last in each channel, once all that was said before is taken in."""

    def __init__(self, client: Client, doors: Doors, gaps: Gaps) -> None:
        self._client = client
        self._doors = doors
        self._gaps = gaps
        self.last: OrderedDict[tuple[SpaceId, ChannelId], MessageId] = OrderedDict()
        """By channel, the last message that was heard and is not written down yet."""
        self._stopping = False

    async def cog_load(self) -> None:
        """Starts the periodic writing."""
        self.write.start()

    async def cog_unload(self) -> None:
        """Stops it."""
        self.write.cancel()

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Notes what a person said."""
        self._note(None if message.guild is None else message.guild.id, message.channel.id, message.id)

    @commands.Cog.listener()
    async def on_bot_spoke(self, guild_id: int | None, channel_id: int, message_id: int) -> None:
        """Notes what a bot said, as Hathi itself."""
        self._note(guild_id, channel_id, message_id)

    async def drain(self) -> None:
        """Writes down what can be, and notes nothing more: what is said from now on may not be taken in."""
        self._stopping = True
        self.write.cancel()
        await self.write()

    @tasks.loop(seconds=WRITE_EVERY)
    async def write(self) -> None:
        """Writes down what was heard, but for channels in which something is still to be taken in."""
        ready = {place: last for place, last in self.last.items() if self._is_taken_in(*place)}
        if not ready:
            return
        try:
            await self._client.app.spaces.heard(ready)
        except errors.DatabaseDown:
            return
        except Exception:  # noqa: BLE001 - what is raised here would end all writing
            _log.exception("heard.not_written")
            return
        for place, last in ready.items():
            if self.last.get(place) == last:
                del self.last[place]

    def _note(self, guild_id: int | None, channel_id: int, message_id: int) -> None:
        if self._stopping:
            return
        place = SpaceId(channel_id if guild_id is None else guild_id), ChannelId(channel_id)
        self.last[place] = max(MessageId(message_id), self.last.get(place, MessageId(0)))
        self.last.move_to_end(place)
        if len(self.last) > MOST:
            self.last.popitem(last=False)

    def _is_taken_in(self, space_id: SpaceId, channel_id: ChannelId) -> bool:
        """Whether nothing said in the channel waits, or was missed."""
        guild = self._client.get_guild(space_id)
        shard_id = 0 if guild is None else guild.shard_id
        return not (self._doors.is_used(channel_id) or self._gaps.is_behind(shard_id, space_id, channel_id))
