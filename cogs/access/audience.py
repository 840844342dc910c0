"""Computes which channels' memories everyone who reads the asking channel may see, from Discord's live cache.

Nothing here makes requests, waits, or trusts events: at every call the state an answer rests on is compared with the
cache. The member list is not known (its intent is privileged), so a person is any set of roles and any member
overwrite.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, TypeAlias

import discord

from bot.domain import ChannelId

Place: TypeAlias = (
    discord.abc.GuildChannel | discord.Thread | discord.DMChannel | discord.GroupChannel | discord.PartialMessageable
)
"""Where something can be said."""

GUILDS_KEPT: Final = 256
"""Guilds whose answers are kept; past it the one asked longest ago is let go, and worked out anew when asked."""

_VIEW: Final = discord.Permissions(view_channel=True).value
_HISTORY: Final = discord.Permissions(read_message_history=True).value
_CONNECT: Final = discord.Permissions(connect=True).value
# Compared by type: to ask whether a channel is an instance of these takes far longer, for every channel at every call.
_VOCAL: Final = frozenset({discord.VoiceChannel, discord.StageChannel})
_ADMINISTRATOR: Final = discord.Permissions(administrator=True).value
_BITS: Final = (_VIEW, _HISTORY, _CONNECT)
_EVERY_BIT: Final = sum(_BITS)

_OF_ROLE: Final = 0
"""An overwrite's type, else 1: of a member."""
_overwrite: Final = attrgetter("id", "type", "allow", "deny")


def origin(channel: Place) -> ChannelId:
    """The channel a memory made here belongs to: the parent of a public thread or a post, else the place itself."""
    if isinstance(channel, discord.Thread) and not channel.is_private():
        return ChannelId(channel.parent_id)
    return ChannelId(channel.id)


def caller_rights(person: discord.abc.User, channel: Place) -> tuple[bool, bool]:
    """Whether a person is an admin here (Manage Guild), and a moderator here (Manage Messages).

    Both in direct messages; neither where the person's permissions are not known.
    """
    if isinstance(channel, discord.DMChannel):
        return True, True
    guild = channel.guild
    if guild is None or guild.unavailable or not isinstance(person, discord.Member) or person.guild.id != guild.id:
        return False, False
    home = _home(guild, channel)
    if home is None:
        return False, False
    rights = home.permissions_for(person)
    return rights.manage_guild, rights.manage_messages


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChannels:
    """What one member can read."""

    origins: tuple[ChannelId, ...]
    """Sorted."""
    moderated: frozenset[int]
    """Channels whose private threads they can read too."""


def readable(
    member: discord.Member, channels: Iterable[discord.abc.GuildChannel], threads: Iterable[discord.Thread] = ()
) -> OwnChannels:
    """What the member can read of a guild's channels and active threads, by the roles of the member's guild."""
    found: set[int] = set()
    moderated: set[int] = set()
    for channel in channels:
        rights = channel.permissions_for(member)
        if not isinstance(channel, discord.CategoryChannel) and not _needed(channel) & ~rights.value:
            found.add(channel.id)
            moderated |= {channel.id} if rights.manage_threads else set()
    found |= {thread.id for thread in threads if thread.is_private() and thread.parent_id in moderated}
    return OwnChannels(origins=tuple(ChannelId(key) for key in sorted(found)), moderated=frozenset(moderated))


class Audience:
    """Computes audiences, and caches them until roles or channels change."""

    def __init__(self, find_guild: Callable[[int], discord.Guild | None]) -> None:
        """`find_guild` looks into the cache: `Client.get_guild`."""
        self._find_guild = find_guild
        self._known: dict[int, _Doors] = {}

    def visible(self, channel: Place) -> tuple[ChannelId, ...]:
        """The origins, sorted, whose memories may be shown here; none when not all permissions are known.

        They are the place itself, and every channel that @everyone can read and nobody who sees this place can't.
        A private thread shows what its parent shows, as nobody is in it who does not see the parent.
        """
        if isinstance(channel, discord.abc.PrivateChannel):
            return (ChannelId(channel.id),)
        guild = self._at_hand(channel.guild)
        home = guild and _home(guild, channel)
        if guild is None or home is None or isinstance(home, discord.CategoryChannel):
            return ()
        return self._doors(guild).shown_in(ChannelId(home.id), origin(channel))

    def readable_by(self, member: discord.Member) -> tuple[ChannelId, ...]:
        """The origins, sorted, that this very member can read now; none when not all permissions are known.

        Of private threads only those they moderate: who else is in one is not told without the members intent.
        """
        guild = self._at_hand(member.guild)
        return () if guild is None else readable(member, guild.channels, guild.threads).origins

    def _at_hand(self, guild: discord.Guild | None) -> discord.Guild | None:
        """The guild as the cache holds it now, if its permissions are known."""
        known = guild and self._find_guild(guild.id)
        return None if known is None or known.unavailable or known.get_role(known.id) is None else known

    def _doors(self, guild: discord.Guild) -> "_Doors":
        layout = _layout(guild)
        doors = self._known.pop(guild.id, None)
        if doors is None or doors.layout != layout:
            doors = _Doors(layout)
        self._known[guild.id] = doors
        if len(self._known) > GUILDS_KEPT:
            del self._known[next(iter(self._known))]
        return doors


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """The state of a guild that an audience depends on; equal layouts have equal audiences.

    It is taken at every call, so what discord.py makes anew and never changes, an overwrite and the tags of a role, is
    held as it is: the same object says the same.
    """

    everyone: int
    owner: int | None
    own_user: int
    own_member: int | None
    roles: tuple[tuple[int, int, discord.RoleTags | None], ...]
    """Id, base permissions, and whose it is."""
    channels: tuple[tuple[int, int, bool, tuple[Any, ...]], ...]
    """Id, bits needed to read it, whether age-restricted, and its overwrites."""

    @property
    def own_role(self) -> int | None:
        """The role that came with Hathi, which nobody else can hold."""
        return next((key for key, _, tags in self.roles if tags and tags.bot_id == self.own_user), None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Door:
    """The permission rules of a channel, shared by channels with the same overwrites."""

    needed: int
    nsfw: bool
    open: int
    """What @everyone may here without any other role."""
    shut: int
    """What @everyone is denied here: then no role's base permissions give it, only an overwrite."""
    allowed: dict[int, int]
    denied: dict[int, int]
    """By role; where one role is allowed and denied the same, allowed wins, as it does on Discord."""
    members_allowed: dict[int, int]
    members_denied: dict[int, int]


class _Doors:
    """Which roles can enter which channels, in one layout of a guild."""

    def __init__(self, layout: _Layout) -> None:
        self.layout = layout
        signs = {
            ChannelId(key): (needed, nsfw, frozenset(map(_overwrite, overwrites)))
            for key, needed, nsfw, overwrites in layout.channels
        }
        # An overwrite's role that the cache does not know may be held by anybody and give them anything.
        named = {key for *_, rules in signs.values() for key, type_, *_ in rules if type_ == _OF_ROLE}
        base = dict.fromkeys(named, _EVERY_BIT) | {key: bits for key, bits, _ in layout.roles}
        self._everyone = base[layout.everyone]
        of_nobody_else = {layout.everyone, layout.own_role}
        self._roles = {
            key: bits for key, bits in base.items() if not bits & _ADMINISTRATOR and key not in of_nobody_else
        }
        """Base permissions of the roles a person can hold and still be kept out of a channel."""
        doors = {sign: self._door(*sign) for sign in signs.values()}
        self._door_of = {key: doors[sign] for key, sign in signs.items()}
        self._seen: dict[_Door, tuple[frozenset[ChannelId], tuple[ChannelId, ...]]] = {}

    def shown_in(self, home: ChannelId, origin: ChannelId) -> tuple[ChannelId, ...]:
        """The origins, sorted, that may be shown in a place of that origin whose permissions are those of `home`.

        They are the two, and all public channels that nobody who sees `home` is kept out of.
        """
        known, shown = self._seen_from(self._door_of[home])
        return shown if home in known and origin in known else tuple(sorted({*known, home, origin}))

    def _seen_from(self, here: _Door) -> tuple[frozenset[ChannelId], tuple[ChannelId, ...]]:
        """The channels that are public to all who see a place, as a set and sorted."""
        if here not in self._seen:
            shown = {other for other in set(self._door_of.values()) if self._shows(here, other)}
            keys = sorted(key for key, other in self._door_of.items() if other in shown)
            self._seen[here] = frozenset(keys), tuple(keys)
        return self._seen[here]

    def _door(self, needed: int, nsfw: bool, rules: Iterable[tuple[int, ...]]) -> _Door:  # noqa: FBT001 - of a sign
        layout, allow_all, deny_all = self.layout, 0, 0
        allowed: tuple[dict[int, int], dict[int, int]] = ({}, {})
        denied: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for key, type_, allow, deny in rules:
            if key == layout.everyone:
                allow_all, deny_all = allow, deny
            elif key in self._roles if type_ == _OF_ROLE else key not in {layout.owner, layout.own_member}:
                allowed[type_][key], denied[type_][key] = allow, deny & ~allow
        return _Door(
            needed=needed,
            nsfw=nsfw,
            open=self._everyone & ~deny_all | allow_all,
            shut=deny_all,
            allowed=allowed[0],
            denied=denied[0],
            members_allowed=allowed[1],
            members_denied=denied[1],
        )

    def _shows(self, here: _Door, other: _Door) -> bool:
        """Whether the other channel is public, and readable for everyone who sees this one.

        To see what is said as it is said takes only View Channel: fewer permissions than to read, so more people.
        A timeout is not counted: it passes, and would keep the chats of voice channels from everywhere for good.
        """
        if other.nsfw and not here.nsfw:
            return False
        if self._everyone & _ADMINISTRATOR:
            return True
        return not other.needed & ~other.open and not any(
            self._loses_by_roles(here, other, bit) or self._loses_as_member(here, other, bit)
            for bit in _BITS
            if bit & other.needed
        )

    def _loses_by_roles(self, here: _Door, other: _Door, bit: int) -> bool:
        """Whether some set of roles sees this channel and lacks a permission in the other.

        Exact with one or two roles. The other is public, so a set lacks the bit only if one of its roles is denied it
        there and none is allowed it. Of such a set that sees here, keep the denied role and one that lets it see here
        (allowed by overwrite, or by base permissions where nobody is denied): with the rest go only allowances in the
        other and denials here, so the two still see here and still lack the bit.
        """
        denied = _with(other.denied, bit)
        if not denied:
            return False
        if any(not other.allowed.get(role, 0) & bit for role in _with(here.allowed, _VIEW)):
            return True
        if all(here.denied.get(role, 0) & _VIEW for role in denied):
            return False
        return bool(here.open & _VIEW) or any(
            not other.allowed.get(role, 0) & bit for role in self._seeing_by_base(here)
        )

    def _loses_as_member(self, here: _Door, other: _Door, bit: int) -> bool:
        """Whether a member with an overwrite of their own sees this channel and lacks a permission in the other.

        Their roles are not known, so they may be any. Without an overwrite in either they are anybody else.
        """
        for member in _with(other.members_denied, bit):
            if not here.members_denied.get(member, 0) & _VIEW and (
                here.members_allowed.get(member, 0) & _VIEW or self._seen_by_anyone(here)
            ):
                return True
        return bool(_with(other.denied, bit)) and any(
            not other.members_allowed.get(member, 0) & bit for member in _with(here.members_allowed, _VIEW)
        )

    def _seen_by_anyone(self, here: _Door) -> bool:
        return bool(here.open & _VIEW or _with(here.allowed, _VIEW) or self._seeing_by_base(here))

    def _seeing_by_base(self, here: _Door) -> list[int]:
        """Roles that alone see here by their base permissions."""
        if here.shut & _VIEW:
            return []
        return [role for role in _with(self._roles, _VIEW) if not here.denied.get(role, 0) & _VIEW]


def _with(permissions: dict[int, int], bit: int) -> list[int]:
    return [key for key, bits in permissions.items() if bits & bit]


def _layout(guild: discord.Guild) -> _Layout:
    own_member: discord.Member | None = guild.me
    # The public properties sort the roles, and build an object for every bit of every overwrite: far too slow for each
    # message.
    return _Layout(
        everyone=guild.id,
        owner=guild.owner_id,
        own_user=guild._state.self_id or 0,  # noqa: SLF001
        own_member=own_member.id if own_member else None,
        roles=tuple((role.id, role._permissions, role.tags) for role in guild._roles.values()),  # noqa: SLF001
        channels=tuple(
            (channel.id, _needed(channel), channel.nsfw, tuple(channel._overwrites))  # noqa: SLF001
            for channel in guild.channels
            if not isinstance(channel, discord.CategoryChannel)
        ),
    )


def _needed(channel: discord.abc.GuildChannel) -> int:
    """The permissions needed to read a channel; for the chat of a voice channel also Connect."""
    return _EVERY_BIT if type(channel) in _VOCAL else _VIEW | _HISTORY


def _home(guild: discord.Guild, channel: Place) -> "discord.guild.GuildChannel | None":
    """The cached channel whose permissions apply: a thread has none of its own."""
    return guild.get_channel(channel.parent_id if isinstance(channel, discord.Thread) else channel.id)
