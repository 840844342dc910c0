"""Draws the introduction to a new community, with what to try first."""

import discord

from cogs.ui import buttons, layouts


def drawn(words: str) -> discord.ui.LayoutView:
    """What Hathi says of itself, and the ways to ask something, to see what is known, and how it is set."""
    return layouts.boxed(layouts.text(words), *layouts.rows([buttons.ask(), buttons.here(), buttons.settings()]))
