"""`!note`, `!notes`, `!promote` and `!wake`: a session's notes, their promotion, and how the session began."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.commands.places import Places
from bot.domain import Caller, Entry, Listing, Reply
from bot.facts.comparison import ContradictionKind
from bot.lifecycle.promotion import Contradicted, Promoted, PromotionRequest, Promotions
from bot.presentation import both_sides, render
from bot.prompting.session_start import MAX_TOKENS, LeftOut, SessionStart, StartBlock
from bot.store.notes import Note, Notes
from bot.store.spaces import Spaces
from bot.store.tallies import Total
from bot.text import amounts, normalize, notices

NOTES_A_PAGE: Final = 6
PROMOTED_IMPORTANCE: Final = 8
"""Of a note a person promotes, unless they say otherwise: as of what they ask to remember."""
_NOTHING_TO_SHOW: Final = catalogue.later(
    "Nothing was loaded beside that: no room was active lately, and no note or promotion is left."
)
_KINDS: Final = {
    ContradictionKind.NUMBER: catalogue.later("another number"),
    ContradictionKind.DATE: catalogue.later("another date"),
    ContradictionKind.NAME: catalogue.later("another name"),
    ContradictionKind.NEGATION: catalogue.later("the opposite"),
    ContradictionKind.VALUE: catalogue.later("something else"),
}
"""What contradicts a note, as a sentence has it."""


class Scratchpad:
    """The use cases behind `!note`, `!notes`, `!promote` and `!wake`."""

    def __init__(
        self,
        notes: Notes,
        promotions: Promotions,
        places: Places,
        wake: SessionStart,
        spaces: Spaces,
        clock: Callable[[], datetime],
    ) -> None:
        self._notes = notes
        self._places = places
        self._promotions = promotions
        self._wake = wake
        self._spaces = spaces
        self._clock = clock

    async def note(self, given: Invocation) -> Reply:
        """Saves a note in the open session. Raises as `Notes.save` does."""
        caller = given.caller
        kept = await self._notes.save(caller, given.args.text, actor=given.actor, said=given.said, now=self._clock())
        until = render.time(kept.expires_at, caller.time_zone)
        told = catalogue.gettext(
            "{label} is kept until {until}, for this conversation alone. {p}promote {label} <what to keep> "
            'reason:"…" makes a memory of it.'
        )
        return Reply(text=f"{notices.NOTE} {told.format(label=kept.label, until=until, p=caller.prefix)}", noted=True)

    async def living(self, caller: Caller) -> Sequence[Note]:
        """The living notes of the open session, the oldest first."""
        found, _ = await self._notes.living(caller, now=self._clock())
        return found

    async def notes(self, given: Invocation) -> Reply:
        """The living notes of the open session, the oldest first."""
        caller, page, now = given.caller, given.args.number("page", 1), self._clock()
        found, total = await self._notes.living(caller, now=now, page=page, size=NOTES_A_PAGE)
        if not found and page > 1:
            return Reply(text=catalogue.gettext("No notes on page {page}.").format(page=page))
        if not found:
            none = catalogue.gettext("No notes in this conversation; {p}note keeps one for a while.")
            return Reply(text=none.format(p=caller.prefix))
        entries = [Entry(head=_head(each, now), body=normalize.shown(each.content)) for each in found]
        title = catalogue.ngettext("{count} note of this conversation", "{count} notes of this conversation", total)
        return Reply(
            text=render.paged(
                [*map(_lines, entries)],
                page=page,
                size=NOTES_A_PAGE,
                total=Total(total),
                command=f"{caller.prefix}notes",
            ),
            listing=Listing(
                title=title.format(count=total),
                entries=tuple(entries),
                page=page,
                pages=-(-total // NOTES_A_PAGE),
                again="notes",
            ),
        )

    async def promote(self, given: Invocation) -> Reply:
        """Promotes the note, or shows both sides of a contradiction. Raises as `Promotions.promote` does."""
        caller, args = given.caller, given.args
        assert args.lead is not None
        wanted = PromotionRequest(
            summary=args.text,
            reason=args.word("reason", ""),
            topic=args.word("topic", ""),
            room=args.word("room", "general"),
            importance=args.number("importance", PROMOTED_IMPORTANCE),
            tags=args.words("tags"),
        )
        before = await self._places.taken(caller)
        done = await self._promotions.promote(
            caller,
            args.lead,
            wanted,
            actor=given.actor,
            said=given.said,
            confirm="confirm" in args.bare,
            now=self._clock(),
        )
        if isinstance(done, Contradicted):
            return self._contradicted(caller, done)
        return _promoted(caller, done, await self._places.told(caller, before, [done.saved]))

    async def wake(self, given: Invocation) -> Reply:
        """What the open session was shown at its start, verbatim, and what was left out. Raises `NotFound`."""
        caller = given.caller
        session_id = await self._spaces.open_session(caller)
        if session_id is None:
            raise errors.NotFound(catalogue.later("This channel is not known yet."))
        woken = await self._wake.load(caller, session_id, now=self._clock())
        return Reply(text=_told(woken, caller.time_zone))

    def _contradicted(self, caller: Caller, found: Contradicted) -> Reply:
        zone, p = caller.time_zone, caller.prefix
        sides = [both_sides.side(memory, zone) for memory, _ in found.against]
        kinds = dict.fromkeys(catalogue.gettext(_KINDS[kind]) for _, kind in found.against)
        nothing = catalogue.gettext("Nothing was written: what is known says {what}.")
        how = catalogue.gettext(
            "The same line with confirm at its end keeps both; {p}edit {number} replaces what was known, and "
            "{p}forget {number} forgets it."
        )
        return Reply(
            text="\n".join(
                [
                    nothing.format(what=catalogue.both(kinds)),
                    " · ".join(
                        [found.note.label, normalize.shown(found.note.author), render.time(found.note.written_at, zone)]
                    ),
                    render.quoted(found.summary),
                    *sides,
                    how.format(number=found.against[0][0].memory_id, p=p),
                ]
            )
        )


def _promoted(caller: Caller, done: Promoted, notice: str) -> Reply:
    lines = [render.kept([replace(done.saved, notice=notice)])]
    if done.saved.was_known:
        known = catalogue.gettext("#{number} says so already, and has one more reason to.")
        gone = catalogue.gettext("{label} is no note any more.")
        lines += [known.format(number=done.saved.memory.memory_id), gone.format(label=done.note.label)]
    else:
        now = catalogue.gettext("{label} is a memory now, and no note any more.")
        lines.append(now.format(label=done.note.label))
    lines += both_sides.lines([done.saved], caller)
    return Reply(text="\n".join(lines), saved=(done.saved,))


def _told(woken: StartBlock, zone: str) -> str:
    """Identity and block as they were loaded, then what was left out and why."""
    title = catalogue.gettext("Who I am")
    lines = [f"## {title}", normalize.shown(woken.identity).strip(), ""]
    lines += [woken.block, "", _size(woken, zone)] if woken.block else [catalogue.gettext(_NOTHING_TO_SHOW)]
    if left := _left_out(woken.left_out):
        lines.append(catalogue.gettext("Left out, as they were too many or too long: {left}.").format(left=left))
    if woken.gone:
        told = catalogue.gettext(
            "Not shown any more: {count}, since forgotten, replaced, expired, promoted, or not for everyone here."
        )
        lines.append(told.format(count=woken.gone))
    return "\n".join(lines)


def _size(woken: StartBlock, zone: str) -> str:
    """How long the block is, and when it was chosen where that is known."""
    if woken.made_at is None:
        return catalogue.gettext("{tokens} tokens of at most {most}.").format(tokens=woken.tokens, most=MAX_TOKENS)
    told = catalogue.gettext("{tokens} tokens of at most {most}, chosen {time}.")
    return told.format(tokens=woken.tokens, most=MAX_TOKENS, time=render.time(woken.made_at, zone))


def _left_out(left: LeftOut) -> str:
    counts = ((left.rooms, amounts.rooms), (left.memories, _promoted_memories), (left.notes, amounts.notes))
    return ", ".join(told(count) for count, told in counts if count)


def _promoted_memories(count: int) -> str:
    return catalogue.ngettext("{count} promoted memory", "{count} promoted memories", count).format(count=count)


def _head(each: Note, now: datetime) -> str:
    return f"{each.label} · {normalize.shown(each.author)} · {_time_left(each.expires_at - now)}"


def _time_left(left: timedelta) -> str:
    """In the largest unit that says enough: `42 min left`."""
    if left < timedelta(minutes=1):
        return catalogue.gettext("less than a minute left")
    if left < timedelta(hours=2):
        return catalogue.gettext("{count} min left").format(count=left // timedelta(minutes=1))
    if left < timedelta(days=2):
        return catalogue.gettext("{count} h left").format(count=left // timedelta(hours=1))
    return catalogue.ngettext("{count} day left", "{count} days left", left.days).format(count=left.days)


def _lines(entry: Entry) -> str:
    return f"{entry.head}\n{render.quoted(entry.body)}"
