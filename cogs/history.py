"""What was said in a channel of which nothing is kept, as Discord has it at this moment."""

from collections.abc import Callable, Sequence
from typing import Final

import discord

from bot.commands import render
from bot.domain import Caller, Message, MessageId, PersonId, Role, SessionId
from bot.memory.turns import HATHI
from cogs import hearing
from cogs.callers import Channel

MOST: Final = 50
"""Messages looked at, the newest."""


async def live(
    channel: Channel, caller: Caller, *, me: discord.abc.User, after: SessionId, before: MessageId,
    text_of: Callable[[discord.Message], str],
) -> Sequence[Message]:  # fmt: skip
    """What people said to Hathi and Hathi to them, since the session began and before a question, oldest first.

    Empty where the history may not be read.
    """
    found: list[Message] = []
    try:
        async for message in channel.history(
            limit=MOST, before=discord.Object(before), after=discord.Object(after), oldest_first=False
        ):
            if message.author.id == me.id:
                if message.content.endswith(render.CLEARED):
                    # No new session begins where nothing of the old one was kept; what stands here tells of the reset.
                    break
                found.append(_said(message, caller, Role.HATHI, text_of(message)))
            elif hearing.is_persons(message) and hearing.is_to(message, me):
                found.append(_said(message, caller, Role.PERSON, text_of(message)))
    except (discord.Forbidden, discord.NotFound):
        return ()
    return sorted((message for message in found if message.content), key=lambda message: message.message_id)


def _said(message: discord.Message, caller: Caller, role: Role, text: str) -> Message:
    refers = message.reference.message_id if message.reference else None
    return Message(
        space_id=caller.space_id, channel_id=caller.channel_id, message_id=MessageId(message.id), role=role,
        author_id=PersonId(message.author.id) if role is Role.PERSON else None,
        author=message.author.display_name if role is Role.PERSON else HATHI, content=text,
        said_at=message.created_at, reply_to=None if refers is None else MessageId(refers),
    )  # fmt: skip
