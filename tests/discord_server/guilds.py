"""A guild of the simulated Discord: its roles, members and channels, and what an administrator changes in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from tests.discord_server import permissions, wire
from tests.discord_server.channels import Channel, Kind, Overwrites
from tests.discord_server.permissions import Overwrite, Permission

if TYPE_CHECKING:
    from tests.discord_server.users import User
    from tests.discord_server.world import World

_HIDDEN = Overwrite(deny=Permission.VIEW_CHANNEL)


@dataclass(slots=True, kw_only=True, eq=False)
class Role:
    """A role; the one named @everyone bears the guild's id."""

    role_id: int
    name: str
    permissions: Permission
    position: int = 0
    managed_by: "User | None" = None
    mentionable: bool = False

    @property
    def target_id(self) -> int:
        """The id an overwrite is filed under."""
        return self.role_id


@dataclass(slots=True, kw_only=True, eq=False)
class Member:
    """A user in a guild."""

    user: "User"
    joined_at: datetime
    roles: list[Role] = field(default_factory=list)
    nick: str | None = None
    timed_out_until: datetime | None = None

    @property
    def timed_out(self) -> bool:
        """Whether the member may only look for now."""
        return self.timed_out_until is not None and self.timed_out_until > datetime.now(UTC)


Target: TypeAlias = "Role | User"


@dataclass(slots=True, kw_only=True, eq=False)
class Guild:
    """A guild, as an administrator holds it."""

    world: "World"
    guild_id: int
    name: str
    owner: "User"
    roles: dict[int, Role] = field(default_factory=dict)
    members: "dict[int, Member]" = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    locale: str = "en-US"
    unavailable: bool = False
    told_members: int | None = None
    """How many members Discord tells of, where that is not those who are there."""
    notices: Channel | None = None
    """Where Discord tells who has joined."""

    @property
    def everyone(self) -> Role:
        """The role all members have."""
        return self.roles[self.guild_id]

    @property
    def bot_role(self) -> Role:
        """The role Discord made for the bot when it was invited."""
        return next(role for role in self.roles.values() if role.managed_by is self.world.bot)

    def permissions(self, user: "User") -> Permission:
        """What a user may do where no channel says otherwise; nothing for a stranger."""
        member = self.members.get(user.user_id)
        if member is None:
            return Permission.NONE
        return permissions.in_guild(
            owner=user is self.owner,
            everyone=self.everyone.permissions,
            roles=[role.permissions for role in member.roles],
        )

    # ---- channels

    def text_channel(
        self,
        name: str,
        *,
        overwrites: "Mapping[Target, Overwrite] | None" = None,
        category: Channel | None = None,
        nsfw: bool = False,
    ) -> Channel:
        """A new text channel; without overwrites of its own it takes its category's."""
        return self._channel(Kind.TEXT, name, overwrites, category, nsfw=nsfw)

    def announcements(self, name: str, *, category: Channel | None = None) -> Channel:
        """A new announcement channel."""
        return self._channel(Kind.ANNOUNCEMENT, name, None, category)

    def forum(self, name: str, *, overwrites: "Mapping[Target, Overwrite] | None" = None) -> Channel:
        """A new forum."""
        return self._channel(Kind.FORUM, name, overwrites, None)

    def category(self, name: str, *, overwrites: "Mapping[Target, Overwrite] | None" = None) -> Channel:
        """A new category."""
        return self._channel(Kind.CATEGORY, name, overwrites, None)

    def voice_channel(self, name: str) -> Channel:
        """A new voice channel, which has a text side too."""
        return self._channel(Kind.VOICE, name, None, None)

    def private_channel(self, name: str, *, seen_by: "Iterable[Target]") -> Channel:
        """A text channel that only those named and the bot can see."""
        seen = Overwrite(allow=Permission.VIEW_CHANNEL)
        overwrites: dict[Target, Overwrite] = {self.everyone: _HIDDEN, self.world.bot: seen}
        return self._channel(Kind.TEXT, name, overwrites | dict.fromkeys(seen_by, seen), None)

    def _channel(
        self,
        kind: Kind,
        name: str,
        overwrites: "Mapping[Target, Overwrite] | None",
        category: Channel | None,
        *,
        nsfw: bool = False,
    ) -> Channel:
        kept: Overwrites = {}
        if overwrites is not None:
            kept = {target.target_id: overwrite for target, overwrite in overwrites.items()}
        elif category is not None:
            kept = dict(category.overwrites)
        channel = Channel(
            world=self.world,
            channel_id=self.world.ids.fresh(),
            kind=kind,
            name=name,
            guild=self,
            parent=category,
            position=len(self.channels),
            nsfw=nsfw,
            overwrites=kept,
        )
        self.channels[channel.channel_id] = self.world.channels[channel.channel_id] = channel
        self.world.emit("CHANNEL_CREATE", wire.channel(channel), guild=self, intent=wire.Intent.GUILDS)
        return channel

    # ---- roles and members

    def role(self, name: str, granted: Permission = Permission.NONE) -> Role:
        """A new role."""
        role = Role(role_id=self.world.ids.fresh(), name=name, permissions=granted, position=len(self.roles))
        self.roles[role.role_id] = role
        self.tell_role("GUILD_ROLE_CREATE", role)
        return role

    def change_role(self, role: Role, granted: Permission) -> None:
        """Give a role other permissions."""
        role.permissions = granted
        self.tell_role("GUILD_ROLE_UPDATE", role)

    def delete_role(self, role: Role) -> None:
        """Remove a role from the guild and everybody in it."""
        del self.roles[role.role_id]
        for member in self.members.values():
            if role in member.roles:
                member.roles.remove(role)
        data = {"guild_id": str(self.guild_id), "role_id": str(role.role_id)}
        self.world.emit("GUILD_ROLE_DELETE", data, guild=self, intent=wire.Intent.GUILDS)

    def tell_role(self, event: str, role: Role) -> None:
        """Who is in the guild learns of a role."""
        data = {"guild_id": str(self.guild_id), "role": wire.role(role)}
        self.world.emit(event, data, guild=self, intent=wire.Intent.GUILDS)

    def join(self, user: "User", *, roles: Iterable[Role] = (), nick: str | None = None) -> Member:
        """The user as a new member."""
        member = Member(user=user, joined_at=datetime.now(UTC), roles=list(roles), nick=nick)
        self.members[user.user_id] = member
        if user is not self.world.bot:
            data = wire.member(member) | {"guild_id": str(self.guild_id)}
            self.world.emit("GUILD_MEMBER_ADD", data, guild=self, intent=wire.Intent.MEMBERS)
        return member

    def leave(self, user: "User") -> None:
        """The user leaves, or is removed; when it is the bot, it loses the guild."""
        if user is self.world.bot:
            # Told while the bot is still a member: afterwards nothing of the guild reaches it.
            self.world.emit("GUILD_DELETE", {"id": str(self.guild_id)}, guild=self, intent=wire.Intent.GUILDS)
            del self.members[user.user_id], self.roles[self.bot_role.role_id]
            return
        del self.members[user.user_id]
        data = {"guild_id": str(self.guild_id), "user": wire.user(user)}
        self.world.emit("GUILD_MEMBER_REMOVE", data, guild=self, intent=wire.Intent.MEMBERS)

    def change_member(
        self,
        user: "User",
        *,
        roles: Iterable[Role] | None = None,
        nick: str | None = None,
        timed_out_until: datetime | None = None,
    ) -> None:
        """Give a member other roles, another name here, or a time-out."""
        member = self.members[user.user_id]
        member.roles = member.roles if roles is None else list(roles)
        member.nick = nick or member.nick
        member.timed_out_until = timed_out_until
        data = wire.member(member) | {"guild_id": str(self.guild_id)}
        # The bot hears of itself without the privileged intent.
        intent = wire.Intent.GUILDS if user is self.world.bot else wire.Intent.MEMBERS
        self.world.emit("GUILD_MEMBER_UPDATE", data, guild=self, intent=intent)

    # ---- the guild itself

    def rename(self, name: str) -> None:
        """Give the guild another name."""
        self.name = name
        self.world.emit("GUILD_UPDATE", wire.guild(self), guild=self, intent=wire.Intent.GUILDS)

    def outage(self) -> None:
        """The guild becomes unavailable, as in an outage of Discord's."""
        self.unavailable = True
        data = {"id": str(self.guild_id), "unavailable": True}
        self.world.emit("GUILD_DELETE", data, guild=self, intent=wire.Intent.GUILDS)

    def recover(self) -> None:
        """The guild becomes available again."""
        self.unavailable = False
        # The key itself tells a client that it knew the guild before; one newly joined comes without it.
        data = wire.guild_create(self) | {"unavailable": False}
        self.world.emit("GUILD_CREATE", data, guild=self, intent=wire.Intent.GUILDS)
