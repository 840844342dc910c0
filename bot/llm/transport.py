"""One request to one OpenAI-compatible server: connections, the event stream, and what a server refuses by name."""

import asyncio
import contextlib
import importlib
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from bot import log
from bot.config import ModelSettings, ServerSettings
from bot.llm import failures, wire
from bot.llm.chat import ChatMessage, Finished, TextDelta, ToolSpec

if TYPE_CHECKING:
    import httpx2
    import openai

_log = log.logger(__name__)

NO_KEY: Final = "none"
"""What a server that needs no key is sent: the SDK insists on one."""
_CONNECT_SECONDS: Final = 10.0
_READ_SECONDS: Final = 600.0
"""Never reached while the bounds of `Models` hold."""
_LINGER: Final = timedelta(seconds=2)
"""How long a finished answer waits for the count of its tokens."""
_FIELDS: Final = frozenset({b"", b"data", b"event", b"id", b"retry"})
"""How a line of an event stream may begin; no name is a comment or the end of an event."""
_DRAIN: Final = timedelta(seconds=0.1)
_LONGEST_LINE: Final = 2**20
_LONGEST_ANSWER: Final = 10**6
"""Bytes of one event and letters of one answer; more is a server gone wrong."""


class Working:
    """The model is at work, but there is nothing to show yet: it reasons, or writes a tool call."""


class Connections:
    """One client for every server and key in use, and what each server is known to refuse."""

    def __init__(self, *, now: Callable[[], float] = time.time) -> None:
        self.now = now
        self.refuses: dict[tuple[str, str], frozenset[str]] = {}
        """Parameters by address and model."""
        self._clients: dict[tuple[str, str], openai.AsyncOpenAI] = {}
        self._warm = False

    async def warm(self) -> None:
        """Load the SDK, off the event loop: importing it takes most of a second."""
        if not self._warm:
            await asyncio.to_thread(_load)
            self._warm = True

    def client(self, settings: ServerSettings) -> "openai.AsyncOpenAI":
        """The client for a server and a key, made when first asked for."""
        import httpx2
        import openai

        secret = settings.api_key.get_secret_value().strip() if settings.api_key else ""
        key = (str(settings.base_url), secret or NO_KEY)
        if key not in self._clients:
            client = self._clients[key] = openai.AsyncOpenAI(
                base_url=key[0],
                api_key=key[1],
                max_retries=0,
                timeout=httpx2.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS),
                # Half the processor time a call of the SDK's own takes (measured): its connections are parsed in C.
                http_client=openai.DefaultAioHttpClient(),
            )
            # The SDK takes these from the environment, and would tell them to every server.
            client.organization = client.project = None
        return self._clients[key]

    async def aclose(self) -> None:
        """Close what was opened."""
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.close()


class Transport:
    """One model on one server, reached through shared connections."""

    def __init__(self, settings: ModelSettings, connections: Connections | None = None) -> None:
        self.settings = settings
        self._connections = connections or Connections()

    @property
    def host(self) -> str:
        """Which server, for people: never the key."""
        return failures.host(self.settings)

    async def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec], schema: dict[str, Any] | None
    ) -> AsyncGenerator[TextDelta | Working | Finished]:
        """Text as it comes, then the whole. Raises `Failure`, also in the middle; closing it closes the response."""
        received = wire.Received()
        try:
            async with contextlib.AsyncExitStack() as stack:
                response = await self._open(stack, self._request(messages, tools, schema))
                async with contextlib.aclosing(_chunks(response, received)) as chunks:
                    async for chunk in chunks:
                        if (event := _event(self.settings, received, chunk)) is not None:
                            yield event
        except Exception as exc:
            # A finished answer stays one, whatever happens to the connection after it.
            if received.reason is None:
                raise failures.of_exception(self.settings, exc, self._connections.now) from exc
        if received.reason is None:
            raise failures.of_cut(self.settings)
        if received.is_empty:
            raise failures.of_emptiness(self.settings, at_limit=received.reason == "length")
        yield received.finished(self.settings.model)

    def _request(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec], schema: dict[str, Any] | None
    ) -> dict[str, Any]:
        return wire.request(self.settings, messages, tools, schema)

    async def _open(self, stack: contextlib.AsyncExitStack, body: dict[str, Any]) -> "httpx2.Response":
        """The response; a parameter the server refuses by name is left out, or renamed, and so from then on."""
        import openai

        settings, known = self.settings, self._connections.refuses
        # Posted as it is: the SDK's method for chats walks every message against its types first, 40 ms for 300 of them
        # (measured), and the event loop stands still all the while.
        client, stream = self._connections.client(settings), openai.AsyncStream[object]
        place = (str(settings.base_url), settings.model)
        refused = known.get(place, frozenset())
        while True:
            try:
                answer = await stack.enter_async_context(
                    await client.post(
                        "/chat/completions", body=_without(body, refused),
                        cast_to=object, stream=True, stream_cls=stream,
                    )
                )  # fmt: skip
            except (openai.BadRequestError, openai.UnprocessableEntityError) as exc:
                news = _refused(failures.told(exc), body.keys() - refused)
                if news is None:
                    raise
                refused |= {news}
                _log.info("model.adapted", model=settings.model, host=self.host, parameter=news)
            else:
                if refused:
                    known[place] = known.get(place, frozenset()) | refused
                return answer.response


def _load() -> None:
    # The SDK and its HTTP client load these at a client's making and at its first call, each time on the event loop.
    for module in ("openai._vendor.httpx_aiohttp.transport", "anyio._backends._asyncio"):
        importlib.import_module(module)
    # OPENAI_LOG=debug would make it write whole prompts to the log.
    logging.getLogger("openai").setLevel(logging.WARNING)


def _event(settings: ModelSettings, received: wire.Received, chunk: wire.Chunk) -> TextDelta | Working | None:
    """What one piece tells; a `Failure` when it is an error, or the answer has no end."""
    if chunk.error is not None:
        raise failures.of_mid_stream(settings, chunk.error_status)
    known = received.silent
    text = received.take(chunk)
    if len(received.text) + received.silent > _LONGEST_ANSWER:
        raise failures.of_cut(settings)
    if text:
        return TextDelta(text=text)
    return Working() if received.silent > known else None


def _without(body: dict[str, Any], refused: frozenset[str]) -> dict[str, Any]:
    adapted = {key: value for key, value in body.items() if key not in refused}
    for key in refused & body.keys():
        if (instead := wire.REFUSALS[key][1]) is not None:
            adapted[instead] = body[key]
    return adapted


def _refused(text: str, sent: set[str]) -> str | None:
    """The parameter an error names as the one the server does not take."""
    return next((name for name, (pattern, _) in wire.REFUSALS.items() if name in sent and pattern.search(text)), None)


async def _chunks(response: "httpx2.Response", received: wire.Received) -> AsyncGenerator[wire.Chunk]:
    """The pieces of an answer; an answer in one piece, from a server that does not stream, is one of them.

    Ends at `[DONE]`, or when a finished answer is followed by nothing for a while.
    """
    if response.headers.get("content-type", "").startswith("application/json"):
        yield _whole(await response.aread())
        return
    understood = foreign = False
    async with contextlib.aclosing(_lines(response.aiter_bytes())) as lines:
        while True:
            bound = None if received.reason is None else _LINGER.total_seconds()
            async with asyncio.timeout(bound):
                line = await anext(lines, None)
            if line is None:
                if foreign and not understood:
                    raise ValueError("no event stream")
                return
            name, _, value = line.partition(b":")
            value = value.strip()
            if name != b"data" or not value:
                foreign = foreign or name not in _FIELDS
                continue
            understood = True
            if value == b"[DONE]":
                # Most servers say why they stop before they say that they did.
                received.reason = received.reason or "stop"
                # Read to its end, the connection can serve the next request.
                async with asyncio.timeout(_DRAIN.total_seconds()):
                    async for _ in lines:
                        pass
                return
            yield wire.Chunk.model_validate_json(value)


def _whole(body: bytes) -> wire.Chunk:
    chunk = wire.Chunk.model_validate_json(body)
    if chunk.choices and chunk.choices[0].finish_reason is None:
        chunk.choices[0].finish_reason = "stop"
    if not chunk.choices and chunk.error is None:
        raise ValueError("no choices")
    return chunk


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Lines as the event stream format ends them; `str.splitlines` would also cut at a U+2028 inside an answer."""
    rest = b""
    async for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.rstrip(b"\r")
        if len(rest) > _LONGEST_LINE:
            raise ValueError("a line without an end")
    yield rest.rstrip(b"\r")
