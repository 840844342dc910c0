"""`!memories`, `!tags` and `!sessions`: lists memories, their tags and past sessions, page by page."""

import difflib
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from bot import arguments, catalogue, errors
from bot.commands.grammar import GRAMMARS
from bot.commands.invocation import Invocation
from bot.dates import times
from bot.domain import Caller, Entry, Listing, Memory, MemoryId, Reply, SessionId, Stock
from bot.language.tags import tagging
from bot.presentation import render, talked_lists
from bot.recall.librarian import Librarian
from bot.recall.listings import Narrowing
from bot.text import amounts, normalize

MEMORIES_A_PAGE: Final = 6
RULES: Final = 12
"""Of what admins laid down, so much is told at once."""
TAGS_A_PAGE: Final = 20
TAGS_COMPARED: Final = 500
"""The most used tags, among which what was meant by an unknown one is looked for."""
SESSIONS_A_PAGE: Final = 5
WHOLE: Final = 3_000
"""Characters of a memory that is asked for by its number: as many as a message has room for."""


class MemoryLists:
    """The use cases that list memories, their tags and past sessions."""

    def __init__(self, librarian: Librarian, clock: Callable[[], datetime]) -> None:
        self._librarian = librarian
        self._clock = clock

    async def memories(self, given: Invocation) -> Reply:
        """One page of memories, filtered as asked."""
        return await self._memories(given.caller, given.args)

    async def listed(self, caller: Caller, line: str) -> Reply:
        """What `!memories` lists, for requests in plain words."""
        return await self._memories(caller, arguments.parse(line, GRAMMARS["memories"]))

    async def _memories(self, caller: Caller, args: arguments.Arguments) -> Reply:
        page, tags = args.number("page", 1), await self.tags_meant(caller, args.words("tag"))
        since, until = _span(args.word("said", ""), self._clock(), caller.time_zone)
        wanted = Narrowing(
            tags=tags,
            filed_under=args.text or None,
            least=args.number("min", 1),
            by_importance=args.word("sort", "importance") == "importance",
            author_id=caller.person_id if args.word("by", "") else None,
            since=since,
            until=until,
        )
        found, total = await self._librarian.memories(caller, wanted, page=page, size=MEMORIES_A_PAGE)
        if not found:
            name = normalize.one_line(args.text, 60)
            if page > 1:
                told = catalogue.gettext("No memories{about}{tagged} on page {page}.")
                return Reply(text=told.format(about=_about(name), tagged=_tagged(tags), page=page))
            if tags or "by" in args.named or "said" in args.named:
                told = catalogue.gettext("No memories{about}{narrowed}{tagged}.")
                return Reply(text=told.format(about=_about(name), narrowed=_narrowed(args), tagged=_tagged(tags)))
            if name:
                told = catalogue.gettext("No topic or room is called {quoted}; {p}recall {name} looks in the texts.")
                return Reply(text=told.format(quoted=repr(name), name=name, p=caller.prefix))
            return Reply(text=catalogue.gettext("No memories yet."))
        again = arguments.asked_again(args, GRAMMARS["memories"])
        entries, lines = await self._entries(caller, found)
        if again:
            lines = [
                render.paged(lines, page=page, size=MEMORIES_A_PAGE, total=total, command=f"{caller.prefix}{again}")
            ]
        about = _about(normalize.one_line(normalize.shown(args.text), 80))
        return Reply(
            text="\n".join(lines),
            listing=Listing(
                title=f"{total.told('memory')}{about}{_narrowed(args)}{_tagged(tags)}",
                entries=entries,
                page=page,
                pages=total.pages(MEMORIES_A_PAGE),
                is_cut=total.is_cut(MEMORIES_A_PAGE),
                again=again,
            ),
        )

    async def rules(self, caller: Caller) -> Reply | None:
        """What admins laid down, for questions in plain words; none where they laid down nothing."""
        found = await self._librarian.directives(caller, limit=RULES + 1)
        if not found:
            return None
        entries, _ = await self._entries(caller, found[:RULES])
        more = catalogue.gettext("There is more; {p}memories lists all.").format(p=caller.prefix)
        listing = Listing(
            title=catalogue.gettext("What the admins laid down"),
            entries=entries,
            notes=(more,) if len(found) > RULES else (),
        )
        return Reply(text=talked_lists.told(listing, caller, most=RULES), listing=listing, stock=Stock.LISTED)

    async def numbered(self, caller: Caller, numbers: Sequence[MemoryId]) -> Reply:
        """The memories with these numbers, each whole. Raises `NotFound` for one that is not here."""
        entries, _ = await self._entries(caller, [await self._librarian.memory(caller, number) for number in numbers])
        lines = [render.led(caller, talked_lists.line(entry, caller, longest=WHOLE), entry) for entry in entries]
        title = catalogue.both(f"#{number}" for number in numbers)
        listing = Listing(title=title, entries=entries)
        return Reply(text="\n".join(lines), shown=tuple(numbers), listing=listing, stock=Stock.LISTED)

    async def made_of(self, caller: Caller, session_id: SessionId, *, page: int) -> Reply:
        """One page of what a reset's session became, as far as it stands; for places that can turn its pages."""
        found, total = await self._librarian.made_of(caller, session_id, page=page, size=MEMORIES_A_PAGE)
        entries, lines = await self._entries(caller, found)
        title = catalogue.gettext("{memories} of that conversation").format(memories=total.told("memory"))
        listing = Listing(title=title, entries=entries, page=page, pages=total.pages(MEMORIES_A_PAGE))
        return Reply(text="\n".join([title, *lines]), listing=listing)

    async def _entries(self, caller: Caller, found: Sequence[Memory]) -> tuple[tuple[Entry, ...], list[str]]:
        """The memories as entries and as lines."""
        channels = await self._librarian.channel_names(caller)
        links = await self._librarian.places(caller, {e for memory in found for e in memory.evidence})
        opened = await self._librarian.contradictions(caller, (memory.memory_id for memory in found))
        return render.listed(caller, found, channels, links, self._clock(), opened)

    async def tags_meant(self, caller: Caller, given: tuple[str, ...]) -> tuple[str, ...]:
        """The tags as memories have them: `finance` is `domain:finance` where no tag is `finance`.

        Raises `NotFound` with those that are near, for one that no memory has.
        """
        if not given:
            return ()
        kinds = ("", tagging.DOMAIN, tagging.TYPE)
        there = await self._librarian.tags_there(caller, [f"{kind}{tag}" for tag in given for kind in kinds])
        meant = {tag: next((f"{kind}{tag}" for kind in kinds if f"{kind}{tag}" in there), None) for tag in given}
        for tag, known in meant.items():
            if known is None:
                tags, _ = await self._librarian.tags(caller, limit=TAGS_COMPARED)
                raise _unknown_tag(tag, [each.name for each in tags])
        return tuple(dict.fromkeys(known for known in meant.values() if known is not None))

    async def tags(self, given: Invocation) -> Reply:
        """One page of tags, the most used first."""
        caller, args = given.caller, given.args
        page = args.number("page", 1)
        found, total = await self._librarian.tags(caller, limit=TAGS_A_PAGE, page=page)
        if not found:
            told = (
                catalogue.gettext("No tags on page {page}.")
                if page > 1
                else catalogue.gettext("No tags yet; every memory gets some.")
            )
            return Reply(text=told.format(page=page))
        uses = [(normalize.shown(tag.name), amounts.memories(tag.memories)) for tag in found]
        width = max(len(tag) for tag, _ in uses)
        lines = [f"{tag:<{width}}  {n}" for tag, n in uses]
        return Reply(
            text=render.paged(lines, page=page, size=TAGS_A_PAGE, total=total, command=f"{caller.prefix}tags"),
            listing=Listing(
                title=total.told("tag"),
                entries=tuple(Entry(head=tag, body=n) for tag, n in uses),
                page=page,
                pages=total.pages(TAGS_A_PAGE),
                is_cut=total.is_cut(TAGS_A_PAGE),
                again="tags",
                is_table=True,
            ),
        )

    async def sessions(self, given: Invocation) -> Reply:
        """One page of this channel's past sessions, the newest first."""
        caller, args = given.caller, given.args
        page = args.number("page", 1)
        found, total = await self._librarian.sessions(caller, page=page, size=SESSIONS_A_PAGE)
        if not found:
            told = (
                catalogue.gettext("No sessions on page {page}.")
                if page > 1
                else catalogue.gettext("No past sessions yet; {p}reset ends one.")
            )
            return Reply(text=told.format(page=page, p=caller.prefix))
        entries = tuple(render.session_entry(session, caller.time_zone) for session in found)
        lines = [render.entry_lines(entry) for entry in entries]
        title = catalogue.ngettext(
            "{count} past session of this channel", "{count} past sessions of this channel", total.number
        )
        return Reply(
            text=render.paged(lines, page=page, size=SESSIONS_A_PAGE, total=total, command=f"{caller.prefix}sessions"),
            listing=Listing(
                title=amounts.told(title.format(count=total.number), is_least=total.is_more),
                entries=entries,
                page=page,
                pages=total.pages(SESSIONS_A_PAGE),
                is_cut=total.is_cut(SESSIONS_A_PAGE),
                again="sessions",
            ),
        )


def _unknown_tag(tag: str, known: list[str]) -> errors.NotFound:
    """That no memory has it, and which tags are near: written like it, with or without what kind they are."""
    bare = {name.partition(":")[2] or name: name for name in reversed(known)}
    near = [
        *difflib.get_close_matches(tag, known, 3, 0.7),
        *(bare[n] for n in difflib.get_close_matches(tag, bare, 3, 0.7)),
    ]
    named = list(dict.fromkeys(near))[:3]
    told = (
        catalogue.later("No memory has the tag {tag}; did you mean {near}? {p}tags lists those there are.")
        if named
        else catalogue.later("No memory has the tag {tag}; {p}tags lists those there are.")
    )
    values = {
        "tag": repr(normalize.one_line(normalize.shown(tag), 60)),
        "near": catalogue.either(map(normalize.shown, named)),
    }
    return errors.NotFound(lambda p: catalogue.gettext(told).format(p=p, **values))


def _about(name: str) -> str:
    """How a sentence about memories goes on that names what they are about."""
    return catalogue.gettext(" about {name}").format(name=repr(name)) if name else ""


def _tagged(tags: tuple[str, ...]) -> str:
    """How a sentence about memories goes on that names their tags."""
    names = normalize.one_line(normalize.shown(catalogue.both(tags)), 80)
    return catalogue.gettext(" tagged {names}").format(names=names) if tags else ""


def _narrowed(args: arguments.Arguments) -> str:
    """How a sentence about memories goes on that names whose they are, and of when."""
    by = catalogue.gettext(" of yours") if "by" in args.named else ""
    said = args.word("said", "")
    return by + (catalogue.gettext(", said {time}").format(time=repr(said)) if said else "")


def _span(said: str, now: datetime, zone: str) -> tuple[datetime | None, datetime | None]:
    """The time that is named. Raises `BadArgument` where none is."""
    if not said:
        return None, None
    spans = times.read(said, as_of=now, zone=zone).spans
    if not spans:
        told = catalogue.gettext('said takes a time, such as said:today or said:"last week", not {said}.')
        raise errors.BadArgument(told.format(said=repr(said)))
    return spans[0].start, spans[0].end
