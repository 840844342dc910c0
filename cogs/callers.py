"""Who asks, where, and who will read the answer: Discord's people and channels as Hathi's callers."""

import collections
from dataclasses import replace
from typing import Final

import discord

from bot.client import Services
from bot.domain import Caller, ChannelId, PersonId, SpaceId
from bot.memory.spaces import Place
from cogs.audience import Audience, caller_rights, origin

Channel = discord.abc.GuildChannel | discord.Thread | discord.DMChannel | discord.PartialMessageable
"""Where somebody can talk to Hathi."""
MODE: Final = "addressed"
"""Of a channel nobody has set another for."""
MOST_KNOWN: Final = 10_000
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

    def now(self, user: discord.abc.User, channel: Channel) -> Caller:
        """The caller as permissions are at this moment; no I/O."""
        is_admin, is_moderator = caller_rights(user, channel)
        belongs_to = origin(channel)
        return Caller(
            space_id=space_of(channel), channel_id=ChannelId(channel.id), person_id=PersonId(user.id),
            name=user.display_name, is_admin=is_admin, is_moderator=is_moderator,
            visible=self._audience.visible(channel), origin=None if belongs_to == channel.id else belongs_to,
        )  # fmt: skip

    def still(self, caller: Caller, channel: Channel) -> Caller:
        """The caller with what everyone who reads the channel may see now."""
        return replace(caller, visible=self._audience.visible(channel))

    async def of(self, user: discord.abc.User, channel: Channel) -> tuple[Caller, Place]:
        """The caller, known to the database, and how their channel is to be treated. Raises `DatabaseDown`."""
        caller = self.now(user, channel)
        place = await self.place(caller, channel)
        return replace(caller, language=place.language), place

    async def place(self, caller: Caller, channel: Channel) -> Place:
        """How the caller's channel is to be treated."""
        key = (caller.space_id, caller.channel_id, caller.person_id, caller.name, name_of(channel))
        now = self._services.clock().timestamp()
        found = self._known.get(key)
        if found is not None and now - found[0] < FRESH_SECONDS:
            return found[1]
        place = await self._services.spaces.ensure(
            caller, channel_name=name_of(channel), origin_name=name_of(getattr(channel, "parent", None)), mode=MODE,
            language=self._services.settings.language, now=self._services.clock(),
        )  # fmt: skip
        self._known[key] = (now, place)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return place

    def forget(self, space_id: SpaceId) -> None:
        """Look at the space's channels anew: somebody has changed how they are treated."""
        for key in [key for key in self._known if key[0] == space_id]:
            del self._known[key]


def space_of(channel: Channel) -> SpaceId:
    """The guild of a channel, or the direct-message channel itself."""
    guild = getattr(channel, "guild", None)
    return SpaceId(channel.id if guild is None else guild.id)


def name_of(channel: object) -> str:
    """What people call a channel."""
    return getattr(channel, "name", None) or "direct messages"
