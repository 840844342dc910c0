"""Has a question answered anew, when whoever asked presses "Regenerate" under the last answer of a channel."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord
from discord.ext import commands

from bot import errors
from bot.commands import who
from bot.connection.client import Client
from bot.domain import Caller, MemoryId, MessageId, Turn
from bot.infra.ordering import Doors
from bot.presentation import render
from bot.store import replacements
from cogs.access import threads
from cogs.access.callers import Channel
from cogs.access.permissions import place_of
from cogs.chat.chat import Chat
from cogs.commands.presses import Presses
from cogs.tell.error_notices import ErrorNotices
from cogs.ui import button_kinds, message_edits
from cogs.ui.button_kinds import Button

_NOBODY: Final = discord.AllowedMentions.none()


class ReplaceAnswerPresses(commands.Cog, name=button_kinds.REPLACER):
    """Takes the old answer back and has the new one written into its messages; a button that came too late goes."""

    def __init__(self, client: Client, chat: Chat, presses: Presses, notices: ErrorNotices, doors: Doors) -> None:
        self._app = client.app
        self._chat = chat
        self._presses = presses
        self._notices = notices
        self._doors = doors

    async def pressed(self, button: Button, interaction: discord.Interaction[Any]) -> None:
        """Handles a press; an error is told to the presser alone."""
        await self._presses.carry_out(interaction, partial(self._again, button, interaction))

    async def _again(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        channel, turn_id = place_of(interaction), MessageId(button.number)
        try:
            turn, stays = await self._taken_back(channel, caller, turn_id)
        except errors.NotFound:
            await message_edits.without(interaction, button)
            raise
        # In the background: a press is over when it has taken effect, and the answer is left to the next start.
        self._app.background.spawn(self._answer(turn, channel, interaction, caller))
        if stays:
            await interaction.followup.send(render.stays(stays), ephemeral=True, allowed_mentions=_NOBODY)

    async def _taken_back(
        self, channel: Channel, caller: Caller, turn_id: MessageId
    ) -> tuple[Turn, Sequence[MemoryId]]:
        """The question to be answered anew, and what stays of the old answer.

        Raises as `Replacements.look` does, and `CannotSpeak` and `NotAnswered` as for a question.
        """
        found = await self._app.replacements.look(caller, turn_id)
        who.admit(caller.kept_out)
        if not self._notices.may_speak(channel):
            raise errors.CannotSpeak
        asked = None if found.message.content else await self._as_it_stands(found, channel)
        async with self._doors.through(channel.id):
            done = await self._app.replacements.begin(caller, turn_id, now=self._app.clock())
        if asked is None:
            turn = await self._chat.with_names(done.turn, channel)
        else:
            turn = replace(done.turn, message=replace(asked.message, session_id=done.turn.message.session_id))
        return turn, done.stays

    async def _as_it_stands(self, turn: Turn, channel: Channel) -> Turn:
        """The turn with its question as Discord has it, where that is kept nowhere. Raises `NotFound`."""
        turn_id = turn.message.message_id
        try:
            asked = await threads.asked_in(channel, turn_id).fetch_message(turn_id)
        except (discord.NotFound, discord.Forbidden) as exc:
            raise errors.NotFound(replacements.NOT_KEPT) from exc
        return self._chat.question(asked, turn.caller)

    async def _answer(
        self, turn: Turn, channel: Channel, interaction: discord.Interaction[Any], caller: Caller
    ) -> None:
        try:
            await self._chat.answer(turn, channel)
        except Exception as exc:  # noqa: BLE001 - whatever it was, whoever pressed gets one sentence
            await self._notices.tell(exc, interaction, prefix=caller.prefix)
