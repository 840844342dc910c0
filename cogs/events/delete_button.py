"""Deletes Hathi's own messages that tell of what somebody erased, when they press "Delete them" under the receipt."""

import asyncio
import contextlib
from collections import Counter
from datetime import timedelta
from typing import Any, Final

import aiohttp
import discord
from discord.ext import commands

from bot import catalogue, errors, log
from bot.connection.client import Client
from bot.domain import PersonId
from cogs.access.callers import Callers
from cogs.access.permissions import place_of
from cogs.commands.dispatch import Dispatcher
from cogs.send.own_messages import Outcome, OwnMessages
from cogs.tell.error_notices import ErrorNotices
from cogs.ui import button_kinds, message_edits
from cogs.ui.button_kinds import Button

_log = log.logger(__name__)

LONGEST: Final = timedelta(minutes=10)
"""How long one press goes on: after fifteen minutes Discord takes no answer to it any more."""
ERASERS_ALONE: Final = catalogue.later("Only who erased it can have those messages of mine deleted.")
AT_IT: Final = catalogue.later("I am deleting them already, and tell you when it is done.")
NONE_NOTED: Final = catalogue.later("I know of no such message any more; I note for two days where they stand.")
_NOBODY: Final = discord.AllowedMentions.none()


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
        done, own = Counter[Outcome](), OwnMessages(self._client)
        loop = asyncio.get_running_loop()
        until = loop.time() + LONGEST.total_seconds()
        async for reply in self._personal_data.standing(person_id):
            if loop.time() > until or self._dispatcher.is_stopping or self._client.refusals.are_many:
                break
            try:
                outcome = await own.delete(reply)
            except (discord.DiscordException, errors.DiscordDown, aiohttp.ClientError, OSError) as exc:
                _log.warning("erasure.discord_failed", error=type(exc).__name__)
                break
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
