"""Takes back, or words anew, Hathi's messages on Discord that say what was deleted, edited or forgotten."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import aiohttp
import discord
from discord.ext import commands, tasks

from bot import catalogue, errors, log
from bot.connection.client import Client
from bot.domain import Memory, Saved, SpaceId
from bot.presentation import render
from bot.store.standing_replies import NotedReply
from cogs.send.message_requests import persistently
from cogs.send.own_messages import Outcome, OwnMessages

_log = log.logger(__name__)

LOOK_EVERY: Final = 60
"""Seconds between two looks for what nothing told of: what undo has run out for, and what was left at a stop."""
DIRECT: Final = 1_000
DIRECT_SINCE: Final = timedelta(days=7)
"""Direct messages that are looked after, those used last; what stands there is noted for two days."""
_NOBODY: Final = discord.AllowedMentions.none()
_FAILED: Final = (discord.DiscordException, errors.HathiError, aiohttp.ClientError, OSError)


class Withdrawals(commands.Cog):
    """Does so as soon as something is taken back, and each minute."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._app = client.app
        self._looking = asyncio.Lock()

    async def cog_load(self) -> None:
        """Starts the periodic look."""
        self.look.start()

    async def cog_unload(self) -> None:
        """Stops it."""
        self.look.cancel()

    @commands.Cog.listener()
    async def on_taken_back(self, space_id: SpaceId) -> None:
        """Looks after a space in which something was just deleted or edited."""
        await self._look([space_id])

    @tasks.loop(seconds=LOOK_EVERY)
    async def look(self) -> None:
        """Looks after all spaces of this process."""
        if self._client.ready.is_set():
            guilds = [SpaceId(guild.id) for guild in self._client.guilds]
            await self._look(guilds, with_direct=0 in self._client.shards)

    async def _look(self, spaces: list[SpaceId], *, with_direct: bool = False) -> None:
        # One after the other: what the one look has seen to, the next does not find.
        async with self._looking:
            try:
                if with_direct:
                    since = self._app.clock() - DIRECT_SINCE
                    spaces = [*spaces, *await self._app.spaces.direct(since=since, limit=DIRECT)]
                await self._see_to(spaces)
            except _FAILED as exc:
                _log.warning("withdrawal.failed", error=type(exc).__name__, code=getattr(exc, "code", None))

    async def _see_to(self, spaces: list[SpaceId]) -> None:
        own = OwnMessages(self._client)
        async for reply in self._app.telling_messages.standing(spaces):
            if self._client.refusals.are_many:
                return
            left = await self._app.telling_messages.left(reply)
            if left and await self._reworded(reply, left):
                outcome = Outcome.GONE
            else:
                outcome = await own.delete(reply)
            if outcome is not Outcome.REFUSED:
                await self._app.telling_messages.tells_no_more(reply)

    async def _reworded(self, reply: NotedReply, left: Sequence[Memory]) -> bool:
        """Has a confirmation say what is kept by now, in place; false where Discord refuses that."""
        place = await self._app.spaces.place(reply.space_id, reply.place_id)
        catalogue.speak(self._app.settings.language if place is None else place.language)
        text = render.kept([Saved(memory=memory, was_known=False) for memory in left])
        message = self._client.get_partial_messageable(reply.place_id)
        try:
            found = await persistently(lambda: message.fetch_message(reply.message_id))
            await persistently(lambda: found.edit(content=text, allowed_mentions=_NOBODY))
        except (discord.NotFound, discord.Forbidden):
            return False
        return True
