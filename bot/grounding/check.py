"""Decides whether a model's answer may be sent, by running every check against the evidence."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from bot.grounding import citations, freshness, names, polarity, quotes, recollection, riders, speakers, support, values
from bot.grounding.case import Case
from bot.grounding.citations import cited_labels
from bot.grounding.faults import Fault, FaultKind
from bot.grounding.ground import Ground
from bot.text import sanitize

__all__ = ["FaultKind", "Verdict", "check", "cited_labels", "tidied", "unfounded"]

_MOST_REASONS: Final = 5
"""Reasons a person is told; the kinds are all kept."""
_ADDRESSED: Final = re.compile(r"https?://\S+|@everyone|@here|<@[!&]?\d+>")
"""Links and mentions: a model makes them up as easily as words."""
_LONGEST: Final = 8_000
"""Characters of an answer that is checked; a longer one is not sound."""
_MOST_CLAIMS: Final = 150
"""Claims of an answer that are checked, as each is held against all that was shown; one of more is not sound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of checking an answer."""

    sound: bool
    cited: tuple[str, ...] = ()
    """The labels it cites, in order of first mention."""
    reasons: tuple[str, ...] = ()
    """What is wrong, in sentences for the person who asked; they may hold words of the answer."""
    kinds: tuple[str, ...] = ()
    """What is wrong, for the trail and the log: no word of what anybody wrote."""


def check(answer: str, ground: Ground) -> Verdict:
    """Checks that an answer rests on the evidence that was given, and on that alone.

    The check is of letters, not of meaning: it may pass a lie that uses only words that were shown, and refuse an
    honest answer; what was found is then sent as it is.
    """
    if len(answer) > _LONGEST:
        return _verdict([Fault(kind=FaultKind.SUPPORT, reason="It was too long to be checked.")], ())
    answer = sanitize.visible(answer)
    case = Case(answer, ground)
    if len(case.claims) > _MOST_CLAIMS:
        return _verdict([Fault(kind=FaultKind.SUPPORT, reason="It claimed too much at once to be checked.")], ())
    found = chain.from_iterable(
        each.faults(case) for each in (support, riders, values, quotes, names, speakers, polarity, freshness)
    )
    return _verdict(list(found), case.cited)


def unfounded(answer: str, question: str, *, people: Collection[str], community: Collection[str]) -> Verdict:
    """Checks that a free answer claims nothing about this community; `sound` where it claims nothing.

    It is for answers after nothing was found: general knowledge passes; members of `people` do not, nor channels and
    projects of `community` that the question did not name, "you said", "we decided", "as discussed", or a citation.
    """
    if len(answer) > _LONGEST:
        return _verdict([Fault(kind=FaultKind.SUPPORT, reason="It was too long to be checked.")], ())
    answer = sanitize.visible(answer)
    found = list(recollection.faults(answer, question, people=people, community=community))
    if any(one not in question for one in _ADDRESSED.findall(answer)):
        found.append(Fault(kind=FaultKind.NAME, reason="It gave an address, though I found none here."))
    if cited_labels(answer):
        found.append(Fault(kind=FaultKind.CITATION, reason="It cited something, though nothing was found."))
    return _verdict(found, ())


def tidied(text: str, labels: Collection[str]) -> str:
    """The answer as people read it: memories cited as `(#42)`, all other citations of what was shown taken out."""
    return citations.tidied(text, {*labels})


def _verdict(found: Sequence[Fault], cited: tuple[str, ...]) -> Verdict:
    reasons = tuple(dict.fromkeys(fault.reason for fault in found))[:_MOST_REASONS]
    kinds = tuple(dict.fromkeys(fault.kind.value for fault in found))
    return Verdict(sound=not found, cited=cited, reasons=reasons, kinds=kinds)
