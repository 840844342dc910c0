"""Makes memory of the talk before a reset, when somebody who may reset presses "Include the talk here"."""

import contextlib
import itertools
import time
from collections.abc import Generator, Iterable, Mapping
from functools import partial
from typing import Any, Final

import discord
from discord.ext import commands

from bot import catalogue, errors
from bot.commands.including import MOST
from bot.connection import unreadable_events
from bot.connection.client import Client
from bot.domain import Caller, Message, MessageId, PersonId, Role, Saved, SessionId
from bot.store.namesakes import NAMESAKE
from bot.store.turns import HATHI
from bot.store.unstored import TalkSpan
from cogs.access import classify
from cogs.access.callers import Callers, Channel
from cogs.access.name_directory import NameDirectory
from cogs.access.permissions import can_read, own_member, place_of
from cogs.chat.chat import Chat
from cogs.chat.recent_messages import RecentMessages
from cogs.commands.presses import Presses
from cogs.send import reply_reference
from cogs.send.request_pace import RequestPace
from cogs.tell.error_notices import ErrorNotices, telling_what_is_done
from cogs.tell.overheard import MOST_PEOPLE
from cogs.ui import button_kinds, message_edits, reset_messages
from cogs.ui.button_kinds import Button, ExcludeButton

READING: Final = catalogue.later("I am reading what was said here; what came of it I tell in the channel.")
AT_IT: Final = catalogue.later("I am reading that talk already, and tell here when it is done.")
NO_HISTORY: Final = catalogue.later("I can't read what was said here: that takes the permission Read Message History.")
NO_INTENT: Final = catalogue.later(
    "Discord shows me only messages that mention me (the message-content intent is off), so I can't read the talk."
)
_NOBODY: Final = discord.AllowedMentions.none()

_Talk = Mapping[MessageId, discord.Message]
"""What people said to each other, by its ids, oldest first."""


class IncludeButtonPresses(commands.Cog, name=button_kinds.INCLUDER):
    """Reads the talk on Discord, once at a time, tells what came of it, and takes that back."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        chat: Chat,
        presses: Presses,
        notices: ErrorNotices,
        recent: RecentMessages,
        names: NameDirectory,
        pace: RequestPace,
    ) -> None:
        self._client = client
        self._app = client.app
        self._including = client.app.commands.including
        self._callers = callers
        self._chat = chat
        self._presses = presses
        self._notices = notices
        self._recent = recent
        self._names = names
        self._pace = pace
        self._at_it = set[SessionId]()

    async def pressed(self, button: Button, interaction: discord.Interaction[Any]) -> None:
        """Handles a press; an error is told to the presser alone."""
        await self._presses.carry_out(interaction, partial(self._decide, button, interaction))

    async def _decide(self, button: Button, interaction: discord.Interaction[Any], caller: Caller) -> None:
        session_id = SessionId(button.number)
        if isinstance(button, ExcludeButton):
            reply = await self._including.take_back(caller, session_id)
            with telling_what_is_done():
                edit = message_edits.edit(interaction.message, [], reply.text)
                await interaction.edit_original_response(**edit, allowed_mentions=_NOBODY)
            return
        span = await self._including.span(caller, session_id)
        with self._once(session_id):
            await self._include(caller, session_id, span, interaction, place_of(interaction))

    @contextlib.contextmanager
    def _once(self, session_id: SessionId) -> Generator[None]:
        """A block that runs once at a time for a session. Raises `NotAllowed`."""
        if session_id in self._at_it:
            raise errors.NotAllowed(AT_IT)
        self._at_it.add(session_id)
        try:
            yield
        finally:
            self._at_it.discard(session_id)

    async def _include(
        self, caller: Caller, session_id: SessionId, span: TalkSpan, interaction: discord.Interaction[Any], to: Channel
    ) -> None:
        if not self._client.intents.message_content:
            raise errors.NotAllowed(NO_INTENT)
        if not can_read(to):
            raise errors.NotAllowed(NO_HISTORY)
        await interaction.followup.send(catalogue.gettext(READING), ephemeral=True, allowed_mentions=_NOBODY)
        since, pressed = time.monotonic(), interaction.message
        assert pressed is not None
        talk, is_all = await self._read(to, span, until=min(span.until, pressed.id))

        def stands(ids: Iterable[MessageId]) -> bool:
            return not any(self._recent.changed_at(message_id) >= since for message_id in ids)

        said = [await self._said(message, caller) for message in talk.values()]
        told = [one for one in said if one.content]
        reply = await self._including.include(caller, session_id, told, stands, is_all=is_all)
        with telling_what_is_done():
            named = _named(reply.saved, talk)
            async with self._chat.consent_notice.naming(named) as untold:
                layout = reset_messages.included(reply, caller.prefix, untold)
                await self._tell(layout, interaction, to, pressed)

    async def _read(self, channel: Channel, span: TalkSpan, *, until: int) -> tuple[_Talk, bool]:
        """What people said to each other in the channel between two moments, of its last 500 messages then; if all.

        No command, nothing said to Hathi, and nothing from before it was there. Raises what Discord fails with.
        """
        me, place = self._client.user, await self._callers.look(channel)
        assert me is not None
        await self._names.learn(channel)
        here = None if channel.guild is None else own_member(channel.guild)
        joined = 0 if here is None or here.joined_at is None else discord.utils.time_snowflake(here.joined_at)
        after = max(span.after, joined)
        found, read = dict[MessageId, discord.Message](), 0
        await self._pace.turn()
        async for message in channel.history(
            limit=MOST, before=discord.Object(until), after=discord.Object(after), oldest_first=False
        ):
            is_talk = classify.is_persons(message) and message.interaction_metadata is None
            if is_talk and classify.hear(message, place, me).kind is classify.MessageKind.OVERHEARD:
                found[MessageId(message.id)] = message
            read += 1
            if read % unreadable_events.PAGE == 0:
                await self._pace.turn()
        return dict(reversed(found.items())), read < MOST

    async def _said(self, message: discord.Message, caller: Caller) -> Message:
        name = message.author.display_name
        return Message(
            space_id=caller.space_id,
            channel_id=caller.channel_id,
            message_id=MessageId(message.id),
            role=Role.PERSON,
            author_id=PersonId(message.author.id),
            # What is kept by Hathi's own name is Hathi's.
            author=NAMESAKE if name == HATHI else name,
            content=await self._chat.texts.to_record(message),
            said_at=message.created_at,
            reply_to=classify.replies_to(message),
        )

    async def _tell(
        self,
        layout: discord.ui.LayoutView,
        interaction: discord.Interaction[Any],
        channel: Channel,
        pressed: discord.Message,
    ) -> None:
        """Tells it in the channel, under what was pressed; through the interaction where that is closed to Hathi."""
        if self._notices.may_speak(channel):
            to = pressed.to_reference(fail_if_not_exists=False)
            await reply_reference.send(channel, None, to, view=layout)
        else:
            await interaction.followup.send(view=layout, allowed_mentions=_NOBODY)


def _named(saved: Iterable[Saved], talk: _Talk) -> dict[PersonId, str]:
    """Some of those who said what new memories were made of, by their names."""
    ids = (message_id for one in saved if not one.was_known for message_id in one.memory.evidence)
    authors = (talk[message_id].author for message_id in ids if message_id in talk)
    names = {PersonId(author.id): author.display_name for author in authors}
    return dict(itertools.islice(names.items(), MOST_PEOPLE))
