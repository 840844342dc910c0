"""What is being written and can be stopped, each known by its question."""

import contextlib
from collections.abc import Callable, Generator
from typing import Final

from bot import catalogue, errors
from bot.domain import Caller, ChannelId, MessageId, PersonId, Right, Turn

ASKERS_ALONE: Final = catalogue.later("Only who asked, or who may manage messages here, can stop that.")
NOT_WRITTEN: Final = catalogue.later("That is not being written any more, so there is nothing to stop.")


class Stops:
    """What this process is writing."""

    def __init__(self) -> None:
        self._under_way: dict[MessageId, tuple[Caller, Callable[[], bool]]] = {}

    @contextlib.contextmanager
    def under_way(self, turn: Turn, stop: Callable[[], bool]) -> Generator[None]:
        """A block in which what answers a turn can be stopped: `stop` begins that, or says that it is whole already."""
        turn_id = turn.message.message_id
        self._under_way[turn_id] = turn.caller, stop
        try:
            yield
        finally:
            del self._under_way[turn_id]

    def __contains__(self, turn_id: MessageId) -> bool:
        """Whether something is written here in answer to a question, or is whole and not recorded yet."""
        return turn_id in self._under_way

    def stop(self, caller: Caller, turn_id: MessageId) -> None:
        """Stops what answers a question, for who asked it and for moderators.

        Raises `NotAllowed` for anybody else, and `NotFound` where it is whole, or is not written by this process.
        """
        asker, stop = self._under_way.get(turn_id, (None, None))
        if asker is None or stop is None:
            raise errors.NotFound(NOT_WRITTEN)
        if caller.person_id != asker.person_id and not caller.may(Right.MANAGE_MESSAGES):
            raise errors.NotAllowed(ASKERS_ALONE)
        if not stop():
            raise errors.NotFound(NOT_WRITTEN)

    def stop_all(self, person_id: PersonId, channel_id: ChannelId) -> bool:
        """Stops what is written here for somebody, or waits to be, in a channel and its threads; whether any was."""
        theirs = [
            stop
            for asker, stop in self._under_way.values()
            if asker.person_id == person_id and channel_id in {asker.channel_id, asker.origin_id}
        ]
        # What waits would be written next.
        stopped = [stop() for stop in theirs]
        return any(stopped)
