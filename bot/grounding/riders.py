"""Checks that every part of an answer has support of its own, so that no claim rides on one that is supported."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from bot.grounding import links, number_words, numbers, texts, vocabulary
from bot.grounding.case import Case
from bot.grounding.faults import Fault, FaultKind
from bot.grounding.texts import AnswerPart

_ALIKE: Final = 2
"""Words that two texts share that speak of the same."""
_PARTS: Final = re.compile(
    r"[;:\u2013\u2014()|\"\u3001\u3002\uff0c\uff1a\uff1b]|,(?!\d)|\.\s| - |"
    r"\b(?:and|but|because|so that|although|though|however|while|whereas|since|which|who|whose|where|"
    r"und|aber|weil|sondern|obwohl|wahrend|et|mais|parce que|car|alors que|qui|dont|"
    r"y|pero|porque|sino|aunque|mientras|donde)\b"
)
"""Between two parts of a folded sentence, each of which may say something of its own."""
_MOST_UNKNOWN: Final = 1
"""Telling words one after the other that nothing shown has: one may be another word for the same, two say more."""
_SHORTEST: Final = 4
_LONGEST: Final = 24
"""Letters of a stem that may be the beginning of another."""
_STATED: Final = re.compile(r"(?P<stated>.+),[^,]{1,24}\?\s*$", re.DOTALL)
_INVERTED: Final = re.compile(
    r"^\W*(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must|what|who|whom|"
    r"whose|which|when|where|why|how|want|soll|kann|ist|sind|hat|haben|was|wer|wann|wo|warum|wie|est|a|as|avez|veux|"
    r"que|qui|quand|ou|es|hay|quieres)\b"
)
"""How a question begins that states nothing."""
_LIGHT: Final = frozenset(
    map(
        texts.stem,
        vocabulary.STATE - vocabulary.DEEDS
        | vocabulary.META
        | vocabulary.COMMON
        | vocabulary.LIGHT
        | vocabulary.ACRONYMS
        | number_words.ORDINALS.keys()
        | number_words.UNITS.keys()
        | {part for table in number_words.WORDS.values() for phrase in table for part in phrase.split()},
    )
)


class _Word(NamedTuple):
    """A word of content."""

    is_known: bool
    is_telling: bool


def faults(case: Case) -> Iterator[Fault]:
    """Parts of an answer that say what nothing shown has a word of, or that stood in what was replaced."""
    scripts = frozenset(
        texts.scripts(" ".join([case.ground.question, *(f"{one.text} {one.author}" for one in case.ground.shown)]))
    )
    for claim in case.claims:
        if _rides(case, claim) or texts.scripts(claim.folded) - scripts:
            yield Fault(kind=FaultKind.SUPPORT, reason="It added what has nothing to do with what it rests on.")
            return
        if _is_of_older(case, claim):
            yield Fault(kind=FaultKind.STALE, reason="It gave what was replaced under the number of what replaced it.")
            return


def _rides(case: Case, claim: AnswerPart) -> bool:
    """Whether telling words that nothing shown has stand together, or a statement has no others."""
    known = _Known(case, claim)
    unknown = 0
    for part in _PARTS.split(links.without(texts.unopened(claim.folded) if claim.is_open else claim.folded)):
        said = list(known.read(part))
        for word in said:
            unknown = 0 if word.is_known else unknown + word.is_telling
            if unknown > _MOST_UNKNOWN:
                return True
        if not claim.is_open and _is_of_somebody(case, part) and _is_alone(said) and not _has_value(case, part):
            return True
    stated = _stated(claim.folded) if claim.is_open else claim.folded
    return not claim.is_heading and _is_alone(list(known.read(stated))) and not _has_value(case, stated)


class _Known:
    """What a claim may speak of: the words of what it rests on, and of the question."""

    def __init__(self, case: Case, claim: AnswerPart) -> None:
        self._rests_on = case.rests_on(claim)
        self._case = case
        self._stems = case.ground.question_stems.union(*(shown.stems for shown in self._rests_on))
        self._beginnings = texts.beginnings(self._stems)
        self._authors = frozenset(texts.words(" ".join(shown.author for shown in self._rests_on)))

    def read(self, part: str) -> Iterator[_Word]:
        """The words of content of a part, the names of people aside."""
        for word in texts.words(part):
            if texts.BLANKLESS.search(word):
                yield from self._pairs(word)
            elif any(sign.isdigit() for sign in word):
                yield _Word(is_known=True, is_telling=False)
            elif texts.is_content(word) and word not in self._case.ground.persons:
                stem = texts.stem(word)
                is_light = stem in _LIGHT or stem in texts.CALENDAR
                yield _Word(is_known=self._has(stem) or word in self._authors, is_telling=not is_light)

    def _has(self, stem: str) -> bool:
        if texts.is_akin(stem, self._stems, self._beginnings):
            return True
        return any(stem[:size] in self._stems for size in range(_SHORTEST, min(len(stem), _LONGEST)))

    def _pairs(self, word: str) -> Iterator[_Word]:
        """Such a word two letters after two letters, as it has no parts that are told otherwise."""
        for run in texts.BLANKLESS.findall(word):
            for at in range(0, len(run), 2):
                yield _Word(is_known=bool(self._near(run, at)), is_telling=True)

    def _near(self, run: str, at: int) -> set[str]:
        return {run[at : at + 2], run[at + 1 : at + 3], run[max(0, at - 1) : at + 1]} & self._shown_pairs

    @cached_property
    def _shown_pairs(self) -> frozenset[str]:
        shown = _pairs_of(self._case.ground.question)
        return shown.union(*(_pairs_of(one.text) for one in self._rests_on))


def _pairs_of(text: str) -> frozenset[str]:
    return frozenset(run[at : at + 2] for run in texts.BLANKLESS.findall(text) for at in range(max(1, len(run) - 1)))


def _is_of_somebody(case: Case, part: str) -> bool:
    """Whether a part speaks of a person, and not only of what is theirs."""
    return not case.ground.persons.isdisjoint(texts.WORD.findall(part))


def _is_alone(said: Sequence[_Word]) -> bool:
    """Whether there are telling words, and none that is known."""
    return any(word.is_telling for word in said) and not any(word.is_known for word in said)


def _stated(question: str) -> str:
    """What a question states before it asks, as in "it is off, isn't it?"; most state nothing."""
    found = _STATED.match(question)
    return found["stated"] if found and not _INVERTED.match(question) else ""


def _has_value(case: Case, part: str) -> bool:
    """Whether a part gives a number or a date; whether it is the right one is another check."""
    named = case.dated(part)
    return bool(named.mentions or named.clocks or numbers.has_any(named.rest, case.ground.languages))


def _is_of_older(case: Case, claim: AnswerPart) -> bool:
    """Whether a claim has a word that only an older text on the same has, and not the newer one it cites."""
    own = case.own(claim)
    if len(own) != 1 or own[0].evidence.said_at is None:
        return False
    cited, at = own[0], own[0].evidence.said_at
    known = cited.stems | case.ground.question_stems
    beginnings = texts.beginnings(known)
    said = frozenset(texts.stems(claim.folded, apart_from=case.ground.persons)) - _LIGHT - texts.CALENDAR
    strange = {one for one in said if not one.isdigit() and not texts.is_akin(one, known, beginnings)}
    older = (one for one in case.ground.shown if one.evidence.said_at is not None and one.evidence.said_at < at)
    return any(strange & one.stems and len(cited.stems & one.stems) >= _ALIKE for one in older if strange)
