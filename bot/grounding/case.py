"""One answer and what it is held against, parsed once for all checks."""

import functools
import itertools
import re
from collections.abc import Iterable
from typing import Final

from bot.dates import days, written_dates
from bot.grounding import citations, links, numbers, texts, vocabulary
from bot.grounding.ground import Ground
from bot.grounding.texts import AnswerPart, ShownText
from bot.grounding.value_source import ValueSource

_LABEL: Final = re.compile(r"(?<!\w)(?:#\d{1,18}|[MNAPS]\d{1,6})\b")
_ITEM: Final = re.compile(r"^[ \t]*(?:[-*+\u2022]|\d{1,2}[.)])[ \t]", re.MULTILINE)
_HALF: Final = re.compile(vocabulary.HALVES)
_DAY: Final = 86_400
"""Seconds."""
_MOST_CLOCKS: Final = 8


class Case:
    """Everything the checks need of an answer and what it is held against."""

    def __init__(self, answer: str, ground: Ground) -> None:
        self.answer = answer
        self.ground = ground
        self.claims = texts.claims(answer)
        self.bared_answer = citations.without(answer)
        """The answer without its citations."""
        self.language = _language(texts.folded(answer), texts.folded(self.bared_answer), ground.text)
        self._reckoned: dict[str, tuple[float, ...]] = {}
        self._dated: dict[str, days.NamedDays] = {}

    @functools.cached_property
    def source_of_answer(self) -> ValueSource:
        """The values of the answer itself, citations aside."""
        return ValueSource(self.bared_answer, self.ground.asked_on, is_evidence=False)

    @functools.cached_property
    def answer_stems(self) -> frozenset[str]:
        """The content of the answer, citations aside."""
        return frozenset(texts.stems(texts.folded(self.bared_answer)))

    @functools.cached_property
    def answer_periods(self) -> frozenset[str]:
        """What numbers of the answer are counted by."""
        return numbers.periods(texts.folded(self.answer))

    @functools.cached_property
    def cited(self) -> tuple[str, ...]:
        """The labels cited, in order of first mention, apart from those that are the text's own words."""
        return tuple(dict.fromkeys(label for claim in self.claims for label in self.cited_by(claim)))

    @functools.cached_property
    def all_cited(self) -> tuple[ShownText, ...]:
        """What the answer cites anywhere and was shown; all that was shown where it cites none of it."""
        return self._shown(self.cited) or self.ground.shown

    def cited_by(self, claim: AnswerPart) -> tuple[str, ...]:
        """The labels a claim carries; `(P1)` is none where somebody wrote of a P1."""
        return tuple(label for label in claim.cited if label in self.ground.by_label or not self.ground.is_word(label))

    def bared(self, claim: AnswerPart) -> str:
        """The text of a claim without links, and without the labels of what was shown, as in "memory #42"."""
        text = links.without(claim.text)
        if not any(label in text for label in self.ground.by_label):
            return text
        return _LABEL.sub(lambda found: "" if found[0] in self.ground.by_label else found[0], text)

    def held(self, claim: AnswerPart) -> tuple[ShownText, ...]:
        """What a claim may rest on: what it cites, or all that was shown where it cites nothing."""
        return self.own(claim) or self.ground.shown

    def own(self, claim: AnswerPart) -> tuple[ShownText, ...]:
        """What a claim cites and was shown."""
        return self._shown(dict.fromkeys(claim.cited))

    def rests_on(self, claim: AnswerPart) -> tuple[ShownText, ...]:
        """What a claim cites; of one that cites nothing, what the answer cites at all, else all that was shown."""
        return self.own(claim) or self.all_cited

    def dated(self, text: str) -> days.NamedDays:
        """The days and hours of a part of the answer, read once for all who ask."""
        if text not in self._dated:
            self._dated[text] = written_dates.read(text, self.ground.asked_on)
        return self._dated[text]

    def reckoned(self, text: str) -> tuple[float, ...]:
        """What a part of the answer may have reckoned from what the answer rests on."""
        if text not in self._reckoned:
            shown = [told for each in self.all_cited if (told := self.ground.source(each).quantities)]
            spoken = (text, *(each.text for each in self.all_cited)) if shown else ()
            is_halved = any(_HALF.search(part) for part in spoken)
            self._reckoned[text] = numbers.reckoned(text, shown, is_halved=is_halved)
        return self._reckoned[text]

    @functools.cached_property
    def countable(self) -> frozenset[int]:
        """What an answer may count of its own: what it cites, who said that, and what it lists."""
        cited = self._shown(self.cited)
        claims = sum(not claim.is_heading for claim in self.claims)
        return frozenset(
            (len(self.cited), len({one.author for one in cited}), claims, claims - 1, len(self.ground.shown))
        )

    @functools.cached_property
    def listed(self) -> int:
        """How many lines of the answer are items of a list."""
        return len(_ITEM.findall(self.answer))

    @functools.cached_property
    def lengths(self) -> frozenset[int]:
        """The seconds between two times of day of one text the answer rests on, and from the day asked to one named."""
        calendars = [self.ground.source(shown).calendar for shown in self.all_cited]
        clocks = [sorted(each.clocks)[:_MOST_CLOCKS] for each in calendars]
        named = {first for each in calendars for first, last in each.ranges if first == last}
        between = {(late - early) * 60 for each in clocks for early, late in itertools.combinations(each, 2)}
        return frozenset(between | {abs(day - self.ground.asked_on).days * _DAY for day in named})

    def _shown(self, labels: Iterable[str]) -> tuple[ShownText, ...]:
        """What was shown under these labels, as far as it was."""
        return tuple(self.ground.by_label[label] for label in labels if label in self.ground.by_label)


def _language(answer: str, bared: str, shown: str) -> str:
    """The language of an answer; of what was shown where the answer has no word that tells."""
    found = texts.language(answer)
    if found != "english" or not vocabulary.FUNCTION["english"].isdisjoint(texts.words(bared)):
        return found
    return texts.language(shown)
