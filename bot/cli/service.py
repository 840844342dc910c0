"""`hathi run`: opens the Discord service, reports to the service manager, watches it, and stops it without loss."""

import asyncio
import contextlib
import gc
import signal
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Final

from bot import app, errors, log
from bot.app import App
from bot.config import Settings
from bot.connection import gateway
from bot.connection.client import Client, invite, serve
from bot.db import health
from bot.infra import loop_watchdog
from bot.infra.health_server import HealthServer
from bot.infra.metrics import Figures, Levels
from bot.infra.pulse import Pulse
from bot.infra.systemd import Notifier
from bot.lifecycle.summaries import SummaryDone
from bot.text.sanitize import counted

_log = log.logger(__name__)

COGS: Final = ("cogs",)
SUMMARIES_AT_MOST: Final = 5.0
"""Seconds the end waits for work in the background; what is not done is done at the next start."""
SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
GIVE_UP_AFTER: Final = 1.0
"""Seconds a closed connection has to end by itself; then whatever discord.py still tries is broken off."""
COLLECT_AFTER: Final = 10_000
"""Objects made and still there after which the garbage collector looks for cycles; Python's own 700 are a turn's."""
INVITED_NOWHERE: Final = "No server has invited it yet. To invite it, with the permissions it needs and no others:"
WITHOUT_ONE: Final = (
    "DISCORD_TOKEN: is missing; set it to the bot's token from Discord's developer portal (`hathi setup` asks for it), "
    "or run `hathi chat` to talk here without Discord."
)


async def run(settings: Settings, *, tell: Callable[[str], None] = lambda _: None) -> None:
    """Serves Discord until SIGTERM or SIGINT, then finishes running work; tells how to invite it where nobody has.

    Raises `SettingsError` for what whoever runs it must mend, `DatabaseError` and `DiscordDown` for what was away at
    the start.
    """
    if settings.discord_token is None:
        raise errors.SettingsError(WITHOUT_ONE)
    app.check(settings)
    stop = Stop()
    with stop.listening():
        await _serve(settings, settings.discord_token.get_secret_value(), stop, tell)


class Stop:
    """A request to stop, by signal: cancels what is being opened, and is watched by what serves."""

    def __init__(self) -> None:
        self.told = asyncio.Event()
        self._opening = asyncio.current_task()
        self._broken_off = False

    @contextlib.contextmanager
    def listening(self) -> Generator[None]:
        """Handles the signals while the block runs; it ends without an error where one cancelled it."""
        loop = asyncio.get_running_loop()
        for name in SIGNALS:
            loop.add_signal_handler(name, self._tell)
        try:
            yield
        except asyncio.CancelledError:
            if not self._broken_off:
                raise
        finally:
            for name in SIGNALS:
                loop.remove_signal_handler(name)

    def opened(self) -> None:
        """Ends the time in which a signal cancels."""
        self._opening = None

    def _tell(self) -> None:
        self.told.set()
        if self._opening is not None:
            self._opening.cancel()
            # Another signal would break off what closes again.
            self._opening, self._broken_off = None, True


async def _serve(settings: Settings, token: str, stop: Stop, tell: Callable[[str], None]) -> None:
    """Open everything, serve, close everything."""
    clients: list[Client] = []

    async def announce(done: SummaryDone) -> None:
        for client in clients:
            client.dispatch("summary_done", done)

    notifier = Notifier(settings.notify_socket, settings.watchdog)
    async with (
        app.database(settings, own=True) as database,
        app.opened(settings, database, announce=announce, alone=settings.database_url is None) as opened,
    ):
        client = Client(opened, COGS)
        clients.append(client)
        watch = loop_watchdog.Watch(opened.metrics)
        pulse = Pulse(
            settings.data_dir, alive=lambda: gateway.is_alive(client), connected=lambda: _is_connected(client)
        )
        async with _healthy(opened, client), notifier.fed(lambda: gateway.is_alive(client)), pulse.kept(), watch.kept():
            readying = asyncio.create_task(_tell_ready(client, notifier, tell), name="discord.ready")
            await _until_told(opened, client, notifier, token, stop, readying)


async def _until_told(
    opened: App, client: Client, notifier: Notifier, token: str, stop: Stop, readying: asyncio.Task[None]
) -> None:
    """Serve until a signal comes; whatever ends it, everything is closed in order."""
    stop.opened()
    serving = asyncio.create_task(serve(client, token), name="discord.serve")
    waiting = asyncio.create_task(stop.told.wait(), name="service.signal")
    try:
        async with opened.schedule.started():
            await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not serving.done():
            await notifier.stopping()
            _log.info("service.stopping", waiting=client.waiting)
            await client.drain()
            await opened.background.settled(SUMMARIES_AT_MOST)
    finally:
        for task in (readying, waiting):
            task.cancel()
        await asyncio.gather(readying, waiting, return_exceptions=True)
        await client.close()
        await _ended(serving)
        # How a connection ended is news only where nobody wanted its end.
        await asyncio.gather(serving, return_exceptions=stop.told.is_set() or serving.cancelled())
    _log.info("service.stopped")


async def _ended(serving: asyncio.Task[None]) -> None:
    """Return when nothing of a closed connection runs any more.

    discord.py looks whether it was closed only between two tries to connect, which may be a minute apart, and in its
    tries for a first connection never.
    """
    while not (await asyncio.wait({serving}, timeout=GIVE_UP_AFTER))[0]:
        serving.cancel()


async def _tell_ready(client: Client, notifier: Notifier, tell: Callable[[str], None]) -> None:
    await client.ready.wait()
    if not client.guilds and not client.app.settings.shard_ids and client.application_id is not None:
        # A process with some of the shards knows nothing of the servers of the others.
        tell(f"{INVITED_NOWHERE}\n{invite(client.application_id)}")
    # What start-up made stays for good; walked again and again it takes a fifth of a busy worker's time (measured).
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)
    await notifier.ready(f"serving {counted(len(client.guilds), 'guild')}")


def _is_connected(client: Client) -> bool:
    """Whether every shard has begun its first session, and has a connection now."""
    return client.ready.is_set() and gateway.is_connected(client)


@contextlib.asynccontextmanager
async def _healthy(opened: App, client: Client) -> AsyncGenerator[None]:
    """The health server beside it, where one is asked for."""
    settings = opened.settings
    if settings.http_port is None:
        yield
        return

    async def ready() -> list[str]:
        reasons = [] if _is_connected(client) else ["Discord is not connected"]
        if await health.is_read_only(opened.database):
            reasons.append("the database is read-only")
        return reasons

    async def figures() -> Figures:
        memories, pending = await health.figures(opened.database)
        return Figures(summaries_pending=pending, memories=memories)

    def levels() -> Levels:
        return Levels(
            queues={
                "questions": client.waiting,
                "background": len(opened.background.tasks),
                "catch_up": client.places_left,
            },
            gateway_latency=gateway.latency(client),
            connections=opened.database.connections,
            connections_awaited=opened.database.waiting,
            memory_lag=opened.lag.messages,
            memory_lag_for=opened.lag.waits_for,
            clock_doubted=opened.timeline is not None and bool(opened.timeline.doubt),
        )

    async with HealthServer(
        settings.http_host, settings.http_port, ready=ready, figures=figures, levels=levels, metrics=opened.metrics
    ):
        yield
