"""The interfaces that terminal and Discord implement: the venue of a question and the sink of its reply."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bot.domain import Caller, Message, MessageId, Reply, Saved, Surroundings, Turn

Keep = Callable[[str], Awaitable[None]]
"""Commits that so much of a reply may have been shown; raises `LeaseLost`, `AudienceSeesLess` or `DatabaseDown`."""


class Venue(Protocol):
    """The channel a question was asked in: its messages and its audience."""

    async def history(self, turn: Turn) -> Sequence[Message]:
        """The messages from the session's start to the question, for channels where none are recorded."""
        ...

    async def surroundings(self, turn: Turn) -> Surroundings:
        """The context of a question, as far as it may be shown; less of it where it can't be read."""
        ...

    def stands(self, ids: Iterable[MessageId], since: float) -> bool:
        """Whether none of these messages was deleted or edited `since` (monotonic seconds), as far as is known here."""
        ...

    def audience(self, caller: Caller) -> Caller:
        """The caller with the audience of this moment."""
        ...

    def tell_author(self, saved: Saved, keeper: Caller) -> None:
        """Begins to tell the author of what the keeper had remembered, where that is somebody else."""
        ...


class ReplySink(Protocol):
    """Shows a reply, at the terminal or on Discord. Entered while the reply is written."""

    async def __aenter__(self) -> Any:
        """Shows that the answer is being worked on."""
        ...

    async def __aexit__(self, *_: object) -> None:
        """Stops showing that; text already shown is kept."""
        ...

    async def show(self, text: str, keep: Keep) -> None:
        """Shows the reply so far, after `keep`. Raises what `keep` raised, now or at the next call."""
        ...

    async def finish(self, text: str, notes: Sequence[str], reply: Reply | None = None) -> Sequence[MessageId]:
        """Completes the reply, with the notes under it; the ids of its messages, where those have any.

        What is to be pressed under it is told by the `reply` that it is.

        Raises `DiscordError`.
        """
        ...

    async def withdraw(self) -> None:
        """Takes back what was shown."""
        ...


@dataclass(slots=True, kw_only=True)
class Delivery:
    """The venue and the sink of one answer, and whether the answer was stopped."""

    venue: Venue
    sink: ReplySink
    is_stopped: bool = False
    """Set before the answer's task is cancelled: what was shown is kept and marked, and the question is closed.

    A cancelled answer that was not stopped is left to the next start.
    """
    by_person: bool = False
    """Whether a person stopped it, and no restart."""
    is_whole: bool = False
    """Whether nothing more of it is written: it is only still to be shown and recorded."""

    def stop(self, work: asyncio.Task[None]) -> bool:
        """Has the `work` on the answer end at a person's wish; false where the answer is whole already."""
        if self.is_whole:
            return False
        if not self.is_stopped:
            # Once: a second time would break off the recording of what was shown.
            self.is_stopped = self.by_person = True
            work.cancel()
        return True
