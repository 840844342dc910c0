"""The weights of `confidence.py`; made by `python -m tests.fit_confidence --write`."""

from collections.abc import Mapping
from typing import Final

BY_WORDS: Final[Mapping[str, float]] = {
    "bias": -1.61,
    "stands out": 1.62,
    "length of the question": 0.39,
    "meaning": 0.0,
    "by whom it names": -1.24,
    "lacks the kind": -1.03,
    "lacks the person": -0.97,
    "lacks the day": 0.14,
}
WITH_MEANING: Final[Mapping[str, float]] = {
    "bias": -1.68,
    "stands out": 1.39,
    "length of the question": -0.03,
    "meaning": 0.15,
    "by whom it names": -0.53,
    "lacks the kind": -0.52,
    "lacks the person": -1.58,
    "lacks the day": 0.05,
}
