"""A scripted OpenAI-compatible server on loopback: streams, tool calls and faults on demand.

`python -m tests.model_server --reply TEXT [--port 0] [--delay 10]` serves one reply for ever, each after so many
seconds, and prints its address first.
"""

import argparse
import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests import waiting

USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """An answer, streamed in pieces; `reason` is what the last chunk says."""

    text: str = ""
    pieces: int = 3
    calls: tuple[tuple[str, dict[str, Any] | str], ...] = ()
    """Of tools, each with its arguments, or with what is sent in their place."""
    thoughts: str = ""
    """Reasoning before the text."""
    reason: str = ""
    usage: bool = True
    """Whether it counts tokens when asked to."""
    details: Any = None
    """What it adds to that count."""
    done: bool = True
    """Whether the stream ends on `[DONE]`."""
    delay: float = 0.0
    silent: asyncio.Event | None = None
    """Nothing comes until it is set."""
    gate: asyncio.Event | None = None
    """Held after the first piece until it is set."""
    pace: float = 0.0
    """Seconds after every event."""


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
    """The connection is gone after some text: broken, or closed as if that were all."""

    text: str
    pieces: int = 1
    error_event: bool = False
    clean: bool = False


@dataclass(frozen=True, kw_only=True)
class Garbage:
    """A 200 that is no answer."""

    body: bytes
    content_type: str = "text/event-stream"


HTML = Garbage(body=b"<!doctype html><title>Welcome</title><p>data: it works", content_type="text/html")
Step = Reply | Status | Hang | Cut | Garbage
Script = Callable[[dict[str, Any]], Step]


class ModelServer:
    """One server; steps are used up in order, then `always` answers.

    One that hangs up ends every connection with its answer.
    """

    def __init__(self, *steps: Step | Script, always: Step | Script | None = None, hangs_up: bool = False) -> None:
        self.steps = list(steps)
        self.hangs_up = hangs_up
        self.always: Step | Script = always or Reply(text="Fine.")
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.connections: set[Any] = set()
        """The client's end of every connection that asked something."""
        self.on_request: Callable[[], None] = lambda: None
        self.on_reply: Callable[[], None] = lambda: None
        """Called when the last event of an answer is about to be written."""
        self.base_url = ""
        self.asked = asyncio.Event()
        """Set when a request has come."""
        self.dropped = asyncio.Event()
        """Set when a client went away in the middle of an answer."""
        self._closing = asyncio.Event()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        return await self.start()

    async def start(self, port: int = 0) -> Self:
        """Listen on a loopback port, a free one for 0."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/v1/models", self._models)
        if self.hangs_up:
            app.on_response_prepare.append(_hang_up)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        assert self._runner is not None
        await self._runner.cleanup()

    async def _models(self, _request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        if request.transport is not None:
            self.connections.add(request.transport.get_extra_info("peername"))
        self.on_request()
        self.asked.set()
        step = self.steps.pop(0) if self.steps else self.always
        if callable(step):
            step = step(body)
        try:
            return await self._play(request, step, body)
        except (ConnectionError, asyncio.CancelledError):
            self.dropped.set()
            raise

    async def _play(self, request: web.Request, step: Step, body: dict[str, Any]) -> web.StreamResponse:
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
                if step.silent is not None:
                    await step.silent.wait()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), step.delay or 1e-9)
                if not body.get("stream"):
                    return web.json_response(self._whole(step))
                response = await _started(request)
                async with contextlib.aclosing(self._events(step, body)) as events:
                    async for event in events:
                        await response.write(event)
                        if step.pace:
                            await waiting.passed(step.pace)
                return response

    async def _cut(self, request: web.Request, step: Cut) -> web.StreamResponse:
        response = await _started(request)
        for piece in _pieces(step.text, step.pieces):
            await response.write(_event(_chunk({"role": "assistant", "content": piece})))
        if step.error_event:
            await response.write(_event({"error": {"message": "overloaded", "type": "server_error"}}))
        if not step.clean:
            assert request.transport is not None
            await waiting.passed(0.01)
            request.transport.close()
        return response

    async def _events(self, step: Reply, body: dict[str, Any]) -> AsyncGenerator[bytes]:
        yield b": a comment, as some servers send to keep the line open\n\n"
        yield _event(_chunk({"role": "assistant", "content": ""}))
        if step.thoughts:
            yield _event(_chunk({"reasoning_content": step.thoughts}))
        for number, piece in enumerate(_pieces(step.text, step.pieces)):
            if number == 1 and step.gate is not None:
                await step.gate.wait()
            yield _event(_chunk({"content": piece}))
        for index, call in enumerate(self._calls(step)):
            text = call["function"]["arguments"]
            first = {**call, "index": index, "function": {**call["function"], "arguments": text[:3]}}
            yield _event(_chunk({"tool_calls": [first]}))
            yield _event(_chunk({"tool_calls": [{"index": index, "function": {"arguments": text[3:]}}]}))
        yield _event(_chunk({}, _reason(step)))
        if step.usage and "stream_options" in body:
            yield _event(_chunk(None) | {"choices": [], "usage": USAGE | {"prompt_tokens_details": step.details}})
        self.on_reply()
        if step.done:
            yield b"data: [DONE]\n\n"

    def _whole(self, step: Reply) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
        if step.calls:
            message["tool_calls"] = self._calls(step)
        choice = {"index": 0, "message": message, "finish_reason": _reason(step)}
        return {"id": "c1", "object": "chat.completion", "model": "scripted", "choices": [choice], "usage": USAGE}

    def _calls(self, step: Reply) -> list[dict[str, Any]]:
        return [
            {
                "id": f"call_{len(self.requests)}_{index}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
                },
            }
            for index, (name, arguments) in enumerate(step.calls)
        ]


async def _hang_up(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers["Connection"] = "close"
    response.force_close()


async def _started(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    return response


def _reason(step: Reply) -> str:
    return step.reason or ("tool_calls" if step.calls else "stop")


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _chunk(delta: dict[str, Any] | None, reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }


def _pieces(text: str, count: int) -> list[str]:
    size = max(1, -(-len(text) // count))
    return [text[at : at + size] for at in range(0, len(text), size)]


async def _serve(reply: str, port: int, delay: float) -> None:
    server = ModelServer(always=Reply(text=reply, delay=delay))
    await server.start(port)
    print(server.base_url, flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reply", default="Fine.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0)
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(options.reply, options.port, options.delay))


if __name__ == "__main__":
    main()
