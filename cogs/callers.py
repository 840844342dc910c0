"""Who asks, where, and who will read the answer: Discord's people and channels as Hathi's callers."""

import collections
from dataclasses import replace
from datetime import timedelta
from typing import Final, TypeAlias

import discord

from bot import errors
from bot.client import Services
from bot.commands.grammar import PREFIX
from bot.domain import Caller, ChannelId, PersonId, SpaceId
from bot.memory.spaces import Place
from cogs.audience import Audience, caller_rights, origin

Channel: TypeAlias = (
    discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread | discord.DMChannel
    | discord.GroupChannel | discord.PartialMessageable
)  # fmt: skip
"""Where somebody can talk to Hathi."""
MODE: Final = "addressed"
"""Of a channel nobody has set another for."""
MOST_KNOWN: Final = 10_000
PATIENCE: Final = timedelta(seconds=15)
"""How long what was just said waits for a database that is away."""
FRESH_SECONDS: Final = 30.0
"""How long a channel is treated as it was when it was last looked at: another process may have changed it."""


class Callers:
    """Makes callers, and makes their places known to the database at their first word."""

    def __init__(self, services: Services, audience: Audience) -> None:
        self._services = services
        self._audience = audience
        self._known: collections.OrderedDict[tuple[int, int, int, str, str], tuple[float, Place]] = (
            collections.OrderedDict()
        )
        self._places: collections.OrderedDict[tuple[int, int], tuple[float, Place]] = collections.OrderedDict()

    def now(self, user: discord.abc.User, channel: Channel) -> Caller:
        """The caller as permissions are at this moment; no I/O."""
        is_admin, is_moderator = caller_rights(user, channel)
        belongs_to = origin(channel)
        return Caller(
            space_id=space_of(channel), channel_id=ChannelId(channel.id), person_id=PersonId(user.id),
            name=user.display_name, is_admin=is_admin, is_moderator=is_moderator,
            visible=self._audience.visible(channel), origin=None if belongs_to == channel.id else belongs_to,
            is_direct=isinstance(channel, discord.DMChannel), reads_alone=isinstance(channel, discord.DMChannel),
            is_private_thread=is_private_thread(channel),
        )  # fmt: skip

    async def absent(self, person_id: PersonId, name: str, channel: Channel) -> Caller:
        """Somebody who asked here and of whom no more is known than that: without any right of an admin."""
        guild: discord.Guild | None = getattr(channel, "guild", None)
        found = guild.get_member(person_id) if guild else None
        if found is not None:
            return (await self.of(found, channel))[0]
        belongs_to, is_direct = origin(channel), isinstance(channel, discord.DMChannel)
        caller = Caller(
            space_id=space_of(channel), channel_id=ChannelId(channel.id), person_id=person_id, name=name or "someone",
            is_admin=is_direct, is_moderator=is_direct, visible=self._audience.visible(channel),
            origin=None if belongs_to == channel.id else belongs_to, is_direct=is_direct,
            is_private_thread=is_private_thread(channel),
        )  # fmt: skip
        place = await self._services.spaces.place(caller.space_id, caller.channel_id)
        return caller if place is None else replace(caller, language=place.language, time_zone=place.time_zone)

    def still(self, caller: Caller, channel: Channel) -> Caller:
        """The caller with what everyone who reads the channel may see now."""
        return replace(caller, visible=self._audience.visible(channel))

    async def of(self, user: discord.abc.User, channel: Channel) -> tuple[Caller, Place]:
        """The caller, known to the database, and how their channel is to be treated. Raises `DatabaseDown`."""
        caller = self.now(user, channel)
        place = await self.place(caller, channel)
        return replace(caller, language=place.language, time_zone=place.time_zone), place

    async def look(self, channel: Channel) -> Place:
        """How a channel is to be treated, before anybody in it is known: most of what is said is not for Hathi.

        Raises `NotFound` as `space_of` does, and `DatabaseDown`.
        """
        key, now = (space_of(channel), channel.id), self._services.clock().timestamp()
        found = self._places.get(key)
        if found is not None and now - found[0] < FRESH_SECONDS:
            return found[1]
        place = await self._services.database.keep_trying(
            lambda: self._services.spaces.place(key[0], origin(channel)), within=PATIENCE
        )
        language = self._services.settings.language
        place = place or Place(mode=MODE, enabled=False, prefix=PREFIX, language=language, time_zone="UTC")
        if origin(channel) != channel.id:
            own = await self._services.spaces.place(key[0], ChannelId(channel.id))
            place = replace(place, enabled=place.enabled or (own is not None and own.enabled))
        self._places[key] = (now, place)
        if len(self._places) > MOST_KNOWN:
            self._places.popitem(last=False)
        return place

    async def place(self, caller: Caller, channel: Channel) -> Place:
        """How the caller's channel is to be treated."""
        key = (caller.space_id, caller.channel_id, caller.person_id, caller.name, name_of(channel))
        now = self._services.clock().timestamp()
        found = self._known.get(key)
        if found is not None and now - found[0] < FRESH_SECONDS:
            return found[1]
        place = await self._services.database.keep_trying(
            lambda: self._services.spaces.ensure(
                caller, channel_name=name_of(channel), origin_name=name_of(getattr(channel, "parent", None)),
                mode=MODE, language=self._services.settings.language, now=self._services.clock(),
            ),
            within=PATIENCE,
        )  # fmt: skip
        self._known[key] = (now, place)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return place

    def forget(self, space_id: SpaceId) -> None:
        """Look at the space's channels anew: somebody has changed how they are treated."""
        for key in [key for key in self._known if key[0] == space_id]:
            del self._known[key]
        for place in [place for place in self._places if place[0] == space_id]:
            del self._places[place]


def space_of(channel: Channel) -> SpaceId:
    """The guild of a channel, or the direct-message channel itself.

    Raises `NotFound` for a channel of a guild that is not in the cache: whose it is can't be told, so nothing is done.
    """
    if isinstance(channel, discord.DMChannel):
        return SpaceId(channel.id)
    guild: discord.Guild | None = getattr(channel, "guild", None)
    if guild is None or isinstance(channel, discord.PartialMessageable):
        raise errors.NotFound("I don't know this channel yet; please try again in a moment.")
    return SpaceId(guild.id)


def is_private_thread(channel: Channel) -> bool:
    """Whether a place is a private thread: anybody may open one, under any name."""
    return isinstance(channel, discord.Thread) and channel.is_private()


def shard_of(channel: Channel) -> int:
    """The shard whose connection tells of a channel; direct messages come over the first."""
    guild: discord.Guild | None = getattr(channel, "guild", None)
    return guild.shard_id if guild is not None else 0


def name_of(channel: object) -> str:
    """What people call a channel."""
    return getattr(channel, "name", None) or "direct messages"
