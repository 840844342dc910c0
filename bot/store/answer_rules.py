"""Stores who is answered in a space: the roles and channels that its admins allowed or blocked."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.db import statements
from bot.db.pool import Database
from bot.domain import KeptOut, SpaceId

MOST: Final = 50
"""Roles that are chosen in a space, and channels."""


class Sql:
    """Statements of who is answered."""

    of: Final = statements.named("answer_rule.of")
    choose_role: Final = statements.named("answer_rule.choose_role")
    choose_channel: Final = statements.named("answer_rule.choose_channel")
    clear: Final = statements.named("answer_rule.clear")
    clear_all: Final = statements.named("answer_rule.clear_all")


class RuleKind(StrEnum):
    """What a rule is for."""

    ROLE = "role"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRules:
    """Who is answered: where some are allowed, these alone; whoever is blocked is not, allowed or not."""

    roles_allowed: tuple[int, ...] = ()
    roles_blocked: tuple[int, ...] = ()
    channels_allowed: tuple[int, ...] = ()
    channels_blocked: tuple[int, ...] = ()

    @property
    def names_roles(self) -> bool:
        """Whether it depends on who asks."""
        return bool(self.roles_allowed or self.roles_blocked)

    def kept_out(self, channels: Collection[int], roles: Collection[int]) -> KeptOut | None:
        """Why somebody with these roles is not answered in a channel, or a thread and its channel; none if they are."""
        if _is_out(channels, self.channels_allowed, self.channels_blocked):
            return KeptOut.CHANNEL
        return KeptOut.ROLE if _is_out(roles, self.roles_allowed, self.roles_blocked) else None


class AnswerChoices:
    """Reads and writes who is answered."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, space_id: SpaceId) -> AnswerRules:
        """What the admins of a space chose; everybody everywhere where they chose nothing."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(Sql.of, space_id)
        return AnswerRules() if row is None else AnswerRules(**{name: tuple(ids) for name, ids in row.items()})

    async def choose(self, space_id: SpaceId, kind: RuleKind, target_id: int, *, allowed: bool) -> bool:
        """Allows or blocks a role or a channel; whether that was possible, as there are not too many yet."""
        statement = Sql.choose_role if kind is RuleKind.ROLE else Sql.choose_channel
        async with self._database.connection() as connection:
            return await connection.fetchval(statement, space_id, target_id, allowed, MOST) is not None

    async def clear(self, space_id: SpaceId, kind: RuleKind, target_id: int) -> None:
        """Takes back what was chosen for a role or a channel."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.clear, space_id, target_id, kind.value)

    async def clear_all(self, space_id: SpaceId) -> None:
        """Takes back all that was chosen."""
        async with self._database.connection() as connection:
            await connection.execute(Sql.clear_all, space_id)


def _is_out(held: Collection[int], allowed: Collection[int], blocked: Collection[int]) -> bool:
    return any(one in blocked for one in held) or (bool(allowed) and not any(one in allowed for one in held))
