"""Finds where an answer contradicts what stands in its prompt: another number, date or name of the same, or a denial.

It is for answers that rest on nothing that was looked up. What nothing shown speaks of is left alone, however wrong.
"""

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from bot.dates import days
from bot.grounding import check, citations, number_words, texts, vocabulary
from bot.grounding.faults import FaultKind
from bot.grounding.ground import Ground
from bot.grounding.texts import ShownText
from bot.grounding.value_source import ValueSource
from bot.layers.walk import Evidence
from bot.text import sentences

_FEWEST: Final = 2
"""Telling words that a sentence shares with what speaks of the same."""
_SHARE: Final = 0.5
"""Of the telling words of the shorter of the two."""
_MOST_NEAR: Final = 3
_LONGEST: Final = 400
"""Characters of a sentence that is looked at."""
_REFERS: Final = re.compile(
    r"^\W*(?:yes|no|yep|nope|ja|nein|oui|non|si|it|they|he|she|that|this|(?:well|so|actually),? it)\b"
)
"""How a sentence begins that speaks of what was asked about."""
_IT: Final = re.compile(r"^\W*(?:(?:yes|no|yep|nope|well|so|actually)\b\W*)?(?:it|they|he|she)\b")
"""The same, and of nothing that was said in between."""
_PERIODS: Final = frozenset({"hour", "hourly", "day", "daily", "week", "weekly", "month", "monthly", "year", "yearly"})
"""What an amount may be of: that of a year is none of a month."""
_VALUE: Final = re.compile(r"(?<=[\w,.] )[A-Z][\w-]+|(?<!\S)\S*\d\S*")
"""Names, numbers and codes, without which a sentence tells what they are of."""
_NAME: Final = re.compile(r"(?<=\w )[A-Z][\w-]+|(?<!\S)\S*[^\W\d]\d")
"""A name, or a code of letters with figures behind them."""
_DIGITS: Final = re.compile(r"(?<![\w.,:/-])(?!(?:19|20)\d\d\b)\d{4,8}(?![\w:/-]|[.,]\d)")
"""What opens or dials something: hardly anything else has figures like these."""
_SPANS: Final = frozenset(map(texts.stem, ("start", "begin", "end", "open", "close", "finish", "last", "due")))
"""Words that only say that it is of a time."""
_PART: Final = re.compile(r",(?!\d)\s*|;\s*")
"""What stands between the parts of a sentence."""
_GENERAL: Final = re.compile(
    r"\b(?:would|could|should|might|usually|typically|often|generally|normally|commonly|many|most|some|any|if|such)\b"
)
"""What a sentence has that tells of things of that kind, and not of the one at hand."""
_MEASURES: Final = frozenset(map(texts.stem, number_words.UNITS.keys()))
_DENIALS: Final = frozenset({FaultKind.NEGATION.value, FaultKind.YES_NO.value})
_NONE: Final = re.compile(
    r"^\W*(?:(?:well|so|actually|no), )?"
    r"(?:there(?:'s| is| are| was| were) (?:no|not an?y?)|there (?:isn't|aren't|wasn't|weren't) an?y?|"
    r"no(?=.* (?:is|are|was|were|has|have)\b)) "
    r"(?P<thing>\w[\w'-]*(?: \w[\w'-]*){0,2}?)"
    r"(?: (?:is|are|was|were|has|have|been|currently|now|yet|planned|scheduled|set|due|known|coming|at all|so far|"
    r"to [a-z]+)){0,5}[.!\s]*$"
)
"""A sentence that says no more than that there is none of a thing: `no freeze is planned`."""
_IS_OVER: Final = re.compile(
    rf"{vocabulary.CHANGES}|\b(?:over|off|cancel\w*|ended|lifted|done|finished|gone|dropped|scrapped|removed|past)\b"
)
"""What tells of a thing that there is none any more."""


class Standing:
    """What stands in the prompt of one question: memories and what people said, to hold sentences against."""

    def __init__(
        self, told: Sequence[Evidence], also: Sequence[Evidence], question: str, *, asked_at: datetime, zone: str
    ) -> None:
        """`told` is what an answer is held against; what is `also` shown may be told too, and is not quoted.

        Nothing of it is looked at before there is a sentence to hold against it.
        """
        self._told = told
        self._also = also
        self._question = question
        self._asked_at = asked_at
        self._zone = zone
        self._found: dict[str, Evidence | None] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing can contradict what stands here."""
        return not self._told

    @functools.cached_property
    def _shown(self) -> list[ShownText]:
        return [ShownText(one) for one in self._told]

    @functools.cached_property
    def _subjects(self) -> list[frozenset[str]]:
        """What each of them is of."""
        return [_subject(one.evidence.content) - _SPANS for one in self._shown]

    @functools.cached_property
    def _asked(self) -> frozenset[str]:
        return _telling(texts.stems(texts.folded(self._question)))

    def contradicted(self, sentence: str) -> Evidence | None:
        """What a sentence of the answer contradicts; none where it holds, or speaks of something else."""
        if sentence not in self._found:
            self._found[sentence] = None if self.is_empty else self._contradicted(sentence)
        return self._found[sentence]

    def read(self, text: str) -> str:
        """The text with each sentence that contradicts replaced by what it contradicts, verbatim and once."""
        if self.is_empty:
            return text
        parts: list[str] = []
        quoted: set[str] = set()
        for piece in _pieces(text):
            found = self.contradicted(piece)
            if found is None:
                parts.append(piece)
            elif found.label not in quoted:
                quoted.add(found.label)
                parts.append(quotation(found) + piece[len(piece.rstrip()) :])
        return "".join(parts)

    def _contradicted(self, sentence: str) -> Evidence | None:
        bared = citations.without(sentence).strip()
        if len(bared) > _LONGEST or bared.endswith(("?", ":")):
            return None
        denied = self._denied(bared)
        if denied is not None:
            return denied
        if _GENERAL.search(texts.folded(bared)):
            return None
        parts = ((part, self._same(part)) for part in _PART.split(bared))
        held = itertools.chain([(bared, self._near(bared))], parts)
        return next((found for said, near in held if (found := self._against(said, near)) is not None), None)

    def _against(self, said: str, near: Sequence[Evidence]) -> Evidence | None:
        """Which of what speaks of the same says otherwise."""
        if not near:
            return None
        # What was said since may have changed it, and of what speaks of it too any may be told.
        own = _subject(near[0].content) - _SPANS
        more = [one.evidence for one in self._shown if len(own & one.stems) >= max(1, min(_FEWEST, len(own)))]
        known = [*near, *(one for one in (*more, *self._also) if one not in near)]
        ground = Ground(self._question, known, asked_at=self._asked_at, zone=self._zone)
        kinds = check.check(said, ground).kinds
        return next((one for one in near if self._is_against(kinds, one)), None)

    def _denied(self, sentence: str) -> Evidence | None:
        """What tells of the thing, or of what was asked about, of which a sentence says only that there is none."""
        none = _NONE.match(texts.folded(sentence))
        thing = frozenset(texts.stems(none["thing"])) if none else frozenset[str]()
        if not thing or not (self._is_asked(thing) or thing in self._subjects):
            return None
        since = (clause for one in self._also for clause in texts.clauses(one.content))
        speaking = [(one.evidence, clause) for one in self._shown for clause in one.clauses if thing <= clause.stems]
        said = (*(clause for _, clause in speaking), *(clause for clause in since if thing <= clause.stems))
        if any(clause.is_negative or _IS_OVER.search(clause.text) for clause in said):
            return None
        return next((evidence for evidence, _ in speaking), None)

    def _is_asked(self, thing: frozenset[str]) -> bool:
        """Whether the question is about it, and not about something that is only called by it: `the freeze notes`."""
        words = texts.words(texts.folded(self._question))
        pairs = itertools.zip_longest(words, words[1:], fillvalue="")
        return any(texts.stem(word) in thing and not texts.content(after) for word, after in pairs)

    def _near(self, sentence: str) -> list[Evidence]:
        """What speaks of the same as a sentence, the nearest first."""
        low = texts.folded(sentence)
        stems = _telling(texts.stems(low))
        spoken = stems | self._asked if _REFERS.match(low) else stems
        subject = _subject(sentence)
        # "It is 1,100 euros": what it is of, the question alone tells.
        is_bare = not subject and bool(self._asked) and _IT.match(low) is not None
        periods = _PERIODS & {*texts.words(low), *texts.words(texts.folded(self._question))}
        ranked: list[tuple[int, Evidence]] = []
        for one in self._shown:
            telling = _telling(one.stems)
            shared = len(spoken & telling)
            is_all = bool(subject) and subject <= telling and bool(self._asked & telling)
            is_of_it = is_bare and self._asked <= telling and periods <= {*texts.words(one.text)}
            is_dialled = shared > 0 and _DIGITS.search(sentence) and _DIGITS.search(one.evidence.content)
            is_near = shared >= _FEWEST and shared >= _SHARE * min(len(stems), len(telling))
            if is_all or is_of_it or is_dialled or is_near:
                ranked.append((shared, one.evidence))
        ranked.sort(key=lambda each: -each[0])
        return [one for _shared, one in ranked[:_MOST_NEAR]]

    def _same(self, part: str) -> list[Evidence]:
        """What tells something of just the thing that a part of a sentence does, whatever was asked."""
        subject, periods = _subject(part) - _SPANS, _PERIODS & {*texts.words(texts.folded(part))}
        each = zip(self._shown, self._subjects, strict=True)
        same = [one for one, own in each if own and own == subject and periods <= {*texts.words(one.text)}]
        return [one.evidence for one in same[:_MOST_NEAR]]

    def _is_against(self, kinds: Sequence[str], one: Evidence) -> bool:
        """Whether these faults are against this text: it denies it, or has a value where the sentence has another."""
        if not _DENIALS.isdisjoint(kinds):
            return True
        values = ValueSource(one.content, days.local_day(one.said_at or self._asked_at, self._zone))
        return (
            (FaultKind.DATE.value in kinds and bool(values.named.mentions or values.named.clocks))
            or (FaultKind.NUMBER.value in kinds and bool(values.quantities or values.named.clocks))
            or (FaultKind.NAME.value in kinds and _NAME.search(one.content) is not None)
        )


def quotation(one: Evidence) -> str:
    """What stands in the prompt, in its own words."""
    content = " ".join(one.content.split())
    by = ", ".join(part for part in (one.author, one.label if one.label.startswith("#") else "") if part)
    return f"What I have on that: \u201c{content}\u201d" + (f" ({by})" if by else "")


def _telling(stems: Iterable[str]) -> frozenset[str]:
    """Those that say of what something is told: neither when, nor how much."""
    return frozenset(one for one in stems if not one.isdigit()) - texts.CALENDAR - _MEASURES


def _subject(text: str) -> frozenset[str]:
    """What a text tells something of."""
    return _telling(texts.stems(texts.folded(_VALUE.sub(" ", text))))


def _pieces(text: str) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        yield from sentences.pieces(line)
