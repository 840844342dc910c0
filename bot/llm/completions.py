"""The JSON of OpenAI's chat completions: builds requests, and assembles answers from streamed chunks."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import BaseModel

from bot.config import ModelSettings
from bot.domain import Picture
from bot.llm.messages import ChatMessage, Finished, ToolCall, ToolSpec, Usage

_NO_NAME: Final = re.compile(r"[^\w-]+", re.ASCII)
_LONGEST_NAME: Final = 64
NOT_SEEN: Final = "(You can't see the pictures that came with this. Say so plainly where the answer hangs on them.)"
"""What stands in place of pictures for a model that does not see."""
_UNKNOWN: Final = r"(?:unsupported|not supported|unrecognized|not permitted|unknown)"
_CALLING: Final = r"(?:\btools?\b(?![\[.]\d)|tool[ _]choice|(?:tool|function)[ _-]call(?:ing|s|_parser)?\b)"
_NOT_THERE: Final = (
    r"(?:unsupported|not supported|(?:does not|doesn't|do not) support|not enabled|\bno (?:\w+ ){1,4}supports?\b)"
)
REFUSALS: Final = {
    # A parameter, how servers say that they do not take it, and the name to send it under from then on, if any.
    "max_tokens": (
        re.compile(rf"max_completion_tokens|{_UNKNOWN}.*max_tokens|max_tokens.*{_UNKNOWN}"),
        "max_completion_tokens",
    ),
    "stream_options": (re.compile(r"stream_options|include_usage"), None),
    "response_format": (re.compile(r"response_format|json_schema"), None),
    "tools": (
        re.compile(
            rf"{_NOT_THERE}[^.]{{0,60}}{_CALLING}|{_CALLING}[^.]{{0,60}}{_NOT_THERE}"
            rf"|--enable-auto-tool-choice|{_CALLING} param requires"
        ),
        None,
    ),
    "temperature": (re.compile(r"temperature"), None),
    "top_p": (re.compile(r"top_p"), None),
}


def request(
    settings: ModelSettings, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec], schema: dict[str, Any] | None
) -> dict[str, Any]:
    """The body of a streamed request, without what the settings leave open."""
    is_chosen = settings.token_selection == "custom"  # noqa: S105 - no secret
    body: dict[str, Any] = {
        "model": settings.model,
        "messages": [_message(message, sees=settings.vision) for message in messages],
        "max_tokens": settings.max_tokens,
        "temperature": settings.temperature if is_chosen else None,
        "top_p": settings.top_p if is_chosen else None,
        "stream": True,
        "stream_options": {"include_usage": True},
        "tools": [_tool(tool) for tool in tools] or None,
        # Not `strict`: OpenAI's strict mode refuses schemas with optional fields; the others hold to any schema.
        "response_format": schema and {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}},
    }
    return {key: value for key, value in body.items() if value is not None}


def shows(settings: ModelSettings, messages: Sequence[ChatMessage]) -> bool:
    """Whether a request shows pictures."""
    return settings.vision and any(message.pictures for message in messages)


def _message(message: ChatMessage, *, sees: bool) -> dict[str, Any]:
    # A lone surrogate can't be sent; it would fail the whole prompt.
    content = message.content
    if not content.isascii():
        content = content.encode("utf-8", "replace").decode()
    if message.pictures and not sees:
        content = f"{content}\n\n{NOT_SEEN}"
    wire: dict[str, Any] = {"role": message.role, "content": content}
    if message.pictures and sees:
        wire["content"] = [{"type": "text", "text": content}, *map(_picture, message.pictures)]
    if message.name and (name := _NO_NAME.sub("_", message.name).strip("_")[:_LONGEST_NAME]):
        wire["name"] = name
    if message.tool_calls:
        wire["tool_calls"] = [
            {"id": c.call_id, "type": "function", "function": {"name": c.name, "arguments": c.arguments or "{}"}}
            for c in message.tool_calls
        ]
        wire["content"] = content or None
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def _picture(picture: Picture) -> dict[str, Any]:
    url = f"data:image/jpeg;base64,{base64.b64encode(picture.jpeg).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def _tool(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


_OPENS: Final = "<think>"
_CLOSES: Final = "</think>"
"""Between which some models write thoughts before they answer."""


class _Function(BaseModel):
    name: str | None = None
    arguments: str | None = None


class _CallPart(BaseModel):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Delta(BaseModel):
    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[_CallPart] | None = None


class _Choice(BaseModel):
    delta: _Delta | None = None
    message: _Delta | None = None
    """In place of `delta` when a server answers in one piece."""
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: Any = None

    @property
    def counted(self) -> Usage:
        """The tokens; what a server adds to their count is believed as far as it is as OpenAI has it."""
        details = self.prompt_tokens_details
        cached = details.get("cached_tokens") if isinstance(details, dict) else None
        read = self.prompt_tokens or 0
        return Usage(
            tokens_in=read,
            tokens_out=self.completion_tokens or 0,
            tokens_cached=min(max(cached, 0), read) if isinstance(cached, int) else 0,
        )


class StreamChunk(BaseModel):
    """One chunk of an answer, or all of it; a `ValidationError` when it is neither."""

    choices: list[_Choice] = []
    usage: _Usage | None = None
    error: Any = None

    @property
    def error_status(self) -> int | None:
        """The HTTP status of an error that came in the stream, if it says one."""
        code = self.error.get("code") if isinstance(self.error, dict) else None
        return code if isinstance(code, int) and 400 <= code < 600 else None


@dataclass(slots=True)
class _Call:
    call_id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Received:
    """An answer assembled from its chunks."""

    text: str = ""
    calls: list[_Call] = field(default_factory=list[_Call])
    usage: Usage = field(default_factory=Usage)
    reason: str | None = None
    silent: int = 0
    """Letters of reasoning and of arguments, which nobody is shown as they come."""
    _places: dict[int, _Call] = field(default_factory=dict[int, _Call])
    _held: str = ""
    """What may turn out to be thoughts, or the end of them."""
    _thinks: bool = False

    def take(self, chunk: StreamChunk) -> str:
        """Adds one chunk; its new text, without white space at the very beginning."""
        if chunk.usage is not None:
            self.usage = chunk.usage.counted
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self.reason = choice.finish_reason or self.reason
        delta = choice.delta or choice.message or _Delta()
        for place, part in enumerate(delta.tool_calls or ()):
            self._take_call(place if part.index is None else part.index, part)
        self.silent += len(delta.reasoning_content or delta.reasoning or "")
        # Some models emit NUL, which no database keeps and no terminal shows.
        text = (delta.content or delta.refusal or "").replace("\0", "")
        if not self.text:
            text = self._spoken(text.lstrip() if not self._held else text)
        self.text += text
        return text

    def _spoken(self, text: str) -> str:
        """What is said of what an answer begins with: models whose server leaves that to others mark thoughts in it."""
        held, self._held = self._held + text, ""
        if not self._thinks and _OPENS.startswith(held[: len(_OPENS)]):
            self._thinks = held.startswith(_OPENS)
        elif not self._thinks:
            return held
        _, end, said = held.partition(_CLOSES)
        if end:
            self._thinks = False
            self.silent += len(held) - len(said)
            return self._spoken(said.lstrip())
        # What may go on as a mark is all that has to be known again.
        self._held = held[1 - len(_CLOSES) :] if self._thinks else held
        self.silent += len(held) - len(self._held)
        return ""

    def ended(self) -> str:
        """What was held back at the end of an answer as it might have been the mark of a thought."""
        held, self._held = ("" if self._thinks else self._held), ""
        self.text += held
        return held

    def _take_call(self, place: int, part: _CallPart) -> None:
        call = self._places.get(place)
        # Some servers number every call 0 and tell them apart by id only.
        if call is None or (part.id and call.call_id and part.id != call.call_id):
            call = self._places[place] = _Call()
            self.calls.append(call)
        call.call_id = call.call_id or part.id or ""
        function = part.function or _Function()
        call.name = call.name or function.name or ""
        call.arguments += function.arguments or ""
        self.silent += len(function.arguments or "") + 1

    @property
    def is_empty(self) -> bool:
        """Whether the model said nothing and called nothing."""
        return not self.text and not self.calls

    def finished(self, model: str) -> Finished:
        """The whole answer of `model`."""
        return Finished(
            text=self.text,
            tool_calls=tuple(
                ToolCall(call_id=call.call_id or f"call_{number}", name=call.name, arguments=call.arguments)
                for number, call in enumerate(self.calls)
            ),
            usage=self.usage,
            model=model,
            cut_off=self.reason == "length",
        )
