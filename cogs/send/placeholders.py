"""What stands in place of an answer that is still to come: recovery knows it by these words, and takes it away."""

from typing import Final

from bot.turn.recall_answer import CHECKING

WAITING: Final = "My memory takes longer than usual; as soon as it is there I answer here."
"""While the database does not answer."""
PLACEHOLDERS: Final = frozenset({CHECKING, WAITING})
