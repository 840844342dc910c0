"""Tells whether general knowledge could answer a question, even if memory shares words with it; pure."""

import re
from typing import Final

from bot.language.past import detector
from bot.language.past.space_names import Names
from bot.text import patterns, plain_form

_OURS: Final = re.compile(r"\b(?:we|our|ours|us|my|mine|i've|we've|here|you lot|y'all)\b")
"""What makes a question one about those who ask."""
_AS_KNOWN: Final = re.compile(r"\b(?:the|this|that|these|those)\b")
"""What speaks of a thing as of one that everybody here knows: "who repaired the boiler?"."""
_OF_ANYBODY: Final = frozenset({"no question", "customer"})
"""What speaks against a question about the past and not for one about the world: a club has an insurance too."""
_MADE: Final = patterns.either(
    r"""
    \b(?:write|compose|draft|convert|translate|explain|define|calculate|compute|recommend|suggest) \S+
    \bdo (?:me )?an? \S+
    \b(?:tell|sing|give) (?:me |us )?an? (?:\S+ ){0,2}?(?:tale|story|poem|joke|song|riddle|limerick|haiku)\b
    """
)
_TO_BE_MADE: Final = re.compile(_MADE)
"""What asks for something that is nowhere yet, or for how somebody makes it."""
_MAKE: Final = re.compile(r"\| (?:(?:please|hathi|,|(?:can|could|would|will) you) ){0,4}" + _MADE)
"""What begins with that."""
_OF_THE_CLOCK: Final = re.compile(
    r"^\W*(?:hathi\W+)?what(?:'s| is)? (?:(?:the|today's) )?(?:current )?(?:day|weekday|time|date|year|month)"
    r"(?: of the week)?(?: is it| it is| is today| today| now| right now| please){0,3}\W*$"
)
"""What a look at the clock and the calendar answers."""
_OF_THE_WORLD: Final = re.compile(
    patterns.either(
        r"""
        \bwhy (?:do|does|don't|doesn't|is it that|are there) (?!(?:the|this|that|these|those)\b)
        \bhow (?:do|does|can) (?!(?:the|this|that|these|those)\b)(?:\S+ ){1,4}?(?:work|form|happen|stay|make|get|grow\
            |move|set|fly|float|live|differ|taste|say|write|read|convert|calculate|cook|bake)
        \bwhat (?:does|do) (?:\S+ ){1,4}?(?:stand for|mean)\b
        \b(?:what is|what's|what are) (?:an?|the difference|the meaning|the definition|the capital|the plural)\b
        \b(?:difference between|capital of|synonyms? (?:for|of)|meaning of|definition of|plural of|recipe for\
            |population of|formula (?:for|of)|square root|translation of)\b
        \bhow (?:many|much) \S+ (?:is|are|in|to|make) (?:an? |one )?\S+
        \b(?:who|which \S+) (?:painted|wrote|invented|discovered|composed|directed|sang|founded)\b
        \b(?:in|into|to|from) (?:english|german|french|spanish|polish|italian|latin|celsius|fahrenheit|python\
            |javascript|sql|bash|rust|java)\b
        \b\d+(?:[.,/]\d+)?\s?%? (?:of|plus|minus|times|divided by|x|in|to) \S*\d*
        """
    )
)


def is_of_here(text: str) -> bool:
    """Whether it asks of those who ask, or of something as known here, and general knowledge has no answer to it."""
    plain = plain_form.read(text).text
    return (_OURS.search(plain) or _AS_KNOWN.search(plain)) is not None and not may_be(text)


def is_to_be_made(text: str) -> bool:
    """Whether it asks for something to be made up or worked out: "tell me a joke"."""
    return _MAKE.search(plain_form.read(text).text) is not None


def is_of_the_clock(text: str) -> bool:
    """Whether it asks for today's date, or what time it is, and nothing else."""
    return _OF_THE_CLOCK.search(plain_form.read(text).text) is not None


def may_be(text: str) -> bool:
    """Whether general knowledge may answer it: the detector takes it for such, or it asks as one asks of the world."""
    plain = plain_form.read(text)
    if _OURS.search(plain.text):
        return False
    against = {cue for cue, points in detector.weighed(plain, Names()).items() if points < 0}
    known = (_OF_THE_WORLD, _TO_BE_MADE, _OF_THE_CLOCK)
    return bool(against - _OF_ANYBODY) or any(each.search(plain.text) for each in known)
