"""Names, under Hathi's next answer in a channel, who was overheard there and never told that they are remembered."""

import collections
import contextlib
import itertools
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from bot import errors, log
from bot.domain import Caller, ChannelId, PersonId, SpaceId
from bot.presentation import introduction
from bot.store.people import People
from cogs.tell.consent_notice import ConsentNotice

_log = log.logger(__name__)

MOST_CHANNELS: Final = 1_000
MOST_PEOPLE: Final = 25
"""People of one channel, and channels, that are known to wait for it; others wait until they say something again."""
NAMED: Final = 5
"""People who are named under one answer."""


class Overheard:
    """Who waits to be named, by the channel whose memory holds what they said; as long as this process lives."""

    def __init__(self, people: People, consent_notice: ConsentNotice) -> None:
        self._people = people
        self._consent_notice = consent_notice
        self._waiting: collections.OrderedDict[tuple[SpaceId, ChannelId], dict[PersonId, str]] = (
            collections.OrderedDict()
        )

    def note(self, caller: Caller) -> None:
        """Something they said to others was kept."""
        if caller.person_id in self._consent_notice.told:
            return
        key = (caller.space_id, caller.origin_id)
        waiting = self._waiting.setdefault(key, {})
        self._waiting.move_to_end(key)
        if len(waiting) < MOST_PEOPLE:
            waiting[caller.person_id] = caller.name
        if len(self._waiting) > MOST_CHANNELS:
            self._waiting.popitem(last=False)

    @contextlib.asynccontextmanager
    async def naming(self, caller: Caller) -> AsyncGenerator[Sequence[str]]:
        """The line to send within the block under an answer to a caller, of who was overheard there; else none.

        They count as told unless the block fails, and wait for the next answer then.
        """
        waiting = self._waiting.get((caller.space_id, caller.origin_id), {})
        named = dict(itertools.islice(waiting.items(), NAMED))
        declined = await self._declined(named)
        asked = {person_id: name for person_id, name in named.items() if person_id not in declined}
        async with self._consent_notice.naming(asked) as names:
            yield (introduction.to_overheard(names),) if names else ()
        for person_id in named:
            waiting.pop(person_id, None)

    async def _declined(self, people: dict[PersonId, str]) -> frozenset[PersonId]:
        """Those who opted out meanwhile; all while the database is away: they are named once they speak again."""
        try:
            return await self._people.declined(people)
        except errors.DatabaseDown:
            _log.warning("overheard.database_down")
            return frozenset(people)
