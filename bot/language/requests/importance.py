"""Reads how important something is, where a request to keep it says so in plain words: "with importance 9"; pure."""

import re
from typing import Final

MOST: Final = 10
_NEAR: Final = 160
"""Characters on either end of a message in which it is looked for: what lies deeper is part of what is told."""
_SPELT: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SAID: Final = (
    r"(?:an\s{1,3})?importance\s{0,3}(?:level\s{0,3})?(?:of|is|:|=)?\s{0,3}"
    rf"(?P<number>\d{{1,2}}|{'|'.join(_SPELT)})(?:/10)?"
)
_END: Final = r"(?![\w.,]?\d|\w)"
_WITH: Final = re.compile(
    r"(?:[,;(\u2013\u2014-]\s{0,3}(?:with\s{1,3})?|[.!]\s{1,3}(?=importance)|\b(?:with|at|this is of)\s{1,3})"
    rf"{_SAID}{_END}\)?",
    re.IGNORECASE,
)
"""Set apart by a mark or a small word: what merely speaks of an importance is told, not asked for."""
_HEADING: Final = re.compile(
    rf"\s*(?:(?:hathi\s?[,:]\s?)?(?:this|that|it)(?: is|'s|\u2019s) (?:\w{{1,12}} ){{0,2}}"
    rf"important[,;.:!]?\s{{0,3}}[\u2013\u2014-]?\s{{0,3}})?(?:with )?{_SAID}{_END}"
    r"\s{0,3}[:\u2013\u2014-]\s{0,3}(?=(?P<thing>\S))",
    re.IGNORECASE,
)


def heading(text: str) -> tuple[str, int] | None:
    """What stands under an importance, and that: "this is very important, importance 10: the gate code is 4417"."""
    found = _HEADING.match(text[:_NEAR])
    number = _number(found) if found else 0
    return (text[found.start("thing") :].strip(), number) if found and 1 <= number <= MOST else None


def taken_out(text: str) -> tuple[str, int] | None:
    """A request without its importance, and that; it stands at the beginning of the request or ends it."""
    head, tail = text[:_NEAR], max(0, len(text) - _NEAR)
    ending = [found for found in _WITH.finditer(text, tail) if not text[found.end() :].strip(" .!)")]
    found = _WITH.search(head) if not ending else ending[-1]
    if found is None or not 1 <= _number(found) <= MOST:
        return None
    before, after = text[: found.start()].rstrip(), "" if ending else text[found.end() :].lstrip()
    return (before + (" " if after[:1].isalnum() else "") + after).strip(), _number(found)


def _number(found: re.Match[str]) -> int:
    said = found["number"].lower()
    return _SPELT.index(said) + 1 if said in _SPELT else int(said)
