"""Sends a message as a reply, or by itself where Discord does not accept the reference."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import discord

from cogs.access.permissions import can_refer
from cogs.send.discord_codes import CANNOT_REPLY

_NOBODY: Final = discord.AllowedMentions.none()
T = TypeVar("T")


class ReplyReference:
    """The message that something is sent in reply to, until Discord refuses it: refusals count towards a ban."""

    def __init__(self, channel: discord.abc.Messageable, to: discord.MessageReference | None) -> None:
        self._to = to if can_refer(channel) else None

    async def send(self, request: Callable[[discord.MessageReference | None], Awaitable[T]]) -> T:
        """What `request` returns, which sends with the reference it is given. Raises its other failures."""
        if self._to is not None:
            try:
                return await request(self._to)
            except discord.HTTPException as exc:
                if exc.code not in CANNOT_REPLY:
                    raise
                self._to = None
        return await request(None)


async def send(
    channel: discord.abc.Messageable,
    content: str | None,
    to: discord.MessageReference | None,
    *,
    alone: str | None = None,
    **parts: Any,
) -> discord.Message:
    """The message as it was sent, which notifies nobody; `alone` in place of `content` where it is no reply.

    Raises what `Messageable.send` does.
    """

    async def request(reference: discord.MessageReference | None) -> discord.Message:
        if reference is None:
            return await channel.send(alone or content, allowed_mentions=_NOBODY, **parts)
        return await channel.send(content, reference=reference, mention_author=False, allowed_mentions=_NOBODY, **parts)

    return await ReplyReference(channel, to).send(request)
