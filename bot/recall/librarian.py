"""The librarian: the reader of memories; nothing here can write."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.config import ActiveSettings
from bot.db import statements
from bot.db.pool import Connection, Database, Row
from bot.domain import (
    Caller,
    ChannelId,
    LedgerEntry,
    Memory,
    MemoryId,
    Message,
    MessageId,
    PastSession,
    PersonId,
    Recollection,
    Role,
    RollingSummary,
    SessionId,
    Source,
    SpaceId,
    Stock,
    Strategy,
    Tier,
    ids_in,
)
from bot.language.statements import extraction
from bot.language.tags import tagging
from bot.recall import listings, parsing
from bot.recall.listings import Narrowing
from bot.recall.query import ParsedQuery, Query
from bot.recall.search import Recall
from bot.recall.strategies import Strategies
from bot.store import bounded_words, namesakes, replaced, reply_sources, rows, tallies
from bot.store.archivist import Ageing
from bot.store.bounded_words import Divided, Sought
from bot.store.tallies import Kind, Part, Total
from bot.store.turns import HATHI
from bot.store.vectors.embeddings import Embeddings
from bot.store.word_counts import Counted
from bot.text import sanitize

HEAD: Final = 200
"""Short rows read before the block looks further; also the most rows that are ranked."""
SHORT_READ: Final = 1_000
"""Short rows that are read for common words, the first."""
SHORT_INDEXED: Final = 500
"""Rows of either tier that the index may name for the rare words."""
QUERY_WORDS: Final = 64
"""Words of a message that take part in a search; a longer one is cut to the first distinct ones."""
HISTORY_MESSAGES: Final = 400
"""Messages of a session that are read for a prompt; far more than fit."""
PAGE: Final = 100
COUNTED_DUE: Final = 1_000
"""How far the memories are counted that ageing would move."""
READ_AT_MOST: Final = 500
"""The newest memories, or numbers, that are read for whoever is typing one."""
MOST_DIGITS: Final = 18
"""Of a memory's number."""
ANSWERED_WITHIN: Final = timedelta(days=1)
"""After its question the last part of a reply is surely sent."""
EARLIEST: Final = datetime.min.replace(tzinfo=UTC)


class Sql:
    """The statements that read memories."""

    active: Final = statements.named("librarian.active")
    active_large: Final = statements.named("librarian.active_large")
    active_long: Final = statements.named("librarian.active_long")
    memory: Final = statements.named("librarian.memory")
    near: Final = statements.named("librarian.near")
    directives: Final = statements.named("librarian.directives")
    contradictions: Final = statements.named("librarian.contradictions")
    due_to_age: Final = statements.named("librarian.due_to_age")
    history: Final = statements.named("librarian.history")
    reply: Final = statements.named("librarian.reply")
    unsummed: Final = statements.named("librarian.unsummed")
    rolling_summary: Final = statements.named("librarian.rolling_summary")
    ledger_stands: Final = statements.named("chunk.stands")
    session_messages: Final = statements.named("librarian.session_messages")
    told_elsewhere: Final = statements.named("librarian.told_elsewhere")
    last_summary: Final = statements.named("librarian.last_summary")
    sessions: Final = statements.named("librarian.sessions")
    waiting_sessions: Final = statements.named("librarian.waiting_sessions")
    channel_names: Final = statements.named("librarian.channel_names")
    left_memories: Final = statements.named("librarian.left_memories")
    left_messages: Final = statements.named("librarian.left_messages")
    places: Final = statements.named("librarian.places")
    linked: Final = statements.named("librarian.linked")
    withheld: Final = statements.named("librarian.withheld")
    readable: Final = statements.named("librarian.readable")
    closed_at: Final = statements.named("librarian.closed_at")
    changeable: Final = statements.named("librarian.changeable")
    numbered: Final = statements.named("librarian.numbered")
    removals_asked: Final = statements.named("librarian.removals_asked")
    forgettable: Final = statements.named("librarian.forgettable")
    forgettable_messages: Final = statements.named("librarian.forgettable_messages")
    resting_on: Final = statements.named("librarian.resting_on")
    own_messages: Final = statements.named("librarian.own_messages")
    made_of: Final = statements.named("librarian.made_of")
    count_made_of: Final = statements.named("librarian.count_made_of")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveRow:
    """One row the Active Memory block may show."""

    memory_id: MemoryId
    tier: Tier
    topic: str
    content: str
    importance: int
    author: str | None
    """What they are to be called by."""
    author_id: PersonId | None
    """None where it is Hathi's own, or nobody's."""
    said_at: datetime
    source: Source
    precedence: int | None
    """How early it is given one of the places; none where it wants none."""
    rank: float | None
    """`ts_rank` against the message; none when they share no word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsummed:
    """What is known of a channel that has no rolling summary to show."""

    withheld_at: datetime | None
    """When part of what it would tell was forgotten last, which can still be undone."""
    entries: int
    """Of the ledger, that it can be made of."""
    is_least: bool
    """Whether there may be more: they are counted only so far."""
    reset_at: datetime | None
    """When a person reset the channel last."""
    was_made: bool
    """Whether anything of it became memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSession:
    """The end of a channel's session before its last reset."""

    session_id: SessionId
    number: int
    closed_at: datetime
    text: str | None
    """The chat summary; none when it is not written yet, or withheld since part of it was forgotten."""
    model: str | None
    """What wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retold:
    """What a message of Hathi's tells of, as it stands on Discord."""

    memories: frozenset[MemoryId]
    messages: frozenset[MessageId]
    """Those that it links to."""
    is_gone: bool
    """It says that it is forgotten, or there is no telling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldReply:
    """What Hathi answered a question with."""

    stock: str | None
    """Which set text it is; none for an answer."""
    stands: bool | None
    """Whether it stands in memory still; none where nothing was to be recorded."""
    content: str | None
    """What was recorded of it: not what stood above and below it, and all of it with the first of its messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readable:
    """Which of a channel's messages may be shown."""

    withheld: frozenset[MessageId] = frozenset()
    """Those that are forgotten."""
    declined: frozenset[PersonId] = frozenset()
    """Authors who do not want to be remembered."""
    told: Mapping[MessageId, "ToldReply"] = field(default_factory=dict[MessageId, "ToldReply"])
    """What Hathi answered questions with."""
    gone: frozenset[MemoryId] = frozenset()
    """Memories that are forgotten, erased or worded anew, of those that Hathi's messages name."""
    unlinked: frozenset[MessageId] = frozenset()
    """Messages that are recorded nowhere, or not shown any more, of those that Hathi's messages link to."""
    erased: Mapping[PersonId, datetime] = field(default_factory=dict[PersonId, datetime])
    """Until when authors have erased what they said."""
    since: datetime = EARLIEST
    """Talk before this was cleared by a reset."""

    def allowed(self, messages: Iterable[tuple[int, int, datetime]]) -> frozenset[int]:
        """The ids of those that may be shown, talk or not, of messages with their authors and times."""
        return frozenset(
            message_id
            for message_id, author_id, said_at in messages
            if message_id not in self.withheld
            and author_id not in self.declined
            and said_at > self.erased.get(PersonId(author_id), EARLIEST)
        )

    @property
    def failed(self) -> frozenset[int]:
        """Messages that say but that there is no answer."""
        return frozenset(message_id for message_id, told in self.told.items() if told.stock == Stock.FAILED)

    def as_recorded(self, said: Message) -> Message:
        """A message of Discord's, in the words that were recorded where it is an answer of Hathi's."""
        told = self.told.get(said.message_id)
        return said if told is None or told.content is None else replace(said, content=told.content)

    def tells_what_stands(self, message_id: MessageId, told: Mapping[MessageId, Retold]) -> bool:
        """Whether nothing of a message is gone, if Hathi said it: on Discord its words may outlive what they tell.

        That is known of its recorded answers; of what else it said, like lists, by the memories and messages in it.
        """
        each = told.get(message_id)
        if each is None:
            return True
        stands = self.gone.isdisjoint(each.memories) and self.unlinked.isdisjoint(each.messages)
        known = self.told.get(message_id)
        return not each.is_gone and (stands if known is None or known.stands is None else known.stands)


class Librarian:
    """Reads memories and messages; every read binds the space and the channels everyone who asks may see."""

    def __init__(
        self, database: Database, registry: tagging.Registry | None = None, *, embeddings: Embeddings | None = None
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._recall = Recall(database, embeddings)
        self._strategies = Strategies(database)
        self._registry = registry or tagging.Registry()

    async def active(self, caller: Caller, question: str, settings: ActiveSettings) -> list[ActiveRow]:
        """Rows for the Active Memory block, those that speak to the question first; empty when none is eligible.

        There are more of them than it shows, so that what does not fit leaves no place empty.

        One statement in the common case; a short tier of more than 200 rows, or one that shares no word with the
        question, is asked once more. Only in a large space common words are told from rare ones.
        """
        query = _query(question)
        args = (caller.space_id, caller.visible, caller.language, query, settings.min_importance, settings.rows)
        async with self._database.connection() as connection:
            first, *others = await connection.fetch(Sql.active, *args)
            found = [row for row in (first, *others) if row["memory_id"] is not None]
            if first["tier_rows"] == HEAD:
                sought, read = _sought(first, most=SHORT_INDEXED), SHORT_READ if query else 0
                found = await connection.fetch(Sql.active_large, *args, HEAD, sought and sought.rare, read)
            picked = [_active(row) for row in found]
            if query and not any(row.rank is not None for row in picked):
                sought = _sought(first, most=SHORT_INDEXED if first["tier_rows"] == HEAD else None)
                cold = await connection.fetch(Sql.active_long, *args[:5], sought and sought.indexed)
                picked = [*map(_active, cold), *picked]
            people = [(row.author_id, row.author) for row in picked if row.author_id is not None and row.author]
            called = await namesakes.of(connection, caller.space_id, people)
        return [_called(row, called) for row in picked]

    async def recall(self, caller: Caller, query: Query) -> Recollection:
        """What memory and messages hold on the query, best first, with the reason of every place.

        Nothing is better than noise: where nothing stands out, there are candidates but no results. Raises
        `BadArgument` for more keywords than are taken.
        """
        match query.strategy:
            case Strategy.RANKED:
                return await self.ranked(caller, await self.read(caller, query))
            case Strategy.LITERAL:
                found = await self._strategies.literal(caller, self._with_domains(query))
            case Strategy.KEYWORDS:
                found = await self._strategies.keywords(caller, self._with_domains(query))
        return await self._told_apart(caller, found)

    async def read(self, caller: Caller, query: Query) -> ParsedQuery:
        """The query as the caller's space reads it: for `ranked`, and for whatever else is searched by it."""
        async with self._database.connection() as connection:
            return await parsing.parse(connection, caller, self._with_domains(query))

    async def ranked(self, caller: Caller, parsed: ParsedQuery) -> Recollection:
        """What memory and messages hold on a query that was read, as `recall` tells it."""
        return await self._told_apart(caller, await self._recall.ranked(caller, parsed))

    @staticmethod
    async def _memories(connection: Connection, caller: Caller, found: Iterable[Row]) -> list[Memory]:
        """Rows of memories, by people told apart who are called alike."""
        return await namesakes.told_apart(connection, caller.space_id, [rows.memory(row) for row in found])

    async def _told_apart(self, caller: Caller, found: Recollection) -> Recollection:
        """What was found, by people told apart who are called alike; found and ranked it is by the names of then."""
        groups = (found.results, found.questions, found.candidates)
        results = [result for group in groups for result in group]
        items = [item for result in results for item in (result.item, result.said) if item is not None]
        if not items:
            return found
        async with self._database.connection() as connection:
            apart = iter(await namesakes.told_apart(connection, caller.space_id, items))
        answers, questions, candidates = (
            tuple(replace(one, item=next(apart), said=one.said and next(apart)) for one in group) for group in groups
        )
        return replace(found, results=answers, questions=questions, candidates=candidates)

    def _with_domains(self, query: Query) -> Query:
        if query.domains:
            return query
        names = self._registry.domains(query.text)
        return replace(query, domains=frozenset(f"{tagging.DOMAIN}{name}" for name in names))

    async def memory(self, caller: Caller, memory_id: MemoryId) -> Memory:
        """One living memory the caller may see. Raises `NotFound`."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.memory, caller.space_id, memory_id, caller.visible)
            if row is None:
                raise await replaced.missing(connection, caller, memory_id)
            (memory,) = await self._memories(connection, caller, [row])
        return memory

    async def contradictions(
        self, caller: Caller, memories: Iterable[MemoryId]
    ) -> Mapping[MemoryId, Sequence[MemoryId]]:
        """What contradicts each of the memories and may be seen here, until somebody says which holds."""
        wanted = sorted({*memories})
        if not wanted:
            return {}
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.contradictions, caller.space_id, wanted, caller.visible)
        return {MemoryId(row["memory_id"]): [*map(MemoryId, row["others"])] for row in found}

    async def near_in(self, connection: Connection, caller: Caller, text: str, topic: str) -> list[Memory]:
        """Up to 100 memories that share a word with a text, for comparison; those of its topic first."""
        words = _query(f"{topic} {text}")
        sought = await bounded_words.of_text(connection, caller, words)
        found = await connection.fetch(Sql.near, caller.space_id, caller.visible, sought.indexed, topic, PAGE)
        return await self._memories(connection, caller, found)

    async def memories(self, caller: Caller, wanted: Narrowing, *, page: int, size: int) -> tuple[list[Memory], Total]:
        """One page of living memories, those that are wanted, and how many there are in all."""
        async with self._database.connection() as connection:
            found, total = await listings.page(connection, caller, wanted, page=page, size=size)
            return await self._memories(connection, caller, found), total

    async def directives(self, caller: Caller, *, limit: int) -> list[Memory]:
        """What admins laid down that the caller may see, the most important first."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.directives, caller.space_id, caller.visible, limit)
            return await self._memories(connection, caller, found)

    async def forgettable(self, caller: Caller, words: str, *, limit: int) -> list[Memory]:
        """Memories visible to the caller that hold every one of the words, the newest first."""
        asked = (caller.space_id, caller.visible, caller.language, _query(words), limit, "memory")
        walk = bounded_words.walk(len(caller.visible))
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.forgettable, *asked, walk)
            return await self._memories(connection, caller, found)

    async def forgettable_messages(
        self, caller: Caller, words: str, *, apart_from: MessageId, limit: int
    ) -> list[Message]:
        """The caller's own messages that hold every one of the words, the newest first."""
        asked = (caller.space_id, caller.visible, caller.language, _query(words), limit, "message")
        own = (bounded_words.WALKED, caller.person_id, apart_from)
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.forgettable_messages, *asked, *own)
        return [rows.message(row) for row in found]

    async def resting_on(self, caller: Caller, message_id: MessageId) -> tuple[list[Memory], list[Message]]:
        """The living memories that rest on a message, and it itself where the caller said it."""
        async with self._database.connection() as connection:
            memories = await connection.fetch(Sql.resting_on, caller.space_id, message_id, caller.visible)
            said = await connection.fetch(
                Sql.own_messages, caller.space_id, [message_id], caller.visible, caller.person_id
            )
            told = await self._memories(connection, caller, memories)
        return told, [rows.message(row) for row in said]

    async def made_of(
        self, caller: Caller, session_id: SessionId, *, page: int, size: int
    ) -> tuple[list[Memory], Total]:
        """One page of living memories that a session became, and how many there are in all."""
        asked = (caller.space_id, session_id, caller.visible, size, (page - 1) * size)
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.made_of, *asked)
            total = await connection.fetchval(Sql.count_made_of, *asked[:3])
            return await self._memories(connection, caller, found), Total(total)

    async def due_to_age(self, caller: Caller, ageing: Ageing, *, now: datetime) -> tuple[list[Memory], Total]:
        """The memories visible to the caller that ageing would move, and how many are due in all."""
        async with self._database.connection() as connection:
            found = await connection.fetch(
                Sql.due_to_age,
                caller.space_id,
                caller.visible,
                now - ageing.older_than,
                ageing.max_rows,
                ageing.include_protected,
                COUNTED_DUE,
            )
            memories = await self._memories(connection, caller, found)
        total = found[0]["total"] if found else 0
        return memories, Total(total, is_more=total >= max(COUNTED_DUE, ageing.max_rows))

    async def history(self, caller: Caller, session_id: SessionId, before: MessageId) -> list[Message]:
        """The newest messages of the session before a question, oldest first, each reply after its question."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.history, caller.space_id, session_id, before, HISTORY_MESSAGES)
        return sorted((rows.message(row, stock=row["stock"]) for row in found), key=_place)

    async def told_apart(self, caller: Caller, messages: Sequence[Message]) -> list[Message]:
        """The messages, by people told apart who are called alike."""
        async with self._database.connection() as connection:
            return await namesakes.told_apart(connection, caller.space_id, messages)

    async def reply(self, caller: Caller, message_id: MessageId) -> tuple[Message, Message] | None:
        """A recorded reply of Hathi's, by any of the messages it was sent as, and its question; none unless visible."""
        earliest = message_id - ids_in(ANSWERED_WITHIN)
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.reply, caller.space_id, message_id, earliest, caller.visible)
        said = {message.role: message for message in (rows.message(row, stock=row["stock"]) for row in found)}
        if len(said) < len(Role):
            return None
        return said[Role.HATHI], said[Role.PERSON]

    async def session_messages(self, connection: Connection, space_id: int, session_id: SessionId) -> list[Message]:
        """Every message of a session that may be told, oldest first, read a page at a time.

        None is hidden, by somebody who opted out since, or an answer with a telling word of theirs that nobody else
        said.
        """
        messages, declined, after = list[Message](), list[str](), -1
        while page := await connection.fetch(Sql.session_messages, space_id, session_id, after, PAGE):
            messages += (rows.message(row, stock=row["stock"]) for row in page if not row["declined"])
            declined += (row["content"] for row in page if row["declined"])
            after = page[-1]["message_id"]
            if len(page) < PAGE:
                break
        theirs = reply_sources.only_in(declined, (m.content for m in messages if m.role is Role.PERSON))
        told = [m for m in messages if m.role is Role.PERSON or theirs.isdisjoint(reply_sources.words_of(m.content))]
        return await namesakes.told_apart(connection, SpaceId(space_id), told if theirs else messages)

    async def rolling_summary(self, space_id: SpaceId, channel_id: ChannelId) -> RollingSummary | None:
        """The newest version of a channel's rolling summary since a person's reset; none where there is none."""
        async with self._database.connection() as connection:
            args = space_id, channel_id, extraction.NAME, listings.COUNTED
            row = await connection.fetchrow(Sql.rolling_summary, *args)
        if row is None:
            return None
        return RollingSummary(
            text=row["text"],
            since=MessageId(row["since_id"]),
            through=MessageId(row["chunk_id"]),
            made_at=row["created_at"],
            entries=row["entries"],
            by_rule=row["by_rule"],
            is_least=row["is_least"],
            condensed=row["condensed"],
        )

    async def unsummed(self, space_id: SpaceId, channel_id: ChannelId) -> Unsummed:
        """Why a channel has no rolling summary."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.unsummed, space_id, channel_id, listings.COUNTED)
        assert row is not None
        return Unsummed(**dict(row))

    async def ledger_stands(self, space_id: SpaceId, shown: Sequence[LedgerEntry]) -> bool:
        """Whether nothing of this was taken back."""
        versions = [one.summary_id for one in shown if one.summary_id is not None]
        condensed = [one.condensation_id for one in shown if one.condensation_id is not None]
        chunks = [one.through for one in shown if one.summary_id is None and one.condensation_id is None]
        async with self._database.connection() as connection:
            stand = await connection.fetchval(Sql.ledger_stands, space_id, chunks, versions, condensed)
        return stand == len(shown)

    async def told_elsewhere(
        self, space_id: SpaceId, session_id: SessionId, messages: Sequence[Message]
    ) -> set[MessageId]:
        """Those of a session's messages in which Hathi tells what was said, sent or kept in another channel.

        They cite it, or have a telling word of it that nothing else they were shown has, and nobody in the session.
        """
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.told_elsewhere, space_id, session_id)
        if not found:
            return set()
        seen = {MessageId(row["message_id"]): row for row in found}
        # Off the event loop: a long session was shown thousands of texts.
        return await asyncio.to_thread(_told_elsewhere, messages, seen)

    async def last_session(self, caller: Caller) -> LastSession | None:
        """The channel's last session with anything said in it, if there is one."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.last_summary, caller.space_id, caller.channel_id)
        if row is None:
            return None
        return LastSession(
            session_id=SessionId(row["session_id"]),
            number=row["number"],
            closed_at=row["closed_at"],
            text=None if row["withheld_at"] else row["text"],
            model=row["model"],
        )

    async def said_in(self, caller: Caller, session_id: SessionId) -> list[Message]:
        """Every message of one session of the caller's channel that is not hidden."""
        async with self._database.connection() as connection:
            messages = await self.session_messages(connection, caller.space_id, session_id)
        return [message for message in messages if message.channel_id in caller.visible]

    async def sessions(self, caller: Caller, *, page: int, size: int) -> tuple[list[PastSession], Total]:
        """One page of the channel's past sessions, newest first, and how many there are, as far as that is known."""
        offset = (page - 1) * size
        reach = max(offset + size + 1, listings.COUNTED)
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.sessions, caller.space_id, caller.channel_id, size, offset, reach)
        names = PastSession.__dataclass_fields__
        return [PastSession(**{n: row[n] for n in names}) for row in found], listings.walked(found)

    async def channel_names(self, caller: Caller) -> dict[ChannelId, str]:
        """The names of the channels the caller sees."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.channel_names, caller.space_id, caller.visible)
        return {ChannelId(row["channel_id"]): row["name"] for row in found}

    async def left(
        self, space_id: SpaceId, memories: Iterable[MemoryId], messages: Iterable[MessageId]
    ) -> tuple[set[MemoryId], dict[MessageId, str]]:
        """Those of the memories and messages that are neither forgotten nor hidden, as they are now."""
        async with self._database.connection() as connection:
            kept = await connection.fetch(Sql.left_memories, space_id, [*memories])
            said = await connection.fetch(Sql.left_messages, space_id, [*messages])
        return (
            {MemoryId(row["memory_id"]) for row in kept},
            {MessageId(row["message_id"]): row["content"] for row in said},
        )

    async def places(self, caller: Caller, ids: Iterable[MessageId]) -> dict[MessageId, ChannelId]:
        """The channels of those messages that a link may lead to: not hidden, and visible to the caller.

        They are recorded, or commands on which a living memory rests.
        """
        wanted = {*ids}
        return (await self.standing(caller, frozenset(), frozenset(), wanted) if wanted else None) or {}

    async def standing(
        self,
        caller: Caller,
        memories: AbstractSet[MemoryId],
        messages: AbstractSet[MessageId],
        linked: AbstractSet[MessageId],
    ) -> dict[MessageId, ChannelId] | None:
        """Where the `linked` messages stand, as `places` has it; None once one of the others may not be shown any more.

        An answer is made from memories and messages while somebody may forget them.
        """
        async with self._database.connection() as connection:
            first, *found = await connection.fetch(
                Sql.places, caller.space_id, sorted(linked), caller.visible, [*memories], [*messages]
            )
        if first["there"] < len(memories) + len(messages):
            return None
        return {MessageId(row["message_id"]): ChannelId(row["place_id"]) for row in found}

    async def linked(self, caller: Caller, ids: Iterable[MessageId]) -> list[tuple[ChannelId, Message]]:
        """Those of the messages that the caller may be shown, people's and Hathi's, with their channels, by id.

        Nothing of people who opted out since, nor of what they were answered.
        """
        wanted = sorted({*ids})
        if not wanted:
            return []
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.linked, caller.space_id, wanted, caller.visible)
            said = await namesakes.told_apart(connection, caller.space_id, [rows.message(row) for row in found])
        return [(ChannelId(row["place_id"]), message) for row, message in zip(found, said, strict=True)]

    async def withheld(self, space_id: SpaceId, ids: Iterable[MessageId]) -> frozenset[MessageId]:
        """Those of the messages that are forgotten, recorded or not, and so must not be shown from Discord."""
        wanted = sorted({*ids})
        if not wanted:
            return frozenset()
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.withheld, space_id, wanted)
        return frozenset(MessageId(row["message_id"]) for row in found)

    async def readable(
        self,
        caller: Caller,
        session_id: SessionId,
        ids: Iterable[MessageId],
        authors: Iterable[PersonId],
        told: Mapping[MessageId, Retold],
    ) -> "Readable":
        """Which messages of a channel may be shown to the caller, recorded or not; `told` are those that Hathi said."""
        people = {*authors}
        async with self._database.connection() as connection:
            row = await connection.fetchrow(
                Sql.readable,
                caller.space_id,
                session_id,
                sorted({*ids}),
                sorted(people - {caller.person_id}),
                sorted(people),
                sorted({memory_id for each in told.values() for memory_id in each.memories}),
                sorted({message_id for each in told.values() for message_id in each.messages}),
                caller.channel_id,
                sorted(told),
            )
        assert row is not None
        return Readable(
            withheld=frozenset(row["withheld"]),
            declined=frozenset(row["declined"]),
            gone=frozenset(row["gone"]),
            unlinked=frozenset(row["unlinked"]),
            told={MessageId(int(key)): ToldReply(**each) for key, each in (row["told"] or {}).items()},
            since=row["since"] or EARLIEST,
            erased={PersonId(int(key)): datetime.fromisoformat(at) for key, at in (row["erased"] or {}).items()},
        )

    async def closed_at(self, caller: Caller, session_id: SessionId) -> datetime | None:
        """When a session of the caller's channel was closed; none when it is open or not there."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.closed_at, caller.space_id, caller.channel_id, session_id)

    async def tags(self, caller: Caller, typed: str = "", *, limit: int, page: int = 1) -> tuple[list[Part], Total]:
        """One page of the tags of living memories, and how many tags there are, if nothing is typed.

        The most used first, but those that begin with the typed text before others; none of them is `auto`.
        """
        async with self._database.connection() as connection:
            return await tallies.names(
                connection, caller, Kind.TAG, typed=typed, limit=limit, page=page, but=(tagging.AUTO,)
            )

    async def tags_there(self, caller: Caller, tags: Iterable[str]) -> frozenset[str]:
        """Those of the tags that a living memory has."""
        async with self._database.connection() as connection:
            return frozenset(await tallies.tagged(connection, caller, tags))

    async def topics(self, caller: Caller, typed: str, *, room: str = "", limit: int) -> list[str]:
        """Topics of living memories, or of those in a room, with the typed text, those that begin with it first."""
        async with self._database.connection() as connection:
            found, _ = await tallies.names(connection, caller, Kind.TOPIC, room=room, typed=typed, limit=limit)
        return [part.name for part in found]

    async def rooms(self, caller: Caller, typed: str, *, limit: int) -> list[str]:
        """Rooms of living memories with the typed text in them, those that begin with it first."""
        async with self._database.connection() as connection:
            found, _ = await tallies.names(connection, caller, Kind.ROOM, typed=typed, limit=limit)
        return [part.name for part in found]

    async def changeable(self, caller: Caller, typed: str, *, limit: int) -> list[Memory]:
        """Memories the caller may change: by the beginning of their number, then by words of their text, newest first.

        The last word may be begun only. The newest memories are read to the letter; of others the words are looked up.
        """
        space_id, seen, ranges = caller.space_id, tallies.channels(caller), _numbers(typed)
        mine, found = (caller.is_admin, caller.person_id), dict[int, Row]()
        async with self._database.connection() as connection:
            if ranges:
                lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
                numbered = await connection.fetch(Sql.numbered, space_id, seen, lows, highs, *mine, limit, READ_AT_MOST)
                found |= {row["memory_id"]: row for row in numbered}
            if len(found) < limit:
                *before, last = typed.split() or [""]
                words = (typed, *mine, caller.language, " ".join(before), last, limit, READ_AT_MOST)
                holding = await connection.fetch(Sql.changeable, space_id, seen, *words)
                found |= {row["memory_id"]: row for row in holding if row["memory_id"] not in found}
            return await self._memories(connection, caller, [*found.values()][:limit])

    async def of_person(self, caller: Caller, *, page: int, size: int) -> tuple[list[Memory], Total]:
        """One page of the living memories that tell of the caller, and how many there are in all."""
        async with self._database.connection() as connection:
            found, total = await listings.of_person(connection, caller, page=page, size=size)
            return await self._memories(connection, caller, found), total

    async def removals_asked(self, caller: Caller, *, size: int) -> tuple[list[tuple[Memory, str]], int]:
        """The memories that whom they are about ask to have removed, each with who asks, and how many there are."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.removals_asked, caller.space_id, caller.visible, size)
            memories = await self._memories(connection, caller, found)
        askers = [row["asker"] or sanitize.SOMEONE for row in found]
        return [*zip(memories, askers, strict=True)], found[0]["total"] if found else 0

    async def counts(self, caller: Caller) -> tuple[Mapping[Tier, int], int]:
        """Rows by tier, and sessions that wait for a summary."""
        async with self._database.connection() as connection:
            waiting = await connection.fetchval(Sql.waiting_sessions, caller.space_id, caller.visible)
            return await tallies.counts(connection, caller), waiting


def _numbers(typed: str) -> list[tuple[int, int]]:
    """The numbers that begin with these digits, as ranges: of 12 that is 12, 120 to 129, and so on."""
    if not (typed.isascii() and typed.isdigit()) or typed.startswith("0"):
        return []
    powers = [10**more for more in range(MOST_DIGITS - len(typed) + 1)]
    return [(int(typed) * power, int(typed) * power + power - 1) for power in powers]


def _place(message: Message) -> tuple[int, int]:
    return (
        message.reply_to or message.message_id if message.role is Role.HATHI else message.message_id,
        message.message_id,
    )


def _sought(row: Row, *, most: int | None) -> Divided | None:
    """How the words of a question are looked for, of which the index may name so many rows; none in a small space."""
    if not row["counted"]:
        return None
    found = [Sought(query=query, rows=rows) for query, rows in row["sought"] or ()]
    return bounded_words.divided(found, Counted(total=row["counted"]), most=most)


def _active(row: Row) -> ActiveRow:
    return ActiveRow(
        memory_id=MemoryId(row["memory_id"]),
        tier=Tier(row["tier"]),
        topic=row["topic"],
        content=row["content"],
        importance=row["importance"],
        author=row["author"],
        author_id=None if row["author"] == HATHI else rows.person_id(row["author_id"]),
        said_at=row["said_at"],
        source=Source(row["source"]),
        precedence=row["precedence"],
        rank=row["rank"],
    )


def _called(row: ActiveRow, called: Mapping[namesakes.Named, str]) -> ActiveRow:
    if row.author_id is None or row.author is None:
        return row
    return replace(row, author=called.get((row.author_id, row.author), row.author))


def _query(text: str) -> str:
    """The first distinct words of a text: a pasted page must not cost a page of comparisons a row."""
    return " ".join([*dict.fromkeys(text.replace("\0", " ").split())][:QUERY_WORDS])


def _told_elsewhere(messages: Sequence[Message], seen: Mapping[MessageId, Row]) -> set[MessageId]:
    """The answers that tell of another channel, by what each was shown; and those that repeat what these told of it."""
    said = set[str]().union(*(reply_sources.words_of(m.content) for m in messages if m.role is Role.PERSON))
    found, repeated = set[MessageId](), set[str]()
    for answer in (m for m in messages if m.role is Role.HATHI):
        row = seen.get(answer.message_id)
        shown = set[str]() if row is None else reply_sources.only_in(_there(row), row["here"]) - said
        told = reply_sources.words_of(answer.content) & (shown | repeated)
        if told or (row is not None and row["cites"]):
            found.add(answer.message_id)
            repeated |= told
    return found


def _there(row: Row) -> list[str]:
    """What an answer was shown of another channel; of what Hathi answered there the quotations alone."""
    answered = (sanitize.quotations(text) or [text] for text in row["answered"])
    return [*row["there"], *(text for texts in answered for text in texts)]
