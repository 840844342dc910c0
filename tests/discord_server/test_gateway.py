"""The gateway, as an unmodified discord.py sees it."""

import json
from datetime import timedelta
from typing import Any

import aiohttp
import discord
import pytest

from tests.discord_server.bots import Bot, running
from tests.discord_server.server import TOKEN, DiscordServer
from tests.discord_server.wire import Intent


async def test_ready():
    """A bot that identifies becomes ready with every guild, channel and role cached."""
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        channels = {guild.text_channel(f"channel-{number}").name for number in range(100)}
        guild.role("keepers")
        async with running(Bot(server), server) as bot:
            cached = bot.get_guild(guild.guild_id)
            assert cached is not None
            assert channels == {channel.name for channel in cached.text_channels}
            assert {"@everyone", "Hathi", "keepers"} == {role.name for role in cached.roles}
            assert server.bot.user_id == bot.application_id
            assert bot.application_flags.gateway_message_content_limited


async def test_message_in():
    """What a person says reaches the bot with author, membership, mentions and text."""
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        channel, ann, bob = guild.text_channel("general"), server.user("ann"), server.user("bob")
        guild.join(ann, nick="Annie")
        guild.join(bob)
        async with running(Bot(server), server) as bot:
            said = await ann.say(channel, f"hello {bob.mention} and {server.bot.mention}")
            heard = await bot.until_heard("message")
            assert said.message_id == heard.id
            assert said.content == heard.content
            assert heard.author.display_name == "Annie"
            assert [bob.user_id, server.bot.user_id] == [user.id for user in heard.mentions]
            assert abs(heard.created_at - said.created_at) < timedelta(milliseconds=2)


async def test_edits_and_deletions():
    """Edits, deletions and bulk deletions reach the bot."""
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        channel, ann = guild.text_channel("general"), guild.owner
        async with running(Bot(server), server) as bot:
            said = [await ann.say(channel, text) for text in ("one", "two", "three")]
            await ann.edit(said[0], "first")
            after = await bot.until_heard("raw_message_edit")
            assert "first" == after.message.content
            assert ["one", "first"] == [version.content for version in said[0].edits]
            await ann.delete(said[0])
            assert said[0].message_id == (await bot.until_heard("raw_message_delete")).message_id
            await ann.delete(said[1], said[2])
            gone = await bot.until_heard("raw_bulk_message_delete")
            assert {said[1].message_id, said[2].message_id} == gone.message_ids
            assert [] == channel.messages


async def test_direct_messages():
    """A direct message reaches the bot, and its answer the person."""
    async with DiscordServer.started() as server:
        ann = server.user("ann")
        async with running(Bot(server), server) as bot:
            await ann.say(ann.direct, "just us")
            heard = await bot.until_heard("message")
            assert heard.guild is None
            await heard.channel.send("just us")
            assert [ann, server.bot] == [message.author for message in ann.direct.messages]


@pytest.mark.parametrize("code", [None, 1001, 4000])
async def test_resume(code: int | None):
    """A connection that ends resumes its session and is told everything it missed, once and in order."""
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        channel, ann = guild.text_channel("general"), guild.owner
        async with running(Bot(server), server) as bot:
            await ann.say(channel, "0")
            await bot.until_heard("message")
            server.drop(code=code)
            await server.until(lambda: not server.gateway.connections)
            for number in range(1, 50):
                await ann.say(channel, str(number))
            await bot.until_heard("message", times=50)
            assert [str(number) for number in range(50)] == [message.content for message in bot.of("message")]
            assert (1, 1) == (server.identifies, server.resumes)


async def test_resume_beyond_the_buffer(monkeypatch: pytest.MonkeyPatch):
    """A session that missed more than is kept is invalid: the bot identifies anew."""
    monkeypatch.setattr("tests.discord_server.sessions.MOST_REPLAYED", 10)
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        channel = guild.text_channel("general")
        async with running(Bot(server), server):
            server.drop()
            await server.until(lambda: not server.gateway.connections)
            for number in range(20):
                await guild.owner.say(channel, str(number))
            await server.until(lambda: server.identifies == 2)
            assert [False] == [start.granted for start in server.gateway.resumed]


async def test_session_timed_out():
    """A session closed with 4009 is over: the resume is refused and the bot identifies anew."""
    async with DiscordServer.started() as server:
        server.guild("Elephants")
        async with running(Bot(server), server) as bot:
            server.drop(code=4009)
            await bot.until_heard("shard_connect", times=2)
            assert [False] == [start.granted for start in server.gateway.resumed]
            assert 2 == server.identifies


async def test_what_is_malformed():
    """The gateway closes with the code that names what is wrong."""
    good: dict[str, Any] = {"intents": 1, "shard": [0, 1]}
    wrong = {
        4001: '{"op":99}',
        4002: "{",
        4003: '{"op":8,"d":{}}',
        4010: json.dumps({"op": 2, "d": good | {"token": TOKEN, "shard": [1, 1]}}),
        4013: json.dumps({"op": 2, "d": good | {"token": TOKEN, "intents": 1 << 40}}),
    }
    async with DiscordServer.started() as server, aiohttp.ClientSession() as session:
        for code, sent in wrong.items():
            async with session.ws_connect(server.gateway_url) as socket:
                await socket.receive()
                await socket.send_str(sent)
                await socket.receive()
                assert code == socket.close_code
        server.turn_away()
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(server.gateway_url)


async def test_reconnect_asked_for():
    """Op 7 makes the bot come back by a resume."""
    async with DiscordServer.started() as server:
        server.guild("Elephants")
        async with running(Bot(server), server) as bot:
            server.reconnect()
            await bot.until_heard("resumed")
            assert (1, 1) == (server.identifies, server.resumes)


async def test_invalid_session():
    """Op 9 makes the bot identify anew, or resume when the session is still good."""
    async with DiscordServer.started() as server:
        server.guild("Elephants")
        async with running(Bot(server), server) as bot:
            server.invalidate(resumable=True)
            await bot.until_heard("resumed")
            assert (1, 1) == (server.identifies, server.resumes)
            server.invalidate(resumable=False)
            await bot.until_heard("shard_connect", times=2)
            assert (2, 1) == (server.identifies, server.resumes)


async def test_wrong_token():
    """A wrong token is refused by REST with 401 and by the gateway with 4004."""
    async with DiscordServer.started() as server:
        with pytest.raises(discord.LoginFailure):
            async with running(Bot(server), server, token="wrong"):
                pass
        server.gateway.token = "another"
        with pytest.raises(discord.ConnectionClosed) as closed:
            async with running(Bot(server), server):
                pass
        assert 4004 == closed.value.code


async def test_privileged_intents():
    """An intent the portal has not granted closes with 4014."""
    async with DiscordServer.started(privileged=Intent.MEMBERS) as server:
        with pytest.raises(discord.PrivilegedIntentsRequired):
            async with running(Bot(server), server):
                pass
        assert 0 == server.identifies


async def test_starts_are_counted():
    """Each IDENTIFY is counted against the limit that /gateway/bot tells."""
    async with DiscordServer.started(identifies=5) as server, running(Bot(server), server) as bot:
        limits = await bot.fetch_session_start_limits()
        assert (5, 4) == (limits.total, limits.remaining)


async def test_content_is_hidden():
    """Without the message-content intent a bot reads only its own messages, direct ones and those that mention it."""
    intents = discord.Intents.default()
    async with DiscordServer.started(privileged=Intent.NONE) as server:
        guild = server.guild("Elephants")
        channel, ann = guild.text_channel("general"), guild.owner
        async with running(Bot(server, intents=intents), server) as bot:
            await ann.say(channel, "secret")
            await ann.say(channel, "hello", mentions=[server.bot])
            await ann.say(ann.direct, "direct")
            await bot.until_heard("message", times=3)
            assert ["", f"{server.bot.mention} hello", "direct"] == [each.content for each in bot.of("message")]
            found = bot.get_channel(channel.channel_id)
            assert isinstance(found, discord.TextChannel)
            history = [message.content async for message in found.history(oldest_first=True)]
            assert ["", f"{server.bot.mention} hello"] == history


async def test_compression():
    """A connection that asks for zlib-stream gets one stream, and one that does not gets text."""
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        channel = guild.text_channel("general")
        async with running(Bot(server), server) as bot:
            (connection,) = server.gateway.connections
            assert connection.compressed
            for number in range(20):
                await guild.owner.say(channel, f"{number} " + "ü" * 1000)
            await bot.until_heard("message", times=20)
            assert "19 " + "ü" * 1000 == bot.of("message")[-1].content
        async with aiohttp.ClientSession() as session, session.ws_connect(server.gateway_url) as socket:
            assert 10 == (await socket.receive_json())["op"]


async def test_member_chunks():
    """Members asked for arrive in chunks of a thousand under their nonce, until all are cached."""
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        for number in range(2100):
            guild.join(server.user(f"member-{number}"))
        async with running(Bot(server), server) as bot:
            cached = bot.get_guild(guild.guild_id)
            assert cached is not None
            members = await cached.chunk()
            assert 2102 == len(members) == len(cached.members)
            assert ["member-7"] == [member.name for member in await cached.query_members("member-7", limit=1)]


async def test_two_shards():
    """Two shards share the guilds by their ids, and each hears only of its own."""
    async with DiscordServer.started(shards=2) as server:
        guilds = [server.guild(f"guild {number}") for number in range(4)]
        channels = [guild.text_channel("general") for guild in guilds]
        async with running(Bot(server), server) as bot:
            assert {0, 1} == set(bot.shards)
            assert [2, 2] == [sum(each.shard_id == shard for each in bot.guilds) for shard in (0, 1)]
            for guild, channel in zip(guilds, channels, strict=True):
                await guild.owner.say(channel, guild.name)
            await bot.until_heard("message", times=4)
            assert {guild.name for guild in guilds} == {message.content for message in bot.of("message")}
            server.drop(shard=1, code=4000)
            assert 1 == await bot.until_heard("shard_resumed")
            assert 2 == server.identifies


async def test_zombie():
    """A silent connection is given up by its client for want of answers, and resumed with what it missed."""
    async with DiscordServer.started(heartbeat=timedelta(seconds=0.05)) as server:
        guild = server.guild("Elephants")
        channel = guild.text_channel("general")
        async with running(Bot(server, heartbeat_timeout=0.2), server) as bot:
            server.go_silent()
            await guild.owner.say(channel, "anyone there?")
            assert "anyone there?" == (await bot.until_heard("message")).content
            assert (1, 1) == (server.identifies, server.resumes)


async def test_withheld_acknowledgements():
    """A client whose heartbeats stay unanswered gives its connection up and resumes."""
    async with DiscordServer.started(heartbeat=timedelta(seconds=0.05)) as server:
        server.guild("Elephants")
        async with running(Bot(server, heartbeat_timeout=0.2), server) as bot:
            server.withhold_acks()
            await server.until(lambda: not server.gateway.connections)
            server.withhold_acks(withheld=False)
            await bot.until_heard("resumed")
            assert 1 == server.identifies


async def test_what_changes_in_a_guild():
    """Channels, roles, members and threads that come, change and go reach the bot's cache."""
    async with DiscordServer.started() as server:
        guild, ann = server.guild("Elephants"), server.user("ann")
        async with running(Bot(server), server) as bot:
            cached = bot.get_guild(guild.guild_id)
            assert cached is not None
            channel = guild.text_channel("general")
            role = guild.role("keepers")
            guild.join(ann)
            guild.change_member(ann, roles=[role], nick="Annie")
            await bot.until_heard("member_update")
            member = cached.get_member(ann.user_id)
            assert member is not None
            assert ("Annie", ["@everyone", "keepers"]) == (member.display_name, [each.name for each in member.roles])
            channel.change(name="plaza")
            thread = await ann.start_thread(channel, "aside")
            await bot.until_heard("thread_create")
            assert ["aside"] == [each.name for each in cached.threads]
            thread.archive()
            guild.leave(ann)
            channel.delete()
            await bot.until_heard("guild_channel_delete")
            assert ([], None) == (cached.text_channels, cached.get_member(ann.user_id))
            second = server.guild("Second")
            assert second.name == (await bot.until_heard("guild_join")).name
            second.leave(server.bot)
            assert second.name == (await bot.until_heard("guild_remove")).name
            server.invite(second)
            assert second.name == (await bot.until_heard("guild_join", times=2)).name
