"""Saves a message that somebody points at to have it remembered: an answer of Hathi's, or what anybody said."""

import time

import discord

from bot.app import App
from bot.commands import approvals
from bot.domain import Caller, Message, MessageId, Role, Saved
from bot.infra.ordering import Doors
from bot.store.spaces import Place
from cogs.access.callers import PATIENCE, Channel
from cogs.access.permissions import can_read
from cogs.chat.chat import Chat

Answer = tuple[Message, Message]
"""What Hathi said, and to what."""


class MarkedMessages:
    """Finds and saves such messages, with the rights of whoever points at them."""

    def __init__(self, app: App, chat: Chat, doors: Doors) -> None:
        self._app = app
        self._chat = chat
        self._doors = doors

    async def answer(self, caller: Caller, channel: Channel, message_id: MessageId) -> Answer | None:
        """The message with its question, where it is a recorded answer of Hathi's. Raises `DatabaseDown`."""

        async def recorded() -> Answer | None:
            return await self._app.database.keep_trying(
                lambda: self._app.librarian.reply(caller, message_id), within=PATIENCE
            )

        answer = await recorded()
        if answer is None:
            # It may be one that is not recorded yet, as it is shown while it is written.
            await self._chat.caught_up(channel)
            answer = await recorded()
        return answer

    async def save_answer(self, caller: Caller, answer: Answer) -> list[Saved]:
        """An answer of Hathi's, saved. Raises as `approvals.save` does."""
        save = approvals.save
        return [
            *await self._app.database.keep_trying(lambda: save(self._app.commands, caller, *answer), within=PATIENCE)
        ]

    async def save_said(
        self,
        caller: Caller,
        channel: Channel,
        place: Place,
        message_id: MessageId,
        me: discord.abc.User,
        *,
        given: discord.Message | None = None,
    ) -> list[Saved]:
        """What somebody said, saved; nothing of what is gone, may not be read or is not shown to Hathi.

        `given` is the message as Discord handed it over, by which it is shown also where Hathi can't read it. Raises as
        `approvals.save_said` does.
        """
        since = time.monotonic()
        if given is None and not can_read(channel):
            return []
        context = self._chat.context
        said = await context.pointed_at(caller, channel, place, message_id, me, given=given)
        if said is None or said.role is Role.HATHI or not said.content:
            return []
        # An edit or a deletion that Discord tells of from here on finds the memory.
        async with self._doors.through(channel.id):
            if not context.stands([message_id], since):
                return []
            save = approvals.save_said
            return [
                *await self._app.database.keep_trying(lambda: save(self._app.commands, caller, said), within=PATIENCE)
            ]
