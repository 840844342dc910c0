"""A scripted OpenAI-compatible embeddings server on loopback: vectors of the words of a text, and faults on demand.

A word always counts in the same places, so texts that share words are near each other, and those that share none are
not.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

DIMENSION = 64
SYNONYMS = {"feline": "cat", "automobile": "car"}
"""Words that mean the same to the model, and share no letter with it for a search by words."""


@dataclass(frozen=True, kw_only=True)
class Status:
    """An error answer."""

    status: int
    body: dict[str, Any] = field(default_factory=lambda: {"error": {"message": "no"}})
    headers: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True)
class Hang:
    """No answer until the gate opens, or the server closes."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, kw_only=True)
class Garbage:
    """A 200 that is no answer."""

    body: bytes


@dataclass(frozen=True, kw_only=True)
class Vectors:
    """An answer, of another length if one is given."""

    dimension: int | None = None
    shuffled: bool = False


Step = Vectors | Status | Hang | Garbage
Script = Callable[[dict[str, Any]], Step]


class EmbeddingServer:
    """One server; steps are used up in order, then `always` answers."""

    def __init__(self, *steps: Step | Script, always: Step | Script | None = None, dimension: int = DIMENSION) -> None:
        self.steps = list(steps)
        self.always: Step | Script = always or Vectors()
        self.dimension = dimension
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.asked = asyncio.Event()
        """Set when a request has come."""
        self.base_url = ""
        self._closing = asyncio.Event()
        self._runner: web.AppRunner | None = None

    @property
    def texts(self) -> list[str]:
        """Every text that was sent, but for the word that asks for the length of a vector."""
        return [text for request in self.requests for text in request["input"] if text != "ok"]

    async def __aenter__(self) -> Self:
        """Listen on a free loopback port."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/embeddings", self._embed)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        assert self._runner is not None
        await self._runner.cleanup()

    async def _embed(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        self.asked.set()
        step = self.steps.pop(0) if self.steps else self.always
        if callable(step):
            step = step(body)
        match step:
            case Status():
                return web.json_response(step.body, status=step.status, headers=step.headers)
            case Garbage():
                return web.Response(body=step.body, content_type="application/json")
            case Hang():
                waiting = [asyncio.create_task(event.wait()) for event in (step.gate, self._closing)]
                try:
                    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in waiting:
                        task.cancel()
                return web.json_response(self._answer(body, Vectors()))
            case Vectors():
                return web.json_response(self._answer(body, step))

    def _answer(self, body: dict[str, Any], step: Vectors) -> dict[str, Any]:
        size = step.dimension or body.get("dimensions") or self.dimension
        data = [
            {"object": "embedding", "index": place, "embedding": vector(text, size)}
            for place, text in enumerate(body["input"])
        ]
        return {"object": "list", "model": body["model"], "data": data[::-1] if step.shuffled else data}


def vector(text: str, size: int = DIMENSION) -> list[float]:
    """The vector of a text: each of its words counts in four places."""
    counted = [0.0] * size
    words: list[str] = re.findall(r"\w+", text.lower())
    for word in words:
        for byte in hashlib.sha256(SYNONYMS.get(word, word).encode()).digest()[:4]:
            counted[byte % size] += 1.0 if byte < 128 else -1.0
    return counted
