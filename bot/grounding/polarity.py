"""Checks that an answer does not deny what was said, or affirm what was denied."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bot.grounding import quotes, texts, vocabulary
from bot.grounding.case import Case
from bot.grounding.faults import Fault, FaultKind
from bot.grounding.texts import Clause, ShownText

_FEWEST: Final = 2
"""Words two clauses must share to speak of the same, unless the shorter one has no more."""
_NEARLY: Final = 0.75
"""Share of the best similarity from which another clause speaks of the same, too."""
_ENDED: Final = re.compile(r"\b(?:no longer|any ?more|nicht mehr|kein\w* mehr|ne \w+ plus|ya no)\b")
_CHANGE: Final = re.compile(vocabulary.CHANGES)
_YES: Final = re.compile(r"^\W*(?:yes|yep|yeah|yup|correct|right|indeed|exactly|ja|genau|oui|si|claro)\b(?=\W|$)")
_NO: Final = re.compile(r"^\W*(?:no|nope|nein|non)\b(?=\s*(?:[,.;:!\u2013\u2014-]|[(\[]|$))")
_LIKING: Final = frozenset(
    texts.stem(word)
    for word in (
        *(
            "like",
            "likes",
            "liked",
            "love",
            "loves",
            "loved",
            "enjoy",
            "enjoys",
            "fan",
            "want",
            "wants",
            "mag",
            "liebt",
        ),
        *("liebe", "aime", "aiment", "adore", "gusta", "gustan", "encanta", "quiere"),
    )
)
"""What hating denies: who hates olives does not love them."""
_YES_NO_QUESTION: Final = re.compile(
    r"^\W*(?:\w+, )?(?:so |and |but |also )?(?:do|does|did|is|are|was|were|has|have|had|can|could|"
    r"will|would|should|may|"
    r"must|don't|doesn't|didn't|isn't|aren't|ist|sind|war|hat|haben|kann|darf|durfen|soll|est-ce|est|a-t|avons|"
    r"avez|peut|peux|puedo|puede|podemos|es|esta|tenemos|hay|hemos|ha)\b"
)
_WAS_SAID: Final = re.compile(
    r"^\W*(?:\w+, )?(?:did|have|has|do|does|hat|habe|haben|avons|ai|ha|hemos|he) \w+ (?:\w+ )?(?:say|"
    r"said|mention\w*|tell|told|talk\w*|"
    r"discuss\w*|decide\w*|know|write|written|gesagt|besprochen|dit|parle|dicho|hablado)\b"
)
"""A question whether something was said at all: yes, it was said that it is not so."""
_ENOUGH: Final = 0.6
"""Share of what the question says that evidence must say for it to affirm or deny the question."""

_MOST_COMPARED: Final = 30_000
"""Pairs of a clause said and one shown; ten times those of a long answer over much that was found."""


def faults(case: Case) -> Iterator[Fault]:
    """Clauses that say what was denied or deny what was said, and a yes or no that does."""
    if fault := _yes_no(case):
        yield fault
    asked = texts.clause(case.ground.last_question.rstrip("? "))
    told = {shown.label: list(dict.fromkeys(_bared(case, shown.clauses))) for shown in case.ground.shown}
    compared = 0
    for claim in case.claims:
        if claim.is_open or claim.is_heading:
            continue
        spoken = [one for shown in case.rests_on(claim) for one in told[shown.label]]
        for clause in dict.fromkeys(_bared(case, texts.clauses(quotes.unquoted(claim.text)))):
            compared += len(spoken)
            if compared > _MOST_COMPARED:
                yield Fault(kind=FaultKind.SUPPORT, reason="It said too much at once to be checked.")
                return
            if clause.stems <= texts.CALENDAR or _completes(clause, asked):
                continue
            if _is_turned(clause, spoken):
                what = "said" if clause.is_negative else "denied"
                yield Fault(
                    kind=FaultKind.NEGATION,
                    reason=f"It {'denied' if clause.is_negative else 'said'} what was {what} in what I found.",
                )
                break


def _completes(clause: Clause, asked: Clause) -> bool:
    """Whether a clause only says when or where of what the question denies: since when do the tests fail?"""
    return asked.is_negative and not clause.is_negative and clause.stems.isdisjoint(asked.stems)


def _bared(case: Case, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses without the names of people and words of liking: who says it is another question, and so is how."""
    people = _LIKING | case.ground.person_stems
    bared = [Clause(text=one.text, stems=one.stems - people, is_negative=one.is_negative) for one in clauses]
    return [one for one in bared if one.stems]


def _is_turned(clause: Clause, spoken: Sequence[Clause]) -> bool:
    alike = [(similarity, one) for one in spoken if (similarity := _similarity(clause, one)) > 0]
    if not alike:
        return False
    best = max(similarity for similarity, _one in alike)
    near = [one for similarity, one in alike if similarity >= best * _NEARLY]
    return all(
        one.is_negative != clause.is_negative and not _is_bounded(clause, one) and not _is_ended(clause, one)
        for one in near
    )


def _is_bounded(one: Clause, other: Clause) -> bool:
    """Whether one holds until and the other not before: neither turns the other round."""
    return bool(one.bound and other.bound and one.bound != other.bound)


def _is_ended(one: Clause, other: Clause) -> bool:
    """Whether one says "no longer" of what the other says has changed."""
    return any(_ENDED.search(each.text) and _CHANGE.search(by.text) for each, by in ((one, other), (other, one)))


def _similarity(one: Clause, other: Clause) -> float:
    """How much two clauses share, 0 where it is too little to speak of the same."""
    shared = len(one.stems & other.stems)
    if not shared:
        return 0.0
    shorter = min(len(one.stems), len(other.stems))
    is_little = shared == 1 and not (one.stems ^ other.stems) <= texts.CALENDAR | _numbers(one) | _numbers(other)
    if shared < min(_FEWEST, shorter) or shared * 2 < shorter or is_little:
        return 0.0
    return shared * shared / (len(one.stems) * len(other.stems))


def _numbers(clause: Clause) -> frozenset[str]:
    return frozenset(stem for stem in clause.stems if stem.isdigit())


def _yes_no(case: Case) -> Fault | None:
    answer = next((claim.folded for claim in case.claims if not claim.is_heading), "")
    is_yes, is_no = bool(_YES.match(answer)), bool(_NO.match(answer))
    if not (is_yes or is_no) or not _YES_NO_QUESTION.match(case.ground.last_question):
        return None
    asked = texts.clause(case.ground.last_question.rstrip("? ")).stems - case.ground.person_stems
    if is_yes and (named := _not_shown(case)):
        return Fault(kind=FaultKind.YES_NO, reason=f"It said yes, but {named} is nowhere in what I found.")
    found = None if _WAS_SAID.match(case.ground.last_question) else _stance(case, asked)
    if found is None or found == is_yes:
        return None
    said, was = ("yes", "denied") if is_yes else ("no", "said")
    return Fault(kind=FaultKind.YES_NO, reason=f"It answered {said}, but what was asked is {was} in what I found.")


def _stance(case: Case, asked: frozenset[str]) -> bool | None:
    """Whether the newest evidence that speaks of what was asked says it; None where none clearly does."""
    if not asked:
        return None
    stances = [(_when(shown), stance) for shown in case.all_cited if (stance := _stance_of(shown, asked)) is not None]
    return max(stances)[1] if stances else None


def _stance_of(shown: ShownText, asked: frozenset[str]) -> bool | None:
    """Whether evidence says all that was asked, or denies most of it and says less of it; None where neither."""
    said = denied = 0.0
    for clause in shown.clauses:
        share = len(asked & clause.stems) / len(asked)
        if clause.is_negative:
            denied = max(denied, share)
        elif len(asked) > 1 or len(clause.stems) <= _FEWEST:
            said = max(said, share)
    if denied >= _ENOUGH and denied > said:
        return False
    return True if said == 1 and said > denied else None


def _when(shown: ShownText) -> float:
    return shown.evidence.said_at.timestamp() if shown.evidence.said_at else 0.0


def _not_shown(case: Case) -> str:
    """A date, a number or a person of the question that what the answer rests on does not have."""
    rests_on = case.all_cited
    calendars = [case.ground.source(shown).calendar for shown in rests_on]
    for mention in case.ground.question_source.named.mentions:
        spoken = [case.ground.said_on(shown) for shown in rests_on]
        is_said = any(mention.ranges and day and mention.ranges[0][0] <= day <= mention.ranges[0][1] for day in spoken)
        if not is_said and not any(calendar.holds(mention) for calendar in calendars):
            return mention.text
    for one in case.ground.question_source.quantities:
        if not any(numbers_shown(case, shown, one.values) for shown in rests_on):
            return one.text
    periods = frozenset[str]().union(*(case.ground.periods(shown) for shown in rests_on))
    if periods and (others := case.ground.question_periods - periods):
        return f"by the {min(others)}"
    there = frozenset(texts.words(" ".join(f"{shown.text} {shown.author}" for shown in rests_on)))
    for name in case.ground.asked_names:
        if (
            name not in there
            and vocabulary.ALIASES.get(name) not in there
            and name not in texts.words(case.ground.asker)
        ):
            return name.capitalize()
    return ""


def numbers_shown(case: Case, shown: ShownText, values: frozenset[float]) -> bool:
    """Whether evidence has one of the values as a number."""
    return any(values & one.values for one in case.ground.source(shown).quantities)
