"""The weights of `confidence.py`; made by `python -m tests.fit_confidence --write`."""

from collections.abc import Mapping
from typing import Final

BY_WORDS: Final[Mapping[str, float]] = {
    "bias": -1.9,
    "stands out": 1.69,
    "length of the question": 0.53,
    "meaning": 0.0,
    "by whom it names": -1.07,
    "lacks the kind": -0.62,
    "lacks the person": -0.92,
    "lacks the day": -0.25,
}
WITH_MEANING: Final[Mapping[str, float]] = {
    "bias": -1.5,
    "stands out": 1.4,
    "length of the question": 0.3,
    "meaning": 0.0,
    "by whom it names": -0.8,
    "lacks the kind": -0.8,
    "lacks the person": -0.4,
    "lacks the day": -0.16,
}
