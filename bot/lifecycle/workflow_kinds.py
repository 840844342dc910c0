"""The kinds of workflows, and the words of their files: what a step may have, and what it may be given by name."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from bot.domain import MemoryPart
from bot.recall.retrievers.retrieval import Takes

NONE: Final = "none"
"""What a channel names that wants no workflow."""
NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,30}")
MOST_STEPS: Final = 8
MOST_INPUTS: Final = 16
"""Of one step."""
CHUNK: Final = "chunk"
RECENT: Final = "recent"
RECENT_AS: Final[Mapping[str, int]] = {"recent_chunks": 3, "ledger": 200}
"""Names of what the retriever `recent` gives where it is asked for so many."""
REFERENCE: Final = re.compile(r"\{[ \t]*([A-Za-z_][\w -]{0,40}?)[ \t]*\}")
"""A name in braces; braces around anything else, as of JSON, stay what they are."""
ARGUMENTS: Final[Mapping[Takes, Collection[Takes]]] = {
    Takes.COUNT: (Takes.COUNT, Takes.WORDS),
    Takes.WORDS: (Takes.WORDS,),
    Takes.MOMENT: (Takes.MOMENT,),
}
"""What a step may give its retrievers beside the place, and which of them it is given to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowKind:
    """What workflows of a kind are given, beside what retrievers give, and may make."""

    reads: str
    """The variable that some step must read."""
    makes: tuple[str, ...]


KINDS: Final[Mapping[str, WorkflowKind]] = {"memory": WorkflowKind(reads=CHUNK, makes=tuple(MemoryPart))}
