"""A message of the simulated Discord, with what became of it."""

import re
import time
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from simcord.components import walk_components

from tests.discord_server import component_rules

if TYPE_CHECKING:
    from tests.discord_server.channels import Channel
    from tests.discord_server.guilds import Role
    from tests.discord_server.threads import Thread
    from tests.discord_server.users import User

MOST_EDITS: Final = 1000
EPHEMERAL: Final = 1 << 6
LOADING: Final = 1 << 7
HAS_THREAD: Final = 1 << 5
V2: Final = component_rules.V2
THREAD_CREATED: Final = 18
REPLY: Final = 19
COMMAND: Final = 20
THREAD_STARTER: Final = 21
WRITTEN: Final = frozenset({0, REPLY, COMMAND, 23})
"""The kinds somebody wrote; the others Discord writes itself."""
_USERS: Final = re.compile(r"<@!?(\d{5,20})>")
_ROLES: Final = re.compile(r"<@&(\d{5,20})>")
_EVERYONE: Final = re.compile(r"@(?:everyone|here)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One version of a message: its text, that of its components too, and when it was there (monotonic seconds)."""

    content: str
    embeds: tuple[Any, ...]
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that came with a message."""

    attachment_id: int
    filename: str
    content: bytes
    content_type: str = "application/octet-stream"
    description: str | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Message:
    """One message as it stands now; `edits` begins with its first version."""

    message_id: int
    channel: "Channel"
    author: "User"
    created_at: datetime
    content: str
    kind: int = 0
    flags: int = 0
    embeds: list[Any] = field(default_factory=list)
    components: list[Any] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    stickers: list[str] = field(default_factory=list)
    forwards: "Message | None" = None
    mentions: "list[User]" = field(default_factory=list)
    mention_roles: "list[Role]" = field(default_factory=list)
    mention_everyone: bool = False
    reference: dict[str, Any] | None = None
    referenced: "Message | None" = None
    nonce: str | int | None = None
    edited_at: datetime | None = None
    pinned: bool = False
    deleted: bool = False
    thread: "Thread | None" = None
    webhook: bool = False
    interaction: dict[str, Any] | None = None
    reactions: dict[str, list[int]] = field(default_factory=dict)
    at: float = field(default_factory=time.monotonic)
    edits: deque[Edit] = field(default_factory=lambda: deque(maxlen=MOST_EDITS))

    def keep_version(self) -> None:
        """Write down how the message reads now."""
        self.edits.append(Edit(content=self.text, embeds=tuple(self.embeds), at=time.monotonic()))

    @property
    def ephemeral(self) -> bool:
        """Whether only the person who interacted sees it."""
        return bool(self.flags & EPHEMERAL)

    @property
    def text(self) -> str:
        """What is to be read: its content, or the texts of its components."""
        return self.content or component_rules.shown_text(self.components)

    @property
    def custom_ids(self) -> list[str]:
        """The custom ids of its components, in order."""
        return [part["custom_id"] for part in walk_components(self.components) if "custom_id" in part]


def user_ids(content: str) -> list[int]:
    """The people a text mentions, in order, each once."""
    return list(dict.fromkeys(int(found) for found in _USERS.findall(content)))


def role_ids(content: str) -> list[int]:
    """The roles a text mentions, in order, each once."""
    return list(dict.fromkeys(int(found) for found in _ROLES.findall(content)))


def calls_everyone(content: str) -> bool:
    """Whether the text asks for everyone or everyone here."""
    return _EVERYONE.search(content) is not None
