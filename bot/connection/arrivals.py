"""Delivers each response of Discord on arrival; discord.py delays one that uses up its rate limit."""

import asyncio
import json
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any, TypeAlias

import aiohttp

Arrival: TypeAlias = asyncio.Future[Any]
"""Given to a request as its `trace_request_ctx`, it holds the answer from when it is there; of one that is refused,
never."""


def tell(config: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Have a session tell every request's `Arrival` of its answer."""

    async def arrived(
        _session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        arrival = getattr(context, "trace_request_ctx", None)
        if isinstance(arrival, asyncio.Future) and params.response.status in {HTTPStatus.OK, HTTPStatus.ACCEPTED}:
            # What is read here is kept for whoever reads the response again.
            answer = _read(await params.response.read())
            if answer is not None and not arrival.done():
                arrival.set_result(answer)

    config.on_request_end.append(arrived)
    return config


def _read(body: bytes) -> Any:
    """The JSON; none where it is something else."""
    try:
        return json.loads(body)
    except ValueError:
        return None
