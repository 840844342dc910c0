"""`!mydata`: shows, exports and erases a person's own data."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import errors
from bot.domain import Forgettable, MessageId, PersonId, Reply, SpaceId
from bot.lifecycle.personal_data import Overview, PersonalData, Readable, Receipt
from bot.presentation import render
from bot.text.normalize import one_line, shown
from bot.text.sanitize import counted

WORDS: Final = ("see", "export", "erase")
"""What `!mydata` does; bare it shows."""
_FROM_NOW_ON: Final = (
    "What you say from now on is kept as each channel has it, unless you have opted out; !memory off me does that."
)
_NOTHING: Final = "I have nothing of yours."
_ALONE: Final = "I show that only where nobody else reads it: ask me in a direct message, or with /mydata."
_UNNAMED: Final = "direct messages, or a server I am not in now"
_KINDS: Final = (
    ("messages", "message", "messages"),
    ("replies", "reply of mine", "replies of mine"),
    ("memories", "memory", "memories"),
    ("summaries", "chat summary (made again without you)", "chat summaries (made again without you)"),
    ("notes", "note", "notes"),
    ("turns", "record of an answer", "records of answers"),
    ("names", "name", "names"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a person may be shown where they ask."""

    readable: Readable
    """The channels they can read now, by space."""
    names: Mapping[SpaceId, str]
    """What people call those spaces."""
    is_alone: bool
    """Whether nobody but them will read the answer."""


class MyData:
    """Shows, hands over and erases what is one person's."""

    def __init__(self, personal_data: PersonalData, clock: Callable[[], datetime]) -> None:
        self._personal_data = personal_data
        self._clock = clock

    async def run(
        self,
        person_id: PersonId,
        word: str,
        reach: Reach,
        *,
        confirm: bool,
        zone: str = "UTC",
        asking: MessageId | None = None,
    ) -> tuple[Reply, Receipt]:
        """The reply to `!mydata word`, and what was erased: its turns in hand are to be stopped.

        The turn that is `asking` for it is not among them: it tells what is gone.

        An export is announced; `lines` are what goes with it. Times are told in the `zone`.
        Raises `NotAllowed` where others would read along.
        """
        if word == "erase":
            return await self._erase(person_id, confirm=confirm, asking=asking)
        if confirm:
            raise errors.BadArgument("Only !mydata erase takes confirm.")
        if not reach.is_alone:
            raise errors.NotAllowed(_ALONE)
        if word == "export":
            return Reply(text="Everything I have of you, one JSON object a line."), Receipt()
        found = await self._personal_data.overview(person_id, reach.readable, now=self._clock())
        return Reply(text=_overview(found, reach.names, zone)), Receipt()

    async def lines(self, person_id: PersonId, reach: Reach) -> AsyncGenerator[str]:
        """Everything of theirs as JSON lines, a page of the database at a time. Raises `NotAllowed` as `run` does."""
        if not reach.is_alone:
            raise errors.NotAllowed(_ALONE)
        async for line in self._personal_data.exported(person_id, reach.readable, now=self._clock()):
            yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"

    async def _erase(
        self, person_id: PersonId, *, confirm: bool, asking: MessageId | None = None
    ) -> tuple[Reply, Receipt]:
        if not confirm:
            would = _counts(await self._personal_data.erasable(person_id))
            if not would:
                return Reply(text=_NOTHING), Receipt()
            return Reply(
                text=f"This would erase, everywhere and for good: {would}; and what I made of it. Nothing brings it "
                "back. !mydata erase confirm does it; !mydata export gives it to you before.",
                asks=Forgettable(everything=True),
            ), Receipt()
        receipt = await self._personal_data.erase(person_id, now=self._clock(), asking=asking)
        gone = _counts(receipt)
        text = f"Erased for good: {gone}." if gone else _NOTHING
        return Reply(text=f"{text} {_FROM_NOW_ON}"), receipt


def _overview(found: Overview, names: Mapping[SpaceId, str], zone: str) -> str:
    counts = [
        f"{shown(names.get(space, f'{_UNNAMED} ({space})'))}: {counted(messages, 'message')}, "
        f"{counted(found.memories.get(space, 0), 'memory')}"
        + f", {counted(found.notes[space], 'note')}" * bool(found.notes.get(space))
        + (f", {counted(files, 'file')}" if (files := found.files.get(space, 0)) else "")
        for space, messages in found.messages.items()
        if messages or found.memories.get(space) or found.notes.get(space)
    ]
    if not counts:
        return _NOTHING
    newest = [f"  {render.time(said.at, zone)} · {shown(one_line(said.text))}" for said in found.newest]
    wish = ["You opted out: nothing more is kept."] if found.opted_out else []
    return "\n".join(
        [
            "What I have of you (memories: those by you or about you, from channels you can read):",
            *counts,
            *(["Your newest messages:", *newest] if newest else []),
            *wish,
            "!mydata export gives you all of it; !mydata erase tells what erasing it would take.",
        ]
    )


def _counts(receipt: Receipt) -> str:
    found = [(getattr(receipt, kind), one, many) for kind, one, many in _KINDS]
    return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in found if count)
