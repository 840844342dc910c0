"""Removes invented citations, and lines that imitate Hathi's own notices, from a model's text; pure."""

import re
from collections.abc import Collection
from typing import Final

NO_ANSWER: Final = "NOTHING"
"""What the model says where it has no answer."""
_NOTICE: Final = "[memory]"
_CITED: Final = re.compile(r"\s?[(\[]#(\d{1,18})[)\]]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_SMALL: Final = "-# "
"""What begins small print, in which Hathi names its sources."""
_SUSPECT: Final = re.compile(r"\[memory\]|-#|NOTHING", re.IGNORECASE)


def without_invented(text: str, known: Collection[int]) -> str:
    """The text without citations such as `(#12)` of memories that were not put before the model."""
    return _CITED.sub(lambda cited: cited[0] if int(cited[1]) in known else "", text)


def own_words(text: str, *, is_whole: bool = True) -> str:
    """What a model says in its own voice: no notice of Hathi's, no small print, no line that says it has no answer.

    Of a text that is still coming, not a last line that may become one of these either.
    """
    head, end, last = text.rpartition("\n")
    if not is_whole and _may_become(last):
        text = head + end
    if _SUSPECT.search(text) is None:
        return text
    lines = (
        line.lstrip().removeprefix(_SMALL) if line.lstrip().startswith(_SMALL) else line for line in text.split("\n")
    )
    return "\n".join(line for line in lines if not _is_hathis(line)).strip()


def says_none(text: str) -> bool:
    """Whether a model that was told how to say so says that it has no answer, whatever it puts around it."""
    words = _WORD.findall(text)
    return NO_ANSWER in words or [word.upper() for word in words] == [NO_ANSWER]


def _is_hathis(line: str) -> bool:
    return _bare(line).startswith(_NOTICE) or set(_WORD.findall(line)) == {NO_ANSWER}


def _may_become(line: str) -> bool:
    *words, last = _WORD.findall(line) or [""]
    return _NOTICE.startswith(_bare(line)) or (NO_ANSWER.startswith(last) and set(words) <= {NO_ANSWER})


def _bare(line: str) -> str:
    """The line in small letters, from its first word or bracket on."""
    return line[next((at for at, sign in enumerate(line) if sign.isalnum() or sign == "["), len(line)) :].lower()
