"""Recovery after a restart or reconnect: completes interrupted replies and backfills missed messages."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import timedelta
from typing import Final, TypeVar

import aiohttp
import discord
from discord.ext import commands, tasks

from bot import errors, log
from bot.connection import unreadable_events
from bot.connection.client import Client
from bot.domain import ChannelId, Message, MessageId, Role, SpaceId, Turn, TurnRecord, new_id
from bot.store.turns import ANSWER_WITHIN, HATHI, Unfinished, question_of
from bot.turn.draft import CUT_MARK
from bot.turn.recall_answer import CHECKING
from cogs.access import classify
from cogs.access.callers import Callers, Channel
from cogs.access.name_directory import NameDirectory
from cogs.access.permissions import can_read, own_member
from cogs.catchup.edits_and_deletions import EditsAndDeletions
from cogs.chat.chat import Chat
from cogs.chat.gaps import Gap, Gaps
from cogs.send import discord_codes

_log = log.logger(__name__)
T = TypeVar("T")

LOOK_BACK: Final = timedelta(days=7)
MOST_MISSED: Final = 500
"""Messages of a channel that are looked at after a gap."""
AT_ONCE: Final = 4
"""Channels that are looked at together: what is live goes first at Discord's limits."""
REPLIES_WITHIN: Final = 100
"""Messages after a question among which its reply is looked for."""
MOST_NEW: Final = 100
"""Channels of a guild, unknown until then, that are looked at after a gap."""
MOST_ELSEWHERE: Final = 50
"""Messages of a guild that answers were made from and that are not stored, of which each is looked for after a gap."""
DIRECT: Final = 200
"""Direct messages, of those used last, that are looked after."""
AGAIN_AFTER: Final = 2.0
"""Seconds until a database that is away is asked again."""
LOOK_EVERY: Final = 20
"""Seconds between two looks for answers somebody left."""

_LAST: Final = MessageId(2**63 - 1)
"""Greater than the id of any message."""


class DiscordRecovery(commands.Cog):
    """Takes over interrupted replies and missed messages: each once, none left out."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        chat: Chat,
        changes: EditsAndDeletions,
        gaps: Gaps,
        directories: NameDirectory,
    ) -> None:
        self._client = client
        self._services = client.services
        self._callers = callers
        self._chat = chat
        self._edits = changes
        self._names = directories
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._recovering: set[ChannelId] = set()
        self._gaps = gaps
        self._sessions: dict[int, tuple[int, MessageId]] = {}
        self._readied: dict[int, int] = {}
        """The session of each shard that was ready last."""
        self._closing: set[int] = set()
        self._again: set[int] = set()

    async def cog_load(self) -> None:
        """Look for answers left half-way, now and then."""
        self._look.start()

    async def cog_unload(self) -> None:
        """Look no more."""
        self._look.cancel()

    @commands.Cog.listener()
    async def on_shard_connect(self, shard_id: int) -> None:
        """A new session, before anything of it is heard: Discord replays nothing of the time before."""
        self._sessions[shard_id] = self._gaps.begin(shard_id), MessageId(new_id(self._services.clock()))

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Its guilds are known: see what was left and what was missed."""
        session, began = self._sessions[shard_id]
        self._readied[shard_id] = session
        guilds = [SpaceId(guild.id) for guild in self._client.guilds if guild.shard_id == shard_id]

        async def look() -> None:
            spaces = [*guilds, *(await self._direct() if shard_id == 0 else ())]
            await self._recover(spaces)
            self._gaps.find(shard_id, session, await self._missed(shard_id, spaces, began))
            self._services.spawn(self._look_elsewhere(guilds))

        await self._persist(shard_id, session, look)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """It was away, and is back in the middle of a session: Discord replays nothing of the time between."""
        shard_id, space_id = guild.shard_id, SpaceId(guild.id)
        session, began = self._sessions[shard_id][0], MessageId(new_id(self._services.clock()))
        if self._readied.get(shard_id) != session:
            # It comes with READY, and is seen to when all of them are there.
            return

        async def look() -> None:
            self._gaps.find_in(space_id, await self._missed(shard_id, [space_id], began))
            self._services.spawn(self._look_elsewhere([space_id]))

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
        """Something was said, edited or deleted there that can't be read: its history tells, maybe.

        At once only the first time: where nothing can be read any more, the next looks see to it.
        """
        guild, now = None if guild_id is None else self._client.get_guild(guild_id), self._services.clock()
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
        """Look what was missed, as soon as the database answers, and catch up with it; unless a later session has."""
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
    async def _look(self) -> None:
        """Take up what this worker gave up on, or another left, and the channels not caught up with yet."""
        if not self._client.connection.ready.is_set():
            return
        try:
            guilds = [SpaceId(guild.id) for guild in self._client.guilds]
            await self._recover([*guilds, *(await self._direct() if 0 in self._client.shards else ())])
            for shard_id in self._client.shards:
                await self._close_gaps(shard_id)
        except errors.DatabaseDown:
            _log.warning("aftermath.database_down")
        except Exception:  # noqa: BLE001 - what is raised here would end all looking
            _log.exception("aftermath.failed")

    async def _close_gaps(self, shard_id: int) -> None:
        """Catch up with the channels of a shard that are behind; those with which it can't be done now stay so."""
        if shard_id in self._closing:
            # For whoever is at it: another session may have begun meanwhile.
            self._again.add(shard_id)
            return
        self._closing.add(shard_id)
        self._again.add(shard_id)
        try:
            # Each time round something else has asked for it.
            while shard_id in self._again:
                self._again.discard(shard_id)
                await self._close_gaps_once(shard_id)
        finally:
            self._closing.discard(shard_id)

    async def _close_gaps_once(self, shard_id: int) -> None:
        left = [gap for gap in self._gaps.left(shard_id) if not self._is_away(gap.space_id)]
        await self._each(left, self._catch_up)
        if left:
            still = sum(map(self._gaps.is_open, left))
            _log.info("aftermath.caught_up", shard=shard_id, channels=len(left) - still, left=still)

    def _is_away(self, space_id: SpaceId) -> bool:
        """Whether it is a guild that Discord does not serve now: what it says of it then tells nothing."""
        guild = self._client.get_guild(space_id)
        return guild is not None and guild.unavailable

    async def _last_seen(self, space_id: SpaceId) -> dict[ChannelId, MessageId]:
        """Up to which message nothing of each channel was missed, as far as anything in it could still be answered."""
        known = await self._services.discord_edits.last_seen(space_id)
        guild = self._client.get_guild(space_id)
        me = guild and own_member(guild)
        if guild is None or me is None or me.joined_at is None:
            return known
        # Nobody may have spoken to Hathi there before; what was said before it came to the guild is not for it.
        since = MessageId(new_id(max(self._services.clock() - ANSWER_WITHIN, me.joined_at)))
        channels = [*guild.text_channels, *guild.voice_channels, *guild.stage_channels, *guild.threads]
        lately = {ChannelId(c.id): since for c in channels if (c.last_message_id or 0) > since}
        return dict(list(lately.items())[:MOST_NEW]) | known

    async def _direct(self) -> list[SpaceId]:
        return await self._services.spaces.direct(since=self._services.clock() - LOOK_BACK, limit=DIRECT)

    async def _recover(self, spaces: Sequence[SpaceId]) -> None:
        found = await self._services.turns.stranded(spaces, now=self._services.clock())
        await self._each(found, lambda place: self._recover_channel(*place))

    async def _recover_channel(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Take over the turns that a worker which is gone left in a channel, in their order."""
        if channel_id in self._recovering or self._is_away(space_id):
            return
        self._recovering.add(channel_id)
        try:
            channel = await self._channel(space_id, channel_id)
            if channel is not None:
                await self._names.learn(channel)
            now, services = self._services.clock(), self._services
            for left in await services.turns.left_behind(space_id, channel_id, now=now, alone=services.alone):
                _log.info("turn.taken_over", turn_id=left.turn_id, state=left.state)
                await self._finish(left, channel, space_id)
        finally:
            self._recovering.discard(channel_id)

    async def _finish(self, left: Unfinished, channel: Channel | None, space_id: SpaceId) -> None:
        """What was shown of an answer becomes its reply; a question of which nothing was shown is answered anew."""
        turns, now = self._services.turns, self._services.clock()
        if channel is None:
            return await turns.close_left(space_id, left.turn_id, "channel gone", now=now)
        caller = await self._callers.absent(left.asker_id, left.author or "", channel)
        turn = question_of(left, caller)
        # Where that can't be seen, the nonce keeps a second message from being made.
        can_look = left.state == "sending" and can_read(channel)
        posted = await self._posted(channel, left.turn_id) if can_look else []
        if [message.content for message in posted] == [CHECKING]:
            # Nothing of the answer: it is taken back, and the question is answered anew.
            streaming_reply = self._chat.streaming_reply(turn, channel)
            streaming_reply.adopt(posted)
            await streaming_reply.withdraw()
            posted = []
        if posted:
            return await self._adopt(turn, left, posted, channel)
        if now - left.recorded_at >= ANSWER_WITHIN:
            return await turns.failed(turn, "expired", now=now)
        if left.unkept:
            asked = await self._fetched(channel, left.turn_id)
            if asked is None:
                return await turns.failed(turn, "deleted", now=now)
            turn = self._chat.question(asked, caller)
        if left.state == "sending":
            await turns.reopen(turn)
        # Not waited for: the next channel is not kept back by this one's model; its turns keep their order by lane.
        self._services.spawn(self._answer(turn, channel))
        return None

    async def _answer(self, turn: Turn, channel: Channel) -> None:
        """Answer what was left behind or missed; nobody waits for what kept it from being sent, but the log is told."""
        try:
            await self._chat.answer(turn, channel)
        except errors.NotSent as exc:
            _log.warning("aftermath.not_sent", turn_id=turn.message.message_id, error=type(exc).__name__)

    async def _adopt(self, turn: Turn, left: Unfinished, posted: list[discord.Message], channel: Channel) -> None:
        """Record as the reply what Discord has of it, made whole where all of it was kept."""
        now, sent = self._services.clock(), tuple(MessageId(message.id) for message in posted)
        text, is_whole = left.kept or "", left.kept_whole
        if text:
            streaming_reply = self._chat.streaming_reply(turn, channel)
            streaming_reply.adopt(posted)
            try:
                sent = tuple(await streaming_reply.finish(text if is_whole else text + CUT_MARK, ()))
            except errors.NotSent as exc:
                # Discord won't take the rest another time either.
                _log.warning("aftermath.not_sent", turn_id=left.turn_id, error=type(exc).__name__)
                return await self._services.turns.failed(turn, "not sent", now=now)
        reply = Message(
            space_id=turn.caller.space_id,
            channel_id=turn.caller.channel_id,
            message_id=sent[0],
            role=Role.HATHI,
            author_id=None,
            author=HATHI,
            content=text or posted[0].content,
            said_at=now,
            reply_to=left.turn_id,
            cut_off=not is_whole,
        )
        await self._services.turns.answered(turn, reply, TurnRecord(trail={"recovered": True}), sent)
        return None

    async def _posted(self, channel: Channel, turn_id: MessageId) -> list[discord.Message]:
        """Hathi's own messages that answer a question, recognised by what they reply to, and what follows them."""
        me, found = self._client.user, list[discord.Message]()
        async for message in channel.history(after=discord.Object(turn_id), limit=REPLIES_WITHIN, oldest_first=True):
            if me is None or message.author.id != me.id:
                continue
            refers = message.reference.message_id if message.reference else None
            # The further parts of a long answer refer to nothing and come right after its first.
            if refers == turn_id or (found and refers is None):
                found.append(message)
            elif found:
                break
        return found

    async def _catch_up(self, gap: Gap) -> None:
        """Follow what was said, edited and deleted in a channel while nobody listened."""
        if not self._gaps.is_open(gap):
            return
        channel = await self._channel(gap.space_id, gap.channel_id)
        if channel is not None and can_read(channel):
            recorded = await self._recorded_until(gap)
            history, unread, since = await self._history(channel)
            await self._names.learn(channel, filter(classify.is_persons, reversed(history)))
            missing = await self._edits.compare(
                gap.space_id, gap.channel_id, since, history, unread=unread, until=recorded
            )
            unrecorded = set(missing.unrecorded)
            missed = [m for m in history if m.id > gap.last_seen and m.id in unrecorded and classify.is_persons(m)]
            newest = {message.author.id: message.id for message in missed if await self._is_question(message)}
            lately = self._services.clock() - ANSWER_WITHIN
            for message in missed:
                waits = newest.get(message.author.id) == message.id or message.id > gap.began
                answered = waits and message.created_at > lately
                turn = await self._chat.catch(message, answered=answered)
                if turn is not None:
                    self._services.spawn(self._answer(turn, channel))
            if history:
                await self._services.spaces.heard_until(gap.space_id, gap.channel_id, MessageId(history[-1].id))
        self._gaps.close(gap)

    async def _recorded_until(self, gap: Gap) -> MessageId:
        """The newest message recorded of a channel: what is said from now on must not look deleted."""
        since = MessageId(new_id(self._services.clock() - LOOK_BACK))
        found = await self._services.discord_edits.missed(gap.space_id, gap.channel_id, since, (), until_id=_LAST)
        return max(found.gone, default=since)

    async def _is_question(self, message: discord.Message) -> bool:
        assert self._client.user is not None
        place = await self._callers.look(message.channel)
        return classify.hear(message, place, self._client.user).kind is classify.MessageKind.QUESTION

    async def _history(self, channel: Channel) -> tuple[list[discord.Message], list[MessageId], MessageId]:
        """The channel's last 500 messages of the last seven days, oldest first, and from where on that is all of it.

        Between them, those that are there and can't be read.
        """
        horizon, found, unread = self._services.clock() - LOOK_BACK, list[discord.Message](), list[MessageId]()
        async for message in unreadable_events.history(self._client, channel, MOST_MISSED):
            if message.created_at < horizon:
                break
            if isinstance(message, discord.Message):
                found.append(message)
            else:
                unread.append(MessageId(message.id))
        is_cut = len(found) + len(unread) == MOST_MISSED
        oldest = min([*unread, *(MessageId(message.id) for message in found[-1:])], default=MessageId(0))
        return found[::-1], unread, oldest if is_cut else MessageId(new_id(horizon))

    async def _look_elsewhere(self, spaces: Iterable[SpaceId]) -> None:
        """See whether what answers were made from, wherever it stands and however old it is, is still on Discord.

        One after another, so that they hold up nothing else.
        """
        for space_id in spaces:
            gone = set[ChannelId]()
            for channel_id, message_id in await self._services.discord_edits.elsewhere(space_id, MOST_ELSEWHERE):
                try:
                    if channel_id not in gone and not self._is_away(space_id):
                        await self._client.get_partial_messageable(channel_id).fetch_message(message_id)
                except discord.NotFound as exc:
                    # Whatever else is said of it, it may be there.
                    if exc.code == discord_codes.UNKNOWN_CHANNEL:
                        gone.add(channel_id)
                        self._edits.place_gone(space_id, channel_id)
                    elif exc.code == discord_codes.UNKNOWN_MESSAGE:
                        await self._edits.gone(space_id, channel_id, [message_id])
                except (discord.DiscordException, aiohttp.ClientError, OSError) as exc:
                    _log.warning("aftermath.not_looked_at", error=type(exc).__name__, code=getattr(exc, "code", None))

    async def _channel(self, space_id: SpaceId, channel_id: ChannelId) -> Channel | None:
        """The channel as the cache or Discord has it; none when it is gone or closed to Hathi."""
        guild = self._client.get_guild(space_id)
        found = guild.get_channel_or_thread(channel_id) if guild else None
        if found is None:
            try:
                found = await self._client.fetch_channel(channel_id)
            except discord.NotFound as exc:
                if exc.code == discord_codes.UNKNOWN_CHANNEL:
                    # Deleted while nobody listened.
                    self._edits.place_gone(space_id, channel_id)
                return None
            except (discord.Forbidden, discord.InvalidData):
                return None
        return found if isinstance(found, discord.abc.Messageable) else None

    async def _fetched(self, channel: Channel, message_id: MessageId) -> discord.Message | None:
        try:
            return await channel.fetch_message(message_id)
        except (discord.NotFound, discord.Forbidden):
            return None

    async def _each(self, items: Iterable[T], work: Callable[[T], Awaitable[None]]) -> None:
        """Do it for each, four at a time; one that fails stops none of the others."""

        async def guarded(item: T) -> None:
            async with self._gate:
                try:
                    await work(item)
                except (errors.DatabaseDown, errors.DiscordError, discord.DiscordException) as exc:
                    # It is looked at again at the next look, or after the next gap.
                    _log.warning("aftermath.postponed", error=type(exc).__name__)
                except Exception:  # noqa: BLE001 - one channel's trouble is not the others'
                    _log.exception("aftermath.failed")

        await asyncio.gather(*(guarded(item) for item in items))
