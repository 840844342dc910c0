"""Spaces, their channels and people; and the claims of upkeep on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot import errors
from bot.db import statements
from bot.db.pool import Database
from bot.domain import UNDO_WINDOW, Caller, SessionId, SpaceId, new_id

KEEPING_MODES: Final = frozenset({"addressed", "all"})
"""In `off` and `explicit` channels no message is recorded, and a reset only clears."""
HOURLY: Final = timedelta(hours=1)
LEASE: Final = timedelta(minutes=15)
"""Of claimed spaces; longer than any wake-up ahead, so a wake-up always moves `next_due_at`."""
SOON: Final = timedelta(seconds=1)
BATCH: Final = 100


class Sql:
    """Statements of spaces, channels and people."""

    create: Final = statements.named("space.create")
    knows_language: Final = statements.named("space.knows_language")
    create_upkeep: Final = statements.named("space.create_upkeep")
    create_channel: Final = statements.named("space.create_channel")
    create_person: Final = statements.named("space.create_person")
    met_in: Final = statements.named("space.met_in")
    place: Final = statements.named("space.place")
    rename_channel: Final = statements.named("space.rename_channel")
    meet: Final = statements.named("space.meet")
    wake: Final = statements.named("space.wake")
    claim_due: Final = statements.named("space.claim_due")
    upkeep_done: Final = statements.named("space.upkeep_done")
    pending: Final = statements.named("space.pending")
    page: Final = statements.named("space.page")
    lock_channel: Final = statements.named("session.lock_channel")
    open_session: Final = statements.named("session.open")
    point_channel: Final = statements.named("session.point_channel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """How a channel is to be treated, as its space's admins have it."""

    mode: str
    enabled: bool
    """Whether everything said in it is answered."""
    prefix: str
    language: str
    time_zone: str

    @property
    def kept(self) -> bool:
        """Whether what is said to Hathi here is recorded."""
        return self.mode in KEEPING_MODES


class Spaces:
    """What exists, before anything is said in it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ensure(
        self, caller: Caller, *, channel_name: str, origin_name: str = "", mode: str, language: str, now: datetime
    ) -> Place:
        """Make the caller's space, channel, first session and name known; how the channel is to be treated.

        Raises `SettingsError` for a language this Postgres does not know.
        """
        async with self._database.transaction() as connection:
            if not await connection.fetchval(Sql.knows_language, language):
                raise errors.SettingsError(
                    f"language: this Postgres has no text search configuration {language!r}; "
                    "english, german, simple and some twenty others are there."
                )
            await connection.execute(Sql.create, caller.space_id, language, now)
            await connection.execute(Sql.create_upkeep, caller.space_id, now)
            if caller.origin_id != caller.channel_id:
                await connection.execute(
                    Sql.create_channel, caller.space_id, caller.origin_id, origin_name, mode, now, None
                )
            await connection.execute(
                Sql.create_channel, caller.space_id, caller.channel_id, channel_name, mode, now, caller.origin
            )
            await connection.execute(Sql.rename_channel, caller.space_id, caller.channel_id, channel_name)
            await connection.execute(Sql.create_person, caller.person_id, caller.space_id)
            await connection.execute(Sql.met_in, caller.person_id, caller.space_id)
            await connection.execute(Sql.meet, caller.space_id, caller.person_id, caller.name, now)
            channel = await connection.fetchrow(Sql.lock_channel, caller.space_id, caller.channel_id)
            assert channel is not None
            if channel["open_session_id"] is None:
                session_id = SessionId(new_id(now))
                await connection.execute(Sql.open_session, caller.space_id, session_id, caller.channel_id, 1, now)
                await connection.execute(Sql.point_channel, caller.space_id, caller.channel_id, session_id, 1)
            row = await connection.fetchrow(Sql.place, caller.space_id, caller.channel_id)
        assert row is not None
        return Place(**{name: row[name] for name in Place.__dataclass_fields__})

    async def wake(self, space_id: SpaceId, at: datetime) -> None:
        """The space falls due no later than `at`."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.wake, space_id, at)

    async def claim_due(self, *, now: datetime) -> list[SpaceId]:
        """Up to 100 due spaces, leased to this worker."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.claim_due, now, now + LEASE, BATCH)
        return [SpaceId(row["space_id"]) for row in found]

    async def done(self, spaces: Sequence[SpaceId], *, claimed_at: datetime, now: datetime) -> None:
        """Let the spaces rest for an hour, or less where something falls due before or they were woken meanwhile."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.upkeep_done, [*spaces], claimed_at + LEASE, now + HOURLY)
            for row in await connection.fetch(Sql.pending, [*spaces], UNDO_WINDOW):
                # Later than now, or one upkeep would never end.
                await connection.execute(Sql.wake, row["space_id"], max(row["at"], now + SOON))

    async def page(self, after: SpaceId | None) -> list[SpaceId]:
        """The next 100 spaces in the order of their ids."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.page, -(2**62) if after is None else after, BATCH)
        return [SpaceId(row["space_id"]) for row in found]
