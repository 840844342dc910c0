"""A channel of the simulated Discord: what is in it and who may do what there."""

import bisect
import enum
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from tests.discord_server import permissions, wire
from tests.discord_server.messages import WRITTEN
from tests.discord_server.permissions import Overwrite, Permission

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.discord_server.guilds import Guild, Target
    from tests.discord_server.messages import Message
    from tests.discord_server.threads import Thread
    from tests.discord_server.users import User
    from tests.discord_server.world import World

MOST_MESSAGES: Final = 100_000
MOST_NONCES: Final = 1000
Overwrites: TypeAlias = dict[int, Overwrite]
DIRECT: Final = (
    permissions.CHATTING & ~Permission.CREATE_PUBLIC_THREADS & ~Permission.SEND_MESSAGES_IN_THREADS
) | Permission.MENTION_EVERYONE


class Kind(enum.IntEnum):
    """Discord's channel types."""

    TEXT = 0
    DIRECT = 1
    VOICE = 2
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    FORUM = 15


_WITHOUT_MESSAGES: Final = frozenset({Kind.CATEGORY, Kind.FORUM})


@dataclass(slots=True, kw_only=True, eq=False)
class Channel:
    """A channel; `messages` are those there now, oldest first."""

    world: "World"
    channel_id: int
    kind: Kind
    name: str
    guild: "Guild | None" = None
    parent: "Channel | None" = None
    recipient: "User | None" = None
    position: int = 0
    topic: str | None = None
    nsfw: bool = False
    """Whether it is age-restricted."""
    overwrites: Overwrites = field(default_factory=dict)
    last_message_id: int | None = None
    typing: int = 0
    """How often the bot has shown that it types here."""
    nonces: "OrderedDict[tuple[int, str], Message]" = field(default_factory=OrderedDict)
    _messages: "dict[int, Message]" = field(default_factory=dict)

    @property
    def messages(self) -> "list[Message]":
        """What is in the channel now, oldest first."""
        return list(self._messages.values())

    def said_by(self, user: "User") -> "list[Message]":
        """What a user wrote here, oldest first, without the lines Discord writes itself."""
        return [each for each in self._messages.values() if each.author is user and each.kind in WRITTEN]

    @property
    def holds_messages(self) -> bool:
        """Whether messages can be sent here at all."""
        return self.kind not in _WITHOUT_MESSAGES

    @property
    def threads(self) -> "list[Thread]":
        """Its threads, archived ones too, oldest first."""
        return [thread for thread in self.world.threads.values() if thread.parent is self]

    @property
    def home(self) -> "Channel":
        """The channel whose overwrites count: itself, or a thread's parent."""
        return self

    @property
    def needed_to_send(self) -> Permission:
        """The permission that allows to write here."""
        return Permission.SEND_MESSAGES

    def permissions(self, user: "User") -> Permission:
        """What a user may do here."""
        if self.guild is None:
            return DIRECT if user in (self.recipient, self.world.bot) else Permission.NONE
        member = self.guild.members.get(user.user_id)
        if member is None:
            return Permission.NONE
        overwrites = self.home.overwrites
        return permissions.in_channel(
            self.guild.permissions(user),
            everyone=overwrites.get(self.guild.guild_id),
            roles=[overwrites[role.role_id] for role in member.roles if role.role_id in overwrites],
            member=overwrites.get(user.user_id),
            timed_out=member.timed_out,
        )

    def sees(self, user: "User") -> bool:
        """Whether a user can see the channel."""
        return bool(self.permissions(user) & Permission.VIEW_CHANNEL)

    # ---- messages

    def find(self, message_id: int) -> "Message | None":
        """One message that is there now."""
        return self._messages.get(message_id)

    def keep(self, message: "Message") -> None:
        """Take a message in; beyond the bound the oldest falls out."""
        self._messages[message.message_id] = message
        self.last_message_id = message.message_id
        if len(self._messages) > MOST_MESSAGES:
            del self._messages[next(iter(self._messages))]

    def renumber(self, message: "Message", message_id: int) -> None:
        """Give a message another id, and its place among the others by that."""
        self.lose(message)
        message.deleted, message.message_id = False, message_id
        self._messages = dict(sorted((self._messages | {message_id: message}).items()))

    def keep_nonce(self, message: "Message") -> None:
        """Remember what was sent under a nonce."""
        self.nonces[message.author.user_id, str(message.nonce)] = message
        if len(self.nonces) > MOST_NONCES:
            self.nonces.popitem(last=False)

    def lose(self, message: "Message") -> None:
        """Let go of a message."""
        message.deleted = True
        del self._messages[message.message_id]

    def page(
        self, *, before: int | None = None, after: int | None = None, around: int | None = None, limit: int = 50
    ) -> "list[Message]":
        """A page of history, newest first as Discord sends it."""
        ids = list(self._messages)
        if around is not None:
            middle, half = bisect.bisect_left(ids, around), limit // 2
            chosen = ids[max(0, middle - half) : max(0, middle - half) + limit]
        elif after is not None:
            first = bisect.bisect_right(ids, after)
            chosen = ids[first : first + limit]
        else:
            last = len(ids) if before is None else bisect.bisect_left(ids, before)
            chosen = ids[max(0, last - limit) : last]
        return [self._messages[message_id] for message_id in reversed(chosen)]

    # ---- what an administrator changes

    def change(self, *, name: str | None = None, topic: str | None = None, category: "Channel | None" = None) -> None:
        """Rename, describe or move the channel."""
        self.name = name or self.name
        self.topic = topic or self.topic
        self.parent = category or self.parent
        self.tell_change()

    def overwrite(self, target: "Target", overwrite: Overwrite | None) -> None:
        """Set what the channel allows and denies to a role or member; None takes the overwrite away."""
        seen = self.sees(self.world.bot)
        if overwrite is None:
            self.overwrites.pop(target.target_id, None)
        else:
            self.overwrites[target.target_id] = overwrite
        self.tell_change()
        if not seen and self.sees(self.world.bot):
            self.tell_threads()

    def set_overwrites(self, overwrites: "Mapping[Target, Overwrite]") -> None:
        """Replace all that the channel allows and denies."""
        self.overwrites = {target.target_id: overwrite for target, overwrite in overwrites.items()}
        self.tell_change()

    def tell_change(self) -> None:
        """Tell the bot how the channel is now."""
        self.world.emit("CHANNEL_UPDATE", wire.channel(self), guild=self.guild, intent=wire.Intent.GUILDS)

    def tell_threads(self) -> None:
        """A bot that gains a channel learns of the threads in it."""
        assert self.guild is not None
        threads = [thread for thread in self.threads if not thread.archived and thread.sees(self.world.bot)]
        data = {
            "guild_id": str(self.guild.guild_id),
            "channel_ids": [str(self.channel_id)],
            "threads": [wire.channel(thread) for thread in threads],
            "members": [wire.thread_member(t, self.world.bot) for t in threads if self.world.bot.user_id in t.members],
        }
        self.world.emit("THREAD_LIST_SYNC", data, guild=self.guild, intent=wire.Intent.GUILDS)

    def delete(self) -> None:
        """Remove the channel with its threads."""
        for thread in self.threads:
            del self.world.threads[thread.channel_id], self.world.channels[thread.channel_id]
        data = wire.channel(self)
        del self.world.channels[self.channel_id]
        if self.guild is not None:
            del self.guild.channels[self.channel_id]
        self.world.emit("CHANNEL_DELETE", data, guild=self.guild, intent=wire.Intent.GUILDS)
