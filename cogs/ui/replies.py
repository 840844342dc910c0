"""Decides how a command's reply looks on Discord: as a list, a reset, a text with buttons, or a text alone."""

import discord

from bot.commands.grammar import PREFIX
from bot.commands.resets import ResetReply
from bot.domain import Reply
from cogs.ui import buttons, drawn_lists, layouts, reset_messages


def drawn(
    reply: Reply, guild: discord.Guild | None, prefix: str = PREFIX, *, is_short: bool = False
) -> discord.ui.LayoutView | None:
    """The message of components that a reply is, maybe a short list; none where it is a text and nothing is pressed."""
    if isinstance(reply, ResetReply):
        return reset_messages.of(reply)
    pressed = buttons.of(reply, is_short=is_short)
    if reply.listing is not None:
        return drawn_lists.drawn(reply.listing, guild and guild.id, pressed, prefix, is_short=is_short)
    return layouts.told(reply.text, pressed) if pressed else None
