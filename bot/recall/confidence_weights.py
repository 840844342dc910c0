"""The weights of `confidence.py`; made by `python -m tests.fit_confidence --write`."""

from collections.abc import Mapping
from typing import Final

BY_WORDS: Final[Mapping[str, float]] = {
    "bias": -1.85,
    "stands out": 1.66,
    "length of the question": 0.51,
    "meaning": 0.0,
    "by whom it names": -1.06,
    "lacks the kind": -0.57,
    "lacks the person": -0.93,
    "lacks the day": -0.23,
}
WITH_MEANING: Final[Mapping[str, float]] = {
    "bias": -1.61,
    "stands out": 1.31,
    "length of the question": -0.06,
    "meaning": 0.24,
    "by whom it names": -0.53,
    "lacks the kind": -0.43,
    "lacks the person": -1.58,
    "lacks the day": 0.09,
}
