"""Keeps an answer of Hathi's that somebody marks with a 📌."""

import collections
import contextlib
from collections.abc import Sequence
from typing import Final

import aiohttp
import discord
from discord.ext import commands

from bot import errors, log
from bot.commands import approvals
from bot.connection.client import Client
from bot.domain import Caller, Message, MessageId
from bot.presentation import both_sides, render
from cogs.access.callers import PATIENCE, Callers, Channel
from cogs.chat.chat import Chat
from cogs.commands.dispatch import Dispatcher
from cogs.send import reply_reference
from cogs.tell.consent_notice import ConsentNotice
from cogs.tell.error_notices import ErrorNotices

_log = log.logger(__name__)

PIN: Final = "\N{PUSHPIN}"
MOST_REFUSED: Final = 10_000
"""Answers of which it was said that they can't be kept, and is not said again; the oldest are let go."""

_Answer = tuple[Message, Message]
"""What Hathi said, and to what."""


class PinReaction(commands.Cog):
    """Keeps what people mark with a 📌, and confirms it once; removing the 📌 forgets nothing."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        chat: Chat,
        dispatcher: Dispatcher,
        notices: ErrorNotices,
        consent_notice: ConsentNotice,
    ) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._chat = chat
        self._dispatcher = dispatcher
        self._notices = notices
        self._consent_notice = consent_notice
        self._refused: collections.OrderedDict[MessageId, None] = collections.OrderedDict()

    @commands.Cog.listener()
    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Handles a reaction; most are ignored."""
        me = self._client.user
        if str(payload.emoji) != PIN or me is None or payload.user_id == me.id:
            return
        if payload.message_author_id not in {None, me.id}:
            return
        try:
            found = await self._pinned(payload)
        except errors.DatabaseDown:
            _log.warning("approvals.database_down")
            return
        except (errors.NotFound, discord.DiscordException, aiohttp.ClientError, OSError) as exc:
            _log.info("approvals.place_unknown", error=type(exc).__name__)
            return
        if found is not None:
            await self._keep(*found, MessageId(payload.message_id))

    async def _pinned(
        self, payload: discord.RawReactionActionEvent
    ) -> tuple[discord.abc.User, Channel, _Answer] | None:
        """Who marked which answer, and where; none for bots, and for what is no recorded answer of Hathi's.

        Raises `DatabaseDown`, `NotFound`, and what Discord fails with.
        """
        channel = await self._place(payload)
        user = payload.member or getattr(channel, "recipient", None)
        if channel is None or user is None or user.id != payload.user_id or user.bot:
            return None
        message_id, caller = MessageId(payload.message_id), self._callers.now(user, channel)
        answer = await self._answer(caller, message_id)
        if answer is None:
            # It may be one that is not recorded yet, as it is shown while it is written.
            await self._chat.caught_up(channel)
            answer = await self._answer(caller, message_id)
        return None if answer is None else (user, channel, answer)

    async def _answer(self, caller: Caller, message_id: MessageId) -> _Answer | None:
        return await self._app.database.keep_trying(
            lambda: self._app.librarian.reply(caller, message_id), within=PATIENCE
        )

    async def _keep(self, user: discord.abc.User, channel: Channel, answer: _Answer, pinned: MessageId) -> None:
        """Saves it, and confirms it where it is new; does nothing where mode or opt-out forbid it."""
        try:
            caller, _ = await self._callers.of(user, channel)
            self._dispatcher.count(caller)
            saved = await self._app.database.keep_trying(
                lambda: approvals.save(self._app.commands, caller, *answer), within=PATIENCE
            )
            fresh = [one for one in saved if not one.was_known]
            if fresh:
                told = [*map(render.saved_line, fresh), *both_sides.lines(fresh, caller)]
                await self._say(channel, pinned, told, self._consent_notice.telling(caller))
            for one in fresh:
                await self._chat.author_notice.tell(one, caller, channel)
        except (errors.NotAllowed, errors.NotFound) as exc:
            _log.info("approvals.not_kept", error=type(exc).__name__)
        except errors.RefusedText as exc:
            if self._is_first_refusal(answer[0].message_id):
                await self._say(channel, pinned, [str(exc)])
        except errors.TooOften as exc:
            if not exc.told:
                await self._say(channel, pinned, [str(exc)])
        except Exception as exc:  # noqa: BLE001 - whatever it was, whoever pinned it gets one sentence
            await self._say(channel, pinned, [self._notices.sentence(exc, channel)])

    async def _place(self, payload: discord.RawReactionActionEvent) -> Channel | None:
        """Where it happened; none where Hathi can't talk. Raises what Discord fails with."""
        guild = self._client.get_guild(payload.guild_id) if payload.guild_id is not None else None
        found = guild.get_channel_or_thread(payload.channel_id) if guild else None
        if found is None:
            found = await self._client.fetch_channel(payload.channel_id)
        return found if isinstance(found, discord.abc.Messageable) else None

    def _is_first_refusal(self, message_id: MessageId) -> bool:
        if message_id in self._refused:
            return False
        self._refused[message_id] = None
        if len(self._refused) > MOST_REFUSED:
            self._refused.popitem(last=False)
        return True

    async def _say(
        self,
        channel: Channel,
        pinned: MessageId,
        lines: Sequence[str],
        under: contextlib.AbstractAsyncContextManager[Sequence[str]] | None = None,
    ) -> None:
        """In reply to what was pinned, with what stands `under` it, if Discord lets it."""
        if not self._notices.may_speak(channel):
            _log.warning("approvals.not_told", error=errors.CannotSpeak.__name__)
            return
        reference = discord.MessageReference(message_id=pinned, channel_id=channel.id, fail_if_not_exists=False)
        try:
            async with under or contextlib.nullcontext(()) as more:
                await reply_reference.send(channel, "\n".join([*lines, *more]), reference)
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
            _log.warning("approvals.not_told", error=type(exc).__name__, code=getattr(exc, "code", None))
