"""The use cases behind the commands: each takes a caller and returns a `Reply`; cogs and terminal only translate."""

import difflib
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot import arguments, errors
from bot.commands import grammar, identity_settings, score_breakdown, status
from bot.commands.about_me import AboutMe
from bot.commands.community import Community
from bot.commands.forgetting import Forgetting
from bot.commands.mydata import MyData, Reach
from bot.commands.palace import Walks
from bot.commands.reply_reasons import ReplyReasons
from bot.commands.resting import AnswerSources
from bot.commands.scratchpad import Scratchpad
from bot.config import Settings
from bot.dates import times
from bot.db.pool import Database
from bot.domain import (
    NOTHING_FOUND,
    TERMINAL_SPACE,
    Actor,
    Caller,
    Entry,
    Fact,
    Forgettable,
    Listing,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Parts,
    Recollection,
    Reply,
    Result,
    Right,
    Role,
    Saved,
    SessionId,
    Source,
    Stock,
    Strategy,
    Tier,
)
from bot.infra.job_runs import Jobs
from bot.language.tags import tagging
from bot.lifecycle.personal_data import PersonalData
from bot.lifecycle.summaries import Summaries, SummaryDone
from bot.llm.models import Models
from bot.presentation import render
from bot.prompting.identity import Identity
from bot.recall.file_search import AttachmentSearch
from bot.recall.librarian import Librarian
from bot.store.archivist import Ageing, Archivist, Author
from bot.store.people import People
from bot.store.rooms import Rooms
from bot.store.sessions import Closed, Sessions
from bot.store.spaces import Spaces
from bot.store.turn_trails import TurnTrails
from bot.store.vectors.embeddings import Embeddings
from bot.text import normalize, pasted_lists
from bot.text.sanitize import counted

Announce = Callable[[Reply], Awaitable[None]]
"""Where lines that come later go: under the reset's message, or on the terminal."""
Spawn = Callable[[Coroutine[Any, Any, None]], None]

SUMMARIZING: Final = "[memory] Summarizing"
"""How a reset's message begins until its summary is made."""
MOST_LISTED: Final = 50
"""Things of a pasted list that are kept at once."""
ASKED_IMPORTANCE: Final = 8
"""Of what a person asks to remember, unless they say otherwise."""
_RESTING: Final = frozenset({"remember", "note", "promote"})
"""Commands that keep what rests on the message they were given in."""
RESULTS_A_PAGE: Final = 5
MOST_RESULTS: Final = 20
MOST_FILES: Final = 3
"""Of those, files that speak of what was looked for."""
MEMORIES_A_PAGE: Final = 10
TAGS_A_PAGE: Final = 20
TAGS_COMPARED: Final = 500
"""The most used tags, among which what was meant by an unknown one is looked for."""
SESSIONS_A_PAGE: Final = 5
SAY_MORE: Final = "Tell me more about it: another word that was said, a name, or what it was about."
"""Under the sentence for nothing, where words are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetReply(Reply):
    """What a reset says, at once and when its summary is made."""

    closed: Closed
    done: SummaryDone | None = None


class Commands:
    """Every command, by name."""

    def __init__(
        self,
        database: Database,
        archivist: Archivist,
        librarian: Librarian,
        sessions: Sessions,
        summaries: Summaries,
        personal_data: PersonalData,
        jobs: Jobs,
        models: Models,
        settings: Settings,
        spawn: Spawn,
        clock: Callable[[], datetime],
        registry: tagging.Registry,
        scratchpad: Scratchpad,
        *,
        files: AttachmentSearch,
        embeddings: Embeddings | None = None,
        who: Identity | None = None,
    ) -> None:
        self._files = files
        self._database = database
        self._archivist = archivist
        self._registry = registry
        self._librarian = librarian
        self._past = sessions
        self._summaries = summaries
        self._jobs = jobs
        self._models = models
        self._embeddings = embeddings
        self.scratchpad: Scratchpad = scratchpad
        self._resetting = settings.reset
        self._spawn = spawn
        self._clock = clock
        self._mydata_of = MyData(personal_data, clock)
        self.reach: Callable[[Caller], Awaitable[Reach]] = own_reach
        """How far a person's own data may be shown where they ask; who knows more of that puts in their own."""
        self._spaces = Spaces(database)
        self._who = who or Identity(settings.settings_dir, self._spaces, clock)
        self._walks = Walks(Rooms(database), librarian, archivist, clock)
        self._community = Community(
            database, self._spaces, People(database), archivist, clock, searches=settings.recall.discord_search
        )
        self.forgetting: Forgetting = Forgetting(archivist, librarian, clock)
        self._about_me = AboutMe(librarian, self._spaces, People(database), clock)
        self._reasons = ReplyReasons(TurnTrails(database), librarian, clock)
        self._resting = AnswerSources(TurnTrails(database))

    async def run(
        self,
        caller: Caller,
        name: str,
        line: str | arguments.Arguments,
        announce: Announce,
        *,
        said: MessageId | None = None,
    ) -> Reply:
        """The reply to `!name line`, as typed in the message `said`, or parsed already.

        Raises `BadArgument` or `NotAllowed` with one sentence; then nothing was done.
        """
        found = grammar.GRAMMARS.get(name)
        if found is None:
            raise _unknown(name)
        args = line if isinstance(line, arguments.Arguments) else arguments.parse(line, found)
        _check_right(caller, arguments.needed(found, args))
        if name == "reset":
            return await self.reset(caller, announce, discard="discard" in args.bare)
        if name in _RESTING:
            # What a message asks to keep rests on it: who deletes the message takes it back.
            keep: Callable[[Caller, arguments.Arguments, MessageId | None], Awaitable[Reply]]
            keep = getattr(self, f"_{name}")
            return await keep(caller, args, said)
        use: Callable[[Caller, arguments.Arguments], Awaitable[Reply]] = getattr(self, f"_{name}")
        return await use(caller, args)

    async def as_typed(self, caller: Caller, text: str) -> str:
        """The text with every command named as the caller is to type it."""
        place = await self._spaces.place(caller.space_id, caller.channel_id)
        return text if place is None else grammar.prefixed(text, caller.address + place.prefix)

    async def reset(self, caller: Caller, announce: Announce, *, discard: bool = False) -> Reply:
        """Clear at once; what is kept of the session is announced when it is ready."""
        now = self._clock()
        closed = await self._past.reset(caller, discard=discard, min_messages=self._resetting.min_messages, now=now)
        if closed is None:
            return Reply(text=render.CLEARED)
        self._spawn(self._afterwards(caller, closed, announce))
        if closed.to_summarise:
            return ResetReply(text=f"{SUMMARIZING} {counted(closed.message_count, 'message')}…", closed=closed)
        if discard:
            memories = counted(closed.forgotten, "memory")
            taken = f", and {memories} made from them forgotten" if closed.forgotten else ""
            undo = "Erased for good in 10 minutes; !undo brings them back until then."
            text = f"[memory] {counted(closed.message_count, 'message')} discarded{taken}. {undo}\n{render.CLEARED}"
            return ResetReply(text=text, closed=closed)
        return Reply(text=render.CLEARED)

    async def save(
        self,
        caller: Caller,
        text: str,
        *,
        actor: Actor = Actor.PERSON,
        topic: str = "",
        room: str = "general",
        importance: int = ASKED_IMPORTANCE,
        tags: tuple[str, ...] = (),
        directive: bool = False,
        evidence: tuple[MessageId, ...] = (),
        reason: str = "remember",
        people_wrote: str | None = None,
    ) -> Saved:
        """One fact as a memory of the caller's channel and words, as `save_all` keeps several."""
        return (
            await self.save_all(
                caller,
                pasted_lists.Listed(things=(text,)),
                actor=actor,
                topic=topic,
                room=room,
                importance=importance,
                tags=tags,
                directive=directive,
                evidence=evidence,
                reason=reason,
                people_wrote=people_wrote,
            )
        )[0]

    async def save_all(
        self,
        caller: Caller,
        found: pasted_lists.Listed,
        *,
        actor: Actor = Actor.PERSON,
        topic: str = "",
        room: str = "general",
        importance: int = ASKED_IMPORTANCE,
        tags: tuple[str, ...] = (),
        directive: bool = False,
        evidence: tuple[MessageId, ...] = (),
        reason: str = "remember",
        people_wrote: str | None = None,
    ) -> tuple[Saved, ...]:
        """Facts as memories of the caller's channel and words, for a reason their consent may depend on: all or none.

        Those of a list are filed under what stands above it.

        Where the text is not people's own, whatever is inferred of it is inferred from what `people_wrote` instead; of
        a model's text without that, no domain is.

        Raises `RefusedText`, and `NotAllowed` where the channel's mode or the caller's wish forbids it.
        """
        if len(found.things) > MOST_LISTED:
            raise errors.RefusedText(
                f"That is a list of {len(found.things)}; I keep at most {MOST_LISTED} at once, and kept none of these."
            )
        workflow = tagging.NOTE if actor is Actor.PERSON else tagging.SESSION
        filed = topic or (normalize.label(found.heading, "") if found.heading else "")
        facts: list[Fact] = []
        for text in found.things:
            written = people_wrote if people_wrote is not None else text if actor is Actor.PERSON else ""
            facts.append(
                Fact(
                    content=text,
                    topic=filed or normalize.topic_of(text if people_wrote is None else people_wrote),
                    room=room,
                    importance=importance,
                    source=Source.DIRECTIVE if directive else Source.USER,
                    tags=(*self._registry.inferred(written, workflow=workflow), *tagging.own(tags)),
                    evidence=evidence,
                    author_id=caller.person_id,
                    author=caller.name,
                )
            )
        return await self.keep(caller, facts, actor=actor, reason=reason)

    async def keep(
        self, caller: Caller, facts: Sequence[Fact], *, actor: Actor = Actor.PERSON, reason: str = "asked"
    ) -> tuple[Saved, ...]:
        """Facts, whoever said them, as memories of the caller's channel, all of them or none. Raises as `save` does."""
        author = Author(actor=actor, person_id=caller.person_id, reason=reason)
        saved = await self._archivist.save(caller.space_id, caller.origin_id, facts, author, now=self._clock())
        if not saved:
            raise errors.RefusedText(
                "That is small talk or machine output, which is kept only if a person asks for it."
            )
        return tuple(saved)

    async def quoted(self, caller: Caller, turn_id: MessageId) -> list[Memory | Message]:
        """What the reply to a question quotes word for word."""
        return await self._reasons.quoted(caller, turn_id)

    async def keepable(self, caller: Caller, answer: Message, question: Message) -> list[Memory | Message]:
        """What an answer quotes and may be kept; raises `RefusedText` as `Resting.keepable` does."""
        return await self._resting.keepable(caller, answer, question)

    def tags_of(self, written: str) -> tuple[str, ...]:
        """The tags of what a person wrote and wants kept."""
        return tuple(self._registry.inferred(written, workflow=tagging.NOTE))

    async def recall(
        self,
        caller: Caller,
        query: str,
        *,
        tier: Tier | None = None,
        limit: int = 5,
        apart_from: tuple[MessageId, ...] = (),
    ) -> Reply:
        """What memory and messages hold on the query, or the one sentence for nothing."""
        found = await self._librarian.recall(
            caller, query, as_of=self._clock(), tier=tier, messages=tier is None, limit=limit, apart_from=apart_from
        )
        if tier is None:
            found = await self._with_files(caller, query, found, apart_from, limit=limit)
        return await self.told(caller, replace(found, questions=()))

    async def _with_files(
        self, caller: Caller, query: str, found: Recollection, apart_from: tuple[MessageId, ...] = (), *, limit: int
    ) -> Recollection:
        """What was found and what files say of it, each as said by whoever sent it; what holds most comes first."""
        asked = Message(
            space_id=caller.space_id,
            channel_id=caller.channel_id,
            message_id=MessageId(0),
            role=Role.PERSON,
            author_id=caller.person_id,
            author=caller.name,
            content=query,
            said_at=self._clock(),
        )
        files = (await self._files.search(caller, asked, apart_from=apart_from)).attachments[:MOST_FILES]
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
        return replace(found, results=tuple(ranked[:limit]))

    async def told(self, caller: Caller, found: Recollection, *, with_links: bool = False) -> Reply:
        """A recollection as it is shown, with the ids of the memories in it; with links for a person to follow.

        What only asks about it comes last, and is marked as asked.
        """
        now = self._clock()
        channels = await self._librarian.channel_names(caller)
        said = tuple(r.item for r in (*found.results, *found.questions) if isinstance(r.item, Message))
        links, zone = await self._links(caller, found.memories, said), caller.time_zone
        entries = [render.result_entry(result, channels, links, now, zone) for result in found.results]
        lines = [render.result_lines(result, channels, now, zone) for result in found.results]
        entries += [render.question_entry(result, links, zone) for result in found.questions]
        lines += [render.question_lines(result, zone) for result in found.questions]
        if with_links:
            lines = [render.led(caller, text, entry) for text, entry in zip(lines, entries, strict=True)]
        return Reply(
            text=render.recollection(found, lines),
            shown=tuple(memory.memory_id for memory in found.memories),
            quoted=said,
            listing=Listing(title="What I found", entries=tuple(entries), notes=found.asked.notes) if entries else None,
        )

    async def _recall(self, caller: Caller, args: arguments.Arguments) -> Reply:
        tier, page = args.word("tier", "all"), args.number("page", 1)
        strategy = Strategy(args.word("strategy", Strategy.RANKED))
        size = args.number("limit", 1 if strategy is Strategy.LITERAL else RESULTS_A_PAGE)
        found = await self._librarian.recall(
            caller,
            args.text,
            as_of=self._clock(),
            tier=None if tier == "all" else Tier(tier),
            messages=tier == "all",
            limit=MOST_RESULTS,
            tags=await self.tags_meant(caller, args.words("tag")),
            strategy=strategy,
        )
        if strategy is Strategy.RANKED and tier == "all" and not args.words("tag"):
            found = await self._with_files(caller, args.text, found, limit=MOST_RESULTS)
        shown = render.page_of(found, page=page, size=size)
        if found and not shown:
            return Reply(text=f"No more results on page {page}; {counted(len(found.results), 'result')} in all.")
        if "why" in args.bare:
            limit = None if caller.space_id == TERMINAL_SPACE else score_breakdown.LIMIT
            told = score_breakdown.explained(found, strategy, page=page, size=size, zone=caller.time_zone, limit=limit)
            return Reply(text=told)
        if not found and strategy is Strategy.LITERAL:
            return Reply(text=f"{NOTHING_FOUND}\n{SAY_MORE}")
        told = await self.told(caller, shown, with_links=True)
        return self._paged(told, args, total=len(found.results), page=page, size=size)

    def _paged(self, reply: Reply, args: arguments.Arguments, *, total: int, page: int, size: int) -> Reply:
        """One page of a recall, with what asks for the next; questions stand on the last and are not counted."""
        if reply.listing is None:
            return reply
        pages, again = max(1, -(-total // size)), _again("recall", args)
        title = f"{total} found for {normalize.one_line(normalize.shown(args.text), 80)!r}"
        more = render.more(page=page, pages=pages, again=again)
        return replace(
            reply,
            text="\n".join([reply.text, more] if more else [reply.text]),
            listing=replace(reply.listing, title=title, page=page, pages=pages, again=again),
        )

    async def about(self, caller: Caller) -> Reply:
        """What is known about the caller and may be shown where they ask, quoted; or one sentence for nothing."""
        return await self._about_me.about(caller)

    async def to_change(self, caller: Caller, memory_id: MemoryId) -> Memory:
        """A memory the caller is about to put right. Raises `NotFound`, and `NotAllowed` where it is another's."""
        memory = await self._librarian.memory(caller, memory_id)
        if memory.author_id not in {None, caller.person_id} and not caller.may(Right.MANAGE_GUILD):
            raise errors.NotAllowed(
                f"#{memory_id} was said by someone else; changing it needs the permission {Right.MANAGE_GUILD}."
            )
        return memory

    async def undo_forget(self, caller: Caller, memory_id: MemoryId | None = None) -> Reply:
        """The caller's latest forget, or that of this memory, taken back.

        Raises `NotFound` when they forgot nothing like it in the last 10 minutes.
        """
        now = self._clock()
        if await self._archivist.last_forget_at(caller, now=now, memory_id=memory_id) is None:
            what = "anything" if memory_id is None else f"#{memory_id}"
            raise errors.NotFound(f"You did not forget {what} in the last 10 minutes, so there is nothing to undo.")
        back = await self._archivist.undo_forget(caller, now=now, memory_id=memory_id)
        if not back.memories and not back.said:
            return Reply(text="[memory] It has been said again since, so it is known already.")
        lines = [f"[memory] back: #{m.memory_id} {normalize.one_line(m.content)}" for m in back.memories]
        lines += render.said_lines("back", back.said)
        return Reply(text="\n".join(lines), saved=tuple(Saved(memory=m, was_known=True) for m in back.memories))

    async def agreed(self, caller: Caller, asked: Forgettable, *, asking: MessageId | None = None) -> Reply:
        """What a person was asked about, forgotten, as they said yes to it in the turn `asking`, or by a button."""
        if not asked.everything:
            return await self.forgetting.agreed(caller, asked)
        reply, receipt = await self._mydata_of.run(
            caller.person_id, "erase", await own_reach(caller), confirm=True, zone=caller.time_zone, asking=asking
        )
        return replace(reply, closed_turns=tuple(turn for _, turn in receipt.in_progress), stock=Stock.FORGOTTEN)

    async def forget_everything(self, caller: Caller) -> Reply:
        """What `!mydata erase` tells, to be said yes to."""
        reply, _ = await self._mydata_of.run(
            caller.person_id, "erase", await own_reach(caller), confirm=False, zone=caller.time_zone
        )
        if reply.asks is None:
            return replace(reply, stock=Stock.FORGOTTEN)
        return replace(reply, text=f"{reply.text}\nSo does “yes”, said within 10 minutes.", stock=Stock.ASKED)

    async def memories(self, caller: Caller, line: str) -> Reply:
        """What `!memories` lists, asked for in plain words."""
        return await self._memories(caller, arguments.parse(line, grammar.GRAMMARS["memories"]))

    async def undo_reset(self, caller: Caller, session_id: SessionId) -> Reply:
        """This reset taken back, if it is the caller's latest here and at most 10 minutes old. Raises `NotFound`."""
        latest = await self._past.last_reset_at(caller, now=self._clock())
        if latest is None or latest != await self._librarian.closed_at(caller, session_id):
            raise errors.NotFound("Only whoever reset last can undo it, within 10 minutes; this one can't be undone.")
        return await self._reset_undone(caller)

    async def _undo(self, caller: Caller, _args: arguments.Arguments) -> Reply:
        """Whichever came last of the caller's: a forget back, or the facts of a reset or a layout taken back."""
        now = self._clock()
        forgot = await self._archivist.last_forget_at(caller, now=now)
        reset = await self._past.last_reset_at(caller, now=now)
        laid_out = await self._archivist.last_laid_out_at(caller, now=now)
        if laid_out is not None and laid_out >= max(filter(None, (forgot, reset)), default=laid_out):
            return await self._walks.undo(caller)
        if forgot is None and reset is None:
            raise errors.NotFound("There is nothing to undo: you forgot and reset nothing in the last 10 minutes.")
        if forgot is not None and (reset is None or forgot > reset):
            return await self.undo_forget(caller)
        return await self._reset_undone(caller)

    async def _links(
        self, caller: Caller, memories: Iterable[Memory], messages: Iterable[Message] = ()
    ) -> render.Links:
        """Where the messages stand that these are, or rest on."""
        ids = {e for memory in memories for e in memory.evidence} | {message.message_id for message in messages}
        return await self._librarian.places(caller, ids)

    async def _reset_undone(self, caller: Caller) -> Reply:
        undone = await self._past.undo_reset(caller, now=self._clock())
        if undone is None:
            raise errors.NotFound("There is nothing to undo any more.")
        memories = counted(undone.memories, "memory")
        if undone.was_discarded:
            back = f"[memory] Session {undone.number} can be found again, with {memories} made from it"
            return Reply(text=f"{back}; the history stays cleared.")
        if undone.was_waiting:
            return Reply(
                text=f"[memory] The summary of session {undone.number} was stopped; no memories are made from it, and "
                "the history stays cleared."
            )
        return Reply(text=f"[memory] Took back {memories} of session {undone.number}; the history stays cleared.")

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
                space_id=closed.space_id,
                channel_id=closed.channel_id,
                session_id=closed.session_id,
                message_count=closed.message_count,
                retry_at=self._clock(),
            )
        lines = [] if done is None else [summary_text(done)]
        await announce(ResetReply(text="\n".join([*lines, render.CLEARED]), closed=closed, done=done))

    async def _remember(self, caller: Caller, args: arguments.Arguments, said: MessageId | None) -> Reply:
        saved = await self.save_all(
            caller,
            pasted_lists.read(args.text),
            topic=args.word("topic", ""),
            room=args.word("room", "general"),
            importance=args.number("importance", ASKED_IMPORTANCE),
            tags=args.words("tags"),
            directive=bool(args.word("source", "")),
            evidence=() if said is None else (said,),
        )
        return Reply(text=render.kept(saved), saved=saved)

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
            more = f" ({total} {'is' if total == 1 else 'are'} due in all)" if total > len(due) else ""
            head = f"Would age {counted(len(due), 'memory')} (threshold: {hours}h){more}; none was moved."
            return Reply(text="\n".join([head, *lines]))
        moved = await self._archivist.age([caller.space_id], ageing, now=self._clock(), caller=caller)
        return Reply(text=f"Aged {counted(moved, 'memory')} from short-term to long-term (threshold: {hours}h).")

    async def _forget(self, caller: Caller, args: arguments.Arguments) -> Reply:
        memory = await self._archivist.forget(caller, _number(args), now=self._clock())
        return Reply(
            text=f"[memory] forgotten: #{memory.memory_id} {normalize.one_line(memory.content)}\n"
            "Erased for good in 10 minutes; !undo brings it back until then.",
            forgotten=memory.memory_id,
        )

    async def _edit(self, caller: Caller, args: arguments.Arguments) -> Reply:
        saved = await self._archivist.edit(caller, _number(args), args.text, now=self._clock())
        return Reply(text=f"{render.saved_line(saved)}\nIt supersedes #{args.lead}.", saved=(saved,))

    async def _pin(self, caller: Caller, args: arguments.Arguments) -> Reply:
        memory = await self._archivist.pin(caller, _number(args), pinned=True, now=self._clock())
        return Reply(text=f"[memory] pinned: #{memory.memory_id} {normalize.one_line(memory.content)}")

    async def _unpin(self, caller: Caller, args: arguments.Arguments) -> Reply:
        memory = await self._archivist.pin(caller, _number(args), pinned=False, now=self._clock())
        return Reply(text=f"[memory] unpinned: #{memory.memory_id} {normalize.one_line(memory.content)}")

    async def _memories(self, caller: Caller, args: arguments.Arguments) -> Reply:
        page, tags = args.number("page", 1), await self.tags_meant(caller, args.words("tag"))
        since, until = _span(args.word("said", ""), self._clock(), caller.time_zone)
        found, total = await self._librarian.memories(
            caller,
            tags=tags,
            filed_under=args.text or None,
            least=args.number("min", 1),
            by_importance=args.word("sort", "importance") == "importance",
            page=page,
            size=MEMORIES_A_PAGE,
            author_id=caller.person_id if args.word("by", "") else None,
            since=since,
            until=until,
        )
        if not found:
            name = normalize.one_line(args.text, 60)
            if ("by" in args.named or "said" in args.named) and page == 1:
                return Reply(text=f"No memories{f' about {name!r}' if name else ''}{_narrowed(args)}{_tagged(tags)}.")
            if page > 1:
                return Reply(text=f"No memories{f' about {name!r}' if name else ''}{_tagged(tags)} on page {page}.")
            if tags:
                return Reply(text=f"No memories{f' about {name!r}' if name else ''}{_tagged(tags)}.")
            if name:
                return Reply(text=f"No topic or room is called {name!r}; !recall {name} looks in the texts.")
            return Reply(text="No memories yet.")
        now, again = self._clock(), _again("memories", args)
        channels, links = await self._librarian.channel_names(caller), await self._links(caller, found)
        entries, lines = render.listed(caller, found, channels, links, now)
        if again:
            lines = [render.paged(lines, page=page, size=MEMORIES_A_PAGE, total=total, command=again)]
        about = f" about {normalize.one_line(normalize.shown(args.text), 80)!r}" if args.text else ""
        return Reply(
            text="\n".join(lines),
            listing=Listing(
                title=f"{counted(total, 'memory')}{about}{_narrowed(args)}{_tagged(tags)}",
                entries=entries,
                page=page,
                pages=-(-total // MEMORIES_A_PAGE),
                again=again,
            ),
        )

    async def tags_meant(self, caller: Caller, given: tuple[str, ...]) -> tuple[str, ...]:
        """The tags a person names, as memories have them: `finance` is `domain:finance` where no tag is `finance`.

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
                raise errors.NotFound(_unknown_tag(tag, [name for name, _ in tags]))
        return tuple(dict.fromkeys(known for known in meant.values() if known is not None))

    async def _tags(self, caller: Caller, args: arguments.Arguments) -> Reply:
        page = args.number("page", 1)
        found, total = await self._librarian.tags(caller, limit=TAGS_A_PAGE, page=page)
        if not found:
            return Reply(text=f"No tags on page {page}." if page > 1 else "No tags yet; every memory gets some.")
        uses = [(normalize.shown(tag), counted(n, "memory")) for tag, n in found]
        width = max(len(tag) for tag, _ in uses)
        lines = [f"{tag:<{width}}  {n}" for tag, n in uses]
        return Reply(
            text=render.paged(lines, page=page, size=TAGS_A_PAGE, total=total, command="tags"),
            listing=Listing(
                title=counted(total, "tag"),
                entries=tuple(Entry(head=tag, body=n) for tag, n in uses),
                page=page,
                pages=-(-total // TAGS_A_PAGE),
                again="tags",
            ),
        )

    async def _sessions(self, caller: Caller, args: arguments.Arguments) -> Reply:
        page = args.number("page", 1)
        found, total = await self._librarian.sessions(caller, page=page, size=SESSIONS_A_PAGE)
        if not found:
            return Reply(text=f"No sessions on page {page}." if page > 1 else "No past sessions yet; !reset ends one.")
        lines = [render.session_lines(session, caller.time_zone) for session in found]
        return Reply(
            text=render.paged(lines, page=page, size=SESSIONS_A_PAGE, total=total, command="sessions"),
            listing=Listing(
                title=f"{counted(total, 'past session')} of this channel",
                entries=tuple(render.session_entry(session, caller.time_zone) for session in found),
                page=page,
                pages=-(-total // SESSIONS_A_PAGE),
                again="sessions",
            ),
        )

    async def _note(self, caller: Caller, args: arguments.Arguments, said: MessageId | None) -> Reply:
        return await self.scratchpad.note(caller, args.text, said)

    async def _notes(self, caller: Caller, args: arguments.Arguments) -> Reply:
        return await self.scratchpad.notes(caller, args)

    async def _promote(self, caller: Caller, args: arguments.Arguments, said: MessageId | None) -> Reply:
        return await self.scratchpad.promote(caller, args, said)

    async def _wake(self, caller: Caller, _args: arguments.Arguments) -> Reply:
        return await self.scratchpad.wake(caller)

    async def _why(self, caller: Caller, args: arguments.Arguments) -> Reply:
        return await self._reasons.why(caller, args)

    async def _me(self, caller: Caller, args: arguments.Arguments) -> Reply:
        return await self._about_me.me(caller, args)

    async def _memory(self, caller: Caller, args: arguments.Arguments) -> Reply:
        return await self._community.memory(caller, args)

    async def _channel(self, caller: Caller, args: arguments.Arguments) -> Reply:
        return await self._community.channel(caller, args)

    async def _settings(self, caller: Caller, args: arguments.Arguments) -> Reply:
        return await self._community.settings(caller, args)

    async def _palace(self, caller: Caller, args: arguments.Arguments) -> Reply:
        return await self._walks.palace(caller, args)

    async def _room(self, caller: Caller, args: arguments.Arguments) -> Reply:
        return await self._walks.room(caller, args)

    async def _identity(self, caller: Caller, args: arguments.Arguments) -> Reply:
        return await identity_settings.run(self._who, caller, args)

    async def _mydata(self, caller: Caller, args: arguments.Arguments) -> Reply:
        word, _, confirm = (args.form or "see").partition(" ")
        # To erase, nothing is read: that must not fail because Discord can't be asked what they can read.
        reach = await (own_reach if word == "erase" else self.reach)(caller)
        reply, receipt = await self._mydata_of.run(
            caller.person_id, word, reach, confirm=bool(confirm), zone=caller.time_zone
        )
        lines = self._mydata_of.lines(caller.person_id, reach) if word == "export" else None
        return replace(reply, lines=lines, closed_turns=tuple(turn for _, turn in receipt.in_progress))

    async def _status(self, caller: Caller, _args: arguments.Arguments) -> Reply:
        return await status.status(
            self._database, self._librarian, self._jobs, self._models, self._embeddings, caller, self._clock()
        )

    async def _help(self, _caller: Caller, args: arguments.Arguments) -> Reply:
        if not args.text:
            return Reply(text=grammar.overview())
        name = args.text.lower().lstrip("!/")
        if name not in grammar.GRAMMARS:
            raise _unknown(name)
        return Reply(text=grammar.explain(name))


def _again(name: str, args: arguments.Arguments) -> str:
    """The line that asks for the same; nothing where its words would be read as arguments, as `why` at their end."""
    line = render.asked(name, args)
    try:
        read = arguments.parse(line.partition(" ")[2], grammar.GRAMMARS[name])
    except errors.BadArgument:
        return ""
    named = {name: value for name, value in args.named.items() if name != "page"}
    return line if (read.text.split(), read.named) == (args.text.split(), named) else ""


def _check_right(caller: Caller, need: tuple[Right, str] | None) -> None:
    if need is not None and not caller.may(need[0]):
        raise errors.NotAllowed(f"{need[1]} needs the permission {need[0]}, which you don't have here.")


async def own_reach(caller: Caller) -> Reach:
    """What can be read from where the caller is, for them alone where nobody else is there."""
    return Reach(
        readable={caller.space_id: caller.visible}, names={TERMINAL_SPACE: "the terminal"}, is_alone=caller.reads_alone
    )


def _unknown(name: str) -> errors.BadArgument:
    near = difflib.get_close_matches(name, grammar.GRAMMARS, 1, 0.6)
    hint = f"did you mean !{near[0]}? " if near else ""
    return errors.BadArgument(
        f"There is no command !{normalize.one_line(name, 40)}; {hint}!help lists those there are."
    )


def _unknown_tag(tag: str, known: list[str]) -> str:
    """That no memory has it, and which tags are near: written like it, with or without what kind they are."""
    bare = {name.partition(":")[2] or name: name for name in reversed(known)}
    near = [
        *difflib.get_close_matches(tag, known, 3, 0.7),
        *(bare[n] for n in difflib.get_close_matches(tag, bare, 3, 0.7)),
    ]
    named = list(dict.fromkeys(near))[:3]
    hint = f"did you mean {' or '.join(map(normalize.shown, named))}? " if named else ""
    return f"No memory has the tag {normalize.one_line(normalize.shown(tag), 60)!r}; {hint}!tags lists those there are."


def _tagged(tags: tuple[str, ...]) -> str:
    """How a sentence about memories goes on that names their tags."""
    return f" tagged {normalize.one_line(normalize.shown(' and '.join(tags)), 80)}" if tags else ""


def _narrowed(args: arguments.Arguments) -> str:
    """How a sentence about memories goes on that names whose they are, and of when."""
    by, said = " of yours" * ("by" in args.named), args.word("said", "")
    return f"{by}{f', said {said!r}' if said else ''}"


def _span(said: str, now: datetime, zone: str) -> tuple[datetime | None, datetime | None]:
    """The time that is named. Raises `BadArgument` where none is."""
    if not said:
        return None, None
    spans = times.read(said, as_of=now, zone=zone).spans
    if not spans:
        raise errors.BadArgument(f'said takes a time, such as said:today or said:"last week", not {said!r}.')
    return spans[0].start, spans[0].end


def _number(args: arguments.Arguments) -> MemoryId:
    assert args.lead is not None
    return MemoryId(args.lead)


def summary_text(done: SummaryDone) -> str:
    """What a reset's message says when its summary is made, or can't be yet."""
    if done.retry_at is not None:
        are = "is" if done.message_count == 1 else "are"
        return f"[memory] Not summarized yet: {counted(done.message_count, 'message')} {are} kept; trying again."
    messages, memories = counted(done.message_count, "message"), counted(len(done.saved), "memory")
    lines = [f"[memory] Summarized {messages} → {memories} saved."]
    lines += [render.saved_line(saved) for saved in done.saved]
    if done.saved:
        lines.append("!undo takes these back; !forget <id> forgets one.")
    return "\n".join(lines)
