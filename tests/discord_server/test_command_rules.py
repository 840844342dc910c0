"""An application's commands: what Discord refuses of them, and commands on messages and users."""

import copy
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

import discord
import pytest
from discord import app_commands

from tests.discord_server import command_rules, wire
from tests.discord_server.bots import Bot, running
from tests.discord_server.channels import Channel
from tests.discord_server.guilds import Guild
from tests.discord_server.refusals import Refusal
from tests.discord_server.server import DiscordServer

RECALL: Final[dict[str, Any]] = {
    "name": "recall",
    "description": "Looks for something",
    "name_localizations": {"de": "erinnern", "th": "จำได้", "hi": "याद"},
    "description_localizations": {"de": "Sucht etwas"},
    "options": [
        {
            "type": 3,
            "name": "words",
            "description": "What to look for",
            "required": True,
            "name_localizations": {"de": "wörter"},
        },
        {
            "type": 3,
            "name": "room",
            "description": "Where it is filed",
            "choices": [{"name": "People", "value": "people", "name_localizations": {"de": "Leute"}}],
        },
    ],
}
REMEMBER: Final[dict[str, Any]] = {"type": 3, "name": "Remember this", "name_localizations": {"de": "Merk dir das"}}


def changed(*path: str | int, to: Any, of: dict[str, Any] = RECALL) -> dict[str, Any]:
    """The command with another value at a path."""
    made = copy.deepcopy(of)
    inside: Any = made
    for part in path[:-1]:
        inside = inside[part]
    inside[path[-1]] = to
    return made


def option(name: str = "a", **given: Any) -> dict[str, Any]:
    return {"type": 3, "name": name, "description": "An option"} | given


def group(*options: dict[str, Any], kind: int = 2) -> dict[str, Any]:
    return option("inside", type=kind, options=list(options))


LARGE: Final = [option(f"o{number}", description="x" * 100) for number in range(25)]
CASES: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "a capital letter": (changed("name", to="Recall"), "name"),
    "a space": (changed("name", to="re call"), "name"),
    "a dot": (changed("name", to="re.call"), "name"),
    "33 letters": (changed("name", to="x" * 33), "name"),
    "a capital letter in a translation": (changed("name_localizations", "de", to="Erinnern"), "name_localizations.de"),
    "a capital letter of another script": (changed("name_localizations", "el", to="Μνήμη"), "name_localizations.el"),
    "two words in a translation": (changed("name_localizations", "fr", to="se souvenir"), "name_localizations.fr"),
    "an accent that stands alone": (changed("name_localizations", "fr", to="me\u0301moire"), "name_localizations.fr"),
    "a language there is not": (changed("name_localizations", to={"es": "recordar"}), "name_localizations.es"),
    "no description": (changed("description", to=""), "description"),
    "101 characters": (changed("description", to="x" * 101), "description"),
    "101 characters in a translation": (
        changed("description_localizations", "de", to="x" * 101),
        "description_localizations.de",
    ),
    "an option in capitals": (changed("options", 0, "name", to="Words"), "options.0.name"),
    "an option in capitals in a translation": (
        changed("options", 0, "name_localizations", "de", to="Wörter"),
        "options.0.name_localizations.de",
    ),
    "an option without a description": (changed("options", 1, "description", to=""), "options.1.description"),
    "an option's translation that is another's name": (
        changed("options", 0, "name_localizations", "de", to="room"),
        "options.0.name_localizations.de",
    ),
    "two options of a name": (changed("options", 1, "name", to="words"), "options.0.name"),
    "a choice of 101 characters": (
        changed("options", 1, "choices", 0, "name", to="x" * 101),
        "options.1.choices.0.name",
    ),
    "an empty translation of a choice": (
        changed("options", 1, "choices", 0, "name_localizations", "de", to=""),
        "options.1.choices.0.name_localizations.de",
    ),
    "a choice's value of 101 characters": (
        changed("options", 1, "choices", 0, "value", to="x" * 101),
        "options.1.choices.0.value",
    ),
    "26 choices": (
        changed("options", 1, "choices", to=[{"name": str(number), "value": str(number)} for number in range(26)]),
        "options.1.choices",
    ),
    "choices and completion": (changed("options", 1, "autocomplete", to=True), "options.1"),
    "what is required last": (
        changed("options", 1, "required", to=True) | {"options": [option(), option("b", required=True)]},
        "options.1",
    ),
    "26 options": (changed("options", to=[option(f"o{number}") for number in range(26)]), "options"),
    "a text of 6,001 characters": (changed("options", to=[option(max_length=6001)]), "options.0.max_length"),
    "a subcommand beside an option": (changed("options", to=[option(), group(kind=1)]), "options.1.type"),
    "a group in a group": (changed("options", to=[group(group())]), "options.0.options.0.type"),
    "an option right in a group": (changed("options", to=[group(option())]), "options.0.options.0.type"),
    "8,001 characters": (changed("options", to=[option(f"s{at}", type=1, options=LARGE) for at in range(4)]), ""),
    "a command on messages with a description": (REMEMBER | {"description": "Keeps it"}, "description"),
    "a command on messages of 33 letters": (REMEMBER | {"name": "x" * 33}, "name"),
    "a command on users with an empty translation": (
        {"type": 2, "name": "About me", "name_localizations": {"de": ""}},
        "name_localizations.de",
    ),
}


def path(refusal: Refusal) -> str:
    """The path of the one field at fault in Discord's 400 for a malformed body."""
    assert (400, 50035) == (refusal.status, refusal.code)
    names, errors = list[str](), refusal.errors or {}
    while "_errors" not in errors:
        ((name, errors),) = errors.items()
        names.append(name)
    return ".".join(names)


@pytest.mark.parametrize(("command", "where"), CASES.values(), ids=CASES)
def test_one_bad_command_refuses_them_all(command: dict[str, Any], where: str):
    """A list with one malformed command changes nothing, alone or with others, and the field at fault is named."""
    commands = DiscordServer().commands
    commands.overwrite(None, [RECALL, REMEMBER])
    with pytest.raises(Refusal) as refused:
        commands.overwrite(None, [{"name": "forget", "description": "Forgets"}, command])
    assert f"1.{where}".rstrip(".") == path(refused.value)
    with pytest.raises(Refusal) as alone:
        commands.upsert(None, command)
    assert where == path(alone.value)
    assert (["recall", "Remember this"], 1) == (commands.names(), commands.overwrites[None])


def test_how_many_commands_there_may_be():
    """100 slash commands, 15 on messages and 15 on users are taken, and one more of any is not."""
    commands = DiscordServer().commands
    full = [{"name": f"c{number}", "description": "x"} for number in range(100)]
    full += [{"type": kind, "name": f"Do {number}"} for kind in (2, 3) for number in range(15)]
    assert 130 == len(commands.overwrite(None, full))
    for more in ({"name": "more", "description": "x"}, {"type": 2, "name": "More"}, {"type": 3, "name": "More"}):
        with pytest.raises(Refusal) as refused:
            commands.upsert(None, more)
        assert 30032 == refused.value.code
        with pytest.raises(Refusal):
            commands.overwrite(None, [*full, more])


def test_of_translations_the_longest_counts():
    """The size of a command is that of all its texts, of each in the language in which it is longest."""
    command = {"name": "ab", "name_localizations": {"de": "abcd", "fr": "abc"}, "description": "x" * 10}
    choice = {"name": "Yes", "value": "y", "name_localizations": {"de": "Jawohl"}}
    assert 14 == command_rules.size(command)
    assert 14 + 1 + 9 + 6 + 1 == command_rules.size(command | {"options": [option(choices=[choice])]})


@pytest.mark.parametrize("name", ["a-b_c'd", "ärger", "याद", "จำได้", "記憶", "x" * 32, "2x"])
def test_names_that_fit(name: str):
    """Letters and digits of every script are taken, with the marks of Devanagari and Thai."""
    assert command_rules.fits(name)


# ---- commands on messages and users


@dataclass
class Place:
    """A bot without the message-content intent in a guild with one channel, with a command on messages and on users."""

    server: DiscordServer
    bot: Bot
    guild: Guild
    channel: Channel


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with DiscordServer.started(privileged=wire.Intent.MEMBERS) as server:
        guild = server.guild("Elephants")
        channel = guild.text_channel("general")
        intents = discord.Intents.default()
        async with running(Bot(server, intents=intents), server) as bot:

            async def remember(interaction: discord.Interaction, message: discord.Message) -> None:
                await interaction.response.send_message(f"{message.author.name}: {message.content}", ephemeral=True)

            async def about(interaction: discord.Interaction, user: discord.User | discord.Member) -> None:
                await interaction.response.defer(ephemeral=True)
                await interaction.followup.send(f"{user.name} is known")

            kept = app_commands.ContextMenu(name="Remember this", callback=remember)
            known = app_commands.ContextMenu(name="About me", callback=about)
            known.default_permissions = discord.Permissions(manage_guild=True)
            bot.tree.add_command(kept)
            bot.tree.add_command(known)
            await bot.tree.sync()
            yield Place(server, bot, guild, channel)


async def test_a_command_on_a_message(place: Place):
    """The message comes whole where the bot is shown no content, and the answer is for the asker alone."""
    ann, bob = place.guild.owner, place.server.user("bob")
    place.guild.join(bob)
    said = await bob.say(place.channel, "The kiln fires on Friday.")
    assert "" == (await place.bot.until_heard("message")).content
    told = await (await ann.point_at(said, "Remember this")).until_told()
    assert [("bob: The kiln fires on Friday.", True)] == [(each.text, each.ephemeral) for each in told]
    assert [said] == place.channel.messages
    metadata = told[0].interaction or {}
    assert (str(said.message_id), 2) == (metadata["target_message_id"], metadata["type"])

    private = await bob.say(bob.direct, "Only to you.")
    told = await (await bob.point_at(private, "Remember this")).until_told()
    assert ["bob: Only to you."] == [each.text for each in told]
    await bob.delete(said)
    with pytest.raises(LookupError, match="no more"):
        await ann.point_at(said, "Remember this")


async def test_a_command_on_a_user(place: Place):
    """Who is pointed at comes as a member; who lacks the right that the command asks for is not offered it."""
    ann, bob = place.guild.owner, place.server.user("bob")
    place.guild.join(bob)
    asked = await ann.point_at(bob, "About me", place.channel)
    told = await asked.until_told()
    assert [("bob is known", True)] == [(each.text, each.ephemeral) for each in told]
    assert str(bob.user_id) == (told[0].interaction or {})["target_user"]["id"]
    assert [str(bob.user_id)] == [*asked.data["resolved"]["members"]]
    with pytest.raises(PermissionError):
        await bob.point_at(ann, "About me", place.channel)
    with pytest.raises(LookupError, match="registered"):
        await ann.point_at(bob, "Remember this", place.channel)
