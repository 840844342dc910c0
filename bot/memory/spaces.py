"""Spaces, their channels and people; and the claims of upkeep on them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from bot import errors
from bot.db import statements
from bot.db.pool import Database
from bot.domain import UNDO_WINDOW, Caller, SessionId, SpaceId, new_id

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
    meet: Final = statements.named("space.meet")
    wake: Final = statements.named("space.wake")
    claim_due: Final = statements.named("space.claim_due")
    upkeep_done: Final = statements.named("space.upkeep_done")
    pending: Final = statements.named("space.pending")
    page: Final = statements.named("space.page")
    lock_channel: Final = statements.named("session.lock_channel")
    open_session: Final = statements.named("session.open")
    point_channel: Final = statements.named("session.point_channel")
    language: Final = statements.named("librarian.language")


class Spaces:
    """What exists, before anything is said in it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ensure(self, caller: Caller, *, channel_name: str, mode: str, language: str, now: datetime) -> str:
        """Make the caller's space, channel, first session and name known; returns the space's text language.

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
            await connection.execute(Sql.create_channel, caller.space_id, caller.channel_id, channel_name, mode, now)
            await connection.execute(Sql.create_person, caller.person_id)
            await connection.execute(Sql.meet, caller.space_id, caller.person_id, caller.name, now)
            channel = await connection.fetchrow(Sql.lock_channel, caller.space_id, caller.channel_id)
            assert channel is not None
            if channel["open_session_id"] is None:
                session_id = SessionId(new_id(now))
                await connection.execute(Sql.open_session, caller.space_id, session_id, caller.channel_id, 1, now)
                await connection.execute(Sql.point_channel, caller.space_id, caller.channel_id, session_id, 1)
            return await connection.fetchval(Sql.language, caller.space_id)

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
