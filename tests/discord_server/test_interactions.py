"""Interactions, as an unmodified discord.py answers them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import discord
import pytest
from discord import app_commands

from tests.discord_server import refusals
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


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with DiscordServer.started() as server:
        guild = server.guild("Elephants")
        channel = guild.text_channel("general")
        async with running(Bot(server), server) as bot:
            yield Place(server, bot, guild, channel)


async def test_slash(place: Place):
    """A slash command arrives with its options, is deferred, and its follow-up takes the place of the one loading."""
    heard: list[Any] = []

    @place.bot.tree.command(description="Greets")
    async def greet(interaction: discord.Interaction, who: discord.Member, times: int, loudly: bool = False) -> None:
        heard.extend([who.id, times, loudly])
        await interaction.response.defer()
        await interaction.followup.send("first")
        await interaction.followup.send("second")
        await interaction.edit_original_response(content="first, mended")

    await place.bot.tree.sync()
    assert (1, ["greet"]) == (place.server.commands.overwrites[None], place.server.commands.names())
    ann = place.guild.owner
    interaction = await ann.slash(place.channel, "greet", {"who": ann, "times": 3})
    await place.server.until(lambda: interaction.original and interaction.original.content == "first, mended")
    assert [ann.user_id, 3, False] == heard
    assert ["first, mended", "second"] == [message.content for message in interaction.messages]
    assert interaction.messages == place.channel.messages
    assert [] == [request for request in place.server.requests if request.status >= 400]


@pytest.mark.parametrize(
    ("names", "descriptions"),
    [
        ({"de": "Gruß"}, {}),
        ({"de": "guten tag"}, {}),
        ({"de": "x" * 33}, {}),
        ({"xx": "gruß"}, {}),
        ({"de": "laut"}, {}),
        ({}, {"de": "x" * 101}),
        ({}, {"de": ""}),
    ],
)
async def test_one_bad_translation_refuses_the_list(place: Place, names: dict[str, str], descriptions: dict[str, str]):
    """A localised name or description has to keep to the rules of its kind, and be no sibling's."""
    commands = [
        {
            "name": "greet",
            "description": "Greets",
            "name_localizations": names,
            "description_localizations": descriptions,
        },
        {"name": "shout", "description": "Shouts", "name_localizations": {"de": "laut"}},
    ]

    with pytest.raises(refusals.Refusal):
        place.server.commands.overwrite(None, commands)
    assert [] == place.server.commands.names()


async def test_subcommands_and_completion(place: Place):
    """Commands in groups are found by their path, and options that complete give their choices."""
    group = app_commands.Group(name="memory", description="Memory")

    @group.command(description="Recalls")
    async def recall(interaction: discord.Interaction, room: str) -> None:
        await interaction.response.send_message(f"in {room}", ephemeral=True)

    @recall.autocomplete("room")
    async def rooms(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=room, value=room) for room in ("people", "projects") if typed in room]

    place.bot.tree.add_command(group)
    await place.bot.tree.sync()
    ann = place.guild.owner
    completion = await (await ann.autocomplete(place.channel, "memory recall", "room", "peo")).until_answered()
    assert ["people"] == [choice["value"] for choice in completion.choices]
    told = await (await ann.slash(place.channel, "memory recall", {"room": "people"})).until_told()
    assert [("in people", True)] == [(message.content, message.ephemeral) for message in told]
    assert [] == place.channel.messages
    with pytest.raises(LookupError):
        await ann.slash(place.channel, "memory forget")
    with pytest.raises(ValueError, match="required"):
        await ann.slash(place.channel, "memory recall")


async def test_button_and_modal(place: Place):
    """A button changes its message or opens a modal, whose values come back."""

    class Form(discord.ui.Modal, title="Form"):
        name: discord.ui.TextInput[Any] = discord.ui.TextInput(label="Name", custom_id="name")

        async def on_submit(self, interaction: discord.Interaction, /) -> None:
            await interaction.response.send_message(f"hello {self.name.value}")

    class Buttons(discord.ui.View):
        @discord.ui.button(label="Count", custom_id="count")
        async def count(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
            button.disabled = True
            await interaction.response.edit_message(content="counted", view=self)

        @discord.ui.button(label="Ask", custom_id="ask")
        async def ask(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
            await interaction.response.send_modal(Form())

    view, ann = Buttons(), place.guild.owner
    await place.bot.get_partial_messageable(place.channel.channel_id).send("press", view=view)
    (message,) = place.channel.messages
    assert ["count", "ask"] == message.custom_ids
    await (await ann.press(message, "count")).until_answered()
    assert "counted" == message.content
    with pytest.raises(PermissionError):
        await ann.press(message, "count")
    asked = await (await ann.press(message, "ask")).until_answered()
    sent = await ann.submit(asked, {"name": "Annie"})
    assert ["hello Annie"] == [told.content for told in await sent.until_told()]
    view.stop()


async def test_answers_are_fetched_edited_and_deleted(place: Place):
    """An ephemeral deferral stays ephemeral, and answers can be read, changed and taken back by the token."""

    @place.bot.tree.command(description="Answers")
    async def answers(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        await interaction.edit_original_response(content="for you")
        more = await interaction.followup.send("for all", wait=True)
        await more.edit(content="for all, mended")
        assert "for you" == (await interaction.original_response()).content
        assert "for all, mended" == (await interaction.followup.fetch_message(more.id)).content
        await interaction.delete_original_response()
        await interaction.followup.send("done", ephemeral=True)

    await place.bot.tree.sync()
    interaction = await place.guild.owner.slash(place.channel, "answers")
    await place.server.until(lambda: [each for each in interaction.messages if each.content == "done"])
    assert interaction.original is not None
    assert (True, True) == (interaction.original.ephemeral, interaction.original.deleted)
    assert ["for all, mended", "done"] == [message.content for message in interaction.messages]
    assert ["for all, mended"] == [message.content for message in place.channel.messages]


async def test_menu(place: Place):
    """What is chosen from a menu arrives, on an ephemeral message too."""

    class Menu(discord.ui.View):
        @discord.ui.select(custom_id="room", options=[discord.SelectOption(label=room) for room in ("a", "b")])
        async def room(self, interaction: discord.Interaction, select: discord.ui.Select[Any]) -> None:
            await interaction.response.send_message(f"room {select.values[0]}")

    view = Menu()

    @place.bot.tree.command(description="Menu")
    async def menu(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("choose", view=view, ephemeral=True)

    await place.bot.tree.sync()
    ann = place.guild.owner
    (message,) = await (await ann.slash(place.channel, "menu")).until_told()
    told = await (await ann.select(message, "room", ["b"])).until_told()
    assert ["room b"] == [each.content for each in told]
    view.stop()


async def test_too_late(place: Place):
    """An answer after its time is 10062, a second first answer 40060, a follow-up on an old token 50027."""
    codes: list[int] = []
    done = asyncio.Event()

    @place.bot.tree.command(description="Late")
    async def late(interaction: discord.Interaction) -> None:
        with pytest.raises(discord.NotFound) as refused:
            await interaction.response.send_message("late")
        codes.append(refused.value.code)
        place.server.world.answer_within = timedelta(seconds=3)
        await interaction.response.send_message("in time")
        interaction.response._response_type = None
        with pytest.raises(discord.HTTPException) as again:
            await interaction.response.send_message("again")
        codes.append(again.value.code)
        place.server.world.token_lives = timedelta(0)
        with pytest.raises(discord.HTTPException) as expired:
            await interaction.followup.send("expired")
        codes.append(expired.value.code)
        done.set()

    await place.bot.tree.sync()
    place.server.world.answer_within = timedelta(0)
    interaction = await place.guild.owner.slash(place.channel, "late")
    await asyncio.wait_for(done.wait(), 10)
    assert [10062, 40060, 50027] == codes
    assert ["in time"] == [message.content for message in interaction.messages]


async def test_commands_of_a_guild(place: Place):
    """A guild's commands are its own, every overwrite is counted, and direct messages get the global ones."""

    @place.bot.tree.command(description="Where")
    async def where(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("in private" if interaction.guild is None else interaction.guild.name)

    guild = discord.Object(place.guild.guild_id)
    place.bot.tree.copy_global_to(guild=guild)
    await place.bot.tree.sync(guild=guild)
    await place.bot.tree.sync(guild=guild)
    ann, commands = place.guild.owner, place.server.commands
    assert (2, 0) == (commands.overwrites[guild.id], commands.overwrites[None])
    told = await (await ann.slash(place.channel, "where")).until_told()
    assert ["Elephants"] == [message.content for message in told]
    with pytest.raises(LookupError):
        await ann.slash(ann.direct, "where")
    await place.bot.tree.sync()
    told = await (await ann.slash(ann.direct, "where")).until_told()
    assert ["in private"] == [message.content for message in told]
    assert ["where"] == [command.name for command in await place.bot.tree.fetch_commands()]


async def test_context_menu(place: Place):
    """A command on a message arrives with the message."""

    async def remember(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"kept: {message.content}")

    place.bot.tree.add_command(app_commands.ContextMenu(name="Remember", callback=remember))
    await place.bot.tree.sync()
    ann = place.guild.owner
    said = await ann.say(place.channel, "the key is under the mat")
    told = await (await ann.point_at(said, "Remember")).until_told()
    assert ["kept: the key is under the mat"] == [message.content for message in told]
