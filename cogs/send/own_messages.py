"""Deletes messages of Hathi's that stand on Discord, one after the other."""

import asyncio
from datetime import timedelta
from enum import Enum, auto
from functools import partial
from typing import Final

import discord

from bot.connection.client import Client
from bot.domain import ChannelId
from bot.store.standing_replies import NotedReply
from cogs.send.discord_codes import UNKNOWN_MESSAGE
from cogs.send.message_requests import persistently

APART: Final = timedelta(seconds=0.3)
"""Between two messages: nobody else's answers wait for these."""
_REFUSALS: Final = frozenset({400, 403})
"""No access, or a thread that is closed."""


class Outcome(Enum):
    """What became of one message."""

    DELETED = auto()
    GONE = auto()
    """It stands no more, or another's stands under its id."""
    REFUSED = auto()


class OwnMessages:
    """Deletes them one at a time, and remembers the places where all others would fare as one did."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._closed = dict[ChannelId, Outcome]()

    async def delete(self, reply: NotedReply) -> Outcome:
        """Deletes one message. Raises as discord.py does, and `DiscordDown`."""
        if (outcome := self._closed.get(reply.place_id)) is not None:
            return outcome
        outcome = await self._delete(reply)
        await asyncio.sleep(APART.total_seconds())
        return outcome

    async def _delete(self, reply: NotedReply) -> Outcome:
        """It is looked at first: an import may have brought the number of somebody else's."""
        http, me = self._client.http, self._client.user
        assert me is not None
        try:
            found = await persistently(partial(http.get_message, reply.place_id, reply.message_id))
            if int(found["author"]["id"]) != me.id:
                return Outcome.GONE
            await persistently(partial(http.delete_message, reply.place_id, reply.message_id))
        except discord.NotFound as exc:
            if exc.code != UNKNOWN_MESSAGE:
                self._closed[reply.place_id] = Outcome.GONE
            return Outcome.GONE
        except discord.HTTPException as exc:
            if exc.status not in _REFUSALS:
                raise
            self._closed[reply.place_id] = Outcome.REFUSED
            return Outcome.REFUSED
        return Outcome.DELETED
