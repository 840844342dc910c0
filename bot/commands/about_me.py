"""`!me`: what Hathi knows about whoever asks, dated and quoted, as far as it may be shown there."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from bot import catalogue
from bot.commands.invocation import Invocation
from bot.domain import Caller, ChannelId, Entry, Listing, Memory, Reply, Right
from bot.presentation import render
from bot.recall.librarian import Librarian
from bot.store.people import People
from bot.store.spaces import Spaces
from bot.text import normalize

ROWS_A_PAGE: Final = 6
NOTHING: Final = catalogue.later("I have nothing about you here; say “remember that I …” and I will.")
"""Whether or not there is something elsewhere: that there is would tell it."""
NOTHING_KEPT: Final = catalogue.later(
    "I have nothing about you in this channel, and nothing is remembered in it; an admin can change that with {p}"
    "memory mode."
)
NOTHING_SAID: Final = catalogue.later(
    "I have nothing about you in this channel, where I keep only what you give me with {p}remember."
)
OPTED_OUT: Final = catalogue.later("I have nothing about you here; you opted out, and {p}memory on me takes that back.")
_NOTHING_IN: Final = {"off": NOTHING_KEPT, "explicit": NOTHING_SAID}


class AboutMe:
    """The use case behind `!me` and "What do you know about me?"."""

    def __init__(self, librarian: Librarian, spaces: Spaces, people: People, clock: Callable[[], datetime]) -> None:
        self._librarian = librarian
        self._spaces = spaces
        self._people = people
        self._clock = clock

    async def me(self, given: Invocation) -> Reply:
        """One page of memories of the caller."""
        return await self.about(given.caller, page=given.args.number("page", 1))

    async def about(self, caller: Caller, *, page: int = 1) -> Reply:
        """Memories that tell of the caller, as far as visible here, the most important and newest first."""
        found, total = await self._librarian.of_person(caller, page=page, size=ROWS_A_PAGE)
        if not found and page > 1:
            return Reply(text=catalogue.gettext("No more about you on page {page}.").format(page=page))
        if not found:
            return Reply(text=await self._nothing(caller))
        channels = await self._librarian.channel_names(caller)
        links = await self._librarian.places(caller, {e for memory in found for e in memory.evidence})
        title = catalogue.gettext("What I know about you: {memories}").format(memories=total.told("memory"))
        entries = tuple(_entry(memory, channels, links, caller) for memory in found)
        lines, removes = [title], catalogue.gettext("{p}mydata remove {number} asks to have it removed")
        for entry, memory in zip(entries, found, strict=True):
            told, number = render.led(caller, render.quoted(entry.body), entry), memory.memory_id
            asks = f"  {removes.format(p=caller.prefix, number=number)}"
            lines += [entry.head, told, asks if entry.is_others else render.changes(number, caller.prefix)]
        return Reply(
            text=render.paged(lines, page=page, size=ROWS_A_PAGE, total=total, command=f"{caller.prefix}me"),
            shown=tuple(memory.memory_id for memory in found),
            listing=Listing(
                title=title,
                entries=entries,
                page=page,
                pages=total.pages(ROWS_A_PAGE),
                is_cut=total.is_cut(ROWS_A_PAGE),
                again="me",
            ),
        )

    async def _nothing(self, caller: Caller) -> str:
        """One sentence, and how to change that."""
        if await self._people.opted_out(caller.person_id):
            return render.or_there(caller, catalogue.gettext(OPTED_OUT).format(p=caller.prefix))
        place = await self._spaces.place(caller.space_id, caller.channel_id)
        nothing = NOTHING if place is None else _NOTHING_IN.get(place.mode, NOTHING)
        return render.or_there(caller, catalogue.gettext(nothing).format(p=caller.prefix))


def _entry(memory: Memory, channels: Mapping[ChannelId, str], links: render.Links, caller: Caller) -> Entry:
    """The memory in quotation marks, with when and by whom it was said."""
    who = normalize.shown(memory.speaker or catalogue.gettext("nobody named"))
    channel = channels.get(memory.channel_id, catalogue.gettext("a channel"))
    marks = (catalogue.gettext("pinned"),) if memory.pinned else ()
    facts = [
        f"#{memory.memory_id}",
        render.time(memory.said_at, caller.time_zone),
        catalogue.gettext("importance {importance}").format(importance=memory.importance),
        who,
        catalogue.gettext("in {channel}").format(channel=channel),
        *marks,
    ]
    found = next((e for e in memory.evidence if e in links), None)
    return Entry(
        head=" · ".join(facts),
        body=f"“{normalize.shown(memory.content)}”",
        memory_id=memory.memory_id,
        link=None if found is None else (links[found], found),
        is_others=memory.author_id != caller.person_id and not caller.may(Right.MANAGE_GUILD),
        who=who,
        at=memory.said_at,
        place=channels.get(memory.channel_id, ""),
        marks=marks,
    )
