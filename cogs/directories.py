"""Directories: whom and what the names in a place's talk stand for."""

import collections
import functools
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Final, TypeVar

import discord

from cogs.callers import Channel
from cogs.readable import Directory

T = TypeVar("T")

MOST_PEOPLE: Final = 200
"""Names kept a guild, of those who spoke or were mentioned last: there is no list of members to look in."""
MOST_GUILDS: Final = 2_000


class Directories:
    """The people heard of in each guild, beside its channels, roles and emoji."""

    def __init__(self) -> None:
        self._people: collections.OrderedDict[int, collections.OrderedDict[int, str]] = collections.OrderedDict()

    def note(self, message: discord.Message) -> None:
        """Keep the names of its author and of those it mentions."""
        place = message.guild.id if message.guild else message.channel.id
        people = self._people.setdefault(place, collections.OrderedDict())
        self._people.move_to_end(place)
        for user in (message.author, *message.mentions):
            people[user.id] = user.display_name
            people.move_to_end(user.id)
        while len(people) > MOST_PEOPLE:
            people.popitem(last=False)
        while len(self._people) > MOST_GUILDS:
            self._people.popitem(last=False)

    def of(self, channel: Channel) -> Directory:
        """The names that mean something in the channel, for a text that is read or written at once."""
        guild: discord.Guild | None = getattr(channel, "guild", None)
        people = self._people.get(guild.id if guild else channel.id, {})
        if guild is None:
            return Directory(people=people)
        return Directory(
            people=people,
            channels=_Channels(guild, channel),
            roles=_Gathered(lambda: {role.id: role.name for role in guild.roles if not role.is_default()}),
            emoji=_Gathered(lambda: {emoji.id: (emoji.name, emoji.animated) for emoji in guild.emojis}),
        )


class _Gathered(Mapping[int, T]):
    """What `gather` finds, found when it is first looked into: few texts name a role or an emoji."""

    def __init__(self, gather: Callable[[], Mapping[int, T]]) -> None:
        self._gather = gather

    @functools.cached_property
    def _found(self) -> Mapping[int, T]:
        return self._gather()

    def __getitem__(self, key: int) -> T:
        return self._found[key]

    def __iter__(self) -> Iterator[int]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


class _Channels(Mapping[int, str]):
    """The names of a guild's channels that whoever reads here may know: of all that everybody can see, and of this one.

    Looked up when they are asked for, as few texts name a channel and a guild has hundreds.
    """

    def __init__(self, guild: discord.Guild, here: Channel) -> None:
        self._guild = guild
        self._here = {here.id, getattr(here, "parent_id", None)}

    def __getitem__(self, key: int) -> str:
        found = self._guild.get_channel_or_thread(key)
        if found is None or not self._shows(found):
            raise KeyError(key)
        return found.name

    def __iter__(self) -> Iterator[int]:
        found = chain(self._guild.channels, self._guild.threads)
        return (channel.id for channel in found if self._shows(channel))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _shows(self, channel: "discord.abc.GuildChannel | discord.Thread") -> bool:
        if channel.id in self._here:
            return True
        if isinstance(channel, discord.Thread):
            parent = channel.parent
            return parent is not None and not channel.is_private() and self._shows(parent)
        return channel.permissions_for(self._guild.default_role).view_channel
