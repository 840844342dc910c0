"""Asks Discord about the bot before it connects: who it is, its intents, and missing permissions.

Asked over REST alone, for `hathi doctor`: no connection is made and nothing is changed.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeAlias

import aiohttp
import discord

from bot import errors
from bot.connection import gateway
from bot.connection.client import REFUSED, invite

PATIENCE: Final = timedelta(seconds=20)
"""For everything that is asked; guilds that were not reached by then are told as such."""
MOST_COUNTED: Final = 1000
"""Guilds that are counted, 200 a request."""
MOST_GUILDS: Final = 20
"""Guilds that are looked at, with three requests each."""
AT_ONCE: Final = 4
UNREACHABLE: Final = "Discord can't be reached; is there a network, and is DISCORD_API_URL right?"
NOT_DISCORD: Final = "What answers in Discord's place is something else; is DISCORD_API_URL right?"
LABELS: Final = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "read_message_history": "Read Message History",
    "add_reactions": "Add Reactions",
}
"""What Hathi needs in a channel, as Discord's settings name it."""

Talked: TypeAlias = discord.TextChannel | discord.ForumChannel | discord.VoiceChannel | discord.StageChannel
"""Channels in which, or in whose threads, somebody can talk to Hathi."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """Permissions Hathi lacks in a channel."""

    channel: str
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guild:
    """A guild the bot is in."""

    name: str
    channels: int
    """Those that somebody can talk in."""
    lacks: tuple[Lack, ...]
    failure: str = ""
    """Why it could not be looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotStanding:
    """What Discord says of the bot."""

    application_id: int
    application: str
    bot: str
    has_content: bool
    """Whether the portal grants the text of messages that are not said to it."""
    starts_left: int
    starts: int
    starts_again_in: timedelta
    guild_count: int
    """At most `MOST_COUNTED`."""
    members: int
    """Of those guilds, by Discord's estimate: who is in several of them counts in each."""
    guilds: tuple[Guild, ...]
    invite: str


async def standing(token: str, api_url: str | None, *, within: timedelta = PATIENCE) -> BotStanding:
    """How the bot of this token stands.

    Raises `SettingsError` when Discord refuses the token, `DiscordDown` when it does not answer within that time.
    """
    if any(sign.isspace() for sign in token.strip()):
        # Two lines copied as one; it would not even make a request.
        raise errors.SettingsError(REFUSED)
    gateway.point_at(api_url, None)
    deadline = asyncio.get_running_loop().time() + within.total_seconds()
    async with discord.AutoShardedClient(intents=discord.Intents(guilds=True)) as client:
        try:
            async with asyncio.timeout_at(deadline):
                await client.login(token)
                starts = await client.fetch_session_start_limits()
                found = [guild async for guild in client.fetch_guilds(limit=MOST_COUNTED, with_counts=True)]
        except discord.LoginFailure as exc:
            raise errors.SettingsError(REFUSED) from exc
        except (discord.DiscordException, aiohttp.ClientError, OSError) as exc:
            raise errors.DiscordDown(UNREACHABLE) from exc
        except (KeyError, TypeError, ValueError) as exc:
            # Another server's answer, which discord.py takes for Discord's.
            raise errors.DiscordDown(NOT_DISCORD) from exc
        application = client.application
        assert application is not None
        flags = application.flags
        return BotStanding(
            application_id=application.id,
            application=_plain(application.name),
            bot=_plain(str(client.user)),
            has_content=flags.gateway_message_content or flags.gateway_message_content_limited,
            starts_left=starts.remaining,
            starts=starts.total,
            starts_again_in=timedelta(milliseconds=starts.reset_after),
            guild_count=len(found),
            members=sum(guild.approximate_member_count or 0 for guild in found),
            guilds=await _looked_at(client, found[:MOST_GUILDS], deadline),
            invite=invite(application.id),
        )


async def _looked_at(
    client: discord.AutoShardedClient, guilds: Sequence[discord.Guild], deadline: float
) -> tuple[Guild, ...]:
    """Each guild as it is, a few at once; a failure is told with the guild it concerns."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(guild: discord.Guild) -> Guild:
        try:
            async with asyncio.timeout_at(deadline), gate:
                return await _guild(client, guild.id)
        except TimeoutError:
            why = "Discord took too long"
        except discord.HTTPException as exc:
            why = f"Discord refused it ({exc.status})"
        except (discord.DiscordException, aiohttp.ClientError, OSError, KeyError, TypeError, ValueError) as exc:
            why = f"Discord's answer can't be used ({type(exc).__name__})"
        return Guild(name=_plain(guild.name), channels=0, lacks=(), failure=why)

    return tuple(await asyncio.gather(*map(one, guilds)))


async def _guild(client: discord.AutoShardedClient, guild_id: int) -> Guild:
    guild = await client.fetch_guild(guild_id, with_counts=False)
    assert client.user is not None
    me = await guild.fetch_member(client.user.id)
    channels = [channel for channel in await guild.fetch_channels() if isinstance(channel, Talked)]
    lacks = [
        Lack(channel=_plain(channel.name), missing=missing) for channel in channels if (missing := _lack(channel, me))
    ]
    return Guild(name=_plain(guild.name), channels=len(channels), lacks=tuple(lacks))


def _lack(channel: Talked, me: discord.Member) -> tuple[str, ...]:
    """What is missing there; what follows from something missing is not named beside it."""
    rights = channel.permissions_for(me)
    if not rights.view_channel:
        return (LABELS["view_channel"],)
    beside_the_point: set[str] = set()
    if isinstance(channel, discord.ForumChannel):
        # There to send a message is to open a post, which Hathi never does.
        beside_the_point.add("send_messages")
    elif not isinstance(channel, discord.TextChannel):
        beside_the_point.add("send_messages_in_threads")
    needed = [name for name in LABELS if name not in beside_the_point]
    return tuple(LABELS[name] for name in needed if not getattr(rights, name))


def _plain(name: str) -> str:
    """A name others chose, without what a terminal would obey."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)
