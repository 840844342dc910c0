"""What Hathi can do for somebody on Discord, in a few lines: its commands by what they are for, to be clicked."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from bot import catalogue
from bot.commands.commands import ADMIN
from bot.domain import Right
from cogs.commands.leaves import LEAVES, PRIVACY

_SAY: Final = catalogue.later("""\
Talk to me as you like: “remember that …”, “what did we say about …?”, “forget that …”.
Right-click a message (on a phone, hold it), then **Apps**: I remember it, or tell what I know of it.
""")
_MORE: Final = catalogue.later(
    "-# They can be typed too: {p}recall, or {p}help recall for what it takes; {p}help all lists every one.\n"
    "-# {p}do has several answer one after the other, and lists how."
)
_GROUPS: Final = {
    catalogue.later("Remember and find"): ("remember", "recall", "memories", "why"),
    catalogue.later("Take back"): ("forget", "undo"),
    catalogue.later("Keep up"): ("missed", "note add", "note list", "note promote"),
    catalogue.later("You"): (PRIVACY, "help"),
    catalogue.later("This channel"): ("reset", "age"),
}
"""Slash commands by what they are for; those of whoever manages a server stand under themselves."""


def brief(prefix: str, may: Callable[[Right], bool], mention: Callable[[str], str], *, in_server: bool) -> str:
    """What somebody with these rights may do there; `mention` makes what can be clicked of a command's path."""
    needs = {leaf.path: leaf.needs for leaf in LEAVES}
    # One of each kind: the others stand beside it, once somebody types it.
    kinds = {path.split(" ")[1]: path for path in reversed(needs) if path.startswith(f"{ADMIN} ")}
    groups = dict(_GROUPS) | ({catalogue.later("This server"): tuple(reversed(kinds.values()))} if in_server else {})
    more = catalogue.gettext(_MORE).format(p=prefix)
    return "\n".join([catalogue.gettext(_SAY), *_lines(groups.items(), needs, may, mention), more])


def _lines(
    groups: Iterable[tuple[str, tuple[str, ...]]],
    needs: dict[str, Right | None],
    may: Callable[[Right], bool],
    mention: Callable[[str], str],
) -> Iterator[str]:
    for group, paths in groups:
        usable = [path for path in paths if (right := needs.get(path)) is None or may(right)]
        if usable:
            yield f"**{catalogue.gettext(group)}:** {' · '.join(map(mention, usable))}"
