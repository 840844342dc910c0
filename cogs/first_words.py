"""First words: what a person is told the first time something of theirs is remembered, once and everywhere."""

import collections
from collections.abc import Sequence
from typing import Final

from bot import errors, log
from bot.client import Services
from bot.commands import introduction
from bot.domain import Caller, PersonId

_log = log.logger(__name__)

MOST_TOLD: Final = 100_000
"""People of whom this process remembers that they were told; of others the database is asked."""


class FirstWords:
    """Shared by everything that may be the first to remember somebody."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._told: collections.OrderedDict[PersonId, None] = collections.OrderedDict()

    async def of(self, caller: Caller) -> Sequence[str]:
        """What is to be said to them now, of whom something was kept here; a database that is away is no reason."""
        if caller.person_id in self._told:
            return ()
        try:
            place = await self._services.spaces.place(caller.space_id, caller.channel_id)
            if place is None:
                return ()
            first = await self._services.people.tell(caller.person_id, self._services.clock())
        except errors.DatabaseDown:
            _log.warning("first_words.database_down")
            return ()
        self._told[caller.person_id] = None
        if len(self._told) > MOST_TOLD:
            self._told.popitem(last=False)
        return (introduction.to_person(place.prefix),) if first else ()
