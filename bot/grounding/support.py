"""Checks that claims cite evidence that was shown, and share content with it."""

from collections.abc import Iterator
from typing import Final

from bot.grounding import links, model_orders, numbers, texts, vocabulary
from bot.grounding.case import Case
from bot.grounding.faults import Fault, FaultKind
from bot.grounding.texts import AnswerPart
from bot.language.questions import answer_kinds

_MANY: Final = 5
"""Content words from which on most of a claim must be in what was shown or asked."""
_SHORT: Final = 3
"""Content words of a claim so short that what it adds to the question must be held, were it one word."""
_FEW: Final = 0.25
"""Share of them that is too little."""


def faults(case: Case) -> Iterator[Fault]:
    """Missing and wrong citations, and claims that have nothing to do with theirs."""
    for label in case.cited:
        if label not in case.ground.by_label:
            yield Fault(kind=FaultKind.CITATION, reason=f"It cited {label}, which I had not found.")
    claims = [claim for claim in case.claims if not claim.is_open and not claim.is_heading]
    if not case.claims or (claims and not case.cited):
        yield Fault(kind=FaultKind.NO_CITATION, reason="It claimed something without saying what that rests on.")
    asked = case.ground.question_stems
    beginnings = texts.beginnings(asked)
    for claim in claims:
        if _is_unsupported(case, claim, asked, beginnings, is_whole=len(claims) == 1):
            yield Fault(kind=FaultKind.SUPPORT, reason="It said what has nothing to do with what it rests on.")
            return
        if _is_obedient(case, claim, asked, beginnings):
            yield Fault(
                kind=FaultKind.SUPPORT, reason="It did what a text told it to do, and said nothing of what was asked."
            )
            return
    if any(links.found(case.answer)) and not _is_on_subject(case, asked, beginnings):
        yield Fault(kind=FaultKind.SUPPORT, reason="It gave a link or mention, and nothing of what was asked.")


def _is_unsupported(
    case: Case, claim: AnswerPart, asked: frozenset[str], asked_beginnings: frozenset[str], *, is_whole: bool
) -> bool:
    """Whether a claim shares no content word with what it rests on, or hardly any of many, or none it adds."""
    said = texts.stems(claim.folded, apart_from=vocabulary.COMMON | case.ground.persons)
    said = [one for one in said if not one.isdigit() and one not in texts.CALENDAR]
    # What is written without blanks is looked at by pairs of letters, as riders are.
    content = [one for one in said if not texts.BLANKLESS.search(one)]
    rests_on = case.rests_on(claim)
    shown = frozenset[str]().union(*(one.stems for one in rests_on))
    beginnings = texts.beginnings(shown)
    is_shared = any(texts.is_akin(one, shown, beginnings) for one in content)
    if not is_shared and len(content) > (0 if is_whole else 1) and not _has_value(case, claim):
        return True
    if is_whole and len(content) <= _SHORT and not (_has_value(case, claim) or _names_somebody(case, claim)):
        unheld = [one for one in content if not texts.is_akin(one, shown, beginnings)]
        added = [one for one in content if not texts.is_akin(one, asked, asked_beginnings)]
        # What it tells beside the words of the question is in nothing it rests on; of a yes, what it says yes to.
        if set(added) <= set(unheld) and (added or (unheld and answer_kinds.is_yes_or_no(case.ground.question))):
            return True
    if len(content) < _MANY:
        return False
    known = shown | case.ground.question_stems
    beginnings = texts.beginnings(known)
    return sum(texts.is_akin(one, known, beginnings) for one in content) / len(content) < _FEW


def _is_obedient(case: Case, claim: AnswerPart, asked: frozenset[str], beginnings: frozenset[str]) -> bool:
    """Whether a claim rests on an order to whoever reads it, and neither has a word of the question."""
    ordering = [(shown, orders) for shown in case.rests_on(claim) if (orders := case.ground.stray_orders(shown))]
    if not ordering or not asked:
        return False
    said = frozenset(texts.stems(claim.folded))
    if not said or any(texts.is_akin(one, asked, beginnings) for one in said):
        return False
    for shown, orders in ordering:
        near = [each for each in model_orders.sentences_of(shown.text) if said.intersection(texts.stems(each))]
        if near and orders.issuperset(near):
            return True
    return False


def _is_on_subject(case: Case, asked: frozenset[str], beginnings: frozenset[str]) -> bool:
    """Whether the answer, or a sentence it rests on, speaks of what was asked."""
    said = texts.stems(texts.folded(links.without(case.answer)))
    if any(texts.is_akin(one, asked, beginnings) for one in said):
        return True
    linked = [texts.folded(link) for link in links.found(case.answer)]
    near = [
        line for shown in case.ground.shown for line in shown.text.splitlines() if any(link in line for link in linked)
    ]
    return any(texts.is_akin(one, asked, beginnings) for line in near for one in texts.stems(line))


def _names_somebody(case: Case, claim: AnswerPart) -> bool:
    """Whether a claim names people; whether the right ones is another check."""
    return not case.ground.persons.isdisjoint(texts.words(claim.folded))


def _has_value(case: Case, claim: AnswerPart) -> bool:
    """Whether a claim gives a number or a date; whether it is the right one is another check."""
    bare = texts.bare(claim.text)
    named = case.dated(bare)
    return bool(named.mentions or named.clocks or numbers.has_any(named.rest, case.ground.languages))
