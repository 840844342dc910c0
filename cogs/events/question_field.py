"""The form for a question, opened below the introduction: posts the question and has it answered."""

from typing import Any, Final

import discord
from discord.ext import commands

from bot import catalogue, errors
from bot.commands import who
from bot.connection.client import Client
from bot.domain import ChannelId, Message, MessageId, Role, Turn
from bot.infra.ordering import Doors
from bot.text.normalize import one_line
from cogs.access.callers import PATIENCE, Callers, Channel, shard_of
from cogs.access.name_directory import NameDirectory
from cogs.access.permissions import place_of
from cogs.chat.chat import Chat
from cogs.chat.gaps import Gaps
from cogs.commands.dispatch import TAKEN_WITHIN, Dispatcher
from cogs.tell.error_notices import ErrorNotices
from cogs.text import markup
from cogs.ui import button_kinds, buttons, forms

LONGEST: Final = 1_000
"""Characters of a question."""
_FORM: Final = "hathi:question"
_NOBODY: Final = discord.AllowedMentions.none()


class QuestionField(commands.Cog, name=button_kinds.ASKER):
    """Opens the form, posts the question in the channel, and has it answered."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        chat: Chat,
        dispatcher: Dispatcher,
        notices: ErrorNotices,
        doors: Doors,
        gaps: Gaps,
        names: NameDirectory,
    ) -> None:
        self._app = client.app
        self._callers = callers
        self._chat = chat
        self._dispatcher = dispatcher
        self._notices = notices
        self._doors = doors
        self._gaps = gaps
        self._names = names

    async def opened(self, interaction: discord.Interaction[Any]) -> None:
        """Shows the form; an error is told to the presser alone."""
        try:
            self._dispatcher.take(interaction)
            await interaction.response.send_modal(
                forms.form(
                    catalogue.gettext(buttons.ASK),
                    _FORM,
                    catalogue.gettext("Your question"),
                    longest=LONGEST,
                    style=discord.TextStyle.short,
                )
            )
        except Exception as exc:  # noqa: BLE001 - whatever it was, the presser gets one sentence
            await self._notices.tell(exc, interaction)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handles a submitted question, whenever the form was opened."""
        custom_id, text = forms.sent_in(interaction)
        if custom_id != _FORM:
            return
        try:
            self._dispatcher.take(interaction)
            channel = place_of(interaction)
            self._dispatcher.count(self._callers.now(interaction.user, channel))
            who.admit(await self._callers.kept_out(interaction.user, channel, within=TAKEN_WITHIN))
            asked = await self._said(interaction, channel, text)
            await self._answer(interaction.user, channel, asked, text)
        except Exception as exc:  # noqa: BLE001 - whatever it was, who asked gets one sentence
            await self._notices.tell(exc, interaction)

    async def _said(
        self, interaction: discord.Interaction[Any], channel: Channel, text: str
    ) -> discord.InteractionMessage:
        """What stands for the question in the channel. Raises `CannotSpeak` where it is known to go unanswered."""
        if not self._notices.may_speak(channel):
            raise errors.CannotSpeak
        told = catalogue.gettext("{name} asks:\n> {question}")
        words = told.format(name=interaction.user.mention, question=one_line(text))
        await interaction.response.send_message(words, allowed_mentions=_NOBODY)
        return await interaction.original_response()

    async def _answer(
        self, user: discord.abc.User, channel: Channel, asked: discord.InteractionMessage, text: str
    ) -> None:
        """Answer it as theirs; what Hathi has said for them in the channel stands for it."""
        async with self._doors.through(channel.id):
            caller, _ = await self._callers.of(user, channel)
            await self._names.learn(channel)
            said = Message(
                space_id=caller.space_id,
                channel_id=caller.channel_id,
                message_id=MessageId(asked.id),
                role=Role.PERSON,
                author_id=caller.person_id,
                author=caller.name,
                content=markup.readable(text.strip(), self._names.of(channel)),
                marked=markup.names(text, self._names.of(channel)),
                said_at=asked.created_at,
            )
            behind = self._gaps.is_behind(shard_of(channel), caller.space_id, ChannelId(channel.id))
            turn = await self._app.database.keep_trying(
                lambda: self._app.conversation.record(Turn(caller=caller, message=said), behind=behind), within=PATIENCE
            )
        if turn is not None:
            await self._chat.answer(turn, channel)
