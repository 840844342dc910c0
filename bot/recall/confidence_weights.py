"""The weights of `confidence.py`; made by `python -m tests.fit_confidence --write`."""

from collections.abc import Mapping
from typing import Final

BY_WORDS: Final[Mapping[str, float]] = {
    "bias": -1.92,
    "stands out": 1.68,
    "length of the question": 0.57,
    "meaning": 0.0,
    "by whom it names": -1.02,
    "lacks the kind": -0.67,
    "lacks the person": -0.94,
    "lacks the day": -0.24,
}
WITH_MEANING: Final[Mapping[str, float]] = {
    "bias": -1.66,
    "stands out": 1.34,
    "length of the question": -0.03,
    "meaning": 0.21,
    "by whom it names": -0.52,
    "lacks the kind": -0.49,
    "lacks the person": -1.57,
    "lacks the day": 0.09,
}
