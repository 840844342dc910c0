"""Reads what a model wrote of a conversation: its summary, and the facts that the lines it cites really hold.

Facts come in one object with a summary, or each as an object of its own, `{title, summary, entities, key_phrases,
lines}`, alone or in an array.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator

from bot import errors, log
from bot.domain import Fact, Message, MessageId, Role, Source
from bot.grounding import provenance
from bot.language.requests import clauses, plain_words
from bot.language.requests.request_words import WordKind
from bot.language.statements import assertions, topics
from bot.store import reply_sources
from bot.store.archivist import TOLD
from bot.store.rooms import PREFERENCES, PROCEDURES
from bot.text import json_values, normalize

_log = log.logger(__name__)

MODEL_CAP: Final = 7
"""The most a model may rate a fact, unless a person asked in so many words to remember it."""
FACTS_A_LINE: Final = 3
"""That rest on one message."""
MOST_READ: Final = 1000
"""Facts of one answer that are looked at, the first; the rest are dropped."""
MEDIUM: Final = 5
"""The importance of a fact that names none."""


class _FactIn(BaseModel):
    model_config = ConfigDict(extra="allow")

    room: str = "general"
    topic: str = Field(default="", validation_alias=AliasChoices("topic", "title"))
    content: str = Field(
        min_length=1, max_length=normalize.MAX_LENGTH, validation_alias=AliasChoices("content", "summary")
    )
    importance: int = Field(default=MEDIUM, ge=1, le=10)
    entities: list[str] = []
    key_phrases: list[str] = []
    evidence: list[int] = Field(min_length=1, validation_alias=AliasChoices("evidence", "lines"))

    @field_validator("evidence", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> Any:
        return [str(v).strip("[]# ") for v in value] if isinstance(value, list) else value


class ModelSummary(BaseModel):
    """What a model wrote; its facts are not looked at yet."""

    model_config = ConfigDict(extra="ignore")

    summary: str = ""
    facts: list[Any] = []


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


def parse(text: str) -> tuple[ModelSummary | None, str]:
    """The summary as far as it can be read, and what is wrong with it; of facts alone it is empty."""
    try:
        parsed = ModelSummary.model_validate(_read(text))
    except (ValueError, RecursionError) as exc:
        what = "it is not the JSON object that was asked for"
        return None, f"{what} ({type(exc).__name__})"
    for index, fact in enumerate(parsed.facts):
        if _names_no_line(fact):
            continue
        try:
            _FactIn.model_validate(fact)
        except ValidationError as exc:
            first = exc.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            return parsed, f"facts[{index}].{place}: {first['msg']}"
    return parsed, ""


def _read(text: str) -> Any:
    """The object with summary and facts that a text holds, whatever stands around it. Raises `ValueError`."""
    opened, start, end = text.find("["), text.find("{"), text.rfind("}") + 1
    # An array begins right before its first object; any other bracket is of the words around an object.
    if opened >= 0 and (start < 0 or (opened < start and not text[opened + 1 : start].strip())):
        facts = json.loads(text[opened : text.rfind("]") + 1], strict=False)
        if not all(isinstance(fact, dict) for fact in facts):
            raise ValueError("no array of objects")
        return {"facts": facts}
    found = json.loads(text[start:end] if 0 <= start < end else text, strict=False)
    is_fact = isinstance(found, dict) and "facts" not in found and ("lines" in found or "title" in found)
    return {"facts": [found]} if is_fact else found


def _names_no_line(fact: Any) -> bool:
    """Whether a fact says by itself that it rests on no line: that is no mistake to be mended, it is left out."""
    return isinstance(fact, dict) and "evidence" not in fact and not fact.get("lines") and "title" in fact


def checked(facts: Sequence[Any], said: dict[int, Message], foreign: Collection[str] = ()) -> tuple[Fact, ...]:
    """The valid facts, well formed and said in the lines of this session they cite: at most three of one line.

    Nothing with a `foreign` word is kept of them: it is none of these lines'.
    """
    by_id = {int(message.message_id): number for number, message in said.items()}
    good: list[Fact] = []
    for raw in facts[:MOST_READ]:
        with contextlib.suppress(ValidationError, errors.RefusedText, RecursionError):
            own = _own(raw, foreign) if foreign else raw
            fact = _FactIn.model_validate(own)
            numbers = [n if n in said else by_id[n] for n in fact.evidence if n in said or n in by_id]
            evidence = [said[n] for n in numbers]
            # A line of Hathi's own proves nothing, nor does what was only asked: somebody must have said it.
            if len(numbers) == len(fact.evidence) and any(map(_may_tell, evidence)):
                good += _fact(fact, own, evidence)
    best, cited = list[Fact](), Counter[MessageId]()
    for fact in sorted(good, key=lambda f: -f.importance):
        if all(cited[message_id] < FACTS_A_LINE for message_id in fact.evidence):
            cited.update(fact.evidence)
            best.append(fact)
    dropped = len(facts) - len(best)
    if dropped:
        _log.warning("summary.facts_dropped", dropped=dropped, kept=len(best))
    return tuple(best)


def _may_tell(message: Message) -> bool:
    """Whether somebody may have told something with a line: a "yes" may, and "do you remember that it is 4417?"."""
    text = message.content
    is_told = assertions.states(text) or not assertions.asks(text) or WordKind.RECALL in clauses.read(text).kinds
    return message.role is Role.PERSON and is_told


def _own(fact: Any, foreign: Collection[str]) -> Any:
    """A fact without what has a foreign word; of what is held against the lines anyway, all."""
    if not isinstance(fact, dict):
        return fact
    held = ("importance", "evidence" if "evidence" in fact else "lines")
    return _without(fact, foreign) | {key: fact[key] for key in held if key in fact}


def _without(value: Any, foreign: Collection[str]) -> Any:
    """A JSON value without every text in it, and every field, that has a foreign word."""
    match value:
        case dict():
            own = {key: _without(each, foreign) for key, each in value.items() if not _has(str(key), foreign)}
            return {key: each for key, each in own.items() if each is not None}
        case list():
            return [own for each in value if (own := _without(each, foreign)) is not None]
        case _:
            return None if _has(str(value), foreign) else value


def _has(text: str, words: Collection[str]) -> bool:
    return not reply_sources.words_of(text).isdisjoint(words)


def _fact(fact: _FactIn, told: dict[str, Any], evidence: Sequence[Message]) -> list[Fact]:
    """The fact in the name of whoever said it; none where the lines it cites do not."""
    content = normalize.cleaned(fact.content)
    lines = sorted(evidence, key=lambda m: m.role is Role.HATHI)
    if not provenance.stands(content, lines, zone="UTC", share=provenance.MOST):
        return []
    said = provenance.speaker(content, lines, zone="UTC", share=provenance.MOST)
    people = {m.author_id: m.speaker for m in evidence if m.role is Role.PERSON}
    author_id, author = (None, " and ".join(people.values())) if said is None else (said.author_id, said.author)
    asked = any(
        provenance.stands(content, [replace(m, content=thing)], zone="UTC", share=provenance.MOST)
        for m in evidence
        if m.role is Role.PERSON
        for thing in plain_words.things_asked_for(m.content)
    )
    room, texts = normalize.label(fact.room, "general"), [content, *(m.content for m in evidence)]
    is_refused = room == PROCEDURES or (room == PREFERENCES and (author_id is None or len(people) > 1))
    return [
        Fact(
            content=content,
            room="general" if is_refused else room,
            topic=topics.topic_given(fact.topic, content),
            importance=min(fact.importance, 10 if asked else MODEL_CAP),
            source=Source.SUMMARY,
            evidence=tuple(sorted({MessageId(m.message_id) for m in evidence})),
            replies=tuple(MessageId(m.message_id) for m in evidence if m.role is Role.HATHI),
            author_id=author_id,
            author=author,
            said_at=max(m.said_at for m in evidence),
            entities=topics.found_in(fact.entities, texts, topics.MOST_ENTITIES),
            key_phrases=topics.found_in(fact.key_phrases, texts, topics.MOST_PHRASES),
            metadata={TOLD: json_values.stored(told)},
        )
    ]
