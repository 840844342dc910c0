"""Reads what `!do` asks for: which workflow is to be run, and at what."""

import re
from dataclasses import dataclass
from typing import Final

from bot.commands import grammar
from bot.domain import Caller

COMMAND: Final = "do"
_WORDS: Final = re.compile(r"(\S+)(?:\s+(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """A workflow that somebody wants run."""

    workflow: str
    """As they called it."""
    request: str
    """What it is to be run at, in their words; empty where that is only what their message replies to."""


def given(line: str) -> RunRequest | None:
    """What stands behind the command; none where no workflow is named."""
    found = _WORDS.fullmatch(line.strip())
    return (
        None if found is None else RunRequest(workflow=found[1].lower().rstrip(":"), request=(found[2] or "").strip())
    )


def read(text: str, caller: Caller) -> RunRequest | None:
    """What a message asks to be run where the caller says it; none where it is another one."""
    prefix = caller.prefix.removeprefix(caller.address)
    if not text.startswith(prefix):
        return None
    found = _WORDS.fullmatch(text.removeprefix(prefix).strip())
    return given(found[2] or "") if found is not None and grammar.meant(found[1].lower()) == COMMAND else None
