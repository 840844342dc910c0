"""Runs Discord's own message search, for what was said before Hathi came."""

import asyncio
import contextlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
from discord.ext import commands
from discord.http import Route

from bot import errors, log
from bot.connection.client import Client
from bot.dates.times import Span
from bot.domain import Caller, ChannelId, Message, MessageId, PersonId, Role
from bot.language.requests import plain_requests
from bot.layers.guild_search import Hit, Hits
from bot.presentation.introduction import NO_INTENT, NO_RIGHT
from cogs.access import classify
from cogs.access.callers import Callers
from cogs.access.name_directory import NameDirectory
from cogs.access.permissions import can_read
from cogs.access.ttl_set import TtlSet
from cogs.text.markup import Directory, readable

if TYPE_CHECKING:
    from bot.connection.arrivals import Arrival

_log = log.logger(__name__)

MOST_CHANNELS: Final = 250
"""Channels named in one request: the line of one with more grows longer than what stands in between may take."""
MOST_FOUND: Final = 25
MOST_AT_ONCE: Final = 4
"""Requests of one guild that may wait for Discord; past it no more is asked there."""
LATELY: Final = timedelta(hours=1)
"""How long after a message was deleted Discord may still find it."""
NOT_INDEXED: Final = 110000
"""The code in place of results while the guild is being indexed."""
NO_CHANNEL: Final = "nothing here may be searched on Discord"
_PRIVATE: Final = discord.ChannelType.private_thread.value
_COMMANDS: Final = frozenset({classify.MessageKind.COMMAND, classify.MessageKind.UNKNOWN_COMMAND})

Json = Mapping[str, Any]


class DiscordSearch(commands.Cog):
    """Searches by https://docs.discord.com/developers/resources/message#search-guild-messages."""

    def __init__(self, client: Client, callers: Callers, names: NameDirectory) -> None:
        self._client = client
        self._callers = callers
        self._names = names
        self._gone = TtlSet(LATELY, clock=lambda: client.app.clock().timestamp())
        self.under_way: dict[int, set[asyncio.Task[Any]]] = {}
        """Requests by guild: those that nobody waits for any more, too."""

    async def cog_load(self) -> None:
        """Registers this search with the layers."""
        self._client.app.guild_search.connect(self)

    async def cog_unload(self) -> None:
        """Unregisters it."""
        self._client.app.guild_search.connect(None)
        for task in [task for tasks in self.under_way.values() for task in tasks]:
            task.cancel()

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message is gone, though Discord may find it for a while."""
        self._gone.note(payload.message_id)

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many are gone at once."""
        for message_id in payload.message_ids:
            self._gone.note(message_id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone."""
        self._gone.note(channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone."""
        self._gone.note(payload.thread_id)

    def is_gone(self, key: int) -> bool:
        """Whether a message or a place was deleted lately."""
        return key in self._gone

    async def search(self, caller: Caller, words: str, *, apart_from: Collection[ChannelId], said: Span | None) -> Hits:
        """What Discord finds, as far as everyone who reads along now may read it. Raises `DiscordError`."""
        guild = self._client.get_guild(caller.space_id)
        if guild is None:
            raise errors.DiscordDown
        if not self._client.intents.message_content:
            return Hits(why=NO_INTENT)
        caller = self._now(guild, caller)
        known = [guild.get_channel_or_thread(key) for key in caller.visible if key not in apart_from]
        channels = [channel for channel in known if channel is not None and can_read(channel)]
        if not channels:
            return Hits(why=NO_RIGHT if any(known) else NO_CHANNEL)
        latest = _latest(guild)
        channels.sort(key=lambda channel: latest.get(channel.id, 0), reverse=True)
        asked = [channel.id for channel in channels[:MOST_CHANNELS]]
        try:
            answer = await self._answer(guild, _parameters(words, asked, said, adult=_is_adult(guild, caller)))
        except discord.Forbidden as exc:
            _log.warning("guild_search.refused", guild_id=guild.id, code=exc.code)
            return Hits(why=NO_RIGHT)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as exc:
            _log.warning("guild_search.failed", error=type(exc).__name__, code=getattr(exc, "code", None))
            raise errors.DiscordDown from exc
        if answer.get("code") == NOT_INDEXED:
            return Hits(retry_after=float(answer.get("retry_after") or 0))
        found = self._hits(guild, self._now(guild, caller), answer)
        return Hits(hits=tuple(found), left_out=len(channels) - len(asked))

    def _now(self, guild: discord.Guild, caller: Caller) -> Caller:
        """The caller with the channels visible to everyone who reads along, both then and now."""
        place = guild.get_channel_or_thread(caller.channel_id)
        if place is None or isinstance(place, discord.CategoryChannel | discord.ForumChannel):
            return caller
        now = self._callers.still(caller, place).visible
        return replace(caller, visible=tuple(key for key in caller.visible if key in now))

    async def _answer(self, guild: discord.Guild, parameters: list[tuple[str, str]]) -> Json:
        """Discord's response, as soon as it arrives. Raises what discord.py does, and `DiscordDown`.

        discord.py asks again by itself, and sleeps until a rate window is over before it hands over its last answer.
        Who waits may give up at any time; the request is then broken off, but for one that holds up all others until
        Discord's limit for everything is over: nobody else would let them go on.
        """
        waiting = self.under_way.setdefault(guild.id, set())
        if len(waiting) >= MOST_AT_ONCE:
            raise errors.DiscordDown
        arrival: Arrival = asyncio.get_running_loop().create_future()
        route = Route("GET", "/guilds/{guild_id}/messages/search", guild_id=guild.id)
        http = self._client.http
        task = asyncio.create_task(http.request(route, params=parameters, trace_request_ctx=arrival))
        waiting.add(task)
        task.add_done_callback(lambda task: self._over(guild.id, task))
        try:
            await asyncio.wait({task, arrival}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not arrival.done() and not task.done() and http._global_over.is_set():  # noqa: SLF001 - it offers no other way to tell
                task.cancel()
        answer = arrival.result() if arrival.done() else task.result()
        if not isinstance(answer, Mapping):
            raise errors.DiscordDown
        return answer

    def _over(self, guild_id: int, task: asyncio.Task[Any]) -> None:
        tasks = self.under_way[guild_id]
        tasks.discard(task)
        if not tasks:
            del self.under_way[guild_id]
        # Looked at, so that a failure nobody waits for any more is no complaint of the event loop.
        if not task.cancelled():
            task.exception()

    def _hits(self, guild: discord.Guild, caller: Caller, answer: Json) -> Iterable[Hit]:
        """The found messages by people, in known channels that everyone who reads along may read."""
        threads = {int(thread["id"]): thread for thread in answer.get("threads") or ()}
        me, place = self._client.user, self._client.get_partial_messageable(caller.channel_id, guild_id=guild.id)
        assert me is not None
        treated = self._callers.seen(place)
        directory = self._names.of(place)
        for data in (each for group in answer.get("messages") or () for each in group):
            belongs_to = _origin(guild, int(data["channel_id"]), threads)
            if belongs_to is None or belongs_to not in caller.visible or int(data["id"]) in self._gone:
                continue
            where = self._client.get_partial_messageable(int(data["channel_id"]), guild_id=guild.id)
            said = discord.Message(state=self._client._connection, channel=where, data=data)  # noqa: SLF001 - it makes messages of nothing else
            if not classify.is_persons(said) or classify.hear(said, treated, me).kind in _COMMANDS:
                continue
            told = replace(directory, people={**_people(said), **directory.people})
            text = readable(classify.said(said, me.id)[0], told)
            if text and not plain_requests.is_withheld(text):
                yield Hit(message=_message(caller, said, told, text), origin=belongs_to)


def _message(caller: Caller, said: discord.Message, directory: Directory, text: str) -> Message:
    return Message(
        space_id=caller.space_id,
        channel_id=ChannelId(said.channel.id),
        message_id=MessageId(said.id),
        role=Role.PERSON,
        author_id=PersonId(said.author.id),
        author=directory.people[said.author.id],
        content=text,
        said_at=said.created_at,
    )


def _people(said: discord.Message) -> dict[int, str]:
    """Its author and whom it mentions, by the names they have everywhere."""
    return {user.id: user.display_name for user in (*said.mentions, said.author)}


def _origin(guild: discord.Guild, channel_id: int, threads: Mapping[int, Json]) -> ChannelId | None:
    """The channel whose readers are the audience of a place; none of an unknown one.

    Threads are told with the answer, those that are put away too; of one that was searched by its own id, only the
    cache may know.
    """
    thread = threads.get(channel_id)
    if thread is not None:
        return ChannelId(channel_id if thread["type"] == _PRIVATE else int(thread["parent_id"]))
    known = guild.get_channel_or_thread(channel_id)
    if known is None:
        return None
    is_public = isinstance(known, discord.Thread) and not known.is_private()
    return ChannelId(known.parent_id if isinstance(known, discord.Thread) and is_public else channel_id)


def _latest(guild: discord.Guild) -> dict[int, int]:
    """The last message of each channel, or of its threads: as far as the cache knows it."""
    places = [*guild.channels, *guild.threads]
    latest = {place.id: getattr(place, "last_message_id", None) or 0 for place in places}
    for thread in guild.threads:
        latest[thread.parent_id] = max(latest.get(thread.parent_id, 0), thread.last_message_id or 0)
    return latest


def _is_adult(guild: discord.Guild, caller: Caller) -> bool:
    """Whether it is asked in an age-restricted channel."""
    place = guild.get_channel_or_thread(caller.channel_id) or guild.get_channel(caller.origin_id)
    with contextlib.suppress(discord.ClientException):
        return place is not None and place.is_nsfw()
    return False


def _parameters(words: str, channels: Iterable[int], said: Span | None, *, adult: bool) -> list[tuple[str, str]]:
    """The query, name by name: a list repeats its own, booleans are words, and times are ids of that moment.

    Before Discord there are no ids, and nothing was said.
    """
    times = {} if said is None else {"min_id": said.start, "max_id": said.end}
    limits = {name: discord.utils.time_snowflake(at) for name, at in times.items() if at is not None}
    return [
        ("content", words),
        ("slop", "100"),
        ("author_type", "-bot"),
        ("sort_by", "relevance"),
        ("limit", str(MOST_FOUND)),
        *([("include_nsfw", "true")] if adult else []),
        *((name, str(limit)) for name, limit in limits.items() if limit > 0),
        *(("channel_id", str(channel_id)) for channel_id in channels),
    ]
