"""The set words by which Hathi tells what it did, so that a model that says them is not taken for Hathi.

Hathi knows what it said earlier by them, in every language: a translation of one, once given, stays.
"""

from typing import Final

from bot import catalogue
from bot.catalogue import later

MEMORY: Final = "[memory]"
"""How a line begins that tells what became of a memory."""
NOTE: Final = "[note]"
"""The same of a note."""
CLEARED: Final = later("Conversation history cleared.")
ERASED: Final = later("Erased for good")
FORGOT: Final = later("[memory] forgotten:")
FORGOTTEN: Final = later("That is forgotten already.")
SUPERSEDES: Final = later("It supersedes #")
DEEDS: Final = (CLEARED, ERASED, FORGOTTEN, SUPERSEDES)
"""How a sentence begins that tells of something done."""
FROM: Final = later("from ")
LOOKED_AT: Final = later("looked at ")
"""How the line under an answer begins that names its sources."""
WHY: Final = "why?"
"""How it ends."""
SMALL: Final = "-# "
"""What begins small print on Discord."""


def ends_conversation(text: str) -> bool:
    """Whether a text of Hathi's ends as that of a reset does, in any language."""
    return text.endswith(catalogue.in_all(CLEARED))


def tells_of_forgotten(text: str) -> bool:
    """Whether a text of Hathi's tells that something was forgotten, in any language."""
    return any(told in text for told in catalogue.in_all(FORGOT))


def without_superseded(text: str) -> str:
    """A text of Hathi's without the words before the number of what was replaced, in any language."""
    for told in catalogue.in_all(SUPERSEDES):
        text = text.replace(told, "")
    return text
