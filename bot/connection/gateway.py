"""Changes discord.py's gateway: its addresses, when a dead connection is left and tried anew, log-ins spread over time.

The one place that reaches into discord.py's connection, which offers no extension point for any of these.
"""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any, Final

import aiohttp
import discord
import yarl
from discord import backoff
from discord import gateway as wire
from discord import shard as shards
from discord.http import Route

from bot import errors, log

_log = log.logger(__name__)

HEARTBEATS: Final = 1.5
"""Heartbeats after the last acknowledgement at which a connection is dead: the one before was not acknowledged."""
DEAD_AFTER: Final = 3
"""Heartbeats without one after which not even giving the connection up has worked."""
TRIED_EVERY: Final = timedelta(minutes=1)
"""How long a gateway that is away is left alone at most."""
IDENTIFY_EVERY: Final = timedelta(seconds=5)
"""Between two IDENTIFYs of one bucket, of all processes together: shards are dealt out to `max_concurrency` buckets.
https://discord.com/developers/docs/events/gateway#sharding-max-concurrency"""
CONNECTED_AT_MOST: Final = timedelta(seconds=20)
"""How long an open connection waits for its IDENTIFY: while it does, nobody reads what Discord says on it."""

LOOK_AGAIN: Final = (0.2, 0.6)
"""Seconds between two looks whether another process has gone."""
ASKED_AT_MOST: Final = timedelta(seconds=10)
"""How long Discord may take to tell how many are left; else it goes without knowing."""


def point_at(api_url: str | None, gateway_url: str | None) -> None:
    """Use these addresses in place of Discord's own; the gateway's is kept to for resuming as well."""
    if api_url is not None:
        Route.BASE = api_url.rstrip("/")
    if gateway_url is not None:
        address = yarl.URL(gateway_url)
        wire.DiscordWebSocket.DEFAULT_GATEWAY = address
        # READY names Discord's own address to resume at, which would go round a proxy.
        fixed = property(lambda _socket: address, lambda _socket, _named: None)
        wire.DiscordWebSocket.gateway = fixed  # pyright: ignore[reportAttributeAccessIssue]


async def advised_shards(client: discord.AutoShardedClient) -> int:
    """How many shards Discord advises; one where a server that is not Discord's own has no advice.

    Raises `discord.HTTPException`, `aiohttp.ClientError` or `OSError` when that can't be asked for.
    """
    try:
        told: dict[str, Any] = await client.http.request(Route("GET", "/gateway/bot"))
    except discord.NotFound:
        told = {}
    advised = told.get("shards", 1)
    _log.info("gateway.shards_advised", shards=advised)
    return advised


class _Heartbeat(wire.KeepAliveHandler):
    """A heartbeat that gives a connection up when Discord has not acknowledged one by the time of the next.

    That is Discord's own rule; so a dead connection is left within two heartbeats. discord.py alone takes any event for
    a sign of life, and waits for one for a whole minute.
    """

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if self.interval is not None:
            self.heartbeat_timeout = min(self.heartbeat_timeout, HEARTBEATS * self.interval)

    def tick(self) -> None:
        """Nothing: an event acknowledges no heartbeat."""

    def ack(self) -> None:
        """Discord has heard of Hathi, and Hathi of Discord."""
        super().ack()
        self._last_recv = self._last_ack


def notice_silence() -> None:
    """Have every connection use that heartbeat."""
    wire.KeepAliveHandler = _Heartbeat


class _Backoff(backoff.ExponentialBackoff[Any]):
    """Waits longer after each failed try, but never more than a minute; discord.py alone waits up to seventeen."""

    def delay(self) -> float:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Seconds, not the same for every shard: they all come back at once otherwise."""
        most = TRIED_EVERY.total_seconds()
        return min(super().delay(), random.uniform(most / 2, most))  # noqa: S311 - to spread them


def try_each_minute() -> None:
    """Have every shard whose connection was lost wait so."""
    shards.ExponentialBackoff = _Backoff  # pyright: ignore[reportPrivateImportUsage]


def hear_people(client: discord.AutoShardedClient, *, wants: Callable[[Mapping[str, Any]], bool]) -> None:
    """Drops bots' messages before discord.py parses them, Hathi's own included, but for what is wanted.

    Of one that is dropped `bot_spoke` tells the guild, none in direct messages, the channel and the message, as ids.
    """
    parsers = client._connection.parsers  # noqa: SLF001 - nothing is public before a message is made and dispatched
    parse = parsers["MESSAGE_CREATE"]

    def parse_wanted(data: dict[str, Any]) -> None:
        if not data["author"].get("bot") or wants(data):
            parse(data)
        else:
            guild_id = data.get("guild_id")
            client.dispatch("bot_spoke", guild_id and int(guild_id), int(data["channel_id"]), int(data["id"]))

    parsers["MESSAGE_CREATE"] = parse_wanted


def tell_guilds(client: discord.AutoShardedClient) -> None:
    """Dispatches `guilds_named` with a shard and the ids of all its guilds, those with an outage among them, at READY.

    discord.py itself goes on knowing guilds of an earlier session that this one does not name.
    """
    parsers = client._connection.parsers  # noqa: SLF001 - nothing public tells which guilds a session named
    parse = parsers["READY"]

    def parse_and_tell(data: dict[str, Any]) -> None:
        parse(data)
        client.dispatch("guilds_named", data["shard"][0], [int(guild["id"]) for guild in data["guilds"]])

    parsers["READY"] = parse_and_tell


async def _nobody_else(_bucket: int) -> bool:
    return True


class Identifies:
    """Spaces the day's IDENTIFYs, so that a bad connection never uses them up, and processes go one after the other."""

    def __init__(
        self, client: discord.AutoShardedClient, take: Callable[[int], Awaitable[bool]] = _nobody_else
    ) -> None:
        """`take` tells whether this process may go next in a bucket; another one waits from then on."""
        self._client = client
        self._take = take
        self._last: dict[int, float] = {}
        self._asked: float | None = None

    async def allowed(self, shard_id: int = 0) -> None:
        """Waits until the next one may be sent, for this shard.

        Five seconds apart; once half of the day's are gone so far apart that the rest lasts until it is over. Raises
        `TimeoutError` when that is longer than a connection may wait: discord.py then comes again over a new one, and
        what was waited counts.
        """
        loop = asyncio.get_running_loop()
        apart = IDENTIFY_EVERY.total_seconds()
        limits = await self._limits()
        self._asked = loop.time() if self._asked is None else self._asked
        is_scarce = limits is not None and limits.remaining * 2 < limits.total
        if limits is not None and is_scarce:
            apart = max(apart, limits.reset_after / 1000 / max(1, limits.remaining))
            _log.warning(
                "gateway.identifies_scarce", left=limits.remaining, of=limits.total, apart_seconds=round(apart)
            )
        bucket = 0 if limits is None else shard_id % max(1, limits.max_concurrency)
        last = self._last.get(bucket)
        if last is None and not is_scarce:
            apart = 0.0
        until = loop.time() + CONNECTED_AT_MOST.total_seconds()
        left = (self._asked if last is None else last) + apart - loop.time()
        await asyncio.sleep(min(max(0.0, left), CONNECTED_AT_MOST.total_seconds()))
        if left > CONNECTED_AT_MOST.total_seconds():
            raise TimeoutError
        while not await self._take(bucket):
            if loop.time() > until:
                raise TimeoutError
            await asyncio.sleep(random.uniform(*LOOK_AGAIN))  # noqa: S311 - so that not all come back at once
        self._last[bucket] = loop.time()

    async def _limits(self) -> discord.SessionStartLimits | None:
        try:
            async with asyncio.timeout(ASKED_AT_MOST.total_seconds()):
                return await self._client.fetch_session_start_limits()
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError, KeyError):
            # Also when nothing may be asked after too many refusals, and of a server that does not count.
            return None


def latency(client: discord.AutoShardedClient) -> timedelta | None:
    """The slowest shard's last heartbeat; none while no shard is connected."""
    known = [seconds for _, seconds in client.latencies if math.isfinite(seconds)]
    return timedelta(seconds=max(known)) if known else None


def is_connected(client: discord.AutoShardedClient) -> bool:
    """Whether every shard has a connection, and all of them are alive."""
    return not any(shard.is_closed() for shard in client.shards.values()) and is_alive(client)


def is_alive(client: discord.AutoShardedClient) -> bool:
    """Whether every connection that is open has heard from Discord within three heartbeats.

    One that is down is being made again: that is no sign of a process that hangs.
    """
    for shard in client.shards.values():
        socket = shard._parent.ws  # noqa: SLF001 - discord.py tells the latency of the last heartbeat, not when it was
        beat = socket._keep_alive  # noqa: SLF001
        if beat is None or not socket.open or beat.interval is None:
            continue
        if time.perf_counter() - beat._last_recv > DEAD_AFTER * beat.interval:  # noqa: SLF001
            return False
    return True
