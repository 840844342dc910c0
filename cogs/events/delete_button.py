"""Deletes Hathi's own messages that tell of what somebody erased, when they press "Delete them" under the receipt."""

import asyncio
import contextlib
from collections import Counter
from datetime import timedelta
from enum import Enum, auto
from functools import partial
from typing import Any, Final

import aiohttp
import discord
from discord.ext import commands

from bot import catalogue, errors, log
from bot.connection.client import Client
from bot.domain import ChannelId, PersonId
from bot.store.standing_replies import NotedReply
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.commands.dispatch import Dispatcher
from cogs.send.discord_codes import UNKNOWN_MESSAGE
from cogs.send.message_requests import persistently
from cogs.tell.error_notices import ErrorNotices
from cogs.ui import button_kinds, message_edits
from cogs.ui.button_kinds import Button

_log = log.logger(__name__)

APART: Final = timedelta(seconds=0.3)
"""Between two messages: nobody else's answers wait for these."""
LONGEST: Final = timedelta(minutes=10)
"""How long one press goes on: after fifteen minutes Discord takes no answer to it any more."""
ERASERS_ALONE: Final = catalogue.later("Only who erased it can have those messages of mine deleted.")
AT_IT: Final = catalogue.later("I am deleting them already, and tell you when it is done.")
NONE_NOTED: Final = catalogue.later("I know of no such message any more; I note for two days where they stand.")
_REFUSALS: Final = frozenset({400, 403})
"""No access, or a thread that is closed."""
_NOBODY: Final = discord.AllowedMentions.none()


class Outcome(Enum):
    """What became of one message."""

    DELETED = auto()
    GONE = auto()
    """It stands no more, or another's stands under its id."""
    REFUSED = auto()


class DeleteButtonPresses(commands.Cog, name=button_kinds.DELETER):
    """Deletes one after the other, and tells at the end what became of them; pressed again it goes on."""

    def __init__(self, client: Client, callers: Callers, dispatcher: Dispatcher, notices: ErrorNotices) -> None:
        self._client = client
        self._personal_data = client.app.personal_data
        self._callers = callers
        self._dispatcher = dispatcher
        self._notices = notices
        self._at_it = set[PersonId]()

    async def pressed(self, button: Button, interaction: discord.Interaction[Any]) -> None:
        """Handles a press; what became of the messages, or an error, is told to the presser alone."""
        try:
            self._dispatcher.take(interaction)
            await interaction.response.defer()
            caller = self._callers.now(interaction.user, place_of(interaction))
            catalogue.speak((await self._callers.look(place_of(interaction))).language)
            self._dispatcher.count(caller)
            done = await self._asked(button, caller.person_id)
            left = await self._personal_data.count_standing(caller.person_id)
            if not left:
                # All are gone, whether or not the button is.
                with contextlib.suppress(discord.HTTPException):
                    message = await interaction.original_response()
                    edit = message_edits.edit(message, message_edits.swapped(message, button, None))
                    await interaction.edit_original_response(**edit)
            await interaction.followup.send(_told(done, left), ephemeral=True, allowed_mentions=_NOBODY)
        except Exception as exc:  # noqa: BLE001 - whatever it was, the presser gets one sentence
            await self._notices.tell(exc, interaction)

    async def _asked(self, button: Button, person_id: PersonId) -> Counter[Outcome]:
        """Deletes them once at a time, for whoever erased. Raises `NotAllowed`."""
        if button.number != person_id:
            raise errors.NotAllowed(ERASERS_ALONE)
        if person_id in self._at_it:
            raise errors.NotAllowed(AT_IT)
        self._at_it.add(person_id)
        try:
            return await self._delete_all(person_id)
        finally:
            self._at_it.discard(person_id)

    async def _delete_all(self, person_id: PersonId) -> Counter[Outcome]:
        """Deletes what is noted, until time is up, Hathi stops, or Discord refuses too much or can't be reached."""
        done, closed = Counter[Outcome](), dict[ChannelId, Outcome]()
        loop = asyncio.get_running_loop()
        until = loop.time() + LONGEST.total_seconds()
        async for reply in self._personal_data.standing(person_id):
            if loop.time() > until or self._dispatcher.is_stopping or self._client.refusals.are_many:
                break
            if (outcome := closed.get(reply.place_id)) is None:
                try:
                    outcome = await self._delete(reply, closed)
                except (discord.DiscordException, errors.DiscordDown, aiohttp.ClientError, OSError) as exc:
                    _log.warning("erasure.discord_failed", error=type(exc).__name__)
                    break
                await asyncio.sleep(APART.total_seconds())
            if outcome is not Outcome.REFUSED:
                await self._personal_data.stands_no_more(person_id, reply)
            done[outcome] += 1
        _log.info(
            "erasure.discord_deleted",
            deleted=done[Outcome.DELETED],
            gone=done[Outcome.GONE],
            refused=done[Outcome.REFUSED],
        )
        return done

    async def _delete(self, reply: NotedReply, closed: dict[ChannelId, Outcome]) -> Outcome:
        """Deletes one message; notes a place where all others would fare the same. Raises as discord.py does.

        It is looked at first: an import may have brought the number of somebody else's.
        """
        http, me = self._client.http, self._client.user
        assert me is not None
        try:
            found = await persistently(partial(http.get_message, reply.place_id, reply.message_id))
            if int(found["author"]["id"]) != me.id:
                return Outcome.GONE
            await persistently(partial(http.delete_message, reply.place_id, reply.message_id))
        except discord.NotFound as exc:
            if exc.code != UNKNOWN_MESSAGE:
                closed[reply.place_id] = Outcome.GONE
            return Outcome.GONE
        except discord.HTTPException as exc:
            if exc.status not in _REFUSALS:
                raise
            closed[reply.place_id] = Outcome.REFUSED
            return Outcome.REFUSED
        return Outcome.DELETED


def _told(done: Counter[Outcome], left: int) -> str:
    """What became of them, in a sentence; `left` is how many are still noted, those that were refused among them."""
    refused, gone = done[Outcome.REFUSED], done[Outcome.GONE]
    known = done.total() + left - refused
    if not known:
        return catalogue.gettext(NONE_NOTED)
    told = catalogue.ngettext(
        "Deleted {done} of {count} message of mine", "Deleted {done} of {count} messages of mine", known
    )
    parts = [told.format(done=done[Outcome.DELETED], count=known)]
    if gone:
        parts.append(catalogue.ngettext("{count} stood no more", "{count} stood no more", gone).format(count=gone))
    if refused:
        parts.append(catalogue.gettext("Discord did not let me delete {count}").format(count=refused))
    if left > refused:
        parts.append(catalogue.gettext("{count} still to go: press again to go on").format(count=left - refused))
    return "; ".join(parts) + "."
