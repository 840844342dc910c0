"""Recognises questions that only ask what to think of what lies at hand, and name nothing of their own; pure."""

import re
from typing import Final

from bot.language.questions import judging_words
from bot.text import folding, patterns

_WORD: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_LONGEST: Final = 120
"""Characters of such a question."""


def only_judges(text: str) -> bool:
    """Whether a question has no word by which anything else is found: "good idea?", "what do you think of this?".

    It is about what it replies to, what came with it, or what was just said.
    """
    if len(text) > _LONGEST:
        return False
    words = frozenset(_WORD.findall(folding.evenly(text.translate(patterns.STRAIGHT_QUOTES)).lower()))
    tables = (judging_words.JUDGING, *judging_words.ABROAD)
    is_at_hand = not words.isdisjoint(judging_words.POINTING) or words.isdisjoint(judging_words.OWN)
    return bool(words) and is_at_hand and any(words <= table for table in tables)
