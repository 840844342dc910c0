"""A request body serialised when it is sent, so that a request held by a rate limit carries the latest text."""

import json
from collections.abc import Callable
from typing import Any

from aiohttp import payload
from aiohttp.abc import AbstractStreamWriter


class LateBody(payload.Payload):
    """A JSON body serialised at each attempt, when aiohttp asks for its size to write the headers."""

    _autoclose = True

    def __init__(self, make: Callable[[], dict[str, Any]]) -> None:
        super().__init__(make, content_type="application/json")
        self._make = make
        self._made = b""

    @property
    def size(self) -> int:
        """The bytes of the body, which is made now: its length and what is written are of one moment."""
        self._made = json.dumps(self._make()).encode()
        return len(self._made)

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """The body as it was made last."""
        return self._made.decode(encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        """Write the body as it was made last."""
        await writer.write(self._made)
