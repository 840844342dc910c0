"""Remembers a message that somebody marks with a 📌, or with the emoji that their server has chosen for it."""

import collections
from dataclasses import dataclass
from typing import Final

import aiohttp
import discord
from discord.ext import commands

from bot import errors, log
from bot.connection.client import Client
from bot.domain import Caller, MessageId, Saved, SpaceId
from bot.text import emoji
from cogs.access.callers import Callers, Channel
from cogs.access.permissions import can_react
from cogs.chat.chat import Chat
from cogs.chat.marked_messages import Answer, MarkedMessages
from cogs.commands.dispatch import Dispatcher
from cogs.tell.error_notices import ErrorNotices

_log = log.logger(__name__)

KEPT: Final = "\N{WHITE HEAVY CHECK MARK}"
"""Hathi's own reaction on a message that it remembers."""
NOT_KEPT: Final = "\N{NO ENTRY SIGN}"
"""And on one that can't be remembered."""
MOST_REFUSED: Final = 10_000
"""Messages that bear the latter, and get the former in its place once they can be; the oldest are let go."""

_FAILED: Final = (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pinned:
    """A message that was marked, by whom and where."""

    user: discord.abc.User
    channel: Channel
    message_id: MessageId
    is_own: bool | None
    """Whether Hathi said it; none where Discord does not tell."""


class PinReaction(commands.Cog):
    """Remembers what people mark, and confirms it by a reaction; taking the mark away forgets nothing."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        chat: Chat,
        dispatcher: Dispatcher,
        notices: ErrorNotices,
        marked: MarkedMessages,
    ) -> None:
        self._client = client
        self._callers = callers
        self._chat = chat
        self._dispatcher = dispatcher
        self._notices = notices
        self._marked = marked
        self._refused: collections.OrderedDict[MessageId, None] = collections.OrderedDict()

    @commands.Cog.listener()
    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Handles a reaction; most are ignored."""
        if payload.user_id == self._me.id:
            return
        try:
            pinned, answer = await self._pinned(payload), None
            if pinned is not None and pinned.is_own is not False:
                caller = self._callers.now(pinned.user, pinned.channel)
                answer = await self._marked.answer(caller, pinned.channel, pinned.message_id)
        except errors.DatabaseDown:
            _log.warning("approvals.database_down")
        except (errors.NotFound, *_FAILED) as exc:
            _log.info("approvals.place_unknown", error=type(exc).__name__)
        else:
            if pinned is not None and (answer is not None or not pinned.is_own):
                await self._keep(pinned, answer)

    async def _pinned(self, payload: discord.RawReactionActionEvent) -> _Pinned | None:
        """What was marked; none where the emoji means nothing, and for bots.

        Raises `DatabaseDown`, `NotFound`, and what Discord fails with.
        """
        # What a space has chosen is the same in all its channels; a place need not be looked for to know it.
        wanted = await self._callers.pin(SpaceId(payload.guild_id or payload.channel_id))
        if not wanted or emoji.key(str(payload.emoji)) != emoji.key(wanted):
            return None
        channel = await self._place(payload)
        user = payload.member or getattr(channel, "recipient", None)
        if channel is None or user is None or user.id != payload.user_id or user.bot:
            return None
        if self._callers.unserved(channel) is not None:
            return None
        author_id = payload.message_author_id
        return _Pinned(
            user=user,
            channel=channel,
            message_id=MessageId(payload.message_id),
            is_own=None if author_id is None else author_id == self._me.id,
        )

    async def _keep(self, pinned: _Pinned, answer: Answer | None) -> None:
        """Saves it and confirms it; nothing happens where the mode or somebody's wish forbids it, or it is gone."""
        channel = pinned.channel
        try:
            caller, place = await self._callers.of(pinned.user, channel)
            if not place.kept or caller.kept_out is not None:
                return
            self._dispatcher.count(caller)
            saved = await (
                self._marked.save_said(caller, channel, place, pinned.message_id, self._me)
                if answer is None
                else self._marked.save_answer(caller, answer)
            )
            if saved:
                await self._confirm(pinned, caller, [one for one in saved if not one.was_known])
        except (errors.NotAllowed, errors.NotFound) as exc:
            _log.info("approvals.not_kept", error=type(exc).__name__)
        except errors.TooOften as exc:
            if not exc.told:
                await self._refuse(pinned)
        except Exception as exc:  # noqa: BLE001 - whatever it was, whoever marked it sees that it is not kept
            self._notices.sentence(exc, channel)
            await self._refuse(pinned)

    async def _confirm(self, pinned: _Pinned, caller: Caller, fresh: list[Saved]) -> None:
        """Marks what is remembered; tells others whose words it holds, the first time in a space that somebody does so.

        Who marked it is told that they are remembered under the next answer to them: a mark is no message.
        """
        await self._react(pinned, KEPT)
        if pinned.message_id in self._refused:
            del self._refused[pinned.message_id]
            await self._react(pinned, NOT_KEPT, add=False)
        for one in fresh:
            await self._chat.author_notice.tell(one, caller, pinned.channel, once=True)

    async def _refuse(self, pinned: _Pinned) -> None:
        self._refused[pinned.message_id] = None
        if len(self._refused) > MOST_REFUSED:
            self._refused.popitem(last=False)
        await self._react(pinned, NOT_KEPT)

    async def _react(self, pinned: _Pinned, mark: str, *, add: bool = True) -> None:
        """Puts a mark of Hathi's on it or takes it away, if Discord lets it."""
        if not can_react(pinned.channel):
            return
        channel = self._client.get_partial_messageable(pinned.channel.id)
        message = channel.get_partial_message(pinned.message_id)
        try:
            await (message.add_reaction(mark) if add else message.remove_reaction(mark, self._me))
        except _FAILED as exc:
            _log.info("approvals.not_shown", error=type(exc).__name__, code=getattr(exc, "code", None))

    async def _place(self, payload: discord.RawReactionActionEvent) -> Channel | None:
        """Where it happened; none where Hathi can't talk. Raises what Discord fails with."""
        guild = self._client.get_guild(payload.guild_id) if payload.guild_id is not None else None
        found = guild.get_channel_or_thread(payload.channel_id) if guild else None
        if found is None:
            found = await self._client.fetch_channel(payload.channel_id)
        return found if isinstance(found, discord.abc.Messageable) else None

    @property
    def _me(self) -> discord.ClientUser:
        assert self._client.user is not None
        return self._client.user
