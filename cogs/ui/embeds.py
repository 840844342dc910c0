"""Builds the embed of a listing, within Discord's limits."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot import arguments, errors
from bot.commands.grammar import GRAMMARS, PREFIX
from bot.domain import Entry, Listing
from bot.presentation import render
from bot.text import message_links, sanitize
from cogs.text.splitting import cut, size

TITLE: Final = 256
FIELDS: Final = 25
NAME: Final = 256
VALUE: Final = 1024
FOOTER: Final = 2048
NOTES: Final = 512
TOTAL: Final = 6000
"""Characters Discord takes in one embed; counted here in UTF-16 units, of which there are never fewer."""
LONGEST_LINE: Final = 1000
"""Of a command line that is asked again; a longer one is not offered to."""
EXPLAIN: Final = "why"
"""The bare word that asks a command to explain its listing."""
_NOTHING: Final = "\u200b"
"""A field may not be empty; this is seen by nobody."""
_HEADING: Final = re.compile(r"^([ \t]*)(?=(?:#{1,3}|-#)[ \t])", re.MULTILINE)
"""Where a line begins that Discord would draw as a heading, or in small print, as Hathi's own words are."""
_FOOTER: Final = re.compile(
    r"Page (\d{1,6}) of (\d{1,6})\+? · (?:@.{1,32}? )??\S{0,4}[^\w\s]" + rf"({'|'.join(GRAMMARS)})(?: (.*))?", re.DOTALL
)
"""With any prefix a space may have had, behind a mention where that is needed: a list is asked again also when either
was changed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedBy:
    """The command that a listing answers, read from its embed."""

    page: int
    pages: int
    name: str
    line: str


def drawn(listing: Listing, guild_id: int | None, prefix: str = PREFIX) -> discord.Embed:
    """The embed of a listing: a field for each entry, linked to its message; `prefix` is the space's."""
    embed = discord.Embed(title=cut(listing.title, TITLE))
    footer = _footer(listing, prefix)
    if footer:
        embed.set_footer(text=footer)
    notes = _notes(listing)
    room = TOTAL - size(embed.title or "") - size(footer) - size(notes) - size(_NOTHING) * bool(notes)
    shown = listing.entries[: FIELDS - bool(notes)]
    for index, entry in enumerate(shown):
        # What short entries leave of their share goes to those that follow.
        share = room // (len(shown) - index)
        name = cut(entry.head, min(NAME, share // 2)) or _NOTHING
        value = _value(entry, min(VALUE, share - size(name)), guild_id)
        embed.add_field(name=name, value=value, inline=False)
        room -= size(name) + size(value)
    if notes:
        embed.add_field(name=_NOTHING, value=notes, inline=False)
    return embed


def asked(embeds: Sequence[discord.Embed]) -> PagedBy | None:
    """What the embed of one of Hathi's own messages was asked by, if it can be asked again."""
    found = _FOOTER.fullmatch(embeds[0].footer.text or "") if embeds else None
    if found is None or found[3] not in GRAMMARS or "page" not in GRAMMARS[found[3]].named:
        return None
    return PagedBy(page=int(found[1]), pages=int(found[2]), name=found[3], line=found[4] or "")


def can_be_asked_again(listing: Listing) -> bool:
    """Whether there is more than one page, and its command line, read again, is in order and short enough."""
    return listing.pages > 1 and _can_be_read_again(listing.again)


def can_be_explained(listing: Listing) -> bool:
    """Whether its command, read again, can tell why it lists what it lists."""
    grammar = GRAMMARS.get(listing.again.partition(" ")[0])
    return grammar is not None and EXPLAIN in grammar.bare and _can_be_read_again(listing.again)


@functools.lru_cache(maxsize=64)
def _can_be_read_again(again: str) -> bool:
    name, _, line = again.partition(" ")
    if name not in GRAMMARS or size(again) > LONGEST_LINE:
        return False
    try:
        arguments.parse(line, GRAMMARS[name])
    except errors.BadArgument:
        return False
    return True


def _value(entry: Entry, limit: int, guild_id: int | None) -> str:
    link = "" if entry.link is None else f"\n[{render.GO}]({message_links.address(guild_id, *entry.link)})"
    if size(link) > limit * 2 // 3:
        # The words matter more than where they stand.
        link = ""
    body = _HEADING.sub(r"\1\\", sanitize.unmasked(entry.body))
    return f"{cut(body, limit - size(link))}{link}" or _NOTHING


def _notes(listing: Listing) -> str:
    """The notes in small print, a line each."""
    return cut("\n".join(f"-# {' '.join(note.split())}" for note in listing.notes), NOTES)


def _footer(listing: Listing, prefix: str) -> str:
    """Which page it is and what asks for it again; read by `asked`."""
    if can_be_asked_again(listing) or can_be_explained(listing):
        return f"Page {listing.page} of {listing.told_pages} · {prefix}{listing.again}"
    return f"Page {listing.page} of {listing.told_pages}" if listing.pages > 1 else ""
