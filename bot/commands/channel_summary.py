"""`!summary`: shows the rolling summary of a channel, and has it made anew."""

from collections.abc import Callable, Coroutine
from typing import Any

from bot.commands.invocation import Invocation
from bot.domain import Caller, Reply, RollingSummary, id_time
from bot.lifecycle.creator import Creator
from bot.presentation import render
from bot.recall.librarian import Librarian
from bot.text import message_links, sanitize
from bot.text.sanitize import counted

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
            return Reply(text=self._nothing())
        since, through, made = (
            render.time(at, caller.time_zone) for at in (id_time(found.since), id_time(found.through), found.made_at)
        )
        text = render.quoted(sanitize.unmasked(found.text))
        told = f"This channel from {since} to {through}, summed up on {made}:\n{text}"
        # Where a model makes them, one that it could not be had for is told of.
        if found.by_rule and self._creator.distiller.summarizer.is_there:
            entries = counted(found.entries, "entry")
            told += f"\n(Of {entries} in the ledger {found.by_rule} made by rule, without a model.)"
        return Reply(text=told + await self._condensed(caller, found))

    async def _condensed(self, caller: Caller, found: RollingSummary) -> str:
        """How much of the ledger was condensed, with where that begins; nothing where none was."""
        if not found.condensed:
            return ""
        places = await self._librarian.places(caller, [found.since])
        link = message_links.of(caller, places[found.since], found.since) if found.since in places else None
        told = f"\nThe ledger holds {counted(found.entries, 'entry')}, the oldest {found.condensed} condensed into one."
        return told if link is None else f"{told}\n  {render.GO}: {link}"

    async def _rebuilt(self, caller: Caller) -> Reply:
        count = await self._creator.forget_summary(caller.space_id, caller.channel_id)
        if not count:
            return Reply(text=self._nothing())
        self._spawn(self._make(caller))
        return Reply(
            text=f"The summary of this channel is made anew from {counted(count, 'entry')} of its ledger; "
            f"{caller.prefix}summary shows it."
        )

    async def _make(self, caller: Caller) -> None:
        await self._creator.make(caller.space_id, caller.channel_id)

    def _nothing(self) -> str:
        settings = self._creator.settings
        hours, minutes = divmod(round(settings.idle.total_seconds() / 60), 60)
        silence = counted(hours * 60 + minutes, "minute") if minutes else counted(hours, "hour")
        enough = counted(settings.messages, "message")
        return (
            f"No memories have been generated yet: that happens after {enough}, or after {silence} of silence, where "
            "conversations are kept."
        )
