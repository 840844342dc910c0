"""Puts what somebody said right by what they say of it afterwards: "scratch that, it's on Friday"; pure."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from bot.dates import times
from bot.language.requests import corrections
from bot.language.statements import assertions
from bot.text import patterns, stop_words, trigrams

_NOT: Final = re.compile(
    r",? (?:not|instead of|rather than|nicht|statt|anstatt|pas|au lieu de|en vez de|no) ", re.IGNORECASE
)
"""What stands before what is replaced: "by Bo, not Nadia", "lasagna instead of tiramisu"."""
_IT_IS: Final = re.compile(
    r"\A(?:(?:(?:it|they|that|this|he|she)(?: is| are| was|'s|'re)?|its|thats|theyre|(?:es|das|er|sie) (?:ist|sind)"
    r"|c'est|(?:il|elle) est|(?:es|esta|son))\s+)?(?P<said>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
"""What leans on what was told, before how that is."""
_CLOCK: Final = re.compile(r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|uhr|h)\b|\b\d{1,2}:\d\d\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<![\w.,:])\d+(?:[.,]\d+)*(?![\w:]|[.,]\d)")
_JOINED: Final = " \u2013 "
"""Between what was said and what was said of it, where no part of it is known to take another's place."""
_ENDS: Final = " .!\n"
_MARKS: Final = " ,.;:!\n"

Finder = Callable[[str], Sequence[str]]
"""The values of one kind that a text names."""


def whole(old: str, said: str, *, as_of: datetime, zone: str, surely: bool = False) -> str | None:
    """What is so by now: the old words with the new value in its place, or behind them; else the new ones alone.

    None where it may be about something else; what is `surely` about it need name nothing of it.
    """
    said = said.strip()
    if (named := _named(old, said)) is not None:
        return named
    if corrections.leans(said):
        for find in (lambda text: _days(text, as_of, zone), _CLOCK.findall, _NUMBER.findall):
            if (put := _in_place(old, said, find)) is not None:
                return put
        return f"{old.rstrip(_ENDS)}{_JOINED}{said}"
    is_about = surely or corrections.may_be_of(said, old)
    return said if is_about and assertions.states(said) else None


def _named(old: str, said: str) -> str | None:
    """The old words with those in the place of which others are put."""
    found = _NOT.search(said.translate(patterns.STRAIGHT_QUOTES))
    replaced = "" if found is None else said[found.end() :].strip(_MARKS)
    if found is None or not replaced:
        return None
    places = [*re.finditer(rf"(?<!\w){re.escape(replaced)}(?!\w)", old, re.IGNORECASE)]
    if len(places) != 1:
        return None
    before, new = old[: places[0].start()], _of_it(said[: found.start()]).split()
    # "By Bo, not Nadia", of what is "done by Nadia".
    if before.split()[-1:] == new[:1]:
        new = new[1:]
    if not new or not stop_words.FUNCTION.isdisjoint(trigrams.words(" ".join(new[:-1]))):
        return None
    return f"{before}{' '.join(new)}{old[places[0].end() :]}"


def _in_place(old: str, said: str, find: Finder) -> str | None:
    """The old words with the one value of a kind that both name put in its place, where nothing else is said."""
    former, new = find(old), find(said)
    if len(former) != 1 or len(new) != 1:
        return None
    rest = trigrams.words(_of_it(said).replace(new[0], " ", 1))
    return old.replace(former[0], new[0], 1) if rest <= stop_words.FUNCTION else None


def _of_it(said: str) -> str:
    """What is said of it: of "it's on Friday" "on Friday"."""
    found = _IT_IS.match(said.translate(patterns.STRAIGHT_QUOTES))
    return said if found is None else found["said"]


def _days(text: str, as_of: datetime, zone: str) -> list[str]:
    return [*dict.fromkeys(span.words for span in times.read(text, as_of=as_of, zone=zone).spans if span.words in text)]
