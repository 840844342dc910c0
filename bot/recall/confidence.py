"""How likely it is that the best of what was found answers the question: one number, fitted on labelled questions.

A logistic regression on a few signs of how the best stands among all. Its weights are in `confidence_weights.py`, made
by `python -m tests.fit_confidence --write` from the questions in `tests/benchmarks/communities`.
"""

import math
from dataclasses import dataclass
from typing import Final

from bot.recall import confidence_weights

BIAS: Final = "bias"
"""The name of the weight that is added to whatever the signs are."""
MOST: Final = 2.0
"""How far anything stands out at most, as far as this counts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPlace:
    """How the best of a ranking stands."""

    speaks: bool = False
    """Whether it or what stands beside it holds a word of the question, or comes near it in meaning."""
    out: float = 0.0
    """How far its score stands out from what the question finds anyway."""
    known: float = 1.0
    """The share of what an answer would hold that anybody here ever said, by its weight."""
    words: int = 0
    """Words of the question."""
    meaning: float = 0.0
    """How near it is in meaning, where that was compared."""
    by_named: float = 0.0
    """How surely somebody said it whom the question names, by which its score was raised."""
    lacks_kind: bool = False
    lacks_person: bool = False
    lacks_day: bool = False


def signs(standing: BestPlace) -> dict[str, float]:
    """What is weighed, by name."""
    return {
        "stands out": min(MOST, standing.out),
        "length of the question": math.log(1 + standing.words),
        "meaning": min(MOST, standing.meaning),
        "by whom it names": standing.by_named,
        "lacks the kind": float(standing.lacks_kind),
        "lacks the person": float(standing.lacks_person),
        "lacks the day": float(standing.lacks_day),
    }


def of(standing: BestPlace, *, compared_meaning: bool) -> float:
    """From 0 to 1; 0 where nothing speaks to the question, and a third of it where nobody knows its words."""
    if not standing.speaks:
        return 0.0
    weights = confidence_weights.WITH_MEANING if compared_meaning else confidence_weights.BY_WORDS
    total = weights[BIAS] + sum(weights[name] * sign for name, sign in signs(standing).items())
    return (1 + 2 * standing.known) / 3 / (1 + math.exp(-total))
