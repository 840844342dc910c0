"""Reads what is counted already: how many memories there are, and under which rooms, topics and tags."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Literal

from bot import catalogue
from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import Caller, ChannelId, Tier
from bot.text import amounts

MOST_PAGES: Final = 1000
"""Of a list: further it is not walked."""
LEAST_READ: Final = 10
"""Names of each channel, of however many."""
READ: Final = 1000
"""Names that are read, the fullest of each channel, to tell which are the fullest of all."""


class Sql:
    """The statements that read what is counted."""

    counts: Final = statements.named("tally.counts")
    names: Final = statements.named("tally.names")
    called: Final = statements.named("tally.called")
    like: Final = statements.named("tally.like")
    filed: Final = statements.named("tally.filed")
    tagged: Final = statements.named("tally.tagged")


class Kind(StrEnum):
    """What has a name."""

    ROOM = "room"
    TOPIC = "topic"
    TAG = "tag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """What memories are filed under."""

    kind: Kind
    room: str
    """Of a topic; or nothing, of a topic whatever its room."""
    name: str

    @classmethod
    def in_room(cls, name: str) -> "Filed":
        """A room."""
        return cls(kind=Kind.ROOM, room="", name=name)

    @classmethod
    def on_topic(cls, name: str, room: str = "") -> "Filed":
        """A topic, of all rooms or of one."""
        return cls(kind=Kind.TOPIC, room=room, name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A room, a topic or a tag, with its number of memories."""

    name: str
    memories: int
    changed_at: datetime
    """When something of it was last saved, or said again."""


@dataclass(frozen=True, slots=True)
class Total:
    """How many there are of something."""

    number: int
    is_more: bool = False
    """There may be more: nobody counts on."""

    def told(self, noun: Literal["memory", "tag"]) -> str:
        """As a sentence has it."""
        count = self.number
        tags = catalogue.ngettext("{count} tag", "{count} tags", count).format(count=count)
        return amounts.told(amounts.memories(count) if noun == "memory" else tags, is_least=self.is_more)

    def pages(self, size: int) -> int:
        """How many pages that is, of so many each; of all there are those that can be asked for."""
        return min(-(-self.number // size), MOST_PAGES)

    def is_cut(self, size: int) -> bool:
        """Whether there may be more pages than that."""
        return self.is_more or self.number > MOST_PAGES * size


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """How many memories have a tag."""

    here: int
    channels: frozenset[ChannelId]
    """Those of them that are seen."""
    in_space: int
    """What it costs to look for them."""


def channels(caller: Caller) -> list[ChannelId]:
    """Those that everyone who asks may see, each once."""
    return sorted({*caller.visible})


async def counts(connection: Connection, caller: Caller) -> Mapping[Tier, int]:
    """How many memories there are, by tier."""
    row = await connection.fetchrow(Sql.counts, caller.space_id, caller.visible)
    assert row is not None
    return {Tier.SHORT: int(row["short"]), Tier.LONG: int(row["long"])}


async def names(
    connection: Connection,
    caller: Caller,
    kind: Kind,
    *,
    room: str = "",
    typed: str = "",
    limit: int,
    page: int = 1,
    but: Collection[str] = (),
) -> tuple[list[Part], Total]:
    """One page of the names of a kind, the fullest first, `but` some; and how many there are, if nothing is typed.

    Those that begin with what is typed come first, then those that hold it. Topics are all, or those of one room.
    """
    seen = channels(caller)
    depth = max(LEAST_READ, READ // max(1, len(seen)))
    offset = (page - 1) * limit
    found = await connection.fetch(
        Sql.names, caller.space_id, seen, kind.value, room, typed, depth, limit, offset, [*but]
    )
    total = Total(found[0]["read"], is_more=found[0]["is_cut"]) if found else Total(0)
    return [*map(_part, found)], total


async def called(
    connection: Connection, caller: Caller, kind: Kind, given: Sequence[str], *, room: str = ""
) -> Mapping[Part, Sequence[ChannelId]]:
    """What of a kind is called so, in any case, and in which channels."""
    found = await connection.fetch(Sql.called, caller.space_id, channels(caller), kind.value, room, [*given])
    return {_part(row): [*map(ChannelId, row["channels"])] for row in found}


async def like(connection: Connection, caller: Caller, room: str, typed: str) -> list[str]:
    """Topics of a room that are written much like one."""
    found = await connection.fetch(Sql.like, caller.space_id, caller.visible, room, typed)
    return [row["name"] for row in found]


async def filed(connection: Connection, caller: Caller, asked: Collection[Filed]) -> Mapping[Filed, int]:
    """Those under which a memory is filed, and how many each has."""
    kinds, rooms, given = [one.kind.value for one in asked], [one.room for one in asked], [one.name for one in asked]
    found = await connection.fetch(Sql.filed, caller.space_id, caller.visible, kinds, rooms, given)
    return {Filed(kind=Kind(row["kind"]), room=row["room"], name=row["name"]): int(row["memories"]) for row in found}


async def under(connection: Connection, caller: Caller, rooms: Sequence[str], topics: Sequence[str]) -> int:
    """How many memories are filed under any of these rooms or topics."""
    once = [*map(Filed.in_room, rooms), *(Filed.on_topic(topic) for topic in topics)]
    twice = [Filed.on_topic(topic, room) for topic in topics for room in rooms]
    found = await filed(connection, caller, [*once, *twice])
    return sum(found.get(one, 0) for one in once) - sum(found.get(one, 0) for one in twice)


async def held(connection: Connection, caller: Caller, room: str, topic: str | None) -> int:
    """How many memories a room has, or a topic of it."""
    asked = Filed.in_room(room) if topic is None else Filed.on_topic(topic, room)
    return (await filed(connection, caller, [asked])).get(asked, 0)


async def tagged(connection: Connection, caller: Caller, tags: Iterable[str]) -> Mapping[str, Tagged]:
    """Those of the tags that a memory has."""
    found = await connection.fetch(Sql.tagged, caller.space_id, caller.visible, [*tags])
    return {
        row["name"]: Tagged(
            here=int(row["memories"]),
            channels=frozenset(map(ChannelId, row["channels"])),
            in_space=int(row["of_space"]),
        )
        for row in found
    }


def _part(row: Row) -> Part:
    return Part(name=row["name"], memories=int(row["memories"]), changed_at=row["changed_at"])
