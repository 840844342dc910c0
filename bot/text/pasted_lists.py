"""Splits a pasted list into its items and heading; pure."""

import re
from dataclasses import dataclass
from typing import Final

HEADING: Final = 80
"""Characters of a line that may be a heading without a colon at its end."""
_ITEM: Final = re.compile(
    r"\s*(?:(?:[-*+\u2022\u2023\u25aa\u25ab\u25e6\u00b7\u2013\u2014]|\(?\d{1,3}[.):]|\(?[A-Za-z]\))[ \t]+"
    r"(?:\[[ xX]?\][ \t]*)?|[-*\u2022](?=[A-Za-z])|\[[ xX]?\][ \t]*)(?=\S)"
)
"""What a line of a list begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A text as its list items, each verbatim."""

    things: tuple[str, ...]
    text: str = ""
    """All of it."""
    heading: str = ""
    """What they are, where a line above them says so."""
    importance: int | None = None
    """What they are to weigh, where whoever wants them kept says so."""

    @property
    def is_list(self) -> bool:
        """Whether each is to be kept by itself."""
        return len(self.things) > 1


def read(text: str, *, is_announced: bool = False) -> Listed:
    """The lines of a list of two things or more; else the text as the one thing it is.

    Lines of a list begin with a bullet or a number; above them may stand one line that does not. What is indented
    below a line goes on with it. Where several things are announced, lines need no bullets.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    heading = ""
    if (
        len(lines) > 1
        and not _ITEM.match(lines[0])
        and (lines[0].rstrip().endswith(":") or (_ITEM.match(lines[1]) and len(lines[0].strip()) <= HEADING))
    ):
        heading, lines = lines[0].strip().rstrip(":").rstrip(), lines[1:]
    things: list[str] = []
    for line in lines:
        item = _ITEM.match(line)
        if item is not None:
            things.append(line[item.end() :].strip())
        elif things and line[0].isspace():
            things[-1] += f" {line.strip()}"
        else:
            things = [line.strip() for line in lines] if is_announced and not any(map(_ITEM.match, lines)) else []
            break
    return Listed(
        things=tuple(things) if len(things) > 1 else (text,), text=text, heading=heading if len(things) > 1 else ""
    )
