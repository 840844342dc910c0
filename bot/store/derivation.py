"""Finds what was made from given messages and memories, over any number of steps: memories and Hathi's replies.

A memory was made from its evidence, which may be an answer of Hathi's, and from the memories that an answer quoted or a
model looked up. A reply was made from what `reply_sources` finds. Whatever goes takes all of that along, and nothing of
it is handed to somebody else. Only a mere approval holds nothing: what was approved does not go with the "ok".
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import MemoryId, MessageId, SpaceId
from bot.language.requests import approval
from bot.store import reply_sources


class Sql:
    """The statements that read what memories were made from."""

    said: Final = statements.named("derivation.said")
    resting: Final = statements.named("derivation.resting")
    first_evidence: Final = statements.named("derivation.first_evidence")
    kept_of: Final = statements.named("derivation.kept_of")
    unstored_of: Final = statements.named("derivation.unstored_of")
    cited: Final = statements.named("derivation.cited")


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What goes with messages and memories, those memories among it."""

    memories: tuple[Row, ...]
    """With every older version that an edit replaced, and what is forgotten and can still be undone."""
    replies: tuple[Row, ...]
    """Hathi's, each with its id and session."""
    lessened: tuple[int, ...] = ()
    """Memories that stay, and only lose an approval, or what repeated them, from their evidence."""

    @property
    def reply_ids(self) -> list[int]:
        """The ids of the replies."""
        return [row["message_id"] for row in self.replies]


async def of_gone(
    connection: Connection, space_id: SpaceId, messages: Collection[int], memories: Collection[int] = ()
) -> Derived:
    """What goes with messages that are deleted or hidden, and with the memories named."""
    search = _Search(connection, space_id, messages)
    await search.follow(messages, memories)
    return search.derived


async def of_session(
    connection: Connection, space_id: SpaceId, messages: Collection[int], memories: Collection[int]
) -> Derived:
    """What goes with a session as a whole: the memories distilled from it, and what was made elsewhere from either.

    What a person asked to remember in it is theirs, and stays.
    """
    search = _Search(connection, space_id, messages, is_whole=True)
    await search.follow((), memories)
    return search.derived


async def of_words(
    connection: Connection,
    space_id: SpaceId,
    message_id: MessageId,
    memories: Collection[int],
    *,
    left: str,
    replaced: Sequence[Row] = (),
) -> Derived:
    """What goes with the words an edit took out of a message, and with the memories named; `left` is what it says now.

    And with the memories it `replaced`, which are gone already. Direct replies to the message stay.
    """
    search = _Search(connection, space_id, [message_id], left=left, replaced=replaced)
    await search.follow((), [*memories, *(row["memory_id"] for row in replaced)])
    return search.derived


async def resting_on(connection: Connection, space_id: SpaceId, message_id: MessageId) -> Sequence[Row]:
    """The memories that rest on a message, with their older versions."""
    return await connection.fetch(Sql.resting, space_id, [message_id], [])


async def kept_of(connection: Connection, space_id: SpaceId, message_id: MessageId) -> Sequence[Row]:
    """What somebody asked to be kept of a message, but for commands: by that it is known where nothing recorded it."""
    return await connection.fetch(Sql.kept_of, space_id, message_id)


async def unstored_of(connection: Connection, space_id: SpaceId, message_id: MessageId) -> Sequence[Row]:
    """What was distilled of a message that was read and is not stored."""
    return await connection.fetch(Sql.unstored_of, space_id, message_id)


async def cited_by(
    connection: Connection, space_id: SpaceId, replies: Collection[MessageId]
) -> Mapping[MessageId, list[MemoryId]]:
    """The memories that Hathi's replies cite, by the reply."""
    found = await connection.fetch(Sql.cited, space_id, [*replies])
    return {MessageId(row["message_id"]): [*map(MemoryId, row["memory_ids"])] for row in found}


class _Search:
    """The search for all that was made from certain messages and memories."""

    def __init__(
        self,
        connection: Connection,
        space_id: SpaceId,
        messages: Collection[int],
        *,
        left: str | None = None,
        replaced: Sequence[Row] = (),
        is_whole: bool = False,
    ) -> None:
        self._connection = connection
        self._space_id = space_id
        self._messages = messages
        self._left = left
        self._replaced = replaced
        self._is_whole = is_whole
        self._memories: dict[int, Row] = {}
        self._replies: dict[int, Row] = {}
        self._stay = set[int]()

    @property
    def derived(self) -> Derived:
        """What was found."""
        memories = tuple(self._memories[key] for key in sorted(self._memories))
        return Derived(
            memories=memories, replies=tuple(self._replies.values()), lessened=tuple(self._stay - {*self._memories})
        )

    async def follow(self, gone: Collection[int], memories: Collection[int]) -> None:
        """Finds memories and replies in turn, until nothing more is made from what is found."""
        fresh = await self._resting(gone, memories)
        while True:
            before = {*self._replies}
            self._replies |= {row["message_id"]: row for row in await self._made_replies()}
            made = [key for key in self._replies if key not in before]
            if not (made or fresh):
                return
            fresh = await self._resting(made, [row["memory_id"] for row in fresh])
            if not fresh:
                return

    async def _resting(self, messages: Collection[int], memories: Collection[int]) -> list[Row]:
        """The memories made from these that were not found yet."""
        if not (messages or memories):
            return []
        rows = await self._connection.fetch(Sql.resting, self._space_id, [*messages], [*memories])
        held = await self._held_otherwise(rows, {*messages}, {*memories})
        self._stay |= held
        fresh = [row for row in rows if row["memory_id"] not in {*self._memories, *held}]
        self._memories |= {row["memory_id"]: row for row in fresh}
        return fresh

    async def _held_otherwise(self, rows: Sequence[Row], messages: set[int], memories: set[int]) -> set[int]:
        """Those of the memories that stand without these messages.

        Somebody only approved in them, or said again what had been kept before.
        """
        touched = [
            row
            for row in rows
            if not messages.isdisjoint(row["evidence"])
            and row["memory_id"] not in memories
            and memories.isdisjoint(row["made_from"])
        ]
        if not touched:
            return set()
        said = await self._connection.fetch(Sql.said, self._space_id, [*messages])
        telling = messages - {row["message_id"] for row in said if _only_approves(row)}
        ids = [row["memory_id"] for row in touched if row["seen_count"] > 1]
        repeated = await self._connection.fetch(Sql.first_evidence, self._space_id, ids) if ids else ()
        first = {row["memory_id"]: row["evidence"] for row in repeated}
        return {row["memory_id"] for row in touched if telling.isdisjoint(first.get(row["memory_id"], row["evidence"]))}

    async def _made_replies(self) -> list[Row]:
        return await reply_sources.replies_in(
            self._connection,
            self._space_id,
            self._messages,
            [*self._replaced, *self._memories.values()],
            left=self._left or "",
            to_them=self._left is None and not self._is_whole,
            whole=self._is_whole,
        )


def _only_approves(said: Row) -> bool:
    return said["role"] == "person" and approval.is_approval(said["content"])
