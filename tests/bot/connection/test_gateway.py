"""The gateway as Hathi keeps it: IDENTIFYs that are counted, and connections known to be alive or dead."""

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from discord import shard
from structlog.testing import capture_logs

from bot import errors
from bot.connection import gateway
from bot.db.pool import Database
from bot.infra.installation_marks import Marks
from tests import discord_bot
from tests.discord_server.faults import ALWAYS
from tests.rows import column, rows

FEW = discord.SessionStartLimits(total=1000, remaining=2, reset_after=200, max_concurrency=1)
MANY = discord.SessionStartLimits(total=1000, remaining=500, reset_after=10**9, max_concurrency=1)


@dataclass
class Asked:
    """A client that is told how many IDENTIFYs are left, one answer after the other, the last for ever."""

    answers: Sequence[discord.SessionStartLimits | Exception]
    times: int = field(default=0)

    async def fetch_session_start_limits(self) -> discord.SessionStartLimits:
        answer = self.answers[min(self.times, len(self.answers) - 1)]
        self.times += 1
        if isinstance(answer, Exception):
            raise answer
        return answer


def _identifies(*answers: discord.SessionStartLimits | Exception) -> gateway.Identifies:
    return gateway.Identifies(cast("discord.AutoShardedClient", Asked(answers)))


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited, each time, without a moment passing."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr("asyncio.sleep", sleep)
    return found


async def test_the_first_identify_is_sent_at_once_and_the_next_five_seconds_later(slept: list[float]) -> None:
    """While most of the day's are left only Discord's five seconds are kept between two."""
    identifies = _identifies(MANY)
    with capture_logs() as lines:
        for _ in range(2):
            await identifies.allowed()
    assert (0.0, []) == (slept[0], lines)
    assert 4 < slept[1] <= 5


async def test_when_few_are_left_they_are_spread_over_the_rest_of_the_day(
    slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With half of the day's gone even the first one waits for its share of the time, and the log says why."""
    monkeypatch.setattr(gateway, "IDENTIFY_EVERY", timedelta(0))
    with capture_logs() as lines:
        await _identifies(FEW).allowed()
    assert 0.05 < slept[0] <= 0.1
    assert [("gateway.identifies_scarce", 2, 1000)] == [(line["event"], line["left"], line["of"]) for line in lines]


async def test_a_wait_longer_than_a_connection_may_stay_open_goes_on_over_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An attempt gives up in time for its connection to be alive, and what it has waited counts for the next."""
    monkeypatch.setattr(gateway, "IDENTIFY_EVERY", timedelta(0))
    monkeypatch.setattr(gateway, "CONNECTED_AT_MOST", timedelta(seconds=0.03))
    identifies = _identifies(FEW)
    given_up = 0
    while given_up < 10:
        try:
            await identifies.allowed()
        except TimeoutError:
            given_up += 1
        else:
            break
    # A hundred milliseconds in pieces of at least thirty.
    assert 1 <= given_up <= 3


@pytest.mark.parametrize(
    "trouble",
    [OSError("gone"), TimeoutError(), discord.DiscordException(), errors.DiscordDown(), KeyError("total")],
    ids=repr,
)
async def test_where_discord_does_not_tell_how_many_are_left_five_seconds_are_kept(
    slept: list[float], trouble: Exception
) -> None:
    """Trouble with the REST API keeps nobody from the gateway, nor does a server that does not count."""
    identifies = _identifies(trouble)
    for _ in range(2):
        await identifies.allowed()
    assert 0.0 == slept[0]
    assert 4 < slept[1] <= 5


def test_a_gateway_that_is_away_is_tried_at_least_each_minute() -> None:
    """However often it was tried in vain, no shard waits longer, and no two wait alike."""
    with discord_bot.process_kept():
        gateway.try_each_minute()
        pause = shard.ExponentialBackoff()  # pyright: ignore[reportPrivateImportUsage]
    waits = [pause.delay() for _ in range(200)]
    assert max(waits) <= 60
    assert len({*waits[100:]}) > 1


async def test_processes_send_their_identifies_one_after_the_other(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five seconds apart, by the bucket of the shard; who may not yet looks again until it may."""
    monkeypatch.setattr(gateway, "LOOK_AGAIN", (0.0, 0.0))
    marks, refused = Marks(database), asyncio.Event()

    async def take(bucket: int) -> bool:
        may = await marks.take(f"bucket {bucket}", every=timedelta(seconds=5))
        if not may:
            refused.set()
        return may

    four = discord.SessionStartLimits(total=1000, remaining=900, reset_after=10**9, max_concurrency=4)
    asked = cast("discord.AutoShardedClient", Asked([four]))
    one, two = gateway.Identifies(asked, take), gateway.Identifies(asked, take)
    await one.allowed(1)
    await two.allowed(2)
    waiting = asyncio.create_task(two.allowed(5))
    await refused.wait()
    before = waiting.done()
    await rows(database, "UPDATE mark SET at = at - interval '5 seconds' WHERE name = 'bucket 1' RETURNING 1")
    await waiting
    assert (False, ["bucket 1", "bucket 2"]) == (before, await column(database, "SELECT name FROM mark ORDER BY name"))


async def test_a_wrong_clock_keeps_nobody_from_the_gateway(database: Database) -> None:
    """What was taken hours ahead was so by a clock that was wrong."""
    marks, every = Marks(database), timedelta(seconds=5)
    assert [True, False] == [await marks.take("bucket", every=every) for _ in range(2)]
    await rows(database, "UPDATE mark SET at = at + interval '5 hours' RETURNING 1")
    assert [True, False] == [await marks.take("bucket", every=every) for _ in range(2)]


async def test_a_connection_gives_up_where_others_go_on_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In time for it to be alive; discord.py comes again over a new one."""
    monkeypatch.setattr(gateway, "CONNECTED_AT_MOST", timedelta(seconds=0.03))
    monkeypatch.setattr(gateway, "LOOK_AGAIN", (0.0, 0.0))

    async def never(_bucket: int) -> bool:
        return False

    with pytest.raises(TimeoutError):
        await gateway.Identifies(cast("discord.AutoShardedClient", Asked([MANY])), never).allowed()


async def test_a_connection_is_alive_while_its_heartbeats_are_acknowledged(database: Database) -> None:
    """Alive is what has been acknowledged within three heartbeats, or is being made again."""
    async with discord_bot.running(database) as bot:
        socket: Any = bot.client.shards[0]._parent.ws
        assert gateway.is_alive(bot.client)
        socket._keep_alive._last_recv = time.perf_counter() - 2.9 * socket._keep_alive.interval
        assert gateway.is_alive(bot.client)
        socket._keep_alive._last_recv = time.perf_counter() - 3.1 * socket._keep_alive.interval
        assert not gateway.is_alive(bot.client)
        await socket.socket.close()
        assert gateway.is_alive(bot.client)


@pytest.mark.parametrize(
    ("latencies", "slowest"), [([0.1, 0.3, 0.2], 0.3), ([0.1, math.inf], 0.1), ([math.inf], None), ([], None)]
)
def test_latency_is_that_of_the_slowest_connection(latencies: list[float], slowest: float | None) -> None:
    """Shards that are not connected have none, and hide nothing of the others."""
    client = cast("discord.AutoShardedClient", SimpleNamespace(latencies=[*enumerate(latencies)]))
    assert (slowest and timedelta(seconds=slowest)) == gateway.latency(client)


async def test_the_configured_address_is_that_of_every_connection(database: Database) -> None:
    """Where shards are as many as Discord advises, the address it tells with that is not gone to, nor READY's."""
    async with discord_bot.world() as place:
        place.discord.gateway.url = "ws://127.0.0.1:9/"
        async with discord_bot.connected(place, database, shard_count=None) as bot:
            ann = bot.person("Ann")
            await bot.asks(ann, bot.channel, "First?")
            bot.discord.drop()
            await bot.asks(ann, bot.channel, "Resumed?")
    assert (1, 1) == (place.discord.identifies, place.discord.resumes)


async def test_without_advice_one_shard_is_run(database: Database) -> None:
    """A server that is not Discord's own and has no advice on shards is connected to with one."""
    async with discord_bot.world() as place:
        place.discord.faults.fail(ALWAYS, status=404, path="/gateway/bot")
        async with discord_bot.connected(place, database, shard_count=None) as bot:
            await bot.asks(bot.person("Ann"), bot.channel, "How are you?")
            assert [0] == [*bot.client.shards]


async def test_what_bots_say_is_left_where_it_comes_in(database: Database) -> None:
    """Of what is said only people's messages are made, dispatched and known of a channel; Hathi's own are not."""
    async with discord_bot.running(database) as bot:
        made: list[discord.Message] = []

        async def heard(message: discord.Message) -> None:
            made.append(message)

        bot.client.add_listener(heard, "on_message")
        ann, robot = bot.person("Ann"), bot.discord.world.user("Robot", bot=True)
        bot.guild.join(robot)
        await robot.say(bot.channel, "Beep.")
        for question in ("How are you?", "And now?"):
            await bot.asks(ann, bot.channel, question)
        assert ["Ann", "Ann"] == [message.author.name for message in made]
