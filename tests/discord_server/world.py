"""Everything the simulated Discord holds, and the one way by which a change is told."""

from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tests.discord_server import message_wire, wire
from tests.discord_server.changes import Changes
from tests.discord_server.channels import Channel, Kind
from tests.discord_server.clock import Snowflakes
from tests.discord_server.commands import Commands
from tests.discord_server.guilds import Guild, Member, Role
from tests.discord_server.permissions import CHATTING, EVERYONE, Permission
from tests.discord_server.users import User

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.discord_server.interactions import Interaction
    from tests.discord_server.messages import Message
    from tests.discord_server.threads import Thread

_LIMITED_FLAGS = {wire.Intent.PRESENCES: 1 << 13, wire.Intent.MEMBERS: 1 << 15, wire.Intent.CONTENT: 1 << 19}
"""The application flags of a bot in fewer than a hundred guilds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What the gateway is to tell: to which guild's shard, who may hear it, and how it reads without content."""

    name: str
    data: wire.Json
    guild_id: int | None
    intent: wire.Intent
    bare: wire.Json | None = None


class World:
    """Users, guilds and channels by id, with the bot they are simulated for."""

    def __init__(self, *, bot_name: str, privileged: wire.Intent) -> None:
        self.ids = Snowflakes()
        self.changes = Changes()
        self.base_url = ""
        self.privileged = privileged
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.threads: dict[int, Thread] = {}
        self.direct: dict[int, Channel] = {}
        self.interactions: dict[int, Interaction] = {}
        self.unindexed: deque[float] = deque()
        """The `retry_after` of each of the next searches for which the index is not there yet."""
        self.answer_within = timedelta(seconds=3)
        self.token_lives = timedelta(minutes=15)
        """How long an interaction waits for its first answer, and how long its token is good."""
        self.commands = Commands(self)
        self.bot = self.user(bot_name, bot=True)
        self.owner = self.user(f"maker of {bot_name}")
        self.application_id = self.bot.user_id
        self.listeners: list[Callable[[Event], None]] = []

    @property
    def application_flags(self) -> int:
        """What the portal grants, as flags."""
        return sum(flag for intent, flag in _LIMITED_FLAGS.items() if intent & self.privileged)

    # ---- making

    def user(self, name: str, *, bot: bool = False) -> User:
        """A new user."""
        user = User(world=self, user_id=self.ids.fresh(), name=name, display_name=name, bot=bot)
        self.users[user.user_id] = user
        return user

    def guild(
        self,
        name: str,
        *,
        owner: User | None = None,
        bot_permissions: Permission = CHATTING,
        with_bot: bool = True,
        guild_id: int | None = None,
        since: datetime | None = None,
    ) -> Guild:
        """A new guild; the bot is invited with the permissions of its own role, now or long `since`."""
        guild_id = guild_id or self.ids.guild()
        owner = owner or self.user(f"owner of {name}")
        guild = Guild(world=self, guild_id=guild_id, name=name, owner=owner)
        guild.roles[guild_id] = Role(role_id=guild_id, name="@everyone", permissions=EVERYONE)
        self.guilds[guild_id] = guild
        guild.members[owner.user_id] = Member(user=owner, joined_at=datetime.now(UTC))
        if with_bot:
            self.invite(guild, bot_permissions, since)
        return guild

    def invite(self, guild: Guild, bot_permissions: Permission = CHATTING, since: datetime | None = None) -> None:
        """Bring the bot into a guild; one it has been in `since` long ago is only available again."""
        role = Role(
            role_id=self.ids.fresh(),
            name=self.bot.name,
            permissions=bot_permissions,
            position=len(guild.roles),
            managed_by=self.bot,
        )
        guild.roles[role.role_id] = role
        member = guild.join(self.bot, roles=[role])
        member.joined_at = since or member.joined_at
        # The key itself tells a client that the guild is none it has just joined.
        known = {"unavailable": False} if since else {}
        self.emit("GUILD_CREATE", wire.guild_create(guild) | known, guild=guild, intent=wire.Intent.GUILDS)

    def direct_channel(self, user: User) -> Channel:
        """The direct messages between the bot and a user."""
        channel = self.direct.get(user.user_id)
        if channel is None:
            channel = Channel(world=self, channel_id=self.ids.fresh(), kind=Kind.DIRECT, name=user.name, recipient=user)
            self.direct[user.user_id] = self.channels[channel.channel_id] = channel
        return channel

    def interaction_by_token(self, token: str) -> "Interaction | None":
        """The interaction a webhook token belongs to, the newest looked at first."""
        return next((each for each in reversed(self.interactions.values()) if each.token == token), None)

    # ---- telling

    def emit(
        self,
        name: str,
        data: wire.Json,
        *,
        guild: Guild | None = None,
        channel: Channel | None = None,
        intent: wire.Intent = wire.Intent.NONE,
        bare: wire.Json | None = None,
    ) -> None:
        """Tell the bot, if it may know: it must be in the guild, and see the channel when one is named."""
        guild = channel.guild if channel is not None else guild
        inside = guild is None or self.bot.user_id in guild.members
        if inside and (channel is None or channel.sees(self.bot)):
            event = Event(name=name, data=data, guild_id=guild.guild_id if guild else None, intent=intent, bare=bare)
            for listener in self.listeners:
                listener(event)
        self.changes.tell()

    def tell_message(self, name: str, message: "Message") -> None:
        """Tell of a message that came or changed; an ephemeral one only the person sees."""
        if message.ephemeral:
            self.changes.tell()
            return
        bare = None if self.exempt(message) else message_wire.message_event(message, bare=True)
        self.emit(
            name,
            message_wire.message_event(message, bare=False),
            channel=message.channel,
            intent=wire.Intent.MESSAGES if message.channel.guild else wire.Intent.DIRECT_MESSAGES,
            bare=bare,
        )

    def exempt(self, message: "Message") -> bool:
        """Whether the bot is shown the content even without the privileged intent."""
        mine = message.author is self.bot or self.bot in message.mentions
        return mine or message.channel.guild is None

    def hides(self, message: "Message") -> bool:
        """Whether REST hides the content from the bot: the portal, not a connection, decides there."""
        return not self.privileged & wire.Intent.CONTENT and not self.exempt(message)
