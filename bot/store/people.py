"""Stores who was told what is remembered, and who opted out."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from bot import log
from bot.db import statements
from bot.db.pool import Database
from bot.domain import Memory, PersonId, SpaceId
from bot.store import sessions

_log = log.logger(__name__)


class Sql:
    """Statements of people, and of whether a community was told."""

    tell: Final = statements.named("person.tell")
    untell: Final = statements.named("person.untell")
    kept_by_others: Final = statements.named("person.kept_by_others")
    spaces: Final = statements.named("person.spaces")
    opt_out: Final = statements.named("person.opt_out")
    opt_in: Final = statements.named("person.opt_in")
    opted_out: Final = statements.named("person.opted_out")
    declined: Final = statements.named("person.declined")
    unreadable: Final = statements.named("person.unreadable")
    introduce: Final = statements.named("space.introduce")
    unintroduce: Final = statements.named("space.unintroduce")


class People:
    """Stores what holds for a person in all spaces; each claim is one commit, so two processes never both have it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def kept_by_others(self, memory: Memory) -> bool:
        """Whether somebody else had something of the memory's author kept before it in its space."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.kept_by_others, memory.space_id, memory.author_id, memory.memory_id)

    async def tell(self, people: Sequence[PersonId], now: datetime) -> frozenset[PersonId]:
        """Claims telling these people that they are remembered; who of them never was, to one caller only."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.tell, [*people], now)
        return frozenset(PersonId(row["person_id"]) for row in found)

    async def untell(self, people: Iterable[PersonId], told_at: datetime) -> None:
        """Gives that claim back, since they could not be told."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.untell, [*people], told_at)

    async def introduce(self, space_id: SpaceId, now: datetime) -> bool:
        """Claims introducing Hathi to a community: true for one caller a space; false where it is not known."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.introduce, space_id, now) is not None

    async def unintroduce(self, space_id: SpaceId, introduced_at: datetime) -> None:
        """Gives that claim back, since the community could not be told."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.unintroduce, space_id, introduced_at)

    async def opt_out(self, person_id: PersonId, now: datetime) -> bool:
        """Opts the person out everywhere; false when they were already.

        Their chunks go before, so that a crash leaves none, and what was made of their words meanwhile after; each in
        commits of its own: whoever makes a chunk holds its session when it asks who opted out, and waits for it.
        """
        await self._erase_chunks(person_id, now)
        async with self._database.connection() as connection:
            changed = await connection.fetchval(Sql.opt_out, person_id, now) is not None
        await self._erase_chunks(person_id, now)
        _log.info("person.opted_out", changed=changed)
        return changed

    async def _erase_chunks(self, person_id: PersonId, now: datetime) -> None:
        """Erases what ledgers hold of them, to be made again without."""
        async with self._database.connection() as connection:
            spaces: list[int] = await connection.fetchval(Sql.spaces, person_id) or []
        for space_id in map(SpaceId, sorted(spaces)):
            while held := await sessions.chunks_of(self._database, space_id, person_id):
                async with self._database.transaction() as connection:
                    await sessions.erase_chunks_in(connection, space_id, {*held.values()}, held, now=now)

    async def opt_in(self, person_id: PersonId) -> bool:
        """Lets the person be remembered again, as each channel has it; false when they had not opted out."""
        async with self._database.connection() as connection:
            changed = await connection.fetchval(Sql.opt_in, person_id) is not None
        _log.info("person.opted_in", changed=changed)
        return changed

    async def opted_out(self, person_id: PersonId) -> bool:
        """Whether they have opted out."""
        async with self._database.connection() as connection:
            return await connection.fetchval(Sql.opted_out, person_id)

    async def declined(self, ids: Iterable[PersonId]) -> frozenset[PersonId]:
        """Those of these people who have opted out."""
        wanted = sorted({*ids})
        if not wanted:
            return frozenset()
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.declined, wanted)
        return frozenset(PersonId(row["person_id"]) for row in found)

    async def readable(
        self, said: Iterable[tuple[PersonId, datetime]], *, asker: PersonId | None = None
    ) -> frozenset[tuple[PersonId, datetime]]:
        """Of what these people said then, and is not stored here, what may be read.

        Nothing of those who do not want to be remembered, but for who asks now; nor of those who erased what they had
        said until later.
        """
        wanted = frozenset(said)
        people = sorted({person_id for person_id, _ in wanted})
        if not people:
            return wanted
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.unreadable, people)
        declined = {row["person_id"] for row in found if row["declined"]} - {asker}
        erased = {row["person_id"]: row["erased_at"] for row in found if row["erased_at"] is not None}
        return frozenset(
            (person_id, at)
            for person_id, at in wanted
            if person_id not in declined and not (person_id in erased and at <= erased[person_id])
        )
