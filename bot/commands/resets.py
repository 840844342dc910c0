"""`!reset`: clears a conversation at once, has it summarised, and takes a reset back."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from bot import errors
from bot.commands.invocation import Announce, Invocation
from bot.config import ResetSettings
from bot.domain import Caller, Reply, Saved, SessionId
from bot.lifecycle.summaries import Summaries, SummaryDone
from bot.presentation import both_sides, render
from bot.recall.librarian import Librarian
from bot.store.archivist import Ageing, Archivist
from bot.store.sessions import Closed, Sessions, Undone
from bot.text import notices
from bot.text.sanitize import counted

Spawn = Callable[[Coroutine[Any, Any, None]], None]

SUMMARIZING: Final = f"{notices.MEMORY} Summarizing"
"""How a reset's message begins until its summary is made."""
TALK_LEFT: Final = (
    f"{notices.MEMORY} Talk between people here is not recorded; no memory is made of it unless somebody includes it."
)
"""What a reset says where only what is said to Hathi is recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetReply(Reply):
    """The reply to a reset, at once and again when its summary is made."""

    closed: Closed
    done: SummaryDone | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkLeft(Reply):
    """The reply to a reset that keeps nothing, where talk between people is not recorded."""

    session_id: SessionId


class Resets:
    """The use cases of resets."""

    def __init__(
        self,
        sessions: Sessions,
        summaries: Summaries,
        archivist: Archivist,
        librarian: Librarian,
        settings: ResetSettings,
        spawn: Spawn,
        clock: Callable[[], datetime],
    ) -> None:
        self._sessions = sessions
        self._summaries = summaries
        self._archivist = archivist
        self._librarian = librarian
        self._settings = settings
        self._spawn = spawn
        self._clock = clock

    async def reset(self, given: Invocation) -> Reply:
        """Clears the conversation at once; what is kept of it is announced when the summary is ready."""
        caller, discard, now = given.caller, "discard" in given.args.bare, self._clock()
        closed = await self._sessions.reset(
            caller, discard=discard, min_messages=self._settings.min_messages, now=now, said=given.said
        )
        if closed is None:
            return Reply(text=notices.CLEARED)
        if closed.message_count:
            self._spawn(self._afterwards(caller, closed, given.announce))
        if closed.to_summarise:
            return ResetReply(text=f"{SUMMARIZING} {counted(closed.message_count, 'message')}…", closed=closed)
        if discard:
            memories = counted(closed.forgotten, "memory")
            taken = f", and {memories} made from them forgotten" if closed.forgotten else ""
            undo = f"{notices.ERASED} in 10 minutes; {caller.prefix}undo brings them back until then."
            stay = f" What was asked to be remembered stays: {counted(closed.stay, 'memory')}." if closed.stay else ""
            discarded = f"{counted(closed.message_count, 'message')} discarded{taken}"
            text = f"{notices.MEMORY} {discarded}. {undo}{stay}\n{notices.CLEARED}"
            return ResetReply(text=text, closed=closed)
        if closed.leaves_talk:
            return TalkLeft(text=f"{TALK_LEFT}\n{notices.CLEARED}", session_id=closed.session_id)
        return Reply(text=notices.CLEARED)

    async def undo(self, caller: Caller, session_id: SessionId) -> Reply:
        """Takes back this reset, if it is the caller's latest here and at most 10 minutes old. Raises `NotFound`."""
        latest = await self._sessions.last_reset_at(caller, now=self._clock())
        if latest is None or latest != await self._librarian.closed_at(caller, session_id):
            raise errors.NotFound("Only whoever reset last can undo it, within 10 minutes; this one can't be undone.")
        return await self.undo_latest(caller)

    async def undo_latest(self, caller: Caller) -> Reply:
        """Takes back the caller's latest reset here. Raises `NotFound`."""
        undone = await self._sessions.undo_reset(caller, min_messages=self._settings.min_messages, now=self._clock())
        if undone is None:
            raise errors.NotFound("There is nothing to undo any more.")
        return Reply(text=f"{notices.MEMORY} {_undone_text(undone)}; the history stays cleared.")

    async def _afterwards(self, caller: Caller, closed: Closed, announce: Announce) -> None:
        """Has the old session summarised, then ages what is overdue in the short tier."""
        if closed.to_summarise:
            await self._summarise(caller, closed, announce)
        await self._archivist.age([caller.space_id], Ageing(), now=self._clock())

    async def _summarise(self, caller: Caller, closed: Closed, announce: Announce) -> None:
        try:
            done = await self._summaries.make(closed.space_id, closed.session_id)
        except errors.DatabaseError:
            done = SummaryDone(
                space_id=closed.space_id,
                channel_id=closed.channel_id,
                session_id=closed.session_id,
                message_count=closed.message_count,
                retry_at=self._clock(),
                leaves_talk=closed.leaves_talk,
            )
        if done is not None and not caller.is_told_causes:
            done = replace(done, why="")
        lines = [] if done is None else [summary_text(done, caller.prefix)]
        await announce(ResetReply(text="\n".join([*lines, notices.CLEARED]), closed=closed, done=done))


def summary_text(done: SummaryDone, prefix: str) -> str:
    """The reset notice's text when its summary is made, or can't be yet."""
    if done.retry_at is not None:
        return _not_yet(done)
    now = [one for one in done.saved if not one.is_earlier]
    lines = [_made_head(done), *saved_lines(now, prefix)]
    if now:
        lines.append(f"{prefix}undo takes these back; {prefix}forget <id> forgets one.")
    return "\n".join(lines)


def summary_head(done: SummaryDone) -> str:
    """How much was kept of a reset's session, or that it can't be told yet; without what was kept."""
    return _not_yet(done) if done.retry_at is not None else _made_head(done)


def _not_yet(done: SummaryDone) -> str:
    are = "is" if done.message_count == 1 else "are"
    kept = counted(done.message_count, "message")
    told = f"{notices.MEMORY} Not summarized yet: {kept} {are} kept; trying again."
    return "\n".join(filter(None, (told, done.why)))


def _made_head(done: SummaryDone) -> str:
    messages, memories = counted(done.message_count, "message"), counted(len(done.saved), "memory")
    earlier = sum(one.is_earlier for one in done.saved)
    before = f" ({earlier} of them before)" if earlier else ""
    lines = [f"{notices.MEMORY} Summarized {messages} → {memories} saved{before}."]
    if done.by_rule:
        lines.append(render.made_by_rule(done.by_rule, of=done.entries))
    return "\n".join(lines)


def _undone_text(undone: Undone) -> str:
    """What became of a session whose reset was taken back."""
    session, memories = f"session {undone.number}", counted(undone.memories, "memory")
    if undone.was_discarded:
        summary = "its summary is made within minutes" if undone.to_summarise else "no summary is made of it"
        return f"{session.capitalize()} can be found again, with {memories} made from it; {summary}"
    stay = f"; what was made of it before stays: {counted(undone.stay, 'memory')}" if undone.stay else ""
    if undone.was_waiting:
        taken = f"took back {memories} made from it" if undone.memories else "it makes no memories"
        return f"The summary of {session} was stopped; {taken}{stay}"
    return f"Took back {memories} of {session}{stay}"


def saved_lines(saved: Sequence[Saved], prefix: str) -> list[str]:
    """A line for each memory that was made, with what it contradicts."""
    return [line for one in saved for line in (render.saved_line(one), both_sides.briefly(one, prefix)) if line]
