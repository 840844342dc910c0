"""The types of a walk through the layers: its question, and the evidence and outcome of each layer; no I/O."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol

from bot.domain import (
    Caller,
    ChannelId,
    Layer,
    MemoryId,
    Message,
    MessageId,
    PersonId,
    Recollection,
    SentFile,
    SessionId,
)
from bot.recall.query import ParsedQuery
from bot.store.trail import Origin, Step

ONE_GO: Final = timedelta(minutes=5)
"""How far apart one person says what is one statement in several messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """A layer's description for people."""

    source: str
    answers: str
    stops: str
    """What ends the walk there."""


ABOUT: Final[Mapping[Layer, About]] = {
    Layer.IDENTITY: About(
        source="`identity.txt`, or what the space has in its place",
        answers="who am I, what are my mandates",
        stops="nothing: it is always loaded",
    ),
    Layer.PALACE: About(
        source="memories of both tiers by room and topic, and the channel's last chat summaries",
        answers="what do I know about this",
        stops="a hit",
    ),
    Layer.SCRATCHPAD: About(
        source="the session: its notes, and what was said in it", answers="what was learned this session", stops="a hit"
    ),
    Layer.ARTIFACTS: About(
        source="older messages word for word, linked messages, attachments' text, the forge (issues, pull requests, "
        "files, commits, CI), and what Discord's own search finds",
        answers="can I fetch the actual thing",
        stops="a hit",
    ),
    Layer.PROCEDURES: About(
        source="playbooks of the settings folder, and memories of the room `procedures`",
        answers="is there a documented way",
        stops="a hit",
    ),
    Layer.GENERATION: About(
        source="the model alone",
        answers="only when the layers before it have nothing, and announced",
        stops="there is none after it",
    ),
}
"""The order of the walk, for documents and for `!why`."""


class LayerOutcome(StrEnum):
    """The possible outcomes of a layer."""

    LOADED = "loaded"
    """Always there, and no answer by itself."""
    HIT = "hit"
    NEAR = "near"
    """It only has what comes near to an answer: a later one may have the answer."""
    EMPTY = "empty"
    FAILED = "failed"
    """It could not be reached, or not in time: nobody knows whether it has the answer."""
    SKIPPED = "skipped"
    """An earlier layer answered, or the question begins further on."""
    SPOKEN = "spoken"
    """An answer was made up, and announced as that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One thing a layer found: a memory, a note, a message, a file, a playbook."""

    label: str
    """What it is cited by: `#42` a memory, `N3` a note, `M1` a message, `A1` an artifact, `P1` a playbook."""
    layer: Layer
    content: str
    """Verbatim, or the part of it that answers."""
    title: str = ""
    """What it is, where that is no quote: `pull request 12 of nexus`, `notes.md`."""
    author: str | None = None
    said_at: datetime | None = None
    until: datetime | None = None
    """When what it tells was replaced; none where it holds, as far as that is known."""
    memory_id: MemoryId | None = None
    message: tuple[ChannelId, MessageId] | None = None
    """Where the message it is, or came with, stands."""
    rests_on: tuple[MessageId, ...] = ()
    """The messages a memory rests on."""
    session_id: SessionId | None = None
    """The session a chat summary tells of."""
    author_id: PersonId | None = None
    elsewhere: tuple[int, ...] = ()
    """Of what is not stored here: the ids of message, author and places; whichever goes takes the answer along."""
    url: str | None = None
    """Where it can be looked at, if that is not a message."""
    score: float = 0.0
    is_retold: bool = False
    """Whether a summary put what its author said into words of its own."""
    is_sure: bool = True
    """Whether it is about what is asked, as far as that can be told, and does not only come nearest to it."""

    def goes_with(self, other: "Evidence") -> bool:
        """Whether both are one person's words, said in one go: in the same place, within minutes, and still holding."""
        if self.message is None or other.message is None or self.said_at is None or other.said_at is None:
            return False
        if self.title or other.title or self.until or other.until or self.message[0] != other.message[0]:
            return False
        return self.author == other.author and abs(self.said_at - other.said_at) <= ONE_GO

    @property
    def origin(self) -> Origin:
        """Where its label leads, for the turn's trail."""
        return Origin(
            memory_id=self.memory_id,
            message=self.message,
            session_id=self.session_id,
            url=self.url,
            score=self.score,
            elsewhere=ChannelId(self.elsewhere[-1]) if self.elsewhere else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldBefore:
    """What was told of a question before, and is no answer to it any more."""

    memories: frozenset[MemoryId] = frozenset()
    messages: frozenset[MessageId] = frozenset()
    """Those told, and those that told memories rest on."""
    sessions: frozenset[SessionId] = frozenset()
    others: frozenset[str] = frozenset()
    """Addresses; of what has none, and is nowhere stored, its label."""

    def has(self, one: Evidence) -> bool:
        """Whether it was told, or says what a told message says."""
        is_known = one.memory_id in self.memories or one.session_id in self.sessions
        if is_known or not self.messages.isdisjoint(one.rests_on):
            return True
        if one.message is not None:
            return one.message[1] in self.messages
        return one.memory_id is None and one.session_id is None and (one.url or one.label) in self.others


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one layer found."""

    evidence: tuple[Evidence, ...] = ()
    """What answers, best first; empty where nothing does."""
    looked: int = 0
    """How many things were looked at."""
    why: str = ""
    """Why it ended so, in a few words of the program's own: never a word of what people wrote."""
    failed: str = ""
    """The source that could not be reached, as a person would call it; empty where all were."""


@dataclass(slots=True)
class SharedRecall:
    """The recall of one walk, which several layers wait for."""

    task: asyncio.Task[Recollection] | None = None
    parsed: ParsedQuery | None = None
    """The question as the space reads it; none before it is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkQuestion:
    """The question of one walk."""

    caller: Caller
    question: Message
    session_id: SessionId | None
    cues: tuple[str, ...] = ()
    """The names of the rules by which it was taken for a question about the past."""
    layers: tuple[Layer, ...] = ()
    """Those that were suggested; of the session at hand it begins at the scratchpad, of a file at the artifacts."""
    apart_from: tuple[MessageId, ...] = ()
    """What is no answer: the question itself, and what it was asked with."""
    told: ToldBefore = ToldBefore()
    """What was told of it before, where it is searched for again."""
    strictly: bool = False
    """Whether it is not about the past, so that only what is surely about it is an answer."""
    loosely: bool = False
    """Whether nothing surely answered and nobody else will: what is found is told as what comes nearest."""
    unkept: tuple[Message, ...] = ()
    """The session as it is read where nothing of it is kept; empty elsewhere."""
    nearby: tuple[Message, ...] = ()
    """What it replies to and the talk before it, of what is not recorded in the session."""
    files: tuple[SentFile, ...] = ()
    """Those that came with it or with what it replies to."""
    shared: SharedRecall = field(default_factory=SharedRecall, compare=False)
    """What its layers have in common; gone with the walk, so that nothing outlives its being forgotten."""

    @property
    def asks_of_files(self) -> bool:
        """Whether it is about a file, so that the walk begins at L3."""
        return self.layers[:1] == (Layer.ARTIFACTS,)


class LayerSource(Protocol):
    """A source of evidence."""

    async def look(self, asking: WalkQuestion) -> Finding:
        """What it found. Raises `HathiError` where it can't be reached: the layer then failed, rather than ended empty.

        `DatabaseDown` is no failure of one layer; it is waited for.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A walk from the first layer to the one that answered, or to the end."""

    steps: tuple[Step, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    failed: tuple[str, ...] = ()
    """The sources that could not be reached, as a person would call them."""

    @property
    def hit(self) -> Layer | None:
        """The layer that answered."""
        return self.evidence[0].layer if self.evidence else None

    @property
    def is_sure(self) -> bool:
        """Whether the evidence is about what is asked, rather than only the nearest to it."""
        return any(one.is_sure for one in self.evidence)

    @property
    def exhausted(self) -> bool:
        """Whether every layer was asked and none has anything; only then is it known that nothing is there."""
        return not self.evidence and not self.failed
