"""What is read for a prompt, at once and maybe before it is known that a model is asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain import MemoryId, Message
from bot.layers.walk import Evidence
from bot.recall.retrievers.retrieval import Retrieved


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptBlocks:
    """What a prompt tells beside the session."""

    active: str = ""
    """The blocks of what the session began with and of the Active Memory."""
    shown: tuple[MemoryId, ...] = ()
    """The memories in them."""
    beside: tuple[Evidence, ...] = ()
    """All that stands in them."""
    names: tuple[str, ...] = ()
    """Those of rooms and topics in them that may be others' words."""
    identity: str | None = None
    """Who Hathi is here, where that was read with it."""
    retrieved: Sequence[Retrieved] = ()
    """What is told of the channel's past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptReading:
    """What was read for one draft."""

    history: Sequence[Message]
    """The session so far, by people told apart."""
    told: PromptBlocks
