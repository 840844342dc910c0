"""Tables of what Discord lists, made from the leaves for COMMANDS.md; `python -m tests.slash_table --write`."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from cogs.commands.leaves import LEAVES, PRIVACY, PRIVACY_ABOUT
from cogs.events import message_commands

DOCUMENT: Final = Path(__file__).parents[1] / "docs/COMMANDS.md"
BEGIN: Final = "<!-- slash commands: begin -->"
END: Final = "<!-- slash commands: end -->"
UNDER_APPS: Final[Mapping[str, str]] = {
    message_commands.REMEMBER: "a message: it is remembered as its author's, who is told once and may forget it",
    message_commands.KNOWN: "a message: what memory and what was said here have on it",
    message_commands.WHY: "an answer of Hathi's: where it looked and what it found",
    message_commands.ME: "yourself: what Hathi knows about you",
}
"""What one gets by the commands under Apps, by their names; Discord shows no more of them than those."""
_APPS: Final = "Right-click (on a phone, hold), then **Apps**; the answer is seen by you alone:"


def tables() -> str:
    """What is typed behind `/`, and what stands under Apps, as Markdown."""
    return f"{slashed()}\n\n{_APPS}\n\n{under_apps()}"


def slashed() -> str:
    """The slash commands, those of everybody first."""
    return _table(("slash command", "what you get", "who"), _leaves())


def under_apps() -> str:
    """The commands on a message, and on oneself."""
    return _table(("under Apps", "on what, and what you get"), UNDER_APPS.items())


def written(document: str) -> str:
    """The document with the tables of now between its marks."""
    head, _, rest = document.partition(BEGIN)
    _, mark, tail = rest.partition(END)
    if not mark:
        raise ValueError(f"{DOCUMENT.name} needs the marks {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{tables()}\n{END}{tail}"


def _leaves() -> Iterator[tuple[str, str, str]]:
    leaves = [(leaf.path, leaf.about, leaf.needs) for leaf in LEAVES]
    for path, about, needs in sorted([*leaves, (PRIVACY, PRIVACY_ABOUT, None)], key=lambda each: each[2] is not None):
        yield f"/{path}", about, needs.value if needs else "everyone"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (f"| `{name}` | {' | '.join(cells)} |" for name, *cells in rows)
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines])


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(tables())
