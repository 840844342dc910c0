"""Makes a thread of a question, to answer it there, where a server wants that."""

import asyncio
from datetime import timedelta
from typing import Final

import aiohttp
import discord

from bot import errors, log
from bot.commands.hello import CALLED
from bot.connection.client import Client
from bot.domain import Caller
from bot.language.requests import plain_requests, set_phrases
from bot.store.spaces import Place
from bot.text.normalize import one_line
from cogs.access import classify, threads
from cogs.access.callers import Callers, Channel
from cogs.access.cooldowns import Cooldowns
from cogs.chat.message_texts import MessageTexts
from cogs.send.discord_codes import HAS_THREAD

_log = log.logger(__name__)

THREADS: Final = 5
THREADS_IN: Final = timedelta(minutes=10)
"""How many threads one person may have made in a channel; what they ask beyond is answered in the channel itself."""
MADE_WITHIN: Final = timedelta(seconds=5)
"""How long Discord may take: what is said next in the channel waits."""
NAME: Final = 80
"""Characters of a thread's name; Discord takes a hundred."""


class OwnThreads:
    """Where questions are answered: in a thread made from them, else where they were asked."""

    def __init__(self, client: Client, callers: Callers, texts: MessageTexts) -> None:
        self._client = client
        self._callers = callers
        self._texts = texts
        self._cooldowns = Cooldowns(THREADS, THREADS_IN, clock=lambda: client.app.clock().timestamp())

    async def of(self, message: discord.Message, place: Place, text: str) -> Channel:
        """Where a question with this text is answered.

        It is the channel it was asked in where no thread can be made of it in time, or somebody else made one.
        """
        channel, me = message.channel, self._client.user
        if me is None or not place.threads or not isinstance(channel, discord.TextChannel):
            return channel
        if not classify.names(message, me) or classify.answers(message, me) or not _begins_talk(text):
            return channel
        try:
            async with asyncio.timeout(MADE_WITHIN.total_seconds()):
                thread = await self._thread(message, channel, text)
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError, TimeoutError) as exc:
            _log.warning("thread.not_made", error=type(exc).__name__, code=getattr(exc, "code", None))
            return channel
        if thread is None:
            return channel
        # How it is to be treated is known from here on to whatever asks for it.
        await self._callers.look(thread)
        return thread

    async def _thread(self, message: discord.Message, channel: discord.TextChannel, text: str) -> discord.Thread | None:
        """The thread made from it, by now or before; none where none may be made, or it is not open to Hathi.

        Raises what Discord fails with.
        """
        if message.flags.has_thread:
            return await self._made_before(message)
        if threads.lacking(channel) or not self._may_have_one(self._callers.now(message.author, channel)):
            return None
        name = one_line(self._texts.read(channel, text), NAME)
        try:
            return await message.create_thread(name=name)
        except discord.HTTPException as exc:
            if exc.code != HAS_THREAD:
                raise
            # Made by another process, or by a request whose answer was lost; or by somebody else meanwhile.
            return await self._made_before(message)

    async def _made_before(self, message: discord.Message) -> discord.Thread | None:
        found = message.thread or await self._client.fetch_channel(message.id)
        me = self._client.user
        if me is None or not isinstance(found, discord.Thread) or not threads.is_own(found, me):
            return None
        return None if found.archived or found.locked else found

    def _may_have_one(self, caller: Caller) -> bool:
        try:
            self._cooldowns.check(caller)
        except errors.TooOften:
            return False
        return True


def _begins_talk(text: str) -> bool:
    """Whether there is something to talk about, and not only a word to be said or something to be done."""
    return text != CALLED and not set_phrases.read(text).has_one and plain_requests.read(text) is None
