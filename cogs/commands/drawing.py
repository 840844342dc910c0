"""What a command's reply is on Discord: one message of components, or as many of text as it needs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import discord

from bot import catalogue
from bot.commands.commands import CommandList
from bot.commands.grammar import PREFIX
from bot.domain import Reply
from cogs.access.callers import Channel
from cogs.access.permissions import is_public
from cogs.text import splitting
from cogs.text.splitting import LIMIT, split
from cogs.ui import drawn_lists, layouts, message_edits, replies

MOST_MESSAGES: Final = 5
"""Messages of one reply; what is longer says so and ends."""
MOST_UNDER: Final = 150
"""Characters of what is put under a reply."""
TOO_LONG: Final = catalogue.later("… and more than fits here; ask for less at once.")
_TABLES: Final = frozenset({"help", "tags"})
"""Commands whose reply is a table."""
LISTING: Final = frozenset({"memories", "notes", "recall", "palace", "tags", "sessions", "me"})
"""Commands that list what is kept: where everyone in the server could read along, they are short or for one person."""
_ANSWERING: Final = frozenset({"recall"})
"""Those whose list is an answer to everybody, as long as it is a handful."""
_HANDFUL: Final = 5
"""Entries of such a list."""
_ROW: Final = re.compile(r"\A\s*+(\S.*?)(?<!\s)\s{2,}(.+)")
_NOBODY: Final = discord.AllowedMentions.none()


class Drawing:
    """A reply as Discord shows it: a message of components where it lists or something can be pressed, else text."""

    def __init__(
        self, name: str, reply: Reply, guild: discord.Guild | None, *, prefix: str = PREFIX, is_short: bool = False
    ) -> None:
        self.layout = replies.drawn(reply, guild, prefix, is_short=is_short)
        self.pieces: list[str] = [] if self.layout is not None else _pieces(name, reply)

    @property
    def first(self) -> Mapping[str, Any]:
        """What its first message is sent with, or an earlier one becomes it by."""
        return {"content": self.pieces[0]} if self.layout is None else message_edits.replaced(self.layout)

    @property
    def text(self) -> str | None:
        """What its first message says; none where that is one of components."""
        return self.pieces[0] if self.pieces else None

    def has_room(self) -> bool:
        """Whether a line more fits under it."""
        if self.layout is not None:
            return layouts.has_room(self.layout, MOST_UNDER)
        return bool(self.pieces) and splitting.size(self.pieces[-1]) + MOST_UNDER < LIMIT

    def add(self, lines: Iterable[str]) -> None:
        """Puts lines under it, of `MOST_UNDER` together."""
        for line in lines:
            if self.layout is not None:
                self.layout.add_item(layouts.text(line))
            else:
                self.pieces[-1] = f"{self.pieces[-1]}\n{line}"

    @property
    def more(self) -> Sequence[str]:
        """What the messages behind that say."""
        return self.pieces[1:]


def is_short(name: str, reply: Reply, channel: Channel) -> bool:
    """Whether a reply is a list that is short in a channel, as everyone in the server reads along."""
    listing = reply.listing
    if name not in LISTING or listing is None or not drawn_lists.can_be_short(listing):
        return False
    is_long = name not in _ANSWERING or listing.pages > 1 or len(listing.entries) > _HANDFUL
    return is_long and is_public(channel)


async def tell_alone(name: str, reply: Reply, interaction: discord.Interaction[Any], *, prefix: str = PREFIX) -> None:
    """Shows a reply to whoever pressed or chose alone. Raises what Discord fails with."""
    drawing = Drawing(name, reply, interaction.guild, prefix=prefix)
    if drawing.layout is not None:
        await interaction.followup.send(view=drawing.layout, ephemeral=True, allowed_mentions=_NOBODY)
    for piece in drawing.pieces:
        await interaction.followup.send(piece, ephemeral=True, allowed_mentions=_NOBODY)


def _as_list(table: str) -> str:
    """A table as lines that also a narrow screen can break: what is in its first column in code, as is its title.

    A sentence in its place, that there is nothing, stays one.
    """
    title, *lines = table.splitlines()
    if not lines:
        return table
    rows = [_ROW.sub(r"`\1` \2", line) for line in (title, *lines)]
    return "\n".join([f"`{title}`", *rows[1:]] if rows[0] == title else rows)


def _pieces(name: str, reply: Reply) -> list[str]:
    """The text in as many messages as it needs."""
    found = split(_as_list(reply.text) if name in _TABLES and not isinstance(reply, CommandList) else reply.text)
    if len(found) > MOST_MESSAGES:
        told = catalogue.gettext(TOO_LONG)
        last = splitting.cut(found[MOST_MESSAGES - 1], LIMIT - len(told) - 1)
        found = [*found[: MOST_MESSAGES - 1], f"{last}\n{told}"]
    return found
