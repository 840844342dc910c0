"""The laws of the links under what is listed: they lead to the message each thing came from, and nowhere else."""

from collections.abc import AsyncGenerator

import pytest
from simcord.components import walk_components

from bot.db.pool import Database
from bot.domain import ChannelId, MessageId, Reply, SpaceId
from cogs.events.message_commands import REMEMBER
from tests import discord_bot, people
from tests.cogs.events.test_pin_reaction import react
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User

KETTLE = "!remember my kettle is blue topic:kettles"
LISTS = ("!memories", "!recall kettle", "!me", "!palace general")


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database) as running:
        yield running


def link(message: Message) -> str:
    """The address Discord copies for a message."""
    guild = message.channel.guild
    return f"https://discord.com/channels/{guild.guild_id if guild else '@me'}/{message.channel.channel_id}/" + str(
        message.message_id
    )


async def values(bot: DiscordBot, user: User, channel: Channel, line: str) -> list[str]:
    """What the entries of a list say."""
    texts = [
        part["content"]
        for part in walk_components((await bot.answer(await user.say(channel, line))).components)
        if "content" in part
    ]
    return [text for text in texts if "is blue" in text]


async def lines(bot: DiscordBot, user: User, line: str) -> str:
    """What a command answers where nothing but text can be shown."""
    caller = people.caller(space=bot.guild.guild_id, channel=bot.channel.channel_id, person=user.user_id)
    name, _, rest = line.removeprefix("!").partition(" ")
    return (await bot.app.commands.run(caller, name, rest, _announced)).text


async def _announced(_reply: Reply) -> None:
    """Nothing is to come of what is only listed."""
    raise AssertionError


@pytest.mark.parametrize("place", ["channel", "thread", "private thread", "direct messages"])
async def test_what_a_command_kept_leads_to_that_command(bot: DiscordBot, place: str) -> None:
    """Wherever it was typed: of a command nothing is kept but that it was given, and where."""
    ann = bot.person("Ann")
    match place:
        case "channel":
            where = bot.channel
        case "direct messages":
            where = ann.direct
        case _:
            where = await ann.start_thread(bot.channel, "aside", private=place == "private thread")
            if place == "private thread":
                where.add(bot.discord.bot)
    kept = await ann.say(where, KETTLE)
    await bot.answer(kept)
    for line in LISTS:
        assert [f"]({link(kept)})" in value for value in await values(bot, ann, where, line)] == [True]


async def test_what_was_promoted_leads_to_where_it_was(bot: DiscordBot) -> None:
    """A note that a command made a memory of leads to that command."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "!note the kettle may be blue"))
    kept = await ann.say(bot.channel, '!promote N1 the kettle is blue reason:"it was looked at"')
    await bot.answer(kept)
    assert [link(kept) in value for value in await values(bot, ann, bot.channel, "!memories")] == [True]


async def test_no_link_leads_to_what_is_gone_or_not_seen(bot: DiscordBot) -> None:
    """Not to a command whose memory is forgotten, nor to one in a channel that not everybody here reads."""
    ann = bot.person("Ann")
    staff = bot.guild.private_channel("staff", seen_by=[ann, bot.discord.bot])
    kept: list[Message] = []
    for channel in (bot.channel, staff):
        kept.append(await ann.say(channel, KETTLE))
        await bot.answer(kept[-1])
    asked, here, there = (MessageId(each.message_id) for each in [await ann.say(bot.channel, "!help"), *kept])
    guild, channels = bot.guild.guild_id, (bot.channel.channel_id, staff.channel_id)
    reader = people.caller(space=guild, channel=channels[0])
    insider = people.caller(space=guild, channel=channels[1], sees=channels)
    places = bot.app.librarian.places
    assert {here: channels[0]} == await places(reader, [asked, here, there])
    assert {here: channels[0], there: channels[1]} == await places(insider, [asked, here, there])
    await bot.answer(await ann.say(bot.channel, "!forget 1"))
    assert {} == await places(reader, [asked, here, there])
    await bot.answer(await ann.say(bot.channel, "!undo"))
    assert {here: ChannelId(channels[0])} == await places(reader, [asked, here, there])
    elsewhere = people.caller(space=SpaceId(guild + 1), channel=channels[0])
    assert {} == await places(elsewhere, [asked, here, there])


@pytest.mark.parametrize("line", LISTS)
async def test_a_list_is_the_same_without_leave_to_embed(bot: DiscordBot, line: str) -> None:
    """Nothing of it is an embed, so that nothing of it is missing, its links neither."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, KETTLE))
    before = await bot.answer(await ann.say(bot.channel, line))
    bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.EMBED_LINKS))
    after = await bot.answer(await ann.say(bot.channel, line))
    assert ([], before.text, before.custom_ids) == (after.embeds, after.text, after.custom_ids)


@pytest.mark.parametrize("line", LISTS)
async def test_a_list_of_lines_has_its_links_too(bot: DiscordBot, line: str) -> None:
    """Where nothing but text can be shown, the link stands under each of the lines."""
    ann = bot.person("Ann")
    kept = [await ann.say(bot.channel, KETTLE)]
    await bot.answer(kept[0])
    kept.append(await bot.says_to_hathi(ann, bot.channel, "Remember that my kettle is big."))
    await bot.answer(kept[1])
    text = await lines(bot, ann, line)
    for told, message in zip(("kettle is blue", "kettle is big"), kept, strict=True):
        after = text.partition(told)[2].splitlines()
        assert f"  Go to the message: {link(message)}" == after[1]


async def test_why_in_lines_has_its_links_too(bot: DiscordBot) -> None:
    """What an answer rests on, or was shown with it, leads to where it was said, before what can be done with it."""
    ann = bot.person("Ann")
    kept = await ann.say(bot.channel, KETTLE)
    await bot.answer(kept)
    told = f"    my kettle is blue\n  Go to the message: {link(kept)}\n  !forget 1"
    await bot.asks(ann, bot.channel, "Shall I put the kettle on?")
    assert told in await lines(bot, ann, "!why exactly")
    await bot.asks(ann, bot.channel, "What did I say about the kettle?")
    assert told in await lines(bot, ann, "!why")


async def test_a_model_is_handed_no_links(bot: DiscordBot) -> None:
    """What it looks up is for it to read, and it is the line under its answer that leads to where it was said."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, KETTLE))
    caller = people.caller(space=bot.guild.guild_id, channel=bot.channel.channel_id)
    found = await bot.app.commands.recalling.search(caller, "kettle")
    assert "my kettle is blue" in found.text
    assert "https://" not in found.text


@pytest.mark.parametrize("place", ["channel", "thread", "private thread"])
@pytest.mark.parametrize("how", ["a mark", "under Apps", "in reply"])
async def test_what_somebody_pointed_at_leads_there(bot: DiscordBot, place: str, how: str) -> None:
    """Though that message is stored nowhere, wherever it stands; also of the memory that an edit made of it."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    stands = bot.channel
    if place != "channel":
        stands = thread = await ann.start_thread(bot.channel, "aside", private=place == "private thread")
        thread.add(bot.discord.bot)
        thread.add(ben)
    said = await ann.say(stands, "my kettle is blue")
    if how == "a mark":
        await react(bot, ben, said)
    elif how == "under Apps":
        await (await ben.point_at(said, REMEMBER)).until_told()
    else:
        await bot.answer(await ben.say(stands, "remember this", mentions=[bot.discord.bot], reply_to=said))
    (entry,) = await values(bot, ann, stands, "!memories")
    assert link(said) in entry
    await bot.answer(await ann.say(stands, "!edit 1 my kettle is blue now"))
    (entry,) = await values(bot, ann, stands, "!memories")
    assert link(said) in entry
