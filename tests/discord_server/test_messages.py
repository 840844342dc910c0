"""Messages over REST, as an unmodified discord.py sends and reads them."""

import io
from collections.abc import AsyncIterator
from dataclasses import dataclass

import discord
import pytest

from tests.discord_server.bots import Bot, running
from tests.discord_server.channels import Channel
from tests.discord_server.guilds import Guild
from tests.discord_server.server import DiscordServer


@dataclass
class Place:
    """A running bot in a guild with one channel."""

    server: DiscordServer
    bot: Bot
    guild: Guild
    channel: Channel

    @property
    def seen(self) -> discord.TextChannel:
        """The channel as the bot has it."""
        found = self.bot.get_channel(self.channel.channel_id)
        assert isinstance(found, discord.TextChannel)
        return found


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        channel = guild.text_channel("general")
        async with running(Bot(server), server) as bot:
            yield Place(server, bot, guild, channel)


async def test_send_edit_delete(place: Place):
    """What the bot sends is in the channel, edits keep its versions, and deletion takes it away."""
    sent = await place.seen.send("one", embed=discord.Embed(title="t", description="d"))
    (message,) = place.channel.messages
    assert (sent.id, place.server.bot) == (message.message_id, message.author)
    assert ["t"] == [embed["title"] for embed in message.embeds]
    assert sent.id == (await place.bot.until_heard("message")).id
    edited = await sent.edit(content="two")
    assert ("two", "two") == (edited.content, message.content)
    assert edited.edited_at is not None
    await edited.edit(content="three")
    assert ["one", "two", "three"] == [version.content for version in message.edits]
    assert sorted(version.at for version in message.edits) == [version.at for version in message.edits]
    await sent.delete()
    assert [] == place.channel.messages


async def test_reply(place: Place):
    """A reply names its original and calls its author unless told not to; a reply to nothing is refused."""
    ann = place.guild.owner
    question = await ann.say(place.channel, "where?")
    heard = await place.bot.until_heard("message")
    answer = await heard.reply("there")
    assert isinstance(answer.reference, discord.MessageReference)
    assert isinstance(answer.reference.resolved, discord.Message)
    assert question.message_id == answer.reference.resolved.id
    assert [ann.user_id] == [user.id for user in answer.mentions]
    quiet = await heard.reply("there", mention_author=False)
    assert [] == quiet.mentions
    await ann.delete(question)
    with pytest.raises(discord.HTTPException) as refused:
        await heard.reply("too late")
    assert 50035 == refused.value.code


async def test_mentions_are_held_back(place: Place):
    """A bot's text calls nobody that allowed_mentions does not name, and everyone only with the permission."""
    ann = place.guild.owner
    text = f"{ann.mention} @everyone"
    await place.seen.send(text, allowed_mentions=discord.AllowedMentions.none())
    await place.seen.send(text)
    first, second = place.channel.messages
    assert ([], False) == (first.mentions, first.mention_everyone)
    assert ([ann], False) == (second.mentions, second.mention_everyone)


async def test_limits(place: Place):
    """Too long a text is 50035, an empty one 50006, and neither is sent; spaces around a text are cut."""
    with pytest.raises(discord.HTTPException) as refused:
        await place.seen.send("x" * 2001)
    assert (400, 50035) == (refused.value.status, refused.value.code)
    for text in ("", " \n "):
        with pytest.raises(discord.HTTPException) as refused:
            await place.seen.send(text)
        assert (400, 50006) == (refused.value.status, refused.value.code)
    await place.seen.send("x" * 2000)
    await place.seen.send("  y ")
    assert ["x" * 2000, "y"] == [message.content for message in place.channel.messages]


async def test_nonce(place: Place):
    """The same nonce again gives the message already sent, and no second one."""
    first = await place.seen.send("once", nonce="n-1")
    again = await place.seen.send("once", nonce="n-1")
    other = await place.seen.send("twice", nonce="n-2")
    assert first.id == again.id != other.id
    assert ["once", "twice"] == [message.content for message in place.channel.messages]
    assert "n-1" == (await place.bot.until_heard("message")).nonce


async def test_history(place: Place):
    """History pages by before, after and around, and ends where the channel does."""
    said = [await place.guild.owner.say(place.channel, str(number)) for number in range(250)]
    middle = discord.Object(said[125].message_id)
    everything = [message.content async for message in place.seen.history(limit=None)]
    assert [str(number) for number in reversed(range(250))] == everything
    before = [message.content async for message in place.seen.history(limit=2, before=middle)]
    assert ["124", "123"] == before
    after = [message.content async for message in place.seen.history(limit=2, after=middle)]
    assert ["126", "127"] == after
    around = {message.content async for message in place.seen.history(limit=3, around=middle)}
    assert {"124", "125", "126"} == around
    with pytest.raises(discord.NotFound) as missing:
        await place.seen.fetch_message(1)
    assert 10008 == missing.value.code


async def test_files(place: Place):
    """Files come and go with messages, with their names and every byte."""
    sent = await place.seen.send("a file", file=discord.File(io.BytesIO(b"\x00\xff"), "a b.bin", description="bytes"))
    assert ["a_b.bin"] == [part.filename.replace(" ", "_") for part in sent.attachments]
    assert b"\x00\xff" == await sent.attachments[0].read()
    await place.guild.owner.say(place.channel, files={"note.txt": b"hello"})
    heard = await place.bot.until_heard("message", times=2)
    assert b"hello" == await heard.attachments[0].read()


async def test_reactions_and_typing(place: Place):
    """Reactions come and go on both sides, and typing is counted."""
    said = await place.guild.owner.say(place.channel, "hello")
    heard = await place.bot.until_heard("message")
    await heard.add_reaction("🐘")
    assert {"🐘": [place.server.bot.user_id]} == said.reactions
    await place.guild.owner.react(said, "🐘")
    assert "🐘" == str((await place.bot.until_heard("raw_reaction_add", times=2)).emoji)
    await heard.remove_reaction("🐘", place.bot.user)
    assert {"🐘": [place.guild.owner.user_id]} == said.reactions
    async with place.seen.typing():
        await place.server.until(lambda: place.channel.typing == 1)
    await place.guild.owner.type(place.channel)
    await place.bot.until_heard("typing")


async def test_a_reaction_tells_who_and_of_whose_message(place: Place):
    """In a guild with the member and the message's author, in direct messages with the user alone."""
    ann = place.guild.owner
    sent = await place.seen.send("hello")
    await ann.react(place.channel.messages[0], "📌")
    heard = await place.bot.until_heard("raw_reaction_add")
    assert isinstance(heard, discord.RawReactionActionEvent)
    assert heard.member is not None
    assert (sent.id, ann.user_id, place.server.bot.user_id) == (
        heard.message_id,
        heard.member.id,
        heard.message_author_id,
    )
    said = await ann.say(ann.direct, "hello")
    await ann.react(said, "📌")
    heard = await place.bot.until_heard("raw_reaction_add", times=2)
    assert isinstance(heard, discord.RawReactionActionEvent)
    assert (ann.user_id, None, None) == (heard.user_id, heard.member, heard.guild_id)


async def test_bulk_delete(place: Place):
    """A moderator's bulk delete takes all named messages; anybody else is refused."""
    said = [await place.guild.owner.say(place.channel, str(number)) for number in range(5)]
    ids = [discord.Object(message.message_id) for message in said[:3]]
    with pytest.raises(discord.Forbidden) as refused:
        await place.seen.delete_messages(ids)
    assert 50013 == refused.value.code
    role = place.guild.bot_role
    place.guild.change_role(role, role.permissions | discord.Permissions.manage_messages.flag)
    await place.seen.delete_messages(ids)
    assert ["3", "4"] == [message.content for message in place.channel.messages]


async def test_threads(place: Place):
    """The bot opens threads on messages, alone and in forums, and finds the archived ones."""
    place.guild.change_role(place.guild.bot_role, place.guild.everyone.permissions)
    sent = await place.seen.send("topic")
    on_message = await sent.create_thread(name="on a message")
    assert sent.id == on_message.id
    alone = await place.seen.create_thread(name="alone", type=discord.ChannelType.public_thread)
    private = await place.seen.create_thread(name="private", invitable=False)
    await alone.send("inside")
    ann = place.guild.owner
    await private.add_user(discord.Object(ann.user_id))
    assert {place.server.bot.user_id, ann.user_id} == {member.id for member in await private.fetch_members()}
    forum = place.guild.forum("ideas")
    await place.bot.until_heard("guild_channel_create")
    found = place.bot.get_channel(forum.channel_id)
    assert isinstance(found, discord.ForumChannel)
    post = await found.create_thread(name="an idea", content="text")
    assert post.thread.id == post.message.id
    place.channel.threads[1].archive()
    assert ["alone"] == [thread.name async for thread in place.seen.archived_threads()]
    await alone.send("back")
    assert not place.channel.threads[1].archived
    by_ann = await ann.post(forum, "hers", "her text")
    await place.server.until(lambda: "her text" == place.bot.of("message")[-1].content)
    assert by_ann.channel_id == place.bot.of("message")[-1].channel.id
    written = discord.MessageType.default
    types = [message.type for message in place.bot.of("message") if message.type is not written]
    assert [discord.MessageType.thread_starter_message, discord.MessageType.thread_created] == types
