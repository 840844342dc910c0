"""`!reset`: clears a conversation at once, has it summarised, and takes a reset back."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from bot import catalogue, errors
from bot.commands.invocation import Announce, Invocation
from bot.config import ResetSettings
from bot.domain import Caller, Reply, Saved, SessionId
from bot.lifecycle.summaries import Summaries, SummaryDone
from bot.presentation import both_sides, render
from bot.recall.librarian import Librarian
from bot.store.archivist import Ageing, Archivist
from bot.store.sessions import Closed, Sessions, Undone
from bot.text import amounts, notices

Spawn = Callable[[Coroutine[Any, Any, None]], None]

SUMMARIZING: Final = catalogue.later("[memory] Summarizing")
"""How a reset's message begins until its summary is made."""
TALK_LEFT: Final = catalogue.later(
    "Talk between people here is not recorded; no memory is made of it unless somebody includes it."
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
            return Reply(text=catalogue.gettext(notices.CLEARED))
        if closed.message_count:
            self._spawn(self._afterwards(caller, closed, given.announce))
        if closed.to_summarise:
            text = f"{catalogue.gettext(SUMMARIZING)} {amounts.messages(closed.message_count)}…"
            return ResetReply(text=text, closed=closed)
        if discard:
            text = f"{notices.MEMORY} {_discarded(closed, caller.prefix)}\n{catalogue.gettext(notices.CLEARED)}"
            return ResetReply(text=text, closed=closed)
        if closed.leaves_talk:
            return TalkLeft(text=f"{talk_left()}\n{catalogue.gettext(notices.CLEARED)}", session_id=closed.session_id)
        return Reply(text=catalogue.gettext(notices.CLEARED))

    async def undo(self, caller: Caller, session_id: SessionId) -> Reply:
        """Takes back this reset, if it is the caller's latest here and at most 10 minutes old. Raises `NotFound`."""
        latest = await self._sessions.last_reset_at(caller, now=self._clock())
        if latest is None or latest != await self._librarian.closed_at(caller, session_id):
            raise errors.NotFound(
                catalogue.later("Only whoever reset last can undo it, within 10 minutes; this one can't be undone.")
            )
        return await self.undo_latest(caller)

    async def undo_latest(self, caller: Caller) -> Reply:
        """Takes back the caller's latest reset here. Raises `NotFound`."""
        undone = await self._sessions.undo_reset(caller, min_messages=self._settings.min_messages, now=self._clock())
        if undone is None:
            raise errors.NotFound(catalogue.later("There is nothing to undo any more."))
        return Reply(text=f"{notices.MEMORY} {_undone_text(undone)}")

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
        if done is None and await self._librarian.closed_at(caller, closed.session_id) is None:
            # Its reset was taken back, and that was told.
            return
        if done is not None and not caller.is_told_causes:
            done = replace(done, why="")
        lines = [] if done is None else [summary_text(done, caller.prefix)]
        text = "\n".join([*lines, catalogue.gettext(notices.CLEARED)])
        await announce(ResetReply(text=text, closed=closed, done=done))


def talk_left() -> str:
    """What a reset says where only what is said to Hathi is recorded."""
    return f"{notices.MEMORY} {catalogue.gettext(TALK_LEFT)}"


def summary_text(done: SummaryDone, prefix: str) -> str:
    """The reset notice's text when its summary is made, or can't be yet."""
    if done.retry_at is not None:
        return _not_yet(done)
    now = [one for one in done.saved if not one.is_earlier]
    lines = [_made_head(done), *saved_lines(now, prefix)]
    if now:
        lines.append(catalogue.gettext("{p}undo takes these back; {p}forget <id> forgets one.").format(p=prefix))
    return "\n".join(lines)


def summary_head(done: SummaryDone) -> str:
    """How much was kept of a reset's session, or that it can't be told yet; without what was kept."""
    return _not_yet(done) if done.retry_at is not None else _made_head(done)


def _not_yet(done: SummaryDone) -> str:
    told = catalogue.ngettext(
        "Not summarized yet: {count} message is kept; trying again.",
        "Not summarized yet: {count} messages are kept; trying again.",
        done.message_count,
    )
    head = f"{notices.MEMORY} {told.format(count=done.message_count)}"
    return "\n".join(filter(None, (head, catalogue.gettext(done.why))))


def _made_head(done: SummaryDone) -> str:
    earlier = sum(one.is_earlier for one in done.saved)
    told = (
        catalogue.gettext("Summarized {messages} → {memories} saved ({count} of them before).")
        if earlier
        else catalogue.gettext("Summarized {messages} → {memories} saved.")
    )
    messages, memories = amounts.messages(done.message_count), amounts.memories(len(done.saved))
    lines = [f"{notices.MEMORY} {told.format(messages=messages, memories=memories, count=earlier)}"]
    if done.by_rule:
        lines.append(render.made_by_rule(done.by_rule, of=done.entries))
    return "\n".join(lines)


def _discarded(closed: Closed, prefix: str) -> str:
    """What became of a session that was discarded, how that is taken back, and what of it stays."""
    told = (
        catalogue.gettext("{messages} discarded, and {memories} made from them forgotten.")
        if closed.forgotten
        else catalogue.gettext("{messages} discarded.")
    )
    undo = catalogue.gettext("Erased for good in 10 minutes; {p}undo brings them back until then.")
    stay = catalogue.gettext("What was asked to be remembered stays: {memories}.")
    sentences = [
        told.format(messages=amounts.messages(closed.message_count), memories=amounts.memories(closed.forgotten)),
        undo.format(p=prefix),
        *([stay.format(memories=amounts.memories(closed.stay))] if closed.stay else []),
    ]
    return " ".join(sentences)


def _undone_text(undone: Undone) -> str:
    """What became of a session whose reset was taken back."""
    rest = catalogue.gettext("; what was made of it before stays: {memories}")
    stay = rest.format(memories=amounts.memories(undone.stay)) if undone.stay else ""
    if undone.goes_on:
        told = catalogue.gettext(
            "The reset is taken back, and nothing of it is kept{stay}: session {number} goes on as before."
        )
    elif undone.was_discarded and undone.to_summarise:
        told = catalogue.gettext(
            "Session {number} can be found again{made}; its summary is made within minutes; the history stays cleared."
        )
    elif undone.was_discarded:
        told = catalogue.gettext(
            "Session {number} can be found again{made}; no summary is made of it; the history stays cleared."
        )
    elif undone.was_waiting and undone.memories:
        told = catalogue.gettext(
            "The summary of session {number} was stopped; took back {memories} made from it{stay}; the history stays "
            "cleared."
        )
    elif undone.was_waiting:
        told = catalogue.gettext(
            "The summary of session {number} was stopped; it makes no memories{stay}; the history stays cleared."
        )
    else:
        told = catalogue.gettext("Took back {memories} of session {number}{stay}; the history stays cleared.")
    memories = amounts.memories(undone.memories)
    made = catalogue.gettext(", with {memories} made from it").format(memories=memories) if undone.memories else ""
    return told.format(number=undone.number, memories=memories, made=made, stay=stay)


def saved_lines(saved: Sequence[Saved], prefix: str) -> list[str]:
    """A line for each memory that was made, with what it contradicts."""
    return [line for one in saved for line in (render.saved_line(one), both_sides.briefly(one, prefix)) if line]
