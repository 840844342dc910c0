"""Streams one reply to a Discord channel, with throttled edits."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol, Self

import discord

from bot import log
from bot.domain import ChannelId, MessageId, Reply
from bot.text import markdown
from bot.turn.delivery import Keep
from cogs.access.name_directory import NameDirectory
from cogs.send.message_requests import Components, MessageRequests, is_passing
from cogs.send.pace import QUICK, Pace
from cogs.send.placeholders import PLACEHOLDERS
from cogs.send.typing_sign import TypingSign
from cogs.text import tables
from cogs.text.markup import discordly
from cogs.text.splitting import split

if TYPE_CHECKING:
    from discord.abc import MessageableChannel

_log = log.logger(__name__)

MOST_FAILURES: Final = 3
"""Requests that may fail while a reply grows; then it is shown when it is whole."""


class Footer(Protocol):
    """What stands under a complete reply."""

    def lines(self) -> contextlib.AbstractAsyncContextManager[Sequence[str]]:
        """Lines of text, taken as shown unless the block fails."""
        ...

    def growing(self) -> Components:
        """Buttons for as long as the reply is written piece by piece."""
        ...

    def controls(self, reply: Reply | None) -> Components:
        """Buttons, for a `reply` that was complete at once and for any other."""
        ...


class StreamingReply:
    """One reply in one channel, for `async with`, which also shows the typing sign.

    An answer ready within a second is sent once. A longer one is shown from its first sentence, and edited as it grows.
    """

    def __init__(
        self,
        channel: "MessageableChannel",
        *,
        turn_id: MessageId,
        reference: discord.MessageReference | None,
        pace: Pace,
        names: NameDirectory,
        footer: Footer,
        zone: str = "UTC",
    ) -> None:
        """Times in the `zone` are shown as Discord tells them.

        The controls of the footer stand under the last message, and go with the request that ends the reply; those of a
        growing one with the requests that it takes anyhow.
        """
        self._channel = channel
        self._channel_id = ChannelId(channel.id)
        self._pace = pace
        self._names = names
        self._zone = zone
        self._footer = footer
        self._requests = MessageRequests(channel, turn_id, reference)
        self._sign = TypingSign(channel)
        self._began = self._now()
        self._text = ""
        self._kept = ""
        """What may be shown: the newest text that was kept. An edit that waits for Discord reads it when it goes."""
        self._keep: Keep | None = None
        self._news = asyncio.Event()
        self._growth: asyncio.Task[None] | None = None
        self._start: asyncio.Handle | None = None
        """When it grows, where it does not yet: most answers are whole by then, and need no task that waits."""
        self._grew = False
        """Whether it came piece by piece, as a model writes."""
        self._failures = 0
        self._is_whole = False
        """Whether no more of it comes."""
        self._waits = False
        """Whether it was told that the database is waited for; what is kept takes its place."""
        self._split: tuple[tuple[str, bool], list[str]] = (("", False), [])

    async def __aenter__(self) -> Self:
        """Shows the typing indicator; the wait before was for earlier answers."""
        self._began = self._now()
        self._sign.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stops showing; sent text is kept."""
        self._sign.stop()
        await self._stop_growing()

    @property
    def begun(self) -> bool:
        """Whether anything of the reply stands in the channel or is about to; a placeholder does not count."""
        return self._requests.begun and self._kept not in PLACEHOLDERS and not self.is_waiting

    @property
    def is_waiting(self) -> bool:
        """Whether what stands of it tells only that the database is waited for."""
        return self._waits and not self._kept and self._requests.begun

    def adopt(self, messages: Sequence[discord.Message]) -> None:
        """Takes over the messages of this reply that another worker sent."""
        self._requests.adopt(messages)

    def take_over(self, requests: MessageRequests) -> None:
        """Goes on in the message that tells that the database is waited for."""
        self._requests, self._waits = requests, True

    def announce(self, words: str) -> None:
        """Begins to tell that the database is waited for, in the message that becomes the reply, if none stands yet."""
        if self._requests.begun or self._kept:
            return
        self._waits = True
        # Growth waits for its turn, and finds this request then.
        self._pace.wrote(self._channel_id, self._now())
        self._requests.write(0, lambda: [words]).add_done_callback(_noted)

    async def becomes(self, sentence: str) -> bool:
        """Puts a sentence in the place of what tells that the database is waited for; false where more stands or none.

        Raises as `finish` does.
        """
        if not self.is_waiting:
            return False
        await self._requests.become([sentence])
        return True

    async def show(self, text: str, keep: Keep) -> None:
        """Sets the reply so far; shown when it is time, after `keep` each time. Raises what `keep` raised before."""
        self._raise_failure()
        self._text, self._keep = text, keep
        self._requests.growing = self._requests.growing or self._footer.growing()
        self._grew = self._grew or text not in PLACEHOLDERS
        self._news.set()
        if self._growth is None and self._start is None:
            self._start = asyncio.get_running_loop().call_later(self._delay(), self._begin_growing)

    async def finish(self, text: str, notes: Sequence[str], reply: Reply | None = None) -> Sequence[MessageId]:
        """The ids of the messages that now hold the final text, with the notes under it.

        Raises what `keep` raised before, `CannotSpeak` where Hathi may not write (any more), `ReplyDeleted` where what
        stood of it is gone, `NotSent` where Discord refuses it for another reason, and `DiscordDown`.
        """
        if self._grew:
            # What needs no model is there at once, and tells nothing of how long the next takes that does.
            self._pace.answered(self._now() - self._began)
        self._sign.stop()
        await self._stop_growing()
        self._raise_failure()
        async with self._footer.lines() as lines:
            answer, under = markdown.closed(text).rstrip(), "\n".join([*notes, *lines])
            self._text = self._kept = "\n\n".join(part for part in (answer, under) if part)
            self._is_whole = True
            self._pace.wrote(self._channel_id, self._now())
            await self._requests.become(
                self._parts(self._kept), self._footer.controls(reply), least=self._parts(answer)
            )
        return self._requests.ids

    async def withdraw(self) -> None:
        """Deletes what was shown of the reply. Raises `NotSent` or `DiscordDown` when that fails."""
        self._sign.stop()
        await self._stop_growing()
        self._growth = None
        self._text, self._kept, self._is_whole, self._waits = "", "", False, False
        await self._requests.take_back()

    def _begin_growing(self) -> None:
        self._start = None
        self._growth = asyncio.create_task(self._grow())

    async def _grow(self) -> None:
        """Sends and edits until the channel shows the newest text."""
        while self._failures < MOST_FAILURES:
            # Before the text is looked at: most answers are whole by then.
            if (delay := self._delay()) > 0:
                await asyncio.sleep(delay)
                continue
            if self._requests.outdated(self._parts(self._text)) is None:
                return
            await self._requests.settle()
            await self._allow()
            index = self._requests.outdated(self._parts(self._kept))
            # Another reply may have been written here while this one was kept.
            if index is not None and self._delay() <= 0:
                await self._write(index)

    async def _write(self, index: int) -> None:
        """One request; text that arrives while it waits for Discord is saved and sent in its place."""
        self._sign.stop()
        self._pace.wrote(self._channel_id, self._now())
        request = self._requests.write(index, lambda: self._parts(self._kept))
        request.add_done_callback(lambda _: self._news.set())
        while not request.done():
            self._news.clear()
            await self._news.wait()
            if not request.done() and self._text != self._kept:
                await self._allow()
        failure = request.exception()
        if failure is not None:
            _log.warning("reply.not_shown", error=type(failure).__name__)
            self._failures += 1 if is_passing(failure) else MOST_FAILURES
        elif self._kept in PLACEHOLDERS:
            # Discord ends the sign with each message; what stands is only that Hathi is at work.
            self._sign.start()

    async def _allow(self) -> None:
        """Saves the newest text, after which it may be shown."""
        assert self._keep is not None
        text = self._text
        await self._keep(text)
        self._kept = text

    def _delay(self) -> float:
        """Seconds until the next request may go."""
        now = self._now()
        if self._requests.begun or self._failures:
            return self._pace.wait(self._channel_id, now)
        return 0.0 if self._pace.is_slow else self._began + QUICK - now

    def _parts(self, text: str) -> list[str]:
        """The messages of a text; those of the last one asked for are remembered."""
        if self._split[0] != (text, self._is_whole):
            # Tables first: in a block of code Discord draws no mention by its name.
            shown = tables.drawn(text, is_growing=not self._is_whole)
            self._split = (
                (text, self._is_whole),
                split(discordly(shown, self._names.of(self._channel), zone=self._zone)),
            )
        return self._split[1]

    async def _stop_growing(self) -> None:
        """Ends streaming between two requests; one under way completes with the text saved by then."""
        if self._start is not None:
            self._start.cancel()
            self._start = None
        if self._growth is not None:
            self._growth.cancel()
            await asyncio.wait({self._growth})
            if not self._growth.cancelled():
                # Looked at, so that a failure nobody asks for any more is no complaint of the event loop.
                self._growth.exception()

    def _raise_failure(self) -> None:
        """Raise what ended the growth, once."""
        if self._growth is None or not self._growth.done():
            return
        ended, self._growth = self._growth, None
        if not ended.cancelled():
            ended.result()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _noted(request: asyncio.Task[None]) -> None:
    if not request.cancelled() and (failure := request.exception()) is not None:
        _log.warning("reply.not_shown", error=type(failure).__name__)
