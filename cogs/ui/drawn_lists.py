"""Draws a list: what is remembered first, what is known of it in small print, and a button for each memory."""

import functools
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import discord

from bot import arguments, catalogue, errors
from bot.commands.grammar import GRAMMARS, PREFIX
from bot.domain import Entry, Listing, MemoryId
from bot.presentation import render
from bot.text import message_links, sanitize
from cogs.text import markup, message_words
from cogs.text.splitting import cut, size
from cogs.ui import layouts
from cogs.ui.layouts import Item, Pressed

TITLE: Final = 256
NOTES: Final = 512
LEAD: Final = 1_800
ENTRY: Final = 1_024
"""Characters of what is remembered; a command has the whole."""
SHORT: Final = 3
"""Entries of a short list."""
SHORT_ENTRY: Final = 280
"""Characters of what is remembered in one."""
MOST_OPENED: Final = 6
"""Memories that a button can stand beside; where there are more, components would not suffice."""
SPARE: Final = 100
"""Characters a list leaves: what tells that each of its memories was forgotten may be longer than they were."""
LONGEST_LINE: Final = 1_000
"""Of a command line that is asked again; a longer one is not offered to."""
EXPLAIN: Final = "why"
"""The bare word that asks a command to explain its listing."""
MORE: Final = "…"
"""The button beside a memory: what can be done with it."""
_HEADING: Final = re.compile(r"^([ \t]*)(?=(?:#{1,3}|-#)[ \t])", re.MULTILINE)
"""Where a line begins that Discord would draw as a heading, or in small print, as Hathi's own words are."""
_PAGE: Final = catalogue.later("Page {page} of {pages}")
_FOOTERS: Final = [
    re.compile(
        rf"(?:{page} · )?(?:@.{{1,32}}? )??\S{{0,4}}[^\w\s](?P<name>{'|'.join(GRAMMARS)})(?: (?P<line>.*))?", re.DOTALL
    )
    for told in catalogue.in_all(_PAGE)
    for page in [told.format(page=r"(?P<page>\d{1,6})", pages=r"(?P<pages>\d{1,6})\+?")]
]
"""In each language, with any prefix a space may have had, behind a mention where that is needed: a list is asked again
also when one of them was changed since."""
_SMALL: Final = "-# "
_AGAIN, _RETOLD = (
    "|".join(re.escape(told).replace(re.escape("{count}"), r"\d{1,9}") for told in catalogue.in_all(each))
    for each in (render.AGAIN, render.RETOLD)
)
_OWN_NUMBER: Final = re.compile(rf"#([1-9]\d{{0,18}})(?=(?:{_AGAIN})?(?:{_RETOLD})?$)")
"""The number of an entry: it ends its small print, which is the last of its lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedBy:
    """The command that a listing answers, read from its message."""

    page: int
    pages: int
    name: str
    line: str


def drawn(
    listing: Listing,
    guild_id: int | None,
    pressed: Iterable[Pressed] = (),
    prefix: str = PREFIX,
    *,
    is_short: bool = False,
) -> discord.ui.LayoutView:
    """The message of a listing, with what can be pressed under it; `prefix` is the space's.

    A short one has the first entries alone, with nothing to press beside them.
    """
    if is_short:
        first = (replace(entry, body=cut(entry.body, SHORT_ENTRY)) for entry in listing.entries[:SHORT])
        listing = replace(listing, entries=tuple(first), lead="", notes=())
    title = f"### {markup.dated(cut(sanitize.unmasked(listing.title), TITLE))}"
    notes, footer = _notes(listing), _footer(listing, prefix, has_command=is_short)
    lead = cut(_body(listing.lead, LEAD), LEAD) if listing.lead else ""
    room = layouts.TEXTS - SPARE - size(lead) - size(title) - size(notes) - size(footer)
    entries = () if listing.is_table else listing.entries
    memories = {entry.memory_id for entry in entries if entry.memory_id is not None}
    unopened = memories if not is_short and len(memories) <= MOST_OPENED else set[MemoryId]()
    parts: list[Item] = [layouts.text(words) for words in (title, lead) if words]
    if listing.is_table:
        lines = (f"**{_body(entry.head, TITLE)}** · {_body(entry.body, ENTRY)}" for entry in listing.entries)
        parts.append(layouts.text(cut("\n".join(lines), room)))
    for index, entry in enumerate(entries):
        # What short entries leave of their share goes to those that follow.
        room -= size(entry.above)
        words = _words(entry, room // (len(entries) - index), guild_id)
        room -= size(words)
        parts += [layouts.text(entry.above)] if entry.above else []
        parts += parts_of(words, entry.memory_id if entry.memory_id in unopened else None, is_others=entry.is_others)
        unopened -= {entry.memory_id}
    parts += map(layouts.text, filter(None, (notes, footer)))
    return layouts.boxed(*parts, *layouts.rows(pressed))


def asked(message: discord.Message) -> PagedBy | None:
    """What one of Hathi's own messages was asked by, if it lists something that can be asked for again."""
    return _read_footer(*_footers(message))


def asked_by(again: str) -> PagedBy | None:
    """The same by the command line alone."""
    return _read_footer(f"{PREFIX}{again}")


def _footers(message: discord.Message) -> Iterator[str]:
    """What may be the footer of a list: in its embed, as lists were drawn before; else its last text."""
    if message.embeds:
        yield message.embeds[0].footer.text or ""
    yield from (words.removeprefix(_SMALL) for words in message_words.texts(message)[-1:] if words.startswith(_SMALL))


def _read_footer(*footers: str) -> PagedBy | None:
    for footer, pattern in itertools.product(footers, _FOOTERS):
        found = pattern.fullmatch(footer)
        if found is not None and "page" in GRAMMARS[found["name"]].named:
            page, pages = int(found["page"] or 1), int(found["pages"] or 1)
            return PagedBy(page=page, pages=pages, name=found["name"], line=found["line"] or "")
    return None


def can_be_asked_again(listing: Listing) -> bool:
    """Whether there is more than one page, and its command line, read again, is in order and short enough."""
    return listing.pages > 1 and _can_be_read_again(listing.again)


def can_be_short(listing: Listing) -> bool:
    """Whether it has entries that a short list may leave out, and its command, read again, brings them back."""
    return not listing.is_table and _can_be_read_again(listing.again)


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


def parts_of(words: str, memory_id: MemoryId | None, *, is_others: bool = False) -> list[Item]:
    """An entry as it stands in a list: its words, and beside them what opens what can be done with its memory."""
    if memory_id is None:
        return [layouts.text(words)]
    kind = "theirs" if is_others else "open"
    more = discord.ui.Button[Any](label=MORE, custom_id=f"hathi:{kind}:{memory_id}")
    return [discord.ui.Section[Any](layouts.text(words), accessory=more)]


def own_number(words: str) -> MemoryId | None:
    """The number of the memory that an entry of a list is about, by its words; none where it is about none."""
    last = words.rpartition("\n")[2]
    found = _OWN_NUMBER.search(last) if last.startswith(_SMALL) else None
    return None if found is None else MemoryId(int(found[1]))


def retold(words: str, text: str, number: MemoryId, limit: int) -> str:
    """An entry's words with another text and number, and what is known of it as it was."""
    last = _OWN_NUMBER.sub(f"#{number}", words.rpartition("\n")[2])
    return f"{_body(text, min(ENTRY, limit - size(last) - 1))}\n{last}"


def gone(number: MemoryId, what: str) -> str:
    """The words of an entry whose memory is no more; `what` became of it."""
    return f"*{what}*\n{_SMALL}#{number}"


def _words(entry: Entry, limit: int, guild_id: int | None) -> str:
    """What is remembered, and under it in small print who said it, when and where; its number comes last."""
    small = _small(entry, guild_id)
    # The words matter more than where they stand.
    for less in (replace(entry, link=None), replace(entry, link=None, place="")):
        if size(small) > limit * 2 // 3:
            small = _small(less, guild_id)
    small = cut(small, limit * 2 // 3)
    body = _body(entry.body, min(ENTRY, limit - size(small) - 1))
    return f"{body}\n{small}" if small else body


def _body(text: str, limit: int) -> str:
    return cut(_HEADING.sub(r"\1\\", sanitize.unmasked(text)), limit) or layouts.NOTHING


def _small(entry: Entry, guild_id: int | None) -> str:
    if entry.at is None:
        facts = [markup.dated(sanitize.unmasked(entry.head)), *([_way(entry, guild_id)] if entry.link else [])]
        if entry.memory_id is not None:
            facts.append(f"#{entry.memory_id}")
    else:
        there = catalogue.gettext("in {channel}").format(channel=sanitize.name(entry.place)) if entry.place else ""
        place = _way(entry, guild_id) if entry.link else there
        number = "" if entry.memory_id is None else f"#{entry.memory_id}"
        facts = [
            sanitize.name(entry.who) if entry.who else "",
            f"<t:{int(entry.at.timestamp())}:R>",
            place,
            *entry.marks,
            number,
        ]
    told = " · ".join(filter(None, facts))
    return f"{_SMALL}{' '.join(told.split())}" if told else ""


def _way(entry: Entry, guild_id: int | None) -> str:
    """A link to where it was said."""
    assert entry.link is not None
    label = f"#{sanitize.name(entry.place)}" if entry.place else catalogue.gettext("go to the message")
    return f"[{label}]({message_links.address(guild_id, *entry.link)})"


def _notes(listing: Listing) -> str:
    """The notes in small print, a line each."""
    return cut("\n".join(f"{_SMALL}{' '.join(sanitize.unmasked(note).split())}" for note in listing.notes), NOTES)


def _footer(listing: Listing, prefix: str, *, has_command: bool) -> str:
    """Which page it is, where there are more, and what asks for it again, where it may be or in any case.

    Read by `asked`.
    """
    has_command = has_command or can_be_asked_again(listing) or can_be_explained(listing)
    told = catalogue.gettext(_PAGE).format(page=listing.page, pages=listing.told_pages)
    page = [told] if listing.pages > 1 else []
    again = [f"{prefix}{sanitize.unmasked(listing.again)}"] if has_command else []
    return f"{_SMALL}{' · '.join([*page, *again])}" if page or again else ""
