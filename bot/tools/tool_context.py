"""What the tools of one draft are given, and what they gather: who asks, what the model was shown, what came of it."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple

from bot.commands.commands import Commands
from bot.domain import Access, Caller, Fact, Layer, LedgerEntry, MemoryId, Message, MessageId, ModelRole, Saved, Turn
from bot.layers.walk import Evidence, LayerSource
from bot.llm.messages import Usage
from bot.presentation import render
from bot.recall.librarian import Librarian
from bot.store.proposals import Act
from bot.store.trail import ToolUse
from bot.tools.allowance import Allowance

NOT_DONE: Final = "Not done: "
"""What a model is told of a call that came to nothing; and then why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotKept:
    """What a model would have saved in the asker's name, and the asker did not say."""

    fact: Fact
    is_traced: bool
    """Whether what people said that it was made of is stored here, so that it may be kept where the asker agrees."""

    @property
    def may_be_proposed(self) -> bool:
        """Whether the asker may be asked for it: they see all of it, and it goes with what it is made of."""
        return self.is_traced and render.is_shown_whole(self.fact.content)


class Fingerprint(NamedTuple):
    """What makes two calls the same: whose they are, with what of memory is open to them, and what they ask."""

    role: ModelRole
    access: Access
    tool: str
    arguments: str
    """In one form for all that mean the same."""
    touches: Access | None
    """What that tool does with memory."""


class Done(NamedTuple):
    """A command that a model carried out in the asker's name."""

    command: str
    text: str
    """As people are told of it."""


@dataclass(slots=True, kw_only=True)
class ToolContext:
    """The state that the tools of one draft share; whatever they read or do is added to it."""

    commands: Commands
    librarian: Librarian
    turn: Turn
    allowance: Allowance
    now: Callable[[], datetime]
    artifacts: Sequence[LayerSource] = ()
    """Where what people refer to is looked up: messages, files, the forge."""
    ask: Callable[["ToolContext", ModelRole, str], Awaitable[str]] | None = None
    """Has another model do a task."""
    active: str = ""
    """The Active Memory that another model is shown with its task."""
    listed: str = ""
    """The other models, as a model is told of them."""
    depth: int = 0
    """How many delegations it is below the model that answers."""
    keeper: Caller | None = None
    """Who asks, with what is open to whoever keeps what they ask to remember; none where whoever speaks may write."""
    is_tainted: bool = False
    """Whether the prompt, or what a tool returned, holds words of anyone but the asker."""
    said: Sequence[Message] = ()
    """The messages of the prompt that are stored here."""
    told: Sequence[tuple[MemoryId | None, str]] = ()
    """What else stands in it; of memories with their numbers."""
    live: Sequence[Message] | None = None
    """The talk itself where nothing is kept."""
    workflow: str = ""
    """Which is run, where one is."""
    saved: list[Saved] = field(default_factory=list[Saved])
    not_kept: list[NotKept] = field(default_factory=list[NotKept])
    done: list[Done] = field(default_factory=list[Done])
    """What else was done."""
    acts: list[Act] = field(default_factory=list[Act])
    """What was not done, as the asker has to agree to it."""
    refused: list[str] = field(default_factory=list[str])
    """Why the asker may not have done what a model would have."""
    recalled: list[MemoryId] = field(default_factory=list[MemoryId])
    """The memories that the model was shown."""
    quoted: list[Message] = field(default_factory=list[Message])
    """What people said that it was shown."""
    looked_up: list[str] = field(default_factory=list[str])
    """What look-ups returned; a report is its model's own words."""
    found: list[Evidence] = field(default_factory=list[Evidence])
    """The memories, messages and other things in it."""
    entries: list[LedgerEntry] = field(default_factory=list[LedgerEntry])
    """The entries of ledgers that it was shown."""
    fetched: list[Evidence] = field(default_factory=list[Evidence])
    """The files and things of the forge that it was shown."""
    calls: list[ToolUse] = field(default_factory=list[ToolUse])
    usages: list[Usage] = field(default_factory=list[Usage])
    """What the models took that were asked for it."""
    made: Counter[Fingerprint] = field(default_factory=Counter[Fingerprint])
    """How often each call was made."""
    answers: dict[Fingerprint, str] = field(default_factory=dict[Fingerprint, str])
    """What tools returned; a refusal, a failure and a timeout are no answers of theirs."""

    @property
    def caller(self) -> Caller:
        """The person who is asking: whatever is done is done with their rights."""
        return self.turn.caller

    @property
    def asked(self) -> MessageId:
        """Their message."""
        return self.turn.message.message_id

    @property
    def has_read(self) -> bool:
        """Whether the model may have read words of anyone but the asker."""
        return bool(self.is_tainted or self.recalled or self.quoted or self.entries or self.fetched)

    def wrote(self) -> None:
        """Forgets what was read of memory, by whichever model: something was written there since.

        What else was done stays done.
        """
        for one in [one for one in self.answers if one.touches is Access.READ]:
            del self.answers[one]

    def shown(self, text: str, found: Iterable[Evidence] = ()) -> str:
        """Notes what a look-up returned; gives the text."""
        self.looked_up.append(text)
        self.found += found
        return text


def of_memory(number: MemoryId, content: str) -> Evidence:
    """A memory that a look-up returned."""
    return Evidence(label=f"#{number}", layer=Layer.PALACE, content=content, memory_id=number)


def of_message(said: Message) -> Evidence:
    """A message that a look-up returned."""
    return Evidence(label="M", layer=Layer.ARTIFACTS, content=said.content, author=said.speaker, said_at=said.said_at)
