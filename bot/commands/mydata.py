"""`!mydata`: shows, exports and erases a person's own data."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation, Reach
from bot.domain import Caller, Forgettable, MessageId, PersonId, Reply, SpaceId
from bot.lifecycle.departures import kept_until
from bot.lifecycle.personal_data import Overview, PersonalData
from bot.lifecycle.space_erasure import COUNTED, Receipt
from bot.presentation import introduction, render
from bot.text import amounts
from bot.text.normalize import one_line, shown

_FROM_NOW_ON: Final = catalogue.later(
    "What you say from now on is kept as each channel has it, unless you have opted out; {p}memory off me does that."
)
DELETE_THEM: Final = catalogue.later("Delete them")
"""Under a receipt: deletes Hathi's messages on Discord that tell of what was erased."""
_WOULD: Final = catalogue.later(
    "This would erase, everywhere and for good: {would}; with my replies, and all else I made of it. Nothing brings it "
    "back. {p}mydata erase confirm does it; {p}mydata export gives it to you before."
)
_WOULD_REPLIES: Final = catalogue.later(
    "This would erase my replies to you, everywhere and for good. Nothing brings them back. {p}mydata erase confirm "
    "does it; {p}mydata export gives it to you before."
)
_NOTHING: Final = catalogue.later("I have nothing of yours.")
_ALONE: Final = catalogue.later(
    "I show that only where nobody else reads it: ask me in a direct message, or with /privacy."
)
_DIRECT: Final = catalogue.later("direct messages")
_UNNAMED: Final = catalogue.later("a server I am not in now")
_GONE: Final = catalogue.later("a server I was removed from")


class MyData:
    """Shows, exports and erases one person's data."""

    def __init__(self, personal_data: PersonalData, clock: Callable[[], datetime], *, privacy_url: str = "") -> None:
        self._personal_data = personal_data
        self._privacy_url = privacy_url
        self._clock = clock

    async def mydata(self, given: Invocation) -> Reply:
        """Shows, exports or erases what is theirs. Raises `NotAllowed` where others would read along."""
        caller = given.caller
        # To erase, nothing is read: that must not fail because Discord can't be asked what they can read.
        match given.args.form:
            case "erase":
                return await self.erasable(caller)
            case "erase confirm":
                return await self.erase(caller)
            case "export":
                reach = await given.reach(caller)
                _check_alone(reach)
                text = catalogue.gettext("Everything I have of you, one JSON object a line.")
                return Reply(text=f"{text}{_left_out(reach)}", lines=self.lines(caller.person_id, reach))
            case _:
                return await self._see(caller, await given.reach(caller))

    async def _see(self, caller: Caller, reach: Reach) -> Reply:
        _check_alone(reach)
        found = await self._personal_data.overview(caller.person_id, reach.readable, now=self._clock())
        told = _overview(found, reach.names, caller) + _left_out(reach)
        return Reply(text=told + introduction.policy(self._privacy_url))

    async def lines(self, person_id: PersonId, reach: Reach) -> AsyncGenerator[str]:
        """Everything of theirs as JSON lines, a page of the database at a time. Raises as `mydata` does."""
        _check_alone(reach)
        async for line in self._personal_data.exported(person_id, reach.readable, now=self._clock()):
            yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"

    async def erasable(self, caller: Caller) -> Reply:
        """What erasing everything of theirs would take; asks for a yes."""
        receipt = await self._personal_data.erasable(caller.person_id)
        if not receipt_text(receipt):
            return Reply(text=catalogue.gettext(_NOTHING))
        # Which replies were made of it is found only when it is erased: a number would be another one then.
        would = receipt_text(replace(receipt, replies=0, turns=0))
        told = catalogue.gettext(_WOULD if would else _WOULD_REPLIES)
        return Reply(text=told.format(would=would, p=caller.prefix), asks=Forgettable(everything=True))

    async def erase(self, caller: Caller, *, asking: MessageId | None = None) -> Reply:
        """Erases everything of theirs, and closes their open questions but the one `asking`."""
        receipt = await self._personal_data.erase(caller.person_id, now=self._clock(), asking=asking)
        gone = receipt_text(receipt)
        text = catalogue.gettext("Erased for good: {gone}.").format(gone=gone) if gone else catalogue.gettext(_NOTHING)
        if receipt.summaries:
            text += " " + catalogue.gettext("Chat summaries of talk with others are made again without you.")
        standing = await self._personal_data.count_standing(caller.person_id)
        if standing:
            told = catalogue.ngettext(
                "What was erased is still told by {count} message of mine on Discord; “{button}” deletes them there.",
                "What was erased is still told by {count} messages of mine on Discord; “{button}” deletes them there.",
                standing,
            )
            text += " " + told.format(count=standing, button=catalogue.gettext(DELETE_THEM))
        return Reply(
            text=f"{text} {catalogue.gettext(_FROM_NOW_ON).format(p=caller.prefix)}",
            closed_turns=receipt.in_progress,
            erased_by=caller.person_id if standing else None,
        )


def _check_alone(reach: Reach) -> None:
    if not reach.is_alone:
        raise errors.NotAllowed(_ALONE)


def _left_out(reach: Reach) -> str:
    """Of how many servers memories and notes are not in what is shown; empty where of none."""
    if not reach.unasked:
        return ""
    told = catalogue.ngettext(
        "Memories and notes of {count} more server are left out, for I can look up only so many at once what you can "
        "read there; use /privacy in those.",
        "Memories and notes of {count} more servers are left out, for I can look up only so many at once what you can "
        "read there; use /privacy in those.",
        len(reach.unasked),
    )
    return "\n" + told.format(count=len(reach.unasked))


def _overview(found: Overview, names: Mapping[SpaceId, str], caller: Caller) -> str:
    counts = [
        f"{_called(space, found, names, caller)}: {how_much}"
        for space in found.messages
        if (how_much := _how_much(space, found))
    ]
    if not counts:
        return catalogue.gettext(_NOTHING)
    newest = [f"  {render.time(said.at, caller.time_zone)} · {shown(one_line(said.text))}" for said in found.newest]
    wish = [catalogue.gettext("You opted out: nothing more is kept.")] if found.opted_out else []
    more = catalogue.gettext("{p}mydata export gives you all of it; {p}mydata erase tells what erasing it would take.")
    return "\n".join(
        [
            catalogue.gettext("What I have of you (memories: yours, and those about you, from channels you can read):"),
            *counts,
            *([catalogue.gettext("Your newest messages:"), *newest] if newest else []),
            *wish,
            more.format(p=caller.prefix),
        ]
    )


def _how_much(space: SpaceId, found: Overview) -> str:
    """How much of each kind there is in a space, in words; empty where there is nothing."""
    memories, by_others = found.memories.get(space, 0), found.by_others.get(space, 0)
    notes, files = found.notes.get(space, 0), found.files.get(space, 0)
    if not (found.messages[space] or memories or by_others or notes):
        return ""
    parts = [amounts.messages(found.messages[space]), amounts.memories(memories)]
    parts += [amounts.memories_by_others(by_others)] if by_others else []
    parts += [amounts.notes(notes)] if notes else []
    parts += [amounts.files(files)] if files else []
    is_least = max(found.messages[space], memories, by_others) >= COUNTED
    return amounts.told(", ".join(parts), is_least=is_least)


def _called(space: SpaceId, found: Overview, names: Mapping[SpaceId, str], caller: Caller) -> str:
    """What a space is called; of one that Hathi was removed from, until when what it has of it is kept."""
    if (until := kept_until(found.gone, space)) is not None:
        told = catalogue.gettext("{gone} ({space}; all of it is erased after {time})")
        gone = catalogue.gettext(_GONE)
        return told.format(gone=gone, space=space, time=render.time(until, caller.time_zone))
    return shown(names.get(space, catalogue.gettext(_DIRECT if space in found.direct else _UNNAMED)))


def receipt_text(receipt: Receipt) -> str:
    """How much of each kind, in words; empty where there is nothing."""
    found = (
        (receipt.messages, amounts.messages),
        (receipt.replies, amounts.replies),
        (receipt.memories, amounts.memories),
        (receipt.summaries, amounts.chat_summaries),
        (receipt.notes, amounts.notes),
        (receipt.turns, amounts.records),
        (receipt.names, amounts.names),
    )
    return amounts.told(", ".join(told(count) for count, told in found if count), is_least=receipt.is_least)
