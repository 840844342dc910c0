"""Moves commands given on Discord through their states (taken, done, answered), each step one commit.

They are rows of the table of turns: `claimed` says that nothing was done yet, `sending` that it was and that its answer
may be missing, `answered` that its giver was told.
"""

import contextlib
from collections.abc import AsyncGenerator, Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import errors
from bot.db import pool, statements
from bot.db.pool import Connection, Database
from bot.domain import Caller, ChannelId, MessageId, PersonId, Reply, SpaceId
from bot.infra import leases
from bot.store.turns import Turns

TYPED: Final = "message"
"""In place of the token of an interaction."""


class Sql:
    """Statements of commands in hand."""

    take: Final = statements.named("turn.command")
    done: Final = statements.named("turn.command_done")
    answered: Final = statements.named("turn.command_answered")
    told: Final = statements.named("turn.told")
    left: Final = statements.named("turn.commands_left")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftCommand:
    """A command that a worker left before it was answered."""

    space_id: SpaceId
    channel_id: ChannelId
    command_id: MessageId
    """The message it was typed in, or its interaction."""
    giver_id: PersonId
    token: str | None
    """Of its interaction; none of a typed one."""
    is_done: bool
    taken_at: datetime


class CommandsInHand:
    """The state machine of commands, on behalf of one worker."""

    def __init__(self, database: Database, turns: Turns, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._turns = turns
        self._clock = clock

    async def take(self, caller: Caller, command_id: MessageId, *, token: str | None = None) -> bool:
        """Claims a command: true for one worker only. Raises `DatabaseDown`."""
        now = self._clock()
        async with self._database.connection() as connection:
            found = await connection.fetchval(
                Sql.take,
                caller.space_id,
                caller.channel_id,
                command_id,
                caller.person_id,
                self._turns.worker,
                now,
                now + leases.LEASE,
                token or TYPED,
            )
        return found is not None

    @contextlib.asynccontextmanager
    async def carrying_out(self, space_id: SpaceId, command_id: MessageId) -> AsyncGenerator[None]:
        """Holds a command that was taken until the block ends, and closes it then: its giver is to be told in it.

        What the block does in `Database.once` is done once: that commit marks the command as done, or raises
        `LeaseLost` when another worker has the command by then. One whose block is cancelled is left to the next start.
        """

        async def mark(connection: Connection) -> None:
            if not await connection.fetchval(Sql.done, space_id, command_id, self._turns.worker):
                raise errors.LeaseLost

        async with self._turns.holding(space_id, command_id, self._clock):
            with pool.marking(mark):
                yield
            # While the database is away it is left to whoever looks for what was left behind.
            with contextlib.suppress(errors.DatabaseDown):
                await self.answered(space_id, command_id)

    async def answered(self, space_id: SpaceId, command_id: MessageId) -> None:
        """Closes a command whose giver was told what became of it."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.answered, space_id, command_id, self._turns.worker, self._clock())

    async def told(self, space_id: SpaceId, command_id: MessageId, sent: Collection[MessageId], reply: Reply) -> None:
        """Notes which messages tell the memories of a reply: they go when those go."""
        if sent and reply.tells:
            async with self._database.connection() as connection:
                await connection.execute(Sql.told, space_id, command_id, [*sent], [*reply.tells])

    async def left_behind(self, space_id: SpaceId, channel_id: ChannelId, *, alone: bool) -> list[LeftCommand]:
        """Takes over the commands of a channel whose worker is gone, as `Turns.left_behind` does; oldest first."""
        found = await self._turns.taken_over(Sql.left, space_id, channel_id, now=self._clock(), alone=alone)
        return [
            LeftCommand(
                space_id=space_id,
                channel_id=channel_id,
                command_id=MessageId(row["turn_id"]),
                giver_id=PersonId(row["asker_id"]),
                token=None if row["command"] == TYPED else row["command"],
                is_done=row["state"] == "sending",
                taken_at=row["recorded_at"],
            )
            for row in found
        ]
