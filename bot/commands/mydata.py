"""`!mydata`: shows, exports and erases a person's own data."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from datetime import datetime
from typing import Final

from bot import errors
from bot.commands.invocation import Invocation, Reach
from bot.domain import Caller, Forgettable, MessageId, PersonId, Reply, SpaceId
from bot.lifecycle.departures import kept_until
from bot.lifecycle.personal_data import Overview, PersonalData
from bot.lifecycle.space_erasure import COUNTED, Receipt
from bot.presentation import introduction, render
from bot.text import notices
from bot.text.normalize import one_line, shown
from bot.text.sanitize import counted

_FROM_NOW_ON: Final = (
    "What you say from now on is kept as each channel has it, unless you have opted out; {p}memory off me does that."
)
DELETE_THEM: Final = "Delete them"
"""Under a receipt: deletes Hathi's messages on Discord that tell of what was erased."""
_NOTHING: Final = "I have nothing of yours."
_ALONE: Final = "I show that only where nobody else reads it: ask me in a direct message, or with /privacy."
_DIRECT: Final = "direct messages"
_UNNAMED: Final = "a server I am not in now"
_GONE: Final = "a server I was removed from"
_KINDS: Final = (
    ("messages", "message", "messages"),
    ("replies", "reply of mine", "replies of mine"),
    ("memories", "memory", "memories"),
    ("summaries", "chat summary", "chat summaries"),
    ("notes", "note", "notes"),
    ("turns", "record of an answer", "records of answers"),
    ("names", "name", "names"),
)


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
                text = "Everything I have of you, one JSON object a line."
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
        would = receipt_text(await self._personal_data.erasable(caller.person_id))
        if not would:
            return Reply(text=_NOTHING)
        return Reply(
            text=f"This would erase, everywhere and for good: {would}; and what I made of it. Nothing brings it "
            f"back. {caller.prefix}mydata erase confirm does it; {caller.prefix}mydata export gives it to you before.",
            asks=Forgettable(everything=True),
        )

    async def erase(self, caller: Caller, *, asking: MessageId | None = None) -> Reply:
        """Erases everything of theirs, and closes their open questions but the one `asking`."""
        receipt = await self._personal_data.erase(caller.person_id, now=self._clock(), asking=asking)
        gone = receipt_text(receipt)
        text = f"{notices.ERASED}: {gone}." if gone else _NOTHING
        if receipt.summaries:
            text += " Chat summaries of talk with others are made again without you."
        standing = await self._personal_data.count_standing(caller.person_id)
        if standing:
            told = counted(standing, "message")
            text += f" What was erased is still told by {told} of mine on Discord; “{DELETE_THEM}” deletes them there."
        return Reply(
            text=f"{text} {_FROM_NOW_ON.format(p=caller.prefix)}",
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
    return (
        f"\nMemories and notes of {counted(len(reach.unasked), 'more server')} are left out, for I can look up only so "
        "many at once what you can read there; use /privacy in those."
    )


def _overview(found: Overview, names: Mapping[SpaceId, str], caller: Caller) -> str:
    counts = [
        f"{_called(space, found, names, caller)}: {how_much}"
        for space in found.messages
        if (how_much := _how_much(space, found))
    ]
    if not counts:
        return _NOTHING
    newest = [f"  {render.time(said.at, caller.time_zone)} · {shown(one_line(said.text))}" for said in found.newest]
    p, wish = caller.prefix, ["You opted out: nothing more is kept."] if found.opted_out else []
    return "\n".join(
        [
            "What I have of you (memories: yours, and those about you, from channels you can read):",
            *counts,
            *(["Your newest messages:", *newest] if newest else []),
            *wish,
            f"{p}mydata export gives you all of it; {p}mydata erase tells what erasing it would take.",
        ]
    )


def _how_much(space: SpaceId, found: Overview) -> str:
    """How much of each kind there is in a space, in words; empty where there is nothing."""
    memories, by_others = found.memories.get(space, 0), found.by_others.get(space, 0)
    notes, files = found.notes.get(space, 0), found.files.get(space, 0)
    if not (found.messages[space] or memories or by_others or notes):
        return ""
    parts = [counted(found.messages[space], "message"), counted(memories, "memory")]
    parts += [f"{counted(by_others, 'memory')} about you by others"] if by_others else []
    parts += [counted(notes, "note")] if notes else []
    parts += [counted(files, "file")] if files else []
    is_least = max(found.messages[space], memories, by_others) >= COUNTED
    return f"at least {', '.join(parts)}" if is_least else ", ".join(parts)


def _called(space: SpaceId, found: Overview, names: Mapping[SpaceId, str], caller: Caller) -> str:
    """What a space is called; of one that Hathi was removed from, until when what it has of it is kept."""
    if (until := kept_until(found.gone, space)) is not None:
        return f"{_GONE} ({space}; all of it is erased after {render.time(until, caller.time_zone)})"
    return shown(names.get(space, f"{_DIRECT if space in found.direct else _UNNAMED} ({space})"))


def receipt_text(receipt: Receipt) -> str:
    """How much of each kind, in words; empty where there is nothing."""
    found = [(getattr(receipt, kind), one, many) for kind, one, many in _KINDS]
    told = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in found if count)
    return f"at least {told}" if receipt.is_least else told
