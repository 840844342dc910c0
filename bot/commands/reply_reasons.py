"""`!why`: explains a reply by the layers walked, what was found and shown, the model, and the time taken."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.domain import Caller, ChannelId, Entry, Listing, Memory, MemoryId, Message, MessageId, Reply
from bot.presentation import exact_reasons, reasons, render
from bot.recall.librarian import Librarian
from bot.store.trail import Origin, Trail
from bot.store.turn_trails import TurnReasons, TurnTrails, WhatIsLeft
from bot.text import normalize

ROWS_A_PAGE: Final = 6
EXCERPT: Final = 300
"""Characters of what a row says; `!memories` has the whole."""
NO_REPLY_YET: Final = catalogue.later(
    "I have not replied to anything in this channel yet, so there is nothing to explain."
)
NOT_KNOWN: Final = catalogue.later(
    "I know of no reply of mine there that I may explain here; take the link of one in this channel, or reply to it."
)

ELSEWHERE: Final = catalogue.later("a message that Discord's search found")

_REFERENCE: Final = re.compile(
    r"<?(?:https?://(?:\w+\.)?discord(?:app)?\.com/channels/(?:\d{1,20}|@me)/\d{1,20}/|\d{1,20}-)?(\d{1,19})/?>?"
)
_LARGEST: Final = 2**63
_KINDS: Final = {
    "#": catalogue.later("a memory"),
    "N": catalogue.later("a note"),
    "M": catalogue.later("a message"),
    "A": catalogue.later("an artifact"),
    "P": catalogue.later("a playbook"),
    "S": catalogue.later("a summary"),
}
VERBATIM: Final = frozenset({"verbatim", "offline", "unreachable"})
"""Of those, the outcomes that are quotations."""
_TOLD: Final = VERBATIM | {"checked"}
"""Those, and what was put into other words that hold."""


def reference(text: str) -> MessageId | None:
    """The message id that a link or a number names; none for anything else."""
    found = _REFERENCE.fullmatch(text.strip())
    number = int(found[1]) if found else 0
    return MessageId(number) if 0 < number < _LARGEST else None


class ReplyReasons:
    """The use case behind `!why`."""

    def __init__(self, reasons: TurnTrails, librarian: Librarian, clock: Callable[[], datetime]) -> None:
        self._reasons = reasons
        self._librarian = librarian
        self._clock = clock

    async def why(self, given: Invocation) -> Reply:
        """Explains the last reply here, or the one named: in two sentences, or exactly. Raises as `_told` does."""
        caller, args = given.caller, given.args
        told = await self._told(caller, args.text)
        return await self._explained(caller, told, page=args.number("page", 1), is_exact="exactly" in args.bare)

    async def of_answer(self, caller: Caller, turn_id: MessageId) -> Reply | None:
        """Explains the answer to a message in two sentences; none where it was not looked for in memory.

        Of a reply that explains an answer itself it is that answer.
        """
        told = await self._reasons.of(caller, turn_id)
        if told is not None and told.trail.explains is not None:
            told = await self._reasons.of(caller, told.trail.explains)
        if told is None or not (told.trail.walk or told.trail.grounded):
            return None
        return await self._explained(caller, told, page=1, is_exact=False)

    async def _explained(self, caller: Caller, told: TurnReasons, *, page: int, is_exact: bool) -> Reply:
        rows, hidden = await self._rows(caller, told, rests_on=None if is_exact else reasons.rests_on(told.trail))
        pages = max(1, -(-len(rows) // ROWS_A_PAGE))
        if page > pages:
            told_pages = catalogue.ngettext(
                "No more on page {page}; there is {count} page.",
                "No more on page {page}; there are {count} pages.",
                pages,
            )
            return Reply(text=told_pages.format(page=page, count=pages))
        shown = rows[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
        head = [*(exact_reasons.of(told) if is_exact else [reasons.briefly(told, len(rows))]), *_counted(hidden)]
        head = [*_asked(told), *head] if page == 1 else []
        when = self._when(caller, told.answered_at, is_exact=is_exact)
        title = catalogue.gettext("Why I said that, {when}").format(when=when)
        again = f"why {told.turn_id}{' exactly' * is_exact}"
        listing = Listing(
            title=title,
            lead="\n".join(head),
            entries=tuple(shown),
            page=page,
            pages=pages,
            again=again,
            explains=None if is_exact else told.turn_id,
        )
        more = render.more(page=page, pages=pages, again=again, prefix=caller.prefix)
        if not is_exact:
            exactly = catalogue.gettext("{command} tells how.").format(command=f"{caller.prefix}{again} exactly")
            more = "\n".join(filter(None, (more, exactly)))
        return Reply(text=_text(caller, title, head, shown, more), listing=listing)

    async def told_of(self, caller: Caller, *, after: MessageId | None, under: MessageId | None) -> list[Memory]:
        """The memories that the reply to a message, or this reply, confirmed; else those it tells, in any words."""
        if under is not None:
            answered = await self._librarian.reply(caller, under)
            after = after if answered is None else answered[1].message_id
        if after is None:
            return []
        kept, _ = await self._librarian.resting_on(caller, after)
        return kept or [one for one in await self._cited(caller, after, _TOLD) if isinstance(one, Memory)]

    async def quoted(self, caller: Caller, turn_id: MessageId) -> list[Memory | Message]:
        """What a reply quotes word for word, as far as it still exists and may be shown."""
        return await self._cited(caller, turn_id, VERBATIM)

    async def _cited(self, caller: Caller, turn_id: MessageId, outcomes: Collection[str]) -> list[Memory | Message]:
        """What a reply cites that came out in one of these ways, as far as it still exists and may be shown."""
        told = await self._reasons.of(caller, turn_id)
        trail = Trail() if told is None else told.trail
        if trail.grounded is None or trail.grounded.outcome not in outcomes:
            return []
        origins = [trail.origin(label) for label in trail.grounded.cited]
        standing = await self._reasons.standing(
            caller,
            [one.memory_id for one in origins if one.memory_id is not None],
            [one.message[1] for one in origins if one.message is not None],
        )
        found: list[Memory | Message | None] = []
        for one in origins:
            if one.memory_id is not None:
                found.append(standing.memories.get(one.memory_id))
            elif one.message is not None:
                found.append(standing.messages.get(one.message[1]))
        return [item for item in found if item is not None]

    def _when(self, caller: Caller, at: datetime, *, is_exact: bool) -> str:
        return render.time(at, caller.time_zone) if is_exact else render.age(at, self._clock())

    async def _told(self, caller: Caller, text: str) -> TurnReasons:
        if not text:
            last = await self._reasons.last(caller)
            if last is None:
                raise errors.NotFound(NO_REPLY_YET)
            return last
        message_id = reference(text)
        if message_id is None:
            told = catalogue.later(
                "{p}why takes the link or the number of a reply of mine, or nothing for the last one here."
            )
            raise errors.BadArgument(lambda p: catalogue.gettext(told).format(p=p))
        found = await self._reasons.of(caller, message_id)
        if found is None:
            raise errors.NotFound(NOT_KNOWN)
        return found

    async def _rows(
        self, caller: Caller, told: TurnReasons, rests_on: Collection[str] | None
    ) -> tuple[list[Entry], int]:
        """One row for each source found or shown, and how many more may not be shown here.

        Where it is told what the reply `rests_on`, those alone; where nothing was found, what it shows.
        """
        trail, found = told.trail, told.trail.found
        labels = [*found] if rests_on is None else [label for label in found if label in rests_on]
        origins = {label: trail.origin(label) for label in labels}
        ids = {origin.memory_id for origin in origins.values() if origin.memory_id is not None}
        # What a model had before it unasked had no part in most answers; in a run of a workflow it was looked up.
        is_told = rests_on is None or (told.model is None and not labels) or trail.run is not None
        active = [memory_id for memory_id in told.shown if memory_id not in ids and is_told]
        said = [origin.message[1] for origin in origins.values() if origin.message is not None]
        standing = await self._reasons.standing(caller, [*ids, *active], said)
        drawer = _Drawer(
            standing,
            await self._librarian.channel_names(caller),
            await self._librarian.places(caller, {e for m in standing.memories.values() for e in m.evidence}),
            self._clock(),
            caller,
            is_exact=rests_on is None,
        )
        rows = [drawer.found(label, origin, found[label]) for label, origin in origins.items()]
        rows += [drawer.memory(memory_id, _shown_by(told)) for memory_id in active]
        entries = [row for row in rows if row is not None]
        return entries, len(rows) - len(entries)


class _Drawer:
    """Renders sources of a reply, as far as they may be shown."""

    def __init__(
        self,
        standing: WhatIsLeft,
        channels: Mapping[ChannelId, str],
        links: render.Links,
        now: datetime,
        caller: Caller,
        *,
        is_exact: bool,
    ) -> None:
        self._is_exact = is_exact
        self._standing = standing
        self._channels = channels
        self._links = links
        self._now = now
        self._caller = caller

    def found(self, label: str, origin: Origin, score: float | None) -> Entry | None:
        """What a label stands for, with its score."""
        scored = catalogue.gettext("found, score {score}")
        how = catalogue.gettext("found") if score is None else scored.format(score=f"{score:.2f}")
        if origin.memory_id is not None:
            return self.memory(origin.memory_id, how)
        if origin.message is not None and origin.elsewhere is not None:
            if origin.elsewhere not in self._caller.visible:
                return None
            head = f"{label} · {catalogue.gettext(ELSEWHERE)} · {how}"
            return Entry(head=head, body=catalogue.gettext("nothing of it is kept here"), link=origin.message)
        if origin.message is not None:
            return self._message(label, origin.message[1], how)
        kind = catalogue.gettext(_KINDS.get(label[:1], catalogue.later("something")))
        return Entry(
            head=f"{normalize.one_line(normalize.shown(label), 20)} · {kind} · {how}", body=_address(origin.url or "")
        )

    def memory(self, memory_id: MemoryId, how: str) -> Entry | None:
        """A memory, what became of it, or none where it can't be seen."""
        memory: Memory | None = self._standing.memories.get(memory_id)
        if memory is not None:
            entry = render.memory_entry(memory, self._channels, self._links, self._now)
            return self._told(entry, how, f"{entry.head} · {how}")
        if memory_id not in self._standing.gone:
            return None
        by = self._standing.gone[memory_id]
        replaced = catalogue.gettext("replaced since by #{number}").format(number=by)
        body = catalogue.gettext("forgotten since") if by is None else replaced
        return Entry(head=f"#{memory_id} · {how}", body=body)

    def _message(self, label: str, message_id: MessageId, how: str) -> Entry | None:
        message = self._standing.messages.get(message_id)
        if message is None:
            return None
        entry = render.message_entry(message, self._standing.places, self._caller.time_zone)
        name = normalize.one_line(normalize.shown(label), 20)
        return self._told(entry, f"{name} · {how}", f"{name} · {entry.head} · {how}")

    def _told(self, entry: Entry, how: str, head: str) -> Entry:
        """The entry on a line, with how it came into the reply where that is told exactly."""
        said = replace(entry, body=normalize.one_line(entry.body, EXCERPT))
        return replace(said, head=head, marks=(*entry.marks, how)) if self._is_exact else said


def _asked(told: TurnReasons) -> list[str]:
    """Which reply it is about, by what it answers."""
    line = normalize.one_line(normalize.shown(told.question or ""), EXCERPT)
    return [catalogue.gettext("The question: “{question}”").format(question=line)] if line else []


def _shown_by(told: TurnReasons) -> str:
    """How a source came into the reply that no layer found."""
    if told.model is None:
        return catalogue.gettext("shown in the reply")
    if told.trail.tools:
        return catalogue.gettext("shown, as Active Memory or by a tool")
    return catalogue.gettext("shown as Active Memory")


def _counted(hidden: int) -> list[str]:
    """How much of it stands nowhere with Hathi, as it was read on Discord, or may not be shown."""
    told = catalogue.gettext("{count} of these I keep no record of, or can't show here (any more).")
    return [told.format(count=hidden)] if hidden else []


def _text(caller: Caller, title: str, head: Iterable[str], rows: Iterable[Entry], more: str) -> str:
    """All of it in words; under each memory stands what can be done with it."""
    lines = [title, *head]
    for row in rows:
        lines += ["", row.head]
        if row.body:
            lines.append(render.led(caller, f"    {row.body}", row))
        if row.memory_id is not None:
            lines.append(render.changes(row.memory_id, caller.prefix))
    return "\n".join([*lines, *(["", more] if more else [])])


def _address(url: str) -> str:
    return normalize.one_line(normalize.shown(url), EXCERPT)
