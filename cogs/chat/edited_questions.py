"""Answers a question anew whose author has just changed it, into the messages of the old answer."""

import asyncio
import contextlib
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import discord

from bot import errors
from bot.connection.client import Client
from bot.domain import Caller, MessageId, Turn
from bot.infra.ordering import Doors
from bot.store.turns import ANSWER_WITHIN
from bot.text import normalize
from cogs.access import classify
from cogs.access.callers import Callers, Channel
from cogs.access.classify import Heard, MessageKind
from cogs.access.cooldowns import Cooldowns
from cogs.chat.chat import AskedHere, Chat
from cogs.commands.dispatch import Dispatcher
from cogs.tell.error_notices import ErrorNotices

EDITS: Final = 5
EDITS_IN: Final = timedelta(minutes=10)
"""How many edited questions of one person in a channel are answered anew; an edit beyond is only followed in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reworded:
    """A question whose old answer was taken back, and where it is answered."""

    turn: Turn
    channel: Channel


class EditedQuestions:
    """Takes the answers to edited questions back, and has new ones written, as "Regenerate" does."""

    def __init__(
        self, client: Client, callers: Callers, chat: Chat, dispatcher: Dispatcher, notices: ErrorNotices, doors: Doors
    ) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._chat = chat
        self._dispatcher = dispatcher
        self._notices = notices
        self._doors = doors
        self._cooldowns = Cooldowns(EDITS, EDITS_IN, clock=lambda: client.app.clock().timestamp())

    async def take_back(self, message: discord.Message) -> Reworded | None:
        """The question in its new words, whose answer, whole or half written, is taken back.

        None where it is none that this process answered within ten minutes, it says the same as before, anything was
        asked in its channel since, or its answer tells what was done. Raises `DatabaseDown`.
        """
        asked = self._chat.asked.get(MessageId(message.id))
        if asked is None or self._app.clock() - message.created_at > ANSWER_WITHIN:
            return None
        async with contextlib.AsyncExitStack() as stack:
            if asked.channel.id != message.channel.id:
                await stack.enter_async_context(self._doors.through(asked.channel.id))
            with contextlib.suppress(errors.UserError):
                return await self._taken_back(message, asked)
        return None

    def answer(self, reworded: Reworded, message: discord.Message) -> None:
        """Begins to answer it; whatever ends that its author is told."""
        self._app.background.spawn(self._answer(reworded, message))

    def look_again(self, message: discord.Message) -> None:
        """Begins to have the answer to a command that lists something follow the edit."""
        heard = self._heard(message)
        if heard.kind is MessageKind.COMMAND and self._app.clock() - message.created_at <= ANSWER_WITHIN:
            self._app.background.spawn(self._dispatcher.look_again(message, heard.command, heard.line))

    def _heard(self, message: discord.Message) -> Heard:
        assert self._client.user is not None
        return classify.hear(message, self._callers.seen(message.channel), self._client.user)

    async def _taken_back(self, message: discord.Message, asked: AskedHere) -> Reworded | None:
        """Raises `UserError` where it is not answered anew."""
        channel = asked.channel
        caller, _ = await self._callers.of(message.author, channel)
        if caller.kept_out is not None or not self._notices.may_speak(channel):
            return None
        if self._heard(message).kind is not MessageKind.QUESTION:
            return None
        said = self._chat.question(message, caller)
        normalize.sayable(said.message.content)
        if said.message.content == asked.text:
            return None
        await self._stop(caller, said.message.message_id)
        self._cooldowns.check(caller)
        done = await self._app.replacements.begin(
            caller, said.message.message_id, now=self._app.clock(), is_edited=True
        )
        as_said = replace(said.message, session_id=done.turn.message.session_id)
        return Reworded(turn=replace(done.turn, message=as_said, is_to_hathi=said.is_to_hathi), channel=channel)

    async def _stop(self, caller: Caller, turn_id: MessageId) -> None:
        """Ends what is being written in answer to it. Raises `NotFound` where its answer could not be replaced."""
        with contextlib.suppress(errors.NotAllowed):
            await self._app.replacements.look(caller, turn_id, is_edited=True)
            return
        answer = self._chat.answers.get(turn_id)
        if answer is not None:
            answer.delivery.stop(answer.task)
            await asyncio.wait({answer.task})

    async def _answer(self, reworded: Reworded, message: discord.Message) -> None:
        try:
            await self._chat.answer_patient(reworded.turn, reworded.channel, message)
        except Exception as exc:  # noqa: BLE001 - whatever it was, whoever asked gets one sentence
            await self._notices.tell(exc, message)
