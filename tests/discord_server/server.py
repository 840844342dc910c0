"""A Discord on the loopback: real sockets, a simulated world, and what tests do with them."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Self

from aiohttp import web

from tests.discord_server.gateway import Gateway
from tests.discord_server.permissions import CHATTING, Permission
from tests.discord_server.rest import PREFIX, Rest
from tests.discord_server.wire import PRIVILEGED, Intent
from tests.discord_server.world import World

if TYPE_CHECKING:
    from tests.discord_server.calls import Request
    from tests.discord_server.guilds import Guild
    from tests.discord_server.users import User

TOKEN: Final = "loopback.token.of-no-worth"
_CLOSE_SECONDS: Final = 1.0


class DiscordServer:
    """One Discord with one bot. What is made here may be made before and while the bot is connected."""

    def __init__(
        self,
        *,
        token: str = TOKEN,
        bot_name: str = "Hathi",
        heartbeat: timedelta = timedelta(seconds=41.25),
        shards: int = 1,
        privileged: Intent = PRIVILEGED,
        identifies: int = 1000,
        identify_every: timedelta = timedelta(0),
        rate_limits: bool = False,
    ) -> None:
        self.token = token
        self.world = World(bot_name=bot_name, privileged=privileged)
        self.gateway = Gateway(
            self.world,
            token=token,
            shards=shards,
            heartbeat=heartbeat,
            identifies=identifies,
            identify_every=identify_every,
        )
        self.rest = Rest(self.world, self.gateway, token=token, rate_limits=rate_limits)
        self.faults = self.rest.faults
        self.commands = self.world.commands
        self.api_url = self.gateway_url = ""
        self.fetched: list[str] = []
        """The names of the files that were asked for, in order."""
        self.files_open = asyncio.Event()
        """Files are handed out while it is set, as it is at first; whoever asks waits for it."""
        self.files_open.set()
        self.files_status = 200

    @classmethod
    @contextlib.asynccontextmanager
    async def started(cls, *, port: int = 0, **settings: Any) -> AsyncGenerator[Self]:
        """A server that listens on 127.0.0.1 for as long as the block lasts; the settings are the constructor's."""
        server = cls(**settings)
        app = web.Application(client_max_size=64 * 2**20)
        server.rest.mount(app)
        app.router.add_get("/attachments/{channel_id}/{message_id}/{attachment_id}/{filename}", server._attachment)
        app.router.add_get("/", server.gateway.serve)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=_CLOSE_SECONDS)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", port)
            await site.start()
            address = f"127.0.0.1:{runner.addresses[0][1]}"
            server.world.base_url = f"http://{address}"
            server.api_url = server.world.base_url + PREFIX
            server.gateway_url = server.gateway.url = f"ws://{address}/"
            yield server
        finally:
            for connection in list(server.gateway.connections):
                connection.close(1001)
            await runner.cleanup()

    async def _attachment(self, request: web.Request) -> web.Response:
        self.fetched.append(request.match_info["filename"])
        self.world.changes.tell()
        await self.files_open.wait()
        if self.files_status != 200:
            return web.Response(status=self.files_status)
        found = self.world.channels.get(int(request.match_info["channel_id"]))
        message = found.find(int(request.match_info["message_id"])) if found else None
        for part in message.attachments if message else []:
            if str(part.attachment_id) == request.match_info["attachment_id"]:
                return web.Response(body=part.content, content_type=part.content_type)
        return web.Response(status=404)

    # ---- the world

    @property
    def bot(self) -> "User":
        """The bot's own user."""
        return self.world.bot

    def user(self, name: str) -> "User":
        """A new person."""
        return self.world.user(name)

    def guild(
        self, name: str, *, owner: "User | None" = None, bot_permissions: Permission = CHATTING, with_bot: bool = True
    ) -> "Guild":
        """A new guild, with the bot in it unless told otherwise. Consecutive guilds fall to consecutive shards."""
        return self.world.guild(name, owner=owner, bot_permissions=bot_permissions, with_bot=with_bot)

    def invite(self, guild: "Guild", bot_permissions: Permission = CHATTING) -> None:
        """Bring the bot into a guild it is not in, or no longer."""
        self.world.invite(guild, bot_permissions)

    # ---- watching

    async def until(self, predicate: Callable[[], object], *, within: timedelta = timedelta(seconds=10)) -> None:
        """Return once the predicate holds: it is looked at again after every change. Raises `TimeoutError`."""
        await self.world.changes.until(predicate, within=within)

    @property
    def requests(self) -> "list[Request]":
        """The REST requests served so far, oldest first."""
        return list(self.rest.requests)

    def requested(self, method: str, part: str = "") -> "list[Request]":
        """The requests of a method whose path contains the part."""
        return [each for each in self.rest.requests if each.method == method and part in each.path]

    @property
    def connections(self) -> int:
        """Gateway connections opened so far."""
        return self.gateway.opened

    @property
    def identifies(self) -> int:
        """Sessions begun so far."""
        return sum(start.granted for start in self.gateway.identified)

    @property
    def resumes(self) -> int:
        """Sessions resumed so far."""
        return sum(start.granted for start in self.gateway.resumed)

    # ---- what goes wrong

    def drop(self, shard: int | None = None, code: int | None = None) -> None:
        """Close the connections of a shard, or of all, with a code; without one they break off."""
        self.gateway.drop(shard, code)

    def reconnect(self, shard: int | None = None) -> None:
        """Ask for a reconnect (op 7)."""
        self.gateway.reconnect(shard)

    def invalidate(self, shard: int | None = None, *, resumable: bool = False) -> None:
        """Declare sessions invalid (op 9)."""
        self.gateway.invalidate(shard, resumable=resumable)

    def go_silent(self) -> None:
        """Let the present connections send nothing and hear nothing, as zombies do; new ones live."""
        self.gateway.hush(silent=True)

    def withhold_acks(self, *, withheld: bool = True) -> None:
        """Leave heartbeats without an answer, while events go on; or answer them again."""
        self.gateway.acks = not withheld

    def turn_away(self, *, away: bool = True) -> None:
        """Refuse new gateway connections with 503; or let them in again."""
        self.gateway.down = away

    def speak_again(self) -> None:
        """Let silent connections live again; what they missed they get only by a resume."""
        self.gateway.hush(silent=False)
