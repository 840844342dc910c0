"""The laws of what Discord is asked before any connection."""

from collections.abc import AsyncGenerator
from datetime import timedelta

import discord
import pytest

from bot import errors
from bot.connection import preflight
from bot.connection.client import INVITE_PERMISSIONS, REFUSED
from tests.discord_server.bots import pointed_at
from tests.discord_server.permissions import EVERYONE, Overwrite, Permission
from tests.discord_server.server import DiscordServer
from tests.discord_server.wire import Intent

P = Permission


@pytest.fixture
async def server() -> AsyncGenerator[DiscordServer]:
    async with DiscordServer.started() as started:
        with pointed_at(started):
            yield started


async def asked(server: DiscordServer, *, token: str = "", within: float = 20) -> preflight.BotStanding:
    return await preflight.standing(token or server.token, server.api_url, within=timedelta(seconds=within))


async def test_who_it_is_is_told(server: DiscordServer) -> None:
    """Application, bot, grant, session starts and guilds are what Discord says, and nothing connects."""
    server.guild("Elephants")
    server.guild("Strangers", with_bot=False)
    stands = await asked(server)
    assert (server.world.application_id, "Hathi", True) == (
        stands.application_id,
        stands.application,
        stands.has_content,
    )
    assert (1000, 1000, 1) == (stands.starts_left, stands.starts, stands.guild_count)
    assert ["Elephants"] == [guild.name for guild in stands.guilds]
    assert (0, []) == (server.connections, [each for each in server.requests if each.method != "GET"])


async def test_an_intent_that_is_off_is_told(server: DiscordServer) -> None:
    """Without the message-content intent it is not granted, and that is no failure."""
    server.world.privileged = Intent.NONE
    assert False is (await asked(server)).has_content


async def test_a_refused_token_is_a_setting(server: DiscordServer) -> None:
    """A wrong token is told with what mends it, after one request."""
    with pytest.raises(errors.SettingsError, match="copy the bot's token anew") as refused:
        await asked(server, token="wrong")
    assert (REFUSED, 1) == (str(refused.value), len(server.requests))
    with pytest.raises(errors.SettingsError, match="copy the bot's token anew"):
        await asked(server, token="two\nlines")


async def test_what_is_missing_is_named_by_channel(server: DiscordServer) -> None:
    """A missing permission is named as Discord's settings name it; what follows from it is not named beside it."""
    guild = server.guild("Elephants")
    bot = guild.bot_role
    guild.text_channel("general")
    guild.text_channel("staff", overwrites={guild.everyone: Overwrite(deny=P.VIEW_CHANNEL)})
    guild.text_channel("rules", overwrites={bot: Overwrite(deny=P.SEND_MESSAGES)})
    guild.text_channel("plain", overwrites={server.bot: Overwrite(deny=P.ADD_REACTIONS | P.READ_MESSAGE_HISTORY)})
    guild.announcements("news")
    guild.voice_channel("lounge")
    guild.forum("help", overwrites={guild.everyone: Overwrite(deny=P.SEND_MESSAGES_IN_THREADS)})
    guild.category("stuff", overwrites={guild.everyone: Overwrite(deny=P.VIEW_CHANNEL)})
    (seen,) = (await asked(server)).guilds
    assert 7 == seen.channels
    assert {
        "staff": ("View Channels",),
        "rules": ("Send Messages",),
        "plain": ("Read Message History", "Add Reactions"),
        "help": ("Send Messages in Threads",),
    } == {lack.channel: lack.missing for lack in seen.lacks}


async def test_an_owner_s_or_admin_s_bot_lacks_nothing(server: DiscordServer) -> None:
    """A bot with Administrator is stopped by no overwrite."""
    guild = server.guild("Elephants", bot_permissions=P.ADMINISTRATOR)
    guild.text_channel("staff", overwrites={guild.everyone: Overwrite(deny=P.VIEW_CHANNEL)})
    (seen,) = (await asked(server)).guilds
    assert ((), 1) == (seen.lacks, seen.channels)


async def test_the_invitation_asks_for_what_is_needed(server: DiscordServer) -> None:
    """A bot invited by the address lacks nothing, even where members have no permission at all."""
    guild = server.guild("Elephants", bot_permissions=Permission(INVITE_PERMISSIONS.value))
    guild.everyone.permissions = P.NONE
    guild.text_channel("general")
    stands = await asked(server)
    assert () == stands.guilds[0].lacks
    assert f"permissions={INVITE_PERMISSIONS.value}" in stands.invite
    assert {name for name, wanted in INVITE_PERMISSIONS if wanted} == {
        name for name, wanted in discord.Permissions(**dict.fromkeys(preflight.LABELS, True)) if wanted
    }
    assert EVERYONE & Permission(INVITE_PERMISSIONS.value) == Permission(INVITE_PERMISSIONS.value)


async def test_guilds_are_counted_and_twenty_are_looked_at(server: DiscordServer) -> None:
    """However many guilds there are, the requests are bounded."""
    for number in range(25):
        server.guild(f"guild {number}")
    stands = await asked(server)
    assert (25, 20) == (stands.guild_count, len(stands.guilds))
    assert 4 + 3 * 20 == len(server.requests)


async def test_a_guild_that_fails_hides_no_other(server: DiscordServer) -> None:
    """What Discord refuses or never answers is told with the guild it concerns."""
    first, second, third = (server.guild(name) for name in ("first", "second", "third"))
    server.faults.fail(status=403, path=f"/guilds/{first.guild_id}/channels")
    server.faults.slow(timedelta(seconds=60), path=f"/guilds/{second.guild_id}/channels")
    stands = await asked(server, within=2)
    assert [("first", "Discord refused it (403)"), ("second", "Discord took too long"), (third.name, "")] == [
        (guild.name, guild.failure) for guild in stands.guilds
    ]


async def test_a_discord_that_is_away_is_one_sentence(server: DiscordServer) -> None:
    """Nobody there, no answer in time, or somebody else's answer: each is `DiscordDown`, within the time."""
    with pytest.raises(errors.DiscordDown, match="can't be reached"):
        await preflight.standing("token", "http://127.0.0.1:1/api/v10")
    server.faults.slow(timedelta(seconds=60), path="/gateway/bot")
    with pytest.raises(errors.DiscordDown, match="can't be reached"):
        await asked(server, within=0.2)
    with pytest.raises(errors.DiscordDown, match="DISCORD_API_URL"):
        await preflight.standing(server.token, server.world.base_url + "/elsewhere")


async def test_names_are_shown_as_text(server: DiscordServer) -> None:
    """A guild's name can give the terminal no orders."""
    server.guild("red \x1b[31m")
    (seen,) = (await asked(server)).guilds
    assert "red ?[31m" == seen.name
