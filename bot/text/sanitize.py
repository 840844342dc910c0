"""Makes people's text safe to show, quote or put on one line; pure."""

import functools
import re
from typing import Final

from bot.text import markdown

QUOTED: Final = "    \u201c"
"""What every line of a quotation begins with."""
SOMEONE: Final = "someone"
"""Whose name is nothing but signs."""
_LONGEST_NAME: Final = 64
_TAGS: Final = re.compile("(\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)|[\U000e0000-\U000e007f]+")
"""Tag characters spell text nobody sees; only behind a black flag, and ended, are they a flag's name."""
_OVERRIDES: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Direction overrides would turn the line they are quoted on; marks and letters keep right-to-left text right."""
_CONTROL: Final = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]+"
)
"""What nobody sees in any script."""
_JOINERS: Final = re.compile("(?<![^\0-\u058f])[\u061c\u200c-\u200f\ufe00-\ufe0f]+(?![^\0-\u058f])")
"""What joins and turns letters of other scripts, and emoji, and does nothing between letters such as these."""
_BREAKS: Final = re.compile("\r\n?|[\u2028\u2029]")
"""What ends a line beside a line feed."""
_SIGNS: Final = re.compile(r"\A[\s#>\[\]()<`|~=+*-]+")
"""What a heading, a label or an item of a list begins with."""
_CITING: Final = re.compile(r"[\[\]]|#(?=\d)")
_MASKED: Final = re.compile(r"(?<=\])\((?=\s*<?\w+:)")
"""Where a link begins whose address is hidden behind other words."""


def plain(text: str) -> str:
    """The text without controls, overrides and hidden tag text; line breaks stay."""
    return _CONTROL.sub("", _OVERRIDES.sub("", _TAGS.sub(r"\1", text)))


def shown(text: str) -> str:
    """Text as it may be printed or kept: nothing moves the cursor or turns the line, no NUL, no half of a pair."""
    if text.isascii() and text.isprintable():
        # Most of what is said, and a prompt holds hundreds of messages.
        return text
    return plain(_BREAKS.sub("\n", text.replace("\0", "").encode("utf-8", "replace").decode()))


def visible(text: str) -> str:
    """The text as it may be shown, without what nobody sees of it: no word has anything in it but its letters."""
    whole = shown(text)
    return whole if whole.isascii() else _JOINERS.sub("", _UNSEEN.sub("", whole))


def one_line(text: str, limit: int = 200) -> str:
    """The text on one line of at most `limit` characters, cut with an ellipsis; what is hidden in it stays so."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    room = limit - 1 - len(markdown.SPOILER) * (markdown.SPOILER in line)
    return markdown.still_hidden(line, line[:room].rstrip() + "…")


def counted(number: int, noun: str) -> str:
    """A number of things as a sentence has it: `1 memory`, `2 memories`, `0 messages`."""
    if number == 1:
        return f"1 {noun}"
    many = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"
    return f"{number} {many}"


def set_in(text: str, by: str) -> str:
    """The text as it may be shown, each line but the first behind `by`: none begins as a line of Hathi's own does."""
    whole = shown(text)
    return whole if whole.isprintable() else f"\n{by}".join(whole.splitlines())


def quotations(text: str) -> list[str]:
    """The passages that a verbatim answer quotes, in order: below the marked lines of each stands who said it."""
    passages: list[list[str]] = []
    is_open = False
    for line in text.splitlines():
        mark, bare = QUOTED.strip(), line.lstrip()
        if bare.startswith(mark):
            passages += [] if is_open else [[]]
            passages[-1].append(bare.removeprefix(mark))
        is_open = bare.startswith(mark)
    return ["\n".join(lines).removesuffix("\u201d").strip() for lines in passages]


@functools.lru_cache(maxsize=1024)
def name(text: str) -> str:
    """A name as it may stand beside what somebody said: on one line, no heading, no label and no citation.

    Known of the last ones: a prompt has each many times.
    """
    return one_line(_CITING.sub("", _SIGNS.sub("", one_line(shown(text)))), _LONGEST_NAME) or SOMEONE


def said(author: str, text: str) -> str:
    """What somebody said as a prompt has it, so that no line of it can be taken for one of the prompt's own."""
    return f"{name(author).replace(':', ' ')}: {set_in(text, '  ')}"


def unmasked(text: str) -> str:
    """The text with the address of every link in sight: what Hathi quotes must not lead elsewhere than it says."""
    return _MASKED.sub(" (", text)
