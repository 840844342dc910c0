"""`!forget`, `!edit`, `!pin`, `!unpin`, `!age` and `!undo`: changes memories, and takes changes back."""

import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot import catalogue, errors
from bot.arguments import Arguments
from bot.commands import said_too
from bot.commands.forgetting import UNDO
from bot.commands.invocation import Invocation
from bot.commands.palace import Walks
from bot.commands.places import Places, wants_one
from bot.commands.resets import Resets
from bot.domain import Actor, Caller, Memory, MemoryId, Message, MessageId, Reply, Right, Saved
from bot.language.statements import assertions
from bot.presentation import both_sides, render
from bot.recall.librarian import Librarian
from bot.store.archivist import Ageing, Archivist, Forgotten, not_theirs
from bot.store.notes import Note, Notes
from bot.store.sessions import Sessions
from bot.text import amounts, normalize, notices

_PINNED: Final = catalogue.later("pinned:")
_UNPINNED: Final = catalogue.later("unpinned:")
_BACK: Final = catalogue.later("back:")
_A_WHILE: Final = timedelta(minutes=1)
"""After which whoever undoes something may not think of what they had forgotten."""


NOTHING_TO_UNDO: Final = catalogue.later(
    "There is nothing to undo: nothing you forgot, changed or reset in the last 10 minutes is left."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoableAct:
    """Something that somebody did, and what takes it back."""

    at: datetime
    undo: Callable[[], Awaitable[Reply]]
    is_reset: bool = False


class MemoryChanges:
    """The use cases that change memories one by one, age them, and take changes back."""

    def __init__(
        self,
        archivist: Archivist,
        librarian: Librarian,
        places: Places,
        sessions: Sessions,
        resets: Resets,
        walks: Walks,
        notes: Notes,
        clock: Callable[[], datetime],
    ) -> None:
        self._archivist = archivist
        self._librarian = librarian
        self._places = places
        self._sessions = sessions
        self._resets = resets
        self._walks = walks
        self._notes = notes
        self._clock = clock

    async def forget(self, given: Invocation) -> Reply:
        """Forgets one memory, with the messages it rests on. Raises `NotFound` and `NotAllowed`."""
        caller, args = given.caller, given.args
        memory = await self._archivist.forget(caller, _number(args), now=self._clock())
        same = await said_too.found(self._librarian, caller, [memory])
        told = [
            f"{catalogue.gettext(notices.FORGOT)} #{memory.memory_id} {normalize.one_line(memory.content)}",
            catalogue.gettext(UNDO).format(p=caller.prefix),
            *said_too.lines(same, memory.content),
        ]
        return Reply(
            text="\n".join(told), forgotten=memory.memory_id, said_too=tuple(message.message_id for message in same)
        )

    async def edit(self, given: Invocation) -> Reply:
        """Saves a memory in other words, which supersedes the old one. Raises `NotFound` and `NotAllowed`."""
        return await self.reword(given.caller, _number(given.args), given.args.text)

    async def reword(self, caller: Caller, number: MemoryId, text: str) -> Reply:
        """The same for a memory and what it is to say. Raises as that does."""
        before = None
        with contextlib.suppress(errors.NotFound):
            # Nothing else has a place to lose; what is not there is told below.
            if wants_one(await self._librarian.memory(caller, number)):
                before = {*await self._places.taken(caller)} - {number}
        saved = await self._archivist.edit(caller, number, text, now=self._clock())
        if before is not None:
            saved = replace(saved, notice=await self._places.told(caller, before, [saved]))
        replaced = f"{catalogue.gettext(notices.SUPERSEDES)}{number}."
        lines = [render.kept([saved]), replaced, *both_sides.lines([saved], caller)]
        return Reply(text="\n".join(lines), saved=(saved,))

    async def stated(self, caller: Caller, message_id: MessageId) -> Memory | Message | None:
        """What the caller stated in a message: the one memory of theirs that rests on it, else the message itself."""
        memories, said = await self._librarian.resting_on(caller, message_id)
        found = memories or [one for one in said if assertions.states(one.content)]
        return found[0] if len(found) == 1 and found[0].author_id == caller.person_id else None

    async def pin(self, given: Invocation) -> Reply:
        """Keeps a memory in the short tier. Raises `NotFound` and `NotAllowed`."""
        caller, args = given.caller, given.args
        before = await self._places.taken(caller)
        memory = await self._archivist.pin(caller, _number(args), pinned=True, now=self._clock())
        notice = await self._places.told(caller, before, [Saved(memory=memory, was_known=True)])
        head = f"{notices.MEMORY} {catalogue.gettext(_PINNED)}"
        return Reply(text=f"{head} #{memory.memory_id} {normalize.one_line(memory.content)}{notice}")

    async def unpin(self, given: Invocation) -> Reply:
        """Lets a memory age again. Raises `NotFound` and `NotAllowed`."""
        caller, args = given.caller, given.args
        memory = await self._archivist.pin(caller, _number(args), pinned=False, now=self._clock())
        head = f"{notices.MEMORY} {catalogue.gettext(_UNPINNED)}"
        return Reply(text=f"{head} #{memory.memory_id} {normalize.one_line(memory.content)}")

    async def to_forget(self, caller: Caller, memory_id: MemoryId) -> Memory:
        """A memory the caller may forget. Raises as `forget` does."""
        return await self._archivist.to_forget(caller, memory_id)

    async def to_change(self, caller: Caller, memory_id: MemoryId) -> Memory:
        """A memory the caller is about to edit. Raises `NotFound`, and `NotAllowed` where it is another's."""
        memory = await self._librarian.memory(caller, memory_id)
        if memory.author_id not in {None, caller.person_id} and not caller.may(Right.MANAGE_GUILD):
            raise not_theirs(caller, memory)
        return memory

    async def age(self, given: Invocation) -> Reply:
        """Moves due memories to the long tier, or lists which would move."""
        caller, args = given.caller, given.args
        hours = args.number("older_than_hours", 48)
        ageing = Ageing(
            older_than=timedelta(hours=hours),
            max_rows=args.number("max_rows", 100),
            include_protected=bool(args.word("include", "")),
        )
        if "preview" in args.bare:
            due, total = await self._librarian.due_to_age(caller, ageing, now=self._clock())
            channels = await self._librarian.channel_names(caller)
            entries = [render.memory_entry(memory, channels, {}, self._clock()) for memory in due]
            lines = [render.entry_lines(entry) for entry in entries]
            in_all = amounts.told(str(total.number), is_least=total.is_more)
            told = (
                catalogue.gettext(
                    "Would age {memories} (threshold: {hours}h) ({in_all} are due in all); none was moved."
                )
                if total.is_more or total.number > len(due)
                else catalogue.gettext("Would age {memories} (threshold: {hours}h); none was moved.")
            )
            head = told.format(memories=amounts.memories(len(due)), hours=hours, in_all=in_all)
            return Reply(text="\n".join([head, *lines]))
        turn_id = given.said if given.actor is Actor.MODEL else None
        moved = await self._archivist.age([caller.space_id], ageing, now=self._clock(), caller=caller, turn_id=turn_id)
        told = catalogue.gettext("Aged {memories} from short-term to long-term (threshold: {hours}h).")
        return Reply(text=told.format(memories=amounts.memories(moved), hours=hours))

    async def undo(self, given: Invocation) -> Reply:
        """Takes back the caller's latest forget, reset, layout, replacement, ageing or note, whichever came last."""
        last = await self.last_act(given.caller)
        if last is None:
            raise errors.NotFound(NOTHING_TO_UNDO)
        return await last.undo()

    async def last_act(self, caller: Caller) -> UndoableAct | None:
        """The last of what the caller did that can be undone; none where nothing is left of it."""
        now = self._clock()
        aged = await self._archivist.last_aged_at(caller, now=now)
        noted = await self._notes.last(caller, now=now)
        # The first of them where several came at once.
        reset = partial(self._resets.undo_latest, caller)
        acts: list[tuple[datetime | None, Callable[[], Awaitable[Reply]]]] = [
            (await self._archivist.last_superseded_at(caller, now=now), partial(self._undo_replacing, caller)),
            (await self._archivist.last_laid_out_at(caller, now=now), partial(self._walks.undo, caller)),
            (await self._sessions.last_reset_at(caller, now=now), reset),
            (await self._archivist.last_forget_at(caller, now=now), partial(self.undo_forget, caller)),
            (aged, partial(self._undo_age, caller, aged or now)),
        ]
        if noted is not None:
            acts.append((noted.written_at, partial(self._undo_note, caller, noted)))
        known = [UndoableAct(at=at, undo=undo, is_reset=undo is reset) for at, undo in acts if at is not None]
        return max(known, key=lambda act: act.at, default=None)

    async def _undo_age(self, caller: Caller, aged_at: datetime) -> Reply:
        back = await self._archivist.undo_age(caller, aged_at, now=self._clock())
        told = catalogue.gettext("Moved {memories} back to short-term memory.")
        return Reply(text=told.format(memories=amounts.memories(back)))

    async def _undo_note(self, caller: Caller, note: Note) -> Reply:
        await self._notes.remove(caller, note)
        told = catalogue.gettext("{label} is gone: {note}")
        return Reply(text=told.format(label=note.label, note=normalize.one_line(note.content)))

    async def _undo_replacing(self, caller: Caller) -> Reply:
        back, beside = await self._archivist.undo_superseding(caller, now=self._clock())
        if not back:
            return Reply(text=catalogue.gettext("It is known already."))
        notice = f"{notices.MEMORY} {catalogue.gettext(_BACK)}"
        lines = [f"{notice} #{m.memory_id} {normalize.one_line(m.content)}" for m in back]
        if not beside:
            return Reply(text="\n".join(lines))
        told = catalogue.gettext("What it contradicts is kept beside it, open again.")
        memory, others = await self._archivist.contradicted(caller, beside[0])
        opens = (memory.memory_id, *(other.memory_id for other in others))
        return Reply(text="\n".join([*lines, told]), opens=opens)

    async def undo_forget(self, caller: Caller, memory_id: MemoryId | None = None) -> Reply:
        """Takes back the caller's latest forget, or that of this memory.

        Raises `NotFound` when they forgot nothing like it in the last 10 minutes.
        """
        now = self._clock()
        forgot_at = await self._archivist.last_forget_at(caller, now=now, memory_id=memory_id)
        if forgot_at is None:
            told = (
                catalogue.gettext("You did not forget anything in the last 10 minutes, so there is nothing to undo.")
                if memory_id is None
                else catalogue.gettext(
                    "You did not forget #{number} in the last 10 minutes, so there is nothing to undo."
                )
            )
            raise errors.NotFound(told.format(number=memory_id))
        back = await self._archivist.undo_forget(caller, now=now, memory_id=memory_id)
        if not back.memories and not back.said:
            again = catalogue.gettext("It has been said again since, so it is known already.")
            return Reply(text=f"{notices.MEMORY} {again}")
        notice = f"{notices.MEMORY} {catalogue.gettext(_BACK)}"
        lines = [f"{notice} #{m.memory_id} {normalize.one_line(m.content)}" for m in back.memories]
        lines += render.said_lines(notice, back.said)
        if now - forgot_at > _A_WHILE:
            # Something else may have been meant.
            lines.append(_again(back, caller.prefix))
        return Reply(text="\n".join(lines), saved=tuple(Saved(memory=m, was_known=True) for m in back.memories))


def _again(back: Forgotten, prefix: str) -> str:
    """How what was brought back is forgotten again."""
    if not back.memories:
        return catalogue.gettext("“forget that …” with its words forgets it again.")
    number = back.memories[0].memory_id
    return catalogue.gettext("{p}forget {number} forgets it again.").format(p=prefix, number=number)


def _number(args: Arguments) -> MemoryId:
    assert args.lead is not None
    return MemoryId(args.lead)
