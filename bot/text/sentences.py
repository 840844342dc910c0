"""Splits a chat message into sentences, each a verbatim part of it.

Chat is not prose: lines end sentences, full stops occur in versions, links and "e.g.", an emoji belongs to what it
comments on, and code or a quoted line is nobody's sentence.
"""

import itertools
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from bot.text import patterns

_FENCE_MARK: Final = "```"
_FENCE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_EMOJI: Final = r"[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]"
_CLOSER: Final = r"""["')\]*_\u201d\u2019\u00bb]"""
_END: Final = re.compile(rf"(?<![.!?\u2026])(?P<mark>[.!?\u2026]++){_CLOSER}{{0,3}}+(?:\s?{_EMOJI}++)?(?=\s|\Z)")
"""Begun only where a run of marks begins, and nothing of it is read again: a run that ends no sentence is read once."""
_QUOTED: Final = re.compile(
    r"\"[^\"\n]{1,300}\"|\u201c[^\u201c\u201d\n]{1,300}\u201d|\u00ab[^\u00ab\u00bb\n]{1,300}\u00bb"
)

_OPENING: Final = re.compile(r"\s*(?:(?:[-*+\u2022\u2013]|#{1,3}|-#|\d{1,2}[.)]|\[[ x]?\])\s+){0,2}")
"""Bullets, headings and list numbers: the list's, not the sentence's."""
_LIST_NUMBER: Final = re.compile(r"\s*\d{1,2}\Z")

_ABBREVIATIONS: Final = patterns.vocabulary(
    """
    e.g i.e eg ie etc vs cf approx ca no nos mr mrs ms dr prof st jr sr inc ltd dept fig vol ed est min max tel ext jan
    feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thur thurs fri sat sun a.m p.m am pm
    """
)
"""Words whose full stop is their own."""
_MAY_END: Final = patterns.vocabulary("etc inc ltd jr sr a.m p.m am pm no sun sat wed mon fri min max ed mar i")
"""Those of them that also end sentences: they do when a capital follows."""


def _backwards(words: Iterable[str]) -> str:
    """One expression for any of the words, read from its end; whole words only."""
    return rf"{patterns.any_of(word[::-1] for word in sorted(words))}\b"


# Read backwards from the stop, each is tried at one place alone.
_ABBREVIATED: Final = re.compile(rf"{_backwards(_ABBREVIATIONS)}|[a-z](?:\.[a-z])*(?:$|[\s(])", re.IGNORECASE)
"""An abbreviation, or single initials ("J. Smith", "U.S.")."""
_MAY_HAVE_ENDED: Final = re.compile(_backwards(_MAY_END), re.IGNORECASE)
_LOOK_BACK: Final = 12
_NUMBER: Final = re.compile(r"(?<![\w.,])\d{1,2}\Z")
_MONTH_FOLLOWS: Final = re.compile(
    r"\.\s?(?:(?:januar|j\u00e4nner|februar|m\u00e4rz|april|mai|juni|juli|august|september|oktober|november|dezember)\b"
    r"|(?:bis|und|oder)\s(?:zum\s)?\d{1,2}\.)",
    re.IGNORECASE,
)
"""What makes a German date of a number and its full stop: `am 12. Mai`, `vom 12. bis 16. Mai`."""
_COUNTED_OFF: Final = re.compile(
    r"\b(?:der|die|das|im|beim|unsere?[rnms]?|meine?[rnms]?|eure?[rnms]?|ihre?[rnms]?|jede[rnms]?) \d{1,2}\Z",
    re.IGNORECASE,
)
"""What makes one of a row of them: `unsere 3. Probe`."""


_STOP: Final = re.compile(rf"(?<![.!?\u2026])[.!?\u2026]++{_CLOSER}*+\s++|[\u3002\uff01\uff1f]{_CLOSER}*+\s*+")
"""What stands between two sentences, wherever something may stand there: it is what has come, not what is meant."""


def finished(text: str) -> str:
    """What has come of the text in whole sentences and lines; the last may still go on."""
    line = text.rfind("\n") + 1
    return text[: max((stop.end() for stop in _STOP.finditer(text, line)), default=line)]


def pieces(line: str) -> list[str]:
    """The line cut where `finished` says that a sentence has come; together they are the line."""
    ends = [0, *(stop.end() for stop in _STOP.finditer(line)), len(line)]
    return [line[start:end] for start, end in itertools.pairwise(ends) if start < end]


def split(text: str) -> tuple[str, ...]:
    """The sentences in order, each a substring of `text`, without fenced code and quoted (`> `) lines."""
    return tuple(sentence for line in _lines(text) for sentence in _of_line(line))


def stop_after(text: str, place: int) -> int:
    """Where the mark or line break stands that ends the sentence in which a place of the text is; else its length."""
    start, line_end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
    line = text[start:] if line_end < 0 else text[start:line_end]
    return next((start + end.start() for end in _ends(line) if start + end.start() >= place), start + len(line))


def beginning(text: str, most: int, *, within: int) -> str:
    """The text, or so many characters of it: up to the last sentence or line that ends in the last few of them.

    Where none does it ends with a word, and else anywhere. A fence that is left open is closed.
    """
    if len(text) <= most:
        return text
    least = most - within
    ends = [end.end() for end in _END.finditer(text, least, most + 1) if end.end() <= most]
    cut = max([*ends, text.rfind("\n", least, most + 1)])
    if cut <= least:
        cut = text.rfind(" ", least, most + 1)
    kept = text[: cut if cut > least else most].rstrip()
    return f"{kept}\n{_FENCE_MARK}" if kept.count(_FENCE_MARK) % 2 else kept


def _lines(text: str) -> Iterator[str]:
    """The lines a person wrote; `>>> ` quotes all that follows."""
    for piece in _FENCE.split(text) if "```" in text else (text,):
        for line in piece.splitlines():
            said = line.lstrip()
            if said.startswith(">>>"):
                break
            if said and not said.startswith(">"):
                yield line


def _of_line(line: str) -> Iterator[str]:
    opening = _OPENING.match(line)
    start = opening.end() if opening else 0
    for end in _ends(line, start):
        if sentence := line[start : end.end()].strip():
            yield sentence
        start = end.end()
    if sentence := line[start:].strip():
        yield sentence


def _ends(line: str, start: int = 0) -> Iterator[re.Match[str]]:
    """The marks that end the sentences of a line."""
    quotes = deque(found.span() for found in _QUOTED.finditer(line))
    for end in _END.finditer(line, start):
        while quotes and quotes[0][1] < end.end():
            quotes.popleft()
        is_inside = bool(quotes) and quotes[0][0] < end.start() and end.end() < quotes[0][1]
        if not is_inside and _is_end(line, end):
            yield end


def _is_end(line: str, end: re.Match[str]) -> bool:
    """Whether the mark ends a sentence: a dotted word or trailing dots in mid-sentence do not."""
    mark, at = end[1], end.start()
    if mark != "." and mark not in {"..", "...", "....", "\u2026"}:
        return True
    before = line[max(0, at - _LOOK_BACK) : at]
    word = before.rpartition(" ")[2].lower()
    is_plain = len(word) > 1 and word.isascii() and word.isalpha()
    if mark == "." and is_plain and word not in _MAY_END:
        return word not in _ABBREVIATIONS
    after = line[end.end() : end.end() + 3].lstrip()
    if mark != ".":
        return not after[:1].islower()
    if is_plain:
        return not after or after[0].isupper()
    if not _ABBREVIATED.match(before[::-1]):
        return not (_is_ordinal(line, at) or (_LIST_NUMBER.match(before) and at <= _LOOK_BACK))
    return (not after or after[0].isupper()) and bool(_MAY_HAVE_ENDED.match(before[::-1]))


def _is_ordinal(line: str, at: int) -> bool:
    """Whether a full stop is that of a German date or of one of a row, and something follows it."""
    before = line[max(0, at - 2 * _LOOK_BACK) : at]
    if not _NUMBER.search(before) or not line[at + 1 :].strip():
        return False
    return _MONTH_FOLLOWS.match(line, at) is not None or _COUNTED_OFF.search(before) is not None
