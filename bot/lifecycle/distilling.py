"""Distils what was said into a summary and facts, by a model or, without one, by extraction."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import timedelta
from typing import Final, Protocol

from bot import errors, log
from bot.db.pool import Database
from bot.domain import Caller, Fact, MemoryPart, Message, MessageId, PlaceChoices, Role, SessionId, SpaceId
from bot.grounding import provenance
from bot.language.requests import plain_requests
from bot.language.statements import extraction
from bot.language.tags import tagging, triviality
from bot.lifecycle import model_facts, workflow_files
from bot.lifecycle.summarizer import Check, MemoryRequests, Summarizer
from bot.lifecycle.transcript_pieces import SMALLEST, Lines, PieceMade, Weighed, halves, packed, weighed
from bot.lifecycle.workflow_files import WorkflowFile
from bot.lifecycle.workflow_memories import WorkflowMemory
from bot.lifecycle.workflow_runs import WorkflowRuns
from bot.llm.messages import ChatMessage, Finished
from bot.llm.tokens import cut_to, estimate
from bot.prompting import compose
from bot.recall.librarian import Librarian
from bot.recall.retrievers import retrieval
from bot.recall.retrievers.registry import Retrievers
from bot.recall.retrievers.retrieval import Retrieved
from bot.store import chunks, makings
from bot.store.chunks import Distilled
from bot.text import normalize

_log = log.logger(__name__)

MOST_FAILURES: Final = 5
"""Of a model, in a row; then a run of messages is distilled without it, and says so."""
FACTS_A_PIECE: Final = 40
"""Beyond them a piece is halved; of one that is too small for that the most important stay."""
MOST_TEXT: Final = 2000
"""Tokens of the text of a piece; what a model writes beyond them was not asked for, and is left out."""
_AT_ONCE: Final = 20
"""Messages weighed in one go, some 0.3 ms; then the event loop is left alone for a breath."""
_BREATH: Final = timedelta(milliseconds=5)


Save = Callable[[Distilled], Awaitable[object]]


class _Way(Protocol):
    """How a piece of talk is told to a model, and what is read of the answer."""

    @property
    def room(self) -> int:
        """How many tokens a piece may have."""
        ...

    async def answered(self, piece: Lines, requests: MemoryRequests) -> Finished:
        """What the model says of a piece, asked once more where that can't be used, and not for want of room."""
        ...

    def read(self, answer: Finished, piece: Lines) -> PieceMade:
        """What is kept of an answer. Raises `SummaryUnusable`."""
        ...


class _OneCall:
    """By the summarizer alone, which answers with text and facts."""

    def __init__(self, summarizer: Summarizer, instructions: str) -> None:
        self._summarizer = summarizer
        self._instructions = instructions

    @property
    def room(self) -> int:
        settings = self._summarizer.settings
        room = settings.max_context - settings.max_tokens - estimate(self._instructions) - 64
        return max(SMALLEST, room)

    async def answered(self, piece: Lines, requests: MemoryRequests) -> Finished:
        prompt = [
            ChatMessage(role="system", content=self._instructions),
            ChatMessage(role="user", content=compose.transcript(piece)),
        ]
        answer = await requests.complete(prompt, json_schema=model_facts.SCHEMA)
        _, wrong = model_facts.parse(answer.text)
        if not wrong or (answer.cut_off and halves(piece, self.room)):
            return answer
        repair = [
            *prompt,
            ChatMessage(role="assistant", content=answer.text or "(nothing)"),
            ChatMessage(role="user", content=f"That can't be used: {wrong}. Send the whole JSON object again."),
        ]
        return await requests.complete(repair, json_schema=model_facts.SCHEMA)

    def read(self, answer: Finished, piece: Lines) -> PieceMade:
        parsed, _ = model_facts.parse(answer.text)
        if parsed is None:
            raise errors.SummaryUnusable
        facts = model_facts.checked(parsed.facts, dict(piece))
        text = provenance.without_inventions(normalize.shown(parsed.summary), [said for _, said in piece])
        return PieceMade(text=text, facts=facts, raw=normalize.shown(answer.text), model=answer.model)


class Distiller:
    """Makes of a run of messages a text and the facts that rest on it, or what of both its channel wants."""

    def __init__(
        self,
        database: Database,
        librarian: Librarian,
        retrievers: Retrievers,
        summarizer: Summarizer,
        runs: WorkflowRuns,
        registry: tagging.Registry,
        instructions: str,
        workflows: Mapping[str, WorkflowFile],
        makes: Sequence[MemoryPart],
        learns: Callable[[PlaceChoices], bool] = lambda _: True,
    ) -> None:
        """`makes` is for channels that chose nothing; `learns` tells where something may be made at all."""
        self._database = database
        self._librarian = librarian
        self._retrievers = retrievers
        self.summarizer = summarizer
        self._registry = registry
        self._one_call = _OneCall(summarizer, instructions)
        self._runs = runs
        self._workflows = workflows
        self._makes = makes
        self._learns = learns

    async def read(self, space_id: SpaceId, session_id: SessionId) -> tuple[list[Message], set[MessageId]]:
        """The messages of a session that may be made memory of, and which of them are in its chunks already."""
        async with self._database.connection() as connection:
            messages = await self._librarian.session_messages(connection, space_id, session_id)
            made = await chunks.of_session_in(connection, space_id, session_id)
            reach = await chunks.reach_in(connection, space_id, session_id)
        messages = [message for message in messages if reach is None or message.message_id <= reach]
        return messages, {message_id for chunk in made for message_id in chunk.messages}

    async def distil(
        self,
        space_id: SpaceId,
        session_id: SessionId,
        messages: Sequence[Message],
        *,
        by_rule: bool = False,
        is_asked: bool = False,
    ) -> Distilled:
        """What messages of one session came to: by the model or, where there is none or `by_rule`, by plain statements.

        Raises `ModelError`, `SummaryUnusable` for an answer that can't be read, `EvidenceGone` where the messages are
        not what was said any more, and `BudgetSpent`, unless somebody `is_asked` to wait for it.
        """
        pieces = list[PieceMade]()
        if messages:
            pieces = await self._pieces(space_id, session_id, messages, by_rule=by_rule, is_asked=is_asked)
        return await self._whole(pieces, messages)

    async def distil_each(
        self,
        space_id: SpaceId,
        session_id: SessionId,
        runs: Sequence[Sequence[Message]],
        save: Save,
        *,
        failures: int,
        is_asked: bool = False,
    ) -> None:
        """Distils runs of messages of one session, and has each saved before the next is begun.

        After so many failures in a row the first is made by rule, so nothing is skipped; the others by the model, if it
        can be had. Raises as `distil` does.
        """
        for at, run in enumerate(runs):
            by_rule = failures >= MOST_FAILURES and not at
            await save(await self.distil(space_id, session_id, run, by_rule=by_rule, is_asked=is_asked))

    async def distil_unstored(
        self,
        space_id: SpaceId,
        messages: Sequence[Message],
        check: Check,
        *,
        by_rule: bool = False,
        is_asked: bool = False,
    ) -> Distilled:
        """The same of messages of people that are stored nowhere, by one call or by rule.

        Before each request of the model `check` raises `EvidenceGone` where one of them is not to be told any more. A
        fact weighs no more than a model may give it: whoever asked there to remember something did not ask Hathi.
        """
        pieces = list[PieceMade]()
        if messages and self.summarizer.is_there and not by_rule:
            requests = MemoryRequests(summarizer=self.summarizer, space_id=space_id, check=check, is_due=is_asked)
            pieces = await self._by_model(self._one_call, messages, frozenset(), requests)
        elif messages:
            pieces = [await _extracted(messages)]
        distilled = await self._whole(pieces, messages)
        most = model_facts.MODEL_CAP
        return replace(
            distilled, facts=tuple(replace(fact, importance=min(fact.importance, most)) for fact in distilled.facts)
        )

    async def _whole(self, pieces: Sequence[PieceMade], messages: Sequence[Message]) -> Distilled:
        facts = [fact for piece in pieces for fact in piece.facts]
        # Who wrote the text is told, or else who found the facts.
        by = sorted(pieces, key=lambda piece: not piece.text)
        return Distilled(
            text="\n\n".join(piece.text for piece in pieces if piece.text),
            # Off the event loop too: what all of a long session is about takes as long.
            facts=await asyncio.to_thread(_tagged, facts, messages, self._registry),
            raw="\n".join(piece.raw for piece in pieces),
            model=by[0].model if by else extraction.NAME,
            read={message.message_id: message.content for message in messages},
        )

    async def _pieces(
        self, space_id: SpaceId, session_id: SessionId, messages: Sequence[Message], *, by_rule: bool, is_asked: bool
    ) -> list[PieceMade]:
        """What each way of making came to: the channel's workflow makes its part, and one call the rest."""
        parts, workflow, audience = await self._chosen(space_id, session_id)
        by_rule = by_rule or not self.summarizer.is_paid
        own = {MemoryPart(workflow.makes)} if workflow is not None else set[MemoryPart]()
        ways = list[tuple[_Way, set[MemoryPart]]]()
        read_before: Sequence[Retrieved] = ()
        if workflow is not None and not by_rule and self._runs.has_models(workflow):
            memory = WorkflowMemory(self._runs, self._retrievers, workflow, audience, messages)
            ways.append((memory, own))
            read_before = memory.read_before
        if parts - own and not by_rule and self.summarizer.is_there:
            ways.append((self._one_call, parts - own))
        # It is remembered where it was said, for those who can read that; a copy made here would outlast its shutting.
        elsewhere = await self._librarian.told_elsewhere(space_id, session_id, messages) if ways else set[MessageId]()
        requests = MemoryRequests(
            summarizer=self.summarizer,
            space_id=space_id,
            check=self._check(space_id, messages, read_before),
            is_due=is_asked,
        )
        pieces = list[PieceMade]()
        for way, wanted in ways:
            made = await self._by_model(way, messages, elsewhere, requests)
            pieces += [_only(piece, wanted) for piece in made]
        if left := parts.difference(*(wanted for _, wanted in ways)):
            # What a person asked to remember is a memory already, in their own words.
            said = [m for m in messages if not plain_requests.is_request(m.content)]
            pieces.append(_only(await _extracted(said), left))
        return pieces

    def _check(self, space_id: SpaceId, messages: Sequence[Message], read_before: Sequence[Retrieved]) -> Check:
        """What sees that these messages, and what was read of the past until then, are as they were read."""
        read = {message.message_id: message.content for message in messages}

        async def check() -> None:
            _, left = await self._librarian.left(space_id, (), read)
            if left != read or not await retrieval.stand(self._librarian, space_id, read_before):
                raise errors.EvidenceGone

        return check

    async def _chosen(
        self, space_id: SpaceId, session_id: SessionId
    ) -> tuple[set[MemoryPart], WorkflowFile | None, Caller]:
        """What the channel wants made, by which workflow, and its audience."""
        async with self._database.connection() as connection:
            making, audience = await makings.of_session_in(connection, space_id, session_id)
        if not self._learns(audience.choices):
            return set(), None, audience
        parts = {*(self._makes if making.parts is None else making.parts)}
        workflow = workflow_files.chosen(self._workflows, making.workflow, parts)
        if workflow is None and making.workflow is not None:
            _log.warning("workflow.missing", workflow=making.workflow, channel_id=making.channel_id)
        return parts, workflow, audience

    async def _by_model(
        self, way: _Way, messages: Sequence[Message], elsewhere: AbstractSet[MessageId], requests: MemoryRequests
    ) -> list[PieceMade]:
        """What one way makes of the messages, but for those that tell of `elsewhere`."""
        room = way.room
        # What Hathi says by rote tells nothing of anybody.
        told = [(n, m) for n, m in enumerate(messages, 1) if m.stock is None and m.message_id not in elsewhere]
        costs = list[Weighed]()
        for at in range(0, len(told), _AT_ONCE):
            costs += weighed(told[at : at + _AT_ONCE], room)
            # Whoever is being answered goes first: the model will take its seconds anyway.
            await asyncio.sleep(_BREATH.total_seconds())
        return await self._summarised(way, packed(costs, room), requests)

    async def _summarised(self, way: _Way, pieces: Sequence[Lines], requests: MemoryRequests) -> list[PieceMade]:
        return [done for piece in pieces for done in await self._summarise(way, piece, requests)]

    async def _summarise(self, way: _Way, piece: Lines, requests: MemoryRequests) -> list[PieceMade]:
        """Summarises one piece, or its halves when it is too long, the answer is cut off or holds too many facts."""
        try:
            answer = await way.answered(piece, requests)
        except errors.PromptTooLong:
            # The model takes less than its settings say.
            if smaller := halves(piece, way.room):
                return await self._summarised(way, smaller, requests)
            raise
        if answer.cut_off and (smaller := halves(piece, way.room)):
            return await self._summarised(way, smaller, requests)
        # Off the event loop: each fact is held against its lines.
        made = await asyncio.to_thread(_read, way, answer, piece)
        if len(made.facts) > FACTS_A_PIECE and (smaller := halves(piece, way.room)):
            return await self._summarised(way, smaller, requests)
        most = tuple(sorted(made.facts, key=lambda fact: -fact.importance)[:FACTS_A_PIECE])
        if len(made.facts) > len(most):
            _log.warning("summary.facts_dropped", dropped=len(made.facts) - len(most), kept=len(most))
        return [replace(made, facts=most)]


def _read(way: _Way, answer: Finished, piece: Lines) -> PieceMade:
    made = way.read(answer, piece)
    return replace(made, text=cut_to(made.text, MOST_TEXT))


async def _extracted(messages: Sequence[Message]) -> PieceMade:
    # Off the event loop: a long session takes some 300 ms, in which nobody else would be answered.
    extract = await asyncio.to_thread(extraction.extract, messages)
    return PieceMade(text=extract.text, facts=extract.facts, model=extraction.NAME)


def _only(piece: PieceMade, wanted: Collection[MemoryPart]) -> PieceMade:
    """What is wanted of what a piece came to."""
    text = piece.text if MemoryPart.LEDGER in wanted else ""
    return replace(piece, text=text, facts=piece.facts if MemoryPart.FACTS in wanted else ())


def _tagged(facts: Sequence[Fact], messages: Sequence[Message], registry: tagging.Registry) -> tuple[Fact, ...]:
    """The facts with the tags of the people's messages they rest on, and marked where those are trivial.

    Each message is read once, however many facts rest on it.
    """
    cited = {message_id for fact in facts for message_id in fact.evidence}
    said = {m.message_id: m.content for m in messages if m.role is Role.PERSON and m.message_id in cited}
    about = {message_id: registry.domains(text) for message_id, text in said.items()}
    at_work = {message_id: tagging.workflows(text) for message_id, text in said.items()}
    trivial = {message_id for message_id, text in said.items() if triviality.is_trivial(text)}
    return tuple(
        replace(
            fact,
            tags=registry.of_domains(
                {name for message_id in fact.evidence for name in about.get(message_id, ())},
                workflow=tagging.SESSION,
                workflows={name for message_id in fact.evidence for name in at_work.get(message_id, ())},
            ),
            is_trivial=trivial.issuperset(message_id for message_id in fact.evidence if message_id in said),
        )
        for fact in facts
    )
