"""The potters' server with the whole of Hathi in it, as it is when pictures are taken."""

import contextlib
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord
import simcord
from simcord.backend import serializers
from simcord.http import router

from bot.cli.service import COGS
from bot.db.pool import Database
from tests import conversations
from tests.cogs.simulated import Approved
from tests.conftest import Clock
from tests.conversations import Room
from tests.model_server import ModelServer
from tests.pictures import potters
from tests.pictures.potters import Told

WITHIN: Final = 60
"""Seconds in which whatever was set off must be over."""
RIGHTS: Final = {
    potters.FOUNDER: {"manage_guild": True, "manage_messages": True},
    potters.KEEPER: {"manage_messages": True},
    potters.POTTER: {},
    potters.NEWCOMER: {},
}
Shown = discord.Message | simcord.InteractionResult
"""What a picture is taken of: a message, or the answer to a command that one person sees."""


@dataclass
class Studio:
    """The server, its one channel, and its people by their names."""

    env: simcord.Env
    room: Room
    channel: simcord.ChannelHandle
    people: dict[str, simcord.MemberActor] = field(default_factory=dict[str, simcord.MemberActor])

    @property
    def client(self) -> discord.Client:
        """Hathi's own client."""
        return self.env.bot

    async def later(self, **units: float) -> None:
        """Let time pass, on Discord and for Hathi."""
        self.env.backend.advance_clock(timedelta(**units).total_seconds())
        self.room.clock.now = self.env.now()

    async def away(self, **units: float) -> None:
        """Let so much time pass that Hathi would have had much to do in it: it comes back when it is over."""
        await self.env.restart_bot(Approved(self.room.app, ()))
        await self.later(**units)
        await self.env.restart_bot(Approved(self.room.app, COGS))
        await self.settled()

    async def settled(self) -> None:
        """Return when nothing is in the making any more."""
        await self.room.app.background.settled(WITHIN)
        await self.env.settle()

    async def says(self, who: str, text: str, *, to_hathi: bool = True) -> discord.Message:
        """What Hathi said last after somebody said something."""
        assert self.client.user is not None
        await self.later(seconds=40)
        await self.people[who].send(self.channel, f"{self.client.user.mention} {text}" if to_hathi else text)
        await self.settled()
        return self.last

    async def told(self, what: Sequence[Told]) -> None:
        """Hathi is told these, each by its person."""
        for each in what:
            await self.says(each.by, each.text)

    async def gives(self, who: str, *names: str, **options: Any) -> simcord.InteractionResult:
        """The answer to the first of these commands that there is, by its slash form."""
        await self.later(seconds=40)
        known = self.people[who].available_commands(self.channel)
        name = next((name for name in names if name in known), None)
        if name is None:
            raise LookupError(f"None of {', '.join(names)} is among the commands: {', '.join(known)}.")
        result = await self.people[who].slash(self.channel, name, **options)
        await self.settled()
        return result

    @property
    def last(self) -> discord.Message:
        """The newest message of the channel."""
        found = self.channel.last_message
        assert found is not None
        return found


@contextlib.contextmanager
def _searchable() -> Generator[None]:
    """Discord's search, which simcord has not: the messages that hold every word, the newest first."""
    known = [*router._ROUTES["GET"]]

    def search(context: router.RequestContext) -> dict[str, Any]:
        words = dict(context.params)["content"].casefold().split()
        every = [said for place in context.backend.messages.values() for said in place.values()]
        found = [said for said in reversed(every) if all(word in said.content.casefold() for word in words)]
        told = [[serializers.message_payload(context.backend, said)] for said in found[:25]]
        return {"messages": told, "total_results": len(found), "doing_deep_historical_index": False}

    router.route("GET", "/guilds/{guild_id}/messages/search")(search)
    try:
        yield
    finally:
        router._ROUTES["GET"][:] = known


@contextlib.asynccontextmanager
async def opened(database: Database, clock: Clock) -> AsyncGenerator[Studio]:
    """The studio on the day on which Hathi came to it."""
    clock.now = datetime(2026, 1, 1, tzinfo=UTC)
    with _searchable():
        async with _opened(database, clock) as studio:
            yield studio


@contextlib.asynccontextmanager
async def _opened(database: Database, clock: Clock) -> AsyncGenerator[Studio]:
    async with (
        # A connection kept for the next request would be something to wait for.
        ModelServer(always=potters.model, hangs_up=True) as model,
        conversations.room(database, clock, shard_count=1, models=conversations.roles(model.base_url)) as room,
        # At first nobody who would introduce himself before there is a channel to do so in.
        simcord.run(Approved(room.app, ()), settle_timeout=WITHIN) as env,
    ):
        env.backend.bot_user.name = "Hathi"
        guild = env.create_guild(potters.GUILD)
        studio = Studio(env=env, room=room, channel=guild.create_text_channel(potters.CHANNEL))
        for name, given in RIGHTS.items():
            roles = [guild.create_role(name, permissions=discord.Permissions(**given))] if given else []
            user = env.create_user(name.lower(), global_name=name)
            studio.people[name] = guild.add_member(user, roles=roles)
        await studio.later(hours=18)
        await env.restart_bot(Approved(room.app, COGS))
        await studio.settled()
        yield studio
