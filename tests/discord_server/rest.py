"""The REST API's door: tokens, faults, rate limits, and the record of every request."""

import functools
import json
import time
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from tests import waiting
from tests.discord_server import (
    refusals,
    rest_application,
    rest_channels,
    rest_guilds,
    rest_interactions,
    rest_messages,
    rest_search,
    rest_threads,
    wire,
)
from tests.discord_server.buckets import Buckets
from tests.discord_server.calls import Call, Request, Route, Status, read_body
from tests.discord_server.faults import Fault, Faults
from tests.discord_server.refusals import Refusal

if TYPE_CHECKING:
    from tests.discord_server.gateway import Gateway
    from tests.discord_server.world import World

MOST_REQUESTS: Final = 20_000
PREFIX: Final = "/api/v10"
ROUTES: Final[Sequence[Route]] = (
    *rest_application.ROUTES,
    *rest_guilds.ROUTES,
    *rest_channels.ROUTES,
    *rest_messages.ROUTES,
    *rest_search.ROUTES,
    *rest_threads.ROUTES,
    *rest_interactions.ROUTES,
)


class Rest:
    """Serves the API for one bot."""

    def __init__(self, world: "World", gateway: "Gateway", *, token: str, rate_limits: bool) -> None:
        self._world, self._gateway, self._token = world, gateway, token
        self.faults = Faults()
        self.buckets = Buckets(enabled=rate_limits)
        self.requests: deque[Request] = deque(maxlen=MOST_REQUESTS)

    def mount(self, app: web.Application) -> None:
        """Put the routes into an application."""
        for route in ROUTES:
            app.router.add_route(route.method, PREFIX + route.template, functools.partial(self._serve, route))
        app.router.add_route("*", PREFIX + "/{tail:.*}", functools.partial(self._serve, None))

    async def _serve(self, route: Route | None, request: web.Request) -> web.StreamResponse:
        began = time.monotonic()
        call = Call(
            world=self._world,
            gateway=self._gateway,
            method=request.method,
            path=request.path.removeprefix(PREFIX),
            parameters=request.match_info,
            query=request.query,
            pairs=[*request.query.items()],
        )
        status = 0
        try:
            response = await self._answer(route, request, call)
            status = response.status if response is not None else 0
            return response or _broken(request)
        finally:
            self.requests.append(
                Request(
                    method=call.method,
                    path=call.path,
                    query=dict(call.query),
                    pairs=call.pairs,
                    body=call.body,
                    status=status,
                    at=began,
                    took=time.monotonic() - began,
                )
            )
            self._world.changes.tell()

    async def _answer(self, route: Route | None, request: web.Request, call: Call) -> web.Response | None:
        """The answer, or None for a connection that breaks."""
        try:
            call.body, call.files = await read_body(request)
        except Refusal as refusal:
            return _json(refusal.status, refusal.body())
        late, fault = self.faults.met_by(call.method, call.path)
        if late:
            await waiting.passed(late.total_seconds())
        if fault is not None and not fault.after_effect:
            return _faulty(fault)
        if wait := self.faults.everywhere_for:
            return _limited(wait, everywhere=True, headers={})
        template = route.template if route is not None else "/unknown"
        verdict = self.buckets.count(call.method, template, request.match_info)
        if verdict.wait:
            return _limited(verdict.wait, everywhere=verdict.everywhere, headers=verdict.headers)
        response = self._do(route, request, call)
        response.headers.update(verdict.headers)
        return response if fault is None else _faulty(fault)

    def _do(self, route: Route | None, request: web.Request, call: Call) -> web.Response:
        try:
            if route is None or route.needs_token:
                self._check_token(request)
            if route is None:
                raise refusals.no_route()
            answer = route.handler(call)
        except Refusal as refusal:
            return _json(refusal.status, refusal.body())
        if isinstance(answer, Status):
            return _json(answer.status, answer.body)
        return web.Response(status=204) if answer is None else _json(200, answer)

    def _check_token(self, request: web.Request) -> None:
        if request.headers.get("Authorization") != f"Bot {self._token}":
            raise refusals.unauthorized()


def _json(status: int, body: Any, headers: dict[str, str] | None = None) -> web.Response:
    # As bytes: the content type then bears no charset, which discord.py compares in full.
    return web.Response(status=status, body=json.dumps(body).encode(), content_type="application/json", headers=headers)


def _limited(wait: float, *, everywhere: bool, headers: dict[str, str]) -> web.Response:
    # Clients take a 429 without Via for a ban by the network before Discord.
    told = headers | {"Retry-After": str(max(1, round(wait))), "Via": "1.1 loopback"}
    if everywhere:
        told |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
    return _json(429, wire.rate_limited(wait, everywhere=everywhere), told)


def _faulty(fault: Fault) -> web.Response | None:
    match fault.kind:
        case "limited":
            return _limited(fault.delay.total_seconds(), everywhere=fault.everywhere, headers={})
        case "failed":
            return _json(fault.status, {"message": f"{fault.status}: Internal Server Error", "code": fault.code})
        case _:
            return None


def _broken(request: web.Request) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)
