"""Keeps Discord from asking the addresses in what Hathi sends: no message shows a picture of a link in it.

A text that quotes somebody may hold any address, and whoever drew it there would be told of each reader's server. It is
done where discord.py makes the body of every message and answer, so that no place can forget it.
"""

from typing import Any, Final

from discord import MessageFlags, abc, http, interactions, message
from discord.utils import MISSING
from discord.webhook import async_

_MAKERS: Final[tuple[Any, ...]] = (abc, message, interactions, async_)
"""The modules of discord.py that make bodies of messages, each by a name of its own."""
_plain: Final = http.handle_message_parameters


def suppress() -> None:
    """Have everything that is sent or edited from now on show no embeds, but those it is given."""
    for module in _MAKERS:
        module.handle_message_parameters = _without_previews


def allow() -> None:
    """Leave it to discord.py again."""
    for module in _MAKERS:
        module.handle_message_parameters = _plain


def _without_previews(content: Any = MISSING, **given: Any) -> http.MultipartParameters:
    # What is not given is a value of discord.py's that is false, too.
    if content and not (given.get("embed") or given.get("embeds")):
        flags = given.get("flags") or MessageFlags()
        given["flags"] = MessageFlags._from_value(flags.value | MessageFlags.suppress_embeds.flag)  # noqa: SLF001
    return _plain(content, **given)
