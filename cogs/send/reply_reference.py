"""References: what is said in reply to a message, and by itself where Discord does not take it for a reply."""

from typing import Any, Final

import discord

from cogs.access.permissions import can_refer
from cogs.send.discord_codes import CANNOT_REPLY

_NOBODY: Final = discord.AllowedMentions.none()


def allowed(channel: discord.abc.Messageable, to: discord.MessageReference | None) -> discord.MessageReference | None:
    """The reference, unless it is known that Discord would refuse it there: what it refuses counts towards a ban."""
    return to if can_refer(channel) else None


async def send(
    channel: discord.abc.Messageable, content: str | None, to: discord.MessageReference | None, **parts: Any
) -> discord.Message:
    """The message as it was sent, which calls nobody. Raises what `Messageable.send` does."""
    to = allowed(channel, to)
    if to is not None:
        try:
            return await channel.send(content, reference=to, mention_author=False, allowed_mentions=_NOBODY, **parts)
        except discord.HTTPException as exc:
            if exc.code not in CANNOT_REPLY:
                raise
    return await channel.send(content, allowed_mentions=_NOBODY, **parts)
