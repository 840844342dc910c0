"""What the buttons under the introduction answer, to whoever presses them alone."""

from collections.abc import AsyncGenerator

import discord
import pytest

from bot.commands import settings_overview
from bot.config import CommunitySettings, RecallSettings
from bot.db.pool import Database
from bot.presentation import introduction
from cogs.ui import buttons
from tests import discord_bot
from tests.cogs.commands.test_reply_reasons import private
from tests.discord_bot import DiscordBot
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.waiting import eventually


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with discord_bot.running(database) as running:
        yield running


async def met(bot: DiscordBot, *names: str) -> tuple[Message, list[User]]:
    """The introduction in a server that Hathi has just come to, and people there."""
    guild = bot.discord.guild("Tigers", with_bot=False)
    lobby = guild.text_channel("lobby")
    bot.discord.invite(guild)
    people = [bot.knows(bot.discord.user(name)) for name in names]
    for person in people:
        guild.join(person)
    return await bot.stands("Hello, I am Hathi", lobby), people


async def alone(bot: DiscordBot, who: User, message: Message, custom_id: str) -> Message:
    """What a press told whoever pressed, and nobody else."""
    pressed = await who.press(message, custom_id)
    await bot.until(lambda: [one for one in pressed.messages if one.ephemeral])
    (told,) = [one for one in pressed.messages if one is not message]
    assert told.ephemeral
    return told


async def test_an_introduction_has_three_buttons(bot: DiscordBot) -> None:
    """Ask about the past, what I remember here, settings; one message of components, of at most 600 characters."""
    said, _ = await met(bot)
    assert ["hathi:ask", "hathi:here", "hathi:settings"] == said.custom_ids
    labels = [buttons.ask(), buttons.here(), buttons.settings()]
    assert ["Ask about the past", "What I remember here", "Settings"] == [one.item.label for one in labels]
    assert ("", True) == (said.content, len(said.text) <= 600)
    assert bot.client.mention("privacy").startswith("</privacy:")
    assert bot.client.mention("privacy") in said.text


async def test_a_command_whose_id_is_not_known_is_named(database: Database) -> None:
    """As it is typed, where Discord has not told its id."""
    async with discord_bot.world() as place:
        place.discord.faults.fail(1, status=400, code=50035, method="PUT", path="/commands")
        async with discord_bot.connected(place, database) as bot:
            said, (ann,) = await met(bot, "Ann")
            assert "\n`/privacy` shows" in said.text
            assert "`/admin memory mode`" in (await alone(bot, ann, said, "hathi:settings")).text


async def test_an_introduction_names_the_privacy_policy(database: Database) -> None:
    """Where whoever runs Hathi has one."""
    named = CommunitySettings.model_validate({"privacy_url": "https://example.org/privacy"})
    async with discord_bot.running(database, community=named) as bot:
        said, _ = await met(bot)
        assert said.text.endswith("<https://example.org/privacy>")


async def test_what_is_remembered_here_is_listed_for_the_presser_alone(bot: DiscordBot) -> None:
    """What `!memories` lists there: nothing at first, then what was kept, and nothing of channels they can't read."""
    said, (ann, ben) = await met(bot, "Ann", "Ben")
    lobby = said.channel
    assert "No memories yet." in (await alone(bot, ann, said, "hathi:here")).text
    assert lobby.guild is not None
    staff = lobby.guild.private_channel("staff", seen_by=[ben, bot.discord.bot])
    await bot.answer(await ben.say(staff, "!remember The safe is behind the map"))
    await bot.answer(await ben.say(lobby, "!remember The kettle is blue"))
    listed = await alone(bot, ann, said, "hathi:here")
    assert ["The kettle is blue" in listed.text, "The safe" in listed.text] == [True, False]
    assert "hathi:open:2" in listed.custom_ids


async def test_settings_tell_all_that_holds_here_and_why(bot: DiscordBot) -> None:
    """What a manager reads by `/admin settings show`, for the presser alone; with what changes it, to be clicked."""
    said, (ann,) = await met(bot, "Ann")
    mention = bot.client.mention
    assert said.channel.guild is not None
    owner = bot.knows(said.channel.guild.owner)
    for line in ("!settings timezone Europe/Berlin", "!memory mode explicit"):
        await bot.answer(await owner.say(said.channel, line))
    told = (await alone(bot, ann, said, "hathi:settings")).text
    assert [True] * 4 == [
        line in told.splitlines()
        for line in (
            f"Memory: explicit (this channel) · {mention('admin memory mode')}",
            f"Time zone: Europe/Berlin (this server) · {mention('admin settings timezone')}",
            f"Discord's search: on (the default) · {mention('admin memory search')}",
            settings_overview.WHO_MAY,
        )
    ]
    chosen = await owner.slash(said.channel, "admin settings show")
    assert told == (await private(chosen)).text


async def test_settings_tell_what_discords_search_needs(bot: DiscordBot) -> None:
    """The same as the introduction does."""
    said, (ann,) = await met(bot, "Ann")
    said.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
    await eventually(lambda: not _reads(bot, said.channel))
    assert f"{introduction.NO_RIGHT}." in (await alone(bot, ann, said, "hathi:settings")).text


async def test_settings_tell_that_the_operator_has_switched_search_off(database: Database) -> None:
    """Nobody here can change that, and no command is named for it."""
    async with discord_bot.running(database, recall=RecallSettings(discord_search=False)) as bot:
        said, (ann,) = await met(bot, "Ann")
        told = (await alone(bot, ann, said, "hathi:settings")).text
        assert "Discord's search: off (the settings)" in told.splitlines()


async def test_the_button_of_an_earlier_introduction_works(bot: DiscordBot) -> None:
    """One of a plain message, as the version before sent it."""
    ann, channel = bot.person("Ann"), bot.client.get_channel(bot.channel.channel_id)
    assert isinstance(channel, discord.TextChannel)
    await channel.send("Hello, I am Hathi. !memories lists what I know.", view=buttons.view([buttons.ask()]))
    said = await bot.stands("Hello, I am Hathi. !memories")
    pressed = await ann.press(said, "hathi:ask")
    await bot.until(lambda: pressed.modal)
    await ann.submit(pressed, {"text": "Which colour has the kettle?"})
    asked = await bot.stands("asks:\n> Which colour has the kettle?")
    assert await bot.answer(asked)


def _reads(bot: DiscordBot, channel: Channel) -> bool:
    found = bot.client.get_channel(channel.channel_id)
    assert isinstance(found, discord.TextChannel)
    return found.permissions_for(found.guild.me).read_message_history
