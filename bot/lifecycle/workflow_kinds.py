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
REQUEST: Final = "request"
TALK: Final = "talk"
"""What was said in the conversation so far, and around the request."""
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
    """What files of a kind tell, and what their steps are given beside what retrievers give."""

    fields: tuple[str, ...]
    """Of the file, beside its kind and its steps."""
    by: str
    """The field of a step that tells whose call it is."""
    reads: str
    """The variable that some step must read."""
    variables: tuple[str, ...]
    makes: tuple[str, ...] = ()
    """What of memory it may make."""


MEMORY: Final = "memory"
REPLY: Final = "reply"
KINDS: Final[Mapping[str, WorkflowKind]] = {
    MEMORY: WorkflowKind(
        fields=("makes",), by="role", reads=CHUNK, variables=(CHUNK, *RECENT_AS), makes=tuple(MemoryPart)
    ),
    REPLY: WorkflowKind(fields=("about",), by="persona", reads=REQUEST, variables=(REQUEST, TALK)),
}
