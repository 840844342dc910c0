"""Finds the channel that a question asks of: "what did Tove say in #script?"; pure."""

import re
from collections.abc import Mapping
from typing import Final

from bot.domain import ChannelId

_NAMED: Final = re.compile(
    r"(?:\b(?:in|from|on|of|over in|im|in der|aus|dans|de|en) )?#(?P<name>[^\s#,;:!?\"'()]{1,100})", re.IGNORECASE
)
_MOST: Final = 3
"""Channels that a question names; of more it asks of none in particular."""


def named(text: str, names: Mapping[ChannelId, str]) -> tuple[tuple[ChannelId, ...], str]:
    """The channels of these that a text names with their sign, and the text without that."""
    by_name = {name.casefold(): channel_id for channel_id, name in names.items() if name}
    found: list[ChannelId] = []

    def take(match: re.Match[str]) -> str:
        channel_id = by_name.get(match["name"].rstrip(".").casefold())
        if channel_id is None:
            return match[0]
        found.append(channel_id)
        return " "

    rest = " ".join(_NAMED.sub(take, text).split())
    return (tuple(dict.fromkeys(found)), rest) if 0 < len(found) <= _MOST else ((), text)
