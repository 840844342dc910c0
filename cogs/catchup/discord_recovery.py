"""Recovery after a restart or reconnect: decides which channels to look at, and when."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, TypeVar

import discord
from discord.ext import commands, tasks

from bot import errors, log
from bot.connection.client import Client
from bot.domain import ChannelId, MessageId, SpaceId, new_id
from bot.store.turns import ANSWER_WITHIN
from cogs.access.permissions import own_member
from cogs.catchup.channel_lookup import ChannelLookup
from cogs.catchup.interrupted_replies import InterruptedReplies
from cogs.catchup.missed_messages import LOOK_BACK, MissedMessages
from cogs.catchup.source_check import SourceCheck
from cogs.chat.gaps import Gap, Gaps

_log = log.logger(__name__)
T = TypeVar("T")

AT_ONCE: Final = 4
"""Channels that are looked at together: live messages go first at Discord's rate limits."""
MOST_NEW: Final = 100
"""Channels of a guild not known to the database yet, that are looked at after a gap."""
DIRECT: Final = 200
"""Direct-message channels, of those used last, that are looked at."""
AGAIN_AFTER: Final = 2.0
"""Seconds until a database that is away is asked again."""
LOOK_EVERY: Final = 20
"""Seconds between two looks for turns left behind."""


class DiscordRecovery(commands.Cog):
    """Starts the recovery of interrupted replies and missed messages: each once, none left out."""

    def __init__(
        self,
        client: Client,
        gaps: Gaps,
        replies: InterruptedReplies,
        missed: MissedMessages,
        sources: SourceCheck,
        channels: ChannelLookup,
    ) -> None:
        self._client = client
        self._app = client.app
        self._gaps = gaps
        self._replies = replies
        self._missed_messages = missed
        self._sources = sources
        self._channels = channels
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._sessions: dict[int, tuple[int, MessageId]] = {}
        self._readied: dict[int, int] = {}
        """The session of each shard that was ready last."""
        self._closing: set[int] = set()
        self._again: set[int] = set()

    async def cog_load(self) -> None:
        """Starts the periodic look for turns left behind."""
        self.look.start()

    async def cog_unload(self) -> None:
        """Stops the periodic look."""
        self.look.cancel()

    @commands.Cog.listener()
    async def on_shard_connect(self, shard_id: int) -> None:
        """Notes that a new session begins, before its first event: Discord replays nothing of the time before."""
        self._sessions[shard_id] = self._gaps.begin(shard_id), MessageId(new_id(self._app.clock()))

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Recovers turns left behind and messages missed, now that the shard's guilds are known."""
        session, began = self._sessions[shard_id]
        self._readied[shard_id] = session
        guilds = [SpaceId(guild.id) for guild in self._client.guilds if guild.shard_id == shard_id]

        async def look() -> None:
            spaces = [*guilds, *(await self._direct() if shard_id == 0 else ())]
            await self._recover(spaces)
            self._gaps.find(shard_id, session, await self._missed(shard_id, spaces, began))
            self._app.background.spawn(self._sources.check(guilds))

        await self._persist(shard_id, session, look)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Catches up with a guild that is back in the middle of a session: Discord replays nothing of its outage."""
        shard_id, space_id = guild.shard_id, SpaceId(guild.id)
        session, began = self._sessions[shard_id][0], MessageId(new_id(self._app.clock()))
        if self._readied.get(shard_id) != session:
            # It comes with READY, and is seen to when all of them are there.
            return

        async def look() -> None:
            self._gaps.find_in(space_id, await self._missed(shard_id, [space_id], began))
            self._app.background.spawn(self._sources.check([space_id]))

        self._gaps.begin_in(space_id)
        await self._persist(shard_id, session, look)
        if not self._gaps.is_current(shard_id, session):
            # The guild's channels are found with those of its shard.
            self._gaps.find_in(space_id, ())

    @commands.Cog.listener()
    async def on_channel_unread(
        self,
        guild_id: int | None,
        channel_id: int,
        message_id: int | None,
        is_new: bool,  # noqa: FBT001 - of an event
    ) -> None:
        """Opens a gap in a channel of which an event could not be read.

        It is closed at once only after the first such event; after further ones by the next periodic look.
        """
        guild, now = None if guild_id is None else self._client.get_guild(guild_id), self._app.clock()
        shard_id, began = 0 if guild is None else guild.shard_id, MessageId(new_id(now))
        last_seen = began if message_id is None else MessageId(message_id - 1)
        space_id = SpaceId(channel_id if guild_id is None else guild_id)
        self._gaps.open(
            Gap(
                space_id=space_id, channel_id=ChannelId(channel_id), shard_id=shard_id, last_seen=last_seen, began=began
            )
        )
        if is_new:
            await self._close_gaps(shard_id)

    async def _persist(self, shard_id: int, session: int, look: Callable[[], Awaitable[None]]) -> None:
        """Looks what was missed, trying until the database answers, and catches up, unless a later session begins."""
        while self._gaps.is_current(shard_id, session):
            try:
                await look()
            except errors.DatabaseDown:
                await asyncio.sleep(AGAIN_AFTER)
            else:
                return await self._close_gaps(shard_id)
        return None

    async def _missed(self, shard_id: int, spaces: Sequence[SpaceId], began: MessageId) -> list[Gap]:
        return [
            Gap(space_id=space_id, channel_id=channel_id, shard_id=shard_id, last_seen=last, began=began)
            for space_id in spaces
            for channel_id, last in (await self._last_seen(space_id)).items()
        ]

    @tasks.loop(seconds=LOOK_EVERY)
    async def look(self) -> None:
        """Takes over turns this worker gave up on or another left, and catches up with channels still behind."""
        if not self._client.ready.is_set():
            return
        try:
            guilds = [SpaceId(guild.id) for guild in self._client.guilds]
            await self._recover([*guilds, *(await self._direct() if 0 in self._client.shards else ())])
            for shard_id in self._client.shards:
                await self._close_gaps(shard_id)
        except errors.DatabaseDown:
            _log.warning("recovery.database_down")
        except Exception:  # noqa: BLE001 - what is raised here would end all looking
            _log.exception("recovery.failed")

    async def _close_gaps(self, shard_id: int) -> None:
        """Catches up with the channels of a shard that are behind; where that fails the gap stays open."""
        if shard_id in self._closing:
            # Whoever is at it does it again: another session may have begun meanwhile.
            self._again.add(shard_id)
            return
        self._closing.add(shard_id)
        self._again.add(shard_id)
        try:
            # Asked for again while it ran.
            while shard_id in self._again:
                self._again.discard(shard_id)
                await self._close_gaps_once(shard_id)
        finally:
            self._closing.discard(shard_id)

    async def _close_gaps_once(self, shard_id: int) -> None:
        left = [gap for gap in self._gaps.left(shard_id) if not self._channels.is_away(gap.space_id)]
        await self._each(left, self._missed_messages.catch_up)
        if left:
            still = sum(map(self._gaps.is_open, left))
            _log.info("recovery.caught_up", shard=shard_id, channels=len(left) - still, left=still)

    async def _last_seen(self, space_id: SpaceId) -> dict[ChannelId, MessageId]:
        """The last message seen of each channel in which something may have been missed that can still be answered."""
        known = await self._app.discord_edits.last_seen(space_id)
        guild = self._client.get_guild(space_id)
        me = guild and own_member(guild)
        if guild is None or me is None or me.joined_at is None:
            return known
        # Nobody may have spoken to Hathi there before; what was said before it came to the guild is not for it.
        joined = MessageId(new_id(me.joined_at))
        since = max(MessageId(new_id(self._app.clock() - ANSWER_WITHIN)), joined)
        channels = [*guild.text_channels, *guild.voice_channels, *guild.stage_channels, *guild.threads]
        lately = {ChannelId(c.id): since for c in channels if (c.last_message_id or 0) > since}
        return dict(list(lately.items())[:MOST_NEW]) | {
            channel_id: max(last, joined) for channel_id, last in known.items()
        }

    async def _direct(self) -> list[SpaceId]:
        return await self._app.spaces.direct(since=self._app.clock() - LOOK_BACK, limit=DIRECT)

    async def _recover(self, spaces: Sequence[SpaceId]) -> None:
        found = await self._app.turns.stranded(spaces, now=self._app.clock())
        await self._each(found, lambda place: self._replies.recover(*place))

    async def _each(self, items: Iterable[T], work: Callable[[T], Awaitable[None]]) -> None:
        """Does the work for each, four at a time; a failure does not stop the others."""

        async def guarded(item: T) -> None:
            async with self._gate:
                try:
                    await work(item)
                except (errors.DatabaseDown, errors.DiscordError, discord.DiscordException) as exc:
                    # It is looked at again at the next look, or after the next gap.
                    _log.warning("recovery.postponed", error=type(exc).__name__)
                except Exception:  # noqa: BLE001 - one channel's trouble is not the others'
                    _log.exception("recovery.failed")

        await asyncio.gather(*(guarded(item) for item in items))
