"""Tells what kind of answer a question wants, and whether a text contains one; pure, in one pass."""

import re
from typing import Final

from bot.language.questions import answer_kind_words
from bot.text import patterns

_FIGURE: Final = re.compile(answer_kind_words.FIGURE, re.IGNORECASE)


def wants_figure(question: str) -> bool:
    """Whether a figure answers it: an amount, a size, a time, a code."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    return any(patterns.compiled(language.figure).search(plain) for language in answer_kind_words.LANGUAGES)


def tells_little(word: str) -> bool:
    """Whether a word of a question only tells what is done with a thing, or what kind of answer is wanted."""
    return wants_figure(word) or any(
        patterns.compiled(each.doing).fullmatch(word) for each in answer_kind_words.LANGUAGES
    )


def wants_latest(question: str) -> bool:
    """Whether it asks how things are, or came out in the end: what was said last of it answers that."""
    plain = question.translate(patterns.STRAIGHT_QUOTES)
    if any(patterns.compiled(language.present).search(plain) for language in answer_kind_words.LANGUAGES):
        return True
    return not any(patterns.compiled(language.past).search(plain) for language in answer_kind_words.LANGUAGES)


def tells_figure(text: str) -> bool:
    """Whether a text has one."""
    return _FIGURE.search(text) is not None
