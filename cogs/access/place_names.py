"""Finds the role or channel of a server that somebody names without mentioning it."""

import discord

_SIGNS = {"#": (False, True), "@": (True, False)}
"""What a name may begin with: whether roles are meant, and channels."""


def mentioned(value: str, guild: discord.Guild | None) -> str:
    """The mention of the one role or channel that is called so, in any case; the value where that is none, or several.

    Everyone's role is not looked for: that it can't be chosen is told of its mention.
    """
    if guild is None or value.startswith("<"):
        return value
    roles, channels = _SIGNS.get(value[:1], (True, True))
    name = value.lstrip("#@").strip().casefold()
    named = [
        *((role for role in guild.roles if not role.is_default()) if roles else ()),
        *((*guild.channels, *guild.threads) if channels else ()),
    ]
    found = [each.mention for each in named if each.name.casefold() == name]
    return found[0] if len(found) == 1 else value
