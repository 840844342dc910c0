"""Hathi's own client in this process, on a loopback Discord, a scripted model and a real database."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord
from discord import gateway as wire
from discord import shard
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import app
from bot.app import App
from bot.cli.service import COGS
from bot.config import Settings
from bot.connection import gateway, link_previews
from bot.connection.client import Client, serve
from bot.db.pool import Database
from bot.domain import MessageId, PersonId
from bot.lifecycle.summaries import SummaryDone
from bot.presentation import introduction
from cogs.chat.chat import Chat
from tests.conversations import roles
from tests.discord_server.channels import Channel
from tests.discord_server.guilds import Guild, Role
from tests.discord_server.messages import Message
from tests.discord_server.server import DiscordServer
from tests.discord_server.users import User
from tests.model_server import ModelServer, Reply, Script
from tests.waiting import WITHIN, eventually

_ANSWERING: Final = ("discord", "CommandTree")
"""How discord.py calls the tasks that answer an event, a press or a command."""
GUILDS_WITHIN: Final = 0.05
"""Seconds discord.py waits for one more guild before it says that it is ready; here they all come at once."""


@dataclass
class World:
    """A loopback Discord with one guild and one public channel in it, and the model that answers."""

    discord: DiscordServer
    model: ModelServer
    guild: Guild
    channel: Channel

    async def until(self, predicate: Callable[[], object]) -> None:
        """Return once it holds: looked at after every change on Discord and every request to the model."""
        await self.discord.until(predicate, within=WITHIN)

    def newcomer(self, name: str, *, held: Sequence[Role] = ()) -> User:
        """Somebody new in the guild, who has not been told yet that they are remembered."""
        user = self.discord.user(name)
        self.guild.join(user, roles=held)
        return user

    def replies(self, question: Message) -> list[Message]:
        """What Hathi said in reply to a message, oldest first."""
        said = question.channel.said_by(self.discord.bot)
        return [each for each in said if each.reference and int(each.reference["message_id"]) == question.message_id]

    @property
    def prompts(self) -> list[str]:
        """All that each request to the model said, oldest first."""
        return ["\n".join(str(part["content"]) for part in body["messages"]) for body in self.model.requests]


@dataclass
class DiscordBot:
    """Hathi, connected and ready, in its world."""

    world: World
    app: App
    client: Client

    @property
    def chat(self) -> Chat:
        found = self.client.get_cog("Chat")
        assert isinstance(found, Chat)
        return found

    @property
    def guild(self) -> Guild:
        return self.world.guild

    @property
    def channel(self) -> Channel:
        return self.world.channel

    @property
    def discord(self) -> DiscordServer:
        return self.world.discord

    @property
    def model(self) -> ModelServer:
        return self.world.model

    def person(self, name: str, *, held: Sequence[Role] = ()) -> User:
        """Somebody in the guild who knows already that they are remembered."""
        return self.knows(self.world.newcomer(name, held=held))

    def knows(self, user: User) -> User:
        """The user, who is taken to have been told that they are remembered."""
        self.chat.consent_notice.told[PersonId(user.user_id)] = None
        return user

    def notice(self, mode: str = "addressed", *, is_direct: bool = False) -> str:
        """What somebody is told who is remembered for the first time, in a channel of that mode."""
        return introduction.to_person(self.client.mention("privacy"), mode, is_direct=is_direct)

    def slow_lately(self) -> None:
        """Let answers have been slow, so that the next is shown as it grows."""
        for _ in range(3):
            self.chat.pace.answered(9.0)

    async def until(self, predicate: Callable[[], object]) -> None:
        """Return once it holds: looked at after every change on Discord and every request to the model."""
        await self.world.until(predicate)

    async def asks(self, user: User, channel: Channel, text: str) -> Message:
        """Hathi's whole reply to a question, by mention but in direct messages."""
        return await self.answer(await self.says_to_hathi(user, channel, text))

    async def says_to_hathi(self, user: User, channel: Channel, text: str) -> Message:
        """A message to Hathi, that is not waited for."""
        return await user.say(channel, text, mentions=() if channel.guild is None else [self.discord.bot])

    async def answer(self, question: Message) -> Message:
        """The first message of the whole reply to a question, recorded by then."""
        await self.until(lambda: self.world.replies(question))
        await self.answered(question)
        return self.world.replies(question)[0]

    async def answered(self, *questions: Message) -> None:
        """Return when nothing is done any more about these questions, each known to have been taken in."""
        asked = {MessageId(question.message_id) for question in questions}
        tasks = {answer.task for turn_id, answer in self.chat.answers.items() if turn_id in asked}
        if tasks:
            async with asyncio.timeout(WITHIN.total_seconds()):
                await asyncio.wait(tasks)

    async def settled(self) -> None:
        """Return when no answer is in the making, and no work in the background runs."""
        async with asyncio.timeout(WITHIN.total_seconds()):
            while self.chat.answers or self.app.background.tasks:
                await asyncio.wait({*self.app.background.tasks, *(each.task for each in self.chat.answers.values())})
                await asyncio.sleep(0)

    async def caught_up(self) -> None:
        """Return when every channel was caught up with since the last session began."""
        await eventually(lambda: self.chat.gaps.are_closed)

    async def stands(self, text: str, channel: Channel | None = None) -> Message:
        """The first of Hathi's messages in a channel that holds a text, once there is one."""

        def found() -> list[Message]:
            said = (channel or self.channel).said_by(self.discord.bot)
            return [message for message in said if text in message.text]

        await self.until(found)
        return found()[0]


@contextlib.asynccontextmanager
async def world(
    *, answer: Reply | Script | None = None, model: ModelServer | None = None, **server: Any
) -> AsyncGenerator[World]:
    """A world without Hathi; `server` are the settings of its Discord."""
    async with (
        DiscordServer.started(**server) as loopback,
        model or ModelServer(always=answer or Reply(text="Fine.")) as scripted,
    ):
        scripted.on_request = loopback.world.changes.tell
        guild = loopback.guild("Elephants")
        # Long enough ago that Hathi does not introduce itself there.
        guild.members[loopback.bot.user_id].joined_at = datetime(2020, 1, 1, tzinfo=UTC)
        yield World(discord=loopback, model=scripted, guild=guild, channel=guild.text_channel("general"))


@contextlib.asynccontextmanager
async def connected(
    place: World, database: Database, *, clock: Callable[[], datetime] | None = app.utc_now, **settings: Any
) -> AsyncGenerator[DiscordBot]:
    """Hathi in a world, ready; gone from it with the block, so that another may come."""
    clients: list[Client] = []

    async def announce(done: SummaryDone) -> None:
        for client in clients:
            client.dispatch("summary_done", done)

    given: dict[str, Any] = {
        "roles": roles(place.model.base_url),
        "discord_api_url": place.discord.api_url,
        "discord_gateway_url": place.discord.gateway_url,
        "shard_count": place.discord.gateway.shards,
    } | settings
    async with app.opened(Settings(**given), database, announce=announce, alone=False, clock=clock) as opened:
        with process_kept():
            client = Client(opened, COGS)
            clients.append(client)
            client._connection.guild_ready_timeout = GUILDS_WITHIN
            async with _served(client, place.discord.token):
                yield DiscordBot(world=place, app=opened, client=client)


@contextlib.asynccontextmanager
async def running(
    database: Database,
    *,
    answer: Reply | Script | None = None,
    clock: Callable[[], datetime] | None = app.utc_now,
    server: dict[str, Any] | None = None,
    **settings: Any,
) -> AsyncGenerator[DiscordBot]:
    """Hathi, ready, in a world of its own."""
    async with (
        world(answer=answer, **(server or {})) as place,
        connected(place, database, clock=clock, **settings) as found,
    ):
        yield found


@contextlib.asynccontextmanager
async def _served(client: Client, token: str) -> AsyncGenerator[None]:
    serving = asyncio.create_task(serve(client, token))
    ready = asyncio.create_task(client.ready.wait())
    try:
        await asyncio.wait({serving, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=WITHIN.total_seconds())
        if serving.done():
            # It ended before it was ready: say why.
            serving.result()
        assert ready.done()
        yield
    finally:
        ready.cancel()
        await client.close()
        # One that was never let in would try for ever.
        await asyncio.wait({serving}, timeout=1)
        serving.cancel()
        # With a process would end what answers an event or a command still.
        answering = [task for task in asyncio.all_tasks() if task.get_name().startswith(_ANSWERING)]
        for task in answering:
            task.cancel()
        await asyncio.gather(serving, ready, *answering, return_exceptions=True)


@contextlib.contextmanager
def process_kept() -> Generator[None]:
    """What Hathi sets in discord.py for its whole process is taken back, for the tests that come after.

    And discord.py's unloading of the cogs: their modules stay those that tests have imported.
    """
    base, address, beat = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, wire.KeepAliveHandler
    received = DiscordWebSocket.received_message
    pause = shard.ExponentialBackoff  # pyright: ignore[reportPrivateImportUsage]
    voice = discord.VoiceClient.warn_nacl, discord.VoiceClient.warn_dave
    modules = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in COGS}
    # One Hathi comes right after another.
    every, gateway.IDENTIFY_EVERY = gateway.IDENTIFY_EVERY, timedelta(0)  # pyright: ignore[reportConstantRedefinition]
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, wire.KeepAliveHandler = base, address, beat
        DiscordWebSocket.received_message = received
        link_previews.allow()
        shard.ExponentialBackoff = pause  # pyright: ignore[reportPrivateImportUsage]
        gateway.IDENTIFY_EVERY = every  # pyright: ignore[reportConstantRedefinition]
        discord.VoiceClient.warn_nacl, discord.VoiceClient.warn_dave = voice
        if "gateway" in vars(DiscordWebSocket):
            del DiscordWebSocket.gateway
        sys.modules.update(modules)
