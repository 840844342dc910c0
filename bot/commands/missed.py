"""`!missed`: tells in private what was decided, planned and asked since one was here last, or in a while."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot import catalogue, errors
from bot.commands import grammar
from bot.commands.invocation import Invocation, Reach
from bot.dates import times
from bot.domain import Caller, ChannelId, Entry, Listing, MessageId, Reply, Stock, What
from bot.presentation import render, retrieved
from bot.recall.ledger_search import LedgerSearch
from bot.recall.librarian import Librarian
from bot.recall.retrievers.retrieval import NOTHING, Retrieved, Retriever, Wanted
from bot.text import sanitize
from bot.text.normalize import shown

FURTHEST: Final = timedelta(days=30)
"""How far back is looked for whoever was here last before that, or never."""
IN_PRIVATE: Final = catalogue.later("I tell you in private, of what you can read:")
_HEADINGS: Final = {
    What.DECIDED: catalogue.later("decided"),
    What.PLANNED: catalogue.later("planned"),
    What.ASKED: catalogue.later("asked, and not answered"),
    What.SAID: catalogue.later("said"),
}
_JUST_NOW: Final = timedelta(seconds=30)
"""What somebody says to ask is not what they said before; and a while that ended so lately goes on."""
_KINDS: Final = {
    What.DECIDED: catalogue.later("decided"),
    What.PLANNED: catalogue.later("planned"),
    What.ASKED: catalogue.later("asked"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedReply(Reply):
    """The offer to tell it to whoever asks, from one moment on, and up to another."""

    since: datetime
    until: datetime | None = None
    only: frozenset[What] = frozenset()
    """The kinds of things that are asked for alone; none where all are."""


class MissedTalk:
    """The use case of what somebody missed."""

    def __init__(
        self, happened: Retriever, ledger: LedgerSearch, librarian: Librarian, clock: Callable[[], datetime]
    ) -> None:
        self._happened = happened
        self._ledger = ledger
        self._librarian = librarian
        self._clock = clock

    async def missed(self, given: Invocation) -> Reply:
        """What the caller missed since they said something last, or what happened at the time that is named.

        Raises `BadArgument` for what names no time.
        """
        text, caller = given.args.text, given.caller
        spans = times.read_alone(text, as_of=self._clock(), zone=caller.time_zone).spans
        if text and not spans:
            told = catalogue.gettext(
                "{p}missed takes a time, such as one of {times}; without one it tells what happened since you said "
                "something last."
            )
            raise errors.BadArgument(told.format(p=caller.prefix, times=catalogue.gettext(grammar.TIMES)))
        return await self.asked(caller, spans[:1], await given.reach(caller))

    async def asked(
        self,
        caller: Caller,
        spans: tuple[times.Span, ...],
        reach: Reach,
        *,
        only: frozenset[What] = frozenset(),
        apart_from: tuple[MessageId, ...] = (),
    ) -> Reply:
        """What happened in that span, or since the caller was here; where others read along, the offer to tell it.

        Where some kinds of things are asked for, those alone.
        """
        since, until = await self._while(caller, spans)
        if not reach.is_alone:
            return MissedReply(
                text=catalogue.gettext(IN_PRIVATE), since=since, until=until, only=only, stock=Stock.LISTED
            )
        readable = _reading(caller, reach)
        return await self.between(readable, since, until, only=only, apart_from=apart_from)

    async def has_any(
        self, caller: Caller, spans: tuple[times.Span, ...], reach: Reach, *, apart_from: tuple[MessageId, ...]
    ) -> bool:
        """Whether the caller can read of anything that happened in that span, of what was said in it."""
        since, until = await self._while(caller, spans)
        wanted = self._wanted(_reading(caller, reach), since, until, apart_from=apart_from)
        return bool((await self._happened.retrieve(wanted)).passages)

    async def between(
        self,
        caller: Caller,
        since: datetime,
        until: datetime | None,
        *,
        only: frozenset[What] = frozenset(),
        apart_from: tuple[MessageId, ...] = (),
    ) -> Reply:
        """What happened between two moments in the channels visible to the caller, who reads alone."""
        wanted = self._wanted(caller, since, until, only=only, apart_from=apart_from)
        found = await self._happened.retrieve(wanted)
        zone = caller.time_zone
        span = _span(since, until, zone)
        kinds = [catalogue.gettext(told) for what, told in _KINDS.items() if not only or what in only]
        if not found.passages:
            sought = catalogue.either(kinds)
            told = catalogue.gettext("{nothing} of anything {kinds} {span}.")
            nothing = catalogue.gettext(NOTHING)
            text = render.or_there(caller, told.format(nothing=nothing, kinds=sought, span=span))
            return Reply(text=text, stock=Stock.LISTED)
        told = catalogue.gettext("What was {kinds} {span}") if only else catalogue.gettext("What happened {span}")
        title, drawn = (told.format(kinds=catalogue.both(kinds), span=each) for each in (span, _span(since, until)))
        links = await self._librarian.places(caller, [one.at[1] for one in found.passages if one.at is not None])
        names = await self._librarian.channel_names(caller)
        entries = [_entry(one, names, links, zone) for one in found.passages]
        lines = [render.led(caller, render.entry_lines(entry), entry) for entry in entries]
        return Reply(
            text="\n".join([f"{title}:", *lines, *_more(found.left_out)]),
            shown=tuple(one.memory.memory_id for one in found.passages if one.memory is not None),
            quoted=tuple(one.message for one in found.passages if one.message is not None),
            entries=tuple(one.entry for one in found.passages if one.entry is not None),
            listing=Listing(title=drawn, entries=tuple(entries)),
            stock=Stock.LISTED,
        )

    def _wanted(
        self,
        caller: Caller,
        since: datetime,
        until: datetime | None,
        *,
        only: frozenset[What] = frozenset(),
        apart_from: tuple[MessageId, ...],
    ) -> Wanted:
        # Nobody misses what they said themselves; what was decided, or happened in a while that is over, is told whole.
        goes_on = until is None or until > self._clock()
        not_by = caller.person_id if goes_on and not only else None
        return Wanted(caller=caller, since=since, until=until, only=only, apart_from=apart_from, not_by=not_by)

    async def _while(self, caller: Caller, spans: tuple[times.Span, ...]) -> tuple[datetime, datetime | None]:
        """From when, and up to when: the span, or since the caller was here."""
        now = self._clock()
        since, until = (spans[0].start, spans[0].end) if spans else (await self._last_here(caller, now), None)
        if until is not None and timedelta() <= now - until < _JUST_NOW:
            until = None
        return since or now - FURTHEST, until

    async def _last_here(self, caller: Caller, now: datetime) -> datetime:
        """When the caller said something last; at most 30 days ago."""
        last = await self._ledger.last_heard(caller, now - _JUST_NOW)
        return max(now - FURTHEST, last or now - FURTHEST)


def _reading(caller: Caller, reach: Reach) -> Caller:
    """The caller, with all that they can read."""
    return replace(caller, visible=tuple(reach.readable.get(caller.space_id, ())))


def _span(since: datetime, until: datetime | None, zone: str = "UTC") -> str:
    """How it is told of what while it is; in UTC for places that show times to everyone in their own zone."""
    told = [render.time(moment, zone) for moment in (since, until) if moment is not None]
    if len(told) == 1:
        return catalogue.gettext("since {since}").format(since=told[0])
    return catalogue.gettext("since {since} until {until}").format(since=told[0], until=told[1])


def _more(left_out: int) -> list[str]:
    """What tells that there was more."""
    told = catalogue.ngettext(
        "And {count} thing more before these; name a shorter time to see them.",
        "And {count} things more before these; name a shorter time to see them.",
        left_out,
    )
    return [told.format(count=left_out)] if left_out else []


def _entry(
    passage: Retrieved, names: Mapping[ChannelId, str], links: Mapping[MessageId, ChannelId], zone: str
) -> Entry:
    """A passage with what it does, who said it when, and where, and the way there."""
    where = names.get(passage.at[0], "") if passage.at else ""
    place = links.get(passage.at[1]) if passage.at else None
    kind = catalogue.gettext(_HEADINGS[passage.what])
    who = retrieved.head(replace(passage, what=What.SAID), zone)
    return Entry(
        head=" · ".join(part for part in (kind, who, where) if part),
        body=shown(passage.text),
        link=None if passage.at is None or place is None else (place, passage.at[1]),
        memory_id=None if passage.memory is None else passage.memory.memory_id,
        who=sanitize.name(passage.speaker) if passage.speaker else "",
        at=None if passage.entry is not None else passage.through_at,
        place=where,
        marks=(kind,),
    )
