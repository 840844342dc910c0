"""Finds what of a question asks, apart from what it says of not knowing and from what it tells beside; pure."""

import functools
import re
from typing import Final

from bot.language.questions import not_knowing_words
from bot.language.statements import assertions
from bot.text import patterns, sentences

_BEGINS: Final = r"(?:\A|(?<=[.,;:!?\u2026\u2013\u2014\n-]))\s{0,5}"
"""Where a clause begins."""
_ENDS: Final = r"\s{0,5}(?:[.,;!?\u2026\n]|\Z)"


def without_not_knowing(question: str) -> str:
    """What somebody asks, without the clause that only says that they don't know: `I forgot who has the key`.

    A text that says no more stays as it is.
    """
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    kept, at = list[str](), 0
    for found in _not_knowing().finditer(plain):
        kept.append(question[at : found.start()])
        at = found.end()
    asked = "".join((*kept, question[at:])).strip(" ,;\n")
    return asked if any(map(str.isalnum, asked)) else question


def asking(text: str) -> str:
    """What of a text asks, without what its sentences state; all of it where nothing does."""
    asked = [each.replace(assertions.stated(each), "", 1) for each in sentences.split(text)]
    return " ".join(filter(str.strip, asked)) or text


@functools.cache
def _not_knowing() -> re.Pattern[str]:
    ways = (
        rf"(?:(?:{each.lead})\b\W{{1,3}}){{0,3}}(?:{each.not_knowing})(?:(?=,? (?:{each.asked})\b)|(?={_ENDS}))"
        for each in not_knowing_words.LANGUAGES
    )
    return patterns.compiled(rf"{_BEGINS}(?:{'|'.join(ways)})")
