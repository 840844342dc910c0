"""Tells the sentences that speak as one does to a model that reads them; pure."""

import re
from typing import Final

from bot.grounding import texts

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_ORDER: Final = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all|any|your|the|every|previous|prior)\b|\b(?:answer|reply|"
    r"respond|output|print|repeat|"
    r"write|say) (?:only|with|exactly|just|the|this|that)\b|\byou (?:must|are now|will now)\b|^\W*system\b|"
    r"\b(?:ignorier\w*|vergiss) (?:alle|deine|die)\b|\bantworte (?:nur|mit)\b|\b(?:ignore[zr]?|"
    r"oublie[zr]?) (?:tes|toutes|les)\b|"
    r"\breponds? (?:seulement|par)\b|\b(?:ignora|olvida) (?:tus|todas|las)\b|\bresponde (?:solo|con)\b"
)
"""How a text speaks to a model that reads it."""
_ORDER_MARKS: Final = (
    "ignor",
    "disregard",
    "forget ",
    "answer ",
    "reply ",
    "respond ",
    "output ",
    "print ",
    "repeat ",
    "write ",
    "say ",
    "you must",
    "you are now",
    "you will now",
    "system",
    "vergiss ",
    "antworte ",
    "oublie",
    "repond",
    "olvida ",
    "responde ",
)
"""What it is not found without: to look for these is far quicker."""
_OVERRIDE: Final = re.compile(
    r"\b(?:ignore|disregard|forget)\b[^.;]{0,40}\b(?:rules?|instructions?|orders?|prompts?|mandates?)\b"
    r"|\b(?:ignorier\w*|vergiss)\b[^.;]{0,40}\b(?:regeln|anweisungen)\b"
    r"|\b(?:ignore[zr]?|oublie[zr]?)\b[^.;]{0,40}\b(?:regles|consignes|instructions)\b"
    r"|\b(?:ignora|olvida)\b[^.;]{0,40}\b(?:reglas|instrucciones)\b"
)
"""How it tells a model to break its rules: what such a sentence says besides is lent to no answer."""


def stand_in(text: str) -> bool:
    """Whether a text in small letters speaks anywhere as one does to a model that reads it."""
    return any(mark in text for mark in _ORDER_MARKS) and _ORDER.search(text) is not None


def overrides(text: str) -> bool:
    """Whether a text in small letters tells a model to break its rules."""
    return _OVERRIDE.search(texts.folded(text)) is not None


def sentences_of(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [each for each in _SENTENCE.split(text) if each.strip()]
