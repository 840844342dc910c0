"""What the stores of other systems hold, in Hathi's words: what readers give and the writer takes."""

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from bot.domain import Source, Tier
from bot.text import sanitize

IMPORTANCE: Final = 5
"""Of what says nothing of how important it is: in the middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignChannel:
    """The channel a file names."""

    channel_id: int | None
    """None where only a name is given."""
    name: str
    origin_id: int | None = None
    """Of a public thread, the channel whose readers are its audience."""
    origin_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMessage:
    """A message that somebody said."""

    place: str
    """Where it stands in the file."""
    channel: ForeignChannel | None
    message_id: int
    author_id: int | None
    author: str
    content: str
    said_at: datetime
    edited_at: datetime | None = None
    reply_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMemory:
    """Something that was remembered."""

    place: str
    content: str
    origin: dict[str, Any]
    """Which one it is, over there: two of one origin are one."""
    also: dict[str, Any] = field(default_factory=dict[str, Any])
    """What else its metadata keep."""
    tier: Tier
    source: Source
    topic: str = ""
    room: str = "general"
    importance: int = IMPORTANCE
    tags: tuple[str, ...] = ()
    """The file's own, in its order; where it has none they are read from what people wrote."""
    is_written: bool = True
    """Whether people wrote it, and not a model: only their words tell tags."""
    entities: tuple[str, ...] = ()
    key_phrases: tuple[str, ...] = ()
    at: datetime | None = None
    """When it was said and saved; not known of every store."""
    last_used_at: datetime | None = None
    aged_at: datetime | None = None
    session: str | None = None
    """Which session it was made in, over there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignSummary:
    """What a session came to."""

    place: str
    text: str
    origin: dict[str, Any]
    session: str
    message_count: int
    model: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignChunk:
    """An entry of a discussion's ledger."""

    place: str
    discussion: str
    text: str
    last_hash: str
    """Of the last message it was made of."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignRoll:
    """A version of a discussion's rolling summary."""

    place: str
    discussion: str
    text: str
    last_hash: str
    """Of the last chunk it took in."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignNote:
    """A working note that still lives."""

    place: str
    text: str
    written_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignIdentity:
    """Who an assistant was told to be."""

    place: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """What is left out before anybody looks at the space, and why."""

    place: str
    kind: str
    """What it would have been: `message`, `memory`, …"""
    why: str


Found = (
    ForeignMessage
    | ForeignMemory
    | ForeignSummary
    | ForeignChunk
    | ForeignRoll
    | ForeignNote
    | ForeignIdentity
    | Unread
)
KINDS: Final[dict[type, str]] = {
    ForeignMessage: "message",
    ForeignMemory: "memory",
    ForeignSummary: "chat summary",
    ForeignChunk: "ledger entry",
    ForeignRoll: "rolling summary",
    ForeignNote: "note",
    ForeignIdentity: "identity text",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a path is."""

    name: str
    """In words: `DiscordChatExporter JSON`."""
    guild_id: int | None = None
    """The server a file says it is of; 0 of direct messages."""
    channel: ForeignChannel | None = None
    """The one channel a file says it is of."""
    names: tuple[str, ...] = field(default=())
    """Channels that are named in it by no id."""
    is_unplaced: bool = True
    """Whether anything in it names no channel at all."""


def clean(text: str) -> str:
    """A text as it can be stored, verbatim but for NUL and halves of letters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def title(text: object, otherwise: str = "") -> str:
    """A name or title on one line."""
    return sanitize.one_line(clean(str(text or ""))) or otherwise


def snowflake(value: object) -> int | None:
    """An id: a number, or the digits of one; none for anything else."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) < 2**63 else None


def digest(*told: object) -> str:
    """What tells things apart by all of this."""
    return hashlib.blake2b("\0".join(map(str, told)).encode("utf-8", "replace"), digest_size=16).hexdigest()


def moment(text: object, zone: tzinfo | None = UTC) -> datetime | None:
    """A time as ISO 8601 or SQL writes it, in that zone unless it names its own; none for anything else or before 2015.

    Without a zone it must name its own.
    """
    if not isinstance(text, str):
        return None
    try:
        at = datetime.fromisoformat(text.strip())
        at = at if at.tzinfo is not None else at.replace(tzinfo=zone)
        if at.tzinfo is None:
            return None
        at = at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at if _FIRST <= at <= _LAST else None


_DIGITS: Final = 19
_FIRST: Final = datetime(2015, 1, 1, tzinfo=UTC)
"""Where the time of ids begins."""
_LAST: Final = datetime(2200, 1, 1, tzinfo=UTC)
