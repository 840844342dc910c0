"""The types that all packages share: ids and frozen records; no I/O."""

import itertools
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple, NewType

from bot import catalogue

SpaceId = NewType("SpaceId", int)
ChannelId = NewType("ChannelId", int)
PersonId = NewType("PersonId", int)
MessageId = NewType("MessageId", int)
SessionId = NewType("SessionId", int)
MemoryId = NewType("MemoryId", int)
WorkerId = NewType("WorkerId", str)

Mentions = Mapping[str, PersonId]
"""People by the names that stand for their mentions, behind an @."""
NOBODY: Final[Mentions] = MappingProxyType({})
"""That nobody is mentioned."""

TERMINAL_SPACE: Final = SpaceId(0)
TERMINAL_CHANNEL: Final = ChannelId(0)
TERMINAL_PERSON: Final = PersonId(0)

NOTHING_FOUND: Final = catalogue.later("I don't have this in my memory.")
"""The one sentence for a search that found nothing."""

ELSEWHERE: Final = "(answered from messages on Discord that are not kept here)"
"""What is stored of an answer that was made from what is not, before the links to that."""

UNDO_WINDOW: Final = timedelta(minutes=10)
ROOMS: Final = ("projects", "people", "architecture", "config", "decisions", "preferences", "procedures", "general")
"""The rooms that are known from the beginning; a person may name others."""

_EPOCH_MS: Final = 1_420_070_400_000
"""Discord's epoch (first second of 2015), so own ids and snowflakes sort on one time line."""
ID_SALT: Final = int.from_bytes(os.urandom(2)) & 0x3FF
"""What tells this process's ids from another's of the same moment."""
_id_counter = itertools.count()
_made = [0, 0]
# The one thing a process counts for itself, with the millisecond it was last asked for: ids made in the same one keep
# the order they were made in, also where the counter begins anew, or the millisecond has no room for more.


def new_id(at: datetime) -> int:
    """A time-ordered positive 63-bit id: milliseconds since Discord's epoch, then a process salt and a counter.

    Laid out as a Discord snowflake (41 bits of time above 22 others), so ids of both kinds compare by time.
    """
    ms = max(0, int(at.timestamp() * 1000) - _EPOCH_MS)
    made = ms << 22 | ID_SALT << 12 | next(_id_counter) & 0xFFF
    last, asked_for = _made
    if asked_for <= ms <= last >> 22:
        made = max(made, last + 1)
    _made[:] = made, ms
    return made


def first_id(at: datetime) -> int:
    """The least id of a moment: of those given then only its time."""
    return max(0, int(at.timestamp() * 1000) - _EPOCH_MS) << 22


def ids_in(span: timedelta) -> int:
    """The distance of two ids given that long apart."""
    return int(span.total_seconds() * 1000) << 22


def id_time(of: int) -> datetime:
    """When an id was given, by Discord or by `new_id`."""
    return datetime.fromtimestamp(((of >> 22) + _EPOCH_MS) / 1000, UTC)


class Tier(StrEnum):
    """The tier of a memory: hot and possibly injected, or cold and recalled on demand."""

    SHORT = "short"
    LONG = "long"


class What(StrEnum):
    """What a sentence does, as far as it is known."""

    DECIDED = "decided"
    PLANNED = "planned"
    ASKED = "asked"
    SAID = "said"


class Source(StrEnum):
    """How a memory came to be."""

    SUMMARY = "summary"
    USER = "user"
    DIRECTIVE = "directive"


class Strategy(StrEnum):
    """How a recall ranks its results."""

    RANKED = "ranked"
    LITERAL = "literal"
    KEYWORDS = "keywords"


class Layer(StrEnum):
    """A source of answers, in the order in which they are asked."""

    IDENTITY = "L0"
    PALACE = "L1"
    SCRATCHPAD = "L2"
    ARTIFACTS = "L3"
    PROCEDURES = "L4"
    GENERATION = "L5"


class Role(StrEnum):
    """Who said a message."""

    PERSON = "person"
    HATHI = "hathi"


class Stock(StrEnum):
    """The kinds of Hathi's set texts, which are no evidence, not to be kept, and not shown to models."""

    CLOSING = "closing"
    KEPT = "kept"
    """What was kept, or why nothing was."""
    FORGOTTEN = "forgotten"
    ASKED = "asked"
    """Whether what it lists is to be forgotten."""
    LISTED = "listed"
    GREETING = "greeting"
    WHO = "who"
    HELP = "help"
    HEARD = "heard"
    NOTHING = "nothing"
    """That memory has nothing."""
    FAILED = "failed"
    OTHER = "other"
    """Not known which."""


class ModelRole(StrEnum):
    """What a model is used for."""

    REASONING = "reasoning"
    EXECUTION = "execution"
    SUMMARIZER = "summarizer"


class MemoryPart(StrEnum):
    """What is made of a run of messages."""

    LEDGER = "ledger"
    FACTS = "facts"


class PlaceSetting(StrEnum):
    """What admins may choose for a place: for a channel, or for a whole space."""

    MODEL = "model"
    """The model that answers."""
    PERSONA = "persona"
    """As whom."""
    WORKFLOWS = "workflows"
    """Which may be run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChoices:
    """What admins chose where something is said, by what it is for."""

    here: Mapping[str, str] = field(default_factory=dict[str, str])
    """For the channel with its public threads."""
    everywhere: Mapping[str, str] = field(default_factory=dict[str, str])
    """For the whole space."""


class Actor(StrEnum):
    """Who changed a memory, as recorded in the memory's events."""

    PERSON = "person"
    MODEL = "model"
    SUMMARY = "summary"
    JOB = "job"
    IMPORT = "import"


class Right(StrEnum):
    """The right a command needs, by the name Discord shows for the permission."""

    MANAGE_MESSAGES = catalogue.later("Manage Messages")
    MANAGE_GUILD = catalogue.later("Manage Server")


class Access(StrEnum):
    """What whoever speaks may do with memory."""

    READ = "read"
    WRITE = "write"
    READ_WRITE = "read-write"
    PROMPT = "prompt"
    """Sees of it only what somebody else read and handed over."""
    NONE = "none"

    @property
    def reads(self) -> bool:
        """Whether it may be looked into: by recall, Active Memory or tools."""
        return self in {Access.READ, Access.READ_WRITE}

    @property
    def writes(self) -> bool:
        """Whether something may be kept."""
        return self in {Access.WRITE, Access.READ_WRITE}

    @property
    def is_given(self) -> bool:
        """Whether what another read of it may be handed over."""
        return self is not Access.NONE

    def with_(self, other: "Access") -> "Access":
        """What both together may do."""
        if self.writes or other.writes:
            return Access.READ_WRITE if self.reads or other.reads else Access.WRITE
        return next((one for one in (Access.READ, Access.PROMPT) if one in {self, other}), Access.NONE)


class KeptOut(StrEnum):
    """Why somebody is not answered."""

    ROLE = "role"
    """The admins chose who is, by roles."""
    CHANNEL = "channel"
    """And where."""
    SERVER = "server"
    """Whoever runs Hathi chose its servers."""
    DIRECT = "direct"
    """And that direct messages are not answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The person who asks, where they ask, and what everyone who will read the answer may see."""

    space_id: SpaceId
    channel_id: ChannelId
    person_id: PersonId
    name: str
    is_admin: bool
    """Whether they may manage the space."""
    is_moderator: bool = False
    """Whether they may manage the channel's messages."""
    visible: tuple[ChannelId, ...]
    """Channels that everyone in the asking channel can read; empty when no permission is known."""
    is_direct: bool = False
    """Whether they talk to Hathi in direct messages; such a space is its one channel."""
    reads_alone: bool = False
    """Whether nobody else will read the answer."""
    origin: ChannelId | None = None
    """The channel whose readers are the audience of what is said here, if it is another: a public thread's parent."""
    is_private_thread: bool = False
    """Whether they ask in a thread that is an audience of its own, and that whoever opened it named as they liked."""
    language: str = "english"
    """What texts of the space are searched in; `simple` serves where Postgres has no configuration of that name."""
    time_zone: str = "UTC"
    """The space's, by its IANA name: what times are told in."""
    address: str = ""
    """What commands are to begin with before the prefix, where Hathi hears only what mentions it; else nothing."""
    prefix: str = "!"
    """What commands begin with for them, `address` included."""
    kept_out: KeptOut | None = None
    """Why only those commands of theirs are carried out that are about themselves; none where all are."""
    choices: PlaceChoices = field(default_factory=PlaceChoices, compare=False)
    """What admins chose for where they ask."""
    access: Access = Access.READ_WRITE
    """What whoever acts for them may do with memory; a persona that answers them may do less than they themselves."""

    def __post_init__(self) -> None:
        """Who may not read memory sees no channel of it: every statement that reads binds those that are seen."""
        if not self.access.reads:
            object.__setattr__(self, "visible", ())

    @property
    def origin_id(self) -> ChannelId:
        """The channel that what is remembered here belongs to."""
        return self.channel_id if self.origin is None else self.origin

    def may(self, right: Right) -> bool:
        """Whether they have the right here; managing the space includes managing its messages."""
        return self.is_admin or (right is Right.MANAGE_MESSAGES and self.is_moderator)

    @property
    def is_told_causes(self) -> bool:
        """Whether they are told where and why something failed, and not only that it did: who manages the server."""
        return self.may(Right.MANAGE_GUILD) and not self.is_direct


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One thing said by a person or by Hathi, verbatim."""

    space_id: SpaceId
    channel_id: ChannelId
    message_id: MessageId
    session_id: SessionId | None = None
    role: Role
    author_id: PersonId | None
    author: str
    content: str
    said_at: datetime
    reply_to: MessageId | None = None
    cut_off: bool = False
    stock: Stock | None = None
    """Which of Hathi's own set texts it is; none for an answer, and for what people say."""
    mentioned: Mentions = field(default_factory=lambda: NOBODY, compare=False)
    """People it mentions, by the names that stand there behind an @; not recorded with it."""
    marked: frozenset[str] = field(default_factory=frozenset[str], compare=False)
    """Names that stand there for Discord's marks, of people, roles, channels and emoji; not recorded with it."""
    called: str = ""
    """What its author is to be called by, where the name alone would be taken for somebody else's."""

    @property
    def speaker(self) -> str:
        """What its author is called by in prompts and lists."""
        return self.called or self.author


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """What a run of messages came to: a chunk, a condensation of the oldest, or a version of the rolling summary."""

    text: str
    through: MessageId
    """The last message it tells of."""
    since: MessageId | None
    """The first, where it is known."""
    sessions: tuple[SessionId, ...]
    """Those it tells of."""
    summary_id: int | None = None
    """Of a rolling summary."""
    condensation_id: int | None = None
    """Of a condensation."""

    @property
    def through_at(self) -> datetime:
        """When the last of it was said; an entry of messages that were only read has that one's number below 0."""
        return id_time(abs(self.through))


@dataclass(frozen=True, slots=True, kw_only=True)
class RollingSummary:
    """What a channel came to, with its date and reach."""

    text: str
    since: MessageId
    """The first message it tells of."""
    through: MessageId
    made_at: datetime
    entries: int
    """Of the channel's ledger, that it tells of."""
    by_rule: int
    """Those of them that no model made."""
    is_least: bool
    """Whether there may be more of either: they are counted only so far."""
    condensed: int
    """How many of them, the oldest, were condensed into one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture as a model is shown it: a small JPEG without anything that is not to be seen in it."""

    jpeg: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFile:
    """A file that came with a message, as read for one turn."""

    name: str
    message: Message
    """What it came with."""
    text: str = ""
    """What is written in it; empty where nothing is, or nothing that can be read."""
    unread: str = ""
    """Why nothing of it could be read, as half a sentence; empty where something was."""
    is_picture: bool = False
    picture: Picture | None = None
    """What a model is shown of it, where one sees pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The context of a question, read where it was asked, for its turn alone."""

    replied_to: tuple[Message, ...] = ()
    """The message it replies to, then the one that replies to, and so on."""
    around: tuple[Message, ...] = ()
    """What was said in the channel before it, oldest first."""
    files: tuple[SentFile, ...] = ()
    """Those that came with it or with the message it replies to, and those sent lately that it names."""
    unread: str = ""
    """Why something of it could not be read, as a sentence for whoever asked; empty where all was."""

    @property
    def by_people(self) -> "Surroundings":
        """The same without what Hathi said."""

        def by_people(messages: tuple[Message, ...]) -> tuple[Message, ...]:
            return tuple(one for one in messages if one.role is Role.PERSON)

        return replace(self, replied_to=by_people(self.replied_to), around=by_people(self.around))

    @property
    def messages(self) -> tuple[Message, ...]:
        """All of them once, oldest first."""
        found = {message.message_id: message for message in (*self.around, *self.replied_to)}
        return tuple(found[key] for key in sorted(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question to Hathi on its way to an answer."""

    caller: Caller
    message: Message
    claimed: bool = False
    """Whether it was claimed when it was recorded: no other turn of its channel was in progress."""
    unkept: bool = False
    """Whether question and answer stand in no table: the channel's mode or the person's wish forbids it."""
    taken_back: int = 0
    """How often something of the space had been taken back when the turn was claimed."""
    recorded_in: float = field(default=0.0, compare=False)
    """Seconds that took; none where another recorded it."""
    replaces: tuple[MessageId, ...] | None = None
    """The messages of an earlier answer to it, whose place the answer takes; empty where they are gone by now."""
    replaces_model: bool = True
    """Whether a model gave that answer."""
    is_to_hathi: bool = True
    """Whether Hathi itself was spoken to; else it was said where everything is answered, to whomever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What someone wants kept, before the archivist has accepted it."""

    content: str
    topic: str
    room: str = "general"
    importance: int
    source: Source
    tags: tuple[str, ...] = ()
    evidence: tuple[MessageId, ...] = ()
    made_from: tuple[MemoryId, ...] = ()
    """The memories it was made from: quoted or cited by an answer that was kept."""
    replies: tuple[MessageId, ...] = ()
    """Those of the evidence that are answers of Hathi's: what they cite is where it comes from."""
    author_id: PersonId | None = None
    author: str | None = None
    said_at: datetime | None = None
    """When the evidence was said; the time of saving when unknown."""
    mentioned: Mentions = field(default_factory=lambda: NOBODY, compare=False)
    """People mentioned in it, by the names that stand there behind an @."""
    is_trivial: bool = False
    """Whether it rests on nothing but small talk or machine output; kept only if a person asked for it."""
    entities: tuple[str, ...] = ()
    """Whom and what it names; taken from its words where none are given."""
    key_phrases: tuple[str, ...] = ()
    """What it may be asked for by; the same."""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False)
    """All that a model told of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One distilled fact as it is stored."""

    space_id: SpaceId
    memory_id: MemoryId
    channel_id: ChannelId
    tier: Tier
    room: str
    topic: str
    content: str
    importance: int
    source: Source
    tags: tuple[str, ...]
    author_id: PersonId | None
    author: str | None
    subject_id: PersonId | None = None
    """Whom it is about, where that is known."""
    evidence: tuple[MessageId, ...]
    made_from: tuple[MemoryId, ...] = ()
    """Memories it was made from, which it goes with."""
    entities: tuple[str, ...] = ()
    key_phrases: tuple[str, ...] = ()
    seen_count: int
    pinned: bool
    created_at: datetime
    said_at: datetime
    called: str = ""
    """What its author is to be called by, where the name alone would be taken for somebody else's."""

    @property
    def speaker(self) -> str | None:
        """What its author is called by in prompts and lists."""
        return self.called or self.author


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """The result of saving a fact: a new row, or a known one that was reinforced."""

    memory: Memory
    was_known: bool
    is_earlier: bool = False
    """Whether it only stands beside what was saved now: nothing was done to it."""
    contradicts: tuple[Memory, ...] = ()
    """What stands beside it and says otherwise; all of it may be seen where the fact was said."""
    supersedes: tuple[Memory, ...] = ()
    """What it replaced: whose words both are told what changed."""
    outdated_by: Memory | None = None
    """What replaced it at once: that was said after it, and arrived before it."""
    notice: str = ""
    """What got no place in Active Memory, or lost it; a line of its own."""

    @property
    def told(self) -> tuple[MemoryId, ...]:
        """The memories of which the answer tells that saved it: it goes with each of them."""
        outdated_by = () if self.outdated_by is None else (self.outdated_by,)
        told = (self.memory, *self.contradicts, *self.supersedes, *outdated_by)
        return tuple(memory.memory_id for memory in told)


class Parts(NamedTuple):
    """The parts of a result's score, which is their sum; a tuple, as one is made of every candidate.

    `text` to `importance` are shares of the query's weight; `author`, `dates` and `form` are what factors made of them.
    """

    text: float = 0.0
    """Words of the query in it."""
    neighbours: float = 0.0
    """Words of the query in what was said beside it."""
    session: float = 0.0
    """How well the best of its session answers, and how near its session comes back to the query's meaning."""
    semantic: float = 0.0
    """How near its meaning is, where an embedder is configured."""
    tags: float = 0.0
    """Domains, names and key phrases it shares with the query."""
    recency: float = 0.0
    importance: float = 0.0
    author: float = 0.0
    """That somebody the query names said it."""
    dates: float = 0.0
    """That it was said when the query asks about, or tells a time where one is asked for."""
    form: float = 0.0
    """That it asks rather than tells: less than nothing."""

    @property
    def score(self) -> float:
        """The sum."""
        # Written out: it is asked of every candidate.
        return (
            self.text
            + self.neighbours
            + self.session
            + self.semantic
            + self.tags
            + self.recency
            + self.importance
            + self.author
            + self.dates
            + self.form
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A memory or a message that a recall found, and why."""

    item: "Memory | Message"
    parts: Parts
    said: "Message | None" = None
    """Of a memory: the message it rests on that answers best, where that is known too."""
    answers: bool = False
    """Whether it was said right after somebody else's question."""
    is_beside: bool = False
    """Whether it has nothing of the query itself: its place is that of what was said beside it."""
    until: datetime | None = None
    """Of a message that tells what was replaced: when it was."""
    entry: "LedgerEntry | None" = None
    """Of an entry of a ledger, which stands as a message of Hathi's where what it sums up begins."""

    @property
    def name(self) -> str:
        """How the log names it."""
        return f"#{self.item.memory_id}" if isinstance(self.item, Memory) else str(self.item.message_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A query as it was understood."""

    words: tuple[str, ...] = ()
    """What was looked for, as the index has it."""
    people: tuple[str, ...] = ()
    """Who is named in it."""
    dates: tuple[str, ...] = ()
    """The times it names, each as written."""
    domains: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be looked for as asked, a sentence each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """What a recall found, best first."""

    results: tuple[Result, ...] = ()
    questions: tuple[Result, ...] = ()
    """What only asks about it, in another form or the same: no answer, and no result."""
    asked: Asked = Asked()
    candidates: tuple[Result, ...] = ()
    """The ten best before silence, whether they are results or not."""
    considered: int = 0
    """Memories and messages that were scored."""
    certainty: float = 0.0
    """How likely the best is an answer, from 0 to 1; below the threshold nothing is a result."""
    signs: Mapping[str, float] = field(default_factory=dict[str, float])
    """What that was weighed from, by name."""
    threshold: float = 0.0
    is_covered: bool = True
    """False where nothing holds as much of what is asked as an answer would: then it is not told how certain it is."""
    compared_meaning: bool = False

    @property
    def memories(self) -> tuple[Memory, ...]:
        """Those of the results that are memories."""
        return tuple(result.item for result in self.results if isinstance(result.item, Memory))

    @property
    def messages(self) -> tuple[Message, ...]:
        """Those of the results that are messages."""
        return tuple(result.item for result in self.results if isinstance(result.item, Message))

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return bool(self.results)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One item of a listing."""

    head: str
    """What is known about it, on one line."""
    body: str
    memory_id: MemoryId | None = None
    link: tuple[ChannelId, MessageId] | None = None
    """Where the message it came from stands."""
    is_others: bool = False
    """Whether another's, about whoever is shown it: they may ask to have it removed, and change nothing."""
    who: str = ""
    """Who said it, for places that show more than lines; there `head` is what stands in their place."""
    at: datetime | None = None
    """When that was."""
    place: str = ""
    """What the channel is called in which it was."""
    marks: tuple[str, ...] = ()
    """What else is to be known: that it is pinned, only asked, or contradicted."""
    above: str = ""
    """What stands above it, where entries of another kind begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of results, for places that can show more than text."""

    title: str
    entries: tuple[Entry, ...]
    lead: str = ""
    """What is said above them."""
    explains: MessageId | None = None
    """The question whose answer it explains, where that can be told at length."""
    page: int = 1
    pages: int = 1
    is_cut: bool = False
    """Whether there may be more pages than that."""
    again: str = ""
    """The command line that asks for it, without its page; empty when no command does."""
    notes: tuple[str, ...] = ()
    """What is to be said under the entries, a sentence each."""
    is_table: bool = False
    """Whether each entry is a name, and a line about what has it."""

    @property
    def told_pages(self) -> str:
        """How many pages it has, as people are told."""
        return f"{self.pages}{'+' * self.is_cut}"


class Holds(StrEnum):
    """Which of two facts that contradict each other holds: the one that is named, the newer, the older, or both."""

    THIS = "holds"
    NEWER = "newer"
    OLDER = "older"
    BOTH = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgettable:
    """What a person asked to forget and must confirm first: by ids alone."""

    memories: tuple[MemoryId, ...] = ()
    messages: tuple[MessageId, ...] = ()
    """What they said that no memory was made of."""
    everything: bool = False
    """Whether it is all there is of them, everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What Hathi answers; cogs and terminal only decide how to show it."""

    text: str
    """All of it, in words."""
    shown: tuple[MemoryId, ...] = ()
    """Memories a recall put before the person: being shown is being used."""
    quoted: tuple[Message, ...] = ()
    """Messages it put there."""
    entries: tuple[LedgerEntry, ...] = ()
    """Entries of ledgers it put there."""
    saved: tuple[Saved, ...] = ()
    """Memories this answer made or reinforced."""
    noted: bool = False
    """Whether this answer kept a note."""
    listing: Listing | None = None
    """The same as the text, in parts."""
    forgotten: MemoryId | None = None
    """A memory this answer forgot, which can still be brought back."""
    said_too: tuple[MessageId, ...] = ()
    """Messages of whoever forgot it that say the same, and are offered for forgetting too."""
    asks: Forgettable | None = None
    """What is forgotten once whoever asked for it says yes."""
    proposes: bool = False
    """Whether something stands under it that is kept once whoever asked says so."""
    offers: bool = False
    """Whether something stands under it that is done once whoever asked says so."""
    stock: Stock | None = None
    """Which of Hathi's own set texts it is; none for an answer."""
    lines: AsyncIterator[str] | None = None
    """What goes with the text as a file."""
    closed_turns: tuple[MessageId, ...] = ()
    """Questions this answer has erased: whoever answers one is to stop."""
    opens: tuple[MemoryId, ...] = ()
    """A memory of which somebody is to say whether it holds, then those that it contradicts."""
    rests_on_memory: bool = False
    """Whether an answer says what memory holds, and can tell what of it."""
    is_of_model: bool = False
    """Whether a model gave it, which can be asked anew."""
    erased_by: PersonId | None = None
    """Who may have Hathi's messages on Discord deleted that tell of what this answer has erased; none without such."""

    @property
    def tells(self) -> tuple[MemoryId, ...]:
        """All memories whose words it tells, or of which it says that they were kept or forgotten."""
        saved = [memory_id for one in self.saved for memory_id in one.told]
        forgotten = [] if self.forgotten is None else [self.forgotten]
        asked = [] if self.asks is None else self.asks.memories
        entries = [] if self.listing is None else self.listing.entries
        shown = [entry.memory_id for entry in entries if entry.memory_id is not None]
        return tuple(dict.fromkeys([*self.shown, *saved, *forgotten, *asked, *shown]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSession:
    """One closed session."""

    number: int
    state: str
    opened_at: datetime
    closed_at: datetime
    message_count: int
    fact_count: int
    attempts: int
    text: str | None
    withheld: bool
    model: str | None
