"""Renders a list in talk: its first memories in their own words, with who said them and when; pure."""

from typing import Final

from bot import catalogue
from bot.domain import Caller, Entry, Listing
from bot.presentation import render
from bot.text import sanitize
from bot.text.normalize import one_line

SHORT: Final = 3
"""Memories that are told where others read along."""
LINE: Final = 200
"""Characters of one."""


def told(listing: Listing, caller: Caller, *, most: int = SHORT) -> str:
    """The title and the first memories of a list; the rest is for whoever presses the button under it."""
    title = catalogue.gettext("{title}:").format(title=listing.title)
    return "\n".join([title, *(line(entry, caller) for entry in listing.entries[:most]), *listing.notes])


def line(entry: Entry, caller: Caller, *, longest: int = LINE) -> str:
    """One memory in its own words, up to so many characters, with who said it and when."""
    # Some lists have their memories in quotation marks already.
    words = sanitize.unmasked(one_line(entry.body.removeprefix("\u201c").removesuffix("\u201d"), longest))
    when = "" if entry.at is None else render.time(entry.at, caller.time_zone)
    number = "" if entry.memory_id is None else f"#{entry.memory_id}"
    known = ", ".join(filter(None, (entry.who, when, *entry.marks, number)))
    return f"{sanitize.QUOTED}{words}\u201d\n    \u2014 {known}"
