"""The types of a command's invocation: who gave it, with which arguments and how; and of its handler."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from bot import catalogue
from bot.arguments import Arguments
from bot.domain import NOBODY, TERMINAL_SPACE, Actor, Caller, Mentions, MessageId, Reply, SpaceId
from bot.lifecycle.personal_data import Readable

Announce = Callable[[Reply], Awaitable[None]]
"""Where lines that come later go: under the reset's message, or on the terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How much of their own data a person may be shown where they ask."""

    readable: Readable
    """The channels they can read now, by space."""
    names: Mapping[SpaceId, str]
    """What people call those spaces."""
    is_alone: bool
    """Whether nobody but them will read the answer."""
    unasked: frozenset[SpaceId] = frozenset()
    """Servers of which it was not asked what they can read, for there are too many."""


async def own_reach(caller: Caller) -> Reach:
    """What the caller's place alone lets them read, if nobody else reads along."""
    return Reach(
        readable={caller.space_id: caller.visible},
        names={TERMINAL_SPACE: catalogue.gettext("the terminal")},
        is_alone=caller.reads_alone,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One command as somebody gave it."""

    caller: Caller
    args: Arguments
    announce: Announce
    said: MessageId | None = None
    """The message it was typed in, if it was."""
    reach: Callable[[Caller], Awaitable[Reach]] = own_reach
    """How far a person's own data may be shown where they ask."""
    mentioned: Mentions = field(default_factory=lambda: NOBODY)
    """People mentioned in it, by the names that stand there behind an @."""
    actor: Actor = Actor.PERSON
    """Who worded it: the caller, or a model in their name."""


Handler = Callable[[Invocation], Awaitable[Reply]]
"""What carries out one command. Raises a `UserError` with one sentence; then nothing was done."""
