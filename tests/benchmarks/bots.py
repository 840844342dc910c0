"""Bots in processes of their own, on a loopback Discord and a scripted model that this process plays."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

import psutil

from tests.benchmarks import servers
from tests.discord_server.channels import Channel
from tests.discord_server.guilds import Guild
from tests.discord_server.messages import Message
from tests.discord_server.server import DiscordServer
from tests.discord_server.users import User
from tests.model_server import ModelServer, Reply, Script

START_WITHIN: Final = timedelta(seconds=60)
STOP_WITHIN: Final = 40.0
HATHI: Final = ("-m", "bot", "run")
FLOOR: Final = ("-m", "tests.benchmarks.floor_bot")
_MB: Final = 2**20
_OURS: Final = ("HATHI_", "LLM_", "DISCORD_", "DATABASE_URL", "SHARD_")


@dataclass
class Bot:
    """One running bot, and the world it lives in."""

    words: tuple[str, ...]
    environment: dict[str, str]
    discord: DiscordServer
    model: ModelServer
    guild: Guild
    channels: list[Channel]
    process: asyncio.subprocess.Process | None = None
    people: dict[int, User] = field(default_factory=dict[int, User])

    async def start(self) -> None:
        """Start its process, and return when Discord has seen it come."""
        before = self.discord.identifies
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *self.words,
            cwd=servers.ROOT,
            env=self.environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=None if os.environ.get("HATHI_BENCHMARK_LOG") else asyncio.subprocess.DEVNULL,
        )
        await self.discord.until(lambda: self.discord.identifies > before, within=START_WITHIN)

    async def end(self, *, kill: bool = False) -> int | None:
        """Its exit code, after SIGTERM or SIGKILL."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            self.process.kill() if kill else self.process.terminate()
        try:
            return await asyncio.wait_for(self.process.wait(), STOP_WITHIN)
        except TimeoutError:
            self.process.kill()
            return await self.process.wait()

    @property
    def rss(self) -> float:
        """Resident memory of the bot's process, in MB."""
        assert self.process is not None
        return psutil.Process(self.process.pid).memory_info().rss / _MB

    @property
    def cpu(self) -> float:
        """Seconds of the processor that the bot's process has taken so far, with its children's."""
        assert self.process is not None
        return servers.cpu(psutil.Process(self.process.pid))

    def person(self, number: int) -> User:
        """One of the guild's people."""
        if number not in self.people:
            self.people[number] = self.discord.user(f"Person {number}")
            self.guild.join(self.people[number])
        return self.people[number]

    async def ask(self, channel: Channel, text: str, by: int = 0) -> Message:
        """A question to the bot."""
        return await self.person(by).say(channel, text, mentions=[self.discord.bot])

    def reply_to(self, question: Message) -> Message | None:
        """The bot's first message that answers a question."""
        return next(iter(self.replies(question.channel, {question.message_id}).get(question.message_id, [])), None)

    def replies(self, channel: Channel, questions: Iterable[int]) -> dict[int, list[Message]]:
        """The bot's messages that refer to each of these questions."""
        wanted, found = set(questions), dict[int, list[Message]]()
        for message in channel.messages:
            to = int(message.reference["message_id"]) if message.reference else 0
            if message.author is self.discord.bot and to in wanted:
                found.setdefault(to, []).append(message)
        return found


def process(
    words: tuple[str, ...],
    *,
    discord: DiscordServer,
    model: ModelServer,
    guild: Guild,
    channels: list[Channel],
    dsn: str | None,
    environment: dict[str, str] | None = None,
) -> Bot:
    """A bot that is not started yet, in an environment without settings of Hathi's but these."""
    return Bot(
        words=words,
        environment={
            **{name: value for name, value in os.environ.items() if not name.startswith(_OURS)},
            "DISCORD_TOKEN": discord.token,
            "DISCORD_API_URL": discord.api_url,
            "DISCORD_GATEWAY_URL": discord.gateway_url,
            "LLM_BASE_URL": model.base_url,
            "LLM_MODEL": "scripted",
            **({"DATABASE_URL": dsn} if dsn else {}),
            **(environment or {}),
        },
        discord=discord,
        model=model,
        guild=guild,
        channels=channels,
    )


@contextlib.asynccontextmanager
async def bot(
    words: tuple[str, ...],
    *,
    dsn: str | None,
    channels: int,
    answer: Reply | Script,
    environment: dict[str, str] | None = None,
    before: Callable[[Bot], Awaitable[None]] | None = None,
    **discord: Any,
) -> AsyncGenerator[Bot]:
    """A bot that is ready, in a guild with so many channels; ended with the block. `before` comes before its start."""
    async with DiscordServer.started(**discord) as server, ModelServer(always=answer) as model:
        guild = server.guild("Benchmark")
        made = process(
            words,
            discord=server,
            model=model,
            guild=guild,
            channels=[guild.text_channel(f"room-{n}") for n in range(channels)],
            dsn=dsn,
            environment=environment,
        )
        if before is not None:
            await before(made)
        await made.start()
        try:
            # A first question, so that nothing measured pays for what is loaded once.
            first = await made.ask(made.channels[0], "Are you there?")
            await server.until(lambda: made.reply_to(first), within=START_WITHIN)
            yield made
        finally:
            if made.process is not None and made.process.returncode is None:
                await made.end()
