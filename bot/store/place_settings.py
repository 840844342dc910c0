"""Stores what admins chose for places, and tells what holds in one and why."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.db import statements
from bot.db.pool import Connection, Database
from bot.domain import TERMINAL_SPACE, Caller, ChannelId, PersonId, PlaceChoices, PlaceSetting, SpaceId

WHOLE_SPACE: Final = ChannelId(0)
"""What stands for the whole space; the terminal's one channel is its whole space anyway."""
ALL: Final = "all"
NONE: Final = "none"
"""Where several may be chosen: every one of them, and not one."""


class Sql:
    """Statements of what is chosen."""

    of: Final = statements.named("place_setting.of")
    set: Final = statements.named("place_setting.set")
    clear: Final = statements.named("place_setting.clear")
    forget_chooser: Final = statements.named("place_setting.forget_chooser")


class HeldBy(StrEnum):
    """Why something holds in a place."""

    CHANNEL = "channel"
    """It was chosen for the channel."""
    SPACE = "space"
    """It was chosen for the whole space."""
    SETTINGS = "settings"
    """Whoever runs Hathi wrote it into the settings."""
    DEFAULT = "default"
    """Nobody chose anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosable:
    """What may be chosen under one name, and what holds where nothing is."""

    setting: PlaceSetting
    names: tuple[str, ...]
    """Each of which may be chosen."""
    default: str
    """One of them; of several, names joined by commas, or `ALL` or `NONE`."""
    is_set: bool = False
    """Whether the default stands in the settings."""
    are_several: bool = False
    """Whether several of them may be chosen together."""

    def unknown(self, value: str) -> tuple[str, ...]:
        """Those of a value that are not among the names."""
        return tuple(name for name in self._named(value) if name not in self.names)

    def known(self, value: str) -> tuple[str, ...]:
        """The names a value stands for, but for those there are none of."""
        if self.are_several and value == ALL:
            return self.names
        return tuple(name for name in self._named(value) if name in self.names)

    def _named(self, value: str) -> list[str]:
        if not self.are_several:
            return [value]
        return [] if value in {ALL, NONE} else value.split(",")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What holds in a place."""

    value: str
    by: HeldBy
    names: tuple[str, ...]
    """The names it stands for, of those there are."""
    gone: tuple[str, ...] = ()
    """What was chosen here and is not there any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChoice:
    """One choice as it is stored."""

    setting: str
    value: str
    by: HeldBy
    """For the channel, or for the whole space."""
    set_by: PersonId | None
    set_at: datetime


class PlaceSettings:
    """Reads and writes what is chosen."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, caller: Caller) -> list[StoredChoice]:
        """What was chosen for the caller's channel and its space, by whom and when."""
        async with self._database.connection() as connection:
            found = await connection.fetch(Sql.of, caller.space_id, caller.origin_id)
        return [
            StoredChoice(
                setting=row["name"],
                value=row["value"],
                by=HeldBy.SPACE if row["channel_id"] == WHOLE_SPACE else HeldBy.CHANNEL,
                set_by=row["set_by"],
                set_at=row["set_at"],
            )
            for row in found
        ]

    async def set(self, caller: Caller, setting: PlaceSetting, value: str, *, everywhere: bool, now: datetime) -> None:
        """Chooses a value for the channel the caller's memories belong to, or for the whole space."""
        place = _place(caller, everywhere=everywhere)
        async with self._database.connection() as connection:
            await connection.execute(Sql.set, caller.space_id, place, setting, value, caller.person_id, now)

    async def clear(self, caller: Caller, setting: PlaceSetting, *, everywhere: bool) -> None:
        """Takes back what was chosen there."""
        place = _place(caller, everywhere=everywhere)
        async with self._database.connection() as connection:
            await connection.execute(Sql.clear, caller.space_id, place, setting)


def is_one_channel(caller: Caller) -> bool:
    """Whether the caller's space is the one channel they talk in."""
    return caller.is_direct or caller.space_id == TERMINAL_SPACE


def held(choices: PlaceChoices, what: Choosable) -> Held:
    """What holds: the channel's choice, else the space's, else the settings', else the default.

    A choice that is not there any more gives way to the next. Of several that are chosen together those hold that
    are there, be it not one of them.
    """
    gone: tuple[str, ...] = ()
    for by, chosen in ((HeldBy.CHANNEL, choices.here), (HeldBy.SPACE, choices.everywhere)):
        value = chosen.get(what.setting)
        if value is None:
            continue
        known, unknown = what.known(value), what.unknown(value)
        gone += unknown
        if known or what.are_several:
            return Held(value=value, by=by, names=known, gone=gone)
    by = HeldBy.SETTINGS if what.is_set else HeldBy.DEFAULT
    return Held(value=what.default, by=by, names=what.known(what.default), gone=gone)


async def forget_in(connection: Connection, space_id: SpaceId, person_id: PersonId) -> None:
    """Inside a transaction: who chose is not known any more, where it was this person; what they chose stays."""
    await connection.execute(Sql.forget_chooser, space_id, person_id)


def _place(caller: Caller, *, everywhere: bool) -> ChannelId:
    return WHOLE_SPACE if everywhere or is_one_channel(caller) else caller.origin_id
