"""The gateway: websockets that identify or resume, and what they are told."""

import asyncio
import contextlib
import json
import time
from collections import deque
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from aiohttp import WSMsgType, web

from tests.discord_server import members, wire
from tests.discord_server.sessions import Connection, Session, encoded
from tests.discord_server.wire import Intent

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.discord_server.world import Event, World

MOST_SESSIONS: Final = 64
MOST_REMEMBERED: Final = 1000
_EVERY_INTENT: Final = (1 << 26) - 1
_ENDS_SESSION: Final = frozenset({4007, 4009})
_RATE: Final = 120
_RATE_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """An IDENTIFY or a RESUME that was asked for, and whether it was granted."""

    shard: int
    granted: bool
    at: float
    intents: Intent = Intent.NONE
    seq: int = 0


class Gateway:
    """Sessions and connections of one bot."""

    def __init__(
        self,
        world: "World",
        *,
        token: str,
        shards: int,
        heartbeat: timedelta,
        identifies: int,
        identify_every: timedelta,
    ) -> None:
        self._world, self.token = world, token
        self._heartbeat, self._identify_every = heartbeat, identify_every
        self.url = ""
        self.shards = shards
        self.most_identifies = self.identifies_left = identifies
        self.acks = True
        self.down = False
        """Whether heartbeats are acknowledged, and whether new connections are turned away."""
        self.closes_with: int | None = None
        """The code with which every new session is refused."""
        self.spoils: dict[str, Callable[[wire.Json], object]] = {}
        """What becomes of events by their names before they are told: as no documentation has them."""
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        self.opened = 0
        self.identified: deque[Start] = deque(maxlen=MOST_REMEMBERED)
        self.resumed: deque[Start] = deque(maxlen=MOST_REMEMBERED)
        self.heartbeats = 0
        self.presences: deque[wire.Json] = deque(maxlen=MOST_REMEMBERED)
        world.listeners.append(self.dispatch)

    def dispatch(self, event: "Event") -> None:
        """Tell an event to every session that may hear it; of a guild in an outage nothing but that it is in one."""
        guild = None if event.guild_id is None else self._world.guilds.get(event.guild_id)
        if guild is not None and guild.unavailable and not event.name.startswith("GUILD_"):
            return
        if event.name in self.spoils:
            event = replace(event, data=self._spoilt(event.name, event.data), bare=None)
        for session in self.sessions.values():
            if session.hears(event):
                session.hear(event)

    def _spoilt(self, name: str, data: wire.Json) -> wire.Json:
        return cast("wire.Json", self.spoils[name](data)) if name in self.spoils else data

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One websocket from HELLO to its end."""
        if self.down:
            return web.Response(status=503)
        socket = Connection.opened()
        await socket.prepare(request)
        compressed = request.query.get("compress") == "zlib-stream"
        connection = Connection(socket, request.transport, compressed=compressed)
        self.connections.add(connection)
        self.opened += 1
        writer = asyncio.create_task(connection.write())
        connection.tell(encoded(10, {"heartbeat_interval": int(self._heartbeat.total_seconds() * 1000), "_trace": []}))
        if request.query.get("v", "10") not in {"9", "10"}:
            connection.close(4012)
        self._world.changes.tell()
        try:
            await self._read(connection)
        finally:
            self._ended(connection)
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
        return socket

    async def _read(self, connection: Connection) -> None:
        times: deque[float] = deque(maxlen=_RATE)
        async for message in connection.socket:
            if message.type is not WSMsgType.TEXT:
                connection.close(4002)
                continue
            now = time.monotonic()
            if len(times) == _RATE and now - times[0] < _RATE_SECONDS:
                connection.close(4008)
                continue
            try:
                payload = json.loads(message.data)
                op, data = payload["op"], payload.get("d")
            except (ValueError, TypeError, KeyError):
                connection.close(4002)
                continue
            if op != 1:
                # A client may always beat; only the rest is counted, or short test intervals would use it up.
                times.append(now)
            if not connection.silent and not connection.cut:
                self._take(connection, op, data)

    def _take(self, connection: Connection, op: int, data: wire.Json) -> None:
        code: int | None = None
        match op:
            case 1:
                self.heartbeats += 1
                if self.acks:
                    connection.tell(encoded(11, None))
            case 2:
                code = self._identify(connection, data)
            case 6:
                code = self._resume(connection, data)
            case 3 | 4 | 8 if connection.session is None:
                code = 4003
            case 3:
                self.presences.append(data)
            case 4:
                pass
            case 8:
                assert connection.session is not None
                members.chunks(self._world, connection.session, data)
            case _:
                code = 4001
        if code is not None:
            connection.close(code)
        self._world.changes.tell()

    def _identify(self, connection: Connection, data: wire.Json) -> int | None:
        """Begin a session; the code to close with when that is refused."""
        if connection.session is not None:
            return 4005
        shard, count = data.get("shard") or (0, 1)
        intents = Intent(int(data.get("intents", 0)) & _EVERY_INTENT)
        refused = self._refused(data, shard, count, intents)
        late = self._too_soon()
        granted = refused is None and not late
        self.identified.append(Start(shard=shard, granted=granted, at=time.monotonic(), intents=intents))
        if refused is not None:
            return refused
        if late:
            connection.tell(encoded(9, False))
            return None
        self.identifies_left -= 1
        session = Session(shard=shard, count=count, intents=intents, connection=connection)
        connection.session = session
        self._keep(session)
        self._welcome(session, sharded="shard" in data)
        return None

    def _refused(self, data: wire.Json, shard: int, count: int, intents: Intent) -> int | None:
        if self.closes_with is not None:
            return self.closes_with
        if str(data.get("token", "")).removeprefix("Bot ") != self.token or self.identifies_left <= 0:
            # Discord takes the token away from a bot that has used up its starts.
            return 4004
        if not 0 <= shard < count:
            return 4010
        if int(data.get("intents", 0)) & ~_EVERY_INTENT:
            return 4013
        if intents & wire.PRIVILEGED & ~self._world.privileged:
            return 4014
        return None

    def _too_soon(self) -> bool:
        last = next((start.at for start in reversed(self.identified) if start.granted), None)
        return last is not None and time.monotonic() - last < self._identify_every.total_seconds()

    def _keep(self, session: Session) -> None:
        self.sessions[session.session_id] = session
        if len(self.sessions) > MOST_SESSIONS:
            idle = [each for each in self.sessions.values() if each.connection is None]
            oldest = idle[0] if idle else next(iter(self.sessions.values()))
            del self.sessions[oldest.session_id]

    def _welcome(self, session: Session, *, sharded: bool) -> None:
        world, bot = self._world, self._world.bot
        mine = [guild for guild in world.guilds.values() if bot.user_id in guild.members]
        mine = [guild for guild in mine if (guild.guild_id >> 22) % session.count == session.shard]
        ready: wire.Json = {
            "v": 10,
            "user": wire.user(bot) | {"verified": True, "mfa_enabled": False, "flags": 0, "email": None},
            "guilds": [{"id": str(guild.guild_id), "unavailable": True} for guild in mine],
            "private_channels": [],
            "session_id": session.session_id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "application": {"id": str(world.application_id), "flags": world.application_flags},
            "_trace": [],
        }
        ready |= {"shard": [session.shard, session.count]} if sharded else {}
        session.tell("READY", self._spoilt("READY", ready))
        if not session.intents & Intent.GUILDS:
            return
        for guild in mine:
            if not guild.unavailable:
                told = wire.guild_create(guild, presences=bool(session.intents & Intent.PRESENCES))
                session.tell("GUILD_CREATE", self._spoilt("GUILD_CREATE", told | {"unavailable": False}))

    def _resume(self, connection: Connection, data: wire.Json) -> int | None:
        """Go on with a session; the code to close with when that is refused."""
        if connection.session is not None:
            return 4005
        if str(data.get("token", "")).removeprefix("Bot ") != self.token:
            return 4004
        session, seq = self.sessions.get(str(data.get("session_id"))), int(data.get("seq") or 0)
        granted = session is not None and session.can_replay(seq)
        shard = session.shard if session else 0
        self.resumed.append(Start(shard=shard, granted=granted, at=time.monotonic(), seq=seq))
        if session is None or not granted:
            connection.tell(encoded(9, False))
            return None
        if seq > session.seq:
            return 4007
        session.replay(connection, seq)
        return None

    def _ended(self, connection: Connection) -> None:
        self.connections.discard(connection)
        session = connection.session
        if session is not None:
            session.connection = None
            # A client that closes with 1000 or 1001 says that it will not come back for the session.
            if not connection.cut and connection.socket.close_code in {1000, 1001}:
                self.sessions.pop(session.session_id, None)
        self._world.changes.tell()

    # ---- what tests ask for

    def _of(self, shard: int | None) -> list[Connection]:
        chosen = [each for each in self.connections if each.session is not None and not each.cut]
        return [each for each in chosen if shard is None or (each.session and each.session.shard == shard)]

    def drop(self, shard: int | None, code: int | None) -> None:
        """Close connections with a code, or break them off without one."""
        for connection in self._of(shard):
            if code in _ENDS_SESSION and connection.session is not None:
                self.sessions.pop(connection.session.session_id, None)
            if code is None:
                connection.abort()
            else:
                connection.close(code)

    def reconnect(self, shard: int | None) -> None:
        """Ask for a reconnect (op 7)."""
        for connection in self._of(shard):
            connection.tell(encoded(7, None))

    def invalidate(self, shard: int | None, *, resumable: bool) -> None:
        """Declare sessions invalid (op 9); those not resumable are gone."""
        for connection in self._of(shard):
            if not resumable and connection.session is not None:
                self.sessions.pop(connection.session.session_id, None)
                connection.session.connection = None
                connection.session = None
            connection.tell(encoded(9, resumable))

    def hush(self, *, silent: bool) -> None:
        """Let the present connections fall silent: neither events nor acknowledgements, and nothing heard."""
        for connection in self.connections:
            connection.silent = silent
