"""Asks servers which models they have, to find those that run on this machine."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import aiohttp
from pydantic import BaseModel, ValidationError

from bot.llm.providers import Provider

PATIENCE: Final = timedelta(seconds=1)
"""For a server on this machine."""
_LONGEST: Final = 2**20
"""Bytes of a list that are read; a longer one is none."""


class _Model(BaseModel):
    id: str


class _List(BaseModel):
    data: list[_Model]


async def found(providers: Sequence[Provider]) -> list[tuple[Provider, tuple[str, ...]]]:
    """Those that answer, in their order, each with the names of its models."""
    lists = await asyncio.gather(*(models_at(provider.base_url) for provider in providers))
    return [(provider, names) for provider, names in zip(providers, lists, strict=True) if names is not None]


async def models_at(base_url: str) -> tuple[str, ...] | None:
    """The names of the models of a server that wants no key; none where no such server answers at once."""
    try:
        async with (
            asyncio.timeout(PATIENCE.total_seconds()),
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.get(f"{base_url.rstrip('/')}/models", allow_redirects=False) as response,
        ):
            body = await _whole(response)
    except (aiohttp.ClientError, OSError, ValueError):
        return None
    try:
        return tuple(model.id for model in _List.model_validate_json(body).data)
    except ValidationError:
        return None


async def _whole(response: aiohttp.ClientResponse) -> bytes:
    """The body of a good answer; empty where it is none, or has no end."""
    try:
        await response.content.readexactly(_LONGEST)
    except asyncio.IncompleteReadError as exc:
        return exc.partial if response.status == 200 else b""
    return b""
