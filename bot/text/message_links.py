"""Finds links to messages in a text, and builds the link of a message; no I/O."""

import re
from typing import Final

from bot.domain import TERMINAL_SPACE, Caller, ChannelId, MessageId, SpaceId

MOST: Final = 5
"""Messages of a text that are looked up, the first named."""
MESSAGE_LINK: Final = re.compile(
    r"https?://(?:(?:ptb|canary|www)\.)?discord(?:app)?\.com/channels/(?P<space>@me|\d{1,20})/(?P<channel>\d{1,20})"
    r"/(?P<message>\d{1,20})(?!\d)",
    re.IGNORECASE,
)
"""https://discord.com/developers/docs/reference; `@me` stands for direct messages."""
_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_BARE: Final = re.compile(r"(?<![\w@#&/<.])\d{17,20}(?![\w>])")
"""An id as Discord copies it, alone or behind its channel's; not those in a mention, an emoji or an address."""
_LAST: Final = 2**63
"""Ids are below: what is above is no message's, and no number Postgres takes."""


def named(text: str, space_id: SpaceId, *, is_direct: bool = False) -> tuple[MessageId, ...]:
    """The ids of the messages of this space that a text points to, in its order, at most five.

    A link into another space points to nothing, whatever its ids are; in direct messages, a link into them is told by
    their channel, whose number is the space's.
    """
    found: list[tuple[int, int]] = []
    for link in MESSAGE_LINK.finditer(text):
        here = link["channel"] if is_direct else link["space"]
        if (link["space"] == "@me") is is_direct and here.isdigit() and int(here) == space_id:
            found.append((link.start(), int(link["message"])))
    # As long as before, so that what is left stands where it stood.
    bare = _ADDRESS.sub(lambda address: " " * len(address[0]), text)
    found += [(number.start(), int(number[0])) for number in _BARE.finditer(bare)]
    ids = dict.fromkeys(MessageId(key) for _, key in sorted(found) if 0 < key < _LAST)
    return tuple(ids)[:MOST]


def linked(text: str) -> frozenset[MessageId]:
    """The ids of the messages that a text has links to, in whatever space."""
    found = (int(link["message"]) for link in MESSAGE_LINK.finditer(text))
    return frozenset(MessageId(key) for key in found if key < _LAST)


def of(caller: Caller, channel_id: ChannelId, message_id: MessageId) -> str | None:
    """Where a message of the caller's space can be looked at; nowhere at the terminal."""
    if caller.space_id == TERMINAL_SPACE:
        return None
    return address(None if caller.is_direct else caller.space_id, channel_id, message_id)


def address(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """The address of a message; of none in a guild for direct messages."""
    return f"https://discord.com/channels/{'@me' if guild_id is None else guild_id}/{channel_id}/{message_id}"
