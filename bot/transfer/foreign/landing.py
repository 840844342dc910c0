"""Finds the channels in which what a store holds is to land, and so who can see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot import errors
from bot.db.pool import Row
from bot.domain import TERMINAL_CHANNEL, TERMINAL_SPACE, ChannelId, SpaceId
from bot.store.spaces import KEEPING_MODES
from bot.text import sanitize
from bot.transfer.foreign.neutral import ForeignChannel, Shape, snowflake

_NEW_MODES: Final = {TERMINAL_SPACE: "all"}
MODE: Final = "addressed"
"""Of a channel nobody was heard in yet."""
_MOST_NAMED: Final = 5
BY_ID: Final = "say --channel with a channel's id (right-click it in Discord's developer mode, Copy Channel ID)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """A channel of the space, known or to be made."""

    channel_id: ChannelId
    name: str
    origin_id: ChannelId
    """Whose readers are the audience."""
    origin_name: str
    mode: str
    is_known: bool
    """Whether the space has it already."""

    @property
    def told(self) -> str:
        """Its name and its id."""
        return f"{_listed([self.name])} ({self.channel_id}{'' if self.is_known else ', new here'})"

    @property
    def why_not(self) -> str:
        """Why nothing may land here; empty where it may."""
        return "" if self.mode in KEEPING_MODES else f"memory is {self.mode!r} in #{self.name}"

    @property
    def made_of(self) -> list[tuple[ChannelId, str, ChannelId | None]]:
        """What has to be there: its audience's channel, then itself."""
        if self.origin_id == self.channel_id:
            return [(self.channel_id, self.name, None)]
        return [(self.origin_id, self.origin_name, None), (self.channel_id, self.name, self.origin_id)]


class Landing:
    """Where each channel of a store is in the space."""

    def __init__(
        self, file: Path, shape: Shape, space_id: SpaceId, named: ChannelId | str | None, known: list[Row]
    ) -> None:
        """`named` is where all of it is to land, by its id or its name here.

        Raises `TransferError` where it is not told for all of it.
        """
        self._space_id = space_id
        self._known = {row["channel_id"]: row for row in known}
        self._names: dict[str, list[ChannelId]] = {}
        for row in known:
            self._names.setdefault(_folded(row["name"]), []).append(row["channel_id"])
        self._named = None if named is None else self._called(str(named))
        self.names = () if self._named is None else tuple(_listed([name]) for name in shape.names)
        """Channels that the store names and that none of it lands in."""
        self.used: dict[ChannelId, Landed] = {}
        """Those that anything landed in."""
        self._check(file, shape)

    def of(self, channel: ForeignChannel | None) -> Landed:
        """Where this lands."""
        if channel is None or (self._named is not None and channel.channel_id != self._named):
            channel = ForeignChannel(channel_id=self._named, name=str(self._named))
        found = channel.channel_id if channel.channel_id is not None else self._names[_folded(channel.name)][0]
        landed = self.used.get(ChannelId(found))
        if landed is None:
            landed = self.used[ChannelId(found)] = self._landed(ChannelId(found), channel)
        return landed

    def _landed(self, channel_id: ChannelId, channel: ForeignChannel) -> Landed:
        row = self._known.get(channel_id)
        origin_id = ChannelId(row["origin_id"] if row else channel.origin_id or channel_id)
        origin = self._known.get(origin_id)
        return Landed(
            channel_id=channel_id,
            name=sanitize.name(row["name"] if row else channel.name),
            origin_id=origin_id,
            origin_name=origin["name"] if origin else channel.origin_name or str(origin_id),
            mode=(row or origin or {"mode": _NEW_MODES.get(self._space_id, MODE)})["mode"],
            is_known=row is not None,
        )

    def _called(self, named: str) -> ChannelId:
        """The channel with this id, known or not, or the only one of the space with this name."""
        number = snowflake(named)
        if number is not None:
            return ChannelId(number)
        match self._names.get(_folded(named), []):
            case [channel_id]:
                return channel_id
            case []:
                raise errors.TransferError(
                    f"No channel of space {self._space_id} is called {_listed([named])}: {BY_ID}{self._known_ones()}."
                )
            case several:
                count, ids = sanitize.counted(len(several), "channel"), ", ".join(map(str, several))
                raise errors.TransferError(
                    f"{count} of space {self._space_id} are called {_listed([named])}: "
                    f"say --channel with the id of one of them: {ids}."
                )

    def _known_ones(self) -> str:
        """The channels whose names could be said instead, if there are any."""
        known = [f"{_listed([row['name']])} ({key})" for key, row in [*self._known.items()][:_MOST_NAMED]]
        return f"; known here: {', '.join(known)}{', …' * (len(self._known) > _MOST_NAMED)}" if known else ""

    def _check(self, file: Path, shape: Shape) -> None:
        if self._space_id == TERMINAL_SPACE and self._named != TERMINAL_CHANNEL:
            raise errors.TransferError(
                f"The terminal's space has one channel: say --channel {TERMINAL_CHANNEL} for that, "
                "or name a server's space with --space."
            )
        if self._named is not None:
            return
        if shape.guild_id is not None and shape.channel is not None:
            of = shape.guild_id or shape.channel.channel_id
            if of != self._space_id:
                raise errors.TransferError(
                    f"{file} is of space {of}, not {self._space_id}: no memory moves between spaces by itself; "
                    "name the channel it is to land in with --channel."
                )
        unknown = [name for name in shape.names if not self._names.get(_folded(name))]
        several = [name for name in shape.names if len(self._names.get(_folded(name), ())) > 1]
        if unknown or several:
            knows = f"none called {_listed(unknown)} yet" if unknown else f"several called {_listed(several)}"
            raise errors.TransferError(
                f"{file} names its channels, and space {self._space_id} knows {knows}: {BY_ID} to have all of it land "
                f"there, or write ids for the names in the file{self._known_ones()}."
            )
        if shape.is_unplaced:
            raise errors.TransferError(
                f"{file} names no channel for all of it: say with --channel where it is to land, and so who can see it."
            )


def _listed(names: Sequence[str]) -> str:
    """Channels by their names, each once, as people write them."""
    shown = dict.fromkeys(f"#{sanitize.name(name).removeprefix('#')}" for name in names)
    return ", ".join([*shown][:_MOST_NAMED]) + ", …" * (len(shown) > _MOST_NAMED)


def _folded(name: str) -> str:
    return name.strip().removeprefix("#").casefold()
