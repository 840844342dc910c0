"""Tells what only says that its writer seeks a thing: to who seeks it too that is no answer; pure."""

import functools
import re
from typing import Final

from bot.language.questions import seeking_words
from bot.text import folding, patterns

_LONGEST: Final = 160
"""Characters of such a remark: a longer one tells more."""


def only_seeks(text: str) -> bool:
    """Whether a text only says that somebody looks for something, wants it or has forgotten it."""
    return (
        len(text) <= _LONGEST and _seeking().match(folding.evenly(text.translate(patterns.STRAIGHT_QUOTES))) is not None
    )


def asks_for_seekers(question: str) -> bool:
    """Whether a question is about who seeks, wants or has forgotten something: what says so answers it.

    Not where whoever asks only seeks it too.
    """
    if only_seeks(question):
        return False
    plain = folding.evenly(question)
    return any(patterns.compiled(each.asked).search(plain) for each in seeking_words.LANGUAGES)


@functools.cache
def _seeking() -> re.Pattern[str]:
    ways = (rf"(?:(?:{each.lead})\b\W*){{0,4}}(?:{each.seeking})" for each in seeking_words.LANGUAGES)
    return patterns.compiled(rf"[\W_]{{0,20}}+(?:{'|'.join(ways)})")
