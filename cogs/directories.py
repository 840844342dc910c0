"""Directories: whom and what the names in a place's talk stand for."""

import collections
import functools
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, TypeVar, cast

import discord

from cogs.callers import Channel
from cogs.readable import Directory, Names

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
        users = (message.author, *message.mentions)
        self._keep(_key(message.guild, message.channel.id), {user.id: user.display_name for user in users})

    def note_chosen(self, interaction: discord.Interaction[Any], channel: Channel) -> None:
        """Keep the names of whoever chose a command and of those its texts mention."""
        resolved = cast("Mapping[str, Any]", interaction.data or {}).get("resolved", {})
        members = resolved.get("members", {})
        names = {
            int(key): members.get(key, {}).get("nick") or user.get("global_name") or user["username"]
            for key, user in resolved.get("users", {}).items()
        }
        self._keep(_key(interaction.guild, channel.id), {interaction.user.id: interaction.user.display_name} | names)

    def _keep(self, place: int, names: Names) -> None:
        people = self._people.setdefault(place, collections.OrderedDict())
        self._people.move_to_end(place)
        for key, name in names.items():
            people[key] = name
            people.move_to_end(key)
        while len(people) > MOST_PEOPLE:
            people.popitem(last=False)
        while len(self._people) > MOST_GUILDS:
            self._people.popitem(last=False)

    def of(self, channel: Channel) -> Directory:
        """The names that mean something in the channel, for a text that is read or written at once."""
        guild: discord.Guild | None = getattr(channel, "guild", None)
        people = self._people.get(_key(guild, channel.id), {})
        if guild is None:
            return Directory(people=people)
        return Directory(
            people=people,
            channels=_Channels(guild, channel),
            roles=_Gathered(lambda: {role.id: role.name for role in guild.roles if not role.is_default()}),
            emoji=_Gathered(lambda: {emoji.id: (emoji.name, emoji.animated) for emoji in guild.emojis}),
        )


def _key(guild: discord.Guild | None, channel_id: int) -> int:
    """What a place's people are kept under."""
    return guild.id if guild else channel_id


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
