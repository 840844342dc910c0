"""Prompts, tool calls and answers as types, free of any server's wire format."""

from dataclasses import dataclass
from typing import Any, Literal

from bot.domain import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool the model wants called."""

    call_id: str
    name: str
    arguments: str
    """JSON as the model wrote it, which may be wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    name: str | None = None
    """Who says it, for servers that tell people apart by it."""
    pictures: tuple[Picture, ...] = ()
    """Shown with it to a model that sees; any other is told that it can't see them."""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as described to the model; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]
    tokens: int = 0
    """What it takes of a prompt; counted once, though every turn asks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the server counted them; 0 when it did not say."""

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    """Of those that went in, the ones that the server still had from an earlier prompt."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            tokens_cached=self.tokens_cached + other.tokens_cached,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """More text of an answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The end of an answer, with all of it."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    usage: Usage
    model: str
    """Which model answered."""
    cut_off: bool
    """The model reached its limit of tokens."""
