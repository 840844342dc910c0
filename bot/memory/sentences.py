"""Where one sentence of a chat message ends and the next begins; every sentence is a verbatim part of the message.

Chat is not prose: lines end sentences, full stops hide in versions, links and "e.g.", an emoji belongs to what it
comments, and code or a quoted line is nobody's sentence.
"""

import re
from collections.abc import Iterator
from typing import Final

_FENCE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_EMOJI: Final = r"[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]"
_CLOSER: Final = r"""["')\]*_\u201d\u2019\u00bb]"""
_END: Final = re.compile(rf"(?P<mark>[.!?\u2026]+){_CLOSER}{{0,3}}(?:\s?{_EMOJI}+)?(?=\s|\Z)")
_QUOTED: Final = re.compile(r"\"[^\"\n]{1,300}\"|\u201c[^\u201d\n]{1,300}\u201d|\u00ab[^\u00bb\n]{1,300}\u00bb")

_OPENING: Final = re.compile(r"\s*(?:(?:[-*+\u2022\u2013]|#{1,3}|-#|\d{1,2}[.)]|\[[ x]?\])\s+){0,2}")
"""Bullets, headings and list numbers: the list's, not the sentence's."""
_LIST_NUMBER: Final = re.compile(r"\s*\d{1,2}\Z")

_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|eg|ie|etc|vs|cf|approx|ca|no|nos|mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|dept|fig|vol|ed|est|min|"
    r"max|tel|ext|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|fri|sat|sun|a\.m|p\.m|am|pm)"
    r"|(?:^|[\s(])[a-z](?:\.[a-z])*)\Z",
    re.IGNORECASE,
)
"""Words whose full stop is their own, and single initials ("J. Smith", "U.S."); looked for just before the stop."""
_MAY_END: Final = re.compile(
    r"\b(?:etc|inc|ltd|jr|sr|a\.m|p\.m|am|pm|no|sun|sat|wed|mon|fri|min|max|ed|mar|i)\Z", re.IGNORECASE
)
"""Those of them that also end sentences: they do when a capital follows."""
_LOOK_BACK: Final = 12


def split(text: str) -> tuple[str, ...]:
    """The sentences in order, each a substring of `text`, without fenced code and quoted (`> `) lines."""
    return tuple(sentence for line in _lines(text) for sentence in _of_line(line))


def _lines(text: str) -> Iterator[str]:
    """The lines a person wrote; `>>> ` quotes all that follows."""
    for piece in _FENCE.split(text):
        for line in piece.splitlines():
            if line.lstrip().startswith(">>>"):
                break
            if not line.lstrip().startswith(">"):
                yield line


def _of_line(line: str) -> Iterator[str]:
    quotes = [found.span() for found in _QUOTED.finditer(line)]
    opening = _OPENING.match(line)
    start = opening.end() if opening else 0
    for end in _END.finditer(line, start):
        while quotes and quotes[0][1] < end.end():
            quotes.pop(0)
        is_inside = bool(quotes) and quotes[0][0] < end.start() and end.end() < quotes[0][1]
        if is_inside or not _is_end(line, end):
            continue
        if sentence := line[start : end.end()].strip():
            yield sentence
        start = end.end()
    if sentence := line[start:].strip():
        yield sentence


def _is_end(line: str, end: re.Match[str]) -> bool:
    """Whether the mark ends a sentence: a dotted word or trailing dots in mid-sentence do not."""
    mark, after = end["mark"], line[end.end() : end.end() + 3].lstrip()
    if mark in {"..", "...", "....", "\u2026"}:
        return not after[:1].islower()
    if mark != ".":
        return True
    before = line[max(0, end.start() - _LOOK_BACK) : end.start()]
    if not _ABBREVIATION.search(before):
        return not (_LIST_NUMBER.match(before) and end.start() <= _LOOK_BACK)
    return bool(_MAY_END.search(before)) and (not after or after[0].isupper())
