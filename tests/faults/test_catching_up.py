"""After a gap only what may have been missed is read: the most urgent first, and nothing that is refused again."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from bot.connection.refused_requests import MANY
from bot.db.pool import Database
from bot.domain import ChannelId, SpaceId
from bot.infra.ordering import Doors
from cogs.catchup import discord_recovery
from cogs.catchup.last_heard import LastHeard
from cogs.chat.gaps import Gaps
from cogs.send.request_pace import RequestPace
from tests import discord_bot
from tests.discord_bot import DiscordBot, World
from tests.discord_server.channels import Channel
from tests.discord_server.faults import ALWAYS
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Permission
from tests.faults import discord
from tests.faults.discord import Rows
from tests.waiting import eventually


@pytest.fixture(autouse=True)
def _prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    discord.prepare(monkeypatch)


@pytest.fixture
async def rows(dsn: str) -> AsyncGenerator[Rows]:
    """A look at the database."""
    async with discord.rows(dsn) as found:
        yield found


@pytest.fixture
async def world() -> AsyncGenerator[World]:
    """A Discord Hathi can come to more than once."""
    async with discord_bot.world() as place:
        yield place


def _read(world: World, since: int) -> list[int]:
    """The channels whose history was asked for since so many requests, in order."""
    found = (r.path.split("/") for r in world.discord.requests[since:] if r.method == "GET")
    return [int(part[2]) for part in found if part[1] == "channels" and part[3:] == ["messages"]]


def _asked_for(world: World, since: int, channel: Channel) -> int:
    """How often a channel was asked for since so many requests."""
    return sum(r.path == f"/channels/{channel.channel_id}" for r in world.discord.requests[since:] if r.method == "GET")


async def _asks(world: World, channel: Channel, text: str = "Missed?") -> Message:
    return await world.newcomer("Somebody").say(channel, text, mentions=[world.discord.bot])


async def test_channels_with_something_new_are_read_before_those_without(
    world: World, database: Database, rows: Rows, monkeypatch: pytest.MonkeyPatch
):
    """Where Discord's last message was heard nothing was missed: such channels wait, and the latest news come first."""
    monkeypatch.setattr(discord_recovery, "AT_ONCE", 1)
    ann = world.newcomer("Ann")
    quiet, older, newer = (world.guild.text_channel(name) for name in ("quiet", "older", "newer"))
    async with discord_bot.connected(world, database) as bot:
        for place in (newer, older, quiet):
            await bot.asks(bot.knows(ann), place, "First?")
    asked = [await _asks(world, place) for place in (older, newer)]
    before = len(world.discord.requests)
    async with discord_bot.connected(world, database) as bot:
        await rows.state(*asked)
        await bot.caught_up()
        assert [newer.channel_id, older.channel_id, quiet.channel_id] == [*dict.fromkeys(_read(world, before))]


async def test_what_was_heard_is_not_looked_for_again(world: World, database: Database, rows: Rows):
    """Talk among people and replies of bots are known to be heard when Hathi stops, though nothing of them is kept."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "First?")
        last = await ann.say(world.channel, "well, back to work")
        await bot.caught_up()
        await bot.settled()
        place = SpaceId(world.guild.guild_id), ChannelId(world.channel.channel_id)
        await eventually(lambda: _heard(bot).last.get(place))
        assert last.message_id > await _seen(rows, world.channel)
        await bot.client.drain()
        assert last.message_id == await _seen(rows, world.channel)


async def test_nothing_counts_as_heard_while_something_is_taken_in_or_was_missed(
    world: World, database: Database, rows: Rows
):
    """A crash at any moment leaves what is still to be recorded behind what was heard, and so to be looked for."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "First?")
        await bot.client.drain()
        seen, guild = await _seen(rows, world.channel), SpaceId(world.guild.guild_id)
        doors, gaps = Doors(), Gaps()
        heard = LastHeard(bot.client, doors, gaps)
        await heard.on_bot_spoke(guild, world.channel.channel_id, seen + 5)
        async with doors.through(world.channel.channel_id):
            gaps.find(0, gaps.begin(0), ())
            await heard.write()
            assert seen == await _seen(rows, world.channel)
        gaps.begin_in(guild)
        await heard.write()
        assert seen == await _seen(rows, world.channel)
        gaps.find_in(guild, ())
        await heard.write()
        assert seen + 5 == await _seen(rows, world.channel)


async def test_of_a_long_history_what_was_missed_is_read_first(world: World, database: Database, rows: Rows):
    """A page is enough where all that was missed stands on it; older edits and deletions are followed afterwards."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        gone = await bot.says_to_hathi(bot.knows(ann), world.channel, "Gone?")
        await bot.answer(gone)
        for n in range(120):
            await ann.say(world.channel, f"small talk {n}")
        await bot.caught_up()
        await bot.client.drain()
    await ann.delete(gone)
    asked = await _asks(world, world.channel)
    slow = world.discord.faults.slow(timedelta(seconds=0.5), ALWAYS, method="GET", path=r"before=")
    before = len(world.discord.requests)
    async with discord_bot.connected(world, database) as bot:
        await rows.state(asked)
        await rows.until("SELECT count(*) = 0 FROM message WHERE message_id = $1", gone.message_id)
        await bot.caught_up()
        assert 3 == len(_read(world, before))
        world.discord.faults.clear()
        assert slow is not None


@pytest.mark.parametrize("status", [403, 404])
async def test_a_thread_that_is_closed_to_hathi_is_asked_for_once(
    world: World, database: Database, rows: Rows, status: int
):
    """What Discord refuses is remembered over restarts, until Hathi's permissions are others."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        thread = await ann.start_thread(world.channel, "aside")
        await bot.asks(bot.knows(ann), thread, "First?")
    thread.archive()
    world.discord.faults.fail(ALWAYS, method="GET", path=f"/channels/{thread.channel_id}$", status=status, code=50001)
    asked = list[int]()
    for permissions in (None, None, Permission.MANAGE_MESSAGES):
        if permissions is not None:
            world.guild.change_role(world.guild.bot_role, world.guild.bot_role.permissions | permissions)
        before = len(world.discord.requests)
        async with discord_bot.connected(world, database) as bot:
            await bot.caught_up()
            asked.append(_asked_for(world, before, thread))
    assert [1, 0, 1] == asked
    assert ["First?"] == await rows.said(thread)


async def test_a_channel_whose_history_is_refused_is_no_longer_behind(world: World, database: Database, rows: Rows):
    """A refusal ends the look at that channel, and is not tried again each time; what is said there is still heard."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "First?")
    await _asks(world, world.channel)
    path = f"/channels/{world.channel.channel_id}/messages"
    refused = world.discord.faults.fail(ALWAYS, method="GET", path=path, status=403, code=50001)
    for _ in range(2):
        async with discord_bot.connected(world, database) as bot:
            await bot.caught_up()
    assert 1 == refused.met
    world.discord.faults.clear()
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "Second?")
        await bot.client.drain()
        assert [None] == await rows.all(
            "SELECT refused_with FROM channel WHERE channel_id = $1", world.channel.channel_id
        )


async def test_catching_up_stops_long_before_answers_are_stopped(world: World, database: Database, rows: Rows):
    """Once many requests were refused nothing more is looked for, and whoever asks is answered all the same."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        for _ in range(3):
            thread = await ann.start_thread(world.channel, "aside")
            await bot.asks(bot.knows(ann), thread, "First?")
            thread.archive()
    world.discord.faults.fail(ALWAYS, method="GET", path=r"/channels/\d+$", status=403, code=50001)
    async with discord_bot.connected(world, database) as bot:
        await bot.caught_up()
        await rows.connection.execute("UPDATE channel SET refused_with = NULL")
        for _ in range(MANY):
            bot.client.refusals.count(403)
        sent = len(bot.discord.requested("GET", "/channels/"))
        with capture_logs() as lines:
            bot.discord.invalidate()
            await bot.until(lambda: bot.discord.identifies == 3)
            await eventually(lambda: "recovery.waits" in {line["event"] for line in lines})
        assert (sent, False) == (len(bot.discord.requested("GET", "/channels/")), bot.client.refusals.too_many)
        assert "Fine." == (await bot.asks(bot.knows(ann), world.channel, "And now?")).text
        bot.client.refusals.times.clear()


async def test_so_many_requests_begin_in_a_second():
    """The first of them begin at once, and the next when a second has passed since the first."""
    pace, loop = RequestPace(2), asyncio.get_running_loop()
    began = loop.time()
    for _ in range(3):
        await pace.turn()
    assert loop.time() - began >= 1


async def _seen(rows: Rows, channel: Channel) -> int:
    (found,) = await rows.all("SELECT last_message_id FROM channel WHERE channel_id = $1", channel.channel_id)
    return found


def _heard(bot: DiscordBot) -> LastHeard:
    found = bot.client.get_cog("LastHeard")
    assert isinstance(found, LastHeard)
    return found
