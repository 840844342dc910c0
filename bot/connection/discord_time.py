"""Hands on what time it is by Discord, which each of its responses tells."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import aiohttp


def tell(config: aiohttp.TraceConfig, heard: Callable[[datetime], None]) -> aiohttp.TraceConfig:
    """Has a session tell the `Date` of every response (RFC 9110, 6.6.1), in UTC."""

    async def arrived(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        at = read(params.response.headers.get("Date", ""))
        if at is not None:
            heard(at)

    config.on_request_end.append(arrived)
    return config


def read(date: str) -> datetime | None:
    """The time in a `Date` header; none where it is no time."""
    try:
        at = parsedate_to_datetime(date)
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
