"""A plain discord.py bot pointed at a loopback Discord, for the tests that prove it."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Generator
from typing import Any

import discord
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.discord_server.server import DiscordServer


class Bot(commands.AutoShardedBot):
    """discord.py as it is, that keeps what it heard."""

    def __init__(self, server: DiscordServer, *, intents: discord.Intents | None = None, **options: Any) -> None:
        super().__init__(
            command_prefix="!",
            intents=intents or discord.Intents.all(),
            guild_ready_timeout=0.05,
            chunk_guilds_at_startup=False,
            **options,
        )
        self._server = server
        self.heard: list[tuple[str, Any]] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """No five seconds between shards."""

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Keep the event, and wake who waits for it on the server."""
        super().dispatch(event_name, *args, **kwargs)
        self.heard.append((event_name, args[0] if args else None))
        self._server.world.changes.tell()

    def of(self, event: str) -> list[Any]:
        """What came with each event of a name."""
        return [what for name, what in self.heard if name == event]

    async def until_heard(self, event: str, *, times: int = 1) -> Any:
        """What came with an event, once it came so often."""
        await self._server.until(lambda: len(self.of(event)) >= times)
        return self.of(event)[times - 1]


@contextlib.contextmanager
def pointed_at(server: DiscordServer) -> Generator[None]:
    """discord.py's addresses set to the server's, as long as the block lasts."""
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = server.api_url, yarl.URL(server.gateway_url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


@contextlib.asynccontextmanager
async def running(bot: Bot, server: DiscordServer, *, token: str | None = None) -> AsyncGenerator[Bot]:
    """The bot, connected and ready."""
    with pointed_at(server):
        async with bot:
            task = asyncio.create_task(bot.start(token or server.token))
            ready = asyncio.create_task(bot.until_heard("ready"))
            await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
            try:
                if task.done():
                    # The bot ended before it was ready: say why.
                    task.result()
                await ready
                yield bot
            finally:
                ready.cancel()
                await bot.close()
                await asyncio.gather(task, ready, return_exceptions=True)
