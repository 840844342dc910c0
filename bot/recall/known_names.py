"""Caches the names each space knows (people, channels, rooms, topics), by what the asker may see."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import Caller, SpaceId
from bot.language.past import space_names
from bot.language.past.space_names import Names

KEPT_FOR: Final = timedelta(seconds=30)
"""How long names are taken to be all there are, where this process changed nothing."""
REST: Final = timedelta(seconds=5)
"""How long what this process changed is only added: then all names are read anew, beside whoever asks."""
SERVED_FOR: Final = timedelta(minutes=10)
"""Names that were read longer ago serve nobody, not even while new ones are read."""
KEPT: Final = 500
"""Indexes kept, one for each audience of a space; the one asked for longest ago makes room."""
KEPT_NAMES: Final = 250_000
"""Names in all of them together."""
MEMORIES: Final = 20_000
"""The newest memories of a space, of which those are read that may be seen, for what they are filed under."""
AT_ONCE: Final = 2_000
"""Memories that one statement reads of them."""

_Key = tuple[SpaceId, frozenset[int]]


class Sql:
    """Statements that read names."""

    people: Final = statements.named("known_names.people")
    channels: Final = statements.named("known_names.channels")
    last_memory: Final = statements.named("known_names.last_memory")
    filed: Final = statements.named("known_names.filed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The names of one space."""

    names: Names
    people: tuple[str, ...] = ()
    """Members, by the names they have or had."""
    community: tuple[str, ...] = ()
    """Channels, rooms, topics and subjects."""
    read_at: datetime | None = None
    through: int = 0
    """The last memory that was looked at."""
    is_behind: bool = False
    """Whether something changed since."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Reading:
    """The names of one audience, while they are read."""

    key: _Key
    is_overtaken: bool = False
    """Whether something changed meanwhile, which may not be in it."""


class KnownNames:
    """Names of people, channels, rooms, topics and subjects.

    Only the first question of an audience waits until all of them are read. Later ones are served what is known, with
    what has come since added, while all is read anew beside them. No name is shown to anybody: by one, a question is
    held to be about the past, and an answer to speak of somebody. So one that is gone may be known a moment longer.
    """

    def __init__(
        self, database: Database, clock: Callable[[], datetime], spawn: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        """`spawn` starts what nobody waits for."""
        self._database = database
        self._clock = clock
        self._spawn = spawn
        self._kept: OrderedDict[_Key, Known] = OrderedDict()
        self._readings = set[_Reading]()

    async def of(self, caller: Caller) -> Names:
        """The names of the caller's space that everyone in their channel may see. Raises `DatabaseDown`."""
        return (await self.known(caller)).names

    async def known(self, caller: Caller) -> Known:
        """The same names, and who and what they refer to.

        What this process added is in it, and what another one did is 30 seconds later. What is gone is known until all
        was read anew: that begins with the first question that is asked 5 seconds after the last time, or, of what
        another process took, 30. Raises `DatabaseDown`.
        """
        key = (caller.space_id, frozenset(caller.visible))
        kept, now = self._kept.get(key), self._clock()
        age = SERVED_FOR if kept is None or kept.read_at is None else now - kept.read_at
        if kept is None or not timedelta() <= age < SERVED_FOR:
            return await self._read(self._begun(key))
        self._kept.move_to_end(key)
        if age >= (REST if kept.is_behind else KEPT_FOR) and not any(one.key == key for one in self._readings):
            self._spawn(self._read_beside(self._begun(key)))
        return await self._with_newer(key, kept) if kept.is_behind or age >= KEPT_FOR else kept

    def changed(self, space_id: SpaceId) -> None:
        """Notes that something in the space has changed."""
        for key in [key for key in self._kept if key[0] == space_id]:
            self._kept[key] = replace(self._kept[key], is_behind=True)
        for reading in self._readings:
            reading.is_overtaken |= reading.key[0] == space_id

    def _begun(self, key: _Key) -> _Reading:
        reading = _Reading(key=key)
        self._readings.add(reading)
        return reading

    async def _read_beside(self, reading: _Reading) -> None:
        await self._read(reading)

    async def _read(self, reading: _Reading) -> Known:
        """All names there are, kept for the next question."""
        (space_id, visible), now = reading.key, self._clock()
        try:
            async with self._database.connection() as connection:
                last = await connection.fetchval(Sql.last_memory, space_id) or 0
                people = await _people(connection, space_id, None)
                community = dict.fromkeys(await _channels(connection, reading.key))
                for through in range(last, max(last - MEMORIES, 0), -AT_ONCE):
                    if len(people) + len(community) < space_names.MOST:
                        found = await connection.fetch(
                            Sql.filed, space_id, [*visible], through - AT_ONCE, through, space_names.MOST
                        )
                        community |= dict.fromkeys(row["name"] for row in found)
            # Of thousands of names: nobody else waits for it.
            known = await asyncio.to_thread(_told, people, community)
        finally:
            self._readings.discard(reading)
        known = replace(known, read_at=now, through=last, is_behind=reading.is_overtaken)
        self._keep(reading.key, known)
        return known

    async def _with_newer(self, key: _Key, kept: Known) -> Known:
        """The names, with those of whoever was seen since, of what was saved, and what channels are called now."""
        space_id, visible = key
        async with self._database.connection() as connection:
            last = await connection.fetchval(Sql.last_memory, space_id) or 0
            people = await _people(connection, space_id, kept.read_at)
            community = await _channels(connection, key)
            if last > kept.through:
                after = max(kept.through, last - AT_ONCE)
                found = await connection.fetch(Sql.filed, space_id, [*visible], after, last, space_names.MOST)
                community += [row["name"] for row in found]
        known = await asyncio.to_thread(_added, kept, people, community)
        known = replace(known, through=max(last, kept.through))
        # Nothing takes the place of what was read anew, or changed, meanwhile.
        if self._kept.get(key) is kept:
            self._keep(key, known)
        return known

    def _keep(self, key: _Key, index: Known) -> None:
        self._kept[key] = index
        self._kept.move_to_end(key)
        total = sum(len(kept.names) for kept in self._kept.values())
        while len(self._kept) > KEPT or (total > KEPT_NAMES and len(self._kept) > 1):
            _, dropped = self._kept.popitem(last=False)
            total -= len(dropped.names)


async def _people(connection: Connection, space_id: SpaceId, since: datetime | None) -> list[str]:
    found = await connection.fetch(Sql.people, space_id, since, space_names.MOST)
    return list(dict.fromkeys(row["name"] for row in found))


async def _channels(connection: Connection, key: _Key) -> list[str]:
    space_id, visible = key
    return [row["name"] for row in await connection.fetch(Sql.channels, space_id, [*visible])]


def _told(people: list[str], community: Iterable[str]) -> Known:
    """The names there is room for: people first, then channels, then what memories speak of, each the latest first."""
    every = list(dict.fromkeys([*people, *community]))[: space_names.MOST]
    return Known(names=Names(every), people=tuple(people), community=tuple(every[len(people) :]))


def _added(known: Known, people: list[str], community: list[str]) -> Known:
    """What is known with names that may be new."""
    before, others = frozenset(known.people), frozenset(known.community)
    met = [name for name in people if name not in before]
    fresh = [name for name in dict.fromkeys(community) if name not in before and name not in others]
    if not (met or fresh):
        return known
    return replace(
        known,
        names=known.names.with_more([*met, *fresh]),
        people=(*met, *known.people),
        community=(*fresh, *known.community),
    )
