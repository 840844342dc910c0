"""The kinds of mistakes an answer can have."""

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The kinds of faults, as named in trail and log; they quote nobody."""

    CITATION = "citation"
    """It cites what was not shown, or what does not hold the value it is cited for."""
    NO_CITATION = "no citation"
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    QUOTE = "quote"
    NEGATION = "negation"
    YES_NO = "yes/no"
    ATTRIBUTION = "attribution"
    MERGED = "merged persons"
    STALE = "stale"
    SUPPORT = "support"
    """It shares nothing with what it cites, or next to nothing."""
    MEMORY = "memory"
    """It claims to remember something of this community where nothing was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault, for the log and for the person."""

    kind: FaultKind
    reason: str
    """A plain sentence."""
