"""Recovery after a restart or reconnect: decides which channels to look at, and when."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from operator import attrgetter
from typing import Final, TypeVar

import discord
from discord.ext import commands, tasks

from bot import errors, log
from bot.connection.client import Client, ServingCog
from bot.domain import ChannelId, MessageId, SpaceId, new_id
from bot.lifecycle.discord_edits import LastSeen
from bot.store.turns import ANSWER_WITHIN
from cogs.access.permissions import can_read, own_member
from cogs.catchup.channel_lookup import ChannelLookup
from cogs.catchup.interrupted_commands import InterruptedCommands
from cogs.catchup.interrupted_replies import InterruptedReplies
from cogs.catchup.missed_messages import LOOK_BACK, MissedMessages
from cogs.catchup.source_check import SourceCheck
from cogs.chat.gaps import Gap, Gaps, Urgency

_log = log.logger(__name__)
T = TypeVar("T")

AT_ONCE: Final = 12
"""Channels that are looked at together."""
A_ROUND: Final = 200
"""Channels after which is asked anew which are the most urgent: something may have happened meanwhile."""
SPACES_AT_ONCE: Final = 100
"""Spaces of which one statement reads what was heard last."""
MOST_NEW: Final = 100
"""Channels of a guild not known to the database yet, that are looked at after a gap."""
DIRECT: Final = 200
"""Direct-message channels, of those used last, that are looked at."""
AGAIN_AFTER: Final = 2.0
"""Seconds until a database that is away is asked again."""
LOOK_EVERY: Final = 20
"""Seconds between two looks for turns left behind."""


class DiscordRecovery(ServingCog):
    """Starts the recovery of interrupted replies and missed messages: each once, none left out."""

    def __init__(
        self,
        client: Client,
        gaps: Gaps,
        given: InterruptedCommands,
        replies: InterruptedReplies,
        missed: MissedMessages,
        sources: SourceCheck,
        channels: ChannelLookup,
    ) -> None:
        self._client = client
        self._app = client.app
        self._gaps = gaps
        self._given = given
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
        self._behind_since: float | None = None
        """When it was first found that something was said that is not caught up with yet, by the loop's clock."""

    @property
    def places_left(self) -> int:
        """Channels in which something was said that may have been missed."""
        return self._gaps.news

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

    @commands.Cog.listener()
    async def on_gaps_left(self, shard_id: int) -> None:
        """Catches up with what is still behind."""
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
        """The channels of these spaces in which something may have been missed."""
        found = list[Gap]()
        for at in range(0, len(spaces), SPACES_AT_ONCE):
            page = spaces[at : at + SPACES_AT_ONCE]
            seen = await self._app.discord_edits.last_seen(page)
            known = {space_id: [*group] for space_id, group in itertools.groupby(seen, attrgetter("space_id"))}
            for space_id in page:
                found += self._missed_in(space_id, known.get(space_id, []), shard_id, began)
        return found

    @tasks.loop(seconds=LOOK_EVERY)
    async def look(self) -> None:
        """Takes over turns this worker gave up on or another left, and catches up with channels still behind."""
        if not self._client.ready.is_set():
            return
        try:
            guilds = [SpaceId(guild.id) for guild in self._client.guilds]
            await self._recover([*guilds, *(await self._direct() if 0 in self._client.shards else ())])
            for shard_id in self._client.shards:
                # Not waited for: it may take minutes, and others may leave turns behind meanwhile.
                self._client.dispatch("gaps_left", shard_id)
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
        tried = set[Gap]()
        while batch := self._to_try(shard_id, tried):
            tried.update(batch)
            await self._each(batch, self._missed_messages.catch_up)
            self._time()
        if tried:
            still = sum(map(self._gaps.is_open, tried))
            _log.info("recovery.looked_through", shard=shard_id, channels=len(tried) - still, left=still)

    def _to_try(self, shard_id: int, tried: set[Gap]) -> list[Gap]:
        """The most urgent gaps; none while so many requests were refused that answers would be in danger."""
        self._time()
        left = self._gaps.left(shard_id)
        if left and self._client.refusals.are_many:
            _log.warning("recovery.waits", shard=shard_id, reason="refusals", left=len(left))
            return []
        untried = (gap for gap in left if gap not in tried and not self._channels.is_away(gap.space_id))
        return [*itertools.islice(untried, A_ROUND)]

    def _time(self) -> None:
        """Measures how long it takes until nothing that was said is missed any more."""
        now, news = asyncio.get_running_loop().time(), self._gaps.news
        if news and self._behind_since is None:
            self._behind_since = now
        elif not news and self._behind_since is not None:
            seconds, self._behind_since = now - self._behind_since, None
            self._app.metrics.caught_up(seconds)
            _log.info("recovery.caught_up", seconds=round(seconds, 3))

    def _missed_in(
        self, space_id: SpaceId, known: Sequence[LastSeen], shard_id: int, began: MessageId
    ) -> Iterator[Gap]:
        """The channels of a space in which something may have been missed that is still of use."""
        guild = self._client.get_guild(space_id)
        me = guild and own_member(guild)
        # What was said before Hathi came to the guild is not for it.
        joined = MessageId(0 if me is None or me.joined_at is None else new_id(me.joined_at))
        for seen in known:
            last = max(seen.last_message_id, joined)
            urgency, latest = self._urgency(guild, seen, last)
            if urgency is not None:
                yield Gap(
                    space_id=space_id,
                    channel_id=seen.channel_id,
                    shard_id=shard_id,
                    last_seen=last,
                    began=began,
                    urgency=urgency,
                    latest=latest,
                    origin_id=seen.origin_id,
                )
        if guild is None or not joined:
            return
        since, heard = max(self._ago(ANSWER_WITHIN), joined), {seen.channel_id for seen in known}
        channels = [*guild.text_channels, *guild.voice_channels, *guild.stage_channels, *guild.threads]
        lately = (c for c in channels if (c.last_message_id or 0) > since and c.id not in heard and can_read(c))
        for channel in itertools.islice(lately, MOST_NEW):
            yield Gap(
                space_id=space_id,
                channel_id=ChannelId(channel.id),
                shard_id=shard_id,
                last_seen=since,
                began=began,
                urgency=Urgency.NEWS_ELSEWHERE,
                latest=MessageId(channel.last_message_id or 0),
            )

    def _urgency(
        self, guild: discord.Guild | None, seen: LastSeen, last: MessageId
    ) -> tuple[Urgency | None, MessageId | None]:
        """How urgent a channel is in which Hathi was spoken to, with the last message there; none where nothing is due.

        Discord tells of each channel it shows Hathi which message was the last there.
        """
        if seen.refused_with == self._channels.sight(seen.space_id, seen.channel_id, seen.origin_id):
            return None, None
        if guild is None:
            # All that is said in direct messages is said to Hathi.
            return Urgency.NEWS, None
        place = guild.get_channel_or_thread(seen.channel_id)
        if place is None:
            return Urgency.OUT_OF_SIGHT, seen.last_message_id
        latest = MessageId(getattr(place, "last_message_id", None) or 0)
        if not can_read(place):
            return None, None
        if latest > last:
            return Urgency.NEWS, latest
        return (Urgency.UNCHANGED, last) if last > self._ago(LOOK_BACK) else (None, None)

    def _ago(self, span: timedelta) -> MessageId:
        """The id of a message of so long ago."""
        return MessageId(new_id(self._app.clock() - span))

    async def _direct(self) -> list[SpaceId]:
        return await self._app.spaces.direct(since=self._app.clock() - LOOK_BACK, limit=DIRECT)

    async def _recover(self, spaces: Sequence[SpaceId]) -> None:
        found = await self._app.turns.stranded(spaces, now=self._app.clock())
        # Commands first: what was asked after one is answered as it left things.
        await self._each(found, lambda place: self._given.recover(*place))
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
