"""A scripted OpenAI-compatible server on loopback: streams, tool calls and faults on demand.

`python -m tests.model_server --reply TEXT [--delay 10]` serves one reply for ever and prints its address first.
"""

import argparse
import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web


@dataclass(frozen=True, kw_only=True)
class Reply:
    """An answer, streamed in pieces; `reason` is what the last chunk says."""

    text: str = ""
    pieces: int = 3
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    reason: str = ""
    delay: float = 0.0
    gate: asyncio.Event | None = None
    """Held after the first piece until it is set."""


@dataclass(frozen=True, kw_only=True)
class Status:
    """An error answer."""

    status: int
    body: dict[str, Any] = field(default_factory=lambda: {"error": {"message": "no"}})
    headers: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True)
class Hang:
    """No answer until the server closes."""


@dataclass(frozen=True, kw_only=True)
class Cut:
    """The connection is gone after some text."""

    text: str
    error_event: bool = False


@dataclass(frozen=True, kw_only=True)
class Garbage:
    """A 200 that is no answer."""

    body: bytes
    content_type: str = "text/event-stream"


Step = Reply | Status | Hang | Cut | Garbage
Script = Callable[[dict[str, Any]], Step]


class ModelServer:
    """One server; steps are used up in order, then `always` answers."""

    def __init__(self, *steps: Step, always: Step | Script | None = None) -> None:
        self.steps = list(steps)
        self.always: Step | Script = always or Reply(text="Fine.")
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.on_request: Callable[[], None] = lambda: None
        self.base_url = ""
        self.dropped = asyncio.Event()
        """Set when a client went away in the middle of an answer."""
        self._closing = asyncio.Event()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        assert self._runner is not None
        await self._runner.cleanup()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        self.on_request()
        step = self.steps.pop(0) if self.steps else self.always
        if callable(step):
            step = step(body)
        match step:
            case Status():
                return web.json_response(step.body, status=step.status, headers=step.headers)
            case Hang():
                await self._closing.wait()
                return web.Response(status=503)
            case Garbage():
                return web.Response(body=step.body, content_type=step.content_type)
            case Cut():
                return await self._cut(request, step)
            case Reply():
                return await self._reply(request, step, body)

    async def _cut(self, request: web.Request, step: Cut) -> web.StreamResponse:
        response = await _started(request)
        await response.write(_event(_chunk({"role": "assistant", "content": step.text})))
        if step.error_event:
            await response.write(_event({"error": {"message": "overloaded", "type": "server_error"}}))
        assert request.transport is not None
        await asyncio.sleep(0.01)
        request.transport.close()
        return response

    async def _reply(self, request: web.Request, step: Reply, body: dict[str, Any]) -> web.StreamResponse:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), step.delay or 1e-9)
        response = await _started(request)
        try:
            for number, piece in enumerate(_pieces(step.text, step.pieces)):
                if number == 1 and step.gate is not None:
                    await step.gate.wait()
                await response.write(_event(_chunk({"role": "assistant", "content": piece})))
            for index, (name, arguments) in enumerate(step.calls):
                text = json.dumps(arguments)
                first = {"index": index, "id": f"call_{len(self.requests)}_{index}", "type": "function",
                         "function": {"name": name, "arguments": text[:3]}}  # fmt: skip
                await response.write(_event(_chunk({"tool_calls": [first]})))
                rest = {"index": index, "function": {"arguments": text[3:]}}
                await response.write(_event(_chunk({"tool_calls": [rest]})))
            reason = step.reason or ("tool_calls" if step.calls else "stop")
            await response.write(_event(_chunk({}, reason)))
            if "stream_options" in body:
                usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
                await response.write(_event(_chunk(None) | {"choices": [], "usage": usage}))
            await response.write(b"data: [DONE]\n\n")
        except (ConnectionError, asyncio.CancelledError):
            self.dropped.set()
            raise
        return response


async def _started(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    return response


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def _chunk(delta: dict[str, Any] | None, reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "c1", "object": "chat.completion.chunk", "created": 0, "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }  # fmt: skip


def _pieces(text: str, count: int) -> list[str]:
    size = max(1, -(-len(text) // count))
    return [text[at : at + size] for at in range(0, len(text), size)]


async def _serve(reply: str, delay: float) -> None:
    async with ModelServer(always=Reply(text=reply, delay=delay)) as server:
        print(server.base_url, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reply", default="Fine.")
    parser.add_argument("--delay", type=float, default=0.0)
    options = parser.parse_args()
    asyncio.run(_serve(options.reply, options.delay))


if __name__ == "__main__":
    main()
