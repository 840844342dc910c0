"""Lists memories a page at a time, each list by the index that leads to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, LiteralString

from bot.db import statements
from bot.db.pool import Connection, Row
from bot.domain import Caller, ChannelId, PersonId
from bot.store import reworks, tallies
from bot.store.tallies import Kind, Tagged, Total

COUNTED: Final = 1000
"""Rows that are read to tell how many there are, where that is not counted already."""
FEW: Final = 3000
"""Memories with a tag that are all read, rather than those of a channel until enough of them have it."""
_WEIGHTS: Final = 10
"""Kinds of importance: what is narrowed is walked one after the other."""


class Sql:
    """The statements that list memories."""

    listed: Final = statements.named("librarian.listed")
    sifted: Final = statements.named("librarian.sifted")
    newest: Final = statements.named("librarian.newest")
    weighed: Final = statements.named("librarian.weighed")
    filed: Final = statements.named("librarian.filed")
    filed_weighed: Final = statements.named("librarian.filed_weighed")
    authored: Final = statements.named("librarian.authored")
    tagged: Final = statements.named("librarian.tagged")
    of_person: Final = statements.named("librarian.of_person")


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """Which memories, in which order."""

    filed_under: str | None = None
    """A topic or a room, in any case."""
    least: int = 1
    by_importance: bool = True
    tags: tuple[str, ...] = ()
    """All of them."""
    author_id: PersonId | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether more is asked for than where they are filed, and which tags they have."""
        return self.least > 1 or self.author_id is not None or self.is_of_a_while

    @property
    def is_steady(self) -> bool:
        """Whether the most important come first, whenever they were said."""
        return self.by_importance and not self.is_of_a_while

    @property
    def is_of_a_while(self) -> bool:
        """Whether when they were said is asked for."""
        return self.since is not None or self.until is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What is counted already of what is wanted."""

    rooms: Sequence[tuple[ChannelId, str, int, int]]
    """Where what is in the rooms that are called so stands: a channel, a room, above which number and up to which."""
    topics: Sequence[tuple[ChannelId, str]]
    """What is called so, with each channel where it is."""
    tags: Mapping[str, Tagged]
    memories: int
    """Filed there, or all there are."""
    seen: Sequence[ChannelId]

    @property
    def channels(self) -> list[ChannelId]:
        """Where there is anything that has the tags."""
        return sorted({*self.seen}.intersection(*(tag.channels for tag in self.tags.values())))

    def total(self, wanted: Narrowing) -> Total | None:
        """How many are wanted, where that is known."""
        if wanted.is_narrow or (wanted.tags and (wanted.filed_under is not None or len(self.tags) > 1)):
            return None
        return Total(next((tag.here for tag in self.tags.values()), self.memories))

    def is_rare(self, rows: int) -> bool:
        """Whether what has the tags is read as a whole, rather than what is there until so many rows have them."""
        rarest = min((tag.in_space for tag in self.tags.values()), default=None)
        return rarest is not None and (rarest <= FEW or rarest * rarest <= rows * self.memories)


async def page(
    connection: Connection, caller: Caller, wanted: Narrowing, *, page: int, size: int
) -> tuple[Sequence[Row], Total]:
    """One page of living memories, and how many there are in all, as far as that is known."""
    known = await _known(connection, caller, wanted)
    if known is None:
        return [], Total(0)
    total, offset, seen = known.total(wanted), (page - 1) * size, known.channels
    way = _way(wanted, known, offset + size)
    reach = max(offset + size + 1, 0 if total is not None else -(-COUNTED // way.count))
    sample = [_sample(reach, len(seen))] if way.is_sampled else []
    found = await connection.fetch(
        way.statement, caller.space_id, seen, wanted.by_importance, size, offset, reach, *way.narrowed, *sample
    )
    return found, total or walked(found)


@dataclass(frozen=True, slots=True)
class _Way:
    """The statement whose index leads to what is wanted."""

    statement: LiteralString
    narrowed: tuple[Any, ...]
    count: int = 1
    """Walks that each go as far as the page may."""
    is_sampled: bool = False
    """Whether it is looked first how far that is."""


def _way(wanted: Narrowing, known: _Known, rows: int) -> _Way:
    """How to get to so many rows."""
    seen, rooms, topics = max(1, len(known.channels)), _columns(known.rooms, 4), _columns(known.topics, 2)
    sifted = (wanted.least, [*wanted.tags], wanted.author_id)
    narrowed = (*sifted, wanted.since, wanted.until)
    if known.is_rare(rows * seen):
        names = (*rooms[1:], topics[1])
        return _Way(Sql.tagged, (*narrowed, *(names if wanted.filed_under is not None else [None] * len(names))))
    if wanted.filed_under is not None:
        places, count = (*rooms, *topics), len(known.rooms) + len(known.topics)
        if wanted.is_steady:
            return _Way(Sql.filed, (*sifted, *places), count)
        return _Way(Sql.filed_weighed, (*narrowed, *places), count * _WEIGHTS)
    if wanted.author_id is not None:
        return _Way(Sql.authored, narrowed, seen * _WEIGHTS)
    return _through_all(wanted, seen) or _Way(Sql.weighed, narrowed, seen * _WEIGHTS)


def _through_all(wanted: Narrowing, seen: int) -> _Way | None:
    """Through all of each channel in the order that is wanted, where an index has it."""
    if wanted.is_steady and wanted.tags:
        return _Way(Sql.sifted, (wanted.least, [*wanted.tags]), seen)
    if wanted.is_steady:
        return _Way(Sql.listed, (wanted.least,), is_sampled=True)
    if not (wanted.by_importance or wanted.tags or wanted.least > 1):
        return _Way(Sql.newest, (wanted.since, wanted.until), is_sampled=True)
    return None


def _columns(places: Sequence[tuple[Any, ...]], number: int) -> list[list[Any]]:
    """Rows of so many columns, as a statement takes them."""
    return [[place[column] for place in places] for column in range(number)]


def _sample(reach: int, channels: int) -> int:
    """Rows of each channel by which it is known how far each is to be walked; none where that saves nothing."""
    sample = -(-reach * 4 // max(1, channels)) + 10
    return sample if sample < reach else 0


async def _known(connection: Connection, caller: Caller, wanted: Narrowing) -> _Known | None:
    """What is counted of it; none where there is nothing of it."""
    rooms, topics = list[tuple[ChannelId, str, int, int]](), list[tuple[ChannelId, str]]()
    if wanted.filed_under is not None:
        given = [wanted.filed_under]
        inside = await tallies.called(connection, caller, Kind.ROOM, given)
        for part, channels in inside.items():
            stands = await reworks.stands(connection, caller.space_id, part.name)
            rooms += [(channel, stand.room, stand.after, stand.through) for stand in stands for channel in channels]
        for part, channels in (about := await tallies.called(connection, caller, Kind.TOPIC, given)).items():
            topics += [(channel, part.name) for channel in channels]
        memories = await tallies.under(
            connection, caller, [part.name for part in inside], [part.name for part in about]
        )
    else:
        memories = sum((await tallies.counts(connection, caller)).values())
    tags = await tallies.tagged(connection, caller, wanted.tags) if wanted.tags else {}
    if not memories or len(tags) < len({*wanted.tags}):
        return None
    return _Known(rooms=rooms, topics=topics, tags=tags, memories=memories, seen=tallies.channels(caller))


async def of_person(connection: Connection, caller: Caller, *, page: int, size: int) -> tuple[Sequence[Row], Total]:
    """One page of what is about the caller, the most important first."""
    seen, offset = tallies.channels(caller), (page - 1) * size
    reach = max(offset + size + 1, -(-COUNTED // max(1, len(seen))))
    found = await connection.fetch(Sql.of_person, caller.space_id, seen, True, size, offset, reach, caller.person_id)
    return found, walked(found)


def walked(found: Sequence[Row]) -> Total:
    """How many there are, by what was read for a page of them."""
    if not found:
        return Total(0)
    return Total(found[0]["walked"], is_more=found[0]["is_cut"])
