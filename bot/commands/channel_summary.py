"""`!summary`: shows the rolling summary of a channel, and has it made anew."""

from collections.abc import Callable, Coroutine
from typing import Any, Final

from bot import catalogue
from bot.commands.invocation import Invocation
from bot.domain import UNDO_WINDOW, Caller, Reply, RollingSummary, id_time
from bot.lifecycle.creator import Creator
from bot.presentation import render
from bot.recall.librarian import Librarian
from bot.text import amounts, message_links, sanitize

WITHHELD: Final = catalogue.later("withheld until")
UNSUMMED: Final = catalogue.later("Nothing was summed up here")
Spawn = Callable[[Coroutine[Any, Any, None]], None]


class ChannelSummary:
    """The use cases of a channel's rolling summary."""

    def __init__(self, librarian: Librarian, creator: Creator, spawn: Spawn) -> None:
        self._librarian = librarian
        self._creator = creator
        self._spawn = spawn

    async def summary(self, given: Invocation) -> Reply:
        """The summary with its date and reach, or what became of the wish to have it made anew."""
        caller = given.caller
        if given.args.form == "rebuild":
            return await self._rebuilt(caller)
        found = await self._librarian.rolling_summary(caller.space_id, caller.channel_id)
        if found is None:
            return Reply(text=await self._nothing(caller))
        since, through, made = (
            render.time(at, caller.time_zone) for at in (id_time(found.since), id_time(found.through), found.made_at)
        )
        text = render.quoted(sanitize.unmasked(found.text))
        head = catalogue.gettext("This channel from {since} to {through}, summed up on {made}:")
        told = f"{head.format(since=since, through=through, made=made)}\n{text}"
        # Where a model makes them, one that it could not be had for is told of.
        if found.by_rule and self._creator.distiller.summarizer.is_there:
            told += f"\n{render.made_by_rule(found.by_rule, of=found.entries, is_least=found.is_least)}"
        return Reply(text=told + await self._condensed(caller, found))

    async def _condensed(self, caller: Caller, found: RollingSummary) -> str:
        """How much of the ledger was condensed, with where that begins; nothing where none was."""
        if not found.condensed:
            return ""
        places = await self._librarian.places(caller, [found.since])
        link = message_links.of(caller, places[found.since], found.since) if found.since in places else None
        holds = catalogue.gettext("The ledger holds {entries}, the oldest {count} condensed into one.")
        entries = amounts.told(amounts.entries(found.entries), is_least=found.is_least)
        told = f"\n{holds.format(entries=entries, count=found.condensed)}"
        return told if link is None else f"{told}\n  {catalogue.gettext(render.GO)}: {link}"

    async def _rebuilt(self, caller: Caller) -> Reply:
        count = await self._creator.forget_summary(caller.space_id, caller.channel_id)
        if not count:
            return Reply(text=await self._nothing(caller))
        self._spawn(self._make(caller))
        told = catalogue.gettext(
            "The summary of this channel is made anew from {entries} of its ledger; {p}summary shows it."
        )
        return Reply(text=told.format(entries=amounts.entries(count), p=caller.prefix))

    async def _make(self, caller: Caller) -> None:
        await self._creator.make(caller.space_id, caller.channel_id)

    async def _nothing(self, caller: Caller) -> str:
        """Why there is no summary, and what brings one."""
        known = await self._librarian.unsummed(caller.space_id, caller.channel_id)
        if known.withheld_at is not None:
            until = render.time(known.withheld_at + UNDO_WINDOW, caller.time_zone)
            told = (
                catalogue.gettext(
                    "The summary of this channel is {withheld} {until}, since something it tells of was forgotten; "
                    "{p}summary rebuild makes it of the rest."
                )
                if known.entries
                else catalogue.gettext(
                    "The summary of this channel is {withheld} {until}, since something it tells of was forgotten."
                )
            )
            return told.format(withheld=catalogue.gettext(WITHHELD), until=until, p=caller.prefix)
        if known.entries:
            told = catalogue.gettext("The summary of this channel is being made of {entries} of its ledger.")
            return told.format(entries=amounts.told(amounts.entries(known.entries), is_least=known.is_least))
        if not known.was_made:
            return catalogue.gettext("There is no summary of this channel yet: {when}").format(when=self._when())
        unsummed = catalogue.gettext(UNSUMMED)
        if known.reset_at is None:
            return catalogue.gettext("{unsummed} yet: {when}").format(unsummed=unsummed, when=self._when())
        told = catalogue.gettext("{unsummed} since the last reset on {time}: {when}")
        time = render.time(known.reset_at, caller.time_zone)
        return told.format(unsummed=unsummed, time=time, when=self._when())

    def _when(self) -> str:
        settings = self._creator.settings
        hours, minutes = divmod(round(settings.idle.total_seconds() / 60), 60)
        told = catalogue.gettext(
            "one is made within minutes once {messages} since the last are kept, or after {silence} of silence."
        )
        silence = amounts.minutes(hours * 60 + minutes) if minutes else amounts.hours(hours)
        return told.format(messages=amounts.messages(settings.messages), silence=silence)
