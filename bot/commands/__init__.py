"""The use cases behind the commands: each takes a caller and returns a Reply; cogs and terminal only translate."""

import difflib
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Final

from bot import arguments, errors
from bot.commands import grammar, render, status
from bot.config import Settings
from bot.db.pool import Database
from bot.domain import Actor, Caller, Fact, MemoryId, MessageId, Recollection, Reply, Saved, Source, Tier
from bot.llm.client import Models
from bot.memory import wording
from bot.memory.archivist import Ageing, Archivist, Author
from bot.memory.jobs import Jobs
from bot.memory.librarian import Librarian
from bot.memory.sessions import Closed, Sessions
from bot.memory.summaries import Summaries, SummaryDone

Announce = Callable[[Reply], Awaitable[None]]
"""Where lines that come later go: under the reset's message, or on the terminal."""
Spawn = Callable[[Coroutine[Any, Any, None]], None]

ASKED_IMPORTANCE: Final = 8
"""Of what a person asks to remember, unless they say otherwise."""
MEMORIES_A_PAGE: Final = 10
SESSIONS_A_PAGE: Final = 5


class Commands:
    """Every command, by name."""

    def __init__(
        self, database: Database, archivist: Archivist, librarian: Librarian, sessions: Sessions,
        summaries: Summaries, jobs: Jobs, models: Models, settings: Settings, spawn: Spawn,
        clock: Callable[[], datetime],
    ) -> None:  # fmt: skip
        self._database = database
        self._archivist = archivist
        self._librarian = librarian
        self._past = sessions
        self._summaries = summaries
        self._jobs = jobs
        self._models = models
        self._settings = settings
        self._spawn = spawn
        self._clock = clock

    async def run(self, caller: Caller, name: str, line: str, announce: Announce) -> Reply:
        """The reply to `!name line`. Raises `BadArgument` with one sentence; then nothing has happened."""
        found = grammar.GRAMMARS.get(name)
        if found is None:
            raise _unknown(name)
        args = arguments.parse(line, found)
        if name == "reset":
            return await self.reset(caller, announce, discard="discard" in args.bare)
        use: Callable[[Caller, arguments.Arguments], Awaitable[Reply]] = getattr(self, f"_{name}")
        return await use(caller, args)

    async def reset(self, caller: Caller, announce: Announce, *, discard: bool = False) -> Reply:
        """Clear at once; what is kept of the session is announced when it is ready."""
        now = self._clock()
        closed = await self._past.reset(
            caller, discard=discard, min_messages=self._settings.reset.min_messages, now=now
        )
        if closed is None:
            return Reply(text=render.CLEARED)
        self._spawn(self._afterwards(caller, closed, announce))
        if closed.to_summarise:
            return Reply(text=f"[memory] Summarizing {closed.message_count} messages…")
        if discard:
            taken = f", and {closed.forgotten} memories made from them forgotten" if closed.forgotten else ""
            undo = "Erased for good in 10 minutes; !undo brings them back until then."
            return Reply(text=f"[memory] {closed.message_count} messages discarded{taken}. {undo}\n{render.CLEARED}")
        return Reply(text=render.CLEARED)

    async def save(
        self, caller: Caller, text: str, *, actor: Actor = Actor.PERSON, topic: str = "", room: str = "general",
        importance: int = ASKED_IMPORTANCE, tags: tuple[str, ...] = (), directive: bool = False,
        evidence: tuple[MessageId, ...] = (),
    ) -> Saved:  # fmt: skip
        """The fact as a memory of the caller's channel. Raises `RefusedText` and `NotAllowed`."""
        if directive and not caller.is_admin:
            raise errors.NotAllowed("Only an admin may set source:directive.")
        fact = Fact(
            content=text,
            topic=topic or wording.topic_of(text),
            room=room,
            importance=importance,
            source=Source.DIRECTIVE if directive else Source.USER,
            tags=tags,
            evidence=evidence,
            author_id=caller.person_id,
            author=caller.name,
        )
        author = Author(actor=actor, person_id=caller.person_id, reason="remember")
        (saved,) = await self._archivist.save(caller.space_id, caller.origin_id, [fact], author, now=self._clock())
        return saved

    async def recall(
        self, caller: Caller, query: str, *, tier: Tier | None = None, limit: int = 5,
        apart_from: tuple[MessageId, ...] = (),
    ) -> Reply:  # fmt: skip
        """What memory and messages hold on the query, or the one sentence for nothing."""
        found = await self._librarian.recall(
            caller, query, tier=tier, messages=tier is None, limit=limit, apart_from=apart_from
        )
        return await self.told(caller, found)

    async def told(self, caller: Caller, found: Recollection) -> Reply:
        """A recollection as it is shown, with the ids of the memories in it."""
        channels = await self._librarian.channel_names(caller)
        text = render.recollection(found, channels, self._clock())
        return Reply(text=text, shown=tuple(memory.memory_id for memory, _ in found.memories))

    async def _recall(self, caller: Caller, args: arguments.Arguments) -> Reply:
        tier = args.word("tier", "all")
        return await self.recall(
            caller, args.text, tier=None if tier == "all" else Tier(tier), limit=args.number("limit", 5)
        )

    async def _undo(self, caller: Caller, _args: arguments.Arguments) -> Reply:
        """Whichever came later: the caller's latest forget back, or the facts of their latest reset taken back."""
        now = self._clock()
        forgot = await self._archivist.last_forget_at(caller, now=now)
        reset = await self._past.last_reset_at(caller, now=now)
        if forgot is None and reset is None:
            raise errors.NotFound("There is nothing to undo: you forgot and reset nothing in the last 10 minutes.")
        if forgot is not None and (reset is None or forgot > reset):
            back = await self._archivist.undo_forget(caller, now=now)
            if not back:
                return Reply(text="[memory] It has been said again since, so it is known already.")
            return Reply(text="\n".join(f"[memory] back: #{m.memory_id} {wording.one_line(m.content)}" for m in back))
        undone = await self._past.undo_reset(caller, now=now)
        if undone is None:
            raise errors.NotFound("There is nothing to undo any more.")
        if undone.was_discarded:
            back = f"[memory] Session {undone.number} can be found again, with {undone.memories} memories made from it"
            return Reply(text=f"{back}; the history stays cleared.")
        if undone.was_waiting:
            return Reply(
                text=f"[memory] The summary of session {undone.number} was stopped; no memories are made from it, and "
                "the history stays cleared."
            )
        return Reply(
            text=f"[memory] Took back {undone.memories} memories of session {undone.number}; the history stays cleared."
        )

    async def _afterwards(self, caller: Caller, closed: Closed, announce: Announce) -> None:
        """The summary of the old session; then the new one's short tier is freed of what is overdue."""
        if closed.to_summarise:
            await self._summarise(closed, announce)
        await self._archivist.age([caller.space_id], Ageing(), now=self._clock())

    async def _summarise(self, closed: Closed, announce: Announce) -> None:
        try:
            done = await self._summaries.make(closed.space_id, closed.session_id)
        except errors.DatabaseError:
            done = SummaryDone(
                space_id=closed.space_id, channel_id=closed.channel_id, session_id=closed.session_id,
                message_count=closed.message_count, retry_at=self._clock(),
            )  # fmt: skip
        lines = [] if done is None else [summary_text(done)]
        await announce(Reply(text="\n".join([*lines, render.CLEARED])))

    async def _remember(self, caller: Caller, args: arguments.Arguments) -> Reply:
        saved = await self.save(
            caller,
            args.text,
            topic=args.word("topic", ""),
            room=args.word("room", "general"),
            importance=args.number("importance", ASKED_IMPORTANCE),
            tags=args.words("tags"),
            directive=bool(args.word("source", "")),
        )
        return Reply(text=render.saved_line(saved), saved=(saved,))

    async def _age(self, caller: Caller, args: arguments.Arguments) -> Reply:
        hours = args.number("older_than_hours", 48)
        ageing = Ageing(
            older_than=timedelta(hours=hours),
            max_rows=args.number("max_rows", 100),
            include_protected=bool(args.word("include", "")),
        )
        if "preview" in args.bare:
            due, total = await self._librarian.due_to_age(caller, ageing, now=self._clock())
            channels = await self._librarian.channel_names(caller)
            lines = [render.memory_lines(memory, channels, self._clock()) for memory in due]
            more = f" ({total} are due in all)" if total > len(due) else ""
            return Reply(text="\n".join([f"Would age {len(due)} memories (threshold: {hours}h){more}; none was moved.",
                                         *lines]))  # fmt: skip
        moved = await self._archivist.age([caller.space_id], ageing, now=self._clock(), caller=caller)
        return Reply(text=f"Aged {moved} memories from short-term to long-term (threshold: {hours}h).")

    async def _forget(self, caller: Caller, args: arguments.Arguments) -> Reply:
        memory = await self._archivist.forget(caller, _number(args), now=self._clock())
        return Reply(
            text=f"[memory] forgotten: #{memory.memory_id} {wording.one_line(memory.content)}\n"
            "Erased for good in 10 minutes; !undo brings it back until then."
        )

    async def _edit(self, caller: Caller, args: arguments.Arguments) -> Reply:
        saved = await self._archivist.edit(caller, _number(args), args.text, now=self._clock())
        return Reply(text=f"{render.saved_line(saved)}\nIt supersedes #{args.lead}.", saved=(saved,))

    async def _pin(self, caller: Caller, args: arguments.Arguments) -> Reply:
        memory = await self._archivist.pin(caller, _number(args), pinned=True, now=self._clock())
        return Reply(text=f"[memory] pinned: #{memory.memory_id} {wording.one_line(memory.content)}")

    async def _unpin(self, caller: Caller, args: arguments.Arguments) -> Reply:
        memory = await self._archivist.pin(caller, _number(args), pinned=False, now=self._clock())
        return Reply(text=f"[memory] unpinned: #{memory.memory_id} {wording.one_line(memory.content)}")

    async def _memories(self, caller: Caller, args: arguments.Arguments) -> Reply:
        page = args.number("page", 1)
        found, total = await self._librarian.memories(
            caller,
            filed_under=args.text or None,
            least=args.number("min", 1),
            by_importance=args.word("sort", "importance") == "importance",
            page=page,
            size=MEMORIES_A_PAGE,
        )
        if not found:
            name = wording.one_line(args.text, 60)
            if page > 1:
                return Reply(text=f"No memories{f' about {name!r}' if name else ''} on page {page}.")
            if name:
                return Reply(text=f"No topic or room is called {name!r}; !recall {name} looks in the texts.")
            return Reply(text="No memories yet.")
        channels = await self._librarian.channel_names(caller)
        lines = [render.memory_lines(memory, channels, self._clock()) for memory in found]
        asked = [f"{name}:{args.named[name]}" for name in ("sort", "min") if name in args.named]
        again = " ".join(["memories", *args.text.split(), *asked])
        return Reply(text=render.paged(lines, page=page, size=MEMORIES_A_PAGE, total=total, command=again))

    async def _sessions(self, caller: Caller, args: arguments.Arguments) -> Reply:
        page = args.number("page", 1)
        found, total = await self._librarian.sessions(caller, page=page, size=SESSIONS_A_PAGE)
        if not found:
            return Reply(text=f"No sessions on page {page}." if page > 1 else "No past sessions yet; !reset ends one.")
        lines = [render.session_lines(session) for session in found]
        return Reply(text=render.paged(lines, page=page, size=SESSIONS_A_PAGE, total=total, command="sessions"))

    async def _status(self, caller: Caller, _args: arguments.Arguments) -> Reply:
        return await status.status(self._database, self._librarian, self._jobs, self._models, caller, self._clock())

    async def _help(self, _caller: Caller, args: arguments.Arguments) -> Reply:
        if not args.text:
            return Reply(text=grammar.overview())
        name = args.text.lower().lstrip("!/")
        if name not in grammar.GRAMMARS:
            raise _unknown(name)
        return Reply(text=grammar.explain(name))


def _unknown(name: str) -> errors.BadArgument:
    near = difflib.get_close_matches(name, grammar.GRAMMARS, 1, 0.6)
    hint = f"did you mean !{near[0]}? " if near else ""
    return errors.BadArgument(f"There is no command !{wording.one_line(name, 40)}; {hint}!help lists those there are.")


def _number(args: arguments.Arguments) -> MemoryId:
    assert args.lead is not None
    return MemoryId(args.lead)


def summary_text(done: SummaryDone) -> str:
    """What a reset's message says when its summary is made, or can't be yet."""
    if done.retry_at is not None:
        return f"[memory] Not summarized yet: {done.message_count} messages are kept; trying again."
    lines = [f"[memory] Summarized {done.message_count} messages → {len(done.saved)} memories saved."]
    lines += [render.saved_line(saved) for saved in done.saved]
    if done.saved:
        lines.append("!undo takes these back; !forget <id> forgets one.")
    return "\n".join(lines)
