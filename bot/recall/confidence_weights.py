"""The weights of `confidence.py`; made by `python -m tests.fit_confidence --write`."""

from collections.abc import Mapping
from typing import Final

BY_WORDS: Final[Mapping[str, float]] = {
    "bias": -1.91,
    "stands out": 1.68,
    "length of the question": 0.56,
    "meaning": 0.0,
    "by whom it names": -1.08,
    "lacks the kind": -0.58,
    "lacks the person": -0.93,
    "lacks the day": -0.29,
}
WITH_MEANING: Final[Mapping[str, float]] = {
    "bias": -1.54,
    "stands out": 1.33,
    "length of the question": -0.09,
    "meaning": 0.21,
    "by whom it names": -0.58,
    "lacks the kind": -0.43,
    "lacks the person": -1.33,
    "lacks the day": -0.11,
}
