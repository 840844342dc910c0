"""Finds what of the records a text contradicts that somebody had written, however freely it is worded; pure."""

from collections.abc import Sequence
from typing import Final

from bot.facts import comparison
from bot.facts.comparison import Relation, Said
from bot.grounding import citations
from bot.layers.walk import Evidence
from bot.text import sentences

MOST_SENTENCES: Final = 60
"""Of a text, each of which is held against each record; those past them are not."""
MOST_TOLD: Final = 3
_OTHERWISE: Final = frozenset({Relation.CONTRADICTION, Relation.UPDATE})


def contradicted(text: str, records: Sequence[Evidence], request: str, *, asker: str) -> list[Evidence]:
    """Those of the records that say otherwise than the text, a few of them.

    Where the request itself says otherwise, the text does as it was told.
    """
    asked = Said(text=request, by=asker)
    told = [Said(text=one) for one in sentences.split(citations.without(text))[:MOST_SENTENCES]]
    known = [(one, Said(text=one.content, by=one.author or "")) for one in records]
    held = [(one, said) for one, said in known if comparison.compare(said, asked).relation not in _OTHERWISE]
    found = [one for one, said in held if any(comparison.compare(said, each).relation in _OTHERWISE for each in told)]
    return found[:MOST_TOLD]
