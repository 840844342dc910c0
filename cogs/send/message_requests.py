"""Creates, edits and deletes the messages of one reply on Discord, one request at a time."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import aiohttp
import discord
import tenacity
from discord.http import Route

from bot import errors, log
from bot.domain import MessageId
from bot.infra import retry
from cogs.send import uncancelled_requests
from cogs.send.discord_codes import CANNOT_SPEAK, UNKNOWN_MESSAGE
from cogs.send.late_body import LateBody
from cogs.send.reply_reference import ReplyReference

if TYPE_CHECKING:
    from discord.abc import MessageableChannel

_log = log.logger(__name__)

PATIENCE: Final = 120.0
"""Seconds a request may take, with all the waiting and trying again that discord.py does in it."""
ATTEMPTS: Final = 4
LONGEST_PAUSE: Final = 8.0
_TOO_MANY: Final = 429

_WITHOUT_EMBEDS: Final = discord.MessageFlags(suppress_embeds=True).value
"""Discord asks every address it draws a picture of: what a model put into one would be told without a press."""

T = TypeVar("T")
Components = Sequence[Mapping[str, Any]]
"""What can be pressed under a message, as Discord takes it; empty where nothing can."""


@dataclass(slots=True, kw_only=True)
class _ReplyMessage:
    message_id: MessageId
    shown: str | None
    """What Discord holds; none when that is not known."""
    under: tuple[str, ...] | None = ()
    """The ids of what can be pressed under it; none when that is not known."""


class MessageRequests:
    """The messages of a reply as they stand on Discord, and the requests that bring them up to date."""

    def __init__(
        self,
        channel: "MessageableChannel",
        turn_id: MessageId,
        reference: discord.MessageReference | None,
        *,
        is_claimed: bool = True,
    ) -> None:
        """`is_claimed` says that no other process answers; else its messages are its own, and never another's."""
        self._channel = channel
        # There is no public way to a request whose body is made late.
        self._http = channel._state.http  # noqa: SLF001
        self._turn_id = turn_id
        self._nonce = str(turn_id) if is_claimed else secrets.token_hex(8)
        self._reference = ReplyReference(channel, reference)
        self._messages: list[_ReplyMessage] = []
        self._made = 0
        self.growing: Components = ()
        """What can be pressed under the last message until the reply is whole."""
        self._whole: Components = ()
        self._is_whole = False
        self._request: asyncio.Task[None] | None = None
        self._is_making = False

    @property
    def begun(self) -> bool:
        """Whether any message stands, or is about to."""
        return bool(self._messages) or (self._request is not None and not self._request.done())

    @property
    def ids(self) -> tuple[MessageId, ...]:
        """The ids of its messages, in order."""
        return tuple(message.message_id for message in self._messages)

    def adopt(self, messages: Sequence[discord.Message]) -> None:
        """Takes over messages that another worker sent."""
        self._messages = [_standing(message) for message in messages]
        self._made = len(messages)

    def outdated(self, parts: Sequence[str], *, since: int = 0) -> int | None:
        """The first message from one on whose text is not up to date, if any."""
        for index, part in enumerate(parts[since:], since):
            if index == len(self._messages) or self._messages[index].shown != part:
                return index
            if self._is_whole and self._messages[index].under != _ids(self._under(index, parts)):
                return index
        return None

    def write(self, index: int, parts: Callable[[], Sequence[str]]) -> asyncio.Task[None]:
        """Starts the request that edits or creates one message, with what `parts` says when it is sent."""
        assert self._request is None or self._request.done()
        self._is_making = index == len(self._messages)
        if self._is_making:
            self._request = uncancelled_requests.start(self._make(parts()[index], self._under(index, parts())))
        else:
            self._request = uncancelled_requests.start(self._edit(self._messages[index], index, parts))
        return self._request

    async def settle(self) -> None:
        """Waits for the running request to end. Raises `DiscordDown` after two minutes."""
        if self._request is not None:
            await asyncio.wait({self._request}, timeout=PATIENCE)
            if not self._request.done():
                raise errors.DiscordDown

    async def become(self, parts: Sequence[str], controls: Components = (), *, least: Sequence[str] = ()) -> None:
        """Makes the messages hold exactly these parts, with the buttons under the last.

        Where Discord refuses the edit of a message that holds already what it must at `least`, it stands as it is: all
        of the answer is there, and only what was to stand under it is not.

        Raises `NotSent` where Discord refuses anything else, and `DiscordDown` after several attempts.
        """
        # Told before the request under way is waited for: an edit that has not gone yet takes them along.
        self._is_whole, self._whole = True, controls
        await self.settle()
        since = 0
        while (index := self.outdated(parts, since=since)) is not None:
            try:
                await self._insist(lambda index=index: self.write(index, lambda: parts))
            except errors.NotSent as exc:
                if not self._stands(index, least, exc):
                    raise
                _log.warning("reply.last_edit_refused", turn_id=self._turn_id, error=type(exc).__name__)
                since = index + 1
        await self.take_back(len(parts))

    async def take_back(self, kept: int = 0) -> None:
        """Deletes all messages but the first ones. Raises as `become` does."""
        if not kept:
            self._is_whole = False
        if self._is_making:
            # An edit under way is not waited for: it edits what is gone.
            await self.settle()
        while len(self._messages) > kept:
            await self._insist(self._delete_last)

    def _stands(self, index: int, least: Sequence[str], refusal: errors.NotSent) -> bool:
        """Whether a message whose edit was refused shows its part of the answer."""
        if isinstance(refusal, errors.ReplyDeleted) or index >= min(len(self._messages), len(least)):
            return False
        return self._messages[index].shown == least[index]

    def _delete_last(self) -> asyncio.Task[None]:
        self._request = uncancelled_requests.start(self._delete(self._messages[-1]))
        return self._request

    async def _insist(self, begin: Callable[[], asyncio.Task[None]]) -> None:
        """Retries passing failures with pauses; the one place where Discord's failures become Hathi's errors."""
        try:
            await persistently(lambda: self._through(begin))
        except (discord.DiscordException, aiohttp.ClientError, OSError) as exc:
            raise self._translated(exc) from exc

    def _translated(self, exc: BaseException) -> errors.DiscordError:
        code = exc.code if isinstance(exc, discord.HTTPException) else None
        if is_passing(exc):
            return errors.DiscordDown()
        if code == UNKNOWN_MESSAGE and not self._is_making:
            return errors.ReplyDeleted()
        return errors.CannotSpeak() if code in CANNOT_SPEAK else errors.NotSent()

    async def _through(self, begin: Callable[[], asyncio.Task[None]]) -> None:
        request = begin()
        await self.settle()
        request.result()

    def _under(self, index: int, parts: Sequence[str]) -> Components:
        """What belongs under this message: the buttons, if it is the last."""
        if index != len(parts) - 1:
            return ()
        return self._whole if self._is_whole else self.growing

    async def _make(self, content: str, controls: Components) -> None:
        made = await self._sent(content, controls)
        self._made += 1
        self._messages.append(made)

    async def _sent(self, content: str, controls: Components) -> _ReplyMessage:
        """Sends a new message; only the first is a reply to the question."""
        if self._messages:
            return await self._send_once(content, None, controls)
        return await self._reference.send(lambda to: self._send_once(content, to, controls))

    async def _send_once(
        self, content: str, to: discord.MessageReference | None, controls: Components
    ) -> _ReplyMessage:
        """Sends with a nonce, so that a message whose response was lost is not sent twice."""
        try:
            made = await self._send(content, to, controls)
            if made.shown != content:
                # What was sent under this nonce before, perhaps by another worker, and may be gone by now.
                await self._edit(made, 0, lambda: [content])
        except discord.NotFound as exc:
            if exc.code != UNKNOWN_MESSAGE or self._made:
                raise
        else:
            return made
        # Another worker took back what it had sent under this nonce.
        self._made += 1
        return await self._send(content, to, controls)

    async def _send(
        self, content: str, reference: discord.MessageReference | None, controls: Components
    ) -> _ReplyMessage:
        body: dict[str, Any] = {
            "content": content,
            "nonce": f"{self._nonce}-{self._made}",
            "enforce_nonce": True,
            "allowed_mentions": discord.AllowedMentions.none().to_dict(),
            "flags": _WITHOUT_EMBEDS,
        }
        body |= {} if reference is None else {"message_reference": reference.to_message_reference_dict()}
        body |= {"components": controls} if controls else {}
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=self._channel.id)
        # Not by the channel: that makes messages of the reply and of its question, with people, roles and members.
        sent = await self._http.request(route, json=body)
        return _ReplyMessage(
            message_id=MessageId(int(sent["id"])), shown=sent["content"], under=_ids(sent.get("components", ()))
        )

    async def _edit(self, message: _ReplyMessage, index: int, parts: Callable[[], Sequence[str]]) -> None:
        sent, under = parts()[index], message.under

        def body() -> dict[str, Any]:
            nonlocal sent, under
            now = parts()
            sent = now[index] if index < len(now) else sent
            nobody = discord.AllowedMentions.none().to_dict()
            whole = {"content": sent, "allowed_mentions": nobody, "flags": _WITHOUT_EMBEDS}
            controls = self._under(index, now)
            under = _ids(controls)
            return whole if under == message.under else whole | {"components": controls}

        before, message.shown = message.shown, None
        route = Route(
            "PATCH",
            "/channels/{channel_id}/messages/{message_id}",
            channel_id=self._channel.id,
            message_id=message.message_id,
        )
        try:
            await self._http.request(route, data=LateBody(body))
        except discord.HTTPException as exc:
            if not is_passing(exc):
                message.shown = before
            raise
        message.shown, message.under = sent, under

    async def _delete(self, message: _ReplyMessage) -> None:
        with contextlib.suppress(discord.NotFound):
            await self._http.delete_message(self._channel.id, message.message_id)
        self._messages = [other for other in self._messages if other is not message]


async def persistently(request: Callable[[], Awaitable[T]]) -> T:
    """What the request to Discord returns, tried again while its failure may pass by itself. Raises the last one."""
    return await retry.persist(request, lambda _: _policy())


def _policy() -> tenacity.AsyncRetrying:
    return tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception(is_passing),
        stop=tenacity.stop_after_attempt(ATTEMPTS),
        wait=tenacity.wait_random_exponential(max=LONGEST_PAUSE),
        reraise=True,
    )


def _standing(message: discord.Message) -> _ReplyMessage:
    # discord.py leaves the list out where Discord does.
    under = _ids([part.to_dict() for part in getattr(message, "components", ())])
    return _ReplyMessage(message_id=MessageId(message.id), shown=message.content, under=under)


def _ids(components: Components) -> tuple[str, ...]:
    """By what the buttons of a message are known, in order."""
    return tuple(str(button.get("custom_id")) for row in components for button in row.get("components", ()))


def is_passing(exc: BaseException) -> bool:
    """Whether Discord's failure may be over at the next attempt."""
    if isinstance(exc, discord.HTTPException):
        return exc.status >= 500 or exc.status == _TOO_MANY
    return isinstance(exc, (aiohttp.ClientError, OSError, discord.RateLimited))
