"""Holds facts that are being saved against the memories there are and each other: what is the same, and what is not."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import Actor, ChannelId, Fact, MemoryId, Source
from bot.facts import comparison
from bot.facts.comparison import Comparison, Relation, Said
from bot.facts.fact_reading import FactReading
from bot.store import bounded_words
from bot.store.turns import HATHI
from bot.text import sanitize

NEAR: Final = 20
"""Memories that share most words with a fact, which it is held against."""
WORDS: Final = 64
"""Words of a fact by which those are found."""
TOGETHER: Final = 50
"""Facts saved before it in one go, which a fact is held against."""
SHOWN: Final = 5
"""Memories a contradiction names at most."""


class Sql:
    """The statement that reads what facts are held against."""

    near: Final = statements.named("fact.near")


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """What one fact was found to be beside what is known."""

    same: Row | None = None
    """The memory that says it already, in other words."""
    is_fuller: bool = False
    """Whether the fact says it in more words than that memory."""
    against: Sequence[Row] = ()
    """Memories that say otherwise."""
    outdated: Sequence[Row] = ()
    """Of what says otherwise, what this fact replaces: the same person tells what changed."""
    outdating: Row | None = None
    """The memory that replaces this fact: it was said before that, and only arrives after it."""
    same_as: bytes | None = None
    """The fact saved with it that says it already, by its hash."""
    beside: Sequence[bytes] = ()
    """Facts saved with it that say otherwise."""
    outdates: Sequence[bytes] = ()
    """Of those, what it replaces."""

    @property
    def is_open(self) -> bool:
        """Whether it is to be linked with anything, or replaces or is replaced."""
        return bool(self.against or self.outdated or self.outdating or self.beside or self.outdates)


@dataclass(slots=True, kw_only=True)
class Matching:
    """Facts that are being saved, by their hashes, and what each was found to be."""

    matched: dict[bytes, Matched] = field(default_factory=dict[bytes, Matched])

    @property
    def same(self) -> dict[bytes, Row]:
        """The memories that say a fact already."""
        return {key: each.same for key, each in self.matched.items() if each.same is not None}

    @property
    def twice(self) -> dict[bytes, bytes]:
        """The facts that are said twice in one go, and by which of them they are kept."""
        return {key: each.same_as for key, each in self.matched.items() if each.same_as is not None}


async def of(
    connection: Connection,
    space: Row,
    channel_id: ChannelId,
    visible: Sequence[ChannelId],
    facts: Mapping[bytes, tuple[Fact, str]],
    actor: Actor,
    now: datetime,
    replaces: MemoryId | None = None,
) -> Matching:
    """What each fact is beside the memories of the channels that are seen where it is said; the space is locked.

    None of them is held against the memory that they replace.
    """
    found = Matching()
    if not facts:
        return found
    texts = (f"{fact.topic} {text}".replace("\0", " ") for fact, text in facts.values())
    words = [" ".join([*dict.fromkeys(text.split())][:WORDS]) for text in texts]
    seen = sorted({channel_id, *visible})
    sought = await bounded_words.of_texts(connection, space["space_id"], space["language"], words)
    rows = await connection.fetch(Sql.near, space["space_id"], seen, [each.indexed for each in sought], NEAR)
    near: dict[int, list[Row]] = {}
    for row in rows:
        if row["memory_id"] == replaces:
            continue
        near.setdefault(row["place"], []).append(row)
    # Some thousand short texts in the worst case: not on the loop that answers others.
    await asyncio.to_thread(_match, found, facts, near, channel_id, actor, now)
    return found


def _match(
    found: Matching,
    facts: Mapping[bytes, tuple[Fact, str]],
    near: Mapping[int, Sequence[Row]],
    channel_id: ChannelId,
    actor: Actor,
    now: datetime,
) -> None:
    """Compares each fact with the memories near it and the facts said before it; what is near several is read once."""
    read: dict[int, FactReading] = {}
    for row in (row for rows in near.values() for row in rows):
        if row["memory_id"] not in read:
            read[row["memory_id"]] = Said(text=row["content"], by=_writer(row["author"])).read
    before: dict[bytes, tuple[Fact, FactReading]] = {}
    for place, key in sorted(enumerate(facts, 1), key=lambda each: facts[each[1]][0].said_at or now):
        fact, text = facts[key]
        new = Said(text=text, by=_writer(fact.author)).read
        compared = [_Compared.of(fact, new, row, read[row["memory_id"]], now) for row in near.get(place, ())]
        each = _matched(fact, compared, channel_id, actor)
        found.matched[key] = each = each if each.same is not None else _among(each, fact, new, before, actor)
        if each.same is None and each.same_as is None:
            before[key] = fact, new


def _among(
    matched: Matched, fact: Fact, new: FactReading, before: Mapping[bytes, tuple[Fact, FactReading]], actor: Actor
) -> Matched:
    """What one fact is beside those saved with it that were said before it, the last ones."""
    beside, outdates = list[bytes](), list[bytes]()
    for key, (other, old) in [*before.items()][-TOGETHER:]:
        result = comparison.compare_read(old, new)
        if result.relation is Relation.SAME and not result.is_fuller and fact.room == other.room:
            return replace(matched, same_as=key)
        if result.relation is Relation.UPDATE and result.is_sure and _are_one_persons(fact, other, actor):
            outdates.append(key)
        elif result.relation in {Relation.CONTRADICTION, Relation.UPDATE}:
            beside.append(key)
    return replace(matched, beside=beside[:SHOWN], outdates=outdates)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """A memory, and how a fact stands to it."""

    row: Row
    result: Comparison
    is_later: bool
    """Whether the fact was said after it; when either arrived does not count."""

    @classmethod
    def of(cls, fact: Fact, new: FactReading, row: Row, old: FactReading, now: datetime) -> "_Compared":
        is_later = (fact.said_at or now) >= row["said_at"]
        result = comparison.compare_read(old, new) if is_later else comparison.compare_read(new, old)
        return cls(row=row, result=result, is_later=is_later)


def _matched(fact: Fact, compared: Sequence[_Compared], channel_id: ChannelId, actor: Actor) -> Matched:
    """What one fact is beside the memories that share words with it, the nearest first."""
    against, outdated = list[Row](), list[Row]()
    outdating: Row | None = None
    for one in compared:
        row, each = one.row, one.result
        here, is_fuller = row["channel_id"] == channel_id, one.is_later and each.is_fuller
        if each.relation is Relation.SAME and here and (not is_fuller or fact.author_id == row["author_id"]):
            return Matched(same=row, is_fuller=is_fuller and actor is Actor.PERSON)
        if each.relation not in {Relation.CONTRADICTION, Relation.UPDATE}:
            continue
        replaces = here and each.relation is Relation.UPDATE and each.is_sure and _is_own(fact, row, actor)
        if replaces and one.is_later and not row["pinned"]:
            outdated.append(row)
        elif replaces and not one.is_later:
            outdating = row
        else:
            against.append(row)
    return Matched(against=against[:SHOWN], outdated=outdated, outdating=outdating)


def _is_own(fact: Fact, row: Row, actor: Actor) -> bool:
    """Whether one person said both, and neither a model nor a summary for them."""
    given = row["given_by"] == Actor.PERSON.value and row["source"] == Source.USER.value
    return given and _is_by(fact, row["author_id"], row["author"], actor)


def _are_one_persons(fact: Fact, other: Fact, actor: Actor) -> bool:
    """The same of two that are saved in one go."""
    return other.source is Source.USER and _is_by(fact, other.author_id, other.author, actor)


def _is_by(fact: Fact, author_id: int | None, author: str | None, actor: Actor) -> bool:
    """Whether this person said a fact and saves it, neither a model nor a summary for them."""
    is_theirs = fact.author_id is not None and fact.author_id == author_id and HATHI not in {fact.author, author}
    return is_theirs and actor is Actor.PERSON and fact.source is Source.USER


def _writer(name: str | None) -> str:
    """Whoever "I" is in a text; nobody where Hathi put it in words."""
    return "" if name in {None, HATHI} else sanitize.name(name or "")
