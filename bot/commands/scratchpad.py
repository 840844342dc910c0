"""`!note`, `!notes`, `!promote` and `!wake`: a session's notes, their promotion, and how the session began."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot import errors
from bot.commands.invocation import Invocation
from bot.commands.places import Places
from bot.domain import Actor, Caller, Entry, Listing, Reply
from bot.lifecycle.promotion import Contradicted, Promoted, PromotionRequest, Promotions
from bot.presentation import both_sides, render
from bot.prompting.session_start import MAX_TOKENS, LeftOut, SessionStart, StartBlock
from bot.store.notes import Note, Notes
from bot.store.spaces import Spaces
from bot.store.tallies import Total
from bot.text import normalize, notices
from bot.text.sanitize import counted

NOTES_A_PAGE: Final = 10
PROMOTED_IMPORTANCE: Final = 8
"""Of a note a person promotes, unless they say otherwise: as of what they ask to remember."""
_NOTHING_TO_SHOW: Final = "Nothing was loaded beside that: no room was active lately, and no note or promotion is left."


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
        kept = await self._notes.save(caller, given.args.text, actor=Actor.PERSON, said=given.said, now=self._clock())
        until = render.time(kept.expires_at, caller.time_zone)
        return Reply(
            text=f"{notices.NOTE} {kept.label} is kept until {until}, for this conversation alone. "
            f"{caller.prefix}promote {kept.label} makes a memory of it.",
            noted=True,
        )

    async def notes(self, given: Invocation) -> Reply:
        """The living notes of the open session, the oldest first."""
        caller, page, now = given.caller, given.args.number("page", 1), self._clock()
        found, total = await self._notes.living(caller, now=now, page=page, size=NOTES_A_PAGE)
        if not found:
            none = f"No notes in this conversation; {caller.prefix}note keeps one for a while."
            return Reply(text=f"No notes on page {page}." if page > 1 else none)
        entries = [Entry(head=_head(each, now), body=normalize.shown(each.content)) for each in found]
        return Reply(
            text=render.paged(
                [*map(_lines, entries)],
                page=page,
                size=NOTES_A_PAGE,
                total=Total(total),
                command=f"{caller.prefix}notes",
            ),
            listing=Listing(
                title=f"{counted(total, 'note')} of this conversation",
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
            actor=Actor.PERSON,
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
            raise errors.NotFound("This channel is not known yet.")
        woken = await self._wake.load(caller, session_id, now=self._clock())
        return Reply(text=_told(woken, caller.time_zone))

    def _contradicted(self, caller: Caller, found: Contradicted) -> Reply:
        zone, p = caller.time_zone, caller.prefix
        sides = [both_sides.side(memory, zone) for memory, _ in found.against]
        what = " and ".join(dict.fromkeys(kind.value for _, kind in found.against))
        number = found.against[0][0].memory_id
        how = (
            f"The same line with confirm at its end keeps both; {p}edit {number} replaces what was known, and "
            f"{p}forget {number} forgets it."
        )
        return Reply(
            text="\n".join(
                [
                    f"Nothing was written: what is known says {what}.",
                    " · ".join(
                        [found.note.label, normalize.shown(found.note.author), render.time(found.note.written_at, zone)]
                    ),
                    render.quoted(found.summary),
                    *sides,
                    how,
                ]
            )
        )


def _promoted(caller: Caller, done: Promoted, notice: str) -> Reply:
    gone = f"{done.note.label} is a memory now, and no note any more."
    lines = [render.kept([replace(done.saved, notice=notice)]), gone]
    if done.saved.was_known:
        number = done.saved.memory.memory_id
        lines[1:] = [
            f"#{number} says so already, and has one more reason to.",
            f"{done.note.label} is no note any more.",
        ]
    lines += both_sides.lines([done.saved], caller)
    return Reply(text="\n".join(lines), saved=(done.saved,))


def _told(woken: StartBlock, zone: str) -> str:
    """Identity and block as they were loaded, then what was left out and why."""
    when = "" if woken.made_at is None else f", chosen {render.time(woken.made_at, zone)}"
    lines = ["## Who I am", normalize.shown(woken.identity).strip(), ""]
    lines += (
        [woken.block, "", f"{woken.tokens} tokens of at most {MAX_TOKENS}{when}."]
        if woken.block
        else [_NOTHING_TO_SHOW]
    )
    if left := _left_out(woken.left_out):
        lines.append(f"Left out, as they were too many or too long: {left}.")
    if woken.gone:
        lines.append(
            f"Not shown any more: {woken.gone}, since forgotten, replaced, expired, promoted, or not for everyone here."
        )
    return "\n".join(lines)


def _left_out(left: LeftOut) -> str:
    counts = ((left.rooms, "room"), (left.memories, "promoted memory"), (left.notes, "note"))
    return ", ".join(counted(count, noun) for count, noun in counts if count)


def _head(each: Note, now: datetime) -> str:
    return f"{each.label} · {normalize.shown(each.author)} · {_time_left(each.expires_at - now)}"


def _time_left(left: timedelta) -> str:
    """In the largest unit that says enough: `42 min left`."""
    if left < timedelta(minutes=1):
        return "less than a minute left"
    if left < timedelta(hours=2):
        return f"{left // timedelta(minutes=1)} min left"
    if left < timedelta(days=2):
        return f"{left // timedelta(hours=1)} h left"
    return f"{left.days} days left"


def _lines(entry: Entry) -> str:
    return f"{entry.head}\n{render.quoted(entry.body)}"
