"""One REST request as the routes see it, and as tests read it afterwards."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from aiohttp import BodyPartReader, web

from tests.discord_server import refusals
from tests.discord_server.wire import Json

if TYPE_CHECKING:
    from tests.discord_server.gateway import Gateway
    from tests.discord_server.world import World

_FILE = re.compile(r"^files\[(\d+)\]$")


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """An uploaded file."""

    filename: str
    content: bytes
    content_type: str


@dataclass(slots=True, kw_only=True)
class Call:
    """A request: where it goes, what it carries, and the Discord it goes to."""

    world: "World"
    gateway: "Gateway"
    method: str
    path: str
    parameters: Mapping[str, str]
    query: Mapping[str, str]
    pairs: Sequence[tuple[str, str]] = ()
    """The query as it was sent: a name may come more than once."""
    body: Any = None
    files: dict[int, File] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """An id in the path."""
        value = self.parameters[name]
        if not value.isdigit():
            raise refusals.invalid_form(name, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
        return int(value)

    def asked(self, name: str) -> int | None:
        """An optional number in the query."""
        value = self.query.get(name)
        if value is None:
            return None
        if not value.isdigit():
            raise refusals.invalid_form(name, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        return int(value)

    def limit(self, default: int, most: int) -> int:
        """The limit asked for, in Discord's bounds."""
        limit = self.asked("limit")
        if limit is None:
            return default
        if not 1 <= limit <= most:
            message = f"int value should be between 1 and {most}."
            raise refusals.invalid_form("limit", "NUMBER_TYPE_MAX", message)
        return limit

    @property
    def fields(self) -> Json:
        """The body as an object."""
        if not isinstance(self.body, dict):
            raise refusals.invalid_form("_errors", "MODEL_TYPE_CONVERT", "Only dictionaries may be used.")
        return self.body  # pyright: ignore[reportUnknownVariableType]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request that was served: status 0 is a broken connection."""

    method: str
    path: str
    query: dict[str, str]
    pairs: Sequence[tuple[str, str]]
    body: Any
    status: int
    at: float
    """Monotonic seconds when it came, and below how many passed until its answer."""
    took: float


@dataclass(frozen=True, slots=True)
class Status:
    """An answer with a status of its own."""

    status: int
    body: Any = None


Handler: TypeAlias = Callable[[Call], Any]
"""What answers a route: JSON, None for 204, or a `Status`; refusals are raised."""


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path template with what answers it; open ones need no token of the bot."""

    method: str
    template: str
    handler: Handler
    needs_token: bool = True


async def read_body(request: web.Request) -> tuple[Any, dict[int, File]]:
    """The JSON of a request and its files. Raises `Refusal`."""
    if request.content_type == "multipart/form-data":
        return await _read_parts(request)
    raw = await request.read()
    if not raw:
        return None, {}
    try:
        return json.loads(raw), {}
    except ValueError:
        raise refusals.bad_json() from None


async def _read_parts(request: web.Request) -> tuple[Any, dict[int, File]]:
    body: Any = {}
    files: dict[int, File] = {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        content = bytes(await part.read())
        if part.name == "payload_json":
            try:
                body = json.loads(content)
            except ValueError:
                raise refusals.bad_json() from None
        elif part.name and (found := _FILE.match(part.name)):
            kind = part.headers.get("Content-Type", "application/octet-stream")
            files[int(found[1])] = File(filename=part.filename or "file", content=content, content_type=kind)
    return body, files
