"""Recognises a question what was missed, or what happened in a while; pure."""

import re
from collections.abc import Iterable
from typing import Final

from bot.domain import What
from bot.language.requests import missed_words
from bot.text import folding, formulas, patterns

LONGEST: Final = 160
"""Characters of such a question."""
_MISSED: Final = [(each.missed, f"{each.beside}|{each.away}") for each in missed_words.LANGUAGES]
_HAPPENED: Final = [(f"{each.missed}|{each.happened}", f"{each.beside}|{each.away}") for each in missed_words.LANGUAGES]
_AWAY: Final = re.compile(rf"(?<!\w)(?:{'|'.join(each.away for each in missed_words.LANGUAGES)})(?!\w)")


def asks(text: str, times: Iterable[str], bot_name: str = "Hathi") -> bool:
    """Whether a message is such a question, and nothing else; `times` are the words it names a time by.

    What happened is asked of a time, or by who was away: "what happened?" may mean anything.
    """
    if len(text) > LONGEST:
        return False
    rest = _without(text, times)
    is_of_while = rest != text or _is_of_absence(rest)
    return formulas.is_asked_with(rest, _HAPPENED if is_of_while else _MISSED, bot_name)


def asks_what_happened(text: str, times: Iterable[str], bot_name: str = "Hathi") -> bool:
    """Whether such a question is for what happened at a time, and neither for what was missed nor for a kind."""
    rest = _without(text, times)
    if rest == text or kinds(text) or _is_of_absence(rest):
        return False
    return not formulas.is_asked_with(rest, _MISSED, bot_name)


def kinds(text: str) -> frozenset[What]:
    """The kinds of things that such a question asks for alone; none where it asks for all that happened."""
    plain = folding.folded(text)
    return frozenset(
        what
        for language in missed_words.LANGUAGES
        for what, words in language.kinds.items()
        if patterns.compiled(words).search(plain)
    )


def _without(text: str, times: Iterable[str]) -> str:
    """The text without the words it names a time by."""
    for word in times:
        text = re.sub(re.escape(word), " ", text, count=1) if word else text
    return text


def _is_of_absence(text: str) -> bool:
    return _AWAY.search(folding.folded(text.translate(patterns.STRAIGHT_QUOTES))) is not None
