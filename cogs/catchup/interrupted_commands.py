"""Does, or tells of, the commands that a dead worker left before they were answered.

| of the command | it was | so |
|---|---|---|
| an answer stands on Discord | of any kind | it is closed |
| it took effect | of any kind | its giver is told so |
| it did nothing yet | typed, at most ten minutes ago, and can be read again | it is done |
| it did nothing yet | of any other kind | its giver is told so |
"""

import asyncio
import contextlib
from typing import Final

import discord
from discord.http import Route

from bot import catalogue, log
from bot.connection.client import Client
from bot.domain import ChannelId, SpaceId
from bot.infra.ordering import Doors
from bot.store.commands_in_hand import LeftCommand
from bot.store.turns import ANSWER_WITHIN
from cogs.access import classify
from cogs.access.callers import Callers, Channel
from cogs.access.permissions import can_read
from cogs.catchup.channel_lookup import ChannelLookup
from cogs.catchup.interrupted_replies import posted
from cogs.commands.dispatch import Dispatcher
from cogs.send import reply_reference
from cogs.tell.error_notices import ErrorNotices

_log = log.logger(__name__)

NOT_DONE: Final = catalogue.later("I had to restart before I did this; please give it again.")
DONE: Final = catalogue.later("This was done, but I had to restart before I could say so.")
_LOADING: Final = discord.MessageFlags(loading=True).value
_ORIGINAL: Final = "/webhooks/{application_id}/{{webhook_token}}/messages/@original"
_EXPIRED: Final = frozenset({401, 403, 404})
"""How Discord refuses an interaction that is too old, or was never announced: its user has seen that it failed."""


class InterruptedCommands:
    """Takes over the commands that dead workers left in Discord's channels."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        dispatcher: Dispatcher,
        notices: ErrorNotices,
        doors: Doors,
        channels: ChannelLookup,
    ) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._dispatcher = dispatcher
        self._notices = notices
        self._doors = doors
        self._channels = channels

    async def recover(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Does what the module's table says, oldest first. Raises as Discord does: then it is looked at again."""
        if self._channels.is_away(space_id):
            return
        in_hand = self._app.commands_in_hand
        found = await in_hand.left_behind(space_id, channel_id, alone=self._app.alone)
        place = await self._app.spaces.place(space_id, channel_id) if found else None
        catalogue.speak(self._app.settings.language if place is None else place.language)
        for left in found:
            _log.info("command.taken_over", channel_id=channel_id, typed=left.token is None, done=left.is_done)
            if left.token is not None:
                await self._tell_user(left, left.token)
            elif (channel := await self._channels.find(space_id, channel_id)) is not None:
                await self._settle(left, channel)
            await in_hand.answered(space_id, left.command_id)

    async def _settle(self, left: LeftCommand, channel: Channel) -> None:
        if await posted(channel, self._client.user, left.command_id):
            return
        if not left.is_done and self._app.clock() - left.taken_at < ANSWER_WITHIN and can_read(channel):
            try:
                message = await channel.fetch_message(left.command_id)
            except discord.NotFound:
                # Whoever gave it has deleted it.
                return
            if await self._is_done_again(message, channel):
                return
        if self._notices.may_speak(channel):
            # Where Discord takes no word there is nobody to tell.
            with contextlib.suppress(discord.Forbidden):
                to = discord.MessageReference(
                    message_id=left.command_id,
                    channel_id=channel.id,
                    guild_id=channel.guild and channel.guild.id,
                    fail_if_not_exists=False,
                )
                await reply_reference.send(channel, catalogue.gettext(DONE if left.is_done else NOT_DONE), to)

    async def _is_done_again(self, message: discord.Message, channel: Channel) -> bool:
        """Carries a command out that was read again; false where it is none any more."""
        assert self._client.user is not None
        heard = classify.hear(message, await self._callers.look(channel), self._client.user)
        if not heard.command:
            return False
        if channel.guild is not None and not isinstance(message.author, discord.Member):
            # Discord tells of nobody's rights in a history.
            with contextlib.suppress(discord.NotFound):
                message.author = await channel.guild.fetch_member(message.author.id)
        async with self._doors.through(channel.id):
            # A task of its own: a shutdown waits for it.
            await asyncio.create_task(self._dispatcher.invoke(message, heard.command, heard.line, again=True))
        return True

    async def _tell_user(self, left: LeftCommand, token: str) -> None:
        """Tells of a slash command where its user waits for an answer."""
        http, words = self._client.http, {"content": catalogue.gettext(DONE if left.is_done else NOT_DONE)}
        place = _ORIGINAL.format(application_id=self._client.application_id)
        try:
            original = await http.request(Route("GET", place, webhook_token=token))
            if original["flags"] & _LOADING:
                await http.request(Route("PATCH", place, webhook_token=token), json=words)
        except discord.HTTPException as exc:
            if exc.status not in _EXPIRED:
                raise
