"""The lines of an export file: one model for each kind, checked strictly at import."""

from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from bot.text.sanitize import counted

VERSION: Final = 1
"""Of the format; a file of a later one is refused."""

_Id = Annotated[int, Field(gt=-(2**63), lt=2**63)]
"""The least number there is stands before every row when an export begins to page."""
_Number = Annotated[int, Field(gt=-(2**63), lt=2**62)]
"""Of a memory: the next ones count up from the greatest, and must be numbers of Postgres as well."""
_Count = Annotated[int, Field(ge=0, lt=2**30)]
"""The same for what is counted further."""
_Time = Annotated[AwareDatetime, Field(ge=datetime(1970, 1, 1, tzinfo=UTC), le=datetime(2200, 1, 1, tzinfo=UTC))]
"""Every zone can tell it, and what is reckoned from it is a time as well."""
_Hash = Annotated[str, Field(pattern=r"^\\x(?:[0-9a-f]{2})*$")]
_Chosen = Annotated[list[_Id], Field(max_length=50)]
_Importance = Annotated[int, Field(ge=1, le=10)]


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def row(self) -> dict[str, Any]:
        """The columns, as JSON has them."""
        return self.model_dump(mode="json", exclude={"kind"})


class Header(_Line):
    """The first line."""

    hathi_export: Literal[1]
    space_id: _Id
    exported_at: _Time
    counts: dict[str, int]
    """Lines of each kind."""


class End(_Line):
    """The last line; a file without it was cut."""

    kind: Literal["end"]
    lines: int
    """Of the whole file, this one too."""


class Space(_Line):
    """The space itself."""

    kind: Literal["space"]
    language: str
    time_zone: str
    prefix: str
    settings: Any
    memory_count: Annotated[_Number, Field(ge=0)]
    created_at: _Time
    introduced_at: _Time | None = None
    direct_at: _Time | None = None
    roles_allowed: _Chosen = []
    roles_blocked: _Chosen = []
    channels_allowed: _Chosen = []
    channels_blocked: _Chosen = []


class Channel(_Line):
    """A channel or thread, whose readers are its audience, and which session is open in it."""

    kind: Literal["channel"]
    channel_id: _Id
    name: str
    mode: Literal["off", "explicit", "addressed", "all"]
    open_session_id: _Id | None
    session_count: _Count
    last_message_id: _Id | None
    ledger_through: _Id | None
    ledger_hash: _Hash | None = None
    facts_through: _Id | None
    facts_hash: _Hash | None = None
    makes: Annotated[list[Literal["ledger", "facts"]], Field(min_length=1, max_length=2)] | None = None
    workflow: Annotated[str, Field(max_length=64)] | None = None
    created_at: _Time
    origin_id: _Id | None = None
    enabled: bool = False
    around: Annotated[int, Field(ge=0, le=50)] | None = None
    mode_since: _Id | None = None
    threads: bool = False


class PlaceSettingRecord(_Line):
    """What admins chose for a channel, or with the number 0 for the whole space."""

    kind: Literal["place_setting"]
    channel_id: _Id
    name: Annotated[str, Field(min_length=1, max_length=64)]
    value: Annotated[str, Field(min_length=1, max_length=8000)]
    set_by: _Id | None
    set_at: _Time


class Person(_Line):
    """What a person who was met in the space wants."""

    kind: Literal["person"]
    person_id: _Id
    opted_out_at: _Time | None
    told_at: _Time | None
    erased_at: _Time | None = None


class Member(_Line):
    """A name a person had in the space."""

    kind: Literal["member"]
    person_id: _Id
    name: str
    first_seen_at: _Time
    last_seen_at: _Time


class Session(_Line):
    """A session."""

    kind: Literal["session"]
    session_id: _Id
    channel_id: _Id
    number: _Count
    state: Literal["open", "closed", "summarised", "discarded"]
    opened_at: _Time
    closed_at: _Time | None
    closed_by: _Id | None
    first_message_id: _Id | None
    last_message_id: _Id | None
    message_count: _Count
    fact_count: _Count
    attempts: _Count
    next_attempt_at: _Time | None
    undone_at: _Time | None
    was_reset: bool | None = None
    notice_place_id: _Id | None = None
    notice_id: _Id | None = None


class MessageRecord(_Line):
    """A message, verbatim."""

    kind: Literal["message"]
    message_id: _Id
    channel_id: _Id
    session_id: _Id
    role: Literal["person", "hathi"]
    author_id: _Id | None
    author: str
    content: str
    reply_to: _Id | None
    cut_off: bool
    said_at: _Time
    edited_at: _Time | None
    place_id: _Id | None = None


class AttachmentRecord(_Line):
    """A file that came with a message, as it was read."""

    kind: Literal["attachment"]
    message_id: _Id
    attachment_id: _Id
    channel_id: _Id
    name: str
    called: list[str]
    content_type: str | None
    size: Annotated[int, Field(ge=0, lt=2**63)]
    state: Literal["text", "unreadable", "too_large", "failed"]
    content: str
    read_at: _Time


class FinishedTurn(_Line):
    """A finished turn: what led to a reply."""

    kind: Literal["turn"]
    turn_id: _Id
    channel_id: _Id
    session_id: _Id
    asker_id: _Id
    state: Literal["answered", "failed"]
    reply_ids: list[_Id]
    shown: list[_Id]
    stock: str | None = None
    trail: Any
    model: str | None
    tokens_in: _Count
    tokens_out: _Count
    durations: Any
    failure: str | None
    recorded_at: _Time
    answered_at: _Time | None
    made_from: list[_Id] = []


class ChatSummary(_Line):
    """What a reset wrote about a session, or a version of a channel's rolling summary."""

    kind: Literal["chat_summary"]
    summary_id: _Id
    channel_id: _Id
    session_id: _Id | None
    chunk_id: _Id | None = None
    text: str
    raw: str
    message_count: _Count
    model: str
    created_at: _Time


class ChunkRecord(_Line):
    """An entry of a channel's ledger: what a run of messages came to."""

    kind: Literal["chunk"]
    chunk_id: _Id
    channel_id: _Id
    session_id: _Id
    first_message_id: _Id
    last_hash: _Hash
    messages: list[_Id]
    people: list[_Id]
    text: str
    model: str
    created_at: _Time


class MemoryRecord(_Line):
    """A memory of either tier, superseded ones too."""

    kind: Literal["memory"]
    memory_id: _Number
    tier: Literal["short", "long"]
    room: str
    topic: str
    content: Annotated[str, Field(min_length=1)]
    importance: _Importance
    importance_set: _Importance
    source: Literal["summary", "user", "directive"]
    tags: list[str]
    entities: list[str]
    key_phrases: list[str]
    metadata: Any
    subject_id: _Id | None
    author_id: _Id | None
    author: str | None
    channel_id: _Id
    session_id: _Id | None
    evidence: list[_Id]
    made_from: list[_Id] = []
    seen_count: _Count
    pinned: bool
    created_at: _Time
    said_at: _Time
    reinforced_at: _Time
    last_used_at: _Time
    aged_at: _Time | None
    superseded_by: _Id | None
    superseded_at: _Time | None = None


class Event(_Line):
    """What happened to a memory; in the order it happened."""

    kind: Literal["event"]
    memory_id: _Id
    change: Literal[
        "saved",
        "merged",
        "superseded",
        "aged",
        "decayed",
        "promoted",
        "pinned",
        "unpinned",
        "forgotten",
        "restored",
        "moved",
    ]
    actor: Literal["person", "model", "summary", "job", "import"]
    actor_id: _Id | None
    reason: str | None
    before: Any
    at: _Time


class Tombstone(_Line):
    """What stays forgotten: the messages it rested on, and a hash whose key stays behind."""

    kind: Literal["tombstone"]
    memory_id: _Id
    channel_id: _Id
    evidence: list[_Id]
    content_mac: _Hash
    at: _Time


Record = (
    Space
    | Channel
    | PlaceSettingRecord
    | Person
    | Member
    | Session
    | MessageRecord
    | AttachmentRecord
    | FinishedTurn
    | ChatSummary
    | ChunkRecord
    | MemoryRecord
    | Event
    | Tombstone
)
KINDS: Final[dict[str, type[Record]]] = {
    "space": Space,
    "channel": Channel,
    "place_setting": PlaceSettingRecord,
    "person": Person,
    "member": Member,
    "session": Session,
    "message": MessageRecord,
    "attachment": AttachmentRecord,
    "turn": FinishedTurn,
    "chat_summary": ChatSummary,
    "chunk": ChunkRecord,
    "memory": MemoryRecord,
    "event": Event,
    "tombstone": Tombstone,
}
"""In the order of the file."""
LINE: Final[TypeAdapter[Record | End]] = TypeAdapter(Annotated[Record | End, Field(discriminator="kind")])


def told(counts: dict[str, int]) -> str:
    """What a file holds, in a few words: "12 memories, 40 messages, 3 sessions"."""
    return ", ".join(counted(counts[one], one) for one in ("memory", "message", "session"))
