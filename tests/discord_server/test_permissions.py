"""Who may do what, and the error that says so."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import discord
import pytest

from tests.discord_server import permissions
from tests.discord_server.bots import Bot, running
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.refusals import Refusal
from tests.discord_server.server import DiscordServer

P = Permission


def test_order_of_overwrites():
    """A member's overwrite beats the roles', theirs beat everyone's, and among roles to allow beats to deny."""
    held = permissions.EVERYONE

    def left(
        everyone: Overwrite | None = None,
        roles: Sequence[Overwrite] = (),
        member: Overwrite | None = None,
        *,
        timed_out: bool = False,
    ) -> Permission:
        return permissions.in_channel(held, everyone=everyone, roles=roles, member=member, timed_out=timed_out)

    hidden, shown = Overwrite(deny=P.VIEW_CHANNEL), Overwrite(allow=P.VIEW_CHANNEL)
    assert P.NONE == left(everyone=hidden)
    assert held == left(everyone=hidden, roles=[shown])
    assert held == left(roles=[hidden, shown])
    assert P.NONE == left(roles=[shown], member=hidden)
    assert held == left(everyone=hidden, member=shown)
    assert not left(everyone=Overwrite(deny=P.SEND_MESSAGES)) & P.ATTACH_FILES
    assert P.VIEW_CHANNEL | P.READ_MESSAGE_HISTORY == left(timed_out=True)
    administrator = permissions.in_guild(owner=False, everyone=P.NONE, roles=[P.ADMINISTRATOR])
    assert permissions.EVERYTHING == permissions.in_channel(administrator, everyone=hidden, roles=[], member=hidden)


async def test_agrees_with_discord_py():
    """The server and discord.py compute the same permissions for the same member and channel."""
    async with DiscordServer.started() as server:
        guild, ann = server.guild("Elephants"), server.user("ann")
        role = guild.role("keepers", P.MANAGE_MESSAGES)
        guild.join(ann, roles=[role])
        channels = [
            guild.text_channel("open"),
            guild.text_channel("read only", overwrites={guild.everyone: Overwrite(deny=P.SEND_MESSAGES)}),
            guild.private_channel("staff", seen_by=[role]),
            guild.private_channel("board", seen_by=[]),
            guild.text_channel("by one", overwrites={ann: Overwrite(allow=P.MANAGE_THREADS, deny=P.ADD_REACTIONS)}),
        ]
        async with running(Bot(server), server) as bot:
            cached = bot.get_guild(guild.guild_id)
            assert cached is not None
            await cached.chunk()
            for channel in channels:
                found = cached.get_channel(channel.channel_id)
                assert found is not None
                for user in (ann, guild.owner, server.bot):
                    member = cached.get_member(user.user_id)
                    assert member is not None
                    # discord.py leaves voice out of text channels.
                    known = discord.Permissions.all_channel().value & ~discord.Permissions.voice().value
                    assert int(channel.permissions(user)) & known == found.permissions_for(member).value & known


async def test_error_codes():
    """What the bot may not see is 50001, what it may not do 50013, and what is not there 10003."""
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        hidden = guild.text_channel("hidden", overwrites={guild.everyone: Overwrite(deny=P.VIEW_CHANNEL)})
        mute = guild.text_channel("mute", overwrites={guild.everyone: Overwrite(deny=P.SEND_MESSAGES)})
        unread = guild.text_channel("unread", overwrites={guild.everyone: Overwrite(deny=P.READ_MESSAGE_HISTORY)})
        gone = guild.text_channel("gone")
        said = await guild.owner.say(mute, "hello")
        async with running(Bot(server), server) as bot:

            async def code(channel_id: int) -> tuple[int, int]:
                with pytest.raises(discord.HTTPException) as refused:
                    await bot.get_partial_messageable(channel_id).send("hello")
                return refused.value.status, refused.value.code

            assert (403, 50001) == await code(hidden.channel_id)
            assert (403, 50013) == await code(mute.channel_id)
            gone.delete()
            assert (404, 10003) == await code(gone.channel_id)
            told = await bot.get_partial_messageable(unread.channel_id).send("hello")
            with pytest.raises(discord.Forbidden) as refused:
                await told.reply("hello")
            assert 160002 == refused.value.code
            with pytest.raises(discord.Forbidden) as refused:
                await bot.get_partial_messageable(mute.channel_id).get_partial_message(said.message_id).delete()
            assert 50013 == refused.value.code
            with pytest.raises(discord.Forbidden) as refused:
                await (
                    bot.get_partial_messageable(mute.channel_id).get_partial_message(said.message_id).edit(content="x")
                )
            assert 50005 == refused.value.code
            ann = server.user("ann")
            ann.takes_direct_messages = False
            with pytest.raises(discord.Forbidden) as refused:
                await (await bot.fetch_user(ann.user_id)).send("hello")
            assert 50007 == refused.value.code


async def test_unseen_is_unheard():
    """What is said where the bot cannot see does not reach it, and does from when it can."""
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        channel = guild.text_channel("staff", overwrites={guild.everyone: Overwrite(deny=P.VIEW_CHANNEL)})
        thread = await guild.owner.start_thread(channel, "aside")
        async with running(Bot(server), server) as bot:
            await guild.owner.say(channel, "not for the bot")
            channel.overwrite(server.bot, Overwrite(allow=P.VIEW_CHANNEL))
            await bot.until_heard("thread_join")
            await guild.owner.say(thread, "for the bot")
            assert "for the bot" == (await bot.until_heard("message")).content


async def test_people_too():
    """People are held to the same permissions."""
    async with DiscordServer.started() as server:
        guild, ann = server.guild("Elephants"), server.user("ann")
        channel = guild.text_channel("general")
        with pytest.raises(Refusal) as refused:
            await ann.say(channel, "a stranger")
        assert 50001 == refused.value.code
        guild.join(ann)
        said = await ann.say(channel, "a member")
        guild.change_member(ann, timed_out_until=datetime.now(UTC) + timedelta(hours=1))
        with pytest.raises(Refusal) as refused:
            await ann.say(channel, "timed out")
        assert 50013 == refused.value.code
        assert [said] == channel.messages
