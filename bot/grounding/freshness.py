"""Checks that an answer does not give an older fact without the newer one that differs."""

import re
from collections.abc import Iterator
from typing import Final

from bot.grounding import texts, vocabulary
from bot.grounding.case import Case
from bot.grounding.faults import Fault, FaultKind
from bot.grounding.texts import ShownText
from bot.grounding.value_source import ValueSource

_UPDATE: Final = re.compile(vocabulary.UPDATES)
_CHANGE: Final = re.compile(vocabulary.CHANGES)
_PAST: Final = re.compile(vocabulary.PAST)
_FROM_TO: Final = re.compile(
    r"\b(?:from|von|vom|de) (?:(?:the|a|our|der|die|das|dem|la|le|el) )?(?P<old>[a-z][\w.-]+) "
    r"(?:to|nach|zu|zum|zur|a) (?:(?:the|a|our|der|die|das|dem|la|le|el) )?(?P<new>[a-z][\w.-]*\w)"
)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|my|mine|ich|mein\w*|je|j'\w+|mon|ma|mes|yo|mi|mis)\b")
_MOST_DIFFERENT: Final = 4
"""Words of their own that two short statements of one thing may have."""
_SAME: Final = 0.5
"""Share of the shorter statement's words the other must have, where nothing says that it takes its place."""


def faults(case: Case) -> Iterator[Fault]:
    """The first older thing that is given without the newer one."""
    if fault := _left_behind(case):
        yield fault
        return
    dated = [one for one in case.ground.shown if one.evidence.said_at]
    for old in dated:
        for new in dated:
            if old.evidence.said_at < new.evidence.said_at and _is_stale(case, old, new):  # type: ignore[operator]
                yield Fault(
                    kind=FaultKind.STALE, reason=f"It gave what {old.label} says, but {new.label} is newer and differs."
                )
                return


def _left_behind(case: Case) -> Fault | None:
    """The fault of giving what was left for something else, or of turning the change round: from A to B."""
    changed = [shown for shown in case.all_cited if _CHANGE.search(shown.content)]
    if not changed:
        return None
    answer = texts.folded(case.bared_answer)
    said = frozenset(texts.words(answer))
    moves = {(one["old"], one["new"]) for one in _FROM_TO.finditer(answer)}
    is_past = bool(_PAST.search(answer) or _PAST.search(case.ground.question))
    for shown in changed:
        for one in _FROM_TO.finditer(shown.content):
            old, new = one["old"], one["new"]
            if (new, old) in moves or (old in said and new not in said and not is_past):
                return Fault(
                    kind=FaultKind.STALE, reason=f"It gave what {shown.label} says was left, or turned it round."
                )
    return None


def _is_stale(case: Case, old: ShownText, new: ShownText) -> bool:
    people = case.ground.person_stems
    before, after = old.stems - people, new.stems - people
    if not _is_one_subject(case, old, new, before, after):
        return False
    mine, theirs = (_values(case.ground.source(one)) | _periods(case.ground.periods(one)) for one in (old, new))
    given = _values(case.source_of_answer) | _periods(case.answer_periods)
    if (mine - theirs) and (theirs - mine) and _kinds(mine - theirs) & _kinds(theirs - mine):
        return bool(given & (mine - theirs)) and not given & (theirs - mine)
    if old.label not in case.cited or new.label in case.cited:
        return False
    if _is_denied(old, new):
        return not _is_denied(old, new, spoken=texts.clauses(case.bared_answer))
    only_old, only_new = _words((before & _undated(case, old)) - after), _words((after & _undated(case, new)) - before)
    if not only_old or not only_new or len(only_old) > _MOST_DIFFERENT or len(only_new) > _MOST_DIFFERENT:
        return False
    return bool(case.answer_stems & only_old) and not case.answer_stems & only_new


def _is_one_subject(case: Case, old: ShownText, new: ShownText, before: frozenset[str], after: frozenset[str]) -> bool:
    """Whether both answer the question, speak of the same, and that is what is asked or answered."""
    is_personal = _FIRST_PERSON.search(old.content) or _FIRST_PERSON.search(new.content)
    if old.author != new.author and is_personal:
        return False
    asked = case.ground.question_stems
    if not (asked & _with_author(old)) <= _with_author(new) or not before & after & (asked | case.answer_stems):
        return False
    shared = len(_words(before & after))
    shorter = min(len(_words(before)), len(_words(after))) or 1
    if _UPDATE.search(new.content):
        return shared >= 1 and (shared > 1 or shared / shorter >= _SAME or bool(asked & before & after))
    return shared >= min(2, shorter) and shared / shorter >= _SAME


def _undated(case: Case, shown: ShownText) -> frozenset[str]:
    """What it says besides days and times, which are compared as values."""
    return frozenset(texts.stems(case.ground.source(shown).named.rest))


def _with_author(shown: ShownText) -> frozenset[str]:
    return shown.stems | {texts.stem(word) for word in texts.words(shown.author)}


def _is_denied(old: ShownText, new: ShownText, *, spoken: tuple[texts.Clause, ...] | None = None) -> bool:
    """Whether what is spoken, the newer evidence unless given, turns round a clause of the older one."""
    for clause in new.clauses if spoken is None else spoken:
        for other in old.clauses:
            shared = len(clause.stems & other.stems)
            if shared >= min(2, len(clause.stems), len(other.stems)) and clause.is_negative != other.is_negative:
                return True
    return False


def _values(source: ValueSource) -> frozenset[tuple[str, object]]:
    found: set[tuple[str, object]] = {
        ("number", one.values) for one in source.quantities if one.values != frozenset({1.0})
    }
    found |= {("version", one.text) for one in source.quantities if not one.values}
    found |= {("clock", minutes) for _text, minutes in source.named.clocks}
    for mention in source.named.mentions:
        if mention.weekday is not None:
            found.add(("day", mention.weekday))
        elif mention.ranges:
            found |= {("day", (first.month, first.day)) for first, last in mention.ranges if first == last}
        else:
            found |= {("day", month) for month in mention.months}
    return frozenset(found)


def _periods(periods: frozenset[str]) -> frozenset[tuple[str, object]]:
    return frozenset(("period", period) for period in periods)


def _kinds(values: frozenset[tuple[str, object]]) -> set[str]:
    return {kind for kind, _value in values}


def _words(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(stem for stem in stems if stem.isalpha() and not _UPDATE.fullmatch(stem))
