"""The gateway falls silent, breaks off, and begins anew: nothing is missed, and nothing is taken in twice."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from discord.backoff import ExponentialBackoff
from structlog.testing import capture_logs

from bot.connection import unreadable_events
from bot.connection.refused_requests import MOST
from bot.db.pool import Database
from cogs.catchup import missed_messages
from cogs.catchup.discord_recovery import DiscordRecovery
from cogs.chat import chat
from tests import discord_bot, outages
from tests.discord_bot import DiscordBot, World
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.users import User
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


async def _asks(world: World, user: User, *words: str, channel: Channel | None = None) -> list[Message]:
    """Questions nobody waits for."""
    return [await user.say(channel or world.channel, text, mentions=[world.discord.bot]) for text in words]


def _replies(world: World, questions: Sequence[Message]) -> list[int]:
    """How many replies each of the questions has."""
    return [len(world.replies(question)) for question in questions]


def _recovery(bot: DiscordBot) -> DiscordRecovery:
    found = bot.client.get_cog("DiscordRecovery")
    assert isinstance(found, DiscordRecovery)
    return found


def _read(bot: DiscordBot, channel: Channel) -> int:
    """How often the history of a channel was asked for."""
    return len([r for r in bot.discord.requested("GET", f"/channels/{channel.channel_id}/messages") if r.status])


@pytest.mark.parametrize("code", [None, 1001, 4000])
async def test_a_session_that_is_resumed_is_not_caught_up_with(database: Database, rows: Rows, code: int | None):
    """What is said while a connection is broken comes by the resume, once, and no history is read for it."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        await bot.caught_up()
        read = _read(bot, bot.channel)
        bot.discord.drop(code=code)
        asked = await _asks(bot.world, ann, "Second?", "Third?")
        await rows.state(*asked)
        assert [1, 1] == _replies(bot.world, asked)
        assert (read, 1, 1) == (_read(bot, bot.channel), bot.discord.identifies, bot.discord.resumes)
        assert ["First?", "Second?", "Third?"] == await rows.said(bot.channel)


async def test_asked_to_reconnect_hathi_resumes(database: Database, rows: Rows):
    """After op 7 the same session goes on, and what was said meanwhile is answered once."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        bot.discord.reconnect()
        asked = await _asks(bot.world, ann, "Second?")
        await rows.state(*asked)
        await bot.until(lambda: bot.discord.resumes == 1)
        assert ([1], 1) == (_replies(bot.world, asked), bot.discord.identifies)


@pytest.mark.parametrize("how", ["4009", "op 9"])
async def test_what_a_lost_session_missed_is_recorded(database: Database, rows: Rows, how: str):
    """After a new session every missed question is recorded, and of each person the newest is answered, once."""
    async with discord_bot.running(database) as bot:
        ann, bob = bot.person("Ann"), bot.person("Bob")
        await bot.asks(ann, bot.channel, "First?")
        if how == "op 9":
            bot.discord.invalidate()
        else:
            bot.discord.drop(code=4009)
        asked = [*await _asks(bot.world, ann, "Old?", "New?"), *await _asks(bot.world, bob, "And mine?")]
        await rows.state(*asked[1:])
        await rows.caught_up(bot.channel)
        assert [0, 1, 1] == _replies(bot.world, asked)
        assert ["First?", "Old?", "New?", "And mine?"] == await rows.said(bot.channel)
        assert ("failed", "missed") == (await rows.turns(*asked))[0]


async def test_too_many_refusals_keep_nobody_from_a_new_session(database: Database, rows: Rows):
    """While nothing may be sent a lost session is begun anew all the same, and what is said then is recorded."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        for _ in range(MOST):
            bot.client.refusals.count(403)
        sent = len(bot.discord.requests)
        bot.discord.invalidate()
        await bot.until(lambda: bot.discord.identifies == 2)
        asked = await _asks(bot.world, ann, "Second?")
        await rows.until("SELECT kept = 'Fine.' FROM turn WHERE turn_id = $1", asked[0].message_id)
        assert sent == len(bot.discord.requests)
        bot.client.refusals.times.clear()


async def test_small_talk_after_a_missed_question_leaves_it_the_newest(database: Database, rows: Rows):
    """A missed question is answered although its asker said something to others after it."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        bot.discord.invalidate()
        asked = await _asks(bot.world, ann, "Missed?")
        await ann.say(bot.channel, "well, back to work")
        await rows.state(*asked)
        assert [1] == _replies(bot.world, asked)


async def test_a_question_older_than_ten_minutes_is_recorded_and_not_answered(
    world: World, database: Database, rows: Rows
):
    """What was asked eleven minutes ago may not be meant any more: it is kept, and closed as missed."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "First?")
    # As if nothing had been heard for long.
    await rows.connection.execute("UPDATE channel SET last_message_id = 1")
    late = discord.long_ago((await _asks(world, ann, "Late?"))[0], timedelta(minutes=11))
    soon = discord.long_ago((await _asks(world, world.newcomer("Bob"), "Soon?"))[0], timedelta(minutes=9))
    async with discord_bot.connected(world, database):
        await rows.state(soon)
        await rows.state(late, state="failed")
        assert ([0], [1]) == (_replies(world, [late]), _replies(world, [soon]))
        assert ["Late?", "Soon?", "First?"] == await rows.said(world.channel)


async def test_missed_commands_are_not_carried_out(database: Database, rows: Rows):
    """What was ordered while nobody listened is not done later, but the question beside it is answered."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        bot.discord.invalidate()
        await ann.say(bot.channel, "!reset")
        await ann.say(bot.channel, "!remember the vault is blue")
        asked = await _asks(bot.world, ann, "Missed?")
        await rows.state(*asked)
        await bot.settled()
        assert [1] == await rows.all("SELECT count(*) FROM session")
        assert [0] == await rows.all("SELECT count(*) FROM memory")


async def test_a_gap_of_more_than_a_page_is_recorded_whole(database: Database, rows: Rows):
    """A hundred and one missed questions are on two pages of history; all are recorded, in their order."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        bot.discord.invalidate()
        asked = await _asks(bot.world, ann, *(f"Question {n}?" for n in range(101)))
        await rows.state(asked[-1])
        await rows.caught_up(bot.channel)
        assert ["First?", *(f"Question {n}?" for n in range(101))] == await rows.said(bot.channel)
        assert 1 == sum(_replies(bot.world, asked))


async def test_seven_days_and_so_many_messages_are_looked_back_for(
    world: World, database: Database, rows: Rows, monkeypatch: pytest.MonkeyPatch
):
    """Of a long absence the newest messages up to the bound are recorded, and none older than seven days."""
    monkeypatch.setattr(missed_messages, "MOST_MISSED", 120)
    ann = world.newcomer("Ann")
    quiet = world.guild.text_channel("quiet")
    async with discord_bot.connected(world, database) as bot:
        for channel in (world.channel, quiet):
            await bot.asks(bot.knows(ann), channel, "First?")
    await _asks(world, ann, *(f"Question {n}?" for n in range(130)))
    few = [await ann.say(quiet, f"{n} days ago?", mentions=[world.discord.bot]) for n in (8, 6)]
    await rows.connection.execute("UPDATE channel SET last_message_id = 1 WHERE channel_id = $1", quiet.channel_id)
    for message, days in zip(few, (8, 6), strict=True):
        discord.long_ago(message, timedelta(days=days))
    async with discord_bot.connected(world, database):
        await rows.caught_up(world.channel, quiet)
        assert ["First?", *(f"Question {n}?" for n in range(10, 130))] == await rows.said(world.channel)
        assert ["6 days ago?", "First?"] == await rows.said(quiet)


async def test_deletions_and_edits_while_away_are_followed(world: World, database: Database, rows: Rows):
    """What was deleted while nobody listened is gone with the reply to it, and what was edited reads as it does now."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        bot.knows(ann)
        first = await bot.says_to_hathi(ann, world.channel, "Deleted in the middle?")
        await bot.answer(first)
        second = await bot.says_to_hathi(ann, world.channel, "Edited?")
        await bot.answer(second)
        last = await bot.says_to_hathi(ann, world.channel, "Deleted at the end?")
        reply = await bot.answer(last)
    await ann.delete(first)
    await ann.edit(second, f"{world.discord.bot.mention} Mended?")
    await ann.delete(last)
    await world.guild.owner.delete(reply)
    async with discord_bot.connected(world, database):
        await rows.until("SELECT count(*) = 0 FROM message WHERE message_id = $1", last.message_id)
        await rows.until("SELECT content = 'Mended?' FROM message WHERE message_id = $1", second.message_id)
        assert ["Mended?"] == await rows.said(world.channel)
        assert [("Fine.", False)] == await rows.replies(first, second, last)


async def test_what_is_deleted_while_it_is_caught_up_with_is_not_recorded(
    world: World, database: Database, rows: Rows, monkeypatch: pytest.MonkeyPatch
):
    """A missed message that goes between the reading of the history and its record stays out of memory."""
    ann, history = world.newcomer("Ann"), unreadable_events.history
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "First?")
    gone, stays = await _asks(world, ann, "Gone?", "Stays?")

    async def read(client: Any, channel: Any, most: int) -> AsyncGenerator[Any]:
        async for message in history(client, channel, most):
            yield message
        told = asyncio.create_task(client.wait_for("raw_message_delete"))
        await asyncio.sleep(0)
        await ann.delete(gone)
        await told

    monkeypatch.setattr(unreadable_events, "history", read)
    async with discord_bot.connected(world, database) as bot:
        await rows.state(stays)
        await bot.caught_up()
        assert ["First?", "Stays?"] == await rows.said(world.channel)


async def test_a_channel_emptied_while_away_is_empty_in_memory(world: World, database: Database, rows: Rows):
    """Where all was deleted while nobody listened, nothing of it stays recorded."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        asked = await bot.says_to_hathi(bot.knows(ann), world.channel, "Anything?")
        reply = await bot.answer(asked)
    await world.guild.owner.delete(asked, reply)
    async with discord_bot.connected(world, database):
        await rows.until("SELECT count(*) = 0 FROM message")


async def test_a_channel_deleted_while_away_is_gone_from_memory(world: World, database: Database, rows: Rows):
    """Where a channel or a thread was deleted while nobody listened, all that was said in it goes; others stay."""
    ann, room = world.newcomer("Ann"), world.guild.text_channel("room")
    async with discord_bot.connected(world, database) as bot:
        thread = await ann.start_thread(world.channel, "aside")
        for place in (world.channel, room, thread):
            await bot.asks(bot.knows(ann), place, "Anything?")
    room.delete()
    thread.delete()
    async with discord_bot.connected(world, database):
        await rows.until("SELECT count(*) = 2 FROM message")
        assert ["Anything?"] == await rows.said(world.channel)


async def test_a_channel_closed_to_hathi_is_not_asked_for(world: World, database: Database, rows: Rows):
    """Refused requests are counted by Discord: what Hathi can't read it does not try to, and what it knows stays."""
    ann, room = world.newcomer("Ann"), world.guild.text_channel("room")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), room, "Anything?")
        await bot.asks(ann, world.channel, "First?")
    room.overwrite(world.guild.everyone, discord.hidden())
    asked = await _asks(world, ann, "Missed?")
    before = len(world.discord.requests)
    async with discord_bot.connected(world, database):
        await rows.state(*asked)
        assert [] == [r.path for r in world.discord.requests[before:] if r.status in {403, 404}]
        assert ["Anything?"] == await rows.said(room)


async def test_what_lies_before_what_was_fetched_does_not_count_as_deleted(
    world: World, database: Database, rows: Rows, monkeypatch: pytest.MonkeyPatch
):
    """Only between the first and the last message fetched is a missing one a deleted one."""
    monkeypatch.setattr(missed_messages, "MOST_MISSED", 3)
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        for text in ("One?", "Two?", "Three?"):
            await bot.asks(bot.knows(ann), world.channel, text)
        await rows.state(*world.channel.said_by(ann))
    gone = world.channel.said_by(ann)[2]
    await ann.delete(gone)
    async with discord_bot.connected(world, database):
        await rows.until("SELECT count(*) = 0 FROM message WHERE message_id = $1", gone.message_id)
        assert ["One?", "Two?"] == await rows.said(world.channel)


async def test_what_is_said_before_the_catch_up_is_over_is_taken_in_and_nothing_missed_is_lost(
    world: World, database: Database, rows: Rows
):
    """Hathi goes between READY and the end of its catch-up: what it missed is found after the second gap."""
    ann, bob = world.newcomer("Ann"), world.newcomer("Bob")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "First?")
    missed = await _asks(world, ann, "Missed?")
    closed = world.discord.faults.fail(10**6, method="GET", path=f"/channels/{world.channel.channel_id}/messages")
    async with discord_bot.connected(world, database) as bot:
        await bot.until(lambda: closed.met)
        live = await _asks(world, bob, "Live?")
        await rows.state(*live)
        assert ["First?", "Live?"] == await rows.said(world.channel)
    world.discord.faults.clear()
    async with discord_bot.connected(world, database):
        await rows.state(*missed)
        await rows.caught_up(world.channel)
        assert ["First?", "Missed?", "Live?"] == await rows.said(world.channel)
        assert [1, 1] == _replies(world, [*missed, *live])


async def test_a_closed_connection_looks_for_nothing_more(database: Database, monkeypatch: pytest.MonkeyPatch):
    """What is closed in the middle of its catch-up fails at nothing, and leaves nothing running."""
    async with discord_bot.world() as world:
        path = f"/channels/{world.channel.channel_id}/messages"
        async with discord_bot.connected(world, database) as bot:
            await bot.asks(bot.person("Ann"), world.channel, "First?")
        discord.tell_of_faults(world.discord, monkeypatch)
        with capture_logs() as lines:
            late = world.discord.faults.slow(timedelta(seconds=1), method="GET", path=path)
            async with discord_bot.connected(world, database):
                await world.until(lambda: late.met)
            assert [] == [task for task in asyncio.all_tasks() if task.get_name().startswith("discord.py: ")]
    assert not {"recovery.failed", "recovery.postponed"} & {line["event"] for line in lines}


async def test_two_gaps_in_a_row_are_caught_up_with_once(
    database: Database, rows: Rows, monkeypatch: pytest.MonkeyPatch
):
    """A session that ends before its catch-up is over leaves what it missed to the next one, and nothing is doubled."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        discord.tell_of_faults(bot.discord, monkeypatch)
        _recovery(bot).look.cancel()
        late = bot.discord.faults.slow(
            timedelta(seconds=1), method="GET", path=f"/channels/{bot.channel.channel_id}/messages"
        )
        bot.discord.invalidate()
        asked = await _asks(bot.world, ann, "In the first gap?")
        await bot.until(lambda: late.met)
        bot.discord.invalidate()
        asked += await _asks(bot.world, bot.person("Bob"), "In the second gap?")
        await rows.state(*asked)
        await rows.caught_up(bot.channel)
        assert [1, 1] == _replies(bot.world, asked)
        assert ["First?", "In the first gap?", "In the second gap?"] == await rows.said(bot.channel)
        # The second gap is closed, too: what is said now is the last thing heard.
        await bot.asks(ann, bot.channel, "And now?")
        await rows.caught_up(bot.channel)


async def test_a_look_that_fails_is_not_the_last_one(database: Database, rows: Rows, monkeypatch: pytest.MonkeyPatch):
    """Whatever goes wrong when Hathi looks for what was left is logged, and it looks again."""

    async def broken(*_: object, **_named: object) -> None:
        raise RuntimeError

    async with discord_bot.running(database) as bot:
        found = _recovery(bot)
        with monkeypatch.context() as wrong, capture_logs() as lines:
            wrong.setattr(bot.app.turns, "stranded", broken)
            await found.look()
        assert ["recovery.failed"] == [line["event"] for line in lines]
        await found.look()


async def test_the_first_question_in_a_channel_is_not_missed_either(world: World, database: Database, rows: Rows):
    """A channel nobody had spoken to Hathi in before the gap is caught up with too, as far as it would be answered."""
    ann = world.newcomer("Ann")
    fresh = world.guild.text_channel("fresh")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "First?")
    asked = await _asks(world, ann, "Are you here too?", channel=fresh)
    async with discord_bot.connected(world, database):
        await rows.state(*asked)
        assert [1] == _replies(world, asked)


async def test_a_post_made_while_away_is_answered(world: World, database: Database, rows: Rows):
    """A question that opened a post of a forum while nobody listened is answered in that post."""
    ann, forum = world.newcomer("Ann"), world.guild.forum("ideas")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "First?")
    post = await ann.post(forum, "paint", f"{world.discord.bot.mention} What of paint?")
    async with discord_bot.connected(world, database):
        await rows.state(post.messages[0])
        assert [1] == _replies(world, post.messages[:1])


async def test_missed_direct_messages_are_answered(world: World, database: Database, rows: Rows):
    """What somebody wrote to Hathi alone while it was away is answered when it is back."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), ann.direct, "First?")
    asked = await ann.say(ann.direct, "Missed?")
    async with discord_bot.connected(world, database):
        await rows.state(asked)
        assert [1] == _replies(world, [asked])


@pytest.mark.parametrize("kind", ["no acknowledgement", "silence"])
async def test_a_dead_connection_is_closed_and_resumed_within_two_heartbeats(database: Database, rows: Rows, kind: str):
    """A heartbeat that is not acknowledged before the next ends the connection, whatever else is heard on it."""
    async with discord_bot.running(database, server={"heartbeat": timedelta(seconds=0.3)}) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        beats, resumes = bot.discord.gateway.heartbeats, bot.discord.resumes
        if kind == "silence":
            bot.discord.go_silent()
        else:
            bot.discord.withhold_acks()
        asked = await _asks(bot.world, ann, "Second?")
        for _ in range(beats, beats + 10):
            await ann.say(bot.channel, "so that something is heard")
            now = bot.discord.gateway.heartbeats
            await bot.until(lambda now=now: bot.discord.gateway.heartbeats > now or bot.discord.resumes > resumes)
            if bot.discord.resumes > resumes:
                break
        # One is not acknowledged, and one is sent at once over the new connection.
        assert bot.discord.gateway.heartbeats - beats <= 3
        bot.discord.withhold_acks(withheld=False)
        await rows.state(*asked)
        assert ([1], 1) == (_replies(bot.world, asked), bot.discord.identifies)


async def test_a_gateway_that_refuses_for_a_while_is_come_back_to(database: Database, rows: Rows):
    """While new connections are turned away Hathi keeps trying; what was asked meanwhile is answered once."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        await discord.away(bot.discord)
        asked = await _asks(bot.world, ann, "Second?")
        bot.discord.turn_away(away=False)
        await rows.state(*asked)
        assert [1] == _replies(bot.world, asked)


@pytest.mark.parametrize("how", ["resumed", "begun anew", "after many tries"])
async def test_a_connection_lost_and_made_again_is_counted_once(
    database: Database, how: str, monkeypatch: pytest.MonkeyPatch
):
    """However often it was tried in between, one loss of the gateway is one reconnect."""
    tries: list[float] = []

    def delay(_: ExponentialBackoff[Any]) -> float:
        tries.append(0.02)
        return tries[-1]

    monkeypatch.setattr(ExponentialBackoff, "delay", delay)
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        await bot.asks(ann, bot.channel, "First?")
        assert "hathi_gateway_reconnects_total 0.0" in bot.app.metrics.exposition(None).decode()
        if how == "resumed":
            bot.discord.drop()
        elif how == "begun anew":
            bot.discord.invalidate()
        else:
            await discord.away(bot.discord)
            await eventually(lambda: len(tries) >= 3)
            bot.discord.turn_away(away=False)
        await bot.asks(ann, bot.channel, "Second?")
        assert "hathi_gateway_reconnects_total 1.0" in bot.app.metrics.exposition(None).decode()


async def test_a_guild_that_was_away_in_a_session_is_caught_up_with(database: Database, rows: Rows):
    """What was asked, edited and deleted while Discord did not serve one guild is followed once it does again."""
    async with discord_bot.running(database) as bot:
        ann, fresh = bot.person("Ann"), bot.guild.text_channel("fresh")
        gone, edited = [await bot.says_to_hathi(ann, bot.channel, text) for text in ("Gone?", "Edited?")]
        for asked in (gone, edited):
            await bot.answer(asked)
        await bot.caught_up()
        bot.guild.outage()
        asked = [*await _asks(bot.world, ann, "Old?", "New?"), *await _asks(bot.world, ann, "Here?", channel=fresh)]
        await ann.delete(gone)
        await ann.edit(edited, f"{bot.discord.bot.mention} Mended?")
        bot.guild.recover()
        await rows.state(*asked[1:])
        await bot.caught_up()
        assert ([0, 1, 1], 1) == (_replies(bot.world, asked), bot.discord.identifies)
        assert ["Mended?", "Old?", "New?"] == await rows.said(bot.channel)


async def test_a_guild_that_is_away_when_a_session_begins_is_waited_for(world: World, database: Database, rows: Rows):
    """Nothing is asked of Discord about it, nothing counts as gone or is logged as broken, until it is served again."""
    ann, room = world.newcomer("Ann"), world.guild.text_channel("room")
    async with discord_bot.connected(world, database) as bot:
        first = await bot.says_to_hathi(bot.knows(ann), room, "First?")
        await bot.answer(first)
    world.guild.outage()
    await ann.delete(first)
    asked = await _asks(world, ann, "Missed?", channel=room)
    # So that a look for turns left behind finds one there.
    await rows.connection.execute("UPDATE turn SET state = 'recorded', worker = 'dead', lease_until = recorded_at")
    before = len(world.discord.requests)
    async with discord_bot.connected(world, database) as bot:
        with capture_logs() as lines:
            await _recovery(bot).look()
        assert [] == [r.path for r in world.discord.requests[before:] if str(room.channel_id) in r.path]
        assert not {"recovery.failed", "recovery.postponed"} & {line["event"] for line in lines}
        assert ["First?"] == await rows.said(room)
        world.guild.recover()
        await rows.state(*asked)
        await bot.caught_up()
        assert (["Missed?"], [1]) == (await rows.said(room), _replies(world, asked))


async def test_what_is_said_in_a_guild_that_is_back_does_not_hide_what_was_missed(
    world: World, database: Database, rows: Rows
):
    """Hathi goes between the end of a guild's outage and the end of its catch-up: the next start finds the rest."""
    ann, bob = world.newcomer("Ann"), world.newcomer("Bob")
    async with discord_bot.connected(world, database) as bot:
        await bot.asks(bot.knows(ann), world.channel, "First?")
        await bot.caught_up()
        world.guild.outage()
        missed = await _asks(world, ann, "Missed?")
        closed = world.discord.faults.fail(10**6, method="GET", path=f"/channels/{world.channel.channel_id}/messages")
        world.guild.recover()
        live = await _asks(world, bob, "Live?")
        await rows.state(*live)
        await bot.until(lambda: closed.met)
        assert ["First?", "Live?"] == await rows.said(world.channel)
    world.discord.faults.clear()
    async with discord_bot.connected(world, database):
        await rows.state(*missed)
        assert ["First?", "Missed?", "Live?"] == await rows.said(world.channel)


async def test_the_first_that_is_recorded_of_a_channel_does_not_hide_what_was_missed_there(
    world: World, database: Database, rows: Rows
):
    """Hathi hears of a channel for the first time, and goes before it has caught up there: the next start finds all."""
    ann = world.newcomer("Ann")
    place = world.channel
    said = [await ann.say(place, "Missed?", mentions=[world.discord.bot])]
    closed = world.discord.faults.fail(10**6, method="GET", path=f"/channels/{place.channel_id}/messages")
    async with discord_bot.connected(world, database) as bot:
        said.append(await ann.say(place, "Live?", mentions=[world.discord.bot]))
        await rows.state(said[1])
        await bot.until(lambda: closed.met)
        assert ["Live?"] == await rows.said(place)
    world.discord.faults.clear()
    async with discord_bot.connected(world, database):
        await rows.state(*said)
        assert ["Missed?", "Live?"] == await rows.said(place)


@pytest.mark.parametrize("patience", [timedelta(0), timedelta(seconds=15)])
async def test_what_is_overheard_while_the_database_is_away_is_recorded_when_it_is_back(
    dsn: str, rows: Rows, monkeypatch: pytest.MonkeyPatch, patience: timedelta
):
    """Where all is remembered nothing is lost, however long it is away; a question that was refused stays refused."""
    monkeypatch.setattr(chat, "PATIENCE", patience)
    async with outages.frail(dsn) as (frail, wire), discord_bot.running(frail) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.answer(await owner.say(bot.channel, "!memory mode all"))
        await owner.say(bot.channel, "the first thing overheard")
        await rows.until("SELECT count(*) = 1 FROM message")
        await bot.caught_up()
        with capture_logs() as lines:
            await wire.cut()
            await owner.say(bot.channel, "the second thing overheard")
            await eventually(lambda: {"database.down", "discord.error"} & {line["event"] for line in lines})
        asked: list[Message] = []
        if not patience:
            asked = [
                await bot.says_to_hathi(owner, bot.channel, "Are you there?"),
                await owner.say(bot.channel, "!age"),
            ]
            for each in asked:
                await bot.until(lambda each=each: bot.world.replies(each))
        await wire.mend()
        await owner.say(bot.channel, "the third thing overheard")
        await rows.until("SELECT count(*) > 1 FROM message")
        await _recovery(bot).look()
        await bot.caught_up()
        await bot.settled()
        await rows.until("SELECT count(*) > 2 FROM message")
        assert [f"the {nth} thing overheard" for nth in ("first", "second", "third")] == await rows.said(bot.channel)
        assert [1] * len(asked) == _replies(bot.world, asked)
