"""What tests of a Hathi on Discord share: a look at its database that every change wakes, and ways to part from it."""

import abc
import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

import asyncpg
import pytest
from discord.ext.commands.bot import BotBase

from bot.connection import gateway
from bot.domain import new_id
from tests import discord_bot
from tests.benchmarks import bots
from tests.conftest import cloned
from tests.discord_bot import World
from tests.discord_server.channels import Channel
from tests.discord_server.faults import Fault
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.server import DiscordServer
from tests.model_server import Reply

WITHIN: Final = timedelta(seconds=90)
"""How long anything is waited for; nothing takes that long but on a machine that is overloaded."""
TABLES: Final = ("turn", "message", "attachment", "channel", "memory", "job_run")
_TELL: Final = "CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NOTIFY changed; RETURN NULL; END$$"


@dataclass
class Rows:
    """A look at a database; nothing is polled: each commit tells of itself."""

    connection: asyncpg.Connection
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def changed(self, *_: object) -> None:
        """Look again."""
        self._news.set()

    async def all(self, query: str, *args: object) -> list[Any]:
        """The first column of every row."""
        return [row[0] for row in await self.connection.fetch(query, *args)]

    async def until(self, query: str, *args: object) -> None:
        """Return once the query gives true. Raises `TimeoutError`."""
        async with asyncio.timeout(WITHIN.total_seconds()):
            while True:
                self._news.clear()
                if await self.connection.fetchval(query, *args):
                    return
                await self._news.wait()

    async def state(self, *questions: Message, state: str = "answered") -> None:
        """Return once the turns of these questions are in a state."""
        ids = [question.message_id for question in questions]
        await self.until(
            "SELECT count(*) = cardinality($1::bigint[]) FROM turn WHERE turn_id = ANY ($1::bigint[]) AND state = $2",
            ids,
            state,
        )

    async def said(self, channel: Channel) -> list[str]:
        """What people said in a channel, as it is recorded, in order."""
        return await self.all(
            "SELECT content FROM message WHERE coalesce(place_id, channel_id) = $1 AND role = 'person' "
            "ORDER BY message_id",
            channel.channel_id,
        )

    async def replies(self, *questions: Message) -> list[tuple[str, bool]]:
        """The recorded replies to these questions, each with whether it is marked as cut off, in order."""
        found = await self.connection.fetch(
            "SELECT content, cut_off FROM message WHERE role = 'hathi' AND reply_to = ANY ($1::bigint[]) "
            "ORDER BY reply_to",
            [question.message_id for question in questions],
        )
        return [(row["content"], row["cut_off"]) for row in found]

    async def turns(self, *questions: Message) -> list[tuple[str, str | None]]:
        """How the turns of these questions ended, in their order; those that have none are left out."""
        found = await self.connection.fetch(
            "SELECT state, failure FROM turn WHERE turn_id = ANY ($1::bigint[]) ORDER BY turn_id",
            [question.message_id for question in questions],
        )
        return [(row["state"], row["failure"]) for row in found]

    async def caught_up(self, *channels: Channel) -> None:
        """Return once the last thing heard in each channel is the last thing a person has said there."""
        for channel in channels:
            last = [message.message_id for message in channel.messages if not message.author.bot][-1]
            await self.until(
                "SELECT last_message_id >= $2 FROM channel WHERE channel_id = $1", channel.channel_id, last
            )


@contextlib.asynccontextmanager
async def rows(dsn: str) -> AsyncGenerator[Rows]:
    """A look at the database, from now on."""
    connection = await asyncpg.connect(dsn)
    try:
        found = Rows(connection=connection)
        await connection.execute(_TELL)
        for table in TABLES:
            await connection.execute(
                f"CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON {table} EXECUTE FUNCTION tell()"
            )
        await connection.add_listener("changed", found.changed)
        yield found
    finally:
        await connection.close()


def process(world: World, dsn: str, **environment: str) -> bots.Bot:
    """A whole Hathi in a process of its own, that is not started yet."""
    return bots.process(
        bots.HATHI,
        discord=world.discord,
        model=world.model,
        guild=world.guild,
        channels=[world.channel],
        dsn=dsn,
        environment=environment,
    )


@contextlib.asynccontextmanager
async def started(*processes: bots.Bot) -> AsyncGenerator[None]:
    """The processes, started one after the other; whatever of them still runs at the end is killed."""
    try:
        for each in processes:
            await each.start()
        yield
    finally:
        for each in processes:
            if each.process is not None and each.process.returncode is None:
                await each.end(kill=True)


@dataclass
class HeldModel(abc.ABC):
    """A model that does not come to the end of some answers until it is let go."""

    killed: bool = False
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    @abc.abstractmethod
    def __call__(self, body: dict[str, Any]) -> Reply:
        """Answer a request."""

    def let_go(self) -> None:
        """Answer whole from now on, and end what is held."""
        self.killed = True
        self.gate.set()


@contextlib.asynccontextmanager
async def killed_and_started(
    server: str, model: HeldModel, until_to_kill: Callable[[World, Rows], Awaitable[dict[str, Message]]]
) -> AsyncGenerator[tuple[World, Rows, dict[str, Message]]]:
    """A Hathi killed once the questions have come as far as they shall, and another started that has answered them."""
    async with cloned(server) as dsn, rows(dsn) as seen, discord_bot.world(answer=model) as world:
        hathi = process(world, dsn)
        async with started(hathi):
            asked = await until_to_kill(world, seen)
            await hathi.end(kill=True)
        world.discord.faults.clear()
        model.let_go()
        async with started(process(world, dsn)):
            await seen.state(*asked.values())
            yield world, seen, asked


def prepare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one Hathi after another live in this process, without five seconds between two sessions."""
    unload = BotBase._call_module_finalizers

    async def unloaded(self: BotBase, lib: Any, key: str) -> None:
        # discord.py forgets the modules of what it unloads: the next Hathi's classes would be others than the test's.
        kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "cogs"}
        await unload(self, lib, key)
        sys.modules.update(kept)

    monkeypatch.setattr(BotBase, "_call_module_finalizers", unloaded)
    monkeypatch.setattr(gateway, "IDENTIFY_EVERY", timedelta(0))


def tell_of_faults(server: DiscordServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wake who waits on the server when a request meets a fault, and not only when it is answered."""
    plain = server.faults.met_by

    def met_by(method: str, path: str) -> tuple[timedelta, Fault | None]:
        asyncio.get_running_loop().call_soon(server.world.changes.tell)
        return plain(method, path)

    monkeypatch.setattr(server.faults, "met_by", met_by)


def long_ago(message: Message, ago: timedelta) -> Message:
    """The message as if it had been said so long before: under another id, in its place among the others."""
    channel = message.channel
    when = message.created_at - ago
    message.created_at = when
    channel.renumber(message, new_id(when))
    return message


def hidden() -> Overwrite:
    """What keeps somebody out of a channel."""
    return Overwrite(deny=Permission.VIEW_CHANNEL)


def seen() -> Overwrite:
    """What lets somebody into a channel."""
    return Overwrite(allow=Permission.VIEW_CHANNEL)


def texts(messages: Sequence[Message]) -> list[str]:
    """What each of them says now."""
    return [message.text for message in messages]


async def away(server: DiscordServer, *, code: int | None = None) -> None:
    """Close every connection, and let nobody in until `back`."""
    server.turn_away()
    server.drop(code=code)
    await server.until(lambda: not server.gateway.connections, within=WITHIN)
