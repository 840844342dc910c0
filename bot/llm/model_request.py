"""Sends one request to one model and reads the event stream; learns what a server refuses."""

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from datetime import timedelta
from typing import Any, Final

import aiohttp

from bot import log
from bot.config import ModelSettings
from bot.llm import completions, failures
from bot.llm.connections import Connections
from bot.llm.failures import Failure
from bot.llm.messages import ChatMessage, Finished, TextDelta, ToolSpec

_log = log.logger(__name__)

_CHAT: Final = "chat/completions"
_ABOUT_THE_REQUEST: Final = frozenset({400, 422})
_WHATEVER_THE_STATUS: Final = frozenset({"tools"})
"""What servers refuse with any status: routers as not found, others as a failure of their own."""
LEAST_CONTEXT: Final = 512
"""Tokens of prompt and answer below which nothing is learned: less than that holds no question."""
_UNSEEN: Final = re.compile(r"\b(?:images?|image_url|pictures?|vision|multi-?modal|mmproj)\b")
"""How a server names what it can't look at, in a refusal or in a failure of its own."""
LINGER: Final = timedelta(seconds=2)
"""How long a finished answer waits for the count of its tokens."""
_FIELDS: Final = frozenset({b"", b"data", b"event", b"id", b"retry"})
"""How a line of an event stream may begin; no name is a comment."""
_COMPLAINT: Final = 1_000
"""Characters of a refusal in which its cause is looked for."""
_DRAIN: Final = timedelta(seconds=0.1)
_LONGEST_LINE: Final = 2**20
_LONGEST_ANSWER: Final = 10**6
"""Bytes of one event and letters of one answer; more is a server gone wrong."""


class Working:
    """The model is working, with nothing to show yet: it reasons, or writes a tool call."""


class ServerRequests:
    """One model on one server, reached through shared connections."""

    def __init__(self, settings: ModelSettings, connections: Connections | None = None) -> None:
        self._settings = settings
        self._connections = connections or Connections()

    @property
    def settings(self) -> ModelSettings:
        """The model's settings, with no more context or tools than its server was found to take."""
        most = self._connections.takes.get(self._place)
        settings = self._settings if most is None else narrowed(self._settings, most)
        is_refused = "tools" in self._connections.refuses.get(self._place, ())
        return settings.model_copy(update={"tools": "none"}) if is_refused else settings

    def learn(self, failure: Failure, sent: int) -> None:
        """Learns from a prompt of about `sent` tokens that was too long: what the server names, or half of it."""
        settings = self.settings
        half = sent // 2 + settings.max_tokens
        is_named = failure.takes is not None and failure.takes < settings.max_context
        most = failure.takes if is_named and failure.takes is not None else half
        self._connections.takes[self._place] = max(LEAST_CONTEXT, min(most, settings.max_context))
        _log.warning("model.context_learned", model=settings.model, host=self.host, tokens=most)

    @property
    def _place(self) -> tuple[str, str]:
        return str(self._settings.base_url), self._settings.model

    @property
    def host(self) -> str:
        """Which server, for people: never the key."""
        return failures.host(self.settings)

    async def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec], schema: dict[str, Any] | None
    ) -> AsyncGenerator[TextDelta | Working | Finished]:
        """Yields text as it arrives, then all of it. Raises `Failure`, also midway; closing it closes the response."""
        received, began = completions.Received(), None
        try:
            async with contextlib.AsyncExitStack() as stack:
                response = await self._answering(stack, messages, tools, schema)
                async with contextlib.aclosing(_chunks(response, received)) as chunks:
                    async for chunk in chunks:
                        began = began or time.monotonic()
                        if (event := _event(self.settings, received, chunk, began)) is not None:
                            yield event
        except Failure:
            # A finished answer stays one, whatever happens to the connection after it.
            if received.reason is None:
                raise
        except Exception as exc:
            if received.reason is None:
                raise failures.of_exception(self.settings, exc) from exc
        if received.reason is None:
            raise failures.of_cut(self.settings)
        if rest := received.ended():
            yield TextDelta(text=rest)
        if received.is_empty:
            raise failures.of_emptiness(self.settings, at_limit=received.reason == "length")
        yield received.finished(self.settings.model)

    async def _answering(
        self,
        stack: contextlib.AsyncExitStack,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec],
        schema: dict[str, Any] | None,
    ) -> aiohttp.ClientResponse:
        """Opens the response; where the server does not take the pictures, that to the same without them."""
        settings = self.settings
        try:
            return await self._open(stack, completions.request(settings, messages, tools, schema))
        except Failure as exc:
            if exc.too_long or not _UNSEEN.search(exc.told, 0, _COMPLAINT) or not completions.shows(settings, messages):
                raise
            _log.warning("model.pictures_refused", model=settings.model, host=self.host, status=exc.status)
        blind = settings.model_copy(update={"vision": False})
        return await self._open(stack, completions.request(blind, messages, tools, schema))

    async def _open(self, stack: contextlib.AsyncExitStack, body: dict[str, Any]) -> aiohttp.ClientResponse:
        """Opens the response; parameters the server refuses by name are left out or renamed from then on."""
        settings, known = self.settings, self._connections.refuses
        place = self._place
        refused = known.get(place, frozenset())
        while True:
            try:
                response = await self._connections.post(settings, _CHAT, _without(body, refused))
            except Failure as exc:
                sent = body.keys() - refused
                news = _refused(exc.told, sent if exc.status in _ABOUT_THE_REQUEST else sent & _WHATEVER_THE_STATUS)
                if news is None:
                    raise
                refused |= {news}
                _log.info("model.adapted", model=settings.model, host=self.host, parameter=news)
            else:
                if refused:
                    known[place] = known.get(place, frozenset()) | refused
                return await stack.enter_async_context(response)


def narrowed(settings: ModelSettings, most: int) -> ModelSettings:
    """The settings with at most so many tokens of context, a quarter of them for the answer."""
    if settings.max_context <= most:
        return settings
    return settings.model_copy(update={"max_context": most, "max_tokens": min(settings.max_tokens, most // 4)})


def _event(
    settings: ModelSettings, received: completions.Received, chunk: completions.StreamChunk, began: float
) -> TextDelta | Working | None:
    """Parses one piece of an answer that began then; raises `Failure` when it is an error, or the answer has no end."""
    if chunk.error is not None:
        raise failures.of_mid_stream(settings, chunk.error_status, str(chunk.error)[:_COMPLAINT].lower())
    known = received.silent
    text = received.take(chunk)
    if len(received.text) + received.silent > _LONGEST_ANSWER:
        raise failures.of_cut(settings)
    if time.monotonic() - began > settings.timeout_total.total_seconds():
        raise failures.of_endlessness(settings)
    if text:
        return TextDelta(text=text)
    return Working() if received.silent > known else None


def _without(body: dict[str, Any], refused: frozenset[str]) -> dict[str, Any]:
    adapted = {key: value for key, value in body.items() if key not in refused}
    for key in refused & body.keys():
        if (instead := completions.REFUSALS[key][1]) is not None:
            adapted[instead] = body[key]
    return adapted


def _refused(text: str, sent: set[str]) -> str | None:
    """The parameter an error names as the one the server does not take."""
    return next(
        (
            name
            for name, (pattern, _) in completions.REFUSALS.items()
            if name in sent and pattern.search(text, 0, _COMPLAINT)
        ),
        None,
    )


async def _chunks(
    response: aiohttp.ClientResponse, received: completions.Received
) -> AsyncGenerator[completions.StreamChunk]:
    """The pieces of an answer; an answer in one piece, from a server that does not stream, is one of them.

    Ends at `[DONE]`, or when a finished answer is followed by nothing for a while.
    """
    if response.headers.get("content-type", "").startswith("application/json"):
        yield _whole(await response.read())
        return
    understood = foreign = False
    async with contextlib.aclosing(_lines(response.content.iter_any())) as lines:
        while True:
            if received.reason is None:
                line = await anext(lines, None)
            else:
                async with asyncio.timeout(LINGER.total_seconds()):
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
            yield completions.StreamChunk.model_validate_json(value)


def _whole(body: bytes) -> completions.StreamChunk:
    chunk = completions.StreamChunk.model_validate_json(body)
    if chunk.choices and chunk.choices[0].finish_reason is None:
        chunk.choices[0].finish_reason = "stop"
    if not chunk.choices and chunk.error is None:
        raise ValueError("no choices")
    return chunk


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Lines that are not blank, as the event stream format ends them.

    `str.splitlines` would also cut at a U+2028 inside an answer.
    """
    rest = b""
    async for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if ended := line.rstrip(b"\r"):
                yield ended
        if len(rest) > _LONGEST_LINE:
            raise ValueError("a line without an end")
    if ended := rest.rstrip(b"\r"):
        yield ended
