"""A reply while it is written: saved before it is shown, then closed with the record of how it came about."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Final, TypeVar

from bot import catalogue, errors, log
from bot.db.pool import Database
from bot.domain import (
    Caller,
    Layer,
    LedgerEntry,
    MemoryId,
    Message,
    MessageId,
    PersonId,
    Reply,
    Role,
    Saved,
    SentFile,
    Stock,
    Surroundings,
    Turn,
    new_id,
)
from bot.grounding import citations, deeds, model_words
from bot.grounding.deeds import Deed
from bot.grounding.standing import Standing
from bot.infra.metrics import Metrics
from bot.language.past.detector import Detection
from bot.layers.walk import Evidence, LayerOutcome
from bot.llm.messages import ChatMessage, Usage
from bot.presentation import both_sides, render
from bot.prompting import evidence
from bot.prompting.personas import ITSELF, Household, Persona
from bot.recall.retrievers.retrieval import Retrieved
from bot.store import namesakes
from bot.store.archivist import Archivist
from bot.store.proposals import Act, Proposals
from bot.store.trail import Origin, Step, Trail, TurnRecord
from bot.store.turns import HATHI, Turns
from bot.text import sentences
from bot.tools.allowance import Allowance
from bot.tools.tool_context import Done, NotKept, ToolContext
from bot.turn import undone
from bot.turn.delivery import Delivery
from bot.turn.prompt_reading import PromptBlocks, PromptReading

_log = log.logger(__name__)
T = TypeVar("T")

DATABASE_PATIENCE: Final = timedelta(seconds=90)
"""How long a turn waits for a database that went away in the middle of it."""
KEEP_EVERY: Final = 1.0
"""Seconds between two commits of what was shown of a streaming reply."""
NOT_READ: Final = catalogue.later("I don't look into memory here; {p}recall does.")
"""What is said in place of what memory has, by whoever may not read it."""
CUT_MARK: Final = catalogue.later(" [cut off]")
STOP_MARK: Final = catalogue.later(" [stopped]")
STOPPED: Final = catalogue.later("Stopped; I had said nothing yet.")
"""In place of an answer that a person stopped before anything of it was shown."""
MOST_LOOKS: Final = 20
"""Times a text is compared with what is left while more and more is taken back; then the turn is answered anew."""
LONGEST: Final = 8_000
"""Characters of an answer; a model that goes on is not listened to any longer."""
LAST: Final = 1_000
"""Of those, the ones in which an answer that is longer ends."""
_DEEDS: Final = MappingProxyType({"age": Deed.AGED, "note": Deed.KEPT, "promote": Deed.KEPT})
"""The deed that a command of a model's is."""
_SHOWN: Final = frozenset({"system", "user"})
"""The roles of the messages in a prompt that no model wrote, nor a tool returned to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The parts that every draft needs: database, stores, clock and metrics."""

    database: Database
    turns: Turns
    archivist: Archivist
    proposals: Proposals
    metrics: Metrics
    clock: Callable[[], datetime]

    async def told_apart(self, turn: Turn, messages: Sequence[Message]) -> list[Message]:
        """The question and the messages, by people told apart who are called alike."""
        items = [turn.message, *messages]
        try:
            async with self.database.connection() as connection:
                return await namesakes.told_apart(connection, turn.caller.space_id, items)
        except errors.DatabaseDown:
            return namesakes.told_apart_alone(items)

    async def patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        """Runs `work`, waiting for a database that is away. Raises `DatabaseDown` after 90 seconds."""
        return await self.database.keep_trying(work, within=DATABASE_PATIENCE)


@dataclass(slots=True, kw_only=True)
class Draft:
    """The reply to one turn while it is written: its text, its figures, and where it is shown."""

    desk: Desk
    turn: Turn
    """With a caller who sees of memory what is open to whoever answers."""
    delivery: Delivery
    household: Household = ITSELF
    """Those who speak where it was asked."""
    speaker: Persona = field(init=False)
    """Whose words it has."""
    asker: Caller = field(init=False)
    """Who asked, with all that they may themselves."""
    allowance: Allowance = field(default_factory=Allowance)
    """Of the turn's models; the same for each draft of it."""
    text: str = ""
    head: str = ""
    """Set words before an answer, with what parts them from it: shown, and no part of what is recorded."""
    foot: str = ""
    """Such words after it."""
    stock: Stock | None = None
    """Which of Hathi's own set texts it is; none for an answer."""
    reply: Reply | None = None
    """What it is where it was there at once."""
    is_left_unsaid: bool = False
    """Whether what was said needs no answer."""
    cut_off: bool = False
    writes_down: bool = False
    """Whether what is said now is to be kept: it repeats what was to be remembered, and affirms no order by that."""
    held: bool = False
    shown: list[MemoryId] = field(default_factory=list[MemoryId])
    recalled: list[MemoryId] = field(default_factory=list[MemoryId])
    saved: list[Saved] = field(default_factory=list[Saved])
    not_kept: list[NotKept] = field(default_factory=list[NotKept])
    did: list[Done] = field(default_factory=list[Done])
    """What a model did in the asker's name, beside what it saved."""
    hands: ToolContext | None = None
    """What its model's tools are given and gather, once one is asked."""
    holds_others: bool = False
    """Whether anything else that it is made of holds words of anyone but the asker."""
    acts: list[Act] = field(default_factory=list[Act])
    """What it would have done, and the asker is asked about."""
    refused: list[str] = field(default_factory=list[str])
    """Why the asker may not have done what it would have."""
    standing: Standing | None = None
    """What its prompt holds, which it may not contradict."""
    undone: list[frozenset[Deed]] = field(default_factory=list[frozenset[Deed]])
    """What the model said was done, and was not, in the answer that is shown: taken out of it."""
    trail: Trail = field(default_factory=Trail)
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    durations: dict[str, float] = field(default_factory=dict[str, float])
    waited: dict[str, None] = field(default_factory=dict[str, None])
    """The steps that nothing else of the turn was done beside, in their order."""
    notes: list[str] = field(default_factory=list[str])
    """Lines that stand under the reply."""
    checks: list[Callable[[], Awaitable[object]]] = field(default_factory=list[Callable[[], Awaitable[object]]])
    """Each raises `AnswerOutdated` where the draft tells what was taken back since it was begun."""
    taken_back: int = field(init=False)
    """How often something of the space had been taken back by now, as far as is known."""
    beside: list[Evidence] = field(default_factory=list[Evidence])
    """What the model was shown beside the session: Active Memory, and what the session began with."""
    names: list[str] = field(default_factory=list[str])
    """Those of rooms and topics there that may be others' words."""
    quoted: list[Message] = field(default_factory=list[Message])
    """What people said that it looked up by itself."""
    looked_up: list[str] = field(default_factory=list[str])
    """What its recalls returned."""
    found: list[Evidence] = field(default_factory=list[Evidence])
    """The memories and messages among that."""
    fetched: list[Evidence] = field(default_factory=list[Evidence])
    """The files and things of the forge among that."""
    identity: str | None = None
    """Who Hathi is here, once it was read."""
    nearby: Sequence[Message] = ()
    """What stood around the question, of what was shown to a model or told; recorded nowhere for it."""
    pictures: Sequence[SentFile] = ()
    """Of those that came with it, the ones that a model is shown."""
    earlier: Sequence[Retrieved] = ()
    """What its prompt tells of the channel's past."""
    entries: list[LedgerEntry] = field(default_factory=list[LedgerEntry])
    """The entries of ledgers that the model was shown, there or by a tool."""
    retrieved: Sequence[Retrieved] = ()
    """What was retrieved of the channel's past while the session was read."""
    reading: asyncio.Task[PromptReading] | None = None
    """What a prompt is made of, which may be read while the question is recorded."""
    asked: asyncio.Task[Detection | None] | None = None
    """Whether its question is about the past, as that is looked at."""
    _context: asyncio.Task[Surroundings] | None = None
    """The context of the question as it is read, before people are told apart in it."""
    _surroundings: Surroundings | None = None
    _surrounded_at: float = 0.0
    quoted_from: set[PersonId] = field(default_factory=set[PersonId])
    """Whose words of the context it holds, which need not be recorded."""
    made_from: list[Evidence] = field(default_factory=list[Evidence])
    """What it was made from that is not stored here: then neither is the reply."""
    record: str = ""
    """What is stored in its place."""
    prompt: Sequence[ChatMessage] = ()
    """All that the model was shown of it, what its tools returned included."""
    said: str = ""
    """All that the model has said of it; of one of several parts, of the last."""
    before: str = ""
    """The parts before, where it is of several, and what stands over the last."""
    longest: int = LONGEST
    """Characters of what is said, of each part where it is of several."""
    _linked: tuple[int, frozenset[str]] = (0, frozenset())
    """The links of so many of the texts that the model was shown."""
    _finished: int = 0
    """How much of that was whole when it was looked at last."""
    _visible: str = ""
    """What of it was given to be shown while it was written."""
    _meanwhile: str = ""
    """What was shown before there was anything of the reply."""
    _kept_at: float | None = None
    _began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        """Begins with the count that was read before anything was read for the draft."""
        self.taken_back = self.turn.taken_back
        self.speaker, self.asker = self.household.speaker, self.turn.caller
        self.turn = replace(self.turn, caller=self.household.seen_by_speaker(self.asker))

    @property
    def keeper(self) -> Caller:
        """Who asked, with what is open to whoever keeps something for them here."""
        return self.household.seen_by_writer(self.asker)

    def kept_by_writer(self) -> None:
        """Has whoever keeps what was asked for say so, where somebody may."""
        self.speaker = self.household.writer or self.speaker

    def nothing_found(self, *more: str) -> str:
        """That memory has nothing, with `more` to say of it; or that it was not looked into."""
        if not self.turn.caller.access.reads:
            return catalogue.gettext(NOT_READ).format(p=self.asker.prefix)
        own = self.speaker.nothing(self.asker)
        return " ".join([own, *more]) if own else render.nothing_found(self.asker, *more)

    @contextlib.contextmanager
    def step(self, name: str) -> Generator[None]:
        """A block that nothing else of the turn is done beside: timed, and noted in the trail in its order."""
        self.waited[name] = None
        with self.timed(name):
            yield

    @contextlib.contextmanager
    def timed(self, name: str) -> Generator[None]:
        """A block that is timed, and may run beside others."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.durations[name] = self.durations.get(name, 0.0) + time.perf_counter() - began

    def unfit(self, part: str, count: int) -> None:
        """Notes in the trail how many things did not fit into a part of the prompt."""
        others = {name: n for name, n in self.trail.unfit.items() if name != part}
        self.trail = replace(self.trail, unfit=others | ({part: count} if count else {}))

    @property
    def begun(self) -> bool:
        """Whether any of it may have been shown."""
        return self._kept_at is not None and bool(self.text or not self._meanwhile)

    @property
    def shown_text(self) -> str:
        """The reply as people see it."""
        return self.speaker.spoken(self.asker, f"{self.head}{self.text}{self._mark}{self.foot}")

    @property
    def _mark(self) -> str:
        """What an answer ends on that is not whole."""
        if not self.cut_off:
            return ""
        return catalogue.gettext(STOP_MARK if self.delivery.by_person else CUT_MARK)

    async def surroundings(self) -> Surroundings:
        """The context of the question, read once."""
        if self._surroundings is None:
            await self.tell_apart(())
        assert self._surroundings is not None
        unread = self._surroundings.unread and evidence.small(self.turn.caller, self._surroundings.unread)
        if unread and unread not in self.notes:
            self.notes.append(unread)
        return self._surroundings

    async def read_context(self) -> Surroundings:
        """The same by the names of then, for whoever tells people apart in more than that."""
        if self._context is None:
            self._context = asyncio.create_task(self._read_context())
        return await self._context

    def take(self, told: PromptBlocks) -> None:
        """Notes what its prompt tells beside the session."""
        self.shown += told.shown
        self.beside += told.beside
        self.names += told.names
        self.identity = told.identity
        self.retrieved = told.retrieved

    def goes_on(self, delivery: Delivery, durations: Mapping[str, float]) -> None:
        """Begins to be written and shown; what was read for it meanwhile stays."""
        self.delivery = delivery
        self._began = time.perf_counter()
        self.durations = {**durations, **self.durations}
        self.waited = dict.fromkeys(durations)

    async def _read_context(self) -> Surroundings:
        self._surrounded_at = time.monotonic()
        with self.timed("around"):
            return await self.delivery.venue.surroundings(self.turn)

    async def tell_apart(self, history: Sequence[Message]) -> list[Message]:
        """The session so far by people told apart who are called alike, with the question and its context, at once."""
        around = Surroundings() if self._surroundings is not None else await self.read_context()
        brought = [file.message for file in around.files]
        found = await self.desk.told_apart(self.turn, [*history, *around.replied_to, *around.around, *brought])
        told = iter(found)
        self.turn = replace(self.turn, message=next(told))
        session = [next(told) for _ in history]
        if self._surroundings is None:
            self._surroundings = replace(
                around,
                replied_to=tuple(next(told) for _ in around.replied_to),
                around=tuple(next(told) for _ in around.around),
                files=tuple(replace(file, message=next(told)) for file in around.files),
            )
        return session

    def quotes(self, context: Iterable[Message]) -> None:
        """Notes whose words of the context the answer holds: it goes with all that is theirs."""
        self.quoted_from |= {message.author_id for message in context if message.author_id is not None}

    @property
    def pictured_by(self) -> list[Message]:
        """The messages, but for the question, whose pictures a model was shown."""
        return [file.message for file in self.pictures if file.message.message_id != self.turn.message.message_id]

    def nearby_stands(self, messages: Iterable[Message]) -> bool:
        """Whether none of these context messages was deleted or edited since they were read."""
        return self.delivery.venue.stands([message.message_id for message in messages], self._surrounded_at)

    def whole(self, reply: Reply) -> None:
        """Replaces the draft with a complete reply."""
        self.text, self.stock, self.reply, self.cut_off = reply.text, reply.stock, reply, False
        self.recalled += reply.shown
        # It tells what they say, and goes with them.
        self.shown += reply.tells
        if reply.asks is not None:
            self.trail = replace(self.trail, forgets=reply.asks)

    async def more(self, text: str) -> None:
        """Adds streamed text, shown by whole sentences. Raises `LeaseLost` when the turn is another worker's by now."""
        self.said = (self.said + text)[: self.longest + 1]
        finished = model_words.finished(self.said[: self.longest])
        if len(finished) == self._finished:
            return
        self._finished = len(finished)
        own = await self._standing_of(self._own(finished))
        # What is said to be done may still be done by a tool: from there on it waits for the end.
        self.text = self.before + own[: next((claim.start for claim in self._claims(own)), len(own))]
        # The last of it is shown when it is known where it ends.
        if self.text and not self.held and len(self.said) <= self.longest - LAST:
            self._visible = self.text
            await self.delivery.sink.show(self.speaker.spoken(self.asker, self.text), self._keep_some)

    @property
    def is_full(self) -> bool:
        """Whether the model has said more than an answer holds."""
        return len(self.said) > self.longest

    async def ended(self) -> bool:
        """Ends the stream; whether the model said anything, even if nothing for people."""
        with self.step("check"):
            own = self._own(sentences.beginning(self.said, self.longest, within=LAST))
            self.text = self.before + self.of_what_was_done(await self._standing_of(own))
        return bool(self.said)

    async def begin_part(self, head: str) -> None:
        """Shows what was said so far, and begins what somebody else says under a head. Raises as `more` does."""
        self.before = f"{self.text}\n\n{head}" if self.text else head
        self.said, self._finished, self.text = "", 0, self.before
        self._visible = self.text
        await self.delivery.sink.show(self.text, self._keep_some)

    def break_off(self) -> None:
        """Ends it at what was given to be shown, marked: what was held back until it is checked is not the answer."""
        self.text, self.cut_off = self._visible, True

    @property
    def part(self) -> str:
        """What there is of the last part."""
        return self.text.removeprefix(self.before)

    @part.setter
    def part(self, text: str) -> None:
        self.text = self.before + text

    @property
    def all_said(self) -> str:
        """All that was said of it, also what is not shown yet."""
        return self.before + self.said

    async def _standing_of(self, text: str) -> str:
        """The text held against what stands in the prompt."""
        if self.standing is None or self.standing.is_empty:
            return text
        # In a thread: what speaks of a memory is held against all that was shown of it.
        return await asyncio.to_thread(self.standing.read, text)

    def of_what_was_done(self, text: str) -> str:
        """A whole text without the sentences that say that something was done, or will be, and it was not."""
        claimed = self._claims(text)
        if claimed:
            self.undone += [claim.deeds for claim in claimed if claim.deeds not in self.undone]
            _log.info("turn.undone", deeds=sorted({deed.value for claim in claimed for deed in claim.deeds}))
        return deeds.without(text, claimed) if claimed else text

    def undone_told(self) -> list[str]:
        """The sentences that say so to the person, but of what was done since."""
        return undone.told(
            [claimed for claimed in self.undone if claimed.isdisjoint(self._done)], self.turn.caller.prefix
        )

    def with_links_told(self, text: str) -> str:
        """The text with a mark behind each link that the model was not shown."""
        return model_words.with_links_told(text, self._links() if model_words.links(text) else ())

    async def meanwhile(self, text: str) -> None:
        """Shows a placeholder until the reply is ready. Raises as `more` does."""
        self._meanwhile = text
        await self.delivery.sink.show(text, self._keep_some)

    def hold(self) -> None:
        """Buffers the reply, which rests on a recall, until it is whole and checked."""
        self.held = True

    def cut(self) -> None:
        """Marks the reply as broken off."""
        self.cut_off = True

    async def as_command(self) -> None:
        """Keeps nothing of the question but that it was given."""
        self.turn = await self.desk.patiently(lambda: self.desk.turns.as_command(self.turn))

    async def close(self) -> None:
        """Saves the whole reply, shows it with its notes, records it, and notes which memories were used.

        Raises `AudienceSeesLess` before anything of a whole reply is shown, and `DiscordError` when it can't be sent:
        then it is kept, to be sent by whoever takes the turn over. Raises `AnswerOutdated`, also after it was shown,
        where what it tells was taken back meanwhile.
        """
        with self.step("keep"):
            await self._keep(self.text, whole=True)
        (proposed, acts), caller = await self._proposed(), self.turn.caller
        notes = [
            line
            for one in self.saved
            for line in (self.household.by_writer(caller, render.kept([one])), *both_sides.lines([one], caller))
        ]
        notes += [one.text for one in self.did]
        refused = dict.fromkeys([*self.refused, *self.allowance.given_up.values()])
        notes += [evidence.small(caller, why) for why in refused]
        notes += self.notes
        if self.stock in {None, Stock.KEPT}:
            notes += [evidence.small(caller, said) for said in self.undone_told()]
        said = self.turn.message.content
        notes += [
            render.not_kept(one.fact.content, caller, is_asked=one in proposed, is_said=one.fact.content in said)
            for one in self.not_kept
        ]
        notes += [render.not_done(one, caller, is_asked=bool(acts)) for one in self.acts]
        reply = self.reply
        if proposed or acts:
            reply = replace(reply or Reply(text=self.text), proposes=bool(proposed), offers=bool(acts))
        against = both_sides.against(self.saved)
        if against:
            reply = replace(reply or Reply(text=self.text), opens=against)
        if self._rests_on_memory():
            reply = replace(reply or Reply(text=self.text), rests_on_memory=True)
        if self.model is not None or (self.turn.replaces and self.turn.replaces_model):
            reply = replace(reply or Reply(text=self.text), is_of_model=True)
        # Once more: to keep it may have waited for the database.
        self._check_audience()
        with self.step("send"):
            sent = await self.delivery.sink.finish(self.shown_text, notes, reply)
        for saved in self.saved:
            if saved.memory.author_id != self.turn.caller.person_id and not saved.was_known:
                self.delivery.venue.tell_author(saved, self.turn.caller)
        now = self.desk.clock()
        said = Message(
            space_id=self.turn.caller.space_id,
            channel_id=self.turn.caller.channel_id,
            message_id=sent[0] if sent else MessageId(new_id(now)),
            session_id=self.turn.message.session_id,
            role=Role.HATHI,
            author_id=None,
            author=HATHI,
            content=self.record or self.text,
            said_at=now,
            reply_to=self.turn.message.message_id,
            cut_off=self.cut_off,
        )
        record, recorded = self._record, False
        # It stands, and was kept whole before: where it can't be recorded now, whoever takes the turn over does.
        with contextlib.suppress(errors.DatabaseDown):
            recorded = await self._compared(
                lambda compared: self.desk.turns.answered(self.turn, said, record, sent, compared=compared)
            )
            await self.desk.archivist.touch(self.turn.caller.space_id, record.recalled, now=now)
        self._tell(record, recorded=recorded)

    def _rests_on_memory(self) -> bool:
        """Whether the answer says what memory holds: it cites it, a recall gave it, or it lists it."""
        if self.stock not in {None, Stock.LISTED}:
            return False
        if self.trail.grounded is not None:
            return bool(self.trail.grounded.cited)
        return bool(self.recalled or citations.labels(self.text))

    async def _proposed(self) -> tuple[Sequence[NotKept], Sequence[Act]]:
        """What the person is asked whether to keep and to have done, held for it.

        Nothing can be where its sources may be gone by now, and where nothing is recorded.
        """
        if self.turn.unkept or self.taken_back != self.turn.taken_back:
            return (), ()
        proposed = [one for one in self.not_kept if one.may_be_proposed]
        if proposed or self.acts:
            facts = [one.fact for one in proposed]
            propose = partial(self.desk.proposals.propose, self.turn, facts, self.acts, now=self.desk.clock())
            await self.desk.patiently(propose)
        return proposed, self.acts

    async def take_back(self) -> None:
        """Deletes what was shown, after a commit that says so: it goes by whoever has the turn, whatever comes between.

        Raises `NotSent` or `DiscordDown` when that fails, and `DatabaseDown`.
        """
        if self._kept_at is not None or self.turn.replaces:
            await self.desk.patiently(partial(self.desk.turns.take_back, self.turn))
        await self.delivery.sink.withdraw()

    async def stop(self) -> None:
        """Ends a reply that was stopped: what was shown is kept and marked, and what was saved by then is told."""
        if self.delivery.by_person:
            await self.find_saved()
        # What was held back until it is checked is not the answer.
        self.text = self._visible.rstrip() if self.begun else ""
        if self.text:
            self.cut_off = True
        elif self.saved or self.did or (self.delivery.by_person and (self._meanwhile or self.turn.replaces)):
            self.whole(Reply(text=catalogue.gettext(STOPPED), stock=Stock.FAILED))
        else:
            if self._meanwhile:
                await self.delivery.sink.withdraw()
            return
        self.delivery.is_whole = True
        await self.close()

    async def find_saved(self) -> None:
        """Notes what a model saved and could not be told of any more, as it was stopped over it, or given up."""
        space_id, turn_id = self.turn.caller.space_id, self.turn.message.message_id
        known = {one.memory.memory_id for one in self.saved}
        found = await self.desk.patiently(lambda: self.desk.archivist.saved_in_turn(space_id, turn_id))
        self.saved += [one for one in found if one.memory.memory_id not in known]

    async def give_up(self, why: str) -> None:
        """Ends a reply that can't be finished: what was shown is kept and marked, and the question is closed."""
        with contextlib.suppress(errors.DatabaseDown):
            # Discord may not take that either; what went wrong before is what is told.
            with contextlib.suppress(errors.NotSent):
                if self.begun:
                    self.cut_off = True
                    await self.close()
                    return
                if self._meanwhile or self.turn.replaces:
                    # Of an answer that was to be replaced nothing is recorded any more.
                    await self.delivery.sink.withdraw()
            self.desk.metrics.turn_failed()
            await self.desk.turns.failed(self.turn, why, now=self.desk.clock())

    def _own(self, said: str) -> str:
        """What a model said freely, as people read it: in its own voice, citing what it was shown."""
        memories = {*self.shown, *self.recalled, *(saved.memory.memory_id for saved in self.saved)}
        asked = citations.labels(self.turn.message.content)
        known = {*(f"#{key}" for key in memories), *(one.label for one in self.beside), *asked}
        return self.with_links_told(citations.of_shown(self.speaker.own(model_words.own_words(said)), known))

    def _claims(self, text: str) -> list[deeds.Claim]:
        """The sentences of a text by which something was done that was not."""
        return deeds.claims(text, "" if self.writes_down else self.turn.message.content, self._done)

    @property
    def _done(self) -> frozenset[Deed]:
        """What was done in the turn, of what an answer may tell."""
        done = [_DEEDS[one.command] for one in self.did]
        return frozenset([*done, *([Deed.KEPT] if self.saved else []), *([Deed.UNKEPT] if self.turn.unkept else [])])

    def _links(self) -> frozenset[str]:
        """The links of what the model was shown, but for what a model said: itself before, or in a report."""
        shown = [*(one.content for one in self.prompt if one.role in _SHOWN), *self.looked_up]
        if self._linked[0] != len(shown):
            self._linked = len(shown), frozenset[str]().union(*map(model_words.links, shown))
        return self._linked[1]

    @property
    def _record(self) -> TurnRecord:
        return TurnRecord(
            shown=tuple(dict.fromkeys([*self.shown, *self.recalled])),
            recalled=tuple(self.recalled),
            made_from=(
                *dict.fromkeys(key for one in self.made_from for key in one.elsewhere),
                *sorted(self.quoted_from),
            ),
            trail=replace(
                self._trail_with_ledger(),
                cached=self.usage.tokens_cached,
                waited=tuple(self.waited),
                holds_others=self._may_hold_others,
            ),
            stock=self.stock,
            model=self.model,
            tokens_in=self.usage.tokens_in,
            tokens_out=self.usage.tokens_out,
            durations=self.durations,
        )

    @property
    def _may_hold_others(self) -> bool:
        """Whether it may hold words of anyone but the asker: a model read some, or a walk found strangers' words."""
        has_read = self.hands is not None and self.hands.has_read
        return self.holds_others or has_read or any(map(_found_artifacts, self.trail.walk))

    def _trail_with_ledger(self) -> Trail:
        """The trail with what it was told of the channel's past, and shown: what is deleted of it takes it along."""
        sessions = dict.fromkeys(session_id for one in self.entries for session_id in one.sessions)
        said = [one.message for one in self.earlier if one.message is not None and not self.turn.unkept]
        pictured = dict.fromkeys((one.channel_id, one.message_id) for one in self.pictured_by)
        if not (sessions or said or pictured):
            return self.trail
        told = {f"E{n}": Origin(session_id=session_id) for n, session_id in enumerate(sessions, 1)}
        told |= {f"P{n}": Origin(message=(one.channel_id, one.message_id)) for n, one in enumerate(said, 1)}
        told |= {f"V{n}": Origin(message=place) for n, place in enumerate(pictured, 1)}
        return replace(self.trail, sources={**(self.trail.sources or {}), **told})

    async def _keep_some(self, text: str) -> None:
        """Saves the text once a second, so a crash loses at most that much of a reply."""
        if self._kept_at is None or time.monotonic() - self._kept_at >= KEEP_EVERY:
            await self._keep(self.speaker.unspoken(self.asker, text), whole=False)
        # The last thing before it is shown: to keep it may have waited for the database.
        self._check_audience()

    def _check_audience(self) -> None:
        """Raises `AudienceSeesLess` where somebody may read the reply now who may not read its sources."""
        then, now = self.asker.visible, self.delivery.venue.audience(self.asker).visible
        if now != then and not set(then) <= set(now):
            raise errors.AudienceSeesLess

    async def _keep(self, text: str, *, whole: bool) -> None:
        self._check_audience()
        record, kept = self._record, self.record or text
        again, sending = self._kept_at is not None, self.desk.turns.sending
        turn = replace(self.turn, caller=self.asker)
        if not await self._compared(
            lambda compared: sending(turn, kept, whole=whole, record=record, compared=compared, again=again)
        ):
            raise errors.LeaseLost
        self._kept_at = time.monotonic()

    async def _compared(self, work: Callable[[int], Awaitable[bool]]) -> bool:
        """What `work` returns, which is tried again with a new count once the draft was compared with what is left."""
        for _ in range(MOST_LOOKS):
            for check in self.checks if self.taken_back != self.turn.taken_back else ():
                await check()
            try:
                return await self.desk.patiently(lambda: work(self.taken_back))
            except errors.TakenBackMeanwhile as exc:
                self.taken_back = exc.times
        raise errors.EvidenceGone

    def _tell(self, record: TurnRecord, *, recorded: bool) -> None:
        """Logs the one canonical line of a turn."""
        self.durations["total"] = time.perf_counter() - self._began + self.durations.get("queue", 0.0)
        self.desk.metrics.turn_answered(self.durations, cut_off=self.cut_off)
        _log.info(
            "turn.answered",
            turn_id=self.turn.message.message_id,
            recorded=recorded,
            model=record.model,
            tokens_in=record.tokens_in,
            tokens_out=record.tokens_out,
            tokens_cached=record.trail.cached,
            shown=len(record.shown),
            saved=len(self.saved),
            cut_off=self.cut_off,
            durations=record.durations,
            # Where it was found is the space's own affair.
            trail=replace(record.trail, sources=None).as_json(),
        )


def _found_artifacts(step: Step) -> bool:
    """Whether a step of a walk found files, linked messages or things of the forge."""
    return step.layer is Layer.ARTIFACTS and step.outcome in {LayerOutcome.HIT, LayerOutcome.NEAR}
