"""The weights of `confidence.py`; made by `python -m tests.fit_confidence --write`."""

from collections.abc import Mapping
from typing import Final

BY_WORDS: Final[Mapping[str, float]] = {
    "bias": -1.5,
    "stands out": 1.57,
    "length of the question": 0.35,
    "meaning": 0.0,
    "by whom it names": -1.34,
    "lacks the kind": -1.05,
    "lacks the person": -0.98,
    "lacks the day": 0.13,
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
