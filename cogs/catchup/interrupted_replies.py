"""Completes the replies a dead worker left interrupted on Discord, and answers the questions it had not begun."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.connection.client import Client
from bot.domain import Caller, ChannelId, MessageId, SpaceId, Turn
from bot.store.turns import Unfinished
from bot.turn.recovery import Recovery, StandingReply
from cogs.access import threads
from cogs.access.callers import Callers, Channel
from cogs.access.name_directory import NameDirectory
from cogs.access.permissions import can_read
from cogs.catchup.channel_lookup import ChannelLookup
from cogs.chat.chat import Chat
from cogs.send.placeholders import PLACEHOLDERS, WAITS
from cogs.tell.error_notices import told_of_outage

REPLIES_WITHIN: Final = 500
"""Messages after a question or command among which its reply is looked for: it may have been given late."""
TOLD_WITHIN: Final = 100
"""The last messages of a channel among which it is looked for who was told to ask again."""


class InterruptedReplies:
    """Takes over the turns that dead workers left in Discord's channels."""

    def __init__(
        self, client: Client, callers: Callers, chat: Chat, channels: ChannelLookup, names: NameDirectory
    ) -> None:
        app = client.app
        self._client = client
        self._callers = callers
        self._chat = chat
        self._channels = channels
        self._names = names
        self._recovery = Recovery(
            app.turns,
            alone=app.alone,
            clock=app.clock,
            saved=app.archivist.saved_in_turn,
            spoken=app.personas.spoken,
            kept=app.personas.kept,
        )
        self._recovering: set[ChannelId] = set()

    async def recover(self, space_id: SpaceId, channel_id: ChannelId) -> None:
        """Takes over the turns left in a channel, unless that is being done or Discord does not serve the guild."""
        if channel_id in self._recovering or self._channels.is_away(space_id):
            return
        self._recovering.add(channel_id)
        try:
            found = await self._channels.find(space_id, channel_id)
            channel = None
            if found is not None:
                await self._names.learn(found)
                await self._callers.look(found)
                channel = _InterruptedChannel(
                    client=self._client, callers=self._callers, chat=self._chat, channel=found
                )
            await self._recovery.recover(space_id, channel_id, channel)
        finally:
            self._recovering.discard(channel_id)


@dataclass(slots=True, kw_only=True)
class _InterruptedChannel:
    """A Discord channel in which turns were left behind."""

    client: Client
    callers: Callers
    chat: Chat
    channel: Channel
    _told: frozenset[int] | None = None

    async def asker(self, left: Unfinished) -> Caller:
        """The person who asked, as far as the cache knows them."""
        return await self.callers.absent(left.asker_id, left.author or "", self.channel)

    async def standing(self, turn: Turn, left: Unfinished) -> StandingReply | None:
        """The reply's messages in the channel; a placeholder is deleted, but not in the place of an earlier reply."""
        # Where that can't be seen, the nonce keeps a second message from being made.
        found = await posted(self.channel, self.client.user, left.turn_id)
        if not found:
            return None
        reply = self.chat.streaming_reply(turn, self.channel, self.callers.seen(self.channel))
        reply.adopt(found)
        if len(found) == 1 and found[0].content in PLACEHOLDERS:
            if not turn.replaces:
                await reply.withdraw()
            return None

        async def complete(text: str, notes: Sequence[str]) -> Sequence[MessageId]:
            return await reply.finish(text, notes)

        sent = tuple(MessageId(message.id) for message in found)
        return StandingReply(text=found[0].content, message_ids=sent, complete=complete, withdraw=reply.withdraw)

    async def take_back_wait(self, left: Unfinished) -> None:
        """Deletes what told that the database was waited for, if that is all there is."""
        found = await posted(self.channel, self.client.user, left.turn_id)
        if len(found) == 1 and found[0].content in WAITS:
            with contextlib.suppress(discord.NotFound):
                await found[0].delete()

    async def question(self, turn: Turn) -> Turn | str:
        """The question as it was recorded, else as Discord has it."""
        turn_id = turn.message.message_id
        if self.chat.lets_be(turn_id) or turn_id in await self._told_to_ask_again():
            return "told"
        if not turn.unkept:
            return await self.chat.with_names(turn, self.channel)
        try:
            asked = await threads.asked_in(self.channel, turn_id).fetch_message(turn_id)
        except (discord.NotFound, discord.Forbidden):
            return "deleted"
        return self.chat.question(asked, turn.caller)

    async def show_kept(self, left: Unfinished, notes: Sequence[str]) -> None:
        """Does nothing: it stands in the channel."""

    async def list_expired(self, left: Unfinished) -> None:
        """Does nothing: nobody is reminded out of the blue of what they asked long ago."""

    async def answer(self, turn: Turn) -> None:
        """Answers in the background: the next channel does not wait for this one's model."""
        self.chat.answer_later(turn, self.channel)

    async def _told_to_ask_again(self) -> frozenset[int]:
        """The messages whose authors were told so lately; looked up once for all turns of the channel."""
        if self._told is None:
            latest = [m async for m in self.channel.history(limit=TOLD_WITHIN)] if can_read(self.channel) else ()
            self._told = frozenset(told_of_outage(latest, self.client.user))
        return self._told


async def posted(channel: Channel, me: discord.abc.User | None, message_id: MessageId) -> list[discord.Message]:
    """Hathi's own messages that answer a message, recognised by what they reply to, and what follows them.

    In a thread that was made from it the first ones reply to nothing. None where the history can't be read.
    """
    found = list[discord.Message]()
    if me is None or not can_read(channel):
        return found
    begins = threads.asked_in(channel, message_id) is not channel
    history = channel.history(after=discord.Object(message_id), limit=REPLIES_WITHIN, oldest_first=True)
    async for message in history:
        if message.author.id != me.id or message.type is discord.MessageType.thread_starter_message:
            continue
        refers = message.reference.message_id if message.reference else None
        # The further parts of a long answer refer to nothing and come right after its first.
        if refers == message_id or (refers is None and (found or begins)):
            found.append(message)
        elif found:
            break
    return found
