"""The Discord client: intents, addresses, shards, cogs, the list of slash commands, and its start-up errors."""

import asyncio
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import aiohttp
import discord
from discord.ext import commands

from bot import errors, log
from bot.app import App
from bot.config import Settings
from bot.connection import arrivals, discord_time, gateway, link_previews
from bot.connection.localised_commands import LocalisedCommands
from bot.connection.refused_requests import Refusals
from bot.connection.unreadable_events import Unreadable

_log = log.logger(__name__)

LONGEST_PREFIX: Final = 5
COMMANDS_MARK: Final = "discord.commands"
IDENTIFY_MARK: Final = "discord.identify"
INVITE_PERMISSIONS: Final = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, read_message_history=True, add_reactions=True
)
"""What Hathi needs in a channel it is to answer in, and no more."""
NO_CONTENT: Final = (
    "The message-content intent is off in the developer portal (Bot, Privileged Gateway Intents). Mentions, replies to "
    "me, direct messages and slash commands work; channels in which everything is to be answered or remembered do not."
)
REFUSED: Final = (
    "Discord refused DISCORD_TOKEN (4004): copy the bot's token anew from the developer portal, Bot, Reset Token."
)


class ServingCog(commands.Cog):
    """A cog with a say in what is received, or with work to be finished before the connection ends."""

    @property
    def waiting(self) -> int:
        """Questions that wait for their answers."""
        return 0

    @property
    def places_left(self) -> int:
        """Channels in which messages may have been missed, and that are to be caught up with."""
        return 0

    def wants(self, data: Mapping[str, Any]) -> bool:  # noqa: ARG002 - most want none
        """Whether a message of a bot's is to be received."""
        return False

    async def drain(self) -> None:
        """Accepts nothing more, and finishes what is in progress, within some seconds."""


class Client(commands.AutoShardedBot):
    """The Discord client; what it does with messages is in its cogs."""

    def __init__(self, app: App, cogs: Sequence[str]) -> None:
        settings = app.settings
        gateway.point_at(settings.discord_api_url, settings.discord_gateway_url)
        gateway.notice_silence()
        gateway.try_each_minute()
        link_previews.suppress()
        # Voice is not served, so its missing parts are nothing to warn of.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        self.refusals = Refusals()
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=_intents(message_content=True),
            allowed_mentions=discord.AllowedMentions.none(),
            # People and messages are in the database; a cache of them here would only grow.
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            **_shards(settings),
            http_trace=self._trace(app),
        )
        gateway.hear_people(self, wants=self.wants)
        gateway.tell_guilds(self)
        self._unreadable = Unreadable(self)
        self.app = app
        self.ready = asyncio.Event()
        """Set once every guild of the first sessions is known."""
        self._cogs_to_load = cogs
        self._identifies = gateway.Identifies(self, self._may_identify)
        self._events: set[asyncio.Task[None]] = set()
        self._command_ids: dict[str, int] = {}
        """Of the commands by their names, as Discord told them."""
        self._lost: set[int] = set()
        """Shards without a connection, that had one."""

    def _trace(self, app: App) -> aiohttp.TraceConfig:
        """What is heard of every response beside its content."""
        trace = arrivals.tell(self.refusals.trace())
        if app.timeline is None:
            return trace
        app.timeline.expect_witness()
        return discord_time.tell(trace, app.timeline.witnessed)

    async def setup_hook(self) -> None:
        """Load the cogs, then tell Discord of their commands if those are others than it knows."""
        for name in self._cogs_to_load:
            await self.load_extension(name)
        if not self.application_flags.gateway_message_content and not (
            self.application_flags.gateway_message_content_limited
        ):
            _log.warning("discord.no_message_content", meaning=NO_CONTENT)
            self._connection._intents = _intents(message_content=False)  # noqa: SLF001 - they are told at IDENTIFY, which is yet to come
        await self._sync_commands(LocalisedCommands())

    def mention(self, path: str) -> str:
        """A slash command as Discord lets people click it; its name alone while Discord has not told its id."""
        command_id = self._command_ids.get(path.partition(" ")[0])
        return f"`/{path}`" if command_id is None else f"</{path}:{command_id}>"

    @property
    def waiting(self) -> int:
        """Questions that wait for their answers."""
        return sum(cog.waiting for cog in self._serving())

    @property
    def places_left(self) -> int:
        """Channels that are to be caught up with."""
        return sum(cog.places_left for cog in self._serving())

    def wants(self, data: Mapping[str, Any]) -> bool:
        """Whether a message of a bot's is to be received."""
        return any(cog.wants(data) for cog in self._serving())

    async def drain(self) -> None:
        """Accepts nothing more, and finishes what is in progress, within some seconds."""
        for cog in self._serving():
            await cog.drain()

    def _serving(self) -> Iterator[ServingCog]:
        return (cog for cog in self.cogs.values() if isinstance(cog, ServingCog))

    async def close(self) -> None:
        """Disconnects; no work for an event goes on, and no more requests are sent."""
        self._unreadable.stop()
        await self._end_events()
        await super().close()
        # Of what still came in meanwhile.
        await self._end_events()

    def _schedule_event(self, *args: Any, **kwargs: Any) -> asyncio.Task[None]:
        """Begins the work for an event; discord.py by itself lets it run on after the connection was closed."""
        task = super()._schedule_event(*args, **kwargs)
        self._events.add(task)
        task.add_done_callback(self._events.discard)
        return task

    async def _end_events(self) -> None:
        """Ends the work for every event, but for whoever calls."""
        ending = self._events - {asyncio.current_task()}
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)

    async def launch_shards(self) -> None:
        """Connect every shard; those Discord advises at the configured address too, where there is one."""
        settings = self.app.settings
        if settings.shard_count is None and settings.discord_gateway_url is not None:
            # Left to discord.py, the first connection goes to the address that comes with the advice.
            self.shard_count = await gateway.advised_shards(self)
        await super().launch_shards()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002 - the signature is discord.py's
        """Each IDENTIFY is counted against the day's."""
        await self._identifies.allowed(shard_id or 0)

    async def _may_identify(self, bucket: int) -> bool:
        """Whether no other process has sent one of this bucket lately; so too while the database is away."""
        name = f"{IDENTIFY_MARK}.{self.application_id}.{bucket}"
        try:
            return await self.app.marks.take(name, every=gateway.IDENTIFY_EVERY)
        except errors.DatabaseDown:
            return True

    async def on_message(self, message: discord.Message, /) -> None:
        """Nothing: the chat cog hears every message, commands among them."""

    async def on_ready(self) -> None:
        """Logs the connection."""
        self.ready.set()
        _log.info("discord.ready", guilds=len(self.guilds), shards=self.shard_count, user_id=self.user and self.user.id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Records the loss, once for all failed attempts; discord.py reconnects by itself."""
        if shard_id not in self._lost:
            self._lost.add(shard_id)
            _log.info("discord.disconnected", shard=shard_id)

    async def on_shard_connect(self, shard_id: int) -> None:
        """A session has begun; of a shard that was lost, anew."""
        self._found(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """A session goes on."""
        self._found(shard_id)

    def _found(self, shard_id: int) -> None:
        if shard_id in self._lost:
            self._lost.discard(shard_id)
            self.app.metrics.reconnected()
            _log.info("discord.reconnected", shard=shard_id)

    async def _sync_commands(self, translator: LocalisedCommands) -> None:
        """Uploads the commands when they or their translations changed, once over all processes.

        Discord limits it by the day.
        """
        await self.tree.set_translator(translator)
        told = [await command.get_translated_payload(self.tree, translator) for command in self.tree.get_commands()]
        wanted = f"{self.application_id}:{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()}"
        known, _, ids = (await self.app.marks.read(COMMANDS_MARK) or "").partition(" ")
        if known == wanted and ids:
            self._command_ids = json.loads(ids)
            return
        try:
            synced = await self.tree.sync()
        except discord.HTTPException as exc:
            _log.warning("discord.commands_not_synced", status=exc.status, code=exc.code)
            return
        self._command_ids = {command.name: command.id for command in synced}
        told_of = f"{wanted} {json.dumps(self._command_ids, ensure_ascii=False)}"
        await self.app.marks.write(COMMANDS_MARK, told_of, now=self.app.clock())
        _log.info("discord.commands_synced", commands=len(told))


def _shards(settings: Settings) -> dict[str, Any]:
    """Which shards discord.py is to run; all that Discord advises where none are named."""
    return {"shard_ids": [*settings.shard_ids] or None, "shard_count": settings.shard_count}


def _intents(*, message_content: bool) -> discord.Intents:
    return discord.Intents(
        guilds=True,
        guild_messages=True,
        dm_messages=True,
        guild_reactions=True,
        dm_reactions=True,
        emojis_and_stickers=True,
        message_content=message_content,
    )


def invite(application_id: int) -> str:
    """The address at which somebody adds Hathi to a guild with the permissions it needs, and no others."""
    return discord.utils.oauth_url(
        application_id, permissions=INVITE_PERMISSIONS, scopes=("bot", "applications.commands")
    )


async def serve(client: Client, token: str) -> None:
    """Stay connected until the client is closed.

    Raises `SettingsError` for what only the developer portal or the settings can mend, `DiscordDown` when Discord
    can't be reached at the start.
    """
    try:
        await client.start(token)
    except discord.LoginFailure as exc:
        raise errors.SettingsError(REFUSED) from exc
    except discord.PrivilegedIntentsRequired as exc:
        raise errors.SettingsError(f"Discord closed the connection (4014). {NO_CONTENT}") from exc
    except discord.ConnectionClosed as exc:
        if exc.code == 4004:
            raise errors.SettingsError(REFUSED) from exc
        raise errors.DiscordDown(f"Discord closed the connection for good ({exc.code}).") from exc
    except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, OSError) as exc:
        raise errors.DiscordDown("Discord can't be reached; is there a network, and is DISCORD_API_URL right?") from exc
    finally:
        if not client.is_closed():
            await client.close()
