"""Finds code, links, addresses and Discord's own markup in a text; pure."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

_PLAIN: Final = r"[^\[\]\\\n]++|\\."
"""Of the words of a link: neither a bracket nor the end of the line, unless behind a backslash."""
_BARE: Final = r"[^()\s\\]++|\\\S"
"""Of an address in round brackets: neither such a bracket nor white space."""
# Nothing that was read is read again in another way, and the words are of few parts: a text made of half links costs
# as much time as any other of its length.
ATOM: Final = re.compile(
    rf"""!?\[(?:{_PLAIN}|\[(?:{_PLAIN}){{0,20}}+\]){{0,20}}+\]"""
    rf"""\([ \t]*+(?:{_BARE}|\((?:{_BARE}|\((?:{_BARE})*+\))*+\))++"""
    r"""(?:[ \t]++(?:"[^"\n]*+"|'[^'\n]*+'))?+[ \t]*+\)"""
    r"""|<(?:@[!&]?\d{1,20}|\#\d{1,20}|a?:\w{1,64}:\d{1,20}|t:-?\d{1,17}(?::[A-Za-z])?|/[^<>:\n]{1,100}:\d{1,20}"""
    r"""|id:[\w-]{1,40}(?::\d{1,20})?|https?://[^\s<>]+)>"""
    r"""|https?://[^\s<>]+"""
)
"""A masked link, Discord's markup in angle brackets, or a bare address."""

_RUN: Final = re.compile(r"`+")
_OPENING: Final = re.compile(r"([\w+#.-]{1,30})?[ \t]*\n")
_BLANK_LINE: Final = re.compile(r"\n[ \t]*(?=\n)")
_FENCE_LINE: Final = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?=```)", re.MULTILINE)
_FENCE: Final = 3
"""Backticks that make a fence."""
SPOILER: Final = "||"
_SPOILED: Final = re.compile(r"\|\|(?:[^|]|\|(?!\|))+(?:\|\||\Z)")
_MARK: Final = r"(?:\|\||~~|`{1,3}|\*{1,3}|_{1,3})"
_OPENS: Final = re.compile(rf"{_MARK}\Z")
_CLOSES: Final = re.compile(_MARK)
_LONGEST_MARK: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One closed span or fence of code, from `start` to `end` with its marks, from `first` to `last` without them."""

    start: int
    first: int
    last: int
    end: int
    is_fence: bool
    opening: str
    """What opens it again after a break."""
    closing: str


def code(text: str) -> list[Code]:
    """The closed code of a text, in order: fences wherever they stand, as Discord reads them, and spans.

    A span reaches over no blank line and into no fence, so that a stray backtick does not swallow what follows.
    """
    return _Scan(text).codes if "`" in text else []


def closed(text: str) -> str:
    """The text with its last fence closed, if that was opened at the start of a line and left open."""
    if "`" * _FENCE not in text:
        return text
    mark = _Scan(text).left_open
    return f"{text.rstrip()}\n{mark}" if mark else text


def with_its_marks(text: str, start: int, end: int) -> str:
    """The part of a text between two places, with the mark right before or behind it whose other half it has.

    Bold words, code and spoilers stay what they are when what stands around them is taken away.
    """
    part = text[start:end]
    opening = _OPENS.search(text[max(0, start - _LONGEST_MARK) : start])
    if opening is not None and _has_half(part, opening[0]):
        part = f"{opening[0]}{part}"
    closing = _CLOSES.match(text, end)
    return f"{part}{closing[0]}" if closing is not None and _has_half(part, closing[0]) else part


def without_spoilers(text: str) -> str:
    """The text without what its writer hid from whoever reads along."""
    return _SPOILED.sub(" ", text)


def still_hidden(text: str, part: str, cut: str = "\u2026") -> str:
    """A part of a text, its ends marked as cut or not, with the spoilers it was cut out of opened and closed again."""
    if SPOILER not in text:
        return part
    at = text.find(part.strip(cut))
    opened = f"{SPOILER}{part}" if at > 0 and text.count(SPOILER, 0, at) % 2 else part
    return f"{opened}{SPOILER}" if _has_half(opened, SPOILER) else opened


def _has_half(text: str, mark: str) -> bool:
    return text.count(mark) % 2 == 1


class _Scan:
    """One pass over the runs of backticks; linear in the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._runs = [found.span() for found in _RUN.finditer(text)]
        self._fences = [at for at, (start, end) in enumerate(self._runs) if end - start >= _FENCE]
        self._alike: defaultdict[int, list[int]] = defaultdict(list)
        for at, (start, end) in enumerate(self._runs):
            self._alike[end - start].append(at)
        self._fence_lines = [found.end() for found in _FENCE_LINE.finditer(text)]
        self._stops = sorted([*self._fence_lines, *(found.start() for found in _BLANK_LINE.finditer(text))])
        self.codes: list[Code] = []
        self.left_open: str = ""
        at = 0
        while at < len(self._runs):
            at = self._after(at)

    def _after(self, at: int) -> int:
        """The run to look at once this one was read as an opening, or as nothing."""
        start, end = self._runs[at]
        start += self._is_escaped(start)
        if end - start >= _FENCE:
            closing = _next(self._fences, at)
            if closing is None:
                if _holds(self._fence_lines, start) and self._text[end:].strip():
                    self.left_open = self._text[start:end]
                return at + 1
            fence = self._fence(start, end, self._runs[closing])
            if fence is None:
                return at + 1
            self.codes.append(fence)
            return closing + 1
        closing = _next(self._alike[end - start], at) if end > start else None
        if closing is None or self._runs[closing][0] > self._stop_after(end):
            return at + 1
        last, past = self._runs[closing]
        mark = self._text[start:end]
        self.codes.append(Code(start=start, first=end, last=last, end=past, is_fence=False, opening=mark, closing=mark))
        return closing + 1

    def _fence(self, start: int, end: int, closing: tuple[int, int]) -> Code | None:
        """The fence between two runs, if it holds anything."""
        named = _OPENING.match(self._text, end, closing[0])
        first = named.end() if named and self._text[named.end() : closing[0]].strip() else end
        if not self._text[first : closing[0]].strip():
            return None
        mark = self._text[start:end]
        language = (named.group(1) or "") if named and first == named.end() else ""
        return Code(
            start=start,
            first=first,
            last=closing[0],
            end=closing[1],
            is_fence=True,
            opening=f"{mark}{language}\n",
            closing=f"\n{mark}",
        )

    def _is_escaped(self, start: int) -> bool:
        before = self._text[max(0, start - 20) : start]
        return (len(before) - len(before.rstrip("\\"))) % 2 == 1

    def _stop_after(self, position: int) -> int:
        at = bisect_left(self._stops, position)
        return self._stops[at] if at < len(self._stops) else len(self._text)


def _next(runs: list[int], at: int) -> int | None:
    found = bisect_right(runs, at)
    return runs[found] if found < len(runs) else None


def _holds(positions: list[int], position: int) -> bool:
    at = bisect_left(positions, position)
    return at < len(positions) and positions[at] == position
