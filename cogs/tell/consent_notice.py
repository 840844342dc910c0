"""Tells a person once, everywhere, that something of theirs was remembered and how to stop it."""

import collections
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

import aiohttp
import discord

from bot import errors, log
from bot.app import App
from bot.commands.grammar import PREFIX
from bot.domain import Caller, ChannelId, PersonId, SpaceId
from bot.presentation import introduction
from bot.store.spaces import Place
from cogs.send import reply_reference

_log = log.logger(__name__)

MOST_KNOWN: Final = 100_000
"""People of whom this process remembers that they were told, or could not be; of others the database is asked."""
AGAIN_AFTER: Final = timedelta(minutes=10)
"""Until it is tried again to say it to somebody whom Discord let it not reach: each attempt is a refused request."""
_NOBODY: Final = discord.AllowedMentions.none()
V = TypeVar("V")


class ConsentNotice:
    """Shared by all code that may be the first to remember somebody."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.told: collections.OrderedDict[PersonId, None] = collections.OrderedDict()
        """Of whom this process knows that they were told."""
        self._in_vain: collections.OrderedDict[PersonId, datetime] = collections.OrderedDict()

    @contextlib.asynccontextmanager
    async def telling(self, caller: Caller) -> AsyncGenerator[Sequence[str]]:
        """The notice to send within the block to somebody just remembered here; empty where they were told.

        They count as told unless the block fails: then it was not said, and is the next time.
        """
        async with self._first(caller) as place:
            yield () if place is None else (_words(caller, place),)

    async def say(
        self,
        caller: Caller,
        beside: discord.Message | discord.Interaction[Any],
        *,
        words: Callable[[str, bool], str] | None = None,
    ) -> None:
        """Sends the notice in reply to their message, or privately to an interaction's user.

        `words` of their own, for a prefix and whether it is the first time, are said to those who were told too, unless
        they are empty. Where Hathi may not write it is said in direct messages. Saying it never raises.
        """
        now, vain = self._app.clock(), self._in_vain.get(caller.person_id)
        if isinstance(beside, discord.Message) and vain is not None and now - vain < AGAIN_AFTER:
            return
        try:
            async with self._first(caller) as untold:
                place = untold
                if words is not None and untold is None:
                    place = await self._app.spaces.place(caller.space_id, caller.channel_id)
                if place is None:
                    return
                prefix = caller.prefix
                told = words(prefix, untold is not None) if words else _words(caller, place)
                if not told:
                    return
                if isinstance(beside, discord.Interaction):
                    await beside.followup.send(told, ephemeral=True, allowed_mentions=_NOBODY)
                else:
                    await self._answer(beside, told, place)
        except (discord.DiscordException, errors.HathiError, aiohttp.ClientError, OSError) as exc:
            _log.warning("consent_notice.not_said", error=type(exc).__name__, code=getattr(exc, "code", None))
            _put(self._in_vain, caller.person_id, now)

    async def _answer(self, message: discord.Message, words: str, place: Place) -> None:
        """Say it in reply to a message; where Hathi may not write, to its author directly. Raises what either does."""
        try:
            await reply_reference.send(
                message.channel,
                words,
                message.to_reference(fail_if_not_exists=False),
                alone=f"{message.author.mention} {words}",
            )
        except discord.Forbidden:
            if message.guild is None:
                raise
            direct = await message.author.create_dm()
            home = await self._app.spaces.place(SpaceId(direct.id), ChannelId(direct.id))
            where = f"<#{message.channel.id}>"
            words = introduction.to_person_elsewhere(where, PREFIX if home is None else home.prefix, place.mode)
            await direct.send(words, allowed_mentions=_NOBODY)

    @contextlib.asynccontextmanager
    async def _first(self, caller: Caller) -> AsyncGenerator[Place | None]:
        """The place where they are to be told in the block; none where they were, or the database is away."""
        now, person_id = self._app.clock(), caller.person_id
        place = None if person_id in self.told else await self._claimed(caller, now)
        is_owed = place is not None
        try:
            yield place
            is_owed = False
        finally:
            if is_owed:
                await self._take_back(person_id, now)

    async def _claimed(self, caller: Caller, now: datetime) -> Place | None:
        """How the place is treated, for the one who is to tell them; a database that is away is no reason to fail."""
        try:
            place = await self._app.spaces.place(caller.space_id, caller.channel_id)
            if place is None:
                return None
            is_first = await self._app.people.tell(caller.person_id, now)
        except errors.DatabaseDown:
            _log.warning("consent_notice.database_down")
            return None
        _put(self.told, caller.person_id, None)
        return place if is_first else None

    async def _take_back(self, person_id: PersonId, told_at: datetime) -> None:
        """They were not told: whoever keeps something of them next is to tell them."""
        self.told.pop(person_id, None)
        try:
            await self._app.people.untell(person_id, told_at)
        except errors.DatabaseDown:
            _log.warning("consent_notice.not_taken_back")


def _put(people: collections.OrderedDict[PersonId, V], person_id: PersonId, value: V) -> None:
    """Note it; beyond the most that are known, what was noted first is let go."""
    people[person_id] = value
    if len(people) > MOST_KNOWN:
        people.popitem(last=False)


def _words(caller: Caller, place: Place) -> str:
    """What is said in the place itself."""
    return introduction.to_person(caller.prefix, place.mode, is_direct=caller.is_direct)
