"""Summarises a closed session into facts and a chat summary, by a model or, without one, by extraction."""

import asyncio
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from bot import errors, log
from bot.db.pool import Database
from bot.domain import ChannelId, Fact, Message, MessageId, ModelRole, Role, Saved, SessionId, Source, SpaceId
from bot.grounding import provenance
from bot.infra import leases
from bot.language.requests import plain_requests, plain_words
from bot.language.statements import extraction, topics
from bot.language.tags import tagging, triviality
from bot.llm.messages import ChatMessage, Finished
from bot.llm.models import Models
from bot.llm.tokens import estimate
from bot.prompting import compose
from bot.recall.librarian import Librarian
from bot.store.archivist import TOLD
from bot.store.rooms import PREFERENCES, PROCEDURES
from bot.store.sessions import Claimed, Distilled, Sessions
from bot.store.turns import Turns
from bot.text import json_values, normalize

_log = log.logger(__name__)

MODEL_CAP: Final = 7
"""The most a model may rate a fact, unless a person asked in so many words to remember it."""
FACTS_A_PIECE: Final = 40
"""Beyond them a piece is halved; of one that is too small for that the most important stay."""
FACTS_A_LINE: Final = 3
"""That rest on one message."""
_TURN_POLL: Final = timedelta(milliseconds=100)
_TURNS_AT_MOST: Final = timedelta(minutes=10)
_SMALLEST_PIECE: Final = 200
"""Tokens below which a piece is not halved again."""
_AT_ONCE: Final = 20
"""Messages weighed in one go, some 0.3 ms; then the event loop is left alone for a breath."""
_BREATH: Final = timedelta(milliseconds=5)

_Weighed = tuple[int, Message, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryDone:
    """The result of summarising one closed session."""

    space_id: SpaceId
    channel_id: int
    session_id: SessionId
    message_count: int
    saved: tuple[Saved, ...] = ()
    retry_at: datetime | None = None
    """Set when it is not summarised yet."""
    why: str = ""
    """Why the model did not answer, for whoever is told causes."""
    notice: tuple[ChannelId, MessageId] | None = None
    """The message that told of the reset, to be edited."""
    by_itself: bool = False
    """Whether the session ended without anybody's reset: nobody waits to be told."""


class _FactIn(BaseModel):
    model_config = ConfigDict(extra="allow")

    room: str = "general"
    topic: str = ""
    content: str = Field(min_length=1, max_length=normalize.MAX_LENGTH)
    importance: int = Field(ge=1, le=10)
    entities: list[str] = []
    key_phrases: list[str] = []
    evidence: list[int] = Field(min_length=1)

    @field_validator("evidence", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> Any:
        return [str(v).strip("[]# ") for v in value] if isinstance(value, list) else value


class _SummaryIn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    summary: str = ""
    facts: list[Any] = []


@dataclass(frozen=True, slots=True)
class _Piece:
    summary: str
    facts: tuple[Fact, ...]
    raw: str
    model: str


_Lines = Sequence[tuple[int, Message]]
_Check = Callable[[], Awaitable[None]]
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "summary": {"type": "string"},
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "room": {"type": "string"},
                    "topic": {"type": "string"},
                    "content": {"type": "string"},
                    "importance": {"type": "integer"},
                    "entities": {"type": "array", "items": {"type": "string"}},
                    "key_phrases": {"type": "array", "items": {"type": "string"}},
                    "evidence": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["room", "topic", "content", "importance", "entities", "key_phrases", "evidence"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["summary", "facts"],
    "additionalProperties": False,
}


class Summaries:
    """Summarises closed sessions, one at a time a session, for as long as it takes."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        turns: Turns,
        librarian: Librarian,
        models: Models,
        registry: tagging.Registry,
        instructions: str,
        clock: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._turns = turns
        self._librarian = librarian
        self._models = models
        self._registry = registry
        self._instructions = instructions
        self._clock = clock

    async def make(self, space_id: SpaceId, session_id: SessionId) -> SummaryDone | None:
        """The outcome for one closed session; none when another worker has it or it needs no summary.

        A failure, of whatever kind, is an outcome with `retry_at`: one session must not stop the others. Only a
        database that stays away raises, and then the lease runs out.
        """
        claimed = await self._sessions.claim(space_id, session_id, now=self._clock())
        if claimed is None:
            return None
        try:
            async with leases.holding(lambda: self._sessions.renew(claimed, now=self._clock())):
                await self._turns_ended(claimed)
                distilled = await self.distil(claimed)
            saved = await self._sessions.finish(claimed, distilled, now=self._clock())
        except errors.LeaseLost:
            _log.info("summary.lease_lost", session_id=session_id)
            return None
        except errors.DatabaseError:
            raise
        except (errors.ModelError, errors.SummaryUnusable, errors.EvidenceGone, TimeoutError) as exc:
            _log.warning("summary.failed", session_id=session_id, attempt=claimed.attempts, error=type(exc).__name__)
            return replace(await self._again(claimed), why=str(exc) if isinstance(exc, errors.ModelError) else "")
        except Exception:  # noqa: BLE001 - a fault of ours; the log has the cause
            _log.exception("summary.broke", session_id=session_id, attempt=claimed.attempts)
            return await self._again(claimed)
        _log.info(
            "summary.made", session_id=session_id, messages=len(distilled.read), saved=len(saved), model=distilled.model
        )
        return _outcome(claimed, len(distilled.read), tuple(saved), None)

    async def _again(self, claimed: Claimed) -> SummaryDone:
        retry_at = await self._sessions.retry_later(claimed, now=self._clock())
        return _outcome(claimed, claimed.message_count, (), retry_at)

    async def _turns_ended(self, claimed: Claimed) -> None:
        """Waits until the session's running turns have their replies, at most ten minutes."""
        async with asyncio.timeout(_TURNS_AT_MOST.total_seconds()):
            while await self._turns.in_progress(
                claimed.space_id, claimed.channel_id, claimed.session_id, now=self._clock()
            ):
                await asyncio.sleep(_TURN_POLL.total_seconds())

    async def distil(self, claimed: Claimed) -> Distilled:
        """What is left of a claimed session: by the model or, where there is none, by its plain statements."""
        async with self._database.connection() as connection:
            messages = await self._librarian.session_messages(connection, claimed.space_id, claimed.session_id)
        if self._models.has(ModelRole.SUMMARIZER):
            pieces = await self._by_model(claimed, messages)
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

    async def _by_model(self, claimed: Claimed, messages: Sequence[Message]) -> list[_Piece]:
        read = {message.message_id: message.content for message in messages}

        async def check() -> None:
            """A model that is asked again is not told what was forgotten or edited meanwhile."""
            if (await self._librarian.left(claimed.space_id, (), read))[1] != read:
                raise errors.EvidenceGone

        room = self._room
        # It is remembered where it was said, for those who can read that; a copy made here would outlast its shutting.
        elsewhere = await self._librarian.told_elsewhere(claimed.space_id, claimed.session_id, messages)
        # What Hathi says by rote tells nothing of anybody.
        told = [(n, m) for n, m in enumerate(messages, 1) if m.stock is None and m.message_id not in elsewhere]
        weighed = list[_Weighed]()
        for at in range(0, len(told), _AT_ONCE):
            weighed += _weighed(told[at : at + _AT_ONCE], room)
            # Whoever is being answered goes first: the model will take its seconds anyway.
            await asyncio.sleep(_BREATH.total_seconds())
        return await self._summarised(_packed(weighed, room), check)

    @property
    def _room(self) -> int:
        """How many tokens of a session one request has room for."""
        settings = self._models.settings(ModelRole.SUMMARIZER)
        room = settings.max_context - settings.max_tokens - estimate(self._instructions) - 64
        return max(_SMALLEST_PIECE, room)

    async def _summarised(self, pieces: Sequence[_Lines], check: _Check) -> list[_Piece]:
        return [done for piece in pieces for done in await self._summarise(piece, check)]

    async def _summarise(self, piece: _Lines, check: _Check) -> list[_Piece]:
        """Summarises one piece, or its halves when it is too long, the answer is cut off or holds too many facts.

        Before each request `check` raises `EvidenceGone` where the lines are not what was said any more.
        """
        try:
            answer = await self._answered(piece, check)
        except errors.PromptTooLong:
            # By now it is known how much the model takes: less than its settings say.
            if smaller := _halves(piece, self._room):
                return await self._summarised(smaller, check)
            raise
        if answer.cut_off and (smaller := _halves(piece, self._room)):
            return await self._summarised(smaller, check)
        parsed, _ = parse(answer.text)
        if parsed is None:
            raise errors.SummaryUnusable
        # Off the event loop: each fact is held against its lines.
        facts = await asyncio.to_thread(_checked, parsed.facts, dict(piece))
        if len(facts) > FACTS_A_PIECE and (smaller := _halves(piece, self._room)):
            return await self._summarised(smaller, check)
        most = tuple(sorted(facts, key=lambda fact: -fact.importance)[:FACTS_A_PIECE])
        if len(facts) > len(most):
            _log.warning("summary.facts_dropped", dropped=len(facts) - len(most), kept=len(most))
        return [_Piece(normalize.shown(parsed.summary).strip(), most, normalize.shown(answer.text), answer.model)]

    async def _answered(self, piece: _Lines, check: _Check) -> Finished:
        """What the model says of a piece, asked once more where that can't be used, and not for want of room."""
        prompt = [
            ChatMessage(role="system", content=self._instructions),
            ChatMessage(role="user", content=compose.transcript(piece)),
        ]
        answer = await self._models.complete(ModelRole.SUMMARIZER, prompt, json_schema=SCHEMA, before_each=check)
        _, wrong = parse(answer.text)
        if not wrong or (answer.cut_off and _halves(piece, self._room)):
            return answer
        repair = [
            *prompt,
            ChatMessage(role="assistant", content=answer.text or "(nothing)"),
            ChatMessage(role="user", content=f"That can't be used: {wrong}. Send the whole JSON object again."),
        ]
        return await self._models.complete(ModelRole.SUMMARIZER, repair, json_schema=SCHEMA, before_each=check)


def split(numbered: Sequence[tuple[int, Message]], room: int) -> list[list[tuple[int, Message]]]:
    """The messages in pieces of at most `room` tokens as a transcript, in order; a longer message is cut into parts."""
    return _packed(_weighed(numbered, room), room)


def _halves(piece: Sequence[tuple[int, Message]], most: int) -> list[list[tuple[int, Message]]]:
    """The piece in pieces of half its tokens, and of `most` of them; none where it is too small for that."""
    room = min(most, sum(cost for _, _, cost in _weighed(piece, sys.maxsize)) // 2)
    return split(piece, room) if room >= _SMALLEST_PIECE else []


def _packed(weighed: Sequence[_Weighed], room: int) -> list[list[tuple[int, Message]]]:
    pieces: list[list[tuple[int, Message]]] = [[]]
    left = room
    for number, part, cost in weighed:
        if cost > left and pieces[-1]:
            pieces.append([])
            left = room
        pieces[-1].append((number, part))
        left -= cost
    return [piece for piece in pieces if piece]


def _weighed(numbered: Sequence[tuple[int, Message]], room: int) -> list[_Weighed]:
    """Each message with its tokens as a transcript line; one longer than the limit in parts."""
    found: list[_Weighed] = []
    for number, message in numbered:
        cost = estimate(compose.transcript([(number, message)]) + "\n")
        if cost <= room:
            found.append((number, message, cost))
            continue
        # As many parts as it has rooms: few of them have to be cut again.
        text = message.content
        size = -(-len(text) // -(-cost // room))
        parts = [replace(message, content=text[at : at + size]) for at in range(0, len(text), size)]
        found += _weighed([(number, part) for part in parts], room)
    return found


def parse(text: str) -> tuple[_SummaryIn | None, str]:
    """The summary as far as it can be read, and what is wrong with it."""
    start, end = text.find("{"), text.rfind("}") + 1
    try:
        parsed = _SummaryIn.model_validate(json.loads(text[start:end] if 0 <= start < end else text, strict=False))
    except (ValueError, RecursionError) as exc:
        what = "it is not the JSON object that was asked for"
        return None, f"{what} ({type(exc).__name__})"
    for index, fact in enumerate(parsed.facts):
        try:
            _FactIn.model_validate(fact)
        except ValidationError as exc:
            first = exc.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            return parsed, f"facts[{index}].{place}: {first['msg']}"
    return parsed, ""


def _checked(facts: Sequence[Any], said: dict[int, Message]) -> tuple[Fact, ...]:
    """The valid facts, well formed and said in the lines of this session they cite: at most three of one line."""
    by_id = {int(message.message_id): number for number, message in said.items()}
    good: list[Fact] = []
    for raw in facts:
        with contextlib.suppress(ValidationError, errors.RefusedText):
            fact = _FactIn.model_validate(raw)
            numbers = [n if n in said else by_id[n] for n in fact.evidence if n in said or n in by_id]
            evidence = [said[n] for n in numbers]
            # A line of Hathi's own proves nothing: somebody must have said it.
            if len(numbers) == len(fact.evidence) and any(m.role is Role.PERSON for m in evidence):
                good += _fact(fact, evidence)
    best, cited = list[Fact](), Counter[MessageId]()
    for fact in sorted(good, key=lambda f: -f.importance):
        if all(cited[message_id] < FACTS_A_LINE for message_id in fact.evidence):
            cited.update(fact.evidence)
            best.append(fact)
    dropped = len(facts) - len(best)
    if dropped:
        _log.warning("summary.facts_dropped", dropped=dropped, kept=len(best))
    return tuple(best)


def _fact(fact: _FactIn, evidence: Sequence[Message]) -> list[Fact]:
    """The fact in the name of whoever said it; none where the lines it cites do not."""
    content = normalize.cleaned(fact.content)
    lines = sorted(evidence, key=lambda m: m.role is Role.HATHI)
    if not provenance.stands(content, lines, zone="UTC", share=provenance.MOST):
        return []
    said = provenance.speaker(content, lines, zone="UTC", share=provenance.MOST)
    people = {m.author_id: m.speaker for m in evidence if m.role is Role.PERSON}
    author_id, author = (None, " and ".join(people.values())) if said is None else (said.author_id, said.author)
    asked = any(plain_words.asked_to_remember(m.content) for m in evidence if m.role is Role.PERSON)
    room, told = normalize.label(fact.room, "general"), [content, *(m.content for m in evidence)]
    is_refused = room == PROCEDURES or (room == PREFERENCES and (author_id is None or len(people) > 1))
    return [
        Fact(
            content=content,
            room="general" if is_refused else room,
            topic=normalize.label(fact.topic, "") or topics.topic_of(content),
            importance=min(fact.importance, 10 if asked else MODEL_CAP),
            source=Source.SUMMARY,
            evidence=tuple(sorted({MessageId(m.message_id) for m in evidence})),
            replies=tuple(MessageId(m.message_id) for m in evidence if m.role is Role.HATHI),
            author_id=author_id,
            author=author,
            said_at=max(m.said_at for m in evidence),
            entities=topics.found_in(fact.entities, told, topics.MOST_ENTITIES),
            key_phrases=topics.found_in(fact.key_phrases, told, topics.MOST_PHRASES),
            metadata={TOLD: json_values.stored(fact.model_dump())},
        )
    ]


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


def _outcome(claimed: Claimed, messages: int, saved: tuple[Saved, ...], retry_at: datetime | None) -> SummaryDone:
    return SummaryDone(
        space_id=claimed.space_id,
        channel_id=claimed.channel_id,
        session_id=claimed.session_id,
        message_count=messages,
        saved=saved,
        retry_at=retry_at,
        notice=claimed.notice,
        by_itself=claimed.by_itself,
    )
