"""Distils what was said into a summary and facts, by a model or, without one, by extraction."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from bot import errors, log
from bot.db.pool import Database
from bot.domain import Fact, Message, MessageId, Role, SessionId, SpaceId
from bot.language.requests import plain_requests
from bot.language.statements import extraction
from bot.language.tags import tagging, triviality
from bot.lifecycle import model_facts
from bot.lifecycle.summarizer import Summarizer
from bot.lifecycle.transcript_pieces import SMALLEST, Lines, Weighed, halves, packed, weighed
from bot.llm.messages import ChatMessage, Finished
from bot.llm.tokens import estimate
from bot.prompting import compose
from bot.recall.librarian import Librarian
from bot.store import chunks
from bot.store.chunks import Distilled
from bot.text import normalize

_log = log.logger(__name__)

FACTS_A_PIECE: Final = 40
"""Beyond them a piece is halved; of one that is too small for that the most important stay."""
_AT_ONCE: Final = 20
"""Messages weighed in one go, some 0.3 ms; then the event loop is left alone for a breath."""
_BREATH: Final = timedelta(milliseconds=5)


@dataclass(frozen=True, slots=True)
class _Piece:
    summary: str
    facts: tuple[Fact, ...]
    raw: str
    model: str


_Ask = Callable[[Sequence[ChatMessage]], Awaitable[Finished]]


class Distiller:
    """Makes of a run of messages a text and the facts that rest on it."""

    def __init__(
        self,
        database: Database,
        librarian: Librarian,
        summarizer: Summarizer,
        registry: tagging.Registry,
        instructions: str,
    ) -> None:
        self._database = database
        self._librarian = librarian
        self.summarizer = summarizer
        self._registry = registry
        self._instructions = instructions

    async def read(self, space_id: SpaceId, session_id: SessionId) -> tuple[list[Message], set[MessageId]]:
        """The messages of a session that may be told, and which of them are in its chunks already."""
        async with self._database.connection() as connection:
            messages = await self._librarian.session_messages(connection, space_id, session_id)
            made = await chunks.of_session_in(connection, space_id, session_id)
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
        if not messages:
            pieces = []
        elif self.summarizer.is_there and not by_rule:
            pieces = await self._by_model(space_id, session_id, messages, is_asked=is_asked)
        else:
            # What a person asked to remember is a memory already, in their own words.
            said = [m for m in messages if not plain_requests.is_request(m.content)]
            # Off the event loop: a long session takes some 300 ms, in which nobody else would be answered.
            extract = await asyncio.to_thread(extraction.extract, said)
            pieces = [_Piece(extract.text, extract.facts, "", extraction.NAME)]
        facts = [fact for piece in pieces for fact in piece.facts]
        return Distilled(
            text="\n\n".join(piece.summary for piece in pieces if piece.summary),
            # Off the event loop too: what all of a long session is about takes as long.
            facts=await asyncio.to_thread(_tagged, facts, messages, self._registry),
            raw="\n".join(piece.raw for piece in pieces),
            model=pieces[0].model if pieces else extraction.NAME,
            read={message.message_id: message.content for message in messages},
        )

    async def _by_model(
        self, space_id: SpaceId, session_id: SessionId, messages: Sequence[Message], *, is_asked: bool
    ) -> list[_Piece]:
        room = self._room
        # It is remembered where it was said, for those who can read that; a copy made here would outlast its shutting.
        elsewhere = await self._librarian.told_elsewhere(space_id, session_id, messages)
        # What Hathi says by rote tells nothing of anybody.
        told = [(n, m) for n, m in enumerate(messages, 1) if m.stock is None and m.message_id not in elsewhere]
        costs = list[Weighed]()
        for at in range(0, len(told), _AT_ONCE):
            costs += weighed(told[at : at + _AT_ONCE], room)
            # Whoever is being answered goes first: the model will take its seconds anyway.
            await asyncio.sleep(_BREATH.total_seconds())
        ask = self._asking(space_id, {message.message_id: message.content for message in messages}, is_asked=is_asked)
        return await self._summarised(packed(costs, room), ask)

    def _asking(self, space_id: SpaceId, read: Mapping[MessageId, str], *, is_asked: bool) -> _Ask:
        """What asks the summarizer of these messages as they were read."""

        async def check() -> None:
            """A model that is asked again is not told what was forgotten or edited meanwhile."""
            if (await self._librarian.left(space_id, (), read))[1] != read:
                raise errors.EvidenceGone

        is_due = is_asked

        async def ask(prompt: Sequence[ChatMessage]) -> Finished:
            """What is begun is brought to its end: half of it would be paid for, and thrown away, each day anew."""
            nonlocal is_due
            due, is_due = is_due, True
            return await self.summarizer.complete(
                space_id, prompt, json_schema=model_facts.SCHEMA, before_each=check, is_due=due
            )

        return ask

    @property
    def _room(self) -> int:
        """How many tokens of a session one request has room for."""
        settings = self.summarizer.settings
        room = settings.max_context - settings.max_tokens - estimate(self._instructions) - 64
        return max(SMALLEST, room)

    async def _summarised(self, pieces: Sequence[Lines], ask: _Ask) -> list[_Piece]:
        return [done for piece in pieces for done in await self._summarise(piece, ask)]

    async def _summarise(self, piece: Lines, ask: _Ask) -> list[_Piece]:
        """Summarises one piece, or its halves when it is too long, the answer is cut off or holds too many facts.

        `ask` raises `EvidenceGone` where the lines are not what was said any more.
        """
        try:
            answer = await self._answered(piece, ask)
        except errors.PromptTooLong:
            # By now it is known how much the model takes: less than its settings say.
            if smaller := halves(piece, self._room):
                return await self._summarised(smaller, ask)
            raise
        if answer.cut_off and (smaller := halves(piece, self._room)):
            return await self._summarised(smaller, ask)
        parsed, _ = model_facts.parse(answer.text)
        if parsed is None:
            raise errors.SummaryUnusable
        # Off the event loop: each fact is held against its lines.
        facts = await asyncio.to_thread(model_facts.checked, parsed.facts, dict(piece))
        if len(facts) > FACTS_A_PIECE and (smaller := halves(piece, self._room)):
            return await self._summarised(smaller, ask)
        most = tuple(sorted(facts, key=lambda fact: -fact.importance)[:FACTS_A_PIECE])
        if len(facts) > len(most):
            _log.warning("summary.facts_dropped", dropped=len(facts) - len(most), kept=len(most))
        return [_Piece(normalize.shown(parsed.summary).strip(), most, normalize.shown(answer.text), answer.model)]

    async def _answered(self, piece: Lines, ask: _Ask) -> Finished:
        """What the model says of a piece, asked once more where that can't be used, and not for want of room."""
        prompt = [
            ChatMessage(role="system", content=self._instructions),
            ChatMessage(role="user", content=compose.transcript(piece)),
        ]
        answer = await ask(prompt)
        _, wrong = model_facts.parse(answer.text)
        if not wrong or (answer.cut_off and halves(piece, self._room)):
            return answer
        repair = [
            *prompt,
            ChatMessage(role="assistant", content=answer.text or "(nothing)"),
            ChatMessage(role="user", content=f"That can't be used: {wrong}. Send the whole JSON object again."),
        ]
        return await ask(repair)


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
