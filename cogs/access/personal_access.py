"""Finds the channels a person can read now, in every guild they were met in."""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Final, TypeAlias

import discord

from bot import catalogue
from bot.commands.invocation import Reach
from bot.connection.client import Client
from bot.domain import Caller, ChannelId, PersonId, SpaceId
from bot.lifecycle.personal_data import PersonalData
from cogs.access import audience
from cogs.access.audience import Audience

MOST_ASKED: Final = 20
"""Guilds of other processes' shards that Discord is asked about for one command, with three or four requests each."""
AT_ONCE: Final = 4

_Asked: TypeAlias = tuple[discord.Guild, tuple[ChannelId, ...] | None]
"""A guild, and the channels that the person can read there; none where they are not in it."""


class PersonalAccess:
    """Computes which channels a person can read now, for showing their own data."""

    def __init__(self, client: Client, audience: Audience, personal_data: PersonalData) -> None:
        self._client = client
        self._audience = audience
        self._personal_data = personal_data

    async def of(self, caller: Caller) -> Reach:
        """The channels the caller can read, as Discord has it at this moment; of a guild not in reach, none."""
        readable: dict[SpaceId, tuple[ChannelId, ...]] = {}
        names: dict[SpaceId, str] = {}
        elsewhere = list[SpaceId]()
        for space_id in await self._personal_data.servers(caller.person_id):
            guild = self._client.get_guild(space_id)
            if guild is None:
                elsewhere += [space_id] if self._is_on_another_shard(space_id) else []
                continue
            names[space_id] = guild.name
            with contextlib.suppress(discord.NotFound, discord.Forbidden):
                member = guild.get_member(caller.person_id) or await guild.fetch_member(caller.person_id)
                readable[space_id] = self._audience.readable_by(member)
        for guild, channels in await self._asked(elsewhere[:MOST_ASKED], caller.person_id):
            names[SpaceId(guild.id)] = guild.name
            if channels is not None:
                readable[SpaceId(guild.id)] = channels
        readable[caller.space_id] = caller.visible if caller.is_direct else readable.get(caller.space_id, ())
        if caller.is_direct:
            names[caller.space_id] = catalogue.gettext("direct messages")
        unasked = frozenset(elsewhere[MOST_ASKED:])
        names |= dict.fromkeys(unasked, catalogue.gettext("another server"))
        return Reach(readable=readable, names=names, is_alone=caller.reads_alone, unasked=unasked)

    def _is_on_another_shard(self, space_id: SpaceId) -> bool:
        """Whether another process hears of the guild; Discord assigns guilds to shards by their ids."""
        return (space_id >> 22) % self._client.shard_count not in self._client.shards

    async def _asked(self, spaces: Iterable[SpaceId], person_id: PersonId) -> list[_Asked]:
        """The guilds of them that Hathi is in, by Discord."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(space_id: SpaceId) -> _Asked | None:
            async with gate:
                try:
                    guild = await self._client.fetch_guild(space_id, with_counts=False)
                except (discord.NotFound, discord.Forbidden):
                    return None
                return guild, await _readable(guild, person_id)

        return [found for found in await asyncio.gather(*map(one, spaces)) if found is not None]


async def _readable(guild: discord.Guild, person_id: PersonId) -> tuple[ChannelId, ...] | None:
    """What the person can read in a guild that is not in the cache; none where they are not in it."""
    try:
        member = await guild.fetch_member(person_id)
        channels = await guild.fetch_channels()
        found = audience.readable(member, channels)
        if found.moderated:
            found = audience.readable(member, channels, await guild.active_threads())
    except (discord.NotFound, discord.Forbidden):
        return None
    return found.origins
