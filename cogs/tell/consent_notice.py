"""Tells a person once, everywhere, that something of theirs was remembered and how to stop it."""

import collections
import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

import aiohttp
import discord

from bot import errors, log
from bot.app import App
from bot.domain import Caller, PersonId
from bot.presentation import introduction
from bot.store.spaces import Place
from cogs.send import reply_reference

_log = log.logger(__name__)

MOST_KNOWN: Final = 100_000
"""People of whom this process remembers that they were told, or could not be; of others the database is asked."""
AGAIN_AFTER: Final = timedelta(minutes=10)
"""Until it is tried again to say it to somebody whom Discord let it not reach: each attempt is a refused request."""
_NOBODY: Final = discord.AllowedMentions.none()
_FAILED: Final = (discord.DiscordException, errors.HathiError, aiohttp.ClientError, OSError)
V = TypeVar("V")


class ConsentNotice:
    """Shared by all code that may be the first to remember somebody."""

    def __init__(self, app: App, privacy: Callable[[], str]) -> None:
        """`privacy` tells what can be clicked to see, stop and erase what is kept."""
        self._app = app
        self._privacy = privacy
        self.told: collections.OrderedDict[PersonId, None] = collections.OrderedDict()
        """Of whom this process knows that they were told."""
        self._in_vain: collections.OrderedDict[PersonId, datetime] = collections.OrderedDict()

    @contextlib.asynccontextmanager
    async def telling(self, caller: Caller) -> AsyncGenerator[Sequence[str]]:
        """The line to send within the block to somebody just remembered here; empty where they were told.

        They count as told unless the block fails: then it was not said, and is the next time.
        """
        place = None if caller.person_id in self.told else await self._place(caller)
        async with self.claiming(() if place is None else (caller.person_id,)) as untold:
            words = introduction.to_person(self._privacy(), place.mode, is_direct=caller.is_direct) if place else ""
            yield (words,) if untold else ()

    async def tell_alone(self, caller: Caller, interaction: discord.Interaction[Any]) -> None:
        """Says the same privately to an interaction's user. Saying it never raises."""
        try:
            async with self.telling(caller) as lines:
                if lines:
                    await interaction.followup.send("\n".join(lines), ephemeral=True, allowed_mentions=_NOBODY)
        except _FAILED as exc:
            _not_said(exc)

    async def reply(self, author: Caller, said: discord.Message, words: Callable[[str, bool], str]) -> None:
        """Tells the author of a message in reply to it that somebody else had it remembered.

        `words` for a prefix and whether it is the first time are said to those who were told too, unless they are
        empty. Saying it never raises.
        """
        now, vain = self._app.clock(), self._in_vain.get(author.person_id)
        if vain is not None and now - vain < AGAIN_AFTER:
            return
        try:
            async with self.claiming((author.person_id,)) as untold:
                told = words(author.prefix, bool(untold))
                if told:
                    to = said.to_reference(fail_if_not_exists=False)
                    await reply_reference.send(said.channel, told, to, alone=f"{said.author.mention} {told}")
        except _FAILED as exc:
            _not_said(exc)
            _put(self._in_vain, author.person_id, now)

    @contextlib.asynccontextmanager
    async def claiming(self, people: Sequence[PersonId]) -> AsyncGenerator[frozenset[PersonId]]:
        """Those of these people who are to be told within the block; none of them was told where it fails."""
        now = self._app.clock()
        untold = await self._claimed([each for each in people if each not in self.told], now)
        is_owed = bool(untold)
        try:
            yield untold
            is_owed = False
        finally:
            if is_owed:
                await self._take_back(untold, now)

    @contextlib.asynccontextmanager
    async def naming(self, people: Mapping[PersonId, str]) -> AsyncGenerator[Sequence[str]]:
        """The names of those of these people who are to be told within the block, as by `claiming`."""
        async with self.claiming([*people]) as untold:
            yield [name for person_id, name in people.items() if person_id in untold]

    async def _place(self, caller: Caller) -> Place | None:
        """How the place is treated; a database that is away is no reason to fail."""
        try:
            return await self._app.spaces.place(caller.space_id, caller.channel_id)
        except errors.DatabaseDown:
            _log.warning("consent_notice.database_down")
            return None

    async def _claimed(self, people: Sequence[PersonId], now: datetime) -> frozenset[PersonId]:
        """Those who were never told, for the one who is to tell them; nobody while the database is away."""
        if not people:
            return frozenset()
        try:
            untold = await self._app.people.tell(people, now)
        except errors.DatabaseDown:
            _log.warning("consent_notice.database_down")
            return frozenset()
        for person_id in people:
            _put(self.told, person_id, None)
        return untold

    async def _take_back(self, people: frozenset[PersonId], told_at: datetime) -> None:
        """They were not told: whoever keeps something of them next is to tell them."""
        for person_id in people:
            self.told.pop(person_id, None)
        try:
            await self._app.people.untell(people, told_at)
        except errors.DatabaseDown:
            _log.warning("consent_notice.not_taken_back")


def _put(people: collections.OrderedDict[PersonId, V], person_id: PersonId, value: V) -> None:
    """Note it; beyond the most that are known, what was noted first is let go."""
    people[person_id] = value
    if len(people) > MOST_KNOWN:
        people.popitem(last=False)


def _not_said(exc: Exception) -> None:
    _log.warning("consent_notice.not_said", error=type(exc).__name__, code=getattr(exc, "code", None))
