"""What a message asks to forget, in whatever language."""

from dataclasses import dataclass

from bot.domain import MemoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetRequest:
    """A request to forget: memories by their numbers, everything, what came last, or what some words are about."""

    numbers: tuple[MemoryId, ...] = ()
    everything: bool = False
    stops: bool = False
    """Whether nothing is to be remembered of them from now on; what is remembered is not said to go."""
    talk: bool = False
    """Whether it is this conversation that is to be forgotten."""
    last: bool = False
    itself: bool = False
    """Whether it is this very message that is not to be kept: "don't remember this: …"."""
    about: str = ""
    by: str = ""
    """Who is named as having said it, where it is not the asker."""
    is_sure: bool = True
    """Whether nothing else can be meant; else it depends on what is remembered."""
    instead: str = ""
    """What is put in the place of what came last."""
    rest: str = ""
    """What the message says besides."""
