"""Resolves mentions to names and names to mentions, for each guild and channel."""

import asyncio
import collections
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, TypeVar, cast

import discord

from bot import errors, log
from bot.domain import PersonId, SpaceId
from bot.store.spaces import Spaces
from cogs.access.callers import Channel
from cogs.text.markup import Directory, Names

_log = log.logger(__name__)
T = TypeVar("T")

MOST_PEOPLE: Final = 200
"""Names known a guild, of those who spoke or were mentioned last: there is no list of members to look in."""
MOST_GUILDS: Final = 2_000
MOST_NAMELESS: Final = 10_000


class NameDirectory:
    """The known people of each guild, with its channels, roles and emoji."""

    def __init__(self, spaces: Spaces) -> None:
        self._spaces = spaces
        self._people: collections.OrderedDict[int, collections.OrderedDict[int, str]] = collections.OrderedDict()
        """Names by guild, or by the channel of direct messages; of both those heard of last stand last."""
        self._nameless: collections.OrderedDict[tuple[int, int], None] = collections.OrderedDict()
        """Who was mentioned lately, by guild or channel, and whose name is not to be written there."""
        self._learnt: set[int] = set()
        self._learning = asyncio.Lock()

    async def learn(self, channel: Channel, history: Iterable[discord.Message] = ()) -> None:
        """Loads the people of a place who were known before this start.

        By the names that are kept of them, once, and by what its history tells, newest first. Whoever is known by now
        keeps their name and their place.
        """
        key = _key(channel.guild, channel.id)
        if key not in self._learnt:
            # One after another: at a start every channel of a guild asks for the same.
            async with self._learning:
                if key not in self._learnt:
                    await self._learn_kept(key)
        for message in history:
            self._add(key, ((user.id, user.display_name) for user in _told_of(message)))

    def note(self, message: discord.Message) -> None:
        """Keep the names of its author and of those it mentions."""
        key = _key(message.guild, message.channel.id)
        # Of a message that was asked for, Discord tells people by the name they have everywhere, not by the one there.
        better = self._people.get(key, {}) if message.guild else {}
        self._renew(
            key,
            {
                user.id: user.display_name
                if isinstance(user, discord.Member)
                else better.get(user.id, user.display_name)
                for user in _told_of(message)
            },
        )

    async def spare(self, message: discord.Message) -> None:
        """Forget the names of those it mentions who let none be kept: they are read as someone."""
        key = _key(message.guild, message.channel.id)
        mentioned = [PersonId(user.id) for user in message.mentions if not user.bot]
        if not mentioned:
            return
        try:
            nameless = await self._spaces.nameless(SpaceId(key), mentioned)
        except errors.DatabaseDown:
            # What is said now is recorded when the database is back, as far as was known before.
            _log.warning("names.database_down")
            return
        for person_id in mentioned:
            self._nameless.pop((key, person_id), None)
        for person_id in nameless:
            self._nameless[key, person_id] = None
            self._of(key).pop(person_id, None)
        while len(self._nameless) > MOST_NAMELESS:
            self._nameless.popitem(last=False)

    def note_chosen(self, interaction: discord.Interaction[Any], channel: Channel) -> None:
        """Keep the names of whoever chose a command and of those its texts mention."""
        resolved = cast("Mapping[str, Any]", interaction.data or {}).get("resolved", {})
        members = resolved.get("members", {})
        names = {
            int(key): members.get(key, {}).get("nick") or user.get("global_name") or user["username"]
            for key, user in resolved.get("users", {}).items()
        }
        self._renew(_key(interaction.guild, channel.id), {interaction.user.id: interaction.user.display_name} | names)

    def mentioned(self, message: discord.Message) -> dict[str, PersonId]:
        """The people a message mentions, by the names that stand for them; of two of one name neither."""
        known = self._people.get(_key(message.guild, message.channel.id), {})
        named = [(known[user.id], PersonId(user.id)) for user in message.mentions if not user.bot and user.id in known]
        counts = collections.Counter(name for name, _ in named)
        return {name: who for name, who in named if counts[name] == 1}

    async def _learn_kept(self, key: int) -> None:
        try:
            kept = await self._spaces.people(SpaceId(key), most=MOST_PEOPLE)
        except errors.DatabaseDown:
            # Asked for again the next time; meanwhile those who speak are known.
            _log.warning("names.database_down")
            return
        self._add(key, kept.items())
        self._learnt.add(key)

    def _add(self, key: int, names: Iterable[tuple[int, str]]) -> None:
        """Adds people not known yet, as the least recently heard, as far as there is room."""
        people = self._of(key)
        for person_id, name in names:
            if len(people) < MOST_PEOPLE and person_id not in people and (key, person_id) not in self._nameless:
                people[person_id] = name
                people.move_to_end(person_id, last=False)

    def _renew(self, key: int, names: Names) -> None:
        """Marks these people as most recently heard."""
        people = self._of(key)
        for person_id, name in names.items():
            if (key, person_id) not in self._nameless:
                people[person_id] = name
                people.move_to_end(person_id)
        while len(people) > MOST_PEOPLE:
            people.popitem(last=False)

    def _of(self, key: int) -> collections.OrderedDict[int, str]:
        people = self._people.setdefault(key, collections.OrderedDict())
        self._people.move_to_end(key)
        while len(self._people) > MOST_GUILDS:
            self._learnt.discard(self._people.popitem(last=False)[0])
        return people

    def of(self, channel: Channel) -> Directory:
        """The names known in a channel, for a text that is read or written at once."""
        guild = channel.guild
        people = self._people.get(_key(guild, channel.id), {})
        if guild is None:
            return Directory(people=people)
        return Directory(
            people=people,
            channels=_Channels(guild, channel),
            roles=_Gathered(lambda: {role.id: role.name for role in guild.roles if not role.is_default()}),
            emoji=_Gathered(lambda: {emoji.id: (emoji.name, emoji.animated) for emoji in guild.emojis}),
        )


def _told_of(message: discord.Message) -> Sequence[discord.abc.User]:
    """The author of a message and the people it mentions."""
    return message.author, *message.mentions


def _key(guild: discord.Guild | None, channel_id: int) -> int:
    """The key under which a place's people are stored."""
    return guild.id if guild else channel_id


class _Gathered(Mapping[int, T]):
    """Names gathered lazily, on first use: few texts name a role or an emoji."""

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
    """The names of a guild's channels that readers here may know: the public ones and this one.

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
