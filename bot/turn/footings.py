"""Foresees in which session a question will be recorded, so that it is read for an answer before that is known."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final

from bot.domain import ChannelId, SessionId, SpaceId, Turn

MOST: Final = 10_000
"""Channels, the last to be spoken in, of which it is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """On what a turn is answered: what is told of it when it is recorded."""

    session_id: SessionId | None
    unkept: bool
    taken_back: int
    """How often something of the space had been taken back by then."""

    def under(self, turn: Turn) -> Turn:
        """A turn as it will be recorded on this footing."""
        said = replace(turn.message, session_id=self.session_id)
        return replace(turn, message=said, unkept=self.unkept, claimed=True, taken_back=self.taken_back)


class Footings:
    """The footing of the last turn of each channel, as this process knows it."""

    def __init__(self) -> None:
        self._last: OrderedDict[tuple[SpaceId, ChannelId], Footing] = OrderedDict()

    def of(self, turn: Turn) -> Footing | None:
        """What a turn will probably be recorded on; none where nothing is known of its channel."""
        return self._last.get(_place(turn))

    def note(self, recorded: Turn, expected: Footing | None) -> bool:
        """Keeps the footing of a recorded turn for the next one; whether what was read for the expected one holds.

        What was taken back since the count that was expected was read has changed it by now, or will be noticed by it.
        """
        message = recorded.message
        found = Footing(session_id=message.session_id, unkept=recorded.unkept, taken_back=recorded.taken_back)
        self._last[_place(recorded)] = found
        self._last.move_to_end(_place(recorded))
        if len(self._last) > MOST:
            self._last.popitem(last=False)
        return recorded.claimed and found == expected


def _place(turn: Turn) -> tuple[SpaceId, ChannelId]:
    return turn.caller.space_id, turn.caller.channel_id
