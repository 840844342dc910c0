"""Finds the channels a person can read now, in every guild they were met in."""

import contextlib

import discord

from bot.commands.invocation import Reach
from bot.connection.client import Client
from bot.domain import Caller, ChannelId, SpaceId
from bot.lifecycle.personal_data import PersonalData
from cogs.access.audience import Audience


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
        for space_id in await self._personal_data.spaces(caller.person_id):
            guild = self._client.get_guild(space_id)
            if guild is None:
                continue
            names[space_id] = guild.name
            with contextlib.suppress(discord.NotFound, discord.Forbidden):
                member = guild.get_member(caller.person_id) or await guild.fetch_member(caller.person_id)
                readable[space_id] = self._audience.readable_by(member)
        readable[caller.space_id] = caller.visible if caller.is_direct else readable.get(caller.space_id, ())
        if caller.is_direct:
            names[caller.space_id] = "direct messages"
        return Reach(readable=readable, names=names, is_alone=caller.reads_alone)
