"""Tells whether a date is when something was said ("on 5 May Ana wrote"), not when it happened."""

import bisect
import functools
import itertools
from typing import Final

from bot.dates import day_words
from bot.dates.days import Mention
from bot.grounding import quotes, texts, vocabulary
from bot.grounding.case import Case
from bot.grounding.texts import AnswerPart
from bot.text import patterns

SPEECH: Final = vocabulary.SPEECH - {"according", "laut", "selon", "segun", "zufolge"}
_BETWEEN: Final = patterns.vocabulary(
    """
    on of from in at by the a an this it so her his their as last am vom im den der le du de el del dem for
    """
)
"""Words that may stand between saying and the day of saying: "posted by Ana on Monday, 5 May"."""
_DAYS: Final = frozenset(texts.stem(word) for table in (day_words.MONTHS, day_words.WEEKDAYS) for word in table)


class Telling:
    """The words of a claim, parsed once for all of its dates."""

    def __init__(self, case: Case, claim: AnswerPart) -> None:
        self._case = case
        self._text = texts.folded(quotes.unquoted(claim.text))
        words = texts.words(self._text)
        spans = [found.span() for found in texts.WORD.finditer(self._text)]
        self._starts, self._ends = [start for start, _end in spans], [end for _start, end in spans]
        self._said_before = [*itertools.accumulate(words, self._is_said, initial=False)]
        """Of each word and the end, whether what tells next before it is a word of saying."""
        self._said_after = [*itertools.accumulate(reversed(words), self._is_said, initial=False)][::-1]
        """The same of what follows: at each word, itself and those after it."""
        self._besides = [at for at, word in enumerate(words) if self._is_besides(word)]

    def is_when(self, date: Mention) -> bool:
        """Whether a date of the claim is that of the telling."""
        at = max(self._text.find(date.text.lower()), 0)
        end = at + len(date.text)
        before, after = bisect.bisect_right(self._ends, at), bisect.bisect_left(self._starts, end)
        # It may be found within a word: what is left of that counts, too.
        led = texts.words(self._text[self._starts[before] : at]) if before < len(self._starts) else []
        followed = texts.words(self._text[end : self._ends[after - 1]]) if after else []
        if functools.reduce(self._is_said, led, self._said_before[before]):
            return True
        if functools.reduce(self._is_said, reversed(followed), self._said_after[after]):
            return True
        apart = self._besides and (self._besides[0] < before or self._besides[-1] >= after)
        return not apart and not any(map(self._is_besides, (*led, *followed)))

    def _is_said(self, before: bool, word: str) -> bool:  # noqa: FBT001 -- as accumulate and reduce call it
        """Whether a word of saying comes before any other content, going on by a word."""
        if word in SPEECH:
            return True
        is_passed = word in _BETWEEN or word.isdigit() or self._case.ground.is_person(word) or texts.stem(word) in _DAYS
        return before and is_passed

    def _is_besides(self, word: str) -> bool:
        """Whether a word says something besides who and when."""
        stem = texts.stem(word)
        return texts.is_content(word) and stem not in self._case.ground.person_stems and stem not in _DAYS
