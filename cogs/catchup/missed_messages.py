"""Backfills a channel after a gap: records missed messages, follows missed edits and deletions, answers questions."""

import contextlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import discord

from bot.connection import unreadable_events
from bot.connection.client import Client
from bot.domain import MessageId, new_id
from bot.store.turns import ANSWER_WITHIN
from cogs.access import classify, threads
from cogs.access.callers import Callers, Channel
from cogs.access.name_directory import NameDirectory
from cogs.access.permissions import can_read
from cogs.catchup.channel_lookup import ChannelLookup
from cogs.catchup.edits_and_deletions import EditsAndDeletions
from cogs.chat.chat import Chat
from cogs.chat.gaps import Gap, Gaps, Urgency
from cogs.send.placeholders import WAITS
from cogs.send.request_pace import RequestPace
from cogs.tell.error_notices import told_of_outage

LOOK_BACK: Final = timedelta(days=7)
MOST_MISSED: Final = 500
"""Messages of a channel that are looked at after a gap."""

_LAST: Final = MessageId(2**63 - 1)
"""Greater than the id of any message."""


class MissedMessages:
    """Compares a channel's history on Discord with what is recorded, and makes up for the difference."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        chat: Chat,
        changes: EditsAndDeletions,
        gaps: Gaps,
        channels: ChannelLookup,
        names: NameDirectory,
        pace: RequestPace,
    ) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._chat = chat
        self._changes = changes
        self._gaps = gaps
        self._channels = channels
        self._names = names
        self._pace = pace

    async def catch_up(self, gap: Gap) -> None:
        """Backfills the gap's channel and closes the gap; for a channel gone or unreadable only the latter.

        Where more was recorded than had to be read for what was missed, the gap stays open for the rest, unchanged.
        """
        if not self._gaps.is_open(gap):
            return None
        channel = await self._channels.find(gap.space_id, gap.channel_id, gap.origin_id)
        if channel is None or not can_read(channel):
            return self._gaps.close(gap)
        recorded = await self._recorded_until(gap)
        try:
            history = await self._history(gap, channel)
        except (discord.NotFound, discord.Forbidden) as exc:
            await self._channels.refused(exc, gap.space_id, gap.channel_id, gap.origin_id)
            return self._gaps.close(gap)
        said = [*await self._begun_by(channel), *history.messages]
        await self._names.learn(channel, filter(classify.is_persons, reversed(said)))
        missing = await self._changes.compare(
            gap.space_id, gap.channel_id, history.since, said, unread=history.unread, until=recorded
        )
        unrecorded = set(missing.unrecorded)
        missed = [m for m in said if m.id > gap.last_seen and m.id in unrecorded and classify.is_persons(m)]
        self._chat.let_be(told_of_outage(said, self._client.user))
        await self._take_back_waits(said, unrecorded)
        await self._take_in(missed, gap)
        if history.messages:
            await self._app.spaces.heard_until(gap.space_id, gap.channel_id, MessageId(said[-1].id))
        if history.goes_on and gap.urgency is not Urgency.NEWS_ELSEWHERE:
            return self._gaps.compare_later(gap)
        return self._gaps.close(gap)

    async def _begun_by(self, channel: Channel) -> list[discord.Message]:
        """The question a thread of Hathi's own was made from: it is recorded there, and stands in the thread's channel.

        Raises what Discord fails with, but where it is gone.
        """
        home = threads.asked_in(channel, channel.id)
        if home is channel or self._client.user is None or not threads.is_own(channel, self._client.user):
            return []
        try:
            return [await home.fetch_message(channel.id)]
        except discord.NotFound:
            return []

    async def _take_back_waits(self, said: list[discord.Message], unrecorded: set[MessageId]) -> None:
        """Deletes what told that the database was waited for, of questions that nobody took in: they are now."""
        for message in said:
            to = message.reference.message_id if message.reference else None
            is_wait = message.author == self._client.user and message.content in WAITS
            if is_wait and to is not None and to in unrecorded and self._chat.memory_waits.of(to) is None:
                with contextlib.suppress(discord.NotFound):
                    await message.delete()

    async def _take_in(self, missed: list[discord.Message], gap: Gap) -> None:
        """Records what was missed; of each person's questions from during the gap only the last is answered."""
        newest = {message.author.id: message.id for message in missed if await self._is_question(message)}
        lately = self._app.clock() - ANSWER_WITHIN
        for message in missed:
            waits = newest.get(message.author.id) == message.id or message.id > gap.began
            taken = await self._chat.catch(message, answered=waits and message.created_at > lately)
            if taken is not None:
                self._chat.answer_later(*taken)

    async def _recorded_until(self, gap: Gap) -> MessageId:
        """The newest recorded message of a channel: later ones must not look deleted."""
        since = MessageId(new_id(self._app.clock() - LOOK_BACK))
        found = await self._app.discord_edits.missed(gap.space_id, gap.channel_id, since, (), until_id=_LAST)
        return max(found.gone, default=since)

    async def _is_question(self, message: discord.Message) -> bool:
        assert self._client.user is not None
        place = await self._callers.look(message.channel)
        return classify.hear(message, place, self._client.user).kind is classify.MessageKind.QUESTION

    async def _history(self, gap: Gap, channel: Channel) -> "_History":
        """The channel's last 500 messages of the last seven days; where some were missed, the pages with those."""
        horizon, found, unread = self._app.clock() - LOOK_BACK, list[discord.Message](), list[MessageId]()
        is_cut = goes_on = False
        await self._pace.turn()
        async for message in unreadable_events.history(self._client, channel, MOST_MISSED):
            if message.created_at < horizon:
                break
            if isinstance(message, discord.Message):
                found.append(message)
            else:
                unread.append(MessageId(message.id))
            read = len(found) + len(unread)
            is_cut = read == MOST_MISSED
            if read % unreadable_events.PAGE == 0 and not is_cut:
                if gap.is_behind and message.id <= gap.last_seen:
                    is_cut = goes_on = True
                    break
                await self._pace.turn()
        oldest = min([*unread, *(MessageId(message.id) for message in found[-1:])], default=MessageId(0))
        since = oldest if is_cut else MessageId(new_id(horizon))
        return _History(messages=found[::-1], unread=unread, since=since, goes_on=goes_on)


@dataclass(frozen=True, slots=True, kw_only=True)
class _History:
    """What a channel's history shows."""

    messages: list[discord.Message]
    """Oldest first."""
    unread: list[MessageId]
    """Those that are there and can't be read."""
    since: MessageId
    """From where on this is all there is."""
    goes_on: bool
    """Whether more was not asked for, in which nothing was missed."""
