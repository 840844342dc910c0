"""The weights of `confidence.py`; made by `python -m tests.fit_confidence --write`."""

from collections.abc import Mapping
from typing import Final

BY_WORDS: Final[Mapping[str, float]] = {
    "bias": -1.71,
    "stands out": 1.67,
    "length of the question": 0.45,
    "meaning": 0.0,
    "by whom it names": -1.17,
    "lacks the kind": -0.87,
    "lacks the person": -0.92,
    "lacks the day": -0.15,
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
