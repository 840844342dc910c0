"""The tools offered to the model: remember, recall, note and delegate, run with the rights of the asker."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot import errors, log
from bot.commands.commands import Commands
from bot.domain import (
    ROOMS,
    Actor,
    Fact,
    Layer,
    LedgerEntry,
    MemoryId,
    Message,
    MessageId,
    ModelRole,
    Role,
    Saved,
    Source,
    Tier,
    Turn,
)
from bot.grounding import provenance
from bot.language.requests import plain_words
from bot.language.statements import topics
from bot.layers.walk import Evidence
from bot.lifecycle.model_facts import MODEL_CAP
from bot.llm import tokens
from bot.llm.messages import ChatMessage, Finished, ToolCall, ToolSpec, Usage
from bot.llm.models import Models, fitting
from bot.llm.tokens import MESSAGE_OVERHEAD, estimate, estimate_messages
from bot.presentation import render, retrieved
from bot.store import reply_sources
from bot.store.archivist import MOST_BY_MODEL, TOLD
from bot.store.rooms import PREFERENCES, PROCEDURES
from bot.store.trail import ToolUse
from bot.store.turns import HATHI
from bot.text import json_values
from bot.turn import lookups
from bot.turn.lookups import Lookups

_log = log.logger(__name__)

MOST_ROUNDS: Final = 4
MOST_CALLS: Final = 8
"""Calls of one round that are carried out; a model that asks for more is told so."""
TOLD_OF_TOOLS: Final = 10
"""The part of a prompt that what else can be looked up may take, one in so many; what comes later is not offered."""
MOST_DELEGATIONS: Final = 3
"""Of one turn, over all rounds, roles and drafts; with those of each delegation a draft takes at most 20 requests."""


_ROOMS: Final = tuple(room for room in ROOMS if room not in {PREFERENCES, PROCEDURES})
"""Those a model may file in: what is in the others never ages, or is taken for the documented way."""


class _Save(BaseModel):
    model_config = ConfigDict(extra="allow")

    content: str = Field(min_length=1, description="One self-contained sentence, with the names of whom it is about.")
    topic: str = Field(default="", description="One to three words: a noun phrase, such as spare key.")
    room: str = Field(default="general", description=f"One of {', '.join(_ROOMS)}.")
    importance: int = Field(default=5, ge=1, le=10, description="1 low, 5 medium, 10 critical")
    source: str = Field(
        default=Source.USER.value,
        pattern="^(user|summary|directive)$",
        description="user: somebody said it; summary: gathered from the talk; directive: an admin's standing order",
    )
    entities: list[str] = Field(default=[], description="Names in it.")
    key_phrases: list[str] = Field(default=[], description="Phrases of it that may be asked for.")


class _Recall(BaseModel):
    model_config = ConfigDict(extra="ignore")

    query: str = Field(min_length=1, description="The telling words to look for.")
    tier: str = Field(default="all", pattern="^(short|long|all)$", description="short, long or all")
    limit: int = Field(default=5, ge=1, le=20)


class _Delegate(BaseModel):
    model_config = ConfigDict(extra="ignore")

    prompt: str = Field(min_length=1, description="The whole task; beside it the other model sees Active Memory alone.")


TASK: Final = "## Task"
NOT_THEIRS: Final = "Not kept: these are not the person's own words. They are shown it, and asked whether to keep it."
SAVE: Final = lookups.spec(
    "memory_save",
    "Keep a fact somebody stated: a preference, a decision, a plan, a date, how something is set up, or what they ask"
    " to remember. Not what Active Memory says already, and never what you made up yourself.",
    _Save,
)
RECALL: Final = lookups.spec(
    "memory_recall",
    "Look for something in memory and in what people said before. Not for what Active Memory says already.",
    _Recall,
)
DELEGATE: Final = lookups.spec(
    "delegate", "Have another model look into memory or save to it; it returns what came of it.", _Delegate
)


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """The tools offered to a model role; the same in every turn."""

    role: ModelRole
    specs: tuple[ToolSpec, ...]
    room: int
    """Tokens available to its prompt: its context less its answer and the tool descriptions."""


def offer(models: Models, role: ModelRole, lookups: Lookups) -> ToolOffer:
    """The tools of a role that has a model; with an `execution` role, `reasoning` may only delegate."""
    settings = models.settings(role)
    room = settings.max_context - settings.max_tokens
    specs = (SAVE, RECALL, *lookups.within(room // TOLD_OF_TOOLS))
    if settings.tools == "none":
        specs = ()
    elif role is ModelRole.REASONING and models.has(ModelRole.EXECUTION):
        specs = (DELEGATE,)
    return ToolOffer(role, specs, room - sum(spec.tokens for spec in specs))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotKept:
    """What a model would have saved in the asker's name, and the asker did not say."""

    fact: Fact
    is_traced: bool
    """Whether all it was made of is stored here, so that it may be kept where the asker agrees."""


@dataclass(slots=True)
class Allowance:
    """What models may still do in one turn."""

    saves: int = MOST_BY_MODEL
    delegations: int = MOST_DELEGATIONS


@dataclass(slots=True)
class Toolbox:
    """The tools of one draft, and what they did."""

    commands: Commands
    models: Models
    turn: Turn
    delegate_text: str
    allowance: Allowance
    active: str = ""
    """The Active Memory that another model is shown with its task."""
    clock: str = ""
    """And what time it is."""
    is_tainted: bool = False
    """Whether the prompt holds words of anyone but the asker."""
    said: Sequence[Message] = ()
    """The messages of the prompt that are stored here."""
    told: Sequence[tuple[MemoryId | None, str]] = ()
    """What else stands in it; of memories with their numbers."""
    saved: list[Saved] = field(default_factory=list[Saved])
    not_kept: list[NotKept] = field(default_factory=list[NotKept])
    recalled: list[MemoryId] = field(default_factory=list[MemoryId])
    quoted: list[Message] = field(default_factory=list[Message])
    """What people said that the model was shown."""
    looked_up: list[str] = field(default_factory=list[str])
    """What recalls returned; a report is its model's own words."""
    found: list[Evidence] = field(default_factory=list[Evidence])
    """The memories and messages in it."""
    entries: list[LedgerEntry] = field(default_factory=list[LedgerEntry])
    """The entries of ledgers that the model was shown."""
    live: Sequence[Message] | None = None
    """The talk itself where nothing is kept."""
    lookups: Lookups = field(default_factory=lambda: Lookups(()))
    """What else it may look up."""
    workflow: str = ""
    """Which is run, where one is."""
    calls: list[ToolUse] = field(default_factory=list[ToolUse])
    usage: Usage = field(default_factory=Usage)
    """The memories that recalls returned."""
    _answers: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    @property
    def has_recalled(self) -> bool:
        """Whether the model has searched memory."""
        return any(
            use.outcome == "done" and (use.tool == RECALL.name or use.tool in self.lookups) for use in self.calls
        )

    async def carry_on(self, offered: ToolOffer, messages: list[ChatMessage], finished: Finished) -> None:
        """Runs the model's calls, and appends a tool message for each, in order, as far as there is room.

        A call made before is answered from the first.
        """
        allowed = {spec.name for spec in offered.specs}
        messages.append(ChatMessage(role="assistant", content=finished.text, tool_calls=finished.tool_calls))
        share = (offered.room - estimate_messages(messages)) // len(finished.tool_calls) - MESSAGE_OVERHEAD
        for n, call in enumerate(finished.tool_calls):
            answer = await self._answer(call, allowed) if n < MOST_CALLS else "Too many calls at once; ask again."
            content = tokens.cut_to(answer, share) or "There is no room left for what this returned; answer now."
            messages.append(ChatMessage(role="tool", tool_call_id=call.call_id, content=content))

    async def _answer(self, call: ToolCall, allowed: set[str]) -> str:
        key = (call.name, canonical(call.arguments))
        if key not in self._answers:
            self._answers[key] = await self._carry_out(call, allowed)
        return self._answers[key]

    async def _carry_out(self, call: ToolCall, allowed: set[str]) -> str:
        outcome = "done"
        try:
            if call.name not in allowed:
                raise errors.BadArgument(f"There is no tool {call.name!r}; there are {', '.join(sorted(allowed))}.")
            match call.name:
                case SAVE.name:
                    return await self._save(_Save.model_validate_json(call.arguments or "{}"))
                case RECALL.name:
                    return await self._recall(_Recall.model_validate_json(call.arguments or "{}"))
                case name if name in self.lookups:
                    return await self._look_up(call)
                case _:
                    return await self._delegate(_Delegate.model_validate_json(call.arguments or "{}"))
        except ValidationError as exc:
            outcome = "bad arguments"
            first = exc.errors(include_url=False, include_input=False)[0]
            return f"Bad arguments: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        except (errors.UserError, errors.ModelError, errors.DatabaseDown) as exc:
            outcome = type(exc).__name__
            return f"Not done: {exc}"
        finally:
            # A name that is no tool's is text the model made up.
            self.calls.append(ToolUse(tool=call.name if call.name in allowed else "unknown", outcome=outcome))

    async def _save(self, wanted: _Save) -> str:
        """Saves a memory, with at most importance 7 unless the person asked in so many words to remember.

        What they did not say themselves is not saved once the model has read anybody else's words: it may be theirs.
        They are shown it, and asked whether to keep it, so it counts as a save all the same.
        """
        if not self.allowance.saves:
            raise errors.NotAllowed(f"at most {MOST_BY_MODEL} memories are saved in one turn; answer now.")
        asked = plain_words.asked_to_remember(self.turn.message.content)
        is_read = self.is_tainted or self.recalled or self.quoted or self.entries
        says_it = await asyncio.to_thread(self._says, wanted.content)
        if wanted.source == Source.DIRECTIVE and not (self.turn.caller.is_admin and (asked or says_it)):
            raise errors.NotAllowed("a directive is given by an admin in their own words; save it as user.")
        made = await asyncio.to_thread(self._made, wanted, 10 if asked else MODEL_CAP, says_it=says_it)
        self.allowance.saves -= 1
        if is_read and not (says_it or asked):
            self.not_kept.append(made)
            return NOT_THEIRS
        try:
            (saved,) = await self.commands.remembering.keep(
                self.turn.caller, [made.fact], actor=Actor.MODEL, reason="tool"
            )
        except errors.HathiError:
            self.allowance.saves += 1
            raise
        self.saved.append(saved)
        return render.saved_line(saved)

    def _says(self, text: str) -> bool:
        """Whether the asker's own message says all of it."""
        return provenance.stands(text, [self.turn.message], zone=self.turn.caller.time_zone)

    def _made(self, wanted: _Save, most: int, *, says_it: bool) -> NotKept:
        """The fact, with whose words it is and what of all that the model was shown it was made of.

        That is whatever a name, number or long word of it stands in, which the asker's own message has not. What nobody
        said is in Hathi's words, and the asker's to change.
        """
        question, caller = self.turn.message, self.turn.caller
        shown = () if says_it else {m.message_id: m for m in (*self.said, *self.quoted)}.values()
        found = [(one.memory_id, one.content) for one in self.found if one.memory_id is not None]
        others = () if says_it else (*self.told, *found)

        def is_of(text: str) -> bool:
            return reply_sources.brings_up(wanted.content, [text], [question.content])

        said = [message for message in shown if is_of(message.content)]
        people = [message for message in said if message.role is Role.PERSON and message.author_id is not None]
        lines, zone = [*people, question], caller.time_zone
        said_by = question if says_it else provenance.speaker(wanted.content, lines, zone=zone, share=provenance.MOST)
        by, author = (question, HATHI) if said_by is None else (said_by, said_by.author)
        drawn = [key for key, text in others if is_of(text)]
        told = [wanted.content, question.content]
        fact = Fact(
            content=wanted.content,
            topic=topics.topic_given(wanted.topic, wanted.content),
            room="general" if wanted.room in {PROCEDURES, PREFERENCES} else wanted.room,
            importance=min(wanted.importance, most),
            source=Source(wanted.source),
            entities=topics.found_in(wanted.entities, told, topics.MOST_ENTITIES),
            key_phrases=topics.found_in(wanted.key_phrases, told, topics.MOST_PHRASES),
            metadata={TOLD: json_values.stored(wanted.model_dump())},
            tags=self.commands.remembering.tags_of(question.content, by=Actor.MODEL, run=self.workflow),
            # Whoever said it is told of it by the first of them.
            evidence=tuple(dict.fromkeys(MessageId(m.message_id) for m in (by, question, *said))),
            replies=tuple(message.message_id for message in said if message.role is Role.HATHI),
            made_from=tuple(dict.fromkeys(key for key in drawn if key is not None)),
            author_id=by.author_id,
            author=author,
            mentioned=question.mentioned,
        )
        return NotKept(fact=fact, is_traced=None not in drawn)

    async def _recall(self, wanted: _Recall) -> str:
        reply = await self.commands.recalling.search(
            self.turn.caller,
            wanted.query,
            tier=None if wanted.tier == "all" else Tier(wanted.tier),
            limit=wanted.limit,
            apart_from=(self.turn.message.message_id,),
        )
        self.recalled += reply.shown
        self.quoted += reply.quoted
        self.entries += reply.entries
        self.looked_up.append(reply.text)
        entries = () if reply.listing is None else reply.listing.entries
        self.found += [
            Evidence(label=f"#{entry.memory_id}", layer=Layer.PALACE, content=entry.body, memory_id=entry.memory_id)
            for entry in entries
            if entry.memory_id is not None
        ]
        self.found += [
            Evidence(label="M", layer=Layer.ARTIFACTS, content=one.content, author=one.speaker, said_at=one.said_at)
            for one in reply.quoted
        ]
        return reply.text

    async def _look_up(self, call: ToolCall) -> str:
        caller, asked = self.turn.caller, self.turn.message
        found = await self.lookups.retrieve(call, caller, live=self.live, asked=asked.message_id, as_of=asked.said_at)
        # What is not kept is known by its turn alone.
        unkept = {message.message_id for message in self.live or ()}
        told = [one.message for one in found.passages if one.message is not None]
        self.quoted += [one for one in told if one.message_id not in unkept]
        self.entries += [one.entry for one in found.passages if one.entry is not None]
        memories = [one.memory for one in found.passages if one.memory is not None]
        self.recalled += [one.memory_id for one in memories]
        self.found += [
            Evidence(label=f"#{one.memory_id}", layer=Layer.PALACE, content=one.content, memory_id=one.memory_id)
            for one in memories
        ]
        self.found += [
            Evidence(label="M", layer=Layer.ARTIFACTS, content=one.content, author=one.speaker, said_at=one.said_at)
            for one in told
        ]
        text = retrieved.told(found, caller.time_zone)
        self.looked_up.append(text)
        return text

    async def _delegate(self, task: _Delegate) -> str:
        """Has the execution role do the task, in at most four rounds of tools, and returns its report."""
        if not self.allowance.delegations:
            raise errors.NotAllowed(f"at most {MOST_DELEGATIONS} tasks are delegated in one turn; answer now.")
        self.allowance.delegations -= 1
        return await fitting(lambda: self._delegated(task))

    async def _delegated(self, task: _Delegate) -> str:
        offered = offer(self.models, ModelRole.EXECUTION, self.lookups)
        active = _whole_lines(self.active, offered.room // 2 - estimate(self.clock))
        beside = "\n\n".join(filter(None, (active, self.clock)))
        messages = [
            ChatMessage(role="system", content=self.delegate_text),
            ChatMessage(role="user", content=f"{beside}\n\n{TASK}\n{task.prompt}" if beside else task.prompt),
        ]
        for _ in range(MOST_ROUNDS):
            finished = await self._finished(messages, offered.specs)
            if not finished.tool_calls:
                return finished.text
            await self.carry_on(offered, messages, finished)
        return (await self._finished(messages, ())).text

    async def _finished(self, messages: Sequence[ChatMessage], specs: tuple[ToolSpec, ...]) -> Finished:
        finished = await self.models.complete(ModelRole.EXECUTION, messages, specs)
        self.usage += finished.usage
        return finished


def _whole_lines(block: str, most: int) -> str:
    """As many lines of a block as fit, from its beginning; none that only says who said what follows."""
    if estimate(block) <= most:
        return block
    lines = tokens.cut_to(block, most).split("\n")[:-1]
    return "\n".join(lines[:-1] if lines and lines[-1].endswith(":") else lines)


def canonical(arguments: str) -> str:
    """Arguments that mean the same as the same text."""
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        # What is nested too deep to be read is refused where it is used; here it is only compared.
        return arguments
