"""Names what can be clicked or pressed where a reply would name a typed command for the same."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from bot import catalogue
from cogs.commands.leaves import LEAVES, PRIVACY
from cogs.ui.panels import LABELS, Does

_SETTING: Final = frozenset({"memory", "channel", "settings", "who"})
"""Commands whose replies tell how something is set, in Hathi's own words alone."""
_OWN: Final = ("memory off me", "memory on me", "mydata export", "mydata erase")
"""Typed commands for which people have a panel."""
TO_CLICK: Final[Mapping[str, str]] = {
    **{f"{leaf.command} {leaf.form}": leaf.path for leaf in LEAVES if leaf.command in _SETTING and leaf.form},
    **dict.fromkeys(_OWN, PRIVACY),
    "who allow|block @role|#channel": "admin who allow",
}
"""Commands of Discord's list, by what is typed for the same."""
TO_PRESS: Final[Mapping[str, Does]] = {
    "memory off me": Does.STOP,
    "memory on me": Does.RESUME,
    "mydata export": Does.EXPORT,
    "mydata erase confirm": Does.ERASE_ALL,
    "mydata erase": Does.ERASE,
}
"""Buttons of the panel, by the same."""


def told(text: str, command: str, prefix: str, mention: Callable[[str], str]) -> str:
    """A reply to a chosen command, with what can be clicked; as it is where it may quote somebody."""
    return _instead(text, prefix, TO_CLICK, mention) if command in _SETTING else text


def on_panel(text: str, prefix: str) -> str:
    """What the panel tells, with its buttons by their labels."""
    return _instead(text, prefix, TO_PRESS, lambda does: f"**{catalogue.gettext(LABELS[Does(does)])}**")


def _instead(text: str, prefix: str, known: Mapping[str, str], named: Callable[[str], str]) -> str:
    typed = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    return re.sub(rf"{re.escape(prefix)}({typed})(?![\w-])", lambda found: named(known[found[1]]), text)
