"""Threads of the simulated Discord: how they begin, who is in them, when they are put away."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.discord_server import wire
from tests.discord_server.channels import Channel, Kind
from tests.discord_server.permissions import Permission

if TYPE_CHECKING:
    from tests.discord_server.users import User


@dataclass(slots=True, kw_only=True, eq=False)
class Thread(Channel):
    """A thread; its parent's overwrites count in it."""

    owner: "User"
    members: dict[int, datetime] = field(default_factory=dict)
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    auto_archive_minutes: int = 1440
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    archived_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    sent: int = 0
    starter_id: int | None = None

    @property
    def home(self) -> Channel:
        """The parent, whose overwrites count."""
        assert self.parent is not None
        return self.parent

    @property
    def needed_to_send(self) -> Permission:
        """The permission that allows to write in threads."""
        return Permission.SEND_MESSAGES_IN_THREADS

    def sees(self, user: "User") -> bool:
        """Whether a user can see the thread: a private one only its members and those who manage threads."""
        held = self.permissions(user)
        inside = self.kind is not Kind.PRIVATE_THREAD or user.user_id in self.members
        return bool(held & Permission.VIEW_CHANNEL) and (inside or bool(held & Permission.MANAGE_THREADS))

    def add(self, user: "User") -> None:
        """Take somebody into the thread."""
        if user.user_id in self.members:
            return
        self.members[user.user_id] = datetime.now(UTC)
        if user is self.world.bot:
            self.world.emit("THREAD_CREATE", self.as_seen_by_bot(), channel=self, intent=wire.Intent.GUILDS)
        self._tell_members(added=[wire.thread_member(self, user)], removed=[], about=user)

    def remove(self, user: "User") -> None:
        """Take somebody out of the thread."""
        # Told first: a bot that leaves a private thread hears nothing of it afterwards.
        left = self.members.pop(user.user_id, None)
        if left is not None:
            self._tell_members(added=[], removed=[str(user.user_id)], about=user)

    def _tell_members(self, *, added: list[wire.Json], removed: list[str], about: "User") -> None:
        assert self.guild is not None
        data: wire.Json = {
            "id": str(self.channel_id),
            "guild_id": str(self.guild.guild_id),
            "member_count": len(self.members),
            "added_members": added,
            "removed_member_ids": removed,
        }
        intent = wire.Intent.GUILDS if about is self.world.bot else wire.Intent.MEMBERS
        self.world.emit("THREAD_MEMBERS_UPDATE", data, guild=self.guild, intent=intent)

    def as_seen_by_bot(self) -> wire.Json:
        """The thread with the bot's own membership, if it has one."""
        data = wire.channel(self)
        if self.world.bot.user_id in self.members:
            data["member"] = wire.thread_member(self, self.world.bot)
        return data

    def change(
        self,
        *,
        name: str | None = None,
        topic: str | None = None,
        category: Channel | None = None,
        archived: bool | None = None,
        locked: bool | None = None,
    ) -> None:
        """Rename, archive, unarchive or lock the thread."""
        self.name = name or self.name
        if archived is not None and archived != self.archived:
            self.archived, self.archived_at = archived, datetime.now(UTC)
        self.locked = self.locked if locked is None else locked
        self.tell_change()

    def archive(self, *, locked: bool = False) -> None:
        """Put the thread away."""
        self.change(archived=True, locked=locked)

    def tell_change(self) -> None:
        """Tell the bot how the thread is now."""
        self.world.emit("THREAD_UPDATE", wire.channel(self), channel=self, intent=wire.Intent.GUILDS)

    def delete(self) -> None:
        """Remove the thread."""
        assert self.guild is not None
        data = {
            "id": str(self.channel_id),
            "guild_id": str(self.guild.guild_id),
            "parent_id": str(self.home.channel_id),
            "type": int(self.kind),
        }
        self.world.emit("THREAD_DELETE", data, channel=self, intent=wire.Intent.GUILDS)
        del self.world.threads[self.channel_id], self.world.channels[self.channel_id]
