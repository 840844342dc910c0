"""The archivist: the one writer of memories.

This module is long on purpose: one file names all statements that write memories, and a test proves that no other
module does.
"""

import collections
import itertools
import json
import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, LiteralString

from bot import catalogue, errors, log
from bot.db import statements
from bot.db.pool import Connection, Database, Row, affected
from bot.domain import (
    UNDO_WINDOW,
    Actor,
    Caller,
    ChannelId,
    Fact,
    Memory,
    MemoryId,
    MessageId,
    PersonId,
    PlaceChoices,
    Right,
    Role,
    Saved,
    SessionId,
    Source,
    SpaceId,
    Tier,
    new_id,
)
from bot.language.statements import topics
from bot.language.tags import tagging, triviality
from bot.store import (
    derivation,
    fact_matching,
    ledgers,
    memory_subjects,
    namesakes,
    replaced,
    reworks,
    rows,
    standing_replies,
    taken_back,
    tallies,
    wordings,
)
from bot.store.derivation import Derived
from bot.store.fact_matching import Matched, Matching
from bot.store.reworks import Move, Rework
from bot.store.tallies import Filed
from bot.text import amounts, normalize

_log = log.logger(__name__)

TOUCH_EVERY: Final = timedelta(hours=1)
MOST_TOUCHED: Final = 10_000
"""Memories of which this process remembers that it noted their use within the hour."""
_DISTILLED: Final = frozenset({"addressed", "all"})
"""The modes of a channel in which what was said may become a memory without a command."""
MOST_SAVED: Final = 30
SAVED_WITHIN: Final = timedelta(hours=1)
"""So often may a person save something new in so long a time; what is saved together counts once."""
MOST_BY_MODEL: Final = 5
"""Memories that models may save in one turn."""
BATCH: Final = 1000
"""Rows that are erased in one transaction."""
LONGEST_NAME: Final = 200
"""Characters of a room, topic or tag."""
MOVED: Final = 2000
"""Memories of a room that are moved in one transaction: a smaller room at once, a larger one behind."""
DECAYED: Final = 500
"""Memories of a space whose importance one statement lowers; there are a hundred spaces in it."""
MOST_PINNED: Final = 5
"""Memories that one person may have pinned at a time."""
TALLIED: Final = ("channel", "room", "topic", "tag")
"""What living memories are tallied by."""
_COUNTED: Final = ("remember", "asked", "promote")
"""What a person saves for that count: by a command, in plain words, by approval or by a reaction."""
_GIVEN: Final = frozenset({"remember", "edit", "palace", "note", "promote"})
"""A person's own commands; all that an `explicit` channel keeps."""
_UNASKED: Final = frozenset({Actor.SUMMARY, Actor.MODEL})
"""Those who keep what no person told them to: no greetings, fillers and debug output of theirs are archived."""
_RANK: Final = {Source.SUMMARY: 0, Source.USER: 1, Source.DIRECTIVE: 2}
STANDS: Final = "stands"
"""Under which key of its metadata a memory has where a message stands that somebody pointed at, stored nowhere."""
TOLD: Final = "told"
"""Under which key of its metadata a memory has all that a model told of it: others are Hathi's own."""
OUTPUT: Final = catalogue.later(
    "Nothing was kept: that is JSON, a trace or a log; say in one sentence what I should remember of it."
)
AUTHOR_DECLINED: Final = catalogue.later("Nothing was kept: whoever said that does not want to be remembered.")
NOT_THEIRS: Final = catalogue.later(
    "#{number} was said by someone else; changing it needs the permission {permission}."
)
ASK_REMOVAL: Final = catalogue.later("{p}mydata remove {number} asks those who manage this server to remove it.")
NOT_WRITTEN: Final = catalogue.later("Nothing was kept: whoever answers here keeps nothing; {p}remember does.")
_KEPT_FOR_UNDO: Final = (
    "tier",
    "importance",
    "importance_set",
    "source",
    "tags",
    "evidence",
    "made_from",
    "seen_count",
    "said_at",
    "reinforced_at",
    "last_used_at",
    "aged_at",
)

_Hashed = dict[bytes, tuple[Fact, str]]
"""Facts with their cleaned texts, by the hash of the text."""


class Sql:
    """The statements that write memories; no other module names them."""

    lock_space: Final = statements.named("space.lock")
    count: Final = statements.named("archivist.count")
    saved_lately: Final = statements.named("archivist.saved_lately")
    saved_in_turn: Final = statements.named("archivist.saved_in_turn")
    made_in_turn: Final = statements.named("archivist.made_in_turn")
    told_by: Final = statements.named("archivist.told_by")
    pinned_by: Final = statements.named("archivist.pinned_by")
    consent: Final = statements.named("archivist.consent")
    known: Final = statements.named("archivist.known")
    entombed: Final = statements.named("archivist.entombed")
    mac_key: Final = statements.named("archivist.mac_key")
    create_mac_key: Final = statements.named("archivist.create_mac_key")
    insert: Final = statements.named("archivist.insert")
    merge: Final = statements.named("archivist.merge")
    record_events: Final = statements.named("archivist.record_events")
    reword: Final = statements.named("archivist.reword")
    reworded: Final = statements.named("archivist.reworded")
    unreword: Final = statements.named("archivist.unreword")
    supersede: Final = statements.named("archivist.supersede")
    superseded_lately: Final = statements.named("archivist.superseded_lately")
    unsupersede: Final = statements.named("archivist.unsupersede")
    contradicted: Final = statements.named("archivist.contradicted")
    unlink: Final = statements.named("archivist.unlink")
    link: Final = statements.named("archivist.link")
    pin: Final = statements.named("archivist.pin")
    living: Final = statements.named("archivist.living")
    versions: Final = statements.named("archivist.versions")
    forget: Final = statements.named("archivist.forget")
    hide_evidence: Final = statements.named("archivist.hide_evidence")
    hide_said: Final = statements.named("archivist.hide_said")
    unrecorded_evidence: Final = statements.named("archivist.unrecorded_evidence")
    hide_replies: Final = statements.named("archivist.hide_replies")
    hide_session: Final = statements.named("archivist.hide_session")
    unhide: Final = statements.named("archivist.unhide")
    withhold_summaries: Final = statements.named("archivist.withhold_summaries")
    show_summaries: Final = statements.named("archivist.show_summaries")
    parts: Final = statements.named("archivist.parts")
    entomb: Final = statements.named("archivist.entomb")
    exhume: Final = statements.named("archivist.exhume")
    forgotten_at: Final = statements.named("archivist.forgotten_at")
    restore: Final = statements.named("archivist.restore")
    drop: Final = statements.named("archivist.drop")
    last_forget: Final = statements.named("archivist.last_forget")
    of_session: Final = statements.named("archivist.of_session")
    count_asked: Final = statements.named("archivist.count_asked")
    distilled_of: Final = statements.named("archivist.distilled_of")
    events_of_session: Final = statements.named("archivist.events_of_session")
    unmerge: Final = statements.named("archivist.unmerge")
    to_age: Final = statements.named("archivist.to_age")
    age: Final = statements.named("archivist.age")
    last_aged: Final = statements.named("archivist.last_aged")
    aged_in_turn: Final = statements.named("archivist.aged_in_turn")
    unage: Final = statements.named("archivist.unage")
    decay: Final = statements.named("archivist.decay")
    touch: Final = statements.named("archivist.touch")
    erase_memories: Final = statements.named("archivist.erase_memories")
    erase_messages: Final = statements.named("archivist.erase_messages")
    reindex_memories: Final = statements.named("archivist.reindex_memories")
    reindex_messages: Final = statements.named("archivist.reindex_messages")
    reindex_chunks: Final = statements.named("chunk.reindex")
    speakers: Final = statements.named("archivist.speakers")
    unrest: Final = statements.named("archivist.unrest")
    unrest_events: Final = statements.named("archivist.unrest_events")
    erase_now: Final = statements.named("archivist.erase_now")
    empty_events: Final = statements.named("archivist.empty_events")
    move_room: Final = statements.named("archivist.move_room")
    redirect: Final = statements.named("rework.redirect")
    laid_out: Final = statements.named("archivist.laid_out")
    ask_removal: Final = statements.named("archivist.ask_removal")
    is_deleted: Final = statements.named("archivist.is_deleted")
    asked_in: Final = statements.named("archivist.asked_in")
    kept_by: Final = statements.named("archivist.kept_by")
    said_already: Final = statements.named("archivist.said_already")
    leave_events: Final = statements.named("archivist.leave_events")
    drop_memories: Final = statements.named("archivist.drop_memories")
    drop_distilled: Final = statements.named("archivist.drop_distilled")
    drop_tally: Final = statements.named("archivist.drop_tally")
    tallied_channels: Final = statements.named("archivist.tallied_channels")
    miscounted: Final = statements.named("archivist.miscounted")
    recount: Final = statements.named("archivist.recount")
    drop_events_of: Final = statements.named("archivist.drop_events_of")
    drop_events: Final = statements.named("archivist.drop_events")
    drop_tombstones: Final = statements.named("archivist.drop_tombstones")
    import_memories: Final = statements.named("archivist.import_memories")
    import_events: Final = statements.named("archivist.import_events")
    import_tombstones: Final = statements.named("archivist.import_tombstones")
    origins: Final = statements.named("archivist.origins")
    join_inherited: Final = statements.named("archivist.join_inherited")
    wake: Final = statements.named("space.wake")
    drop_proposals: Final = statements.named("proposal.drop")
    note_erasure: Final = statements.named("erasure.note")
    expire_proposals: Final = statements.named("proposal.expire")


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Who writes, as recorded in the memory's events."""

    actor: Actor
    person_id: PersonId | None = None
    reason: str
    manages: bool = False
    """Whether they manage the space, and so have no share of it that could be used up."""

    @classmethod
    def person(cls, caller: Caller, reason: str) -> "Author":
        """A person with a command."""
        return cls.of(caller, Actor.PERSON, reason)

    @classmethod
    def of(cls, caller: Caller, actor: Actor, reason: str) -> "Author":
        """A person, or what acts for one. Raises `NotAllowed` where that may not write memory."""
        if not caller.access.writes:
            raise errors.NotAllowed(lambda p: catalogue.gettext(NOT_WRITTEN).format(p=p))
        manages = caller.may(Right.MANAGE_GUILD)
        return cls(actor=actor, person_id=caller.person_id, reason=reason, manages=manages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """Why a note becomes a memory, as recorded in the memory's events."""

    actor: Actor
    reason: str
    session_id: SessionId
    """The open session of then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inherited:
    """A memory of another system."""

    fact: Fact
    origin: Mapping[str, Any]
    """Which one it is, over there."""
    tier: Tier
    at: datetime
    """When it was said and saved."""
    last_used_at: datetime
    aged_at: datetime | None
    session_id: SessionId | None
    is_written: bool
    """Whether people wrote it, and not a model: only their words tell tags."""

    @property
    def key(self) -> str:
        """Its origin, to be compared."""
        return json.dumps(dict(self.origin), sort_keys=True)


class Became(StrEnum):
    """What becomes of a memory of another system."""

    NEW = "new"
    JOINED = "joined"
    """The same was here already: one row, which has both origins."""
    HERE = "here"
    """It was taken over before."""
    FORGOTTEN = "forgotten"


class Origins:
    """The origins of a space's memories, as far as they were read, and the words of what would come."""

    def __init__(self) -> None:
        self.through: int = 0
        """The last memory that was read for them."""
        self.known: set[str] = set()
        self.words: set[bytes] = set()

    def read(self, row: Row) -> None:
        """Adds those of one memory."""
        metadata = row["metadata"]
        found = [*([metadata["origin"]] if "origin" in metadata else ()), *metadata.get("origins", ())]
        self.known.update(json.dumps(each, sort_keys=True) for each in found)
        self.through = max(self.through, row["memory_id"])

    def foreseen(self, given: Sequence[Inherited]) -> list[Became]:
        """What becomes of memories in a space that is not there yet."""
        became = list[Became]()
        for each in given:
            words = memory_subjects.key(_taken(each), None)
            is_here, is_told = each.key in self.known, words in self.words
            became.append(Became.HERE if is_here else Became.JOINED if is_told else Became.NEW)
            self.known.add(each.key)
            self.words.add(words)
        return became


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What became of the memories that contradicted each other."""

    stands: tuple[Memory, ...]
    replaced: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What one forget, or its undo, affected."""

    memories: tuple[Memory, ...]
    said: tuple[str, ...]
    """What somebody said that no memory was made of."""
    number: MemoryId | None = None
    """What one of it is called by, to bring all of it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ageing:
    """The rule for which rows move to the long tier."""

    older_than: timedelta = timedelta(hours=48)
    """Since they were made or last reinforced."""
    max_rows: int = 100
    """A space and run."""
    include_protected: bool = False


class Indexed(StrEnum):
    """What is found by its words, but for files."""

    MEMORIES = "memories"
    MESSAGES = "messages"
    CHUNKS = "chunks"


_REINDEX: Final[dict[Indexed, LiteralString]] = {
    Indexed.MEMORIES: Sql.reindex_memories,
    Indexed.MESSAGES: Sql.reindex_messages,
    Indexed.CHUNKS: Sql.reindex_chunks,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A room that was renamed, or went into another."""

    memories: int
    """Those that were moved at once and that the caller sees."""
    is_over: bool
    """Whether that is all of it; else the rest is moved behind, and found as if it were."""


class Archivist:
    """Writes memories; every method is one transaction unless it takes a connection."""

    def __init__(
        self,
        database: Database,
        registry: tagging.Registry | None = None,
        *,
        changed: Callable[[SpaceId], None] = lambda _: None,
        learns: Callable[[PlaceChoices], bool] = lambda _: True,
    ) -> None:
        """`learns` tells where memory may be made of what is said, with nobody asking for it."""
        self._database = database
        self._touched = collections.OrderedDict[tuple[SpaceId, MemoryId], datetime]()
        self._registry = registry or tagging.Registry()
        self._learns = learns
        self.changed: Callable[[SpaceId], None] = changed
        """Told of a space after memories of it were saved or went; called too by those who commit for the archivist."""

    async def save(
        self,
        space_id: SpaceId,
        channel_id: ChannelId,
        facts: Sequence[Fact],
        author: Author,
        *,
        now: datetime,
        session_id: SessionId | None = None,
        given_in: ChannelId | None = None,
        visible: Sequence[ChannelId] = (),
    ) -> list[Saved]:
        """Saves facts; what became of each, in order. The same fact twice is one row, in other words too.

        What contradicts a memory of this channel, or of those `visible` where it is said, is linked with it both ways.

        They belong to the session they were distilled from, or to the open one of the channel they were `given_in`.

        Raises `RefusedText`, `NotAllowed` where the channel's mode or the person's wish forbids it, and `TooOften`
        where the person has saved 30 times within the hour.
        """
        async with self._database.once() as connection:
            saved = await self.save_in(
                connection,
                space_id,
                channel_id,
                facts,
                author,
                now=now,
                session_id=session_id,
                given_in=given_in,
                visible=visible,
            )
        self.changed(space_id)
        return saved

    async def save_in(
        self,
        connection: Connection,
        space_id: SpaceId,
        channel_id: ChannelId,
        facts: Sequence[Fact],
        author: Author,
        *,
        now: datetime,
        session_id: SessionId | None = None,
        given_in: ChannelId | None = None,
        visible: Sequence[ChannelId] = (),
        apart: bool = False,
        replaces: MemoryId | None = None,
    ) -> list[Saved]:
        """The same inside the caller's transaction; `apart` keeps what is only nearly known as a row of its own.

        What it `replaces` it is not held against.

        A summary's fact that was forgotten is left out, whether by its words or because nothing it rests on is left;
        and so is one that the channel's mode forbids or that somebody said who opted out. A session summarised a second
        time, since something of it was deleted, adds no memory to those that rest on the same messages already.
        Of what nobody asked to keep, what is trivial is left out.
        """
        hashed = {
            memory_subjects.key(text, fact.author_id): (fact, text)
            for fact in facts
            if (text := normalize.cleaned(fact.content))
        }
        given = len(hashed)
        if author.actor is not Actor.SUMMARY:
            _refuse_output(hashed, author)
        if author.actor in _UNASKED:
            hashed = {key: (fact, text) for key, (fact, text) in hashed.items() if not _is_trivial(fact, text)}
        trivial = given - len(hashed)
        space = await self._locked(connection, space_id)
        hashed = await self._consented(connection, space_id, channel_id, hashed, author)
        if author.actor is Actor.SUMMARY:
            hashed = await self._without_forgotten(connection, space_id, channel_id, hashed)
        else:
            await self._refuse_deleted(connection, space_id, facts)
        hashed = await self._traced(connection, space_id, hashed)
        told = await self._told_already(connection, space_id, channel_id, hashed, author)
        hashed = {key: pair for key, pair in hashed.items() if key not in told}
        known = {
            bytes(r["content_hash"]): r for r in await connection.fetch(Sql.known, space_id, channel_id, [*hashed])
        }
        fresh = {key: pair for key, pair in hashed.items() if key not in known}
        matching = await fact_matching.of(connection, space, channel_id, visible, fresh, author.actor, now, replaces)
        twice = {} if apart else matching.twice
        if not apart:
            known |= matching.same
        fresh = _told_once({key: pair for key, pair in fresh.items() if key not in known}, twice)
        if fresh:
            await self._check_share(connection, space_id, author, facts, now)
        first = space["memory_count"] + 1
        inserted = await self._insert(connection, space, channel_id, fresh, first, now, session_id, given_in)
        merged = await self._merge(connection, space, {k: (hashed[k][0], r) for k, r in known.items()}, now)
        fuller = {key: matching.matched[key] for key in known if key in matching.matched}
        merged |= await self._reword(connection, space, hashed, fuller, now)
        events = [{"memory_id": m.memory_id, "kind": "saved", "before": None} for m in inserted.values()]
        before = {r["memory_id"]: _before(r) for r in known.values()}
        events += [{"memory_id": number, "kind": "merged", "before": was} for number, was in before.items()]
        await _record(connection, space_id, author, events, now)
        outcome = {k: Saved(memory=m, was_known=False) for k, m in inserted.items()}
        outcome |= {k: Saved(memory=merged[r["memory_id"]], was_known=True) for k, r in known.items()}
        outcome |= await self._set_against(connection, space_id, inserted, matching, author, now)
        outcome |= {key: replace(outcome[first], was_known=True) for key, first in twice.items()}
        _log.info("memory.saved", saved=len(inserted), merged=len(merged), trivial=trivial, actor=author.actor.value)
        return [*(outcome[key] for key in hashed), *{saved.memory.memory_id: saved for saved in told.values()}.values()]

    async def _reword(
        self, connection: Connection, space: Row, hashed: _Hashed, matched: Mapping[bytes, Matched], now: datetime
    ) -> dict[MemoryId, Memory]:
        """Gives memories the words of facts that say the same more fully, and keeps the ones before beside them."""
        payload = list[dict[str, Any]]()
        for key, each in matched.items():
            if each.same is None or not each.is_fuller:
                continue
            fact, text = hashed[key]
            earlier = wordings.added(each.same, fact.evidence, min(fact.said_at or now, now))
            payload.append(
                {
                    "memory_id": each.same["memory_id"],
                    "content": text,
                    "content_hash": "\\x" + key.hex(),
                    "reworded": wordings.noted(earlier),
                }
            )
        if not payload:
            return {}
        found = await connection.fetch(Sql.reword, space["space_id"], payload, space["language"])
        return {row["memory_id"]: rows.memory(row) for row in found}

    async def _set_against(
        self,
        connection: Connection,
        space_id: SpaceId,
        inserted: Mapping[bytes, Memory],
        matching: Matching,
        author: Author,
        now: datetime,
    ) -> dict[bytes, Saved]:
        """Links new memories with what contradicts them, and replaces what their author tells has changed."""
        outcome: dict[bytes, Saved] = {}
        for key, memory in inserted.items():
            each = matching.matched.get(key)
            if each is None or not each.is_open:
                continue
            against = [*map(rows.memory, each.against), *(inserted[other] for other in each.beside)]
            outdated = [*map(rows.memory, each.outdated), *(inserted[other] for other in each.outdates)]
            if against:
                await connection.execute(Sql.link, space_id, memory.memory_id, [one.memory_id for one in against])
            changed = replace(author, reason="change")
            for old in outdated:
                await self._supersede(
                    connection, space_id, old.memory_id, memory.memory_id, memory.said_at, changed, now
                )
            if each.outdating is not None:
                by = each.outdating
                await self._supersede(
                    connection, space_id, memory.memory_id, by["memory_id"], by["said_at"], changed, now
                )
            outcome[key] = Saved(
                memory=memory,
                was_known=False,
                contradicts=tuple(await namesakes.told_apart(connection, space_id, against)),
                supersedes=tuple(outdated),
                outdated_by=None if each.outdating is None else rows.memory(each.outdating),
            )
        return outcome

    async def _supersede(
        self,
        connection: Connection,
        space_id: SpaceId,
        old: MemoryId,
        by: MemoryId,
        since: datetime,
        author: Author,
        now: datetime,
    ) -> None:
        """Replaces a memory by another one, since a moment, with an event."""
        await connection.execute(Sql.supersede, space_id, old, by, since)
        await connection.execute(Sql.unlink, space_id, old, by)
        await self.unpropose_in(connection, space_id, (), [old])
        await _record(connection, space_id, author, _events("superseded", [old]), now)

    async def contradicted(self, caller: Caller, memory_id: MemoryId) -> tuple[Memory, list[Memory]]:
        """A memory, and what it contradicts that stands and may be seen here. Raises `NotFound`."""
        async with self._database.connection() as connection:
            return await self._contradicted(connection, caller, memory_id)

    async def settle(self, caller: Caller, memory_id: MemoryId, *, both: bool, now: datetime) -> Settled:
        """Settles what a memory contradicts: it stands in place of that, or beside it.

        What is replaced must be the caller's to change; that both stand anyone may say who may change one of them.
        Raises `NotFound` where nothing is open, and `NotAllowed`.
        """
        author = Author.person(caller, "settle")
        async with self._database.once() as connection:
            await self._locked(connection, caller.space_id)
            memory, others = await self._contradicted(connection, caller, memory_id)
            if not others:
                told = catalogue.gettext("#{number} contradicts nothing that stands here; there is nothing to settle.")
                raise errors.NotFound(told.format(number=memory_id))
            if both:
                if not any([await self._may_change(connection, caller, each) for each in (memory, *others)]):
                    raise not_theirs(caller, memory)
                for other in others:
                    await connection.execute(Sql.unlink, caller.space_id, memory_id, other.memory_id)
                against = {"contradicts": [other.memory_id for other in others]}
                event = {"memory_id": memory_id, "kind": "merged", "before": against}
                await _record(connection, caller.space_id, author, [event], now)
                return Settled(stands=(memory, *others))
            for old in others:
                await self._own(connection, caller, old.memory_id)
            for old in others:
                await self._supersede(connection, caller.space_id, old.memory_id, memory_id, now, author, now)
        self.changed(caller.space_id)
        _log.info("memory.settled", memory_id=memory_id, replaced=len(others))
        return Settled(stands=(memory,), replaced=tuple(others))

    async def last_superseded_at(self, caller: Caller, *, now: datetime) -> datetime | None:
        """When the caller last told what changed, or which of two memories holds, so that it can still be undone."""
        async with self._database.connection() as connection:
            found = await self._superseded_lately(connection, caller, now)
        return found[0]["at"] if found else None

    async def undo_superseding(self, caller: Caller, *, now: datetime) -> tuple[list[Memory], list[MemoryId]]:
        """Brings back what the caller replaced last, or let stand beside another; and which of it contradicts again.

        What was edited holds again in place of what it was made into; anything else was said, and stays beside it.
        """
        async with self._database.once() as connection:
            await self._locked(connection, caller.space_id)
            found = await self._superseded_lately(connection, caller, now)
            last = {row["memory_id"]: row for row in found if row["at"] == found[0]["at"]}
            replaced = [number for number, row in last.items() if row["is_replaced"]]
            back = [*await connection.fetch(Sql.unsupersede, caller.space_id, replaced)]
            for number in last.keys() - {*replaced}:
                row = await connection.fetchrow(Sql.living, caller.space_id, number, caller.visible)
                back += [] if row is None else [row]
            author, beside = Author.person(caller, "undo"), list[MemoryId]()
            ids = [row["memory_id"] for row in back]
            await _record(connection, caller.space_id, author, _events("restored", ids), now)
            for number in ids:
                other = last[number]["other"]
                if last[number]["is_edited"]:
                    await self._supersede(connection, caller.space_id, other, number, now, author, now)
                else:
                    await connection.execute(Sql.link, caller.space_id, other, [number])
                    beside.append(number)
        self.changed(caller.space_id)
        return [*map(rows.memory, back)], beside

    async def _superseded_lately(self, connection: Connection, caller: Caller, now: datetime) -> Sequence[Row]:
        return await connection.fetch(
            Sql.superseded_lately, caller.space_id, caller.person_id, now - UNDO_WINDOW, caller.visible
        )

    async def _contradicted(
        self, connection: Connection, caller: Caller, memory_id: MemoryId
    ) -> tuple[Memory, list[Memory]]:
        row = await connection.fetchrow(Sql.living, caller.space_id, memory_id, caller.visible)
        if row is None:
            raise await replaced.missing(connection, caller, memory_id)
        found = await connection.fetch(Sql.contradicted, caller.space_id, memory_id, caller.visible)
        memory, *others = await namesakes.told_apart(
            connection, caller.space_id, [rows.memory(r) for r in (row, *found)]
        )
        return memory, others

    async def allow_in(self, connection: Connection, space_id: SpaceId, channel_id: ChannelId, author: Author) -> None:
        """That the author may keep something in the channel, whatever it is. Raises `NotAllowed`, as saving does."""
        await self._consented(connection, space_id, channel_id, {}, author)

    async def promote_in(
        self,
        connection: Connection,
        caller: Caller,
        fact: Fact,
        channel_id: ChannelId,
        promotion: Promotion,
        *,
        now: datetime,
        apart: bool = False,
    ) -> Saved:
        """Inside a transaction: the fact that a note becomes, with an event that keeps the reason and where it was.

        Raises as `save` does.
        """
        space_id = caller.space_id
        author = Author.of(caller, promotion.actor, "promote")
        kept = await self.save_in(
            connection, space_id, channel_id, [fact], author, now=now, visible=caller.visible, apart=apart
        )
        if not kept:
            raise errors.RefusedText(
                catalogue.later("That is small talk or machine output; write the fact itself as the summary.")
            )
        (saved,) = kept
        event = {
            "memory_id": saved.memory.memory_id,
            "kind": "promoted",
            "before": {"session_id": promotion.session_id, "evidence": [*fact.evidence]},
        }
        await _record(connection, space_id, replace(author, reason=promotion.reason), [event], now)
        return saved

    async def edit(self, caller: Caller, memory_id: MemoryId, text: str, *, now: datetime) -> Saved:
        """Replaces a memory by a new one that supersedes it. Raises `NotFound`, `NotAllowed`, `RefusedText`."""
        content = normalize.cleaned(text)
        async with self._database.once() as connection:
            await self._locked(connection, caller.space_id)
            row = await self._own_row(connection, caller, memory_id)
            old = rows.memory(row)
            if normalize.content_hash(content) == normalize.content_hash(old.content):
                raise errors.BadArgument(catalogue.gettext("#{number} says that already.").format(number=memory_id))
            # What nobody said, like a playbook, has its topic of nobody's words.
            said = old.author_id is not None
            topic = topics.topic_after(old.topic, old.content, content) if said else old.topic
            fact = Fact(
                content=content,
                topic=topic,
                room=old.room,
                importance=old.importance,
                source=old.source,
                tags=self._registry.reworded(old.tags, old.content, content),
                evidence=old.evidence,
                made_from=(*old.made_from, old.memory_id),
                author_id=caller.person_id,
                author=caller.name,
                metadata=_standing(row["metadata"]),
            )
            author = Author.person(caller, "edit")
            (saved,) = await self.save_in(
                connection,
                caller.space_id,
                old.channel_id,
                [fact],
                author,
                now=now,
                visible=caller.visible,
                apart=True,
                replaces=memory_id,
            )
            if old.pinned:
                await self._pin(connection, caller.space_id, saved.memory.memory_id, author, now)
                saved = replace(saved, memory=replace(saved.memory, pinned=True))
            await self._supersede(connection, caller.space_id, memory_id, saved.memory.memory_id, now, author, now)
        self.changed(caller.space_id)
        return saved

    async def saved_in_turn(self, space_id: SpaceId, turn_id: MessageId) -> list[Saved]:
        """What a model has saved so far when it answered a question, as it stands now."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.made_in_turn, space_id, turn_id)
        # Of one that was saved and then said again in the same turn, its saving tells.
        made = {row["memory_id"]: Saved(memory=rows.memory(row), was_known=row["kind"] == "merged") for row in found}
        return [*reversed(made.values())]

    async def kept_by(self, caller: Caller, memory_ids: Sequence[MemoryId]) -> frozenset[MemoryId]:
        """Those of the memories that the caller had kept, and so may forget, whoever said them."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.kept_by, caller.space_id, [*memory_ids], caller.person_id)
        return frozenset(MemoryId(row["memory_id"]) for row in found)

    async def pin(self, caller: Caller, memory_id: MemoryId, *, pinned: bool, now: datetime) -> Memory:
        """Pins or unpins a memory. Raises `NotFound`, and `NotAllowed` also where the caller has pinned five others."""
        kind = "pinned" if pinned else "unpinned"
        async with self._database.once() as connection:
            # Of two pins at once the second counts the first.
            await self._locked(connection, caller.space_id)
            await self._own(connection, caller, memory_id)
            if pinned and not caller.may(Right.MANAGE_GUILD):
                await self._check_pins(connection, caller, memory_id)
            return await self._pin(
                connection, caller.space_id, memory_id, Author.person(caller, kind), now, pinned=pinned
            )

    async def ask_removal(self, caller: Caller, memory_id: MemoryId, *, now: datetime) -> tuple[Memory, bool]:
        """Notes that the caller wants a memory removed which another said about them; it, and whether that is new.

        Raises `NotFound`, and `NotAllowed` where it is not about them, or theirs to forget.
        """
        async with self._database.transaction() as connection:
            await self._locked(connection, caller.space_id)
            row = await connection.fetchrow(Sql.living, caller.space_id, memory_id, caller.visible)
            if row is None:
                told = catalogue.later("There is no memory #{number} here; {p}me lists those about you.")
                raise errors.NotFound(lambda p: catalogue.gettext(told).format(number=memory_id, p=p))
            if row["author_id"] == caller.person_id or caller.may(Right.MANAGE_GUILD):
                told = catalogue.later("#{number} is yours to remove: {p}forget {number} does it.")
                raise errors.NotAllowed(lambda p: catalogue.gettext(told).format(number=memory_id, p=p))
            if row["subject_id"] != caller.person_id:
                told = catalogue.later("#{number} is not about you; {p}me lists what is.")
                raise errors.NotAllowed(lambda p: catalogue.gettext(told).format(number=memory_id, p=p))
            is_new = await connection.fetchval(Sql.ask_removal, caller.space_id, memory_id, now) is not None
            (memory,) = await namesakes.told_apart(connection, caller.space_id, [rows.memory(row)])
        _log.info("memory.removal_asked", memory_id=memory_id, is_new=is_new)
        return memory, is_new

    async def forget(self, caller: Caller, memory_id: MemoryId, *, now: datetime) -> Memory:
        """Hides a memory at once with what it rests on, until undo is over; returns it as it was.

        Raises `NotFound` and `NotAllowed`.
        """
        return (await self.forget_all(caller, [memory_id], now=now)).memories[0]

    async def to_forget(self, caller: Caller, memory_id: MemoryId) -> Memory:
        """A memory that the caller may forget. Raises `NotFound` and `NotAllowed`."""
        async with self._database.connection() as connection:
            return await self._own(connection, caller, memory_id, or_kept=True)

    async def forget_all(
        self, caller: Caller, memory_ids: Sequence[MemoryId], message_ids: Sequence[MessageId] = (), *, now: datetime
    ) -> Forgotten:
        """The same for several at once, and for what the caller said that no memory was made of: all of it or nothing.

        What they said gets a number as a memory has, and a tombstone, or it could come back from where it was said.
        """
        async with self._database.once() as connection:
            await taken_back.count_in(connection, caller.space_id)
            space = await self._locked(connection, caller.space_id)
            memories = [await self._own(connection, caller, memory_id, or_kept=True) for memory_id in memory_ids]
            versions = {
                r["memory_id"]
                for memory_id in memory_ids
                for r in await connection.fetch(Sql.versions, caller.space_id, memory_id)
            }
            author = Author.person(caller, "forget")
            gone = await self._hide(connection, caller.space_id, sorted(versions), author, now)
            await self._entomb(connection, caller.space_id, gone, now)
            said = await connection.fetch(
                Sql.hide_said, caller.space_id, [*message_ids], caller.person_id, now, caller.visible
            )
            numbers = await self._entomb_said(connection, space, said, author, now)
            hidden = [*said, *await self._hide_made(connection, caller.space_id, gone, said, author, now)]
            hidden_in = sorted({r["session_id"] for r in (*hidden, *gone)} - {None})
            await connection.execute(Sql.withhold_summaries, caller.space_id, hidden_in, now)
            held = {r["message_id"] for r in hidden}.union(*(r["evidence"] for r in gone))
            await ledgers.withhold_in(connection, caller.space_id, held, now=now)
        self.changed(caller.space_id)
        _log.info("memory.forgotten", memories=len(memories), versions=len(versions), messages=len(said))
        number = next(iter([*memory_ids, *numbers]), None)
        return Forgotten(memories=tuple(memories), said=tuple(row["content"] for row in said), number=number)

    async def undo_forget(self, caller: Caller, *, now: datetime, memory_id: MemoryId | None = None) -> Forgotten:
        """Restores what the caller forgot last, with its messages; nothing when there is none.

        With a memory's number, of the caller's forget of that one.
        """
        async with self._database.once() as connection:
            await self._locked(connection, caller.space_id)
            at = await self._last_forget(connection, caller, now, memory_id)
            nothing = Forgotten(memories=(), said=())
            back = nothing if at is None else await self._bring_back(connection, caller, at, now)
        self.changed(caller.space_id)
        return back

    async def last_forget_at(
        self, caller: Caller, *, now: datetime, memory_id: MemoryId | None = None
    ) -> datetime | None:
        """When the caller last forgot something, or this memory, that can still be undone."""
        async with self._database.connection() as connection:
            return await self._last_forget(connection, caller, now, memory_id)

    async def rename_room(self, caller: Caller, room: str, name: str, *, now: datetime) -> Moved:
        """Renames a room in the whole space: for whoever reads at once, and a large one a batch at a time behind.

        Raises `NotFound`, and `BadArgument` where they see a room of that name already, or where what was in a room of
        either name before is still on its way elsewhere.
        """
        async with self._database.once() as connection:
            space = await self._locked(connection, caller.space_id)
            rooms = await self._rooms(connection, caller, room, name)
            if name in rooms:
                told = catalogue.later("There is a room {name} already; {p}room merge joins the two.")
                raise errors.BadArgument(lambda p: catalogue.gettext(told).format(name=repr(name), p=p))
            moved = await self._move_room(connection, space, caller, room, name, "rename", now)
        self.changed(caller.space_id)
        return moved

    async def merge_rooms(self, caller: Caller, room: str, into: str, *, now: datetime) -> Moved:
        """Merges one room into another in the whole space, as `rename_room` renames one.

        Raises `NotFound` for a room they don't see, and `BadArgument` as that does.
        """
        async with self._database.once() as connection:
            space = await self._locked(connection, caller.space_id)
            rooms = await self._rooms(connection, caller, room, into)
            if into not in rooms:
                told = catalogue.gettext("There is no room {name} to merge into.")
                raise errors.NotFound(told.format(name=repr(into)))
            moved = await self._move_room(connection, space, caller, room, into, "merge", now)
        self.changed(caller.space_id)
        return moved

    async def go_on_moving(self, rework: Rework, *, now: datetime) -> bool:
        """Moves the next memories of a renamed room; false where none are left, or another process moves them."""
        async with self._database.transaction() as connection:
            await self._locked(connection, rework.space_id)
            row = await reworks.hold_in(connection, rework, now=now)
            if row is None:
                return False
            move = Move(
                former=rework.former,
                latter=row["latter"],
                after_id=row["after_id"],
                through_id=row["through_id"],
                person_id=rows.person_id(row["person_id"]),
                reason=row["reason"],
                at=row["started_at"],
            )
            done = await self._move_on(connection, rework.space_id, move, ())
            is_more: bool = done["moved"] == MOVED
            if is_more:
                await reworks.went_on_in(
                    connection, rework, stage=0, after_id=done["last_id"], done=done["moved"], next_at=now
                )
            else:
                await reworks.end_in(connection, rework)
        self.changed(rework.space_id)
        return is_more

    async def lay_out(self, caller: Caller, playbook: Fact, rooms: Sequence[Fact], *, now: datetime) -> list[Saved]:
        """Saves a playbook and descriptions of rooms as memories; what the caller sees already stays as it is.

        That is a memory under the playbook's room and topic, and a room with anything in it. Raises what `save` does.
        """
        space_id, facts = caller.space_id, [playbook, *rooms]
        author = Author.person(caller, "palace")
        async with self._database.once() as connection:
            await self._locked(connection, space_id)
            way = Filed.on_topic(playbook.topic, playbook.room)
            asked = {fact.room: Filed.in_room(fact.room) for fact in facts} | {playbook.room: way}
            filed = await tallies.filed(connection, caller, asked.values())
            hashes = {normalize.content_hash(fact.content): fact for fact in facts}
            known = await connection.fetch(Sql.known, space_id, caller.origin_id, [*hashes])
            there = {room for room, one in asked.items() if one in filed}
            there |= {hashes[bytes(row["content_hash"])].room for row in known}
            fresh = [fact for fact in facts if fact.room not in there]
            saved = await self.save_in(connection, space_id, caller.origin_id, fresh, author, now=now) if fresh else []
        self.changed(space_id)
        return saved

    async def last_laid_out_at(self, caller: Caller, *, now: datetime) -> datetime | None:
        """When the caller last laid something out that can still be undone."""
        async with self._database.connection() as connection:
            found = await self._laid_out(connection, caller, now)
        return found[0]["at"] if found else None

    async def undo_laying_out(self, caller: Caller, *, now: datetime) -> int:
        """Forgets the memories of the caller's latest layout, but for changed ones; returns how many."""
        async with self._database.once() as connection:
            await self._locked(connection, caller.space_id)
            found = await self._laid_out(connection, caller, now)
            ids = [row["memory_id"] for row in found if row["at"] == found[0]["at"]]
            return len(await self._hide(connection, caller.space_id, ids, Author.person(caller, "undo"), now))

    async def take_back_session(
        self,
        connection: Connection,
        caller: Caller,
        session_id: SessionId,
        closed_at: datetime,
        kept_through: MessageId | None,
        *,
        now: datetime,
    ) -> int:
        """Takes back what a reset's summary saved: new rows are forgotten, merged rows restored; returns how many.

        But not what is known from what was in memory before, `kept_through` a message. Of a reset that discarded: how
        many memories were brought back.
        """
        space_id = caller.space_id
        space = await self._locked(connection, space_id)
        args = space_id, summary_reason(session_id), None, closed_at, kept_through
        taken = set[int]()
        # What one chunk had saved and another merged is taken back in two steps, the last first.
        while found := await connection.fetch(Sql.events_of_session, *args):
            if not await self._take_back(connection, caller, space, found, now):
                break
            taken.update(row["memory_id"] for row in found)
        await connection.execute(Sql.exhume, space_id, [-session_id], None)
        discarded = await connection.fetch(Sql.forgotten_at, space_id, closed_at)
        if discarded:
            return len((await self._bring_back(connection, caller, closed_at, now)).memories)
        await connection.execute(Sql.unhide, space_id, closed_at)
        await connection.execute(Sql.show_summaries, space_id, closed_at)
        await ledgers.show_in(connection, space_id, closed_at)
        return len(taken)

    async def take_back_turn_in(
        self,
        connection: Connection,
        caller: Caller,
        turn_id: MessageId,
        reply_ids: Sequence[MessageId],
        *,
        now: datetime,
    ) -> list[MemoryId]:
        """Takes back what a model saved and aged when it answered the caller's question, and what was distilled of it.

        Returns what stays of what it saved, as somebody changed it or said it again since, by its newest number.
        """
        space_id = caller.space_id
        space = await self._locked(connection, space_id)
        for aged in await connection.fetch(Sql.aged_in_turn, space_id, turn_id, age_reason(turn_id)):
            await connection.execute(Sql.unage, space_id, aged["actor_id"], aged["at"], now)
        found = await connection.fetch(Sql.made_in_turn, space_id, turn_id)
        theirs = {row["memory_id"] for row in found if row["is_untouched"]}
        left = [row["superseded_by"] or row["memory_id"] for row in found if row["memory_id"] not in theirs]
        # What was saved and then said again is taken back in two steps, the last first.
        while last := [row for row in found if row["is_untouched"]]:
            if not await self._take_back(connection, caller, space, last, now):
                break
            found = await connection.fetch(Sql.made_in_turn, space_id, turn_id)
        told = [row["memory_id"] for row in await connection.fetch(Sql.told_by, space_id, [*reply_ids])]
        await self._hide(connection, space_id, told, Author.person(caller, "undo"), now)
        return [*map(MemoryId, dict.fromkeys(left))]

    async def take_back_included(
        self, connection: Connection, caller: Caller, session_id: SessionId, *, now: datetime
    ) -> tuple[int, datetime | None]:
        """The same of talk that the caller had included in a session last, within ten minutes; and when that was."""
        await taken_back.count_in(connection, caller.space_id)
        space = await self._locked(connection, caller.space_id)
        found = await connection.fetch(
            Sql.events_of_session,
            caller.space_id,
            summary_reason(session_id),
            caller.person_id,
            now - UNDO_WINDOW,
            None,
        )
        if not found:
            return 0, None
        return await self._take_back(connection, caller, space, found, now), found[0]["at"]

    async def _take_back(
        self, connection: Connection, caller: Caller, space: Row, found: Sequence[Row], now: datetime
    ) -> int:
        """Takes back what these events saved or merged; how many memories."""
        space_id = caller.space_id
        new = [r["memory_id"] for r in found if r["kind"] == "saved"]
        old = [
            {"memory_id": r["memory_id"], "merged_at": r["at"].isoformat()} | r["before"]
            for r in found
            if r["kind"] == "merged"
        ]
        await self._hide(connection, space_id, new, Author.person(caller, "undo"), now)
        back = await connection.fetch(Sql.unmerge, space_id, old, space["language"])
        await _record(
            connection,
            space_id,
            Author.person(caller, "undo"),
            _events("restored", [r["memory_id"] for r in back]),
            now,
        )
        return len(new) + len(back)

    async def made_of_in(
        self,
        connection: Connection,
        space_id: SpaceId,
        session_id: SessionId,
        saved: Iterable[Saved] = (),
        *,
        ended_at: datetime,
    ) -> list[Saved]:
        """All that was made of a session and still stands, with what was `saved` of it just now as it was saved.

        What was saved before the session ended, or was included in it, comes first, as earlier.
        """
        now = dict[MemoryId, Saved]()
        for one in saved:
            now.setdefault(one.memory.memory_id, one)
        found = await connection.fetch(
            Sql.distilled_of, space_id, session_id, [*now], summary_reason(session_id), ended_at
        )
        made = [
            now.get(row["memory_id"])
            or Saved(memory=rows.memory(row), was_known=False, is_earlier=not row["is_saved_since"])
            for row in found
        ]
        return sorted(made, key=lambda one: not one.is_earlier)

    async def discard_session(
        self, connection: Connection, caller: Caller, session_id: SessionId, *, now: datetime
    ) -> tuple[int, int]:
        """Forgets what was distilled from the session, and hides its messages; how many memories go, and how many stay.

        Those that a person asked for do. Answers elsewhere that were made from what goes are hidden too. Discord has it
        all still: its ids stay in a tombstone.
        """
        await self._locked(connection, caller.space_id)
        ids = [r["memory_id"] for r in await connection.fetch(Sql.of_session, caller.space_id, session_id)]
        gone = await self._hide(connection, caller.space_id, ids, Author.person(caller, "discard"), now)
        said = [r["message_id"] for r in await connection.fetch(Sql.hide_session, caller.space_id, session_id, now)]
        await ledgers.withhold_session_in(connection, caller.space_id, session_id, now=now)
        derived = await derivation.of_session(connection, caller.space_id, said, [row["memory_id"] for row in gone])
        await self._hide_derived(connection, caller.space_id, derived, said, Author.person(caller, "discard"), now)
        replies = derived.replies
        asked = [*said, *(r["reply_to"] for r in replies)]
        parts = [r["message_id"] for r in await connection.fetch(Sql.parts, caller.space_id, asked)]
        stone = {
            "memory_id": -session_id,
            "channel_id": caller.channel_id,
            "content_mac": "\\x",
            "evidence": sorted({*said, *(r["message_id"] for r in replies), *parts}),
        }
        await connection.execute(Sql.entomb, caller.space_id, now, [stone])
        await connection.execute(Sql.wake, caller.space_id, now + UNDO_WINDOW)
        return len(ids), await connection.fetchval(Sql.count_asked, caller.space_id, session_id, caller.visible)

    async def age(
        self,
        spaces: Iterable[SpaceId],
        ageing: Ageing,
        *,
        now: datetime,
        caller: Caller | None = None,
        turn_id: MessageId | None = None,
    ) -> int:
        """Moves rows to the long tier, at most `max_rows` a space; returns how many.

        A `caller` has asked for it, or a model in their name when it answered a question.
        """
        before, moved = now - ageing.older_than, 0
        visible, actor = (caller.visible, Actor.PERSON) if caller else (None, Actor.JOB)
        actor = actor if turn_id is None else Actor.MODEL
        async with self._database.connection() as connection:
            due = await connection.fetch(Sql.to_age, [*spaces], before, ageing.include_protected, visible)
        for space_id in (SpaceId(row["space_id"]) for row in due):
            async with self._database.once() if caller else self._database.transaction() as connection:
                await connection.execute(Sql.lock_space, space_id)
                moved += await connection.fetchval(
                    Sql.age,
                    space_id,
                    now,
                    before,
                    ageing.max_rows,
                    ageing.include_protected,
                    visible,
                    actor.value,
                    caller.person_id if caller else None,
                    age_reason(turn_id),
                )
        if moved:
            _log.info("memory.aged", moved=moved)
        return moved

    async def last_aged_at(self, caller: Caller, *, now: datetime) -> datetime | None:
        """When the caller last had memories aged, so that it can still be undone."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.last_aged, caller.space_id, caller.person_id, now - UNDO_WINDOW)

    async def undo_age(self, caller: Caller, aged_at: datetime, *, now: datetime) -> int:
        """Moves what the caller had aged then back to the short tier; returns how many memories."""
        async with self._database.once() as connection:
            await self._locked(connection, caller.space_id)
            return await connection.fetchval(Sql.unage, caller.space_id, caller.person_id, aged_at, now)

    async def decay(self, spaces: Iterable[SpaceId], *, now: datetime) -> int:
        """Lowers importance to greatest(least(3, set), set - whole weeks since last use); returns how many changed."""
        waiting, changed = dict.fromkeys(spaces, 0), 0
        while waiting:
            async with self._database.connection() as connection:
                looked = await connection.fetch(Sql.decay, [*waiting], now, [*waiting.values()], DECAYED)
            changed += looked[0]["changed"] if looked else 0
            waiting = {SpaceId(row["space_id"]): row["last_id"] for row in looked if row["looked"] == DECAYED}
        return changed

    async def touch(self, space_id: SpaceId, ids: Sequence[MemoryId], *, now: datetime) -> None:
        """Records that memories were used; at most hourly, so a busy topic is not written all day."""
        due = now - TOUCH_EVERY
        stale = [key for key in ids if self._touched.get((space_id, key), due) <= due]
        if stale:
            async with self._database.connection() as connection:
                await connection.execute(Sql.touch, space_id, stale, now, due)
            self._touched |= {(space_id, key): now for key in stale}
            while len(self._touched) > MOST_TOUCHED:
                self._touched.popitem(last=False)

    async def erase(self, spaces: Iterable[SpaceId], *, now: datetime) -> int:
        """Erases forgotten rows whose undo is over, in batches that resume; returns how many."""
        due, before, erased = [*spaces], now - UNDO_WINDOW, 0
        async with self._database.connection() as connection:
            await connection.execute(Sql.expire_proposals, due, before)
            await standing_replies.note_due_in(connection, due, before, now)
        # Memories first: their messages, hidden with them, tell that they are to go.
        while gone := await self._erased(due, before, now):
            erased += gone
        return erased

    async def _erased(self, spaces: Sequence[SpaceId], before: datetime, now: datetime) -> int:
        async with self._database.transaction() as connection:
            args = (spaces, before, BATCH, new_id(now), now)
            memories: int = await connection.fetchval(Sql.erase_memories, *args)
            return memories or await connection.fetchval(Sql.erase_messages, *args)

    async def reindex_in(
        self, connection: Connection, space_id: SpaceId, texts: Indexed, *, language: str, after: int, most: int
    ) -> Row:
        """Indexes the next texts of a kind after an id for a language; how many these are, and the last of them.

        With the space's row locked where they are memories.
        """
        row = await connection.fetchrow(_REINDEX[texts], space_id, language, after, most)
        assert row is not None
        return row

    async def retract_in(
        self,
        connection: Connection,
        space_id: SpaceId,
        messages: Collection[int],
        derived: Derived,
        author: Author,
        *,
        now: datetime,
    ) -> int:
        """Erases for good the memories that go with these messages; returns how many.

        What only lost somebody's approval, or their repeating it, stays without it. What is erased leaves a tombstone
        and its events. The messages are still there: they go after this, in the same transaction.
        """
        await self._locked(connection, space_id)
        gone = [*messages, *derived.reply_ids]
        await self.unpropose_in(connection, space_id, gone, [row["memory_id"] for row in derived.memories])
        if derived.lessened:
            language = (await self._locked(connection, space_id))["language"]
            await self._unreword(connection, space_id, derived.lessened, gone, language)
            await connection.execute(Sql.unrest, space_id, [*derived.lessened], gone)
            await connection.execute(Sql.unrest_events, space_id, [*derived.lessened], gone)
        living = [r["memory_id"] for r in derived.memories if r["forgotten_at"] is None and r["superseded_by"] is None]
        erased = [row["memory_id"] for row in derived.memories]
        await connection.execute(Sql.note_erasure, space_id, new_id(now), gone, erased, now)
        if derived.memories:
            await self._entomb(connection, space_id, await self._graves(connection, space_id, derived, gone), now)
            await self._erase_now(connection, space_id, [row["memory_id"] for row in derived.memories])
            await _record(connection, space_id, author, _events("forgotten", living), now)
            _log.info("memory.retracted", erased=len(living), kept=len(derived.lessened))
        return len(living)

    @staticmethod
    async def _unreword(
        connection: Connection, space_id: SpaceId, memories: Collection[int], gone: Collection[int], language: str
    ) -> None:
        """Takes from memories the words, and the ones they had before, that these messages brought."""
        payload = list[dict[str, Any]]()
        for row in await connection.fetch(Sql.reworded, space_id, [*memories]):
            left = wordings.without(wordings.read(row["metadata"]), gone)
            if left is None:
                continue
            again = left.restored
            payload.append(
                {
                    "memory_id": row["memory_id"],
                    "content": again and again.content,
                    "content_hash": again and f"\\x{again.content_hash}",
                    "reworded": wordings.noted(left.wordings),
                }
            )
        if payload:
            await connection.execute(Sql.unreword, space_id, payload, language)

    async def unpropose_in(
        self, connection: Connection, space_id: SpaceId, messages: Collection[int], memories: Collection[int] = ()
    ) -> None:
        """Erases what a model would keep of these, and nobody has agreed to yet."""
        await connection.execute(Sql.drop_proposals, space_id, [*messages], [*memories])

    async def follow_edit_in(
        self,
        connection: Connection,
        space_id: SpaceId,
        message_id: MessageId,
        old: str,
        new: str | None,
        *,
        now: datetime,
    ) -> Row | None:
        """What a person asked to remember in one message, as they word it now; none when they ask nothing any more.

        The old words are erased, not kept as an older version: they are not on Discord any more either. The memory that
        had them, as it was, if it is another one now.
        """
        space = await self._locked(connection, space_id)
        row = await connection.fetchrow(Sql.asked_in, space["space_id"], message_id, normalize.content_hash(old))
        if row is None or (new and normalize.content_hash(new) == normalize.content_hash(row["content"])):
            return None
        was = rows.memory(row)
        author = Author(actor=Actor.PERSON, person_id=was.author_id, reason="edit")
        topic = topics.topic_after(was.topic, old, new or "")
        fact = Fact(
            content=new or "",
            topic=topic,
            room=was.room,
            importance=row["importance_set"],
            source=was.source,
            tags=self._registry.reworded(was.tags, was.content, new or ""),
            evidence=was.evidence,
            made_from=was.made_from,
            author_id=was.author_id,
            author=was.author,
            said_at=was.said_at,
            metadata=_standing(row["metadata"]),
        )
        try:
            (saved,) = await self.save_in(
                connection,
                space_id,
                was.channel_id,
                [fact],
                author,
                now=now,
                session_id=row["session_id"],
                apart=True,
                replaces=was.memory_id,
            )
        except errors.UserError:
            # Nothing to keep, or nothing that may be kept: the old words go all the same.
            derived = await derivation.of_gone(connection, space_id, (), [was.memory_id])
            await self.retract_in(connection, space_id, (), derived, author, now=now)
            return row
        if was.pinned:
            await self._pin(connection, space_id, saved.memory.memory_id, author, now)
        await self._erase_now(connection, space_id, [was.memory_id])
        await _record(connection, space_id, author, _events("superseded", [was.memory_id]), now)
        return row

    async def leave_in(self, connection: Connection, space_id: SpaceId, person_id: PersonId, most: int) -> int:
        """Removes the person from at most so many events; returns how many."""
        return affected(await connection.execute(Sql.leave_events, space_id, person_id, most))

    async def drop_in(
        self, connection: Connection, space_id: SpaceId, through: int, most: int, *, tombstones: bool
    ) -> tuple[list[int], int]:
        """Deletes at most so many memories with numbers up to `through`, and as many of their events and tombstones.

        Returns the numbers of the memories, and how many of the rest. Without `tombstones` those stay.
        """
        memories = [row["memory_id"] for row in await connection.fetch(Sql.drop_memories, space_id, through, most)]
        traces = affected(await connection.execute(Sql.drop_events, space_id, through, most))
        if tombstones:
            traces += affected(await connection.execute(Sql.drop_tombstones, space_id, through, most))
        return memories, traces

    async def drop_distilled_in(
        self, connection: Connection, space_id: SpaceId, after: int, said_until: datetime, most: int
    ) -> list[int]:
        """Deletes at most so many memories with numbers `after` that were distilled of what was said by then; which."""
        found = await connection.fetch(Sql.drop_distilled, space_id, after, said_until, most)
        memories = [row["memory_id"] for row in found]
        await connection.execute(Sql.drop_events_of, space_id, memories)
        return memories

    async def drop_tally_in(self, connection: Connection, space_id: SpaceId) -> None:
        """Deletes what is tallied of a space in which no memory is left: nothing, unless it was tallied wrongly."""
        await connection.execute(Sql.drop_tally, space_id)

    async def recount(self, space_id: SpaceId) -> int:
        """Compares what is tallied of a space with its memories and puts it right; how many names were wrong.

        One kind of one channel at a time, and without a lock unless something is wrong.
        """
        wrong = 0
        async with self._database.connection() as connection:
            channels = await connection.fetch(Sql.tallied_channels, space_id)
        for piece in itertools.product((row["channel_id"] for row in channels), TALLIED):
            async with self._database.connection() as connection:
                found: int = await connection.fetchval(Sql.miscounted, space_id, *piece)
            if found:
                async with self._database.transaction() as connection:
                    await connection.execute(Sql.lock_space, space_id)
                    wrong += await connection.fetchval(Sql.recount, space_id, *piece)
        if wrong:
            _log.error("memory.miscounted", space_id=space_id, names=wrong)
        return wrong

    async def import_in(
        self,
        connection: Connection,
        space_id: SpaceId,
        *,
        memories: Sequence[dict[str, Any]] = (),
        events: Sequence[dict[str, Any]] = (),
        tombstones: Sequence[dict[str, Any]] = (),
    ) -> None:
        """Write exported rows with their ids, times and tiers as they were; the space exists."""
        space = await self._locked(connection, space_id)
        if memories:
            hashed = [
                _named(row) | {"content_hash": "\\x" + memory_subjects.key(row["content"], row["author_id"]).hex()}
                for row in memories
            ]
            await connection.execute(Sql.import_memories, space_id, space["language"], hashed)
            await connection.execute(Sql.count, space_id, max(row["memory_id"] for row in memories))
        if events:
            await connection.execute(Sql.import_events, space_id, [*events])
        if tombstones:
            await connection.execute(Sql.import_tombstones, space_id, [*tombstones])

    async def take_in(
        self,
        connection: Connection,
        space_id: SpaceId,
        channel_id: ChannelId,
        given: Sequence[Inherited],
        origins: Origins,
        *,
        now: datetime,
        write: bool,
    ) -> list[Became]:
        """Takes over memories of other systems with their tiers and times; what became of each, in order.

        Of one origin there is one memory, for good. What says the same as a memory here is joined with that, and what
        was forgotten here stays so. Without `write` it is only told what would become of them.

        Raises `NotAllowed` where the channel's mode forbids it, and `RefusedText`.
        """
        space = await self._locked(connection, space_id)
        author = Author(actor=Actor.IMPORT, reason="import")
        await self.allow_in(connection, space_id, channel_id, author)
        for row in await connection.fetch(Sql.origins, space_id, origins.through):
            origins.read(row)
        hashed = [(each, text, memory_subjects.key(text, None)) for each in given for text in (_taken(each),)]
        known = await connection.fetch(Sql.known, space_id, channel_id, [key for _, _, key in hashed])
        here = {bytes(row["content_hash"]): row for row in known}
        words = {*here} | origins.words
        left = await self._without_forgotten(
            connection, space_id, channel_id, {key: (each.fact, text) for each, text, key in hashed}
        )
        became, fresh, again = list[Became](), list[tuple[Inherited, str, bytes]](), list[tuple[Inherited, bytes]]()
        for each, text, key in hashed:
            if each.key in origins.known:
                became.append(Became.HERE)
            elif key not in left:
                became.append(Became.FORGOTTEN)
            elif key in words:
                became.append(Became.JOINED)
                again.append((each, key))
            else:
                became.append(Became.NEW)
                fresh.append((each, text, key))
            if became[-1] in {Became.NEW, Became.JOINED}:
                origins.known.add(each.key)
                words.add(key)
        if write:
            numbers = {key: row["memory_id"] for key, row in here.items()}
            numbers |= await self._insert_inherited(connection, space, channel_id, fresh, author, now)
            await self._join_inherited(connection, space, [(each, numbers[key]) for each, key in again], author, now)
        else:
            origins.words |= words
        return became

    async def _insert_inherited(
        self,
        connection: Connection,
        space: Row,
        channel_id: ChannelId,
        fresh: Sequence[tuple[Inherited, str, bytes]],
        author: Author,
        now: datetime,
    ) -> dict[bytes, int]:
        """The numbers of new memories, by what they say."""
        if not fresh:
            return {}
        space_id, first = space["space_id"], space["memory_count"] + 1
        about = await memory_subjects.of(connection, space_id, [(each.fact, text) for each, text, _ in fresh], now)
        payload = list[dict[str, Any]]()
        for number, (each, text, key) in enumerate(fresh, first):
            row = _new_row(each.fact, text, key, number, each.at, each.session_id)
            used = each.last_used_at.isoformat()
            payload.append(
                row
                | {
                    "tier": each.tier.value,
                    "importance_set": each.fact.importance,
                    "tags": self._inherited_tags(each, text),
                    "metadata": {"origin": dict(each.origin)} | row["metadata"],
                    "subject_id": about[number - first],
                    "channel_id": channel_id,
                    "seen_count": 1,
                    "created_at": each.at.isoformat(),
                    "reinforced_at": used,
                    "last_used_at": used,
                    "aged_at": each.aged_at and each.aged_at.isoformat(),
                    "superseded_by": None,
                    "superseded_at": None,
                }
            )
        await connection.execute(Sql.import_memories, space_id, space["language"], [*map(_named, payload)])
        await connection.execute(Sql.count, space_id, payload[-1]["memory_id"])
        numbers = {key: row["memory_id"] for (_, _, key), row in zip(fresh, payload, strict=True)}
        await _record(connection, space_id, author, _events("saved", numbers.values()), now)
        return numbers

    async def _join_inherited(
        self, connection: Connection, space: Row, again: Sequence[tuple[Inherited, int]], author: Author, now: datetime
    ) -> None:
        """Lets memories know what else they are, the more important of each and the tier of what is in view."""
        joined: dict[int, dict[str, Any]] = {}
        for each, number in again:
            row = joined.setdefault(
                number, {"memory_id": number, "importance": 1, "is_short": False, "seen": 0, "tags": [], "origins": []}
            )
            row["importance"] = max(row["importance"], each.fact.importance)
            row["is_short"] |= each.tier is Tier.SHORT
            row["seen"] += 1
            row["tags"] += (tag[:LONGEST_NAME] for tag in each.fact.tags)
            row["origins"].append(dict(each.origin))
        if joined:
            await connection.execute(Sql.join_inherited, space["space_id"], [*joined.values()], space["language"])
            await _record(connection, space["space_id"], author, _events("merged", joined), now)

    def _inherited_tags(self, each: Inherited, text: str) -> list[str]:
        """Those it came with, as they were; else what people's words tell, and of a model's words nothing."""
        if each.fact.tags:
            return [*each.fact.tags]
        return [*self._registry.inferred(text, workflow=tagging.NOTE)] if each.is_written else [tagging.AUTO]

    async def _locked(self, connection: Connection, space_id: SpaceId) -> Row:
        row = await connection.fetchrow(Sql.lock_space, space_id)
        if row is None:
            raise errors.NotFound(catalogue.later("This space is not known yet."))
        return row

    async def _pin(
        self,
        connection: Connection,
        space_id: SpaceId,
        memory_id: MemoryId,
        author: Author,
        now: datetime,
        *,
        pinned: bool = True,
    ) -> Memory:
        """The memory, with an event that tells whose pin it is."""
        row = await connection.fetchrow(Sql.pin, space_id, memory_id, pinned)
        if row is None:
            raise errors.NotFound(lambda p: catalogue.gettext(replaced.NONE).format(number=memory_id, p=p))
        await _record(connection, space_id, author, _events("pinned" if pinned else "unpinned", [memory_id]), now)
        return rows.memory(row)

    async def _check_pins(self, connection: Connection, caller: Caller, memory_id: MemoryId) -> None:
        """Raises `NotAllowed` where five others are pinned by the caller; names those that this channel may see."""
        found = await connection.fetch(Sql.pinned_by, caller.space_id, caller.person_id, memory_id)
        if len(found) < MOST_PINNED:
            return
        seen = [row for row in found if row["channel_id"] in caller.visible and row["forgotten_at"] is None]
        left_out = len(found) - len(seen)
        elsewhere = [catalogue.gettext("{count} not shown here").format(count=left_out)] if left_out else []
        names = ", ".join([*(f"#{row['memory_id']}" for row in seen), *elsewhere])
        told = catalogue.later("You have pinned {memories}, as many as one may: {names}; {p}unpin one first.")
        memories = amounts.memories(len(found))
        raise errors.NotAllowed(lambda p: catalogue.gettext(told).format(memories=memories, names=names, p=p))

    async def _rooms(self, connection: Connection, caller: Caller, room: str, other: str) -> frozenset[str]:
        """Which of two rooms the caller sees. Raises `NotFound` where not the first."""
        found = await tallies.filed(connection, caller, [Filed.in_room(room), Filed.in_room(other)])
        rooms = frozenset(one.name for one in found)
        if room not in rooms:
            told = catalogue.later("There is no room {name}; {p}palace lists the rooms.")
            raise errors.NotFound(lambda p: catalogue.gettext(told).format(name=repr(room), p=p))
        return rooms

    async def _move_room(
        self, connection: Connection, space: Row, caller: Caller, room: str, to: str, reason: str, now: datetime
    ) -> Moved:
        """Moves a room as far as one batch goes, with what is still on its way into it; the rest is moved behind."""
        space_id = caller.space_id
        told = catalogue.later(
            "What was in {name} before is still on its way into another room; {p}status tells how far."
        )
        for name in (room, to):
            if await reworks.is_emptied_in(connection, space_id, name):
                raise errors.BadArgument(lambda p, name=name: catalogue.gettext(told).format(name=repr(name), p=p))
        redirected = affected(await connection.execute(Sql.redirect, space_id, room, to))
        move = Move(
            former=room,
            latter=to,
            after_id=0,
            through_id=space["memory_count"],
            person_id=caller.person_id,
            reason=reason,
            at=now,
        )
        done = await self._move_on(connection, space_id, move, caller.visible)
        is_more = done["moved"] == MOVED
        if is_more:
            move = replace(move, after_id=done["last_id"])
            await reworks.begin_move_in(connection, space_id, move, moved=done["moved"])
        _log.info("memory.moved", reason=reason, seen=done["seen"], is_more=is_more)
        return Moved(memories=done["seen"], is_over=not (is_more or redirected))

    @staticmethod
    async def _move_on(connection: Connection, space_id: SpaceId, move: Move, visible: Sequence[ChannelId]) -> Row:
        row = await connection.fetchrow(
            Sql.move_room,
            space_id,
            move.former,
            move.latter,
            [*visible],
            move.person_id,
            move.reason,
            move.at,
            move.after_id,
            move.through_id,
            MOVED,
        )
        assert row is not None
        return row

    async def _laid_out(self, connection: Connection, caller: Caller, now: datetime) -> Sequence[Row]:
        return await connection.fetch(
            Sql.laid_out, caller.space_id, caller.person_id, now - UNDO_WINDOW, caller.visible
        )

    async def _own(
        self, connection: Connection, caller: Caller, memory_id: MemoryId, *, or_kept: bool = False
    ) -> Memory:
        """The living memory, if the caller may see and change it; with `or_kept` also if they had it kept."""
        return rows.memory(await self._own_row(connection, caller, memory_id, or_kept=or_kept))

    async def _own_row(
        self, connection: Connection, caller: Caller, memory_id: MemoryId, *, or_kept: bool = False
    ) -> Row:
        row = await connection.fetchrow(Sql.living, caller.space_id, memory_id, caller.visible)
        if row is None:
            raise await replaced.missing(connection, caller, memory_id)
        memory = rows.memory(row)
        is_theirs = await self._may_change(connection, caller, memory)
        if not is_theirs and or_kept:
            is_theirs = bool(await connection.fetch(Sql.kept_by, caller.space_id, [memory_id], caller.person_id))
        if not is_theirs:
            raise not_theirs(caller, memory)
        return row

    async def _may_change(self, connection: Connection, caller: Caller, memory: Memory) -> bool:
        return caller.may(Right.MANAGE_GUILD) or await self._is_theirs(connection, caller, memory)

    async def _is_theirs(self, connection: Connection, caller: Caller, memory: Memory) -> bool:
        """Whether the caller is among its authors; a memory without a known author is anybody's."""
        if memory.author_id is not None:
            return memory.author_id == caller.person_id
        said = await connection.fetch(Sql.speakers, caller.space_id, [*memory.evidence])
        people = {row["author_id"] for row in said if row["role"] == Role.PERSON}
        return caller.person_id in people or not (people or memory.author)

    async def _consented(
        self, connection: Connection, space_id: SpaceId, channel_id: ChannelId, hashed: _Hashed, author: Author
    ) -> _Hashed:
        """The facts that may be kept, by the stricter of the channel's mode and its people's opt-outs.

        Raises `NotAllowed` but for a summary, whose facts are left out: nobody waits for an answer there.
        """
        facts = [fact for fact, _ in hashed.values()]
        people = {author.person_id, *(fact.author_id for fact in facts)} - {None}
        evidence = {message_id for fact in facts for message_id in fact.evidence}
        row = await connection.fetchrow(Sql.consent, space_id, channel_id, [*people], [*evidence])
        if row is None:
            raise errors.NotFound(catalogue.later("This channel is not known yet."))
        declined, withheld = {*row["declined"]}, {*row["withheld"]}
        if author.actor is not Actor.SUMMARY:
            _check_kept(row["mode"], author, declined)
            if not (declined.isdisjoint(people) and withheld.isdisjoint(evidence)):
                raise errors.NotAllowed(AUTHOR_DECLINED)
            return hashed
        if row["mode"] not in _DISTILLED or (author.person_id is None and not self._learns(rows.choices(row))):
            return {}
        return {
            key: (fact, text)
            for key, (fact, text) in hashed.items()
            if fact.author_id not in declined and withheld.isdisjoint(fact.evidence)
        }

    async def _check_share(
        self, connection: Connection, space_id: SpaceId, author: Author, facts: Sequence[Fact], now: datetime
    ) -> None:
        """Raises `TooOften` where the person has saved as often as one may, `NotAllowed` where a model has in its turn.

        The space is locked by then. A turn is known by its question, which is the latest that a memory rests on.
        """
        if author.actor is Actor.MODEL:
            question = max((e for fact in facts for e in fact.evidence), default=0)
            if await connection.fetchval(Sql.saved_in_turn, space_id, question) >= MOST_BY_MODEL:
                raise errors.NotAllowed(f"at most {MOST_BY_MODEL} memories are saved in one turn; answer now.")
        if author.manages or author.actor is not Actor.PERSON or author.reason not in _COUNTED:
            return
        times = await connection.fetch(
            Sql.saved_lately, space_id, author.person_id, [*_COUNTED], now - SAVED_WITHIN, MOST_SAVED
        )
        if len(times) == MOST_SAVED:
            minutes = math.ceil((times[-1]["at"] + SAVED_WITHIN - now) / timedelta(minutes=1))
            told = catalogue.gettext(
                "Nothing was kept: you have had {most} things kept here within the hour, as many as one person may; "
                "please wait {minutes}."
            )
            raise errors.TooOften(told.format(most=MOST_SAVED, minutes=amounts.minutes(minutes)), told=False)

    async def _insert(
        self,
        connection: Connection,
        space: Row,
        channel_id: ChannelId,
        fresh: dict[bytes, tuple[Fact, str]],
        first: int,
        now: datetime,
        session_id: SessionId | None,
        given_in: ChannelId | None,
    ) -> dict[bytes, Memory]:
        if not fresh:
            return {}
        about = await memory_subjects.of(connection, space["space_id"], [*fresh.values()], now)
        payload = [
            _new_row(fact, text, key, memory_id, now, session_id) | {"subject_id": about[memory_id - first]}
            for memory_id, (key, (fact, text)) in enumerate(fresh.items(), first)
        ]
        found = await connection.fetch(
            Sql.insert, space["space_id"], channel_id, now, space["language"], payload, given_in
        )
        await connection.execute(Sql.count, space["space_id"], first + len(fresh) - 1)
        return {bytes(row["content_hash"]): rows.memory(row) for row in found}

    async def _merge(
        self, connection: Connection, space: Row, known: dict[bytes, tuple[Fact, Row]], now: datetime
    ) -> dict[MemoryId, Memory]:
        """The memories that say known facts, by their numbers, with all that says one of them again."""
        joined: dict[int, dict[str, Any]] = {}
        for fact, row in known.values():
            number = row["memory_id"]
            joined[number] = _joined(fact, dict(row) | _as_joined(joined.get(number)), now)
        if not joined:
            return {}
        found = await connection.fetch(Sql.merge, space["space_id"], now, [*joined.values()], space["language"])
        return {row["memory_id"]: rows.memory(row) for row in found}

    async def _without_forgotten(
        self, connection: Connection, space_id: SpaceId, channel_id: ChannelId, hashed: _Hashed
    ) -> _Hashed:
        # Where there is no key yet, nothing was forgotten by its words.
        key = await connection.fetchval(Sql.mac_key)
        macs = {} if key is None else {h: normalize.content_mac(bytes(key), text) for h, (_, text) in hashed.items()}
        evidence = {e for fact, _ in hashed.values() for e in fact.evidence}
        buried = await connection.fetch(Sql.entombed, space_id, channel_id, [*macs.values()], [*evidence])
        forgotten = {bytes(row["content_mac"]) for row in buried if row["content_mac"] is not None}
        rested_on = {e for row in buried for e in row["evidence"]}
        return {
            h: (fact, text)
            for h, (fact, text) in hashed.items()
            if macs.get(h) not in forgotten and not (fact.evidence and rested_on.issuperset(fact.evidence))
        }

    @staticmethod
    async def _traced(connection: Connection, space_id: SpaceId, hashed: _Hashed) -> _Hashed:
        """The facts, each made from what the answers cite that it rests on, too."""
        replies = {reply for fact, _ in hashed.values() for reply in fact.replies}
        if not replies:
            return hashed
        cited = await derivation.cited_by(connection, space_id, replies)
        made_from = {key: [m for r in fact.replies for m in cited.get(r, ())] for key, (fact, _) in hashed.items()}
        return {
            key: (replace(fact, made_from=(*fact.made_from, *made_from[key])), text)
            for key, (fact, text) in hashed.items()
        }

    async def _told_already(
        self, connection: Connection, space_id: SpaceId, channel_id: ChannelId, hashed: _Hashed, author: Author
    ) -> dict[bytes, Saved]:
        """Memories that an earlier summary made of the same messages, by the hash of the new fact."""
        evidence = {e for fact, _ in hashed.values() for e in fact.evidence}
        if author.actor is not Actor.SUMMARY or not evidence:
            return {}
        found = await connection.fetch(Sql.said_already, space_id, channel_id, [*evidence])
        covered = {e for row in found for e in row["evidence"]}
        told: dict[bytes, Saved] = {}
        for key, (fact, _) in hashed.items():
            if fact.evidence and covered.issuperset(fact.evidence):
                nearest = max(found, key=lambda row: len(set(row["evidence"]).intersection(fact.evidence)))
                told[key] = Saved(memory=rows.memory(nearest), was_known=True)
        return told

    async def _refuse_deleted(self, connection: Connection, space_id: SpaceId, facts: Sequence[Fact]) -> None:
        """Raises `NotFound` for facts that rest on a message deleted meanwhile."""
        evidence = {e for fact in facts for e in fact.evidence}
        if evidence and await connection.fetchval(Sql.is_deleted, space_id, [*evidence]):
            raise errors.NotFound(catalogue.later("Nothing was kept: the message that asked for it is deleted."))

    async def _erase_now(self, connection: Connection, space_id: SpaceId, ids: list[int]) -> None:
        await connection.execute(Sql.empty_events, space_id, ids)
        await connection.execute(Sql.erase_now, space_id, ids)

    async def _hide(
        self, connection: Connection, space_id: SpaceId, ids: list[int], author: Author, now: datetime
    ) -> Sequence[Row]:
        gone = await connection.fetch(Sql.forget, space_id, ids, now)
        await _record(connection, space_id, author, _events("forgotten", [r["memory_id"] for r in gone]), now)
        await connection.execute(Sql.wake, space_id, now + UNDO_WINDOW)
        return gone

    async def _hide_made(
        self,
        connection: Connection,
        space_id: SpaceId,
        gone: Sequence[Row],
        said: Sequence[Row],
        author: Author,
        now: datetime,
    ) -> list[Row]:
        """Hides what memories being forgotten rest on alone, and what was made of that; the messages hidden.

        A message on which only something else that goes rested is hidden too.
        """
        evidence = sorted({e for row in gone for e in row["evidence"]})
        hidden, known, memories = list[Row](), set[int](), [row["memory_id"] for row in gone]
        while True:
            hidden += await connection.fetch(Sql.hide_evidence, space_id, evidence, now)
            unrecorded = await connection.fetch(Sql.unrecorded_evidence, space_id, evidence)
            ids = {row["message_id"] for row in (*said, *hidden, *unrecorded)} - known
            derived = await derivation.of_gone(connection, space_id, sorted(ids), memories)
            await self._hide_derived(connection, space_id, derived, ids, author, now)
            if not derived.memories:
                return hidden
            known, memories = known | ids, []

    async def _hide_derived(
        self,
        connection: Connection,
        space_id: SpaceId,
        derived: Derived,
        messages: Collection[int],
        author: Author,
        now: datetime,
    ) -> None:
        """Hides what was made from what is being forgotten, until undo is over.

        What people said for it stays in sight: they forgot nothing of their own.
        """
        gone = [*messages, *derived.reply_ids]
        memories = [row["memory_id"] for row in derived.memories]
        hidden = await self._hide(connection, space_id, memories, author, now)
        await self.unpropose_in(connection, space_id, gone, memories)
        ids = {row["memory_id"] for row in hidden}
        graves = await self._graves(connection, space_id, derived, gone)
        await self._entomb(connection, space_id, [row for row in graves if row["memory_id"] in ids], now)
        await connection.execute(Sql.hide_replies, space_id, derived.reply_ids, now)
        sessions = {row["session_id"] for row in (*derived.replies, *hidden)} - {None}
        await connection.execute(Sql.withhold_summaries, space_id, sorted(sessions), now)
        held = {*gone}.union(*(row["evidence"] for row in hidden))
        await ledgers.withhold_in(connection, space_id, held, now=now)

    async def _graves(
        self, connection: Connection, space_id: SpaceId, derived: Derived, gone: Collection[int]
    ) -> list[dict[str, Any]]:
        """The memories that go, each without that of its evidence which people said and which stays."""
        others = {e for row in derived.memories for e in row["evidence"]}.difference(gone)
        said = await connection.fetch(Sql.speakers, space_id, [*others]) if others else ()
        stays = {row["message_id"] for row in said if row["role"] == Role.PERSON}
        return [dict(row) | {"evidence": [e for e in row["evidence"] if e not in stays]} for row in derived.memories]

    async def _entomb(
        self, connection: Connection, space_id: SpaceId, gone: Iterable[Row | dict[str, Any]], now: datetime
    ) -> None:
        key = await self._key(connection)
        stones = [
            {
                "memory_id": row["memory_id"],
                "channel_id": row["channel_id"],
                "evidence": row["evidence"],
                "content_mac": "\\x" + normalize.content_mac(key, row["content"]).hex(),
            }
            for row in gone
        ]
        await connection.execute(Sql.entomb, space_id, now, stones)

    async def _entomb_said(
        self, connection: Connection, space: Row, said: Sequence[Row], author: Author, now: datetime
    ) -> list[MemoryId]:
        """Numbers and tombstones for forgotten messages that were never a memory."""
        space_id, first = space["space_id"], space["memory_count"] + 1
        numbers = [MemoryId(first + n) for n in range(len(said))]
        if numbers:
            await connection.execute(Sql.count, space_id, numbers[-1])
            stones = [
                {
                    "memory_id": number,
                    "channel_id": row["channel_id"],
                    "evidence": [row["message_id"]],
                    "content": row["content"],
                }
                for number, row in zip(numbers, said, strict=True)
            ]
            await self._entomb(connection, space_id, stones, now)
            await _record(connection, space_id, author, _events("forgotten", numbers), now)
            await connection.execute(Sql.wake, space_id, now + UNDO_WINDOW)
        return numbers

    async def _bring_back(self, connection: Connection, caller: Caller, at: datetime, now: datetime) -> Forgotten:
        gone = await connection.fetch(Sql.forgotten_at, caller.space_id, at)
        heads = [r for r in gone if r["superseded_by"] is None]
        hashes = [bytes(r["content_hash"]) for r in heads]
        # Said again since it was forgotten: the new row is the fact, the old one goes with the versions it replaced.
        twins = {
            (channel, bytes(r["content_hash"]))
            for channel in {r["channel_id"] for r in heads}
            for r in await connection.fetch(Sql.known, caller.space_id, channel, hashes)
        }
        doubled = {r["memory_id"] for r in heads if (r["channel_id"], bytes(r["content_hash"])) in twins}
        while older := {r["memory_id"] for r in gone if r["superseded_by"] in doubled} - doubled:
            doubled |= older
        ids = [r["memory_id"] for r in gone if r["memory_id"] not in doubled]
        await connection.execute(Sql.drop, caller.space_id, [*doubled])
        back = await connection.fetch(Sql.restore, caller.space_id, ids)
        memories = {r["memory_id"] for r in gone}
        graves = await connection.fetch(Sql.exhume, caller.space_id, [*memories], at)
        said = {e for r in graves if r["memory_id"] not in memories for e in r["evidence"]}
        shown = await connection.fetch(Sql.unhide, caller.space_id, at)
        await connection.execute(Sql.show_summaries, caller.space_id, at)
        await ledgers.show_in(connection, caller.space_id, at)
        await _record(connection, caller.space_id, Author.person(caller, "undo"), _events("restored", ids), now)
        heads_back = tuple(rows.memory(row) for row in back if row["superseded_by"] is None)
        return Forgotten(memories=heads_back, said=tuple(r["content"] for r in shown if r["message_id"] in said))

    async def _last_forget(
        self, connection: Connection, caller: Caller, now: datetime, memory_id: MemoryId | None
    ) -> datetime | None:
        return await connection.fetchval(
            Sql.last_forget, caller.space_id, caller.person_id, now - UNDO_WINDOW, caller.visible, memory_id
        )

    @staticmethod
    async def _key(connection: Connection) -> bytes:
        """Read each time: one that is made here goes with the transaction, if that fails."""
        if (key := await connection.fetchval(Sql.mac_key)) is None:
            await connection.execute(Sql.create_mac_key, os.urandom(32))
            key = await connection.fetchval(Sql.mac_key)
        return bytes(key)


def _named(row: dict[str, Any]) -> dict[str, Any]:
    """A memory that came in a file, under names that are no longer than what it is found by has room for."""
    names = {name: row[name][:LONGEST_NAME] for name in ("room", "topic")}
    return row | names | {"tags": [tag[:LONGEST_NAME] for tag in row["tags"]]}


def not_theirs(caller: Caller, memory: Memory) -> errors.NotAllowed:
    """That others said it, and what the caller can do about it where it is about them."""

    def said(prefix: str) -> str:
        told = catalogue.gettext(NOT_THEIRS)
        lines = [told.format(number=memory.memory_id, permission=catalogue.gettext(Right.MANAGE_GUILD))]
        if memory.subject_id == caller.person_id:
            lines.append(catalogue.gettext(ASK_REMOVAL).format(p=prefix, number=memory.memory_id))
        return "\n".join(lines)

    return errors.NotAllowed(said)


def _standing(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What stays of it when the memory is put into other words."""
    return {STANDS: metadata[STANDS]} if STANDS in metadata else {}


def summary_reason(session_id: SessionId) -> str:
    """How events name the summary of a session."""
    return f"session:{session_id}"


def age_reason(turn_id: MessageId | None) -> str:
    """How events name an ageing that somebody asked for, or that a model did when it answered a question."""
    return "age" if turn_id is None else f"age:{turn_id}"


def _taken(each: Inherited) -> str:
    """The text as it is kept. Raises `RefusedText`."""
    text = normalize.cleaned(each.fact.content)
    if triviality.is_output(text):
        raise errors.RefusedText(OUTPUT)
    return text


def _new_row(
    fact: Fact, text: str, key: bytes, memory_id: int, now: datetime, session_id: SessionId | None
) -> dict[str, Any]:
    about = topics.about(text, fact.mentioned)
    return {
        "memory_id": memory_id,
        "room": normalize.label(fact.room, "general"),
        "topic": normalize.label(fact.topic, "") or about.topic,
        "entities": [*(fact.entities or about.entities)],
        "key_phrases": [*(fact.key_phrases or about.key_phrases)],
        "metadata": dict(fact.metadata),
        "content": text,
        "importance": fact.importance,
        "source": fact.source.value,
        "tags": [*tagging.ordered(fact.tags)],
        "author_id": fact.author_id,
        "author": fact.author,
        "session_id": session_id,
        "evidence": [*fact.evidence],
        "made_from": [*fact.made_from],
        "content_hash": "\\x" + key.hex(),
        "pinned": False,
        "said_at": (fact.said_at or now).isoformat(),
    }


def _told_once(fresh: _Hashed, twice: Mapping[bytes, bytes]) -> _Hashed:
    """The facts without those that another one of them says already; that rests on what they rested on as well."""
    once = {key: pair for key, pair in fresh.items() if key not in twice}
    for key, first in twice.items():
        (fact, text), (again, _) = once[first], fresh[key]
        whole = replace(
            fact,
            evidence=tuple(sorted({*fact.evidence, *again.evidence})),
            replies=tuple(sorted({*fact.replies, *again.replies})),
            made_from=tuple(sorted({*fact.made_from, *again.made_from})),
        )
        once[first] = whole, text
    return once


def _is_trivial(fact: Fact, text: str) -> bool:
    return fact.is_trivial or triviality.is_trivial(text)


def _refuse_output(hashed: _Hashed, author: Author) -> None:
    """Raises `RefusedText` where all of a text is a program's: it tells nobody anything in a year."""
    if author.reason != "palace" and any(triviality.is_output(text) for _, text in hashed.values()):
        raise errors.RefusedText(OUTPUT)


def _check_kept(mode: str, author: Author, declined: AbstractSet[int]) -> None:
    """Raises `NotAllowed` with a sentence that says what would be right where a fact may not be kept."""
    if author.person_id in declined:
        told = catalogue.later("Nothing was kept: you opted out of being remembered; {p}memory on me takes that back.")
    elif mode == "off":
        told = catalogue.later(
            "Nothing was kept: memory is off in this channel; {p}memory mode addressed would turn it on."
        )
    elif mode == "explicit" and not (author.actor is Actor.PERSON and author.reason in _GIVEN):
        told = catalogue.later("Nothing was kept: this channel keeps only what is given with {p}remember.")
    else:
        return
    raise errors.NotAllowed(lambda p: catalogue.gettext(told).format(p=p))


def _as_joined(joined: Mapping[str, Any] | None) -> dict[str, Any]:
    """A memory as one fact has left it already, for the next that says the same."""
    if joined is None:
        return {}
    return {**joined, "importance_set": joined["importance"], "said_at": datetime.fromisoformat(joined["said_at"])}


def _joined(fact: Fact, row: Row | dict[str, Any], now: datetime) -> dict[str, Any]:
    """The known row merged with the fact; a repetition from the same message, as after a crash, counts once.

    Whose memory it is may make more of it by saying it again, and a directive does; others only repeat it.
    """
    again = bool(fact.evidence) and set(fact.evidence) <= set(row["evidence"])
    weighs = fact.author_id == row["author_id"] or fact.source is Source.DIRECTIVE
    # What was saved without them is filed by its own words; a model's of another save would outlive its being undone.
    about = topics.Filing() if row["key_phrases"] else topics.about(row["content"])
    return {
        "memory_id": row["memory_id"],
        "entities": [*(row["entities"] or about.entities)],
        "key_phrases": [*(row["key_phrases"] or about.key_phrases)],
        "importance": max(row["importance_set"], fact.importance) if weighs else row["importance_set"],
        "source": max(Source(row["source"]), fact.source, key=_RANK.__getitem__).value if weighs else row["source"],
        "tags": [*tagging.ordered([*row["tags"], *(fact.tags if weighs else ())])],
        "evidence": sorted({*row["evidence"], *fact.evidence}),
        "made_from": sorted({*row["made_from"], *fact.made_from} - {row["memory_id"]}),
        "seen_count": row["seen_count"] + (not again),
        "said_at": max(row["said_at"], fact.said_at or now).isoformat(),
    }


def _before(row: Row) -> dict[str, Any]:
    return {k: v.isoformat() if isinstance(v := row[k], datetime) else v for k in _KEPT_FOR_UNDO}


def _events(kind: str, ids: Iterable[int]) -> list[dict[str, Any]]:
    return [{"memory_id": memory_id, "kind": kind, "before": None} for memory_id in ids]


async def _record(
    connection: Connection, space_id: SpaceId, author: Author, events: list[dict[str, Any]], now: datetime
) -> None:
    if events:
        await connection.execute(
            Sql.record_events, space_id, author.actor.value, author.person_id, author.reason, now, events
        )
