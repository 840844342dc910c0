"""One request to one OpenAI-compatible server: what it sends, what it understands, how its errors are told."""

import email.utils
import json
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bot import log
from bot.config import ModelSettings
from bot.llm.chat import ChatMessage, Finished, TextDelta, ToolCall, ToolSpec, Usage

if TYPE_CHECKING:
    import openai

_log = log.logger(__name__)

NO_KEY: Final = "none"
"""What a server that needs no key is sent: the SDK insists on one."""
_CONNECT_SECONDS: Final = 10.0
_TOLERANT: Final = {
    # What an older or newer server refuses by name, and what to send it instead from then on.
    "max_tokens": "max_completion_tokens",
    "stream_options": None,
    "response_format": None,
    "temperature": None,
    "top_p": None,
}
_LONG: Final = ("messages", "tools", "response_format")


class Failure(Exception):
    """An attempt that failed: why, whether trying again may help, and after how many seconds if the server said so."""

    def __init__(
        self, why: str, *, retry: bool, refused: bool = False, status: int | None = None, after: float | None = None
    ) -> None:
        super().__init__(why)
        self.why = why
        self.retry = retry
        self.refused = refused
        self.status = status
        self.after = after


@dataclass(slots=True)
class _Call:
    call_id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class _Received:
    """An answer as its pieces come in."""

    text: str = ""
    calls: dict[int, _Call] = field(default_factory=dict[int, _Call])
    usage: Usage = field(default_factory=Usage)
    reason: str | None = None

    def finished(self, model: str) -> Finished:
        calls = tuple(
            ToolCall(call_id=call.call_id or f"call_{index}", name=call.name, arguments=call.arguments)
            for index, call in sorted(self.calls.items())
        )
        return Finished(
            text=self.text, tool_calls=calls, usage=self.usage, model=model, cut_off=self.reason == "length"
        )


class Transport:
    """A connection to one server, opened at the first call: importing the SDK alone takes most of a second."""

    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings
        self._client: openai.AsyncOpenAI | None = None
        self._instead: dict[str, str | None] = {}

    @property
    def host(self) -> str:
        """Which server, for people: never the key."""
        return self.settings.base_url.host or str(self.settings.base_url)

    async def aclose(self) -> None:
        """Close what was opened."""
        if self._client is not None:
            await self._client.close()

    async def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec], schema: dict[str, Any] | None
    ) -> AsyncGenerator[TextDelta | Finished]:
        """Text as it comes, then the whole. Raises `Failure`, also in the middle."""
        received = _Received()
        try:
            stream = await self._open(self._request(messages, tools, schema))
            async with stream:
                async for chunk in stream:
                    if text := _take(chunk, received):
                        yield TextDelta(text=text)
        except Exception as exc:
            raise self._failure(exc) from exc
        if received.reason is None:
            raise Failure(f"{self.host} closed the connection in the middle of an answer", retry=True)
        if not received.text and not received.calls:
            raise Failure(f"{self.host} sent an empty answer", retry=True)
        yield received.finished(self.settings.model)

    async def _open(self, request: dict[str, Any]) -> Any:
        """The response; a parameter this server refuses by name is left out, or renamed, from now on."""
        for _ in range(len(_TOLERANT) + 1):
            adapted = {name: value for key, value in request.items() if (name := self._instead.get(key, key))}
            try:
                return await self._sdk().chat.completions.create(**_apart(adapted))
            except Exception as exc:
                refused = _refused_parameter(exc, adapted)
                if refused is None:
                    raise
                self._instead[refused] = _TOLERANT[refused]
                _log.info("model.adapted", host=self.host, parameter=refused)
        raise Failure(f"{self.host} refuses every form of the request", retry=False, refused=True)

    def _sdk(self) -> "openai.AsyncOpenAI":
        if self._client is None:
            import openai

            key = self.settings.api_key
            self._client = openai.AsyncOpenAI(
                base_url=str(self.settings.base_url),
                api_key=key.get_secret_value() if key else NO_KEY,
                max_retries=0,
                timeout=openai.Timeout(None, connect=_CONNECT_SECONDS),
            )
        return self._client

    def _request(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec], schema: dict[str, Any] | None
    ) -> dict[str, Any]:
        settings = self.settings
        request: dict[str, Any] = {
            "model": settings.model,
            "messages": [_wire(message) for message in messages],
            "max_tokens": settings.max_tokens,
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if tools:
            request["tools"] = [
                {
                    "type": "function",
                    "function": {"name": t.name, "description": t.description, "parameters": t.parameters},
                }
                for t in tools
            ]
        if schema is not None:
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": schema, "strict": True},
            }
        return {key: value for key, value in request.items() if value is not None}

    def _failure(self, exc: Exception) -> Failure:
        """The error as one sentence, without anything the request held."""
        import openai

        match exc:
            case Failure():
                return exc
            case openai.APIConnectionError():
                return Failure(f"{self.host} can't be reached", retry=True)
            case openai.APIStatusError():
                return self._status_failure(exc)
            case openai.APIError():
                return Failure(f"{self.host} reported an error in the middle of an answer", retry=True)
            case _:
                return Failure(f"{self.host} sent something that is not an answer", retry=True)

    def _status_failure(self, exc: "openai.APIStatusError") -> Failure:
        status, model = exc.status_code, self.settings.model
        if status == 429:
            return Failure(
                f"{self.host} asks to slow down (429)", retry=True, status=status, after=_retry_after(exc.response)
            )
        if status >= 500:
            return Failure(f"{self.host} failed ({status})", retry=True, status=status)
        why = {
            401: f"{self.host} refused the API key (401); check it",
            403: f"{self.host} does not allow this API key to use {model} (403)",
            404: f"{self.host} does not know the model {model} or the address is wrong (404)",
        }.get(status, f"{self.host} refused the request ({status})")
        return Failure(why, retry=False, refused=True, status=status)


def _apart(request: dict[str, Any]) -> dict[str, Any]:
    """The same request with its long parts where the SDK sends them as they are.

    As arguments it walks every message against its types first: 40 ms for 300 of them, 3 ms so (measured), and the
    event loop stands still all the while.
    """
    long = {name: request[name] for name in _LONG if name in request}
    return {name: value for name, value in request.items() if name not in long} | {"messages": [], "extra_body": long}


def _wire(message: ChatMessage) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [
            {"id": c.call_id, "type": "function", "function": {"name": c.name, "arguments": c.arguments or "{}"}}
            for c in message.tool_calls
        ]
        wire["content"] = message.content or None
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def _take(chunk: Any, received: _Received) -> str:
    """Add one chunk to what was received; the text that is new."""
    if chunk.usage is not None:
        received.usage = Usage(tokens_in=chunk.usage.prompt_tokens or 0, tokens_out=chunk.usage.completion_tokens or 0)
    if not chunk.choices:
        return ""
    choice = chunk.choices[0]
    received.reason = choice.finish_reason or received.reason
    delta = choice.delta
    if delta is None:
        return ""
    for place, part in enumerate(delta.tool_calls or ()):
        call = received.calls.setdefault(place if part.index is None else part.index, _Call())
        call.call_id = part.id or call.call_id
        if part.function is not None:
            call.name += part.function.name or ""
            call.arguments += part.function.arguments or ""
    text = delta.content or ""
    received.text += text
    return text


def _refused_parameter(exc: Exception, sent: dict[str, Any]) -> str | None:
    """The parameter a 400 or 422 names as the one it does not take."""
    if getattr(exc, "status_code", None) not in {400, 422}:
        return None
    body = json.dumps(getattr(exc, "body", None), default=str) + str(exc)
    return next((name for name in _TOLERANT if name in sent and name in body), None)


def _retry_after(response: Any) -> float | None:
    """Seconds of a Retry-After header, given as seconds or as a date (RFC 9110, 10.2.3)."""
    value = response.headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
