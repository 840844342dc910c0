"""A gateway session: what it asked to hear, what it was told, and what it can be told again."""

import asyncio
import contextlib
import json
import secrets
import zlib
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from aiohttp import WSCloseCode, web

from tests.discord_server.wire import Intent, Json

if TYPE_CHECKING:
    from tests.discord_server.world import Event

MOST_REPLAYED: Final = 10_000
MOST_WAITING: Final = 20_000
"""Events a session can replay, and messages a connection may lag behind before it is cut off."""
_CLOSE_SECONDS: Final = 2.0


def encoded(op: int, data: object, *, name: str | None = None, seq: int | None = None) -> str:
    """One gateway message."""
    return json.dumps({"op": op, "d": data, "s": seq, "t": name}, separators=(",", ":"))


class Connection:
    """One websocket: its messages wait here until they are written, so that nothing that happens waits for it."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, *, compressed: bool) -> None:
        self.socket, self._transport = socket, transport
        self.session: Session | None = None
        self.silent = False
        self.cut = False
        """Whether the server ended it."""
        self.compressed = compressed
        self._zlib = zlib.compressobj() if compressed else None
        self._waiting: asyncio.Queue[str | int] = asyncio.Queue()

    def tell(self, text: str) -> None:
        """Send a message, after those before it; nothing while silent. One that lags too far behind is cut off."""
        if self.silent or self.cut:
            return
        self._waiting.put_nowait(text)
        if self._waiting.qsize() > MOST_WAITING:
            # A closing code would wait behind all the rest.
            self.abort()

    def close(self, code: int) -> None:
        """Close it with a code, once what waits is written."""
        if not self.cut:
            self.cut = True
            self._waiting.put_nowait(code)

    def abort(self) -> None:
        """Break the connection off, without a word."""
        self.cut = True
        if self._transport is not None:
            self._transport.abort()

    async def write(self) -> None:
        """Write what waits until the connection is closed."""
        with contextlib.suppress(ConnectionError):
            while True:
                item = await self._waiting.get()
                if isinstance(item, int):
                    await self.socket.close(code=item)
                    return
                if self._zlib is None:
                    await self.socket.send_str(item)
                else:
                    # One stream a connection; each message ends on a flush, by which the client finds its end.
                    piece = self._zlib.compress(item.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(piece)

    @staticmethod
    def opened() -> web.WebSocketResponse:
        """A websocket as this gateway wants it."""
        return web.WebSocketResponse(timeout=_CLOSE_SECONDS, compress=False, max_msg_size=2**20)


@dataclass(slots=True, kw_only=True, eq=False)
class Session:
    """One identified shard, with or without a connection."""

    shard: int
    count: int
    intents: Intent
    session_id: str = field(default_factory=lambda: secrets.token_hex(16))
    seq: int = 0
    connection: Connection | None = None
    _told: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=MOST_REPLAYED))

    def hears(self, event: "Event") -> bool:
        """Whether the event is of this shard and asked for."""
        shard = (event.guild_id >> 22) % self.count if event.guild_id is not None else 0
        return shard == self.shard and event.intent & self.intents == event.intent

    def hear(self, event: "Event") -> None:
        """Take an event, without message content unless the session may read it."""
        bare = event.bare if not self.intents & Intent.CONTENT else None
        self.tell(event.name, event.data if bare is None else bare)

    def tell(self, name: str, data: Json) -> None:
        """Send an event and keep it for a resume."""
        self.seq += 1
        text = encoded(0, data, name=name, seq=self.seq)
        self._told.append((self.seq, text))
        if self.connection is not None:
            self.connection.tell(text)

    def can_replay(self, seq: int) -> bool:
        """Whether everything after a sequence number is still kept."""
        return seq == self.seq or (bool(self._told) and self._told[0][0] <= seq + 1)

    def replay(self, connection: Connection, seq: int) -> None:
        """Go on over another connection: everything missed, then RESUMED."""
        if self.connection is not None and self.connection is not connection:
            self.connection.session = None
            self.connection.close(WSCloseCode.OK)
        self.connection, connection.session = connection, self
        for number, text in self._told:
            if number > seq:
                connection.tell(text)
        self.tell("RESUMED", {"_trace": []})
