"""`!recall`: searches memory, messages and files, and shows the results."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot import arguments, catalogue, errors
from bot.commands import grammar, score_breakdown
from bot.commands.grammar import GRAMMARS
from bot.commands.invocation import Invocation
from bot.commands.memory_lists import MemoryLists
from bot.domain import (
    TERMINAL_SPACE,
    Caller,
    Listing,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Parts,
    Recollection,
    Reply,
    Result,
    Role,
    Strategy,
    Tier,
)
from bot.language.requests import plain_requests, set_phrases
from bot.language.statements import assertions
from bot.presentation import render
from bot.recall import ledger_search
from bot.recall.file_search import AttachmentSearch
from bot.recall.ledger_search import LedgerSearch
from bot.recall.librarian import Librarian
from bot.recall.query import ParsedQuery, Query
from bot.text import amounts, normalize, pasted_lists

RESULTS_A_PAGE: Final = 5
MOST_RESULTS: Final = 20
MOST_FILES: Final = 3
"""Of those, files that speak of what was looked for."""
MOST_ENTRIES: Final = 3
"""Entries of ledgers that are found beside them."""
HELD: Final = 0.6
"""Of the query's telling words, the share that such an entry holds at least."""
_NUMBER: Final = re.compile(r"#([1-9]\d{0,17})")
SAY_MORE: Final = catalogue.later("Tell me more about it: another word that was said, a name, or what it was about.")
"""Under the sentence for nothing, where words are only counted."""


class Recalling:
    """The use cases that search memory."""

    def __init__(
        self,
        librarian: Librarian,
        files: AttachmentSearch,
        ledger: LedgerSearch,
        lists: MemoryLists,
        clock: Callable[[], datetime],
    ) -> None:
        self._librarian = librarian
        self._files = files
        self._ledger = ledger
        self._lists = lists
        self._clock = clock

    async def search(
        self,
        caller: Caller,
        text: str,
        *,
        tier: Tier | None = None,
        limit: int = 5,
        apart_from: tuple[MessageId, ...] = (),
    ) -> Reply:
        """What memory and messages hold on the query, or the sentence for nothing found."""
        query = Query(text=text, as_of=self._clock(), tier=tier, limit=limit, apart_from=apart_from)
        found = await self._found(caller, query)
        return await self.told(caller, replace(found, questions=()))

    async def _found(self, caller: Caller, query: Query) -> Recollection:
        """What memory, messages and files hold on a query, which is read once for all of them."""
        if query.strategy is not Strategy.RANKED:
            return await self._librarian.recall(caller, query)
        parsed = await self._librarian.read(caller, query)
        found = await self._librarian.ranked(caller, parsed)
        if not query.messages:
            return found
        return await self._with_entries(caller, parsed, await self._with_files(caller, parsed, found))

    async def _with_files(self, caller: Caller, parsed: ParsedQuery, found: Recollection) -> Recollection:
        """What was found and what files say of it, each as said by whoever sent it; what holds most comes first."""
        query = parsed.query
        asked = Message(
            space_id=caller.space_id,
            channel_id=caller.channel_id,
            message_id=MessageId(0),
            role=Role.PERSON,
            author_id=caller.person_id,
            author=caller.name,
            content=query.text,
            said_at=query.as_of,
        )
        searched = await self._files.search(caller, asked, parsed=parsed, apart_from=query.apart_from)
        files = searched.attachments[:MOST_FILES]
        if not files:
            return found
        results = [
            Result(
                item=replace(
                    asked,
                    channel_id=file.place_id,
                    message_id=file.message_id,
                    author_id=None,
                    author=file.author,
                    content=f"{file.name}: {file.passage}",
                    said_at=file.said_at,
                ),
                parts=Parts(text=file.score),
            )
            for file in files
        ]
        # The message that a file came with says nothing that it does not.
        sent = {file.message_id for file in files}
        others = [r for r in found.results if isinstance(r.item, Memory) or r.item.message_id not in sent]
        ranked = sorted([*results, *others], key=lambda result: -result.parts.score)
        return replace(found, results=tuple(ranked[: query.limit]))

    async def _with_entries(self, caller: Caller, parsed: ParsedQuery, found: Recollection) -> Recollection:
        """What was found and, behind it, the entries of ledgers that hold as much of the query, and tell of others.

        Where what was said is kept no longer, or stands apart, they are what is left to be found.
        """
        telling = parsed.telling or parsed.terms
        if not telling:
            return found
        entries = await self._ledger.holding(caller, telling, most=MOST_ENTRIES)
        told = {key for result in found.results for key in ledger_search.sources(result)}
        more = [
            ledger_search.result(one, one.words / len(telling))
            for one in entries
            if one.words >= max(1, HELD * len(telling)) and one.is_new({*told, *parsed.query.apart_from})
        ]
        return replace(found, results=(*found.results, *more)[: parsed.query.limit])

    async def told(self, caller: Caller, found: Recollection, *, with_links: bool = False) -> Reply:
        """A recollection as text, with the ids of its memories, and with links where a person reads it.

        What only asks about it comes last, and is marked as asked.
        """
        now = self._clock()
        channels = await self._librarian.channel_names(caller)
        shown = (*found.results, *found.questions)
        said = tuple(r.item for r in shown if isinstance(r.item, Message) and r.entry is None)
        entries_shown = tuple(r.entry for r in shown if r.entry is not None)
        ids = {e for memory in found.memories for e in memory.evidence}
        ids |= {result.item.message_id for result in shown if isinstance(result.item, Message)}
        links, zone = await self._librarian.places(caller, ids), caller.time_zone
        entries = [render.result_entry(result, channels, links, now, zone) for result in found.results]
        opened = await self._librarian.contradictions(caller, (memory.memory_id for memory in found.memories))
        entries = [render.with_open(entry, opened) for entry in entries]
        entries += render.question_entries(found, links, zone)
        lines = [render.entry_lines(entry) for entry in entries]
        if with_links:
            lines = [render.led(caller, text, entry) for text, entry in zip(lines, entries, strict=True)]
        return Reply(
            text=render.recollection(caller, found, lines),
            shown=tuple(memory.memory_id for memory in found.memories),
            quoted=said,
            entries=entries_shown,
            listing=Listing(title=catalogue.gettext("What I found"), entries=tuple(entries), notes=found.asked.notes)
            if entries
            else None,
        )

    async def recall(self, given: Invocation) -> Reply:
        """One page of results, or why they were found; one sentence for nothing.

        Raises `NotFound` for a tag no memory has.
        """
        caller, args = given.caller, given.args
        if number := _NUMBER.fullmatch(args.text):
            return await self._lists.numbered(caller, [MemoryId(int(number[1]))])
        tier, page = args.word("tier", "all"), args.number("page", 1)
        strategy = Strategy(args.word("strategy", Strategy.RANKED))
        size = args.number("limit", 1 if strategy is Strategy.LITERAL else RESULTS_A_PAGE)
        then = _then(args.word("as_of", ""), caller.time_zone)
        if then is not None and strategy is not Strategy.RANKED:
            raise errors.BadArgument(catalogue.later("as_of goes with the strategy ranked alone."))
        query = Query(
            text=args.text,
            as_of=self._clock(),
            then=then,
            tier=None if tier == "all" else Tier(tier),
            limit=MOST_RESULTS,
            tags=await self._lists.tags_meant(caller, args.words("tag")),
            strategy=strategy,
        )
        found = _speaking(await self._found(caller, query), caller.prefix)
        shown = render.page_of(found, page=page, size=size)
        if found and not shown:
            told = (
                catalogue.gettext("No more results on page {page}; the best {most} are listed.")
                if len(found.results) >= MOST_RESULTS
                else catalogue.gettext("No more results on page {page}; {results} in all.")
            )
            return Reply(text=told.format(page=page, most=MOST_RESULTS, results=amounts.results(len(found.results))))
        if "why" in args.bare:
            limit = None if caller.space_id == TERMINAL_SPACE else score_breakdown.LIMIT
            told = score_breakdown.explained(found, strategy, page=page, size=size, zone=caller.time_zone, limit=limit)
            return Reply(text=told)
        if not found and strategy is Strategy.LITERAL:
            return Reply(text=f"{render.nothing_found(caller)}\n{catalogue.gettext(SAY_MORE)}")
        told = await self.told(caller, shown, with_links=True)
        return self._paged(caller, told, args, total=len(found.results), page=page, size=size)

    def _paged(
        self, caller: Caller, reply: Reply, args: arguments.Arguments, *, total: int, page: int, size: int
    ) -> Reply:
        """One page of a recall, with what asks for the next; questions stand on the last and are not counted."""
        if reply.listing is None:
            return reply
        pages, again = max(1, -(-total // size)), arguments.asked_again(args, GRAMMARS["recall"])
        day = args.word("as_of", "")
        if not total:
            told = catalogue.gettext("Nothing found for {query}")
        elif day:
            told = catalogue.gettext("{count} found for {query} as memory stood on {day}")
        else:
            told = catalogue.gettext("{count} found for {query}")
        title = told.format(count=total, query=repr(normalize.one_line(normalize.shown(args.text), 80)), day=day)
        more = render.more(page=page, pages=pages, again=again, prefix=caller.prefix)
        return replace(
            reply,
            text="\n".join([reply.text, more] if more else [reply.text]),
            listing=replace(reply.listing, title=title, page=page, pages=pages, again=again),
        )


def _speaking(found: Recollection, prefix: str) -> Recollection:
    """What was found without what only stands beside it: who looks for a word is shown none that has nothing of it.

    But for what was said right after somebody else's question, which need not repeat its words. What only had Hathi do
    something tells nothing.
    """
    return replace(
        found,
        results=tuple(one for one in found.results if _tells(one, prefix)),
        questions=tuple(one for one in found.questions if not one.is_beside and not _is_order(one, prefix)),
    )


def _tells(result: Result, prefix: str) -> bool:
    """Whether it tells of what was looked for, or answers somebody else's question."""
    answers = result.answers and not _keeps(result)
    return (answers or not result.is_beside) and not _is_order(result, prefix)


def _is_order(result: Result, prefix: str) -> bool:
    """Whether it was said to Hathi and tells nothing: a command, a set phrase, a request to list or to forget."""
    if isinstance(result.item, Memory) or result.entry is not None:
        return False
    said = result.item.content
    asked = plain_requests.read(said)
    is_asked = isinstance(asked, plain_requests.ForgetRequest | plain_requests.ListRequest)
    return (
        is_asked or assertions.only_requests(said) or set_phrases.read(said).has_one or grammar.is_command(said, prefix)
    )


def _keeps(result: Result) -> bool:
    """Whether it has Hathi keep something, which answers nobody."""
    is_said = isinstance(result.item, Message) and result.entry is None
    return is_said and isinstance(plain_requests.read(result.item.content), pasted_lists.Listed)


def _then(day: str, zone: str) -> datetime | None:
    """The end of a day where people here live; none where none is named. Raises `BadArgument` for what is no day."""
    if not day:
        return None
    try:
        after = date.fromisoformat(day) + timedelta(days=1)
    except (ValueError, OverflowError) as exc:
        told = catalogue.gettext("as_of takes a day such as 2026-05-03, not {day}.")
        raise errors.BadArgument(told.format(day=repr(day))) from exc
    midnight = render.local(datetime.combine(after, time(), UTC), zone)
    return datetime.combine(after, time(), midnight.tzinfo)
