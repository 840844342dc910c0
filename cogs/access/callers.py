"""Turns Discord's users and channels into `Caller` records: who asks, where, and who will read the answer."""

import collections
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final, Generic, TypeAlias, TypeVar

import aiohttp
import discord

from bot import catalogue, errors
from bot.commands.grammar import PREFIX
from bot.connection.client import Client
from bot.domain import Caller, ChannelId, KeptOut, PersonId, SpaceId
from bot.store.answer_rules import AnswerRules
from bot.store.namesakes import NAMESAKE
from bot.store.spaces import Place
from bot.store.turns import HATHI
from cogs.access.audience import Audience, caller_rights, origin

Channel: TypeAlias = (
    discord.TextChannel
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.Thread
    | discord.DMChannel
    | discord.GroupChannel
    | discord.PartialMessageable
)
"""Where somebody can talk to Hathi."""
MODE: Final = "addressed"
"""Of a channel nobody has set another for."""
MOST_KNOWN: Final = 10_000
PATIENCE: Final = timedelta(seconds=15)
"""How long what was just said waits for a database that is away."""
FRESH_SECONDS: Final = 30.0
"""How long a channel is treated as it was when it was last looked at: another process may have changed it."""


K = TypeVar("K", bound=tuple[int, *tuple[Any, ...]])
V = TypeVar("V")


class _Lately(Generic[K, V]):
    """A cache keyed by tuples that begin with the space; entries expire after 30 seconds, at most ten thousand."""

    def __init__(self) -> None:
        self._found: collections.OrderedDict[K, tuple[float, V]] = collections.OrderedDict()

    def get(self, key: K, now: float) -> V | None:
        at, value = self._found.get(key, (0.0, None))
        return value if now - at < FRESH_SECONDS else None

    def last(self, key: K) -> V | None:
        """The entry, expired or not."""
        return self._found[key][1] if key in self._found else None

    def put(self, key: K, value: V, now: float) -> None:
        self._found[key] = now, value
        if len(self._found) > MOST_KNOWN:
            self._found.popitem(last=False)

    def forget(self, space_id: SpaceId) -> None:
        for key in [key for key in self._found if key[0] == space_id]:
            del self._found[key]


class Callers:
    """Makes `Caller` records, and registers their spaces, channels and names in the database at first use."""

    def __init__(self, client: Client, audience: Audience) -> None:
        self._client = client
        self._app = client.app
        self._audience = audience
        self._looked = _Lately[tuple[int, int], Place]()
        """Channels by space and id."""
        self._known = _Lately[tuple[int, int, str], Place]()
        """Those that were made known to the database, by space, id and name."""
        self._pins = _Lately[tuple[int], str]()
        """What has messages remembered, by space."""
        self._rules = _Lately[tuple[int], AnswerRules]()
        """Who is answered, by space."""
        self._met = _Lately[tuple[int, int, str, str], bool]()
        """People by space, id, name and the mode they were met in: it tells whether names are kept."""

    def now(self, user: discord.abc.User, channel: Channel) -> Caller:
        """The caller with the permissions of this moment; no I/O."""
        space_id = space_of(channel)
        is_admin, is_moderator = caller_rights(user, channel)
        belongs_to, visible = origin(channel), self._audience.visible(channel)
        return Caller(
            space_id=space_id,
            channel_id=ChannelId(channel.id),
            person_id=PersonId(user.id),
            # What is kept by Hathi's own name is Hathi's.
            name=NAMESAKE if user.display_name == HATHI else user.display_name,
            is_admin=is_admin,
            is_moderator=is_moderator,
            visible=visible,
            origin=None if belongs_to == channel.id else belongs_to,
            is_direct=isinstance(channel, discord.DMChannel),
            reads_alone=isinstance(channel, discord.DMChannel),
            is_private_thread=is_private_thread(channel),
            address=self.address(channel.guild),
        )

    async def absent(self, person_id: PersonId, name: str, channel: Channel) -> Caller:
        """A caller of whom nothing is known but that they asked here: without any admin right."""
        guild = channel.guild
        found = guild.get_member(person_id) if guild else None
        if found is not None:
            return (await self.of(found, channel))[0]
        belongs_to, is_direct = origin(channel), isinstance(channel, discord.DMChannel)
        caller = Caller(
            space_id=space_of(channel),
            channel_id=ChannelId(channel.id),
            person_id=person_id,
            name=name or "someone",
            is_admin=is_direct,
            is_moderator=is_direct,
            visible=self._audience.visible(channel),
            origin=None if belongs_to == channel.id else belongs_to,
            is_direct=is_direct,
            is_private_thread=is_private_thread(channel),
            address=self.address(channel.guild),
        )
        place = await self._app.spaces.place(caller.space_id, caller.channel_id)
        catalogue.speak((place or self._untouched()).language)
        return caller if place is None else place.settled(caller)

    def address(self, guild: discord.Guild | None) -> str:
        """What commands are to begin with before the prefix: without the message-content intent, a mention of Hathi.

        Discord then shows Hathi nothing else of what is said in a guild.
        """
        me = self._client.user
        if guild is None or me is None or self._client.intents.message_content:
            return ""
        return f"@{(guild.get_member(me.id) or me).display_name} "

    def still(self, caller: Caller, channel: Channel) -> Caller:
        """The caller with the audience of this moment."""
        return replace(caller, visible=self._audience.visible(channel))

    async def of(
        self, user: discord.abc.User, channel: Channel, *, within: timedelta = PATIENCE
    ) -> tuple[Caller, Place]:
        """The caller, registered in the database, and the settings of their channel.

        What they are told from here on is in the language of their space. A database that is away is waited for
        `within` that time. Raises `DatabaseDown`.
        """
        caller = self.now(user, channel)
        catalogue.speak(self.seen(channel).language)
        place = await self.place(caller, channel, within=within)
        catalogue.speak(place.language)
        # Whoever chose who is answered can't lock themselves out of choosing.
        chosen = None if caller.is_admin else await self._kept_out(user, channel, within=within)
        return replace(place.settled(caller), kept_out=self.unserved(channel) or chosen), place

    def unserved(self, channel: Channel) -> KeptOut | None:
        """Why nobody at all is served there, if whoever runs Hathi chose so."""
        chosen = self._app.settings.discord
        if channel.guild is None:
            return None if chosen.direct_messages else KeptOut.DIRECT
        return KeptOut.SERVER if chosen.servers and channel.guild.id not in chosen.servers else None

    async def kept_out(
        self, user: discord.abc.User, channel: Channel, *, within: timedelta = PATIENCE
    ) -> KeptOut | None:
        """Why a question of theirs is not answered there; none where it is. Raises `DatabaseDown`."""
        return self.unserved(channel) or await self._kept_out(user, channel, within=within)

    async def _kept_out(self, user: discord.abc.User, channel: Channel, *, within: timedelta) -> KeptOut | None:
        guild = channel.guild
        if guild is None:
            return None
        key, now = (SpaceId(guild.id),), self._app.clock().timestamp()
        if (rules := self._rules.get(key, now)) is None:
            rules = await self._app.database.keep_trying(lambda: self._app.answering.of(key[0]), within=within)
            self._rules.put(key, rules, now)
        channels = {channel.id, channel.parent_id if isinstance(channel, discord.Thread) else channel.id}
        return rules.kept_out(channels, await _roles(user, guild) if rules.names_roles else ())

    def seen(self, channel: Channel) -> Place:
        """The channel's settings as last read, however long ago, else the defaults. No I/O."""
        return self.last(channel) or self._untouched()

    def last(self, channel: Channel) -> Place | None:
        """The channel's settings as last read, however long ago; none where they never were. No I/O."""
        guild = channel.guild
        return self._looked.last((channel.id if guild is None else guild.id, channel.id))

    async def look(self, channel: Channel, *, within: timedelta = PATIENCE) -> Place:
        """How a channel is to be treated, before anybody in it is known: most of what is said is not for Hathi.

        A database that is away is waited for `within` that time. Raises `NotFound` as `space_of` does, and
        `DatabaseDown`.
        """
        key, now = (space_of(channel), channel.id), self._app.clock().timestamp()
        if (found := self._looked.get(key, now)) is not None:
            return found
        place = await self._app.database.keep_trying(lambda: self._kept(key[0], origin(channel)), within=within)
        place = place or self._untouched()
        self._looked.put(key, place, now)
        return place

    async def place(self, caller: Caller, channel: Channel, *, within: timedelta = PATIENCE) -> Place:
        """The settings of the caller's channel."""
        now, spaces = self._app.clock(), self._app.spaces
        channel_key = (caller.space_id, caller.channel_id, name_of(channel))
        place = self._known.get(channel_key, now.timestamp())
        if place is None:
            place = await self._app.database.keep_trying(
                lambda: spaces.ensure(
                    caller,
                    channel_name=name_of(channel),
                    origin_name=name_of(getattr(channel, "parent", None)),
                    mode=MODE,
                    language=self._app.settings.language,
                    now=now,
                ),
                within=within,
            )
            self._known.put(channel_key, place, now.timestamp())
        elif not self._met.get((caller.space_id, caller.person_id, caller.name, place.mode), now.timestamp()):
            await self._app.database.keep_trying(lambda: spaces.meet(caller, now=now), within=within)
        else:
            return place
        self._met.put((caller.space_id, caller.person_id, caller.name, place.mode), True, now.timestamp())
        return place

    async def _kept(self, space_id: SpaceId, channel_id: ChannelId) -> Place | None:
        spaces = self._app.spaces
        return await spaces.place(space_id, channel_id) or await spaces.untouched(space_id, mode=MODE)

    def _untouched(self) -> Place:
        """The default settings of a channel."""
        language = self._app.settings.language
        return Place(mode=MODE, enabled=False, prefix=PREFIX, language=language, time_zone="UTC")

    async def pin(self, space_id: SpaceId) -> str:
        """The emoji that has a message of the space remembered; empty where none has. Raises `DatabaseDown`."""
        now = self._app.clock().timestamp()
        if (found := self._pins.get((space_id,), now)) is not None:
            return found
        found = await self._app.database.keep_trying(lambda: self._app.spaces.pin(space_id), within=PATIENCE)
        self._pins.put((space_id,), found, now)
        return found

    def forget(self, space_id: SpaceId) -> None:
        """Drops the cached settings of the space's channels: somebody has changed them."""
        for lately in (self._looked, self._known, self._pins, self._rules, self._met):
            lately.forget(space_id)


async def _roles(user: discord.abc.User, guild: discord.Guild) -> Collection[int]:
    """The roles somebody has in a guild; Discord is asked where it told only who they are, and none where it fails."""
    if not isinstance(user, discord.Member):
        try:
            user = await guild.fetch_member(user.id)
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError):
            return ()
    return {role.id for role in user.roles}


def space_of(channel: Channel) -> SpaceId:
    """The guild of a channel, or the direct-message channel itself.

    Raises `NotFound` for a channel of a guild that is not in the cache: whose it is can't be told, so nothing is done.
    """
    if isinstance(channel, discord.DMChannel):
        return SpaceId(channel.id)
    guild = channel.guild
    if guild is None or isinstance(channel, discord.PartialMessageable):
        raise errors.NotFound(catalogue.later("I don't know this channel yet; please try again in a moment."))
    return SpaceId(guild.id)


def is_private_thread(channel: Channel) -> bool:
    """Whether a place is a private thread: anybody may open one, under any name."""
    return isinstance(channel, discord.Thread) and channel.is_private()


def shard_of(channel: Channel) -> int:
    """The shard whose connection tells of a channel; direct messages come over the first."""
    guild = channel.guild
    return guild.shard_id if guild is not None else 0


def name_of(channel: object) -> str:
    """What people call a channel."""
    return getattr(channel, "name", None) or "direct messages"
