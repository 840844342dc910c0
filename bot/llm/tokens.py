"""An offline estimate of tokens that never falls short of real tokenizers on ordinary text."""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Final

from bot.llm.chat import ChatMessage

MESSAGE_OVERHEAD: Final = 6
"""Tokens a chat template spends around one message (measured at most 5 on common templates)."""
_PARTS: Final = re.compile(
    r"(?P<space>\s+)|(?P<word>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<ascii>[\x00-\x7f])|(?P<other>[^\x00-\x7f]+)"
)
_RUNS: Final = re.compile(r"\S+|\s{2,}|[^\S ]")
"""What stands between single spaces, which cost nothing."""
_WIDE_SPACE: Final = re.compile(r"[^\S\x00-\x7f]")
"""Spaces beyond ASCII count with their neighbours, so no text is parted at them."""
_KNOWN_LENGTH: Final = 24
_PLAIN: Final = re.compile(r"[A-Z]?[a-z]{1,15}\Z")
_KNOTTED: Final = re.compile(r"[^aeiouy]{5}", re.IGNORECASE)


def estimate(text: str) -> int:
    """Tokens of `text`, on the high side: letters by the word, digits one each, anything beyond ASCII by its bytes."""
    if not text.isascii() and _WIDE_SPACE.search(text):
        return _counted(text)
    # Word by word is the same sum, and words come back: a long session is estimated at every turn.
    return sum([_known(run) if len(run) <= _KNOWN_LENGTH else _counted(run) for run in _RUNS.findall(text)])


def _counted(text: str) -> int:
    total = 0
    for part in _PARTS.finditer(text):
        piece, kind = part[0], part.lastgroup
        match kind:
            case "word":
                plain = _PLAIN.match(piece) and not _KNOTTED.search(piece)
                total += ceil(len(piece) / 4) if plain else ceil(len(piece) * 0.8)
            case "space":
                total += 0 if piece == " " else max(1, len(piece) // 2) + piece.count("\n")
            case "other":
                total += len(piece.encode("utf-8", "replace"))
            case _:
                total += len(piece)
    return total


_known: Final = lru_cache(maxsize=4096)(_counted)


def estimate_messages(messages: Sequence[ChatMessage]) -> int:
    """Tokens of a prompt, with what a chat template adds to each message."""
    return sum(
        MESSAGE_OVERHEAD
        + estimate(message.content)
        + sum(8 + estimate(call.name + call.arguments) for call in message.tool_calls)
        for message in messages
    )
