"""The set words by which Hathi tells what it did, so that a model that says them is not taken for Hathi."""

from typing import Final

MEMORY: Final = "[memory]"
"""How a line begins that tells what became of a memory."""
NOTE: Final = "[note]"
"""The same of a note."""
CLEARED: Final = "Conversation history cleared."
ERASED: Final = "Erased for good"
FORGOT: Final = f"{MEMORY} forgotten:"
FORGOTTEN: Final = "That is forgotten already."
SUPERSEDES: Final = "It supersedes #"
DEEDS: Final = (CLEARED, ERASED, FORGOTTEN, SUPERSEDES)
"""How a sentence begins that tells of something done."""
FROM: Final = "from "
LOOKED_AT: Final = "looked at "
"""How the line under an answer begins that names its sources."""
WHY: Final = "why?"
"""How it ends."""
SMALL: Final = "-# "
"""What begins small print on Discord."""
